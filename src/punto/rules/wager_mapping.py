"""A study of a game as a mapping: the names of its wagers, in the game's order, to what was found of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeVar, overload

from punto.rules.rulebook import Rulebook, Wager


class AboutWager(Protocol):
    """What a study says about one wager."""

    @property
    def wager(self) -> Wager: ...


W = TypeVar("W", bound=AboutWager, covariant=True)
T = TypeVar("T")


class WagerMapping(Mapping[str, W]):
    """Base of studies of all wagers: iterates over names, and finds a wager by its name, ignoring case."""

    __slots__ = ()

    book: Rulebook
    wagers: tuple[W, ...]

    def __getitem__(self, name: str) -> W:
        found = self.book.wager(name).name
        return next(each for each in self.wagers if each.wager.name == found)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(each.casefold() == name.strip().casefold() for each in self)

    @overload
    def get(self, name: str, /) -> W | None: ...

    @overload
    def get(self, name: str, /, default: W | T) -> W | T: ...

    def get(self, name: str, /, default: W | T | None = None) -> W | T | None:
        """Return what was found of a wager; the default if the game does not have it."""
        if name not in self:
            return default
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return (each.wager.name for each in self.wagers)

    def __len__(self) -> int:
        return len(self.wagers)
