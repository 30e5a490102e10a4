"""Card counting on one wager: how often a count calls for a wager, what it wins, and whether a house need worry.

Every card has a tag. The running count is the sum of the tags of all cards seen since the shoe began; the true count
divides it by the decks unseen: all cards not seen, those in the shoe and the burnt ones that were not exposed. Where
the first card says how many are burnt it is exposed, and counts. Before every round the trigger decides whether to
wager, and the count how much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from punto.data_frames import data_frame
from punto.formatting import percent
from punto.given_values import as_whole, callback, flag, number_above_zero
from punto.lab.counts.count_system import CountStakes, CountSystem, CountTrigger, Tags, check_trigger
from punto.lab.counts.count_tally import CountEstimate, CountFigures, CountMoments, CountTally
from punto.notebook import Markup, table
from punto.odds import wager_odds
from punto.rules.caller_input import Game, game_of
from punto.rules.rulebook import Rulebook
from punto.simulate.shoe_makeup import Shoes
from punto.simulate.simulation import (
    CountTotals,
    Progress,
    Workload,
    on_threads,
    processors,
    shoes_dealt,
    uninterrupted,
    without_collecting,
)

if TYPE_CHECKING:
    import polars

HANDS_PER_HOUR = 70
"""A full table where cards are squeezed deals about so many rounds; one without, up to three times as many."""


@dataclass(frozen=True, slots=True)
class Counting:
    """The outcome of a count; gains in units, one unit being the stake at the trigger."""

    book: Rulebook
    wager: str
    system: CountSystem
    trigger: CountTrigger
    stakes: CountStakes
    shoe: Shoes
    seed: int
    hands_per_hour: int
    burn_card_seen: bool
    partial: bool
    """Whether it was stopped before all shoes were dealt."""
    base_variance: Fraction
    """The exact variance of one unit on the wager from the full shoe."""
    tally: CountTally

    @property
    def figures(self) -> CountFigures:
        """The figures of all rounds."""
        return self._figures_of(self.tally.whole)

    @property
    def by_count(self) -> dict[int, CountFigures]:
        """The figures at each count, rounded down: at each true count, or running count if the trigger looks at it."""
        return {count: self._figures_of(each) for count, each in sorted(self.tally.by_count.items())}

    @property
    def by_decile(self) -> dict[int, CountFigures]:
        """The figures by penetration: 0 for the rounds that began within the first tenth of the shoe, up to 9."""
        return {decile: self._figures_of(each) for decile, each in sorted(self.tally.by_decile.items())}

    def _figures_of(self, moments: CountMoments) -> CountFigures:
        return CountFigures(self.shoes, self.book.wager(self.wager).parts, moments)

    @property
    def shoes(self) -> int:
        """The number of shoes dealt."""
        return self.tally.shoes

    @property
    def rounds(self) -> int:
        """The number of rounds dealt."""
        return self.tally.rounds

    @property
    def wagered(self) -> int:
        """The number of rounds in which the count called for a wager."""
        return self.figures.wagered

    @property
    def gain(self) -> Fraction:
        """The total net gain."""
        return self.figures.gain

    @property
    def frequency(self) -> CountEstimate:
        """The share of rounds with a wager."""
        return self.figures.frequency

    @property
    def return_per_wager(self) -> CountEstimate:
        """The average net gain of a wager."""
        return self.figures.return_per_wager

    @property
    def return_per_unit(self) -> CountEstimate:
        """The average net gain of a unit staked: the edge of the counter."""
        return self.figures.return_per_unit

    @property
    def gain_per_hand(self) -> CountEstimate:
        """The average net gain of a round, with or without a wager; the field calls a round a hand."""
        return self.figures.gain_per_hand

    @property
    def gain_per_100_hands(self) -> CountEstimate:
        """The average net gain of a hundred rounds."""
        return self.gain_per_hand.times(100)

    @property
    def gain_per_hour(self) -> CountEstimate:
        """The average net gain of an hour."""
        return self.gain_per_hand.times(self.hands_per_hour)

    @property
    def gain_per_shoe(self) -> CountEstimate:
        """The average net gain of a shoe."""
        return self.figures.gain_per_shoe

    @property
    def index_per_hand(self) -> CountEstimate:
        """The desirability index: a thousand times the gain of a hand over its standard deviation."""
        return self.figures.index_per_hand(self.base_variance)

    @property
    def deviation_per_shoe(self) -> float:
        """The standard deviation of the gain of a shoe."""
        parts, won = self.figures.parts, self.tally.whole.product("won", "won")
        mean = Fraction(self.gain_per_shoe.value)
        return math.sqrt(Fraction(won, parts**2 * self.shoes) - mean**2) if self.shoes else math.nan

    @property
    def index_per_shoe(self) -> CountEstimate:
        """A thousand times the gain of a shoe over its standard deviation; the error is that of the gain."""
        gain, deviation = self.gain_per_shoe, self.deviation_per_shoe
        if not deviation:
            return CountEstimate(0.0, math.nan)
        return CountEstimate(1000 * float(gain.value) / deviation, 1000 * gain.standard_error / deviation)

    @property
    def standard_error(self) -> float:
        """The standard error of the return per wager if wagers of one shoe were independent."""
        if not self.wagered:
            return math.nan
        squares = Fraction(self.tally.whole.total("squares_of_wagers"), self.figures.parts**2)
        return math.sqrt((squares / self.wagered - Fraction(self.return_per_wager.value) ** 2) / self.wagered)

    @property
    def shoes_to_one_deviation(self) -> float | None:
        """The number of shoes after which the expected gain equals its standard deviation, so that 5 in 6 counters
        have gained; None if there is no gain.
        """
        index = float(self.index_per_shoe.value)
        return (1000 / index) ** 2 if index > 0 else None

    @property
    def shoes_to_one_deviation_bounds(self) -> tuple[float, float] | None:
        """The 95% confidence bounds of that number; None if the gain is not distinguishable from 0."""
        index = self.index_per_shoe
        return ((1000 / index.high) ** 2, (1000 / index.low) ** 2) if index.sign > 0 else None

    def to_dict(self) -> dict[str, object]:
        """Return all figures ready for JSON, with the keys of ``punto counting --json``."""
        from punto.lab.counts.counting_answer import counting_answer

        return counting_answer(self)

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each count: how often it came, and what a unit on the wager returned there."""
        from punto.lab.counts.counting_answer import counting_rows

        return data_frame(counting_rows(self))

    def __repr__(self) -> str:
        made = f"{self.wagered} wagers in {self.rounds} rounds"
        partial = ", partial" if self.partial else ""
        each = percent(Fraction(self.return_per_wager.value))
        return f"<Counting on {self.wager!r} of {self.book.key!r}: {made}, {each} each{partial}>"

    def _repr_html_(self) -> Markup:
        caption = f"{self.book.title}, {self.wager}: counting, wagers at a {self.trigger.describe()}"
        figures = ("Rounds", "Wagers", "Return of a unit", "± error")
        rows = [
            (str(count), f"{each.rounds:,}", f"{each.wagered:,}", *_as_percent(each.return_of_round))
            for count, each in self.by_count.items()
        ]
        total = ("wagered", f"{self.rounds:,}", f"{self.wagered:,}", *_as_percent(self.return_per_unit))
        kind = "Running count" if self.trigger.first.running else "True count"
        return table(caption, (kind, *figures), [*rows, total], figures)


def _as_percent(found: CountEstimate) -> tuple[str, str]:
    error = "" if math.isnan(found.standard_error) else percent(Fraction(found.standard_error))
    return percent(Fraction(found.value)), error


def counting(
    game: Game,
    wager: str,
    system: CountSystem | str | Tags,
    trigger: CountTrigger | int | Fraction,
    shoes: int,
    seed: int = 0,
    shoe: Shoes | None = None,
    progress: Progress | None = None,
    stakes: CountStakes | None = None,
    workers: int | None = None,
    hands_per_hour: int = HANDS_PER_HOUR,
    burn_card_seen: bool = True,
) -> Counting:
    """Count through ``shoes`` shoes, and wager whenever the trigger is reached.

    ``system`` is a count system, or its tags; ``trigger`` a number is the true count from which on to wager. ``shoe``
    says how the shoes are made up and dealt, ``stakes`` how much is staked (by default one unit), ``workers`` how many
    threads run (by default one per processor). Without ``burn_card_seen`` the counter misses the first card also where
    it is exposed to say how many are burnt. An interrupt returns the finished part, marked partial.

    >>> counting("tiger", "Big Tiger", "3:-1,4:-1,5:-1,6:-2,7:1,8:2,9:2", 8, shoes=100, seed=1)
    <Counting on 'Big Tiger' of 'tiger': 190 wagers in 8197 rounds, 61.0526% each>
    """
    book = game_of(game)
    shoes, hands_per_hour = number_above_zero(shoes, "shoes"), number_above_zero(hands_per_hour, "hands an hour")
    workers = processors() if workers is None else number_above_zero(workers, "workers")
    whole_seed = as_whole(seed)
    if whole_seed is None:
        raise ValueError(f"expected a whole number as the seed, not {seed!r}")
    seed, burn_card_seen = whole_seed, flag(burn_card_seen, "burn_card_seen")
    callback(progress, "progress")
    count = system if isinstance(system, CountSystem) else CountSystem(system)
    when, stakes, shoe = CountTrigger.of(trigger), CountStakes.of(stakes), shoes_dealt(book, shoe)
    check_trigger(count, when)
    found = book.wager(wager)
    with without_collecting(), uninterrupted():
        from punto.lab.counts.count_tables import CountTables

        tables = CountTables(found, count, when, stakes, shoe, burn_card_seen)
        tables.count(seed, 0, 1)  # compiles the loops, once and before work is distributed
    totals = CountTotals(tables)
    on_threads(Workload(tables, seed, shoes), workers, totals, progress or (lambda _shoes, _rounds: None))
    variance = wager_odds(found, shoe.cards).variance
    settings = (book, found.name, count, when, stakes, shoe, seed, hands_per_hour, burn_card_seen)
    return Counting(*settings, totals.interrupted, variance, totals.counts)
