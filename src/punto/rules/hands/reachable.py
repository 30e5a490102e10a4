"""The lines of a wager that can still be reached, hand by hand: exact, whatever cards are left.

A final hand is reached by some choices of cards. Only cards that are nearly used up matter for whether both hands can
be dealt together, so of each choice just these are remembered. Five choices without a card in common are as good as a
choice that needs no scarce card: the other hand and a third card take at most four of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import permutations, product

from punto.cards import DECK, Card, Composition
from punto.rules.coup import Coup
from punto.rules.deal_counts import LONGEST_COUP, CardsSeen
from punto.rules.hands.hand_states import BothHands, HandStates, cards_apart, hands_of
from punto.rules.rulebook import Line, Wager
from punto.rules.settlement import settle
from punto.rules.table_of_play import Hand, banker_draws, next_card, player_draws

_Usage = tuple[int, ...]
"""The scarce cards that a choice takes, by their class."""
_DISJOINT = 5
_NUMBER = {card: number for number, card in enumerate(DECK)}


class _Choices:
    """The choices of cards that lead to one thing."""

    def __init__(self) -> None:
        self.usages: set[_Usage] = set()
        self._apart: list[set[int]] = []

    def add(self, usage: _Usage) -> None:
        if () in self.usages or usage in self.usages:
            return
        if usage:
            if all(each.isdisjoint(usage) for each in self._apart):
                self._apart.append(set(usage))
            self.usages.add(usage)
        if not usage or len(self._apart) >= _DISJOINT:
            self.usages = {()}


class _Supply:
    """The cards that are left, by class, and which of them are scarce."""

    def __init__(self, hands: BothHands, unexposed: Composition) -> None:
        apart = cards_apart(hands)
        self._left: Counter[int] = Counter()
        examples: dict[int, int] = {}
        for card, count in unexposed.items():
            kind = apart[_NUMBER[card]]
            self._left[kind] += count
            examples.setdefault(kind, _NUMBER[card])
        self.choices: list[tuple[int, _Usage]] = [
            (number, () if self._left[kind] >= LONGEST_COUP else (kind,)) for kind, number in examples.items()
        ]
        """Every card that may come, by its number in the deck, an example of each class; and whether it is scarce."""

    def allows(self, usage: _Usage) -> bool:
        """Return whether the scarce cards are there together."""
        return all(count <= self._left[kind] for kind, count in Counter(usage).items())


_Finals = dict[int, _Choices]


class _Reached:
    """The final hands that one hand can reach, by what the Table of Play goes by."""

    def __init__(self, states: HandStates, cards: Sequence[Card | None], supply: _Supply) -> None:
        self.standing: dict[int, _Finals] = defaultdict(dict)
        """By two-card total: without a third card."""
        self.drawn: dict[tuple[int, int], _Finals] = defaultdict(dict)
        """By two-card total and the point value of the third card."""
        shown = [_NUMBER[each] if each else None for each in (*cards, None, None, None)[:3]]
        places: list[list[tuple[int, _Usage]]] = [supply.choices if each is None else [(each, ())] for each in shown]
        for state, pairs in self._pairs(states, places, supply).items():
            held = states.totals[state]
            if shown[2] is None:
                self._add(self.standing[held], states.two[state], pairs.usages)
            for number, usage in places[2] if states.three[state] else ():
                final = states.three[state][states.third_class[number]]
                together = [(*pair, *usage) for pair in pairs.usages]
                found = [each for each in together if len(each) < 2 or supply.allows(each)]
                self._add(self.drawn[held, DECK[number].point_value], final, found)

    def _pairs(self, states: HandStates, places: Sequence[list[tuple[int, _Usage]]], supply: _Supply) -> _Finals:
        """Return the states that first two cards can make."""
        found: _Finals = defaultdict(_Choices)
        for (first, one), (second, other) in product(places[0], places[1]):
            usage = (*one, *other)
            if len(usage) < 2 or supply.allows(usage):
                found[states.state_at[states.pair_class[first]][states.pair_class[second]]].add(usage)
        return found

    def _add(self, to: _Finals, final: int, usages: Sequence[_Usage] | set[_Usage]) -> None:
        for usage in usages:
            to.setdefault(final, _Choices()).add(tuple(sorted(usage)))

    def drawing(self, held: int) -> Iterator[_Finals]:
        """Yield the final hands with a third card, from one two-card total."""
        for value in range(10):
            if (held, value) in self.drawn:
                yield self.drawn[held, value]


def lines_by_hands(wager: Wager, seen: CardsSeen, unexposed: Composition) -> tuple[frozenset[Line], bool]:
    """Return the lines of a wager that some completion of the coup reaches, and whether the cards may run out."""
    if len(unexposed) < LONGEST_COUP - len(seen.cards):
        return _lines_of_short_deals(wager, seen, unexposed)
    hands = hands_of((wager,))
    supply = _Supply(hands, unexposed)
    player = _Reached(hands.player, seen.player, supply)
    banker = _Reached(hands.banker, seen.banker, supply)
    beside = _banker_beside(player, banker)
    lines: set[Line] = set()
    for one, pairings in beside.items():
        settled = hands.settled(wager, one)
        for line, met in zip(wager.outcomes, settled, strict=True):
            if line not in lines and any(_some(each, met, supply) for each in pairings):
                lines.add(line)
        if len(lines) == len(wager.outcomes):
            break
    return frozenset(lines), False


_Pairing = tuple[_Choices, _Finals, int]
"""Choices for a final hand of Player; the final hands of Banker that may come with it, and these as bits."""


def _banker_beside(player: _Reached, banker: _Reached) -> dict[int, list[_Pairing]]:
    """Return what may come beside each final hand of Player."""
    found: dict[int, list[_Pairing]] = defaultdict(list)
    bits: dict[int, int] = {}
    for ones, others in _together(player, banker):
        if id(others) not in bits:
            bits[id(others)] = sum(1 << other for other in others)
        for one, by in ones.items():
            found[one].append((by, others, bits[id(others)]))
    return found


def _some(pairing: _Pairing, met: int, supply: _Supply) -> bool:
    """Return whether one of some final hands of Banker can be dealt beside Player's."""
    by, others, bits = pairing
    wanted = met & bits
    while wanted:
        lowest = wanted & -wanted
        if _compatible(by, others[lowest.bit_length() - 1], supply):
            return True
        wanted ^= lowest
    return False


def _together(player: _Reached, banker: _Reached) -> Iterator[tuple[_Finals, _Finals]]:
    """Yield the final hands of both that the Table of Play allows together."""
    for held, other in product(range(10), repeat=2):
        draws = player_draws(held, other)
        for third in range(10) if draws else (None,):
            ones = player.standing.get(held) if third is None else player.drawn.get((held, third))
            if ones is None:
                continue
            if banker_draws(held, other, third):
                yield from ((ones, others) for others in banker.drawing(other))
            elif other in banker.standing:
                yield ones, banker.standing[other]


def _compatible(one: _Choices, other: _Choices, supply: _Supply) -> bool:
    """Return whether some choice for one hand leaves the cards of some choice for the other."""
    if () in one.usages or () in other.usages:
        return True
    return any(supply.allows((*first, *second)) for first, second in product(one.usages, other.usages))


# --- shoes that may run out ---


def short_deals(seen: CardsSeen, unexposed: Composition) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]] | None]:
    """Yield the hands that each order of a few unexposed cards makes; None where they run out.

    Orders that contradict the exposed cards are left out.
    """
    for order in permutations([card for card, count in unexposed.items() for _ in range(count)]):
        found = _deal(seen, list(order))
        if found is not _CONTRADICTED:
            yield found  # type: ignore[misc]


_CONTRADICTED = object()


def _deal(seen: CardsSeen, order: list[Card]) -> object:
    shown = {Hand.PLAYER: seen.player, Hand.BANKER: seen.banker}
    hands: dict[Hand, list[Card]] = {Hand.PLAYER: [], Hand.BANKER: []}
    player, banker = hands.values()

    def contradicted() -> bool:
        """Return whether a third card is exposed that its hand has not got."""
        return any(len(shown[hand]) == 3 and shown[hand][2] and len(hands[hand]) == 2 for hand in Hand)

    while hand := next_card([each.point_value for each in player], [each.point_value for each in banker]):
        place, cards = len(hands[hand]), shown[hand]
        card = cards[place] if place < len(cards) else None
        if card is None and not order:
            # Cards come in order: a third card exposed where its hand has two comes after this one, or never.
            return _CONTRADICTED if place == 2 and contradicted() else None
        hands[hand].append(card or order.pop(0))
    return _CONTRADICTED if contradicted() else (tuple(player), tuple(banker))


def _lines_of_short_deals(wager: Wager, seen: CardsSeen, unexposed: Composition) -> tuple[frozenset[Line], bool]:
    lines, void = set(), False
    for dealt in short_deals(seen, unexposed):
        if dealt is None:
            void = True
        else:
            lines.add(settle(wager, Coup(*dealt)))
    return frozenset(lines), void
