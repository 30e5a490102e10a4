"""Chance that can be repeated: everything drawn in a lesson follows from its seed, on any machine and any Python."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from punto.shoe.shuffle import draw, shuffle, words

T = TypeVar("T")


class Lot:
    """A seeded source of chance: the same words give the same draws."""

    def __init__(self, *of: object) -> None:
        self._stream = words(sha256("/".join(map(str, of)).encode()).digest())

    def below(self, bound: int) -> int:
        """Return a number from 0 up to but not including ``bound``."""
        return draw(bound, self._stream)

    def between(self, least: int, most: int) -> int:
        return least + self.below(most - least + 1)

    def once_in(self, times: int) -> bool:
        """Return True once in ``times`` times, on average."""
        return self.below(times) == 0

    def pick(self, among: Sequence[T]) -> T:
        return among[self.below(len(among))]

    def shuffled(self, what: Sequence[T]) -> list[T]:
        return [what[number] for number in shuffle(len(what), self._stream)]
