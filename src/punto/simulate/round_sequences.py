"""Every round of a simulation, in order, for studies of sequences: as blocks of arrays, or as a Parquet file.

The shoes are those that ``simulate`` deals for the same seed. At most one block of them is held in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punto.cards import DECK
from punto.rules.coup import FirstTwo, OutcomeClass, Winner
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.rulebook import VOID, Rulebook, Wager
from punto.rules.settlement import settle
from punto.simulate.outcome_classes import Classes, classes_for
from punto.simulate.shoe_makeup import Shoes
from punto.simulate.simulation import CHUNK

if TYPE_CHECKING:
    import polars

Array = Any


@dataclass(frozen=True)
class Rounds:
    """The rounds of some shoes, in order."""

    classes: Classes
    shoe: Array
    """The number of the shoe, from 0."""
    place: Array
    """Where in the shoe the round began: how many cards had left it."""
    cards: Array
    """Six cards from there on, each by its number in the deck, whether the round took them or not."""
    ending: Array
    """The number of the ending; -1 for a round that was void because the cards ran out."""
    initial: Array
    """The class of the initial deal."""
    paid: dict[str, Array] = field(default_factory=dict)
    """A cache shared by all blocks of a run: what wagers pay by ending and class."""

    def __len__(self) -> int:
        return len(self.shoe)

    @cached_property
    def taken(self) -> Array:
        """The number of cards each round took; all that were left if it is void."""
        import numpy as np

        counts = [ending[2] + ending[3] for ending in self.classes.endings]
        return np.array([*counts, LONGEST_COUP], np.uint8)[self.ending]

    @cached_property
    def number(self) -> Array:
        """The number of the round in its shoe, from 1."""
        import numpy as np

        first = np.flatnonzero(np.r_[True, self.shoe[1:] != self.shoe[:-1]])
        lengths = np.diff(np.r_[first, len(self)])
        return np.arange(len(self)) - np.repeat(first, lengths) + 1

    def returns(self, wager: Wager) -> tuple[Array, int]:
        """Return the net gain of a unit on the wager in each round, as whole numbers, and how many of them make a
        unit.
        """
        import numpy as np

        unit = lcm(*(line.pays.denominator for line in wager.outcomes))
        if wager.name not in self.paid:
            endings, initials = range(len(self.classes.endings)), range(len(self.classes.examples))
            lines = [[settle(wager, self.classes.outcome(at, number)) for number in initials] for at in endings]
            paid = [[int(line.pays * unit) for line in row] for row in lines]
            self.paid[wager.name] = np.array([*paid, [0 for _ in initials]], np.int64)
        return self.paid[wager.name][self.ending, self.initial], unit


def rounds(book: Rulebook, shoes: int, seed: int = 0, dealt: Shoes | None = None) -> Iterator[Rounds]:
    """Yield every round of ``shoes`` shoes, a block of shoes at a time."""
    from punto.simulate.lookup_tables import Tables

    classes = classes_for(book.wagers)
    tables, paid = Tables(classes, dealt or Shoes.of(book)), dict[str, Array]()
    for chunk, first in enumerate(range(0, shoes, CHUNK)):
        for rows, cards in tables.record(seed, chunk, min(CHUNK, shoes - first)):
            if len(rows):
                ending = rows[:, 2] // tables.together  # -1 stays -1
                shoe = rows[:, 0].astype("int64") + first
                yield Rounds(classes, shoe, rows[:, 1], cards, ending, rows[:, 3], paid)


WINNERS = (*(winner.value for winner in Winner), VOID)


def frame(found: Rounds) -> polars.DataFrame:
    """Return the rounds as a data frame: one row each, with cards, totals, winner, pairs and class of the initial
    deal.
    """
    import numpy as np
    import polars

    void = found.ending < 0
    endings = np.array([*found.classes.endings, (0, 0, 0, 0)], np.uint8)[found.ending]
    won = [WINNERS.index(OutcomeClass(*ending).winner.value) for ending in found.classes.endings]
    pairs = _pairs()
    cards, absent = found.cards.astype(np.int64), (found.taken[:, None] <= np.arange(LONGEST_COUP)) | void[:, None]
    columns: dict[str, Any] = {
        "shoe": found.shoe.astype(np.uint64),
        "round": found.number.astype(np.uint16),
        "place": found.place.astype(np.uint32),
        **{f"card_{at + 1}": _named(_CARDS, np.where(absent[:, at], -1, cards[:, at])) for at in range(LONGEST_COUP)},
        "player_total": endings[:, 0],
        "banker_total": endings[:, 1],
        "player_cards": endings[:, 2],
        "banker_cards": endings[:, 3],
        "winner": _named(WINNERS, np.array([*won, WINNERS.index(VOID)])[found.ending]),
        "player_pair": pairs[cards[:, 0], cards[:, 2]] & ~void,
        "banker_pair": pairs[cards[:, 1], cards[:, 3]] & ~void,
        "class": found.initial.astype(np.uint16),
    }
    return polars.DataFrame(columns)


@cache
def _pairs() -> Array:
    """Return, by two cards of a hand, whether they are a pair."""
    import numpy as np

    return np.array([[FirstTwo.of(one, other).pair is not None for other in DECK] for one in DECK])


_CARDS = tuple(str(card) for card in DECK)


def _named(names: tuple[str, ...], numbers: Array) -> polars.Series:
    """Return names by their numbers; null for -1."""
    import numpy as np
    import polars

    known = polars.Series([*names, None], dtype=polars.Enum(names))
    return known.gather(np.where(numbers < 0, len(names), numbers))


def write_rounds(file: Path, blocks: Iterator[Rounds], progress: Callable[[int, int], None] | None = None) -> int:
    """Stream rounds into a Parquet file; return how many there were."""
    from polars.io.plugins import register_io_source

    first = next(blocks, None)
    if first is None:
        raise ValueError("no round can be dealt from such shoes")
    written = 0

    def source(*_: object) -> Iterator[polars.DataFrame]:
        nonlocal written
        block: Rounds | None = first
        while block is not None:
            written += len(block)
            yield frame(block)
            if progress:
                progress(int(block.shoe[-1]) + 1, written)
            block = next(blocks, None)

    try:
        register_io_source(source, schema=frame(first).schema).sink_parquet(file)
    except polars.exceptions.PolarsError as error:
        raise OSError(None, str(error)) from None
    return written
