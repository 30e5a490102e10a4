"""How many shoes betray a shuffler that riffles too few times?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from punto.evidence.randomness.battery import Judged, judge_cards
from punto.evidence.randomness.card_sample import sample_of
from punto.evidence.randomness.riffles import riffled_shoes

PASSES = range(2, 11)
SHOES = (25, 100, 400, 1_600)


@dataclass(frozen=True)
class RiffleFinding:
    """What the tests found of one shuffler in so many shoes."""

    start: str
    """``played``: from the pile that play leaves; ``new``: from new decks each time."""
    passes: int
    shoes: int
    failed: tuple[str, ...]
    """The tests that failed, the clearest first."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as the JSON answer tells it."""
        return {"start": self.start, "passes": self.passes, "shoes": self.shoes, "failed": list(self.failed)}


def study_riffles(
    decks: int,
    seed: int,
    passes: Iterable[int] = PASSES,
    numbers: Sequence[int] = SHOES,
    progress: Callable[[int], object] = lambda _: None,
) -> list[RiffleFinding]:
    """Test shufflers of several numbers of passes on several numbers of shoes, from both starts."""
    found = []
    for start in ("played", "new"):
        for count in passes:
            orders = riffled_shoes(max(numbers), decks, count, seed + count, new_decks=start == "new")
            for shoes in numbers:
                judged = judge_cards(sample_of(orders[:shoes], decks))
                found.append(RiffleFinding(start, count, shoes, failed_codes(judged)))
            progress(1)
    return found


def failed_codes(judged: Iterable[Judged]) -> tuple[str, ...]:
    """Return the tests that failed, the clearest first."""
    failed = [each for each in judged if each.failed]
    return tuple(each.result.code for each in sorted(failed, key=lambda each: each.result.p or 0.0))
