"""Search for the whole-number tags, and the trigger, with which counting cards gains most on a wager.

Shoes are dealt once. Of every round are kept the cards seen before it, by rank, and the exact return of the wager from
the cards unseen. What a count gains is then a sum of exact returns over the rounds in which it calls for a wager, so
that only the order of the cards is left to chance, and a count is evaluated in milliseconds.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, perm
from typing import TYPE_CHECKING, Any

from punto.cards import DECK, Rank
from punto.given_values import as_whole, exact_number, flag, whole_number
from punto.odds.return_kernel import MOST_CARDS
from punto.odds.return_tables import fits_64_bits
from punto.rules.conditions import Sees
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.hands.hand_states import mixes, what_mixes
from punto.rules.rulebook import Rulebook, Wager
from punto.simulate.shoe_makeup import Shoes

if TYPE_CHECKING:
    from concurrent.futures import Future

Array = Any
Tags = tuple[int, ...]
"""The tag of each rank, from ace to king."""
CHUNK = 512
"""Shoes dealt at a time."""
QUARTERS = 4
"""Triggers are found to a quarter of a true count."""
RANKS = tuple(Rank)
_RANDOM_STARTS, _BEST_STARTS = 6, 2


@dataclass(frozen=True, eq=False)
class RecordedRounds:
    """The rounds of some shoes, as a counter of one wager sees them; rounds from fewer than six cards are left out."""

    hands: Array
    """By shoe: how many rounds were dealt, those left out included."""
    shoe: Array
    """By round: the place of its shoe in ``hands``."""
    seen: Array
    """By round and rank: how many cards were seen before the round."""
    unseen: Array
    """By round: how many cards were unseen, in the shoe or burnt."""
    returns: Array
    """By round: the expected return of a unit on the wager from the cards unseen."""

    def __len__(self) -> int:
        return len(self.returns)


@dataclass(frozen=True, slots=True)
class CountRule:
    """Tags, and the count from which on they call for a wager."""

    tags: Tags
    trigger: Fraction | None
    """None if no trigger was found to gain anything: then there is never a wager."""
    divided: bool = True
    """Whether the trigger is a true count, the running count over the decks unseen; otherwise a running count."""
    initial: int = 0
    """The running count of a full shoe. Tags that do not sum up to nothing over a shoe begin at minus their sum: then
    the true count is that of balanced tags, but for a constant.
    """

    def __post_init__(self) -> None:
        given: object = self.tags
        tags = tuple(map(as_whole, given)) if isinstance(given, tuple | list) else ()
        if len(tags) != len(RANKS) or None in tags:
            raise ValueError(f"expected a whole number for each of {len(RANKS)} ranks, not {given}")
        object.__setattr__(self, "tags", tags)
        if self.trigger is not None:
            object.__setattr__(self, "trigger", exact_number(self.trigger, "the trigger"))
        object.__setattr__(self, "initial", whole_number(self.initial, "initial"))
        flag(self.divided, "divided")

    def wagers(self, rounds: RecordedRounds) -> Array:
        """Return, by round, whether the count calls for a wager."""
        import numpy as np

        if self.trigger is None:
            return np.zeros(len(rounds), bool)
        running = self.initial + rounds.seen.astype(np.int64) @ np.array(self.tags, np.int64)
        decks = rounds.unseen.astype(np.int64) if self.divided else np.ones(len(rounds), np.int64)
        one = len(DECK) if self.divided else 1
        return running * one * self.trigger.denominator >= self.trigger.numerator * decks


def check_wager(wager: Wager, shoe: Shoes) -> None:
    """Raise ``ValueError`` for a wager or a shoe whose exact returns cannot be had for every round."""
    if mixes(wager):
        raise ValueError(f"{wager.name} {what_mixes(wager)}, which best counts do not cover")
    size = len(shoe.cards)
    if size > MOST_CARDS or not fits_64_bits(wager, size):
        raise ValueError(f"best counts cover shoes of at most {MOST_CARDS} cards and modest pays, not {size} cards")


def record(
    book: Rulebook, wager: Wager, shoe: Shoes, seed: int, first: int, shoes: int, workers: int = 1
) -> Iterator[RecordedRounds]:
    """Deal shoes, from the chunk numbered ``first`` on, and yield their rounds a block of shoes at a time.

    So many threads as ``workers`` deal blocks ahead; they come in order whatever the number.
    """
    import numpy as np

    from punto.lab.counts.best_count_kernel import fill_unseen
    from punto.rules.outcome_classes import classes_for
    from punto.simulate.lookup_tables import Tables

    classes = classes_for(book.wagers)
    tables = Tables(classes, shoe)
    taken = np.array([*(ending[2] + ending[3] for ending in classes.endings), 0], np.int64)
    full = np.array([shoe.cards.count(card) for card in DECK], np.int64)

    def dealt(chunk: int, number: int) -> list[RecordedRounds]:
        blocks = []
        for rows, cards in tables.record(seed, chunk, number):
            rows[:, 2] //= tables.together  # -1 stays -1
            unseen = np.zeros((len(rows), len(DECK)), np.int64)
            fill_unseen(rows, cards, taken, full, unseen)
            blocks.append(_recorded(wager, rows[:, 0], unseen, full, number))
        return blocks

    chunks = [(chunk, min(CHUNK, shoes - begun)) for chunk, begun in enumerate(range(0, shoes, CHUNK), first)]
    yield from _ahead(dealt, chunks, workers)


def _ahead(
    dealt: Callable[[int, int], list[RecordedRounds]], chunks: Sequence[tuple[int, int]], workers: int
) -> Iterator[RecordedRounds]:
    """Yield the blocks of all chunks in order, while threads deal those that follow."""
    from concurrent.futures import ThreadPoolExecutor

    waiting: deque[Future[list[RecordedRounds]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for chunk in chunks:
                waiting.append(pool.submit(dealt, *chunk))
                if len(waiting) > workers:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            for each in waiting:
                each.cancel()


def _recorded(wager: Wager, shoe: Array, unseen: Array, full: Array, shoes: int) -> RecordedRounds:
    import numpy as np

    from punto.odds.batch_odds import whole_gains

    hands = np.bincount(shoe, minlength=shoes)
    left = unseen.sum(axis=1)
    whole = left >= LONGEST_COUP
    shoe, unseen, left = shoe[whole], unseen[whole], left[whole]
    deals = np.array([perm(size, LONGEST_COUP) * wager.parts for size in range(int(full.sum()) + 1)], np.float64)
    seen = (full - unseen).reshape(len(unseen), -1, len(RANKS)).sum(axis=1)
    returns = whole_gains((wager,), unseen)[:, 0] / deals[left]
    return RecordedRounds(hands, shoe, seen.astype(np.int16), left.astype(np.int32), returns)


def joined(blocks: Sequence[RecordedRounds]) -> RecordedRounds:
    """Return the rounds of several blocks as one."""
    import numpy as np

    before = np.cumsum([0, *(len(block.hands) for block in blocks)])
    parts = [(b.hands, b.shoe + at, b.seen, b.unseen, b.returns) for b, at in zip(blocks, before, strict=False)]
    return RecordedRounds(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def rank_groups(wager: Wager) -> tuple[tuple[int, ...], ...]:
    """Return which ranks share a tag: those of one point value, unless the wager tells their ranks apart."""
    if wager.sees & ~Sees.TOTALS:
        return tuple((at,) for at in range(len(RANKS)))
    values: dict[int, list[int]] = {}
    for at, rank in enumerate(RANKS):
        values.setdefault(rank.point_value, []).append(at)
    return tuple(map(tuple, values.values()))


def scaled(effects: Sequence[Fraction], largest: Fraction | int, level: int) -> Tags:
    """Return effects of removal as tags: the largest becomes ``largest``, and what exceeds the level is cut off."""
    most = max(map(abs, effects))
    tags = (round(effect * largest / most) if most else 0 for effect in effects)
    return tuple(max(-level, min(level, tag)) for tag in tags)


class CountSearch:
    """Finds tags of a level that gain most on recorded rounds."""

    def __init__(
        self,
        rounds: RecordedRounds,
        groups: Sequence[Sequence[int]],
        cards: Sequence[int],
        level: int,
        balanced: bool = False,
        divided: bool = True,
    ) -> None:
        """Search with ranks in ``groups`` that share a tag, of which a shoe has so many ``cards`` by rank."""
        import numpy as np

        self._rounds, self._groups, self._level = rounds, groups, level
        self._balanced, self._divided = balanced, divided
        self._cards_by_rank = cards
        self._cards = [sum(cards[at] for at in group) for group in groups]
        self._seen = np.stack([rounds.seen[:, list(group)].sum(axis=1) for group in groups], axis=1).astype(np.int32)
        self._steps = np.zeros(len(rounds), np.int64)
        self._known: dict[Tags, float] = {}

    @property
    def tried(self) -> int:
        """How many counts were evaluated."""
        return len(self._known)

    def best_rule(self, tags: Tags, divided: bool = True) -> tuple[float, CountRule]:
        """Return what the best trigger of some tags gains over all rounds, in units, and the count with it."""
        import numpy as np

        from punto.lab.counts.best_count_kernel import best_step, fill_steps

        by_group = np.array([tags[group[0]] for group in self._groups], np.int32)
        parts = QUARTERS * len(DECK) if divided else 0
        initial = -sum(tag * cards for tag, cards in zip(tags, self._cards_by_rank, strict=True))
        lowest, highest = fill_steps(self._seen, self._rounds.unseen, by_group, initial, parts, self._steps)
        sums = np.zeros(highest - lowest + 1)
        gain, step = best_step(self._steps, self._rounds.returns, lowest, sums)
        trigger = Fraction(step, QUARTERS if divided else 1) if gain > 0 else None
        return gain, CountRule(tags, trigger, divided, initial)

    def find(self, effects: Sequence[Fraction], seed: int) -> Tags:
        """Return the best tags found from several starts: effects of removal on several scales, and random tags."""
        chance = random.Random(f"punto best count {seed}")
        scales = [Fraction(self._level * tenths, 10) for tenths in range(6, 31, 2)]
        starts = sorted({self._of_ranks(scaled(effects, scale, self._level)) for scale in scales})
        starts.sort(key=self._gain, reverse=True)
        starts = [*starts[:3], *(self._random(chance) for _ in range(_RANDOM_STARTS))]
        found = [self._climb(self._made_even(start), self._balance_kept) for start in starts]
        if not self._balanced:
            # Changes of one tag alone would miss counts that two changes together improve.
            found = [self._climb(each, self._one_changed) for each in [*starts, *found]]
            best = sorted(set(found), key=self._gain, reverse=True)[:_BEST_STARTS]
            found = [self._climb(each, self._two_changed) for each in best]
        return self._to_ranks(self._simplest(max(found, key=lambda tags: (self._gain(tags), tags))))

    def _simplest(self, tags: Tags) -> Tags:
        """Return the same count with as few and as small tags as it can have.

        The same number added to every tag changes a true count by a constant, so it changes no wager; nor does a common
        divisor, but that triggers are rounded to quarters.
        """
        same = [tags]
        if self._divided and not self._balanced:
            shifted = (tuple(tag + step for tag in tags) for step in range(-2 * self._level, 2 * self._level + 1))
            same += [each for each in shifted if max(map(abs, each)) <= self._level]
        shortest = min(same, key=lambda each: (len(each) - each.count(0), sum(map(abs, each)), each))
        divisor = gcd(*shortest) or 1
        return tuple(tag // divisor for tag in shortest)

    def _of_ranks(self, tags: Tags) -> Tags:
        return tuple(tags[group[0]] for group in self._groups)

    def _to_ranks(self, tags: Tags) -> Tags:
        by_rank = {at: tag for group, tag in zip(self._groups, tags, strict=True) for at in group}
        return tuple(by_rank[at] for at in range(len(RANKS)))

    def _random(self, chance: random.Random) -> Tags:
        return tuple(chance.randint(-self._level, self._level) for _ in self._groups)

    def _gain(self, tags: Tags) -> float:
        if tags not in self._known:
            self._known[tags] = self.best_rule(self._to_ranks(tags), self._divided)[0]
        return self._known[tags]

    def _climb(self, tags: Tags, changed: Callable[[Tags, int], list[Tags]]) -> Tags:
        """Change tags, each place in turn, as long as a change gains more."""
        while True:
            before = tags
            for at in range(len(tags)):
                tags = max([tags, *changed(tags, at)], key=self._gain)  # of equal ones the first
            if tags == before:
                return tags

    def _one_changed(self, tags: Tags, at: int) -> list[Tags]:
        return [_with(tags, {at: value}) for value in range(-self._level, self._level + 1)]

    def _two_changed(self, tags: Tags, at: int) -> list[Tags]:
        """Return all tags that differ by one in one place, and by any amount in this place."""
        near = [
            _with(tags, {other: tags[other] + step})
            for other in range(len(tags))
            for step in (-1, 1)
            if abs(tags[other] + step) <= self._level
        ]
        return [changed for each in near for changed in self._one_changed(each, at)]

    def _balance_kept(self, tags: Tags, at: int) -> list[Tags]:
        """Return all tags that differ in this place and one other, and sum up over a shoe as these do."""
        found = []
        for changed in self._one_changed(tags, at):
            moved = (tags[at] - changed[at]) * self._cards[at]
            for other, cards in enumerate(self._cards):
                if other != at and cards and not moved % cards and abs(tags[other] + moved // cards) <= self._level:
                    found.append(_with(changed, {other: tags[other] + moved // cards}))
        return found

    def _made_even(self, tags: Tags) -> Tags:
        """Return tags near these that sum up to nothing over a whole shoe; all zero if none are near."""
        even = tags
        while total := sum(tag * cards for tag, cards in zip(even, self._cards, strict=True)):
            step = -1 if total > 0 else 1
            fits = [
                at
                for at, cards in enumerate(self._cards)
                if 0 < cards <= abs(total) and abs(even[at] + step) <= self._level
            ]
            if not fits:
                return (0,) * len(tags)
            even = max((_with(even, {at: even[at] + step}) for at in fits), key=lambda each: (self._gain(each), each))
        return even


def _with(tags: Tags, changed: dict[int, int]) -> Tags:
    return tuple(changed.get(at, tag) for at, tag in enumerate(tags))
