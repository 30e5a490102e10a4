"""Perfect play: what a patron gains who knows, before every round, the exact return of every wager.

No count does better: the unseen cards are all that can be known. One unit is wagered in every round before which the
wager is in the patron's favour. What is added up is the exact expected gain of each such wager, not what the cards then
brought, so that only the order of the shoes is left to chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from punto import __version__
from punto.cards import DECK
from punto.data_frames import data_frame, error_of, exact
from punto.formatting import percent
from punto.given_values import callback
from punto.notebook import Markup, table
from punto.odds import wager_odds
from punto.rules.caller_input import Game, game_of, wagers_of
from punto.rules.rulebook import Rulebook, Wager
from punto.rules.wager_mapping import WagerMapping
from punto.simulate.shoe_makeup import BY_FIRST_CARD, Shoes
from punto.simulate.simulation import (
    CountTotals,
    Progress,
    Workload,
    dealing_numbers,
    on_threads,
    processors,
    shoes_dealt,
)

if TYPE_CHECKING:
    import polars

Array = Any
STEP = 13
"""Cards of one depth: a quarter of a deck."""
CHUNK = 512
"""Shoes walked through at a time."""
WIDTH, BINS = 0.005, 20_000
"""The width and the number of the bins in which the gains of shoes are counted, in units."""
HANDS_AN_HOUR = 70
MOST_PARTS = 2**53
"""The most parts of a unit that a wager may pay: each then is a whole number in floating point too."""


@dataclass(frozen=True, slots=True)
class PerfectCounts:
    """What was added up over some shoes; arrays by wager and depth, or by depth."""

    shoes: int
    sums: Mapping[int, Array]
    """By chunk, so that they are added in one order, four sums by wager and depth: of all returns, of those in the
    patron's favour, and over shoes, up to each depth, of the squared gain and of the gain times the hands.
    """
    hands: Array
    """Hands by depth, and over shoes the squared hands up to each depth; all of them whole numbers."""
    favourable: Array
    spread: Array
    """By wager, how many shoes gained how much."""

    @property
    def rounds(self) -> int:
        return int(self.hands[0].sum())

    def __add__(self, other: PerfectCounts) -> PerfectCounts:
        return PerfectCounts(
            self.shoes + other.shoes,
            {**self.sums, **other.sums},
            self.hands + other.hands,
            self.favourable + other.favourable,
            self.spread + other.spread,
        )


class PerfectTables:
    """Walks through chunks of shoes."""

    def __init__(self, wagers: tuple[Wager, ...], shoes: Shoes) -> None:
        import numpy as np

        from punto.odds.batch_odds import tables_for
        from punto.odds.return_tables import fits_64_bits
        from punto.rules.outcome_classes import classes_for
        from punto.simulate.lookup_tables import Tables

        self._returns = tables_for(wagers)
        self._wide = np.array([not fits_64_bits(wager, len(shoes.cards)) for wager in wagers])
        self._dealing = Tables(classes_for(wagers), shoes)
        endings = classes_for(wagers).endings
        self._taken = np.array([*(ending[2] + ending[3] for ending in endings), 0], np.int64)
        self._full = np.array([shoes.cards.count(card) for card in DECK], np.int64)
        self._shows_first = shoes.burn == BY_FIRST_CARD
        self.cards = len(shoes.cards)
        self._depths = -(-self.cards // STEP)

    def nothing(self) -> PerfectCounts:
        """Return empty counts."""
        import numpy as np

        wagers = len(self._returns.wagers)
        by_depth = (wagers, self._depths)
        favourable, spread = np.zeros(by_depth, np.int64), np.zeros((wagers, BINS), np.int64)
        return PerfectCounts(0, {}, np.zeros((2, self._depths)), favourable, spread)

    def count(self, seed: int, chunk: int, shoes: int) -> PerfectCounts:
        """Walk through some shoes and return what was added up."""
        import numpy as np

        from punto.lab.perfect_kernel import walk
        from punto.odds.batch_odds import vectorised

        counts, wagers = self.nothing(), len(self._returns.wagers)
        unseen, returns = np.zeros(len(DECK), np.int64), np.zeros(wagers, np.int64)
        of_shoe, hands = np.zeros((wagers, self._depths)), np.zeros(self._depths)
        sums = np.zeros((4, wagers, self._depths))
        found = unseen, returns, of_shoe, hands, sums, counts.hands, counts.favourable, counts.spread
        space, parts = self._returns.space(), self._returns.parts.astype(np.float64)
        with vectorised():
            for rows, dealt in self._dealing.record(seed, chunk, shoes):
                rows[:, 2] //= self._dealing.together  # -1 stays -1
                walk(
                    rows,
                    dealt,
                    self._taken,
                    self._full,
                    self._shows_first,
                    self._returns.rules,
                    space,
                    parts,
                    self._wide,
                    STEP,
                    WIDTH,
                    found,
                )
        return PerfectCounts(shoes, {chunk: sums}, *found[5:])


@dataclass(frozen=True, slots=True)
class PerfectFigures:
    """What perfect play of one wager gains, with standard errors; amounts in units, one unit a wager."""

    hands: int
    favourable: int
    frequency: float
    """The share of hands in which the wager is in the patron's favour."""
    edge: float
    """The average return of a unit in those hands."""
    per_100_hands: float
    per_100_hands_error: float | None
    """None where it cannot be estimated: from one shoe, or from shoes that all gained alike."""
    per_shoe: float
    per_shoe_error: float | None
    index: float
    """A thousand times the expected gain of a hand over its standard deviation: a wager has the variance of the full
    shoe (base variance), a hand without one none. Publications define it so.
    """

    @property
    def per_hour(self) -> float:
        """The expected gain of an hour of 70 hands."""
        return self.per_100_hands * HANDS_AN_HOUR / 100

    def to_dict(self) -> dict[str, object]:
        """Return all figures by name."""
        return {
            "hands": self.hands,
            "favourable": self.favourable,
            "frequency": self.frequency,
            "edge": self.edge,
            "per_100_hands": self.per_100_hands,
            "per_100_hands_error": self.per_100_hands_error,
            "per_shoe": self.per_shoe,
            "per_shoe_error": self.per_shoe_error,
            "per_hour": self.per_hour,
            "index": self.index,
        }


@dataclass(frozen=True)
class PerfectWager:
    """Perfect play of one wager."""

    wager: Wager
    variance: Fraction
    """Of a unit on the wager, from the full shoe."""
    cards: int
    shoes: int
    hands: tuple[int, ...]
    """Hands by depth; a depth is a quarter of a deck."""
    squared_hands: tuple[float, ...]
    favourable: tuple[int, ...]
    total: tuple[float, ...]
    gains: tuple[float, ...]
    squares: tuple[float, ...]
    with_hands: tuple[float, ...]
    spread: tuple[int, ...]
    """How many shoes gained how much, in bins up to the last that any shoe is in."""

    @property
    def name(self) -> str:
        """The wager's name."""
        return self.wager.name

    @property
    def figures(self) -> PerfectFigures:
        """The figures of whole shoes, as they were dealt."""
        return self.up_to(len(self.hands))

    def at_cut(self, behind: int) -> PerfectFigures:
        """Return the figures with the cutting card this many cards from the end, to a quarter of a deck."""
        return self.up_to(max(0, (self.cards - behind) // STEP))

    def up_to(self, depths: int) -> PerfectFigures:
        """Return the figures of the hands that begin within the first quarters of a deck."""
        depths = min(depths, len(self.hands))
        hands, favourable, gain = (
            sum(self.hands[:depths]),
            sum(self.favourable[:depths]),
            math.fsum(self.gains[:depths]),
        )
        if not hands:
            return PerfectFigures(0, 0, 0.0, 0.0, 0.0, None, 0.0, None, 0.0)
        last, rate = depths - 1, gain / hands
        mean = gain / self.shoes
        apart = self.squares[last] / self.shoes - mean**2
        # The error of a ratio of two sums over shoes: of what each shoe gained beyond the rate for its hands.
        beyond = self.squares[last] - 2 * rate * self.with_hands[last] + rate**2 * self.squared_hands[last]
        return PerfectFigures(
            hands=hands,
            favourable=favourable,
            frequency=favourable / hands,
            edge=gain / favourable if favourable else 0.0,
            per_100_hands=100 * rate,
            per_100_hands_error=self._known(100 * math.sqrt(max(beyond, 0.0)) / hands),
            per_shoe=mean,
            per_shoe_error=self._known(math.sqrt(max(apart, 0.0) / self.shoes)),
            index=1000 * rate / math.sqrt(favourable / hands * self.variance) if favourable else 0.0,
        )

    def _known(self, error: float) -> float | None:
        """Return an error, or None where shoes are too few or too much alike to estimate it."""
        return error if self.shoes > 1 and error else None

    @property
    def mean_return(self) -> float:
        """The average return over all hands: that of the full shoe, but for chance."""
        return math.fsum(self.total) / sum(self.hands)

    def quantile(self, share: float) -> float:
        """Return the expected gain of a shoe below which this share of the shoes lies, to half a bin."""
        wanted, seen = share * self.shoes, 0
        for number, count in enumerate(self.spread):
            seen += count
            if seen >= wanted:
                return (number + 0.5) * WIDTH if number else 0.0
        return BINS * WIDTH


@dataclass(frozen=True)
class PerfectPlayStudy(WagerMapping[PerfectWager]):
    """Perfect play of a game's wagers: a mapping of their names. Get one with ``perfect_play``."""

    book: Rulebook
    seed: int
    shoes: int
    rounds: int
    cards: int
    cut: int
    partial: bool
    seconds: float = field(compare=False)
    """The time spent, of all workers together."""
    wagers: tuple[PerfectWager, ...]

    def to_dict(self) -> dict[str, object]:
        """Return all figures of whole shoes ready for JSON, with the inputs."""
        return {
            "game": self.book.key,
            "version": self.book.version,
            "digest": self.book.digest,
            "software": f"punto {__version__}",
            "cards": self.cards,
            "cut": self.cut,
            "seed": self.seed,
            "shoes": self.shoes,
            "rounds": self.rounds,
            "partial": self.partial,
            "wagers": [
                {"wager": each.name, **exact(variance=each.variance), **each.figures.to_dict()} for each in self.wagers
            ],
        }

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each wager and depth of the cutting card, a quarter of a deck apart; deepest last."""
        inputs = {"game": self.book.key, "digest": self.book.digest, "seed": self.seed, "shoes": self.shoes}
        return data_frame(
            [
                {**inputs, "wager": each.name, "cards_dealt": STEP * depths, **each.up_to(depths).to_dict()}
                for each in self.wagers
                for depths in range(1, len(each.hands) + 1)
            ]
        )

    def __repr__(self) -> str:
        return f"<PerfectPlayStudy of {self.book.key!r}: {self.shoes} shoes, {self.rounds} rounds, seed {self.seed}>"

    def _repr_html_(self) -> Markup:
        figures = ("Favourable", "Edge then", "Units in 100 hands", "± error", "Index")
        rows = []
        for each in self.wagers:
            found = each.figures
            shares = percent(Fraction(found.frequency)), percent(Fraction(found.edge))
            units = f"{found.per_100_hands:.4f}", error_of(found.per_100_hands_error), f"{found.index:.2f}"
            rows.append((each.name, *shares, *units))
        caption = f"{self.book.title}: perfect play, {self.rounds:,} rounds from {self.shoes:,} shoes"
        return table(caption, ("Wager", *figures), rows, figures)


def perfect_play(
    game: Game,
    shoes: int,
    seed: int = 0,
    shoe: Shoes | None = None,
    workers: int | None = None,
    on: str = "threads",
    progress: Progress | None = None,
    wagers: Sequence[str] | None = None,
) -> PerfectPlayStudy:
    """Walk through ``shoes`` shoes with the exact return of every wager before every round, or of those named.

    ``shoe`` says how the shoes are made up and dealt, ``workers`` how many threads run, and ``on`` is ``threads`` or
    ``ray``. An interrupt returns the finished part, marked partial.
    """
    shoes, seed, workers = dealing_numbers(shoes, seed, workers)
    callback(progress, "progress")
    book = game_of(game)
    chosen, makeup = wagers_of(book, wagers), shoes_dealt(book, shoe)
    _expect_countable(chosen, makeup)
    tables = PerfectTables(chosen, makeup)
    tables.count(seed, 0, 0)  # compiles the loops, once and before timing starts
    totals, workload = CountTotals(tables), Workload(tables, seed, shoes, CHUNK)
    run: Callable[..., None] = on_threads
    if on == "ray":
        from punto.simulate.ray_cluster import on_ray as run
    elif on != "threads":
        raise ValueError(f"expected threads or ray, not {on}")
    run(workload, workers or processors(), totals, progress or (lambda _shoes, _rounds: None))
    counts: PerfectCounts = totals.counts
    return PerfectPlayStudy(
        book, seed, counts.shoes, counts.rounds, len(makeup.cards), makeup.cut, totals.interrupted, totals.seconds,
        _wagers(chosen, makeup, counts),
    )  # fmt: skip


def _expect_countable(wagers: Sequence[Wager], shoe: Shoes) -> None:
    """Raise ``ValueError`` for more cards, or pays in smaller parts of a unit, than the loops count exactly."""
    from punto.odds.return_kernel import MOST_CARDS
    from punto.odds.return_tables import most_parts

    if len(shoe.cards) > MOST_CARDS:
        raise ValueError(f"expected a shoe of at most {MOST_CARDS} cards, for exact returns, not {len(shoe.cards)}")
    for wager in wagers:
        if most_parts(wager) > MOST_PARTS:
            raise ValueError(
                f"{wager.name} pays in {wager.parts:,} parts of a unit, too many for exact returns before every round"
            )


def _wagers(wagers: Sequence[Wager], shoes: Shoes, counts: PerfectCounts) -> tuple[PerfectWager, ...]:
    total, gains, squares, with_hands = sum(counts.sums[chunk] for chunk in sorted(counts.sums))
    return tuple(
        PerfectWager(
            wager=wager,
            variance=wager_odds(wager, shoes.cards).variance,
            cards=len(shoes.cards),
            shoes=counts.shoes,
            hands=tuple(int(each) for each in counts.hands[0]),
            squared_hands=tuple(counts.hands[1].tolist()),
            favourable=tuple(counts.favourable[at].tolist()),
            total=tuple(total[at].tolist()),
            gains=tuple(gains[at].tolist()),
            squares=tuple(squares[at].tolist()),
            with_hands=tuple(with_hands[at].tolist()),
            spread=_without_empty(counts.spread[at]),
        )
        for at, wager in enumerate(wagers)
    )


def _without_empty(bins: Array) -> tuple[int, ...]:
    """Return what is in bins, without the empty ones at the end."""
    filled = bins.nonzero()[0]
    return tuple(bins[: filled[-1] + 1].tolist()) if len(filled) else ()
