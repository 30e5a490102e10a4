"""Whether a patron's wagers follow the cards: a likelihood ratio that the pit may look at after every round.

Before each round the exact return of every wager from the unseen cards is known to anyone who remembers all exposed
cards. A counter places a wager when that return is high; an honest patron does not know it.

**What is random.** Not the patron: moods, streaks and habits follow no law. The shuffle does. Given the cards unseen
before a coup, and given what the scoreboard shows of it (the totals and number of cards of both hands, pairs, and how
each wager ended), every order of cards that shows the same is equally likely. So the coup that was dealt is one of many
*lookalikes*. Each of them would have left other cards in the shoe, and other returns for the round that follows.

**The honest patron** may bet as they please: by the scoreboard, by their own past, by how far the shoe is, in runs,
even by cards exposed before the last coup. One thing is asked of them: which of the lookalikes was dealt makes no
difference to their next wagers. A **counter** bets with probability ``above`` where the return exceeds a level and with
probability ``below`` where it does not; twelve such counters are weighed together, since the habits of a real one are
not known.

**The ratio.** For the wagers that a patron did place, let v(c) be the probability of just these under a counter if the
lookalike c had been dealt. The factor of the round is v(dealt coup) over the mean of v over all lookalikes, the dealt
one included. Whatever an honest patron placed, the dealt coup is by symmetry any of the lookalikes with the same
chance, so the factor is 1 on average: exactly, also where the lookalikes are a sample. The product of the factors is
therefore a non-negative martingale, a mean of such products is one too, and by Ville's inequality it ever reaches
1 / alpha with a probability of at most alpha: over the patron's whole time, at however many looks.

**What remains assumed.** The shuffle is fair; the patron has seen no card that the table has not; and an honest patron
has no habit that goes by the very cards of the last coup beyond the scoreboard and that agrees with the returns. A
patron who counts in part and one who counts in full look alike but for the time it takes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any

from punto.cards import DECK, Composition
from punto.odds.compiled_counts import MOST_CARDS
from punto.rules.conditions import Sees
from punto.rules.coup import Coup, Winner
from punto.rules.ending_counts import NO_CARD, Ending, third_card_plan
from punto.rules.hands.hand_states import asks_cards
from punto.rules.rulebook import Rulebook, Wager
from punto.rules.settlement import settle

Array = Any

LOOKALIKES = 64
"""The coups that the dealt one is compared with, itself included."""
AT_ONCE, MOST_DRAWS = 256, 64
"""Lookalikes are drawn in batches; after so many the rarest scoreboards are content with fewer."""
FALSE_ALARM = Fraction(1, 1000)
"""The most that a patron who does not count is ever accused with."""
FALSE_WATCH = Fraction(1, 20)
"""The most that such a patron is ever watched with."""


@dataclass(frozen=True, slots=True)
class CounterModel:
    """A counter: how likely the patron places a wager whose return is above a level, and one whose is not."""

    level: Fraction
    below: Fraction
    above: Fraction


LEVELS = tuple(Fraction(percent, 100) for percent in (0, 2, 5, 10))
_HABITS = (
    (Fraction(1, 50), Fraction(9, 10)),
    (Fraction(1, 50), Fraction(1, 2)),
    (Fraction(1, 5), Fraction(9, 10)),
)
MODELS = tuple(CounterModel(level, *habit) for level in LEVELS for habit in _HABITS)
"""The counters that are weighed, with equal weights."""


class Advice(StrEnum):
    """What the pit is advised to do about a patron."""

    NONE = "none"
    WATCH = "watch"
    SHUFFLE_OR_LIMIT = "shuffle-or-limit"


def advice_for(ratio: float) -> Advice:
    """Return what a likelihood ratio calls for.

    >>> advice_for(3.0).value, advice_for(20.0).value, advice_for(1000.0).value
    ('none', 'watch', 'shuffle-or-limit')
    """
    if ratio >= 1 / FALSE_ALARM:
        return Advice.SHUFFLE_OR_LIMIT
    return Advice.WATCH if ratio >= 1 / FALSE_WATCH else Advice.NONE


def watched_wagers(book: Rulebook) -> tuple[Wager, ...]:
    """Return the wagers whose following is weighed: all but those on Player and Banker, which hardly ever gain, and
    those that ask for single cards, whose returns take too long to count before every round.
    """
    return tuple(each for each in book.wagers if each.on not in (Winner.PLAYER, Winner.BANKER) and not asks_cards(each))


# --- the returns of wagers --------------------------------------------------------------------------------------------


def counts_of(cards: Composition) -> Array:
    """Return how many of each card there are, in the order of ``DECK``."""
    import numpy as np

    return np.array([cards.count(card) for card in DECK], np.int64)


# --- lookalikes -------------------------------------------------------------------------------------------------------


def lookalikes(book: Rulebook, before: Composition, coup: Coup, chance: Array, number: int = LOOKALIKES - 1) -> Array:
    """Draw coups that look like one that was dealt, each from the same unseen cards; return what each leaves unseen.

    A row has 52 counts. All coups that show the same on the scoreboard are equally likely, and drawn independently;
    ``chance`` is a numpy generator. Fewer rows come back where few of very many draws look alike.
    """
    import numpy as np

    if not isinstance(coup, Coup):
        raise TypeError(f"expected the coup that was dealt, not {coup!r}")
    if len(before) > MOST_CARDS:
        raise ValueError(f"expected at most {MOST_CARDS:,} unseen cards, not {len(before):,}")
    before.without(coup.in_dealing_order())  # raises if they were not there
    shown, held = _shown(book, coup), counts_of(before)
    found: list[Array] = []
    for _ in range(MOST_DRAWS):
        for row, dealt in zip(*_draw(held, _ending(coup), chance), strict=True):
            if _shown(book, Coup.deal(DECK[card] for card in dealt)) == shown:
                found.append(row)
                if len(found) == number:
                    return np.array(found)
    return np.array(found, np.int64).reshape(-1, len(DECK))


def _ending(coup: Coup) -> Ending:
    return coup.player_total, coup.banker_total, len(coup.player), len(coup.banker)


def _shown(book: Rulebook, coup: Coup) -> object:
    """Return what the scoreboard shows of a coup beyond its ending: pairs, and how wagers on the first cards ended."""
    outcome = coup.outcome_class
    wagers = tuple(settle(each, outcome).outcome for each in book.wagers if each.sees & ~Sees.TOTALS)
    return outcome.player_first_two.pair is None, outcome.banker_first_two.pair is None, wagers


def _draw(held: Array, ending: Ending, chance: Array) -> tuple[Array, Array]:
    """Draw a batch of coups with an ending; return the cards that each leaves, and its own in dealing order."""
    import numpy as np

    orders, met = value_orders(ending)
    there = np.bincount(_values(), weights=held, minlength=10).astype(np.int64)
    ways = np.prod(np.maximum(there[orders] - met, 0), axis=1).cumsum()
    values = orders[np.searchsorted(ways, chance.integers(ways[-1], size=AT_ONCE), side="right")]
    left, rows = np.repeat(held[None], AT_ONCE, axis=0), np.arange(AT_ONCE)
    cards = np.empty(values.shape, np.int64)
    for at in range(values.shape[1]):
        of_value = np.where(_values() == values[:, at, None], left, 0).cumsum(axis=1)
        cards[:, at] = (of_value <= chance.integers(of_value[:, -1])[:, None]).sum(axis=1)
        left[rows, cards[:, at]] -= 1
    return left, cards


@cache
def _values() -> Array:
    import numpy as np

    return np.array([card.point_value for card in DECK], np.int64)


@cache
def value_orders(ending: Ending) -> tuple[Array, Array]:
    """Return every order of point values, in dealing order, that ends so; and how often each came before in its row.

    With c cards of a value and m of it met before in the row, the next can be any of c - m: the product over a row is
    the number of ordered deals of that row.
    """
    import numpy as np

    rows = [order for first, second, thirds in _totals_before(ending) for order in _first_twos(first, second, thirds)]
    orders = np.array(rows, np.int64)
    met = np.zeros_like(orders)
    for at in range(1, orders.shape[1]):
        met[:, at] = (orders[:, :at] == orders[:, at, None]).sum(axis=1)
    return orders, met


def _totals_before(ending: Ending) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return the two-card totals of Player and Banker and the third cards that lead to an ending."""
    plan = third_card_plan()
    player_third, banker_third, starts, player_total, banker_total, endings = plan.lists
    wanted, found = plan.endings.index(ending), []
    for at, thirds in enumerate(zip(player_third, banker_third, strict=True)):
        drawn = tuple(value for value in thirds if value != NO_CARD)
        places = [place for place in range(starts[at], starts[at + 1]) if endings[place] == wanted]
        found += [(player_total[place], banker_total[place], drawn) for place in places]
    return found


def _first_twos(player: int, banker: int, thirds: tuple[int, ...]) -> list[tuple[int, ...]]:
    both = [(one, other) for one in range(10) for other in range(10)]
    return [(one, other, (player - one) % 10, (banker - other) % 10, *thirds) for one, other in both]


# --- one round --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoundWeights:
    """For one round, and each wager whose return the last cards decided: above which levels it is.

    Arrays of levels by lookalikes, true above the level; the dealt coup comes first.
    """

    above: Mapping[str, Array]


NOTHING_TO_WEIGH = RoundWeights({})
"""Of a round before which no coup was dealt as usual: the first of a shoe, and one after a void round."""


def weigh_round(
    book: Rulebook, wagers: Collection[str], before: Composition, coup: Coup, chance: Array
) -> RoundWeights:
    """Weigh the round that follows a coup: what it and its lookalikes make of the wagers' returns.

    ``before`` are the cards unseen before the coup. Only the named wagers are weighed: name all that any patron at the
    table has placed so far, in this round too.
    """
    import numpy as np

    named = [book.wager(name) for name in wagers]
    after = counts_of(before.without(coup.in_dealing_order()))
    others = lookalikes(book, before, coup, chance)
    if not named or not len(others):
        return NOTHING_TO_WEIGH
    from punto.odds.batch_odds import exact_returns  # lazily: compiled loops take long to import

    returns = exact_returns(named, np.vstack([after[None], others]))
    above = np.array([[[each > level for each in row] for level in LEVELS] for row in zip(*returns, strict=True)])
    # A wager on the same side of every level whichever lookalike was dealt has the factor 1: it need not be kept.
    sides = {wager.name: found for wager, found in zip(named, above, strict=True)}
    return RoundWeights({name: found for name, found in sides.items() if (found != found[:, :1]).any()})


# --- one patron -------------------------------------------------------------------------------------------------------


class PatronEvidence:
    """What the wagers of one patron say: a likelihood ratio for each wager, and one for all together."""

    def __init__(self, book: Rulebook) -> None:
        self.rounds = 0
        """Rounds weighed since the patron first placed a watched wager."""
        self._watched = tuple(each.name for each in watched_wagers(book))
        self._largest: dict[str, int] = {}
        self._logs: dict[str, list[float]] = {}
        self._all = [0.0] * len(MODELS)

    @property
    def played(self) -> frozenset[str]:
        """The watched wagers that the patron has placed so far."""
        return frozenset(self._largest)

    def place(self, stakes: Mapping[str, int]) -> dict[str, bool]:
        """Take in the stakes of a round; return, for each wager played so far, whether the patron went for it now.

        That is a stake of more than half the patron's largest on it so far: a small wager in every round with a large
        one at times is no cover. Call it once a round, before ``take_in``.
        """
        for wager in self._watched:
            if stakes.get(wager, 0) > self._largest.get(wager, 0):
                self._largest[wager] = stakes[wager]
        return {wager: 2 * stakes.get(wager, 0) > most for wager, most in self._largest.items()}

    def take_in(self, weights: RoundWeights, went_for: Mapping[str, bool]) -> None:
        """Multiply the ratios by the factors of a round in which the patron was at the table."""
        if not went_for:
            return
        self.rounds += 1
        weighed = {wager: (weights.above[wager], went) for wager, went in went_for.items() if wager in weights.above}
        for wager, one in weighed.items():
            logs = self._logs.setdefault(wager, [0.0] * len(MODELS))
            self._logs[wager] = [log + more for log, more in zip(logs, log_factors([one]), strict=True)]
        if weighed:
            more = log_factors(list(weighed.values()))
            self._all = [log + each for log, each in zip(self._all, more, strict=True)]

    def ratio_on(self, wager: str) -> float:
        """Return the likelihood ratio of a counter of one wager against an honest patron."""
        return _mean_of_logs(self._logs.get(wager, [0.0]))

    @property
    def ratio(self) -> float:
        """The likelihood ratio of a counter: half on all wagers played together, half shared out over single ones.

        One that is never played keeps its share, so that all wagers of the game are allowed for.
        """
        singles = [self.ratio_on(wager) for wager in self._watched]
        return (_mean_of_logs(self._all) + sum(singles) / len(singles)) / 2 if singles else 1.0

    @property
    def most_followed(self) -> str | None:
        """The wager whose own ratio is the highest; None before any was weighed."""
        return max(self._logs, key=self.ratio_on, default=None)

    @property
    def advice(self) -> Advice:
        """What the pit is advised to do."""
        return advice_for(self.ratio)


def log_factors(placed: Sequence[tuple[Array, bool]]) -> list[float]:
    """Return the logarithm of a round's factor under each model, for wagers that a patron went for or did not.

    Each comes with its array of levels by lookalikes. The counts behind a factor are whole numbers.
    """
    import numpy as np

    factors = []
    for model in MODELS:
        level, likely = LEVELS.index(model.level), np.ones(placed[0][0].shape[1])
        for above, went in placed:
            bets = np.where(above[level], float(model.above), float(model.below))
            likely = likely * (bets if went else 1 - bets)
        factors.append(math.log(likely[0] / likely.mean()) if likely.min() < likely.max() else 0.0)
    return factors


def _mean_of_logs(logs: Sequence[float]) -> float:
    """Return the mean of numbers given by their logarithms; infinite beyond what a float holds."""
    most = max(logs)
    mean = most + math.log(sum(math.exp(each - most) for each in logs) / len(logs))
    return math.exp(mean) if mean < 700 else math.inf
