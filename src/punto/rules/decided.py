"""Which wagers are already won, lost or pushed, whatever the cards not yet exposed turn out to be (reading R10).

Exact: a line counts as possible if and only if some completion of the coup reaches it with the cards there are. The
enumeration keeps apart only what the wagers in question look at, so it stays small.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations_with_replacement, product

from punto.cards import Card, CardError, Composition
from punto.rules.condition import Sees
from punto.rules.coup import FirstTwo, OutcomeClass
from punto.rules.rulebook import Line, Result, Wager
from punto.rules.settlement import settle
from punto.rules.table_of_play import Hand, next_card, point_total


class Standing(StrEnum):
    """How a wager stands in the middle of a round."""

    WON = "won"
    LOST = "lost"
    PUSHED = "pushed"
    OPEN = "open"


_STANDING = {Result.WIN: Standing.WON, Result.LOSE: Standing.LOST, Result.PUSH: Standing.PUSHED}


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """The exposed cards of a round, each in its place in its hand; None for a place not dealt or still face down."""

    player: tuple[Card | None, ...] = ()
    banker: tuple[Card | None, ...] = ()

    def __post_init__(self) -> None:
        if len(self.player) > 3 or len(self.banker) > 3:
            raise CardError("a hand has at most three cards")

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(card for card in (*self.player, *self.banker) if card is not None)


@dataclass(frozen=True, slots=True)
class Possible:
    """The ways one wager can still end: the lines that may yet decide it, and whether the cards may run out."""

    lines: frozenset[Line]
    void: bool

    @property
    def standing(self) -> Standing:
        """Decided only if every completion gives one result; a completion that voids the round decides nothing."""
        results = {line.result for line in self.lines}
        return _STANDING[results.pop()] if len(results) == 1 and not self.void else Standing.OPEN


def decided(wagers: Sequence[Wager], seen: CardsSeen, unexposed: Composition) -> dict[str, Standing]:
    """How each wager stands, from the cards exposed and all those that are not: in the shoe or face down."""
    return {name: possible.standing for name, possible in possible_lines(wagers, seen, unexposed).items()}


def possible_lines(wagers: Sequence[Wager], seen: CardsSeen, unexposed: Composition) -> dict[str, Possible]:
    """For each wager the lines that some completion of the coup reaches."""
    void = _may_run_out(seen, unexposed)
    alike: dict[Sees, list[Wager]] = defaultdict(list)
    for wager in wagers:
        alike[wager.sees].append(wager)
    reached: dict[str, set[Line]] = {wager.name: set() for wager in wagers}
    for sees, group in alike.items():
        missing = sum(len(wager.outcomes) for wager in group)
        for outcome in filter(None, _outcome_classes(sees, seen, unexposed)):
            for wager in group:
                if (line := settle(wager, outcome)) not in reached[wager.name]:
                    reached[wager.name].add(line)
                    missing -= 1
            if not missing:
                break
    if not void and not all(reached.values()):
        raise CardError("no lawful coup shows these cards")
    return {name: Possible(frozenset(lines), void) for name, lines in reached.items()}


# How finely cards are told apart: by point value, by rank, or each card for itself.
_BY_VALUE, _BY_RANK, _BY_CARD = range(3)
_KIND: tuple[Callable[[Card], Hashable], ...] = (
    lambda card: card.point_value,
    lambda card: card.rank,
    lambda card: card,
)

_Kinds = tuple[Hashable, ...]
_Values = tuple[int, ...]
_Ending = tuple[int, int, int, int]


def _detail(sees: Sees, ranks: Sees, suits: Sees) -> int:
    if suits & sees:
        return _BY_CARD
    return _BY_RANK if ranks & sees else _BY_VALUE


def _outcome_classes(sees: Sees, seen: CardsSeen, unexposed: Composition) -> Iterator[OutcomeClass | None]:
    """The outcome classes of all completions, as far as ``sees`` asks; None where the cards run out."""
    player_detail = _detail(sees, Sees.PLAYER_RANKS, Sees.PLAYER_SUITS)
    banker_detail = _detail(sees, Sees.BANKER_RANKS, Sees.BANKER_SUITS)
    # Two hands get in each other's way only where both choose from the same kind of card: at the coarser detail.
    shared = min(player_detail, banker_detail)
    supply = _supply(unexposed, shared)
    player_hands = _first_twos(seen.player, player_detail, shared, unexposed)
    banker_hands = _first_twos(seen.banker, banker_detail, shared, unexposed)
    third_cards = _ThirdCards(seen, unexposed)
    for (player_kind, players), (banker_kind, bankers) in product(player_hands.items(), banker_hands.items()):
        found: set[_Ending | None] = set()
        for (player_values, player_ways), (banker_values, banker_ways) in product(players.items(), bankers.items()):
            if _together(player_ways, banker_ways, supply):
                endings = third_cards.endings(player_values, banker_values)
                for ending in endings - found:
                    yield OutcomeClass(*ending, player_kind, banker_kind) if ending else None
                if endings - {None} and not sees & Sees.TOTALS:
                    break  # how the round ends is of no interest to wagers on the first two cards
                found |= endings


def _may_run_out(seen: CardsSeen, unexposed: Composition) -> bool:
    """Whether some completion needs a card that is no longer there, which voids the round."""
    if len(unexposed) + len(seen.cards) >= 6:
        return False
    face_down = 4 - sum(card is not None for card in (*seen.player[:2], *seen.banker[:2]))
    return face_down > len(unexposed) or None in _outcome_classes(Sees.TOTALS, seen, unexposed)


def _supply(unexposed: Composition, detail: int) -> Counter[Hashable]:
    supply: Counter[Hashable] = Counter()
    for card, count in unexposed.counts().items():
        supply[_KIND[detail](card)] += count
    return supply


def _plenty(unexposed: Composition) -> bool:
    """Whether no coup, of at most four first cards and two thirds, can use up any card or any value."""
    return (
        min(_supply(unexposed, _BY_CARD).values(), default=0) >= 4 and min(_supply(unexposed, _BY_VALUE).values()) >= 6
    )


def _first_twos(
    hand: Sequence[Card | None], detail: int, shared: int, unexposed: Composition
) -> dict[FirstTwo, dict[_Values, set[_Kinds]]]:
    """What a hand's first two cards may be: pair and suit, then point values, then which unexposed cards that takes."""
    known = [card for card in hand[:2] if card is not None]
    one_of_each = {_KIND[detail](card): card for card in unexposed.counts()}
    supply = _supply(unexposed, detail)
    plenty = _plenty(unexposed)
    hands: dict[FirstTwo, dict[_Values, set[_Kinds]]] = defaultdict(lambda: defaultdict(set))
    for drawn in combinations_with_replacement(one_of_each, 2 - len(known)):
        if all(supply[kind] >= drawn.count(kind) for kind in drawn):
            cards = [*known, *(one_of_each[kind] for kind in drawn)]
            values = sorted(card.point_value for card in cards)
            # With cards in plenty it does not matter which of them made up the total.
            values = [point_total(values), 0] if plenty else values
            taken = tuple(_KIND[shared](one_of_each[kind]) for kind in drawn)
            hands[_plain(FirstTwo.of(*cards), detail)][tuple(values)].add(taken)
    return hands


def _plain(first_two: FirstTwo, detail: int) -> FirstTwo:
    """Leave out what this detail cannot tell: with cards told apart by rank only, the suit means nothing."""
    if detail == _BY_CARD:
        return first_two
    return FirstTwo(pair=first_two.pair) if detail == _BY_RANK else FirstTwo()


def _together(player_ways: set[_Kinds], banker_ways: set[_Kinds], supply: Counter[Hashable]) -> bool:
    """Whether the cards suffice for some choice of both hands at once."""
    return any(
        all(supply[kind] >= (player + banker).count(kind) for kind in player + banker)
        for player in player_ways
        for banker in banker_ways
    )


class _ThirdCards:
    """How a coup can end once the first two cards of each hand are known by their point values."""

    def __init__(self, seen: CardsSeen, unexposed: Composition) -> None:
        self._exposed_third = {
            hand: cards[2].point_value
            for hand, cards in ((Hand.PLAYER, seen.player), (Hand.BANKER, seen.banker))
            if len(cards) == 3 and cards[2] is not None
        }
        self._exposed = Counter(card.point_value for card in (*seen.player[:2], *seen.banker[:2]) if card is not None)
        self._supply = _supply(unexposed, _BY_VALUE)
        self.endings = cache(self._endings)

    def _endings(self, player: _Values, banker: _Values) -> frozenset[_Ending | None]:
        """Totals and numbers of cards for every choice of third cards there are cards for; None if they run out."""
        left = self._supply.copy()
        left.subtract(Counter(player + banker) - self._exposed)
        return frozenset(self._deal_on(player, banker, left, ()))

    def _deal_on(
        self, player: _Values, banker: _Values, left: Counter[Hashable], drawn: _Values
    ) -> Iterator[_Ending | None]:
        hand = next_card(player, banker)
        if hand is None:
            if len(player) + len(banker) == 4 + len(drawn) + len(self._exposed_third):
                yield point_total(player), point_total(banker), len(player), len(banker)
            return
        exposed = self._exposed_third.get(hand)
        choices = [value for value in range(10) if left[value] > drawn.count(value)] if exposed is None else [exposed]
        if not choices:
            yield None
        for value in choices:
            taken = drawn if exposed is not None else (*drawn, value)
            if hand is Hand.PLAYER:
                yield from self._deal_on((*player, value), banker, left, taken)
            else:
                yield from self._deal_on(player, (*banker, value), left, taken)
