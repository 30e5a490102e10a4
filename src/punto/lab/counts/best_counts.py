"""Best counts: the tags of a given level, and the trigger, with which counting gains most on a wager.

They are found on some shoes and measured on others, beside perfect play, the effects of removal taken as tags, and
counts that the caller names. All are measured on the same shoes by the exact return of the wager before each round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from punto.cards import Rank
from punto.data_frames import data_frame, error_of, provenance
from punto.formatting import decimal, fraction, percent
from punto.given_values import as_whole, callback, flag, number_above_zero
from punto.lab.counts.count_search import (
    CHUNK,
    RANKS,
    CountRule,
    CountSearch,
    RecordedRounds,
    Tags,
    check_wager,
    joined,
    rank_groups,
    record,
    scaled,
)
from punto.notebook import Markup, table
from punto.odds import effects_of_removal, odds
from punto.rules.caller_input import Game, game_of
from punto.rules.rulebook import Rulebook
from punto.simulate.shoe_makeup import BY_FIRST_CARD, Shoes
from punto.simulate.simulation import dealing_numbers, processors, shoes_dealt

if TYPE_CHECKING:
    import polars

Array = Any
Progress = Callable[[int, int], None]
MOST_LEVEL = 20
FOUND, PERFECT = "found", "perfect play"
ROUNDED, EXACT, SAME_TAGS = "effects of removal, rounded", "effects of removal, fine", "without division"
"""Names of the counts in every study."""
_FINE = 100
"""The largest tag that stands for effects of removal themselves."""


@dataclass(frozen=True, slots=True)
class CountResult:
    """What a count gains on the shoes it was measured on; amounts in units, one unit a wager.

    With standard errors, None where they cannot be estimated: from one shoe, or from shoes that are all alike.
    """

    name: str
    rule: CountRule
    betting_correlation: float | None
    """The correlation of tags and effects of removal over the cards of a shoe; None if either are all alike."""
    hands: int
    wagers: int
    frequency: float
    """The share of hands with a wager."""
    frequency_error: float | None
    edge: float
    """The average return of a wager."""
    edge_error: float | None
    per_100_hands: float
    per_100_hands_error: float | None
    per_shoe: float
    per_shoe_error: float | None
    index: float
    """A thousand times the expected gain of a hand over its standard deviation, from the variance of a wager at the
    full shoe and the share of hands with a wager.
    """
    share_of_perfect: float
    """What is gained, over what perfect play of the wager gains on the same shoes."""
    share_of_perfect_error: float | None
    ahead: float
    """How much more is gained in 100 hands by the count that was found, on the same shoes."""
    ahead_error: float | None

    def to_dict(self) -> dict[str, object]:
        """Return all figures, tags by rank."""
        figures = {name: getattr(self, name) for name in self.__slots__ if name not in ("name", "rule")}
        trigger = self.rule.trigger
        return {
            "count": self.name,
            "tags": {rank.value: tag for rank, tag in zip(RANKS, self.rule.tags, strict=True)},
            "trigger": None if trigger is None else fraction(trigger),
            "trigger_of": "true count" if self.rule.divided else "running count",
            "initial_count": self.rule.initial,
            **figures,
        }


@dataclass(frozen=True)
class BestCountStudy:
    """The best count found for a wager, and others beside it, measured on shoes that were not used in the search."""

    book: Rulebook
    wager: str
    level: int
    balanced: bool
    divided: bool
    seed: int
    search_shoes: int
    shoes: int
    shoe: Shoes
    tried: int
    """How many counts were evaluated in the search."""
    searched_per_100_hands: float
    """What the count gained on the shoes it was found on; more than on others, since it was chosen for them."""
    effects: tuple[Fraction, ...]
    """By rank: the exact change of the wager's return when one card is gone from the full shoe."""
    counts: tuple[CountResult, ...]
    """The count that was found, then the others."""
    perfect: CountResult
    """Perfect play of the wager; its rule has no tags."""
    partial: bool = False
    """Whether it was stopped before all shoes were measured; the search was finished."""

    @property
    def found(self) -> CountResult:
        """The best count that was found."""
        return self.counts[0]

    def __getitem__(self, name: str) -> CountResult:
        return next(each for each in self.counts if each.name == name)

    def __repr__(self) -> str:
        gain = f"{self.found.per_100_hands:.4f} units in 100 hands{', partial' if self.partial else ''}"
        return f"<BestCountStudy of {self.wager!r} of {self.book.key!r}: level {self.level}, {gain}>"

    def _repr_html_(self) -> Markup:
        figures = ("Trigger", "Wagers", "Edge", "Units in 100 hands", "± error", "Of perfect play", "Correlation")
        rows = [(each.name, *shown_figures(each)) for each in (*self.counts, self.perfect)]
        caption = f"{self.book.title}, {self.wager}: counts of level {self.level}, {self.shoes:,} shoes"
        return table(caption, ("Count", *figures), rows, figures)

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each count that was measured, the one that was found first."""
        about = {"game": self.book.key, "wager": self.wager, "seed": str(self.seed), "shoes": self.shoes}
        rows = [each.to_dict() for each in self.counts]
        return data_frame(
            [{**about, **row, "tags": self._tags_of(each)} for row, each in zip(rows, self.counts, strict=True)]
        )

    @staticmethod
    def _tags_of(each: CountResult) -> str:
        return ",".join(f"{rank.value}:{tag}" for rank, tag in zip(RANKS, each.rule.tags, strict=True) if tag)

    def to_dict(self) -> dict[str, object]:
        """Return the figures that ``punto best-count --json`` prints."""
        perfect = self.perfect
        return {
            **provenance(self.book),
            "wager": self.wager,
            "level": self.level,
            "balanced": self.balanced,
            "trigger_of": "true count" if self.divided else "running count",
            "cards": len(self.shoe.cards),
            "cut": self.shoe.cut,
            "burn": self.shoe.burn,
            "rounds_after": self.shoe.rounds_after,
            "seed": self.seed,
            "search_shoes": self.search_shoes,
            "shoes": self.shoes,
            "partial": self.partial,
            "tried": self.tried,
            "searched_per_100_hands": self.searched_per_100_hands,
            "effects_of_removal": {rank.value: fraction(e) for rank, e in zip(RANKS, self.effects, strict=True)},
            "perfect_play": {
                name: getattr(perfect, name)
                for name in ("hands", "wagers", "frequency", "edge", "per_100_hands", "per_100_hands_error", "index")
            },
            "counts": [each.to_dict() for each in self.counts],
        }


def shown_figures(each: CountResult) -> tuple[str, ...]:
    """Return a count's figures as tables show them."""
    trigger, correlation = each.rule.trigger, each.betting_correlation
    return (
        "" if trigger is None else decimal(trigger) if each.rule.divided else f"running {trigger}",
        percent(Fraction(each.frequency), 2),
        percent(Fraction(each.edge), 2),
        f"{each.per_100_hands:.4f}",
        error_of(each.per_100_hands_error),
        percent(Fraction(each.share_of_perfect), 1),
        "" if correlation is None else f"{correlation:.3f}",
    )


def tags_by_rank(tags: Mapping[Rank | str, int]) -> Tags:
    """Return a tag for every rank, those that are not named 0; raise ``ValueError`` for what is not a rank's tag."""
    ranks = {rank.value: rank for rank in RANKS} | {"10": Rank.TEN}
    named: dict[Rank, int] = {}
    given: object = tags
    if not isinstance(given, Mapping):
        raise TypeError(f"expected tags by rank, found {given!r}")
    for name, value in tags.items():
        tag = as_whole(value)
        rank = name if isinstance(name, Rank) else ranks.get(str(name).upper())
        if rank is None:
            raise ValueError(f"expected ranks A 2-9 T J Q K, found {name!r}")
        if tag is None:
            raise ValueError(f"expected a whole number as the tag of {rank.value}, found {value!r}")
        if rank in named:
            raise ValueError(f"{rank.value} has two tags")
        named[rank] = tag
    return tuple(named.get(rank, 0) for rank in RANKS)


def betting_correlation(tags: Sequence[int], effects: Sequence[Fraction], cards: Sequence[int]) -> float | None:
    """Return the correlation of tags and effects over all cards of a shoe; None if either are all alike."""
    size = sum(cards)

    def covariance(one: Sequence[Fraction | int], other: Sequence[Fraction | int]) -> Fraction:
        together = sum((Fraction(a) * b * n for a, b, n in zip(one, other, cards, strict=True)), Fraction(0))
        means = [sum((Fraction(a) * n for a, n in zip(each, cards, strict=True)), Fraction(0)) for each in (one, other)]
        return together / size - means[0] * means[1] / size**2

    spread = covariance(tags, tags) * covariance(effects, effects)
    return float(covariance(tags, effects)) / math.sqrt(spread) if spread else None


def rank_effects(book: Rulebook, wager: str, shoe: Shoes) -> tuple[Fraction, ...]:
    """Return the exact effect of removing a card of each rank, averaged over its suits; 0 if there is none."""
    changes = effects_of_removal(book, shoe.cards)
    found = []
    for rank in RANKS:
        held = {card: shoe.cards.count(card) for card in changes if card.rank is rank}
        total = sum((changes[card][wager] * count for card, count in held.items()), Fraction(0))
        found.append(total / sum(held.values()) if held else Fraction(0))
    return tuple(found)


def best_count(
    game: Game,
    wager: str,
    level: int,
    shoes: int = 10_000,
    seed: int = 0,
    shoe: Shoes | None = None,
    search_shoes: int = 4_000,
    balanced: bool = False,
    divided: bool = True,
    others: Mapping[str, CountRule] | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
) -> BestCountStudy:
    """Find the best tags from -``level`` to ``level`` on ``search_shoes`` shoes, and measure them on ``shoes`` others.

    ``balanced`` has tags sum up to nothing over a shoe; without ``divided`` the trigger is a running count.
    ``others`` are counts to measure on the same shoes, by name. ``workers`` threads deal, by default one for each
    processor. The same seed finds the same count. An interrupt returns what was measured, marked partial; one during
    the search, when nothing is, goes on to the caller.
    """
    shoes, seed, workers = dealing_numbers(shoes, seed, workers)
    search_shoes, level = number_above_zero(search_shoes, "shoes"), _level(level)
    balanced, divided = flag(balanced, "balanced"), flag(divided, "divided")
    book, tell = game_of(game), callback(progress, "progress") or (lambda _shoes, _rounds: None)
    found, makeup = book.wager(wager), shoes_dealt(book, shoe)
    named = _named(others)
    _check_makeup(makeup)
    check_wager(found, makeup)
    effects, cards = rank_effects(book, found.name, makeup), _cards_by_rank(makeup)
    threads = workers or processors()
    training = _training(record(book, found, makeup, seed, 0, search_shoes, threads), tell)
    search = CountSearch(training, rank_groups(found), cards, level, balanced, divided)
    tags = search.find(effects, seed)
    gain, rule = search.best_rule(tags, divided)
    rules = {FOUND: rule}
    for name, given, by_true_count in (
        (ROUNDED, scaled(effects, level, level), True),
        (EXACT, scaled(effects, _FINE, _FINE), True),
        (SAME_TAGS, tags, False),
    ):
        rules.setdefault(name, search.best_rule(given, by_true_count)[1])
    if not divided:
        del rules[SAME_TAGS]
    rules |= named
    measured, searched = _Measured(list(rules.values())), (search_shoes, len(training))
    blocks = record(book, found, makeup, seed, -(-search_shoes // CHUNK), shoes, threads)
    partial = not measured.add_all(blocks, lambda more, rounds: tell(searched[0] + more, searched[1] + rounds))
    variance = float(odds(book, makeup.cards)[found.name].variance)
    correlations = [betting_correlation(rule.tags, effects, cards) for rule in rules.values()]
    counts = measured.results(list(rules), correlations, variance)
    per_100 = 100 * gain / int(training.hands.sum())
    return BestCountStudy(
        book, found.name, level, balanced, divided, seed, search_shoes, measured.shoes, makeup, search.tried, per_100,
        effects, counts[:-1], counts[-1], partial,
    )  # fmt: skip


def _level(given: object) -> int:
    level = as_whole(given)
    if level is None or not 1 <= level <= MOST_LEVEL:
        raise ValueError(f"expected a level 1 to {MOST_LEVEL}, not {given!r}")
    return level


def _named(others: Mapping[str, CountRule] | None) -> dict[str, CountRule]:
    """Return counts by the names the caller gives them; refuse what is no count, and names that are taken."""
    given: object = {} if others is None else others
    if not isinstance(given, Mapping):
        raise TypeError(f"expected counts by name, found {given!r}")
    for name, rule in given.items():
        if not isinstance(name, str) or not isinstance(rule, CountRule):
            raise TypeError(f"expected a CountRule by its name, found {name!r}: {rule!r}")
    if taken := {FOUND, ROUNDED, EXACT, SAME_TAGS, PERFECT} & set(given):
        raise ValueError(f"every study has a count named {min(taken)!r}: give yours another name")
    return dict(given)


def _check_makeup(shoe: Shoes) -> None:
    if shoe.burn == BY_FIRST_CARD:
        raise ValueError("best counts burn a given number of cards, unseen, not as many as the first card says")


def _cards_by_rank(shoe: Shoes) -> list[int]:
    counts = shoe.cards.counts()
    return [sum(count for card, count in counts.items() if card.rank is rank) for rank in RANKS]


def _training(blocks: Any, tell: Progress) -> RecordedRounds:
    """Return the rounds of the search's shoes; raise ``ValueError`` if there are none."""
    kept: list[RecordedRounds] = []
    for block in blocks:
        kept.append(block)
        tell(sum(len(each.hands) for each in kept), sum(map(len, kept)))
    training = joined(kept)
    if not len(training):
        raise ValueError("no round can be dealt from such shoes")
    return training


class _Measured:
    """Adds up, shoe by shoe, what counts and perfect play gain."""

    def __init__(self, rules: list[CountRule]) -> None:
        self._rules, self._blocks = rules, list[Array]()

    @property
    def shoes(self) -> int:
        """The number of shoes added so far."""
        return sum(block.shape[1] for block in self._blocks)

    @property
    def rounds(self) -> int:
        """The number of their rounds."""
        return sum(int(block[0].sum()) for block in self._blocks)

    def add_all(self, blocks: Iterator[RecordedRounds], tell: Progress) -> bool:
        """Add the rounds of all shoes; return whether none interrupted. An interrupt before any is raised."""
        try:
            for block in blocks:
                self.add(block)
                tell(self.shoes, self.rounds)
        except KeyboardInterrupt:
            if not self.rounds:
                raise
            return False
        return True

    def add(self, block: RecordedRounds) -> None:
        """Add the rounds of some shoes."""
        import numpy as np

        shoes = len(block.hands)
        rows = [block.hands.astype(np.float64)]
        for called in [*(rule.wagers(block) for rule in self._rules), block.returns > 0]:
            rows.append(np.bincount(block.shoe, weights=called, minlength=shoes))
            rows.append(np.bincount(block.shoe, weights=np.where(called, block.returns, 0.0), minlength=shoes))
        self._blocks.append(np.stack(rows))

    def results(self, names: list[str], correlations: list[float | None], variance: float) -> tuple[CountResult, ...]:
        """Return the figures of every count, and last those of perfect play."""
        import numpy as np

        hands, *rest = np.concatenate(self._blocks, axis=1)
        wagers, gains = rest[::2], rest[1::2]
        rules = [*self._rules, CountRule((0,) * len(RANKS), None)]
        named = zip([*names, PERFECT], rules, [*correlations, None], wagers, gains, strict=True)
        found = []
        for name, rule, correlation, wagered, gain in named:
            rate, error = _ratio(gain, hands)
            ahead, ahead_error = _ratio(gains[0] - gain, hands)
            frequency, apart = _ratio(wagered, hands)
            index = 1000 * rate / math.sqrt(variance * frequency) if variance * frequency else 0.0
            (edge, edge_error), (per_shoe, per_shoe_error) = _ratio(gain, wagered), _ratio(gain, np.ones_like(gain))
            share, share_error = _ratio(gain, gains[-1])
            found.append(
                CountResult(
                    name,
                    rule,
                    correlation,
                    int(hands.sum()),
                    int(wagered.sum()),
                    frequency,
                    apart,
                    edge,
                    edge_error,
                    100 * rate,
                    _hundredfold(error),
                    per_shoe,
                    per_shoe_error,
                    index,
                    share,
                    share_error,
                    100 * ahead,
                    _hundredfold(ahead_error),
                )
            )
        return tuple(found)


def _hundredfold(error: float | None) -> float | None:
    return None if error is None else 100 * error


def _ratio(above: Array, below: Array) -> tuple[float, float | None]:
    """Return the ratio of two sums over shoes, 0 if nothing is below, and its standard error.

    The error is None where it cannot be estimated: from one shoe, or from shoes that are all alike.
    """
    total, shoes = float(below.sum()), len(above)
    if not total:
        return 0.0, None
    ratio = float(above.sum()) / total
    apart = float(((above - ratio * below) ** 2).sum())
    return ratio, math.sqrt(apart * shoes / (shoes - 1)) / total if apart and shoes > 1 else None
