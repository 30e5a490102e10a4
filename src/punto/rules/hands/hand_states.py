"""The hands that some wagers can tell apart, laid out as states, from which cards lead to which.

Cards that look alike to every question are one class. First two cards are one state if every question is answered alike
for them, and goes on to be, whatever third card comes; whole hands about which all questions are answered alike are one
final hand. Point values are always told apart, because the Table of Play goes by them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from operator import and_, or_
from typing import cast

from punto.cards import DECK, Card
from punto.rules.conditions import AllOf, AnyOf, Condition, Elementary, Not, Sees
from punto.rules.coup import FirstTwo, OutcomeClass
from punto.rules.hands.questions import CardQuestion, Cards, total
from punto.rules.rulebook import Wager
from punto.rules.table_of_play import Hand, banker_draws, player_draws

_Answers = tuple[Hashable, ...]
_PartOf = Callable[[CardQuestion], Callable[[Cards], Hashable] | None]


@dataclass(frozen=True, slots=True)
class HandStates:
    """The states of one hand."""

    pair_class: tuple[int, ...]
    """By the number of a card in the deck: its class as a first or second card."""
    third_class: tuple[int, ...]
    """By the number of a card in the deck: its class as a third card."""
    state_at: tuple[tuple[int, ...], ...]
    """By the classes of the first and of the second card."""
    totals: tuple[int, ...]
    """By state: the total of the first two cards."""
    two: tuple[int, ...]
    """By state: the final hand without a third card."""
    three: tuple[tuple[int, ...], ...]
    """By state, then by class of the third card: the final hand; empty for a state that never draws."""
    examples: tuple[Cards, ...]
    """By final hand."""
    answers: tuple[_Answers, ...]
    """By final hand: what each question is told of this hand."""


@dataclass(frozen=True, slots=True, eq=False)
class BothHands:
    """The states of both hands, for some wagers."""

    player: HandStates
    banker: HandStates
    leaves: tuple[Elementary, ...]
    """The conditions behind the questions, in the order of the answers."""

    def of(self, hand: Hand) -> HandStates:
        """Return the states of one of the hands."""
        return self.player if hand is Hand.PLAYER else self.banker

    def outcome(self, player: int, banker: int) -> OutcomeClass:
        """Return the outcome class of two final hands, with an example of each."""
        one, other = self.player.examples[player], self.banker.examples[banker]
        first_twos = FirstTwo.of(one[0], one[1]), FirstTwo.of(other[0], other[1])
        return OutcomeClass(total(one), total(other), len(one), len(other), *first_twos, one, other)

    def settled(self, wager: Wager, player: int) -> tuple[int, ...]:
        """Return for each outcome of a wager the final hands of Banker that lead to it beside one of Player: a whole
        number, whose bits are Banker's hands.
        """
        left = (1 << len(self.banker.examples)) - 1
        found = []
        for line in wager.lines:
            met = self._met(line.when, player) & left
            found.append(met)
            left &= ~met
        return (*found, left)

    def _met(self, when: Condition, player: int) -> int:
        """Return the final hands of Banker with which a condition holds."""
        everything = (1 << len(self.banker.examples)) - 1
        match when:
            case AllOf():
                return reduce(and_, (self._met(each, player) for each in when.conditions), everything)
            case AnyOf():
                return reduce(or_, (self._met(each, player) for each in when.conditions), 0)
            case Not():
                return everything & ~self._met(when.condition, player)
        leaf = cast("Elementary", when)
        at = _places(self.leaves)[leaf]
        return _beside(self, at, self.player.answers[player][at])


def asks_cards(wager: Wager) -> bool:
    """Return whether a wager asks what only the cards themselves tell."""
    return bool(wager.sees & Sees.CARDS)


def expect_no_questions_to_cards(wagers: Iterable[Wager], study: str) -> None:
    """Raise ``ValueError`` for a wager that asks the cards themselves, in a study that does not follow them."""
    if asking := [wager.name for wager in wagers if asks_cards(wager)]:
        raise ValueError(f"{asking[0]} asks for single cards, which {study} does not follow")


def mixes(wager: Wager) -> bool:
    """Return whether a wager has to be followed hand by hand: it asks the cards, or mixes totals with first cards."""
    return asks_cards(wager) or bool(wager.sees & Sees.TOTALS and wager.sees & ~Sees.TOTALS)


def what_mixes(wager: Wager) -> str:
    """Return for a wager that has to be followed hand by hand what it asks, as words that follow its name."""
    return "asks for single cards" if asks_cards(wager) else "reads totals and first two cards together"


def counted_by_hands(wager: Wager) -> bool:
    """Return whether a wager is counted hand by hand: it has to be, or it is faster, as for suits of both hands."""
    suits = Sees.PLAYER_SUITS | Sees.BANKER_SUITS
    return mixes(wager) or wager.sees & suits == suits


def hands_of(wagers: Iterable[Wager]) -> BothHands:
    """Return the states of both hands that these wagers tell apart."""
    leaves = dict.fromkeys(leaf for wager in wagers for line in wager.lines for leaf in line.when.leaves())
    return _hands(tuple(leaves))


@lru_cache(maxsize=256)
def _places(leaves: tuple[Elementary, ...]) -> dict[Elementary, int]:
    return {leaf: at for at, leaf in enumerate(leaves)}


@lru_cache(maxsize=4096)
def _beside(hands: BothHands, at: int, answer: Hashable) -> int:
    """Return the final hands of Banker with which a question is answered yes, from the answer of Player's hand."""
    joined = hands.leaves[at].question.joined
    told: dict[Hashable, bool] = {}
    found = 0
    for number, answers in enumerate(hands.banker.answers):
        other = answers[at]
        if other not in told:
            told[other] = joined(answer, other)
        found |= told[other] << number
    return found


@lru_cache(maxsize=256)
def _hands(leaves: tuple[Elementary, ...]) -> BothHands:
    questions = [leaf.question for leaf in leaves]
    return BothHands(
        _states(questions, lambda each: each.player, _player_may_draw),
        _states(questions, lambda each: each.banker, _banker_may_draw),
        leaves,
    )


@cache
def _player_may_draw(held: int) -> bool:
    return any(player_draws(held, other) for other in range(10))


@cache
def _banker_may_draw(held: int) -> bool:
    return any(banker_draws(other, held, third) for other in range(10) for third in (None, *range(10)))


class _FinalHands:
    """Numbers final hands: those of one total, one number of cards and the same answers are one."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[int, int, _Answers], int] = {}
        self.examples: list[Cards] = []

    def number(self, cards: Cards, answers: _Answers) -> int:
        key = total(cards), len(cards), answers
        if key not in self.numbers:
            self.examples.append(cards)
        return self.numbers.setdefault(key, len(self.numbers))


def _states(questions: Sequence[CardQuestion], of: _PartOf, draws: Callable[[int], bool]) -> HandStates:
    """Lay out the states of a hand; ``of`` picks what a question asks of this hand."""
    pair_class, firsts = _classes([each for each in questions if each.initial and of(each)])
    third_class, thirds = _classes([each for each in questions if each.third and of(each)])
    asked = [(of(each), each.third) for each in questions]
    finals = _FinalHands()
    final = finals.number

    def answered(cards: Cards, before: _Answers = ()) -> _Answers:
        """Return all answers; those that no third card changes are taken from before it."""
        return tuple(
            before[at] if before and not third else ask and ask(cards) for at, (ask, third) in enumerate(asked)
        )

    third_asked = any(each.third and of(each) for each in questions)

    def drawn(cards: Cards, answers: _Answers) -> tuple[int, ...]:
        return tuple(final((*cards, third), answered((*cards, third), answers)) for third in thirds)

    states: dict[tuple[int, int, tuple[int, ...]], int] = {}
    alike: dict[tuple[int, _Answers], tuple[int, ...]] = {}

    def state(first: Card, second: Card) -> int:
        cards = first, second
        answers, held = answered(cards), total(cards)
        after: tuple[int, ...] = ()
        if draws(held):
            # Where nobody asks for third cards, they change totals alone.
            after = alike.get((held, answers), ()) or drawn(cards, answers)
            if not third_asked:
                alike[held, answers] = after
        return states.setdefault((held, final(cards, answers), after), len(states))

    ordered = any(each.ordered for each in questions if of(each))
    rows: list[list[int]] = []
    for at, first in enumerate(firsts):
        same = [] if ordered else [rows[other][at] for other in range(at)]
        rows.append(same + [state(first, second) for second in firsts[len(same) :]])
    return HandStates(
        pair_class=pair_class,
        third_class=third_class,
        state_at=tuple(map(tuple, rows)),
        totals=tuple(held for held, _, _ in states),
        two=tuple(two for _, two, _ in states),
        three=tuple(three for _, _, three in states),
        examples=tuple(finals.examples),
        answers=tuple(answers for _, _, answers in finals.numbers),
    )


def _classes(questions: Sequence[CardQuestion]) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """Return the class of each card to these questions, and an example of each class."""
    numbers: dict[Hashable, int] = {}
    firsts: list[Card] = []
    found = []
    for card in DECK:
        looks = (card.point_value, *(each.look(card) for each in questions))
        if looks not in numbers:
            numbers[looks] = len(firsts)
            firsts.append(card)
        found.append(numbers[looks])
    return tuple(found), tuple(firsts)


def cards_apart(hands: BothHands) -> tuple[int, ...]:
    """Return by the number of a card in the deck a class of cards that are alike in every place."""
    numbers: dict[tuple[int, ...], int] = {}
    looks = zip(
        hands.player.pair_class,
        hands.player.third_class,
        hands.banker.pair_class,
        hands.banker.third_class,
        strict=True,
    )
    return tuple(numbers.setdefault(each, len(numbers)) for each in looks)
