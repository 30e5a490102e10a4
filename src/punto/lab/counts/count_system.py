"""Systems of counting cards: tags, the trigger from which on a counter wagers, and how much is staked then.

Everything is exact. Tags, initial counts, triggers and steps are whole numbers or fractions; a float is refused, since
a count that is rounded somewhere else would call for other wagers. What cannot be read is refused with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from punto.cards import DECK, Card, Rank
from punto.formatting import fraction
from punto.given_values import as_whole, exact_number, flag

Tags = Mapping[Any, int | Fraction]
"""A tag for each ``Rank`` or ``Card`` that has one, or for its name; a card's own tag goes before that of its rank."""

MOST_TAG = 10**9
MOST_UNITS = 1000
"""The largest stake: far above any spread a house would not notice."""
_NUMBER = re.compile(r"[+-]?[0-9]{1,10}(\.[0-9]{1,9}|/[1-9][0-9]{0,9})?")
_RANKS = {rank.value: rank for rank in Rank} | {"10": Rank.TEN}


def parse_number(text: str, what: str) -> Fraction:
    """Return the number that 3, -2.5 or 5/2 names; raise ``ValueError`` for anything else."""
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError(f"{what}: expected a number such as 3, -2.5 or 5/2, found {text!r}")
    return Fraction(text.strip())


def parse_tags(text: str) -> dict[Card, Fraction]:
    """Return the tags of a text such as ``A:-1,4:2,6h:3``, for every card that has one.

    >>> sorted((str(card), int(tag)) for card, tag in parse_tags("6h:3, 10:-1").items())
    [('6h', 3), ('Tc', -1), ('Td', -1), ('Th', -1), ('Ts', -1)]
    """
    pairs = []
    for part in text.split(","):
        name, colon, tag = part.partition(":")
        if not colon or not name.strip() or not _NUMBER.fullmatch(tag.strip()):
            raise ValueError(f"expected a rank or card and its tag, such as A:-1, found {part!r}")
        pairs.append((name, Fraction(tag.strip())))
    return _tags_of_cards(pairs)


def _tags_of_cards(pairs: Iterable[tuple[Any, Fraction]]) -> dict[Card, Fraction]:
    """Return tags by card; raise ``ValueError`` if a rank or a card is named twice."""
    ranks: dict[Rank, Fraction] = {}
    cards: dict[Card, Fraction] = {}
    for key, tag in pairs:
        named = _rank_or_card(key)
        found: dict[Any, Fraction] = ranks if isinstance(named, Rank) else cards
        if named in found:
            raise ValueError(f"{named.value if isinstance(named, Rank) else named} has two tags")
        if abs(tag) > MOST_TAG:
            raise ValueError(f"expected tags of at most {MOST_TAG:,}, not {fraction(tag)}")
        found[named] = tag
    return {card: ranks[card.rank] for card in DECK if card.rank in ranks} | cards


def _rank_or_card(key: object) -> Rank | Card:
    if isinstance(key, Rank | Card):
        return key
    if not isinstance(key, str):
        raise TypeError(f"expected a rank or a card as the key of a tag, not {key!r}")
    rank = _RANKS.get(key.strip().upper())
    return rank or Card.parse(key)


@dataclass(frozen=True, eq=False)
class CountSystem:
    """A count: the tag of every card, the running count a shoe begins with, and perhaps a second count beside it.

    ``tags`` is a text such as ``"A:-1,4:2,6h:3"``, or a mapping from ranks or cards to whole numbers or fractions.
    ``initial`` is the initial running count per deck: 0 for a balanced count. ``second`` is the co-count.

    >>> CountSystem("4:-1,5:-1,6:-1,7:-1,8:2,9:2")
    <CountSystem 4:-1 5:-1 6:-1 7:-1 8:2 9:2, balanced>
    >>> CountSystem({"A": 1, Rank.KING: Fraction(1, 2)}, initial=-4)
    <CountSystem A:1 K:1/2, +6 in a deck, initial count -4 per deck>
    """

    tags: Mapping[Card, Fraction]
    initial: Fraction = Fraction(0)
    second: CountSystem | None = None

    def __init__(
        self,
        tags: str | Tags,
        initial: int | Fraction = 0,
        second: CountSystem | None = None,
    ) -> None:
        if isinstance(tags, str):
            found = parse_tags(tags)
        elif isinstance(tags, Mapping):
            found = _tags_of_cards((key, exact_number(tag, f"the tag of {key}")) for key, tag in tags.items())
        else:
            raise TypeError(f"expected tags as a mapping or a text such as A:-1,4:2, not {tags!r}")
        beside: object = second
        if beside is not None and (not isinstance(beside, CountSystem) or beside.second):
            raise TypeError("expected a count system without a second count as the second count")
        object.__setattr__(self, "tags", {card: found.get(card, Fraction(0)) for card in DECK})
        object.__setattr__(self, "initial", exact_number(initial, "the initial count"))
        object.__setattr__(self, "second", second)
        if abs(self.initial) > MOST_TAG:
            raise ValueError(f"expected an initial count of at most {MOST_TAG:,} per deck")

    @property
    def sum_of_deck(self) -> Fraction:
        """The sum of the tags of a deck: 0 for a balanced count."""
        return sum(self.tags.values(), Fraction(0))

    @property
    def balanced(self) -> bool:
        """Whether the tags of a deck add up to 0."""
        return not self.sum_of_deck

    def weighted(self, weights: tuple[Fraction, Fraction]) -> CountSystem:
        """Return the count that is this linear combination of the count and its co-count.

        Both true counts have the same divisor, so a combination of true counts is the true count of combined tags.
        """
        own, of_second = weights
        second = self.second or _NO_COUNT
        tags = {card: own * tag + of_second * second.tags[card] for card, tag in self.tags.items()}
        return CountSystem(tags, own * self.initial + of_second * second.initial)

    def describe(self) -> str:
        """Return the tags as a text that can be parsed again."""
        shown = []
        for rank in Rank:
            of_rank = {card: tag for card, tag in self.tags.items() if card.rank is rank}
            common = min(set(of_rank.values()), key=lambda tag: (-list(of_rank.values()).count(tag), tag))
            if common:
                shown.append(f"{rank.value}:{common}")
            shown += [f"{card}:{tag}" for card, tag in of_rank.items() if tag != common]
        return ",".join(shown)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CountSystem) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return tuple(self.tags.values()), self.initial, self.second

    def __repr__(self) -> str:
        whole = self.sum_of_deck
        parts = [self.describe().replace(",", " ") or "without tags"]
        parts.append("balanced" if not whole else f"{'+' if whole > 0 else ''}{whole} in a deck")
        if self.initial:
            parts.append(f"initial count {self.initial} per deck")
        if self.second:
            parts.append(f"second count {self.second.describe().replace(',', ' ')}")
        return f"<CountSystem {', '.join(parts)}>"


_NO_COUNT = CountSystem({})
_MAIN = (Fraction(1), Fraction(0))


@dataclass(frozen=True, slots=True)
class CountCondition:
    """One condition of a trigger: a count, or a combination of the two counts, is at least a number."""

    at_least: Fraction
    running: bool = False
    """Whether it looks at the running count; otherwise at the true count."""
    weights: tuple[Fraction, Fraction] = _MAIN
    """The weights of the count and of the co-count."""

    def __post_init__(self) -> None:
        flag(self.running, "running")
        weights: object = self.weights
        if not isinstance(weights, tuple | list) or len(weights) != len(_MAIN):
            raise TypeError(f"expected two weights, of the count and of the second count, found {weights!r}")
        own, of_second = (exact_number(weight, "the weight of a count") for weight in weights)
        if not own and not of_second:
            raise ValueError("expected a count with a weight other than 0 in each condition of a trigger")
        if max(abs(own), abs(of_second)) > MOST_UNITS:
            raise ValueError(f"expected weights of at most {MOST_UNITS:,}")
        object.__setattr__(self, "weights", (own, of_second))
        object.__setattr__(self, "at_least", exact_number(self.at_least, "the trigger"))

    def describe(self) -> str:
        """Return the condition in words."""
        names = [
            name if weight == 1 else f"{weight} x {name}"
            for weight, name in zip(self.weights, ("count", "second count"), strict=True)
            if weight
        ]
        return f"{'running' if self.running else 'true'} {' + '.join(names)} from {self.at_least} on"


def _condition(at_least: Any, running: bool, weights: Any) -> CountCondition:
    return CountCondition(at_least, running, weights)  # which makes fractions of its numbers


@dataclass(frozen=True, slots=True)
class CountTrigger:
    """When to wager: all conditions hold. The first one decides about the stake.

    >>> CountTrigger.true(4) & CountTrigger.true(2, weights=(0, 1))
    <CountTrigger true count from 4 on and true second count from 2 on>
    >>> CountTrigger.running(0)
    <CountTrigger running count from 0 on>
    """

    conditions: tuple[CountCondition, ...]

    def __post_init__(self) -> None:
        found: object = self.conditions
        if not isinstance(found, tuple | list) or not all(isinstance(each, CountCondition) for each in found):
            raise TypeError(f"expected the conditions of a trigger: CountTrigger.true(4) has one; found {found!r}")
        if not found:
            raise ValueError("expected at least one condition of a trigger")
        object.__setattr__(self, "conditions", tuple(found))

    @classmethod
    def of(cls, trigger: int | Fraction | CountTrigger) -> CountTrigger:
        """Return a trigger as it is, and a number as the true count from which on to wager."""
        return trigger if isinstance(trigger, CountTrigger) else cls.true(trigger)

    @classmethod
    def true(cls, at_least: int | Fraction, weights: tuple[int | Fraction, int | Fraction] = (1, 0)) -> CountTrigger:
        """Return a trigger on the true count, or on a combination of the two true counts."""
        return cls((_condition(at_least, False, weights),))

    @classmethod
    def running(cls, at_least: int | Fraction, weights: tuple[int | Fraction, int | Fraction] = (1, 0)) -> CountTrigger:
        """Return a trigger on the running count, or on a combination of the two running counts."""
        return cls((_condition(at_least, True, weights),))

    def __and__(self, other: CountTrigger) -> CountTrigger:
        given: object = other
        if not isinstance(given, CountTrigger):
            raise TypeError(f"expected another trigger after &, such as CountTrigger.true(2), found {given!r}")
        return CountTrigger(self.conditions + other.conditions)

    @property
    def first(self) -> CountCondition:
        """The condition that decides about the stake."""
        return self.conditions[0]

    def describe(self) -> str:
        """Return all conditions in words."""
        return " and ".join(each.describe() for each in self.conditions)

    def __repr__(self) -> str:
        return f"<CountTrigger {self.describe()}>"


@dataclass(frozen=True, slots=True)
class CountStakes:
    """How much is staked, in whole units: one from the trigger on, and perhaps more as the count rises.

    ``step`` is by how much the count has to rise for each further unit; None stakes flat. ``most`` caps the stake: the
    spread is 1 to ``most``.
    """

    step: Fraction | None = None
    most: int = 1

    def __post_init__(self) -> None:
        most = as_whole(self.most)
        if most is None or not 1 <= most <= MOST_UNITS:
            raise ValueError(f"expected a largest stake of 1 to {MOST_UNITS:,} units, not {self.most!r}")
        object.__setattr__(self, "most", most)
        if self.step is None:
            if self.most != 1:
                raise ValueError("a flat stake is one unit: a larger one needs a step of the count")
            return
        object.__setattr__(self, "step", exact_number(self.step, "the step"))
        if self.step <= 0:
            raise ValueError(f"expected a step of the count above 0, not {fraction(self.step)}")

    @classmethod
    def of(cls, given: CountStakes | None) -> CountStakes:
        """Return stakes as they are, and flat ones for None; refuse anything else."""
        found: object = given
        if found is not None and not isinstance(found, CountStakes):
            raise TypeError(f"expected stakes, such as CountStakes.rising(2, 5), found {found!r}")
        return cls() if given is None else given

    @classmethod
    def flat(cls) -> CountStakes:
        """Return a stake of one unit whenever the trigger is reached."""
        return cls()

    @classmethod
    def rising(cls, step: int | Fraction, most: int) -> CountStakes:
        """Return stakes in proportion to the count above the trigger, capped: one unit at the trigger, and one more
        for each ``step`` above it, up to ``most``.
        """
        return cls(exact_number(step, "the step"), most)

    def describe(self) -> str:
        """Return the stakes in words."""
        if self.step is None:
            return "1 unit"
        return f"1 to {self.most} units, one more for each {self.step} above the trigger"


def check_trigger(system: CountSystem, trigger: CountTrigger) -> None:
    """Raise ``ValueError`` if a trigger asks for a co-count that the system lacks, or ignores the one it has."""
    used = any(each.weights[1] for each in trigger.conditions)
    if used and not system.second:
        raise ValueError("the trigger asks for a second count, and the count system has none")
    if system.second and not used:
        raise ValueError("the count system has a second count that the trigger does not look at")
    if abs(trigger.first.at_least) > 10**18:
        raise ValueError("expected a trigger of at most 10^18")
