"""Every question that a condition may ask of the cards: how it looks at a card, what it asks of each hand, and what
follows from both answers.

All counting of deals works on this: cards that look alike to all questions of a wager are one class, and hands of which
all of them are told the same are one state. So a game is exact, however finely its conditions tell cards apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from punto.cards import Card, Rank, Suit
from punto.rules.table_of_play import NATURALS, point_total

Cards = tuple[Card, ...]
"""The cards of a hand in the order in which they came: two or three."""
Value = str | int | bool | None
Values = tuple[str, ...] | tuple[int, ...] | tuple[bool, ...]
Allowed = frozenset[Value]
Look = Callable[[Card], Any]
Rule = Callable[[Iterator[bool]], bool]
"""``all`` or ``any``."""

TOTALS = tuple(range(10))
COLOURS = ("red", "black")
RANKS = tuple(rank.value for rank in Rank)
SUITS = tuple(suit.value for suit in Suit)
YES_NO = (True, False)
WINNERS = ("player", "banker", "tie")


@dataclass(frozen=True, slots=True)
class CardQuestion:
    """What a condition asks: of each hand, and then of both answers together."""

    player: Callable[[Cards], Hashable] | None
    """None if it does not look at Player's hand."""
    banker: Callable[[Cards], Hashable] | None
    joined: Callable[[Any, Any], bool]
    """Whether the condition holds, from the answers of both hands."""
    look: Look
    """What it sees of a card: cards of which it sees the same are alike."""
    initial: bool = True
    """Whether it looks at first and second cards."""
    third: bool = True
    """Whether it looks at third cards, or at how many cards there are."""
    ordered: bool = False
    """Whether it tells a hand's first card from its second."""

    def holds(self, player: Cards, banker: Cards) -> bool:
        """Return whether the condition holds for two hands."""
        return self.joined(self.player and self.player(player), self.banker and self.banker(banker))


@dataclass(frozen=True, slots=True)
class ConditionKey:
    """A key of a ``when`` table: the values it takes, and the question it asks for those that are allowed."""

    values: Values
    question: Callable[[Allowed], CardQuestion]


def rank_of(card: Card) -> str:
    """Return the letter of a card's rank."""
    return card.rank.value


def suit_of(card: Card) -> str:
    """Return the letter of a card's suit."""
    return card.suit.value


def colour_of(card: Card) -> str:
    """Return red or black."""
    return COLOURS[0] if card.suit.is_red else COLOURS[1]


def value_of(card: Card) -> int:
    """Return a card's point value."""
    return card.rank.point_value


def total(cards: Cards) -> int:
    """Return the point total of a hand."""
    return point_total([card.rank.point_value for card in cards])


_LOOKS: tuple[tuple[str, Look, Values], ...] = (
    ("rank", rank_of, RANKS),
    ("suit", suit_of, SUITS),
    ("colour", colour_of, COLOURS),
    ("value", value_of, TOTALS),
)
"""What a key may ask of a card."""
HANDS = ("player", "banker")


def _listed(look: Look, allowed: Allowed) -> Look:
    """Return a look that tells the allowed values apart, and all others from them."""
    return lambda card: found if (found := look(card)) in allowed else None


def _member(look: Look, allowed: Allowed) -> Look:
    return lambda card: look(card) in allowed


def _of_one(hand: str, asked: Callable[[Cards], Value], look: Look, allowed: Allowed, **more: bool) -> CardQuestion:
    """Return a question to one hand: whether what is asked is one of the allowed values."""

    def met(cards: Cards) -> bool:
        return asked(cards) in allowed

    if hand == "player":
        return CardQuestion(met, None, lambda one, _: one, look, **more)
    return CardQuestion(None, met, lambda _, other: other, look, **more)


def _of_both(
    asked: Callable[[Cards], Any], join: Callable[[Any, Any], Value], look: Look, allowed: Allowed, **more: bool
) -> CardQuestion:
    """Return a question that asks the same of both hands and joins the answers to one value."""
    return CardQuestion(asked, asked, lambda one, other: join(one, other) in allowed, look, **more)


# --- one hand ---


def _in_common(look: Look) -> Callable[[Cards], Value]:
    """Return what a hand's first two cards have in common; None if nothing."""
    return lambda cards: look(cards[0]) if look(cards[0]) == look(cards[1]) else None


_PAIR, _SUIT, _COLOUR = _in_common(rank_of), _in_common(suit_of), _in_common(colour_of)
_FIRST_TWO = {"third": False}


def _is_natural(cards: Cards) -> bool:
    return total(cards[:2]) in NATURALS


def _initial_total(cards: Cards) -> int:
    return total(cards[:2])


_SAME: dict[str, tuple[Callable[[Cards], Value], Look]] = {
    "pair": (lambda cards: _PAIR(cards) is not None, rank_of),
    "suited": (lambda cards: _SUIT(cards) is not None, suit_of),
    "one_colour": (lambda cards: _COLOUR(cards) is not None, colour_of),
    "natural": (_is_natural, value_of),
}


def _hand_keys(hand: str) -> Iterator[tuple[str, ConditionKey]]:
    """Yield the keys that ask something of one hand as a whole."""
    yield f"{hand}_total", ConditionKey(TOTALS, lambda a: _of_one(hand, total, value_of, a))
    yield (
        f"{hand}_initial_total",
        ConditionKey(TOTALS, lambda a: _of_one(hand, _initial_total, value_of, a, **_FIRST_TWO)),
    )
    yield f"{hand}_cards", ConditionKey((2, 3), lambda a: _of_one(hand, len, value_of, a))
    for name, (asked, look) in _SAME.items():
        yield f"{hand}_{name}", ConditionKey(YES_NO, _about_hand(hand, asked, look))
    for name, asked, look, values in (
        ("pair_rank", _PAIR, rank_of, RANKS),
        ("suit", _SUIT, suit_of, SUITS),
        ("suited_in", _SUIT, suit_of, SUITS),
    ):
        yield f"{hand}_{name}", ConditionKey(values, _about_hand(hand, asked, look, listed=True))


def _about_hand(
    hand: str, asked: Callable[[Cards], Value], look: Look, listed: bool = False
) -> Callable[[Allowed], CardQuestion]:
    return lambda allowed: _of_one(hand, asked, _listed(look, allowed) if listed else look, allowed, **_FIRST_TWO)


# --- named cards ---


def _card_keys() -> Iterator[tuple[str, ConditionKey]]:
    """Yield the keys that ask something of a named card: the first, second or third of a hand."""
    for hand, (at, place), (name, look, values) in product(HANDS, enumerate(("first", "second", "third")), _LOOKS):
        yield f"{hand}_{place}_{name}", ConditionKey(values, _about_card(hand, at, look))


def _about_card(hand: str, at: int, look: Look) -> Callable[[Allowed], CardQuestion]:
    def asked(cards: Cards) -> Value:
        return look(cards[at]) if at < len(cards) else None  # a third card that was not dealt is of no rank or suit

    third = at == 2
    return lambda allowed: _of_one(
        hand, asked, _member(look, allowed), allowed, initial=not third, third=third, ordered=not third
    )


# --- sets of cards ---


def _set_keys() -> Iterator[tuple[str, ConditionKey]]:
    """Yield the keys that ask something of all cards of a hand or of both, or of the first two cards of each."""
    for whose, first in product(("", *(f"{hand}_" for hand in HANDS)), ("", "initial_")):
        for name, look, values in _LOOKS:
            yield f"every_{whose}{first}card_{name}", ConditionKey(values, _about_set(whose, first, look, all))
            yield f"any_{whose}{first}card_{name}", ConditionKey(values, _about_set(whose, first, look, any))
        most = (2 if first else 3) * (1 if whose else 2)
        fewest = {"colour": 1 if whose else 2}
        for name, look, _ in _LOOKS[:3]:
            key = f"most_{whose}{first}cards_of_one_{name}"
            yield key, ConditionKey(tuple(range(fewest.get(name, 1), most + 1)), _most(whose, first, look))


def _about_set(whose: str, first: str, look: Look, rule: Rule) -> Callable[[Allowed], CardQuestion]:

    def question(allowed: Allowed) -> CardQuestion:
        def met(cards: Cards) -> bool:
            return rule(look(card) in allowed for card in (cards[:2] if first else cards))

        def joined(one: bool | None, other: bool | None) -> bool:
            return rule(each for each in (one, other) if each is not None)

        return _to_hands(whose, met, joined, _member(look, allowed), third=not first)

    return question


def _most(whose: str, first: str, look: Look) -> Callable[[Allowed], CardQuestion]:
    """Return the question how many cards, at most, are alike."""

    def counted(cards: Cards) -> Hashable:
        return frozenset(Counter(look(card) for card in (cards[:2] if first else cards)).items())

    def question(allowed: Allowed) -> CardQuestion:
        def joined(one: Any, other: Any) -> bool:
            both = Counter(dict(one or ())) + Counter(dict(other or ()))
            return max(both.values()) in allowed

        return _to_hands(whose, counted, joined, look, third=not first)

    return question


def _to_hands(
    whose: str, asked: Callable[[Cards], Hashable], joined: Callable[[Any, Any], bool], look: Look, **more: bool
) -> CardQuestion:
    player, banker = (asked if whose in ("", f"{hand}_") else None for hand in HANDS)
    return CardQuestion(player, banker, joined, look, **more)


def number_of(whose: str, look: str, wanted: Allowed, allowed: Allowed) -> CardQuestion:
    """Return the question how many cards, of a hand or of both, are of some ranks, suits, colours or values."""
    seen = _member(next(each for name, each, _ in _LOOKS if name == look), wanted)
    return _to_hands(
        "" if whose == "both" else f"{whose}_",
        lambda cards: sum(map(seen, cards)),
        lambda one, other: (one or 0) + (other or 0) in allowed,
        seen,
    )


LOOKS: dict[str, Values] = {name: values for name, _, values in _LOOKS}
"""What ``number_of`` may count, with the values."""


# --- both hands together ---


def _ahead(one: int, other: int) -> str:
    if one == other:
        return "tie"
    return "player" if one > other else "banker"


def _joined_keys() -> Iterator[tuple[str, ConditionKey]]:
    """Yield the keys that compare or add up the two hands."""
    for before, asked, more in (("", total, {}), ("initial_", _initial_total, _FIRST_TWO)):
        yield f"{before}winner", ConditionKey(WINNERS, _about_both(asked, _ahead, value_of, more))
        yield f"{before}margin", ConditionKey(TOTALS, _about_both(asked, lambda p, b: abs(p - b), value_of, more))
        yield f"{before}sum", ConditionKey(tuple(range(19)), _about_both(asked, lambda p, b: p + b, value_of, more))
    yield "cards", ConditionKey((4, 5, 6), _about_both(len, lambda p, b: p + b, value_of, {}))
    yield "natural", ConditionKey(YES_NO, _about_both(_is_natural, lambda p, b: bool(p or b), value_of, _FIRST_TWO))
    yield (
        "pairs",
        ConditionKey(
            (0, 1, 2), _about_both(_PAIR, lambda p, b: (p is not None) + (b is not None), rank_of, _FIRST_TWO)
        ),
    )
    yield (
        "same_pair",
        ConditionKey(YES_NO, _about_both(_PAIR, lambda p, b: p is not None and p == b, rank_of, _FIRST_TWO)),
    )


def _about_both(
    asked: Callable[[Cards], Any], join: Callable[[Any, Any], Value], look: Look, more: dict[str, bool]
) -> Callable[[Allowed], CardQuestion]:
    return lambda allowed: _of_both(asked, join, look, allowed, **more)


QUESTIONS: dict[str, ConditionKey] = {
    **dict(_joined_keys()),
    **{key: asked for hand in HANDS for key, asked in _hand_keys(hand)},
    **dict(_card_keys()),
    **dict(_set_keys()),
}
"""Every key of a ``when`` table that takes values."""
