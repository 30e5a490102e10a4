"""Count deals: in how many orders the unexposed cards can come so that a coup ends in each outcome class.

Counts are whole numbers of ordered deals, so a probability is one count over another and nothing is rounded. Only the
parts of an outcome class that the given wagers read are told apart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import perm
from typing import NamedTuple

from punto.cards import DECK, Card, CardError, Composition, Rank, card_of
from punto.rules.conditions import Sees
from punto.rules.coup import FirstTwo, OutcomeClass
from punto.rules.ending_counts import NO_CARD, Ending, count_endings, ending_of
from punto.rules.table_of_play import banker_draws, player_draws, point_total

LONGEST_COUP = 6
CUT_FROM_THE_END = 14
"""How many cards lie behind the cutting card by default; the rules leave it to the house (R17)."""


@dataclass(frozen=True, slots=True, init=False)
class CardsSeen:
    """The exposed cards of a round, each at its place in its hand; None for a place not dealt or still face down.

    A hand is given as cards or as text, in which ``?`` is a card face down.

    >>> CardsSeen(player="4h ?", banker="Ks").player
    (Card('4h'), None)
    """

    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]

    def __init__(self, player: HandSeen = (), banker: HandSeen = ()) -> None:
        for name, given in (("player", player), ("banker", banker)):
            hand = _hand(given)
            if len(hand) > 3:
                raise CardError("a hand has at most three cards")
            object.__setattr__(self, name, hand)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The exposed cards, without their places."""
        return tuple(card for card in (*self.player, *self.banker) if card is not None)


HandSeen = str | Iterable[Card | str | None]
"""A hand as a caller may give it: a text, or cards and texts of a card each, None for a card face down."""


def _hand(given: object) -> tuple[Card | None, ...]:
    if isinstance(given, str):
        given = [None if word == "?" else word for word in given.replace(",", " ").split()]
    if isinstance(given, Card) or not isinstance(given, Iterable):
        raise TypeError(f'expected the cards of a hand, such as "4h 7d", found {given!r}')
    return tuple(None if each is None else card_of(each) for each in given)


@dataclass(frozen=True, slots=True)
class Deals:
    """How many ordered deals of the unexposed cards end in each outcome class, and how many run out of cards."""

    classes: dict[OutcomeClass, int]
    void: int

    @property
    def total(self) -> int:
        return sum(self.classes.values()) + self.void


CountEndings = Callable[[Sequence[int]], Mapping[Ending, int]]


def count_deals(
    sees: Sees, seen: CardsSeen, unexposed: Composition, whole_coups: CountEndings = count_endings
) -> Deals:
    """Count the deals that complete a coup, from the exposed cards and all others: in the shoe or face down.

    Deals that contradict the exposed cards (a third card that the Table of Play would not have dealt) are left out.
    ``whole_coups`` counts the endings of coups without an exposed card, for callers that have a faster way.
    """
    classes: dict[_FirstTwosOfBoth, Counter[Ending | None]] = defaultdict(Counter)
    for kinds, endings, ways in _completions(sees, seen, unexposed, whole_coups):
        found = classes[kinds]
        for ending, orders in endings:
            found[ending] += ways * orders
    void = sum(found.pop(None, 0) for found in classes.values())
    return Deals({OutcomeClass(*e, *kinds): n for kinds, found in classes.items() for e, n in found.items() if e}, void)


def possible_outcomes(sees: Sees, seen: CardsSeen, unexposed: Composition) -> Iterator[OutcomeClass | None]:
    """Yield the outcome classes that some deal ends in; None if some deal runs out of cards."""
    reached: dict[_FirstTwosOfBoth, set[Ending | None]] = defaultdict(set)
    for kinds, endings, _ in _completions(sees, seen, unexposed, _reachable_endings):
        found = reached[kinds]
        for ending, _ in endings:
            if ending not in found:
                found.add(ending)
                yield OutcomeClass(*ending, *kinds) if ending else None


def _reachable_endings(values: Sequence[int]) -> dict[Ending, int]:
    """Return the endings of whole coups; more cards of a value than a coup has make no other ending possible."""
    return _endings_of(tuple(min(cards, LONGEST_COUP) for cards in values))


_endings_of = lru_cache(maxsize=1024)(count_endings)

_FirstTwosOfBoth = tuple[FirstTwo, FirstTwo]
_PLAIN = (FirstTwo(), FirstTwo())


def _completions(
    sees: Sees, seen: CardsSeen, unexposed: Composition, whole_coups: CountEndings = count_endings
) -> Iterator[tuple[_FirstTwosOfBoth, Iterable[tuple[Ending | None, int]], int]]:
    """Yield the possible first two cards, the endings from there, and the number of deals that begin like that."""
    if not seen.cards and len(unexposed) >= LONGEST_COUP and not sees & ~Sees.TOTALS:
        yield _PLAIN, whole_coups(by_value(unexposed)).items(), 1
        return
    thirds = _ThirdCards(seen, unexposed)
    if thirds.initial_unseen > len(unexposed):
        yield _PLAIN, [(None, 1)], 1
        return
    # Wagers on the first two cards alone need not follow the round to its end, if it is certain to have one.
    whole = bool(sees & Sees.TOTALS) or thirds.matter
    player = _FirstTwos(seen.player, _detail(sees, Sees.PLAYER_RANKS, Sees.PLAYER_SUITS), unexposed, whole)
    banker = _FirstTwos(seen.banker, _detail(sees, Sees.BANKER_RANKS, Sees.BANKER_SUITS), unexposed, whole)
    anything = thirds.anything(player.drawn + banker.drawn)
    for one, other, ways in _initial_deals(player, banker, unexposed):
        yield (one.kind, other.kind), thirds.endings(one.values, other.values) if whole else anything, ways


_Values = tuple[int, ...]


def by_value(cards: Composition) -> tuple[int, ...]:
    """Return how many cards of each point value 0 to 9 there are."""
    return tuple(_supply(cards, _BY_VALUE)[:10])


# How finely cards are told apart: by point value, by rank, or card by card. Each kind of card has a number.
_BY_VALUE, _BY_RANK, _BY_CARD = range(3)
_NUMBERS: tuple[dict[Card, int], ...] = (
    {card: card.point_value for card in DECK},
    {card: list(Rank).index(card.rank) for card in DECK},
    {card: number for number, card in enumerate(DECK)},
)
_Kinds = tuple[int, ...]


def _detail(sees: Sees, ranks: Sees, suits: Sees) -> int:
    if suits & sees:
        return _BY_CARD
    return _BY_RANK if ranks & sees else _BY_VALUE


def _supply(cards: Composition, detail: int) -> list[int]:
    """Return how many cards of each kind there are."""
    supply = [0] * len(DECK)
    for card, count in cards.counts().items():
        supply[_NUMBERS[detail][card]] += count
    return supply


class _Group(NamedTuple):
    """First two cards of a hand that wagers cannot tell apart: pair and suit, and the point values if they matter."""

    kind: FirstTwo
    values: _Values


_Choice = tuple[int, _Kinds]
_ANYTHING: tuple[_Group, ...] = (_Group(FirstTwo(), ()),)
_NOTHING_TAKEN: tuple[_Choice, ...] = ((0, ()),)


class _FirstTwos:
    """The possible first two cards of a hand: by group, and within a group by the unexposed cards taken."""

    def __init__(self, hand: Sequence[Card | None], detail: int, unexposed: Composition, whole: bool) -> None:
        self.detail = detail
        known = tuple(card for card in hand[:2] if card is not None)
        if detail == _BY_VALUE and not whole:
            # No wager reads this hand: its cards stay among those that may come in any order.
            self.drawn, self.groups, choices = 0, _ANYTHING, _NOTHING_TAKEN
        else:
            self.drawn = 2 - len(known)
            self.groups, choices = _choices(known, detail, whole)
        supply = _supply(unexposed, detail)
        self.ways = Counter({choice: orders for choice in choices if (orders := _orders(choice[1], supply))})
        """In how many orders each choice can be drawn, by the number of its group and the kinds of card it takes."""

    def taking(self, detail: int) -> Counter[_Choice]:
        """Return the same ways, with the cards taken told apart no more finely than ``detail``."""
        if detail == self.detail:
            return self.ways
        coarser = {fine: _NUMBERS[detail][card] for card, fine in _NUMBERS[self.detail].items()}
        ways: Counter[_Choice] = Counter()
        for (group, taken), orders in self.ways.items():
            ways[group, tuple(coarser[kind] for kind in taken)] += orders
        return ways


@lru_cache(maxsize=256)
def _choices(known: tuple[Card, ...], detail: int, whole: bool) -> tuple[tuple[_Group, ...], tuple[_Choice, ...]]:
    """Return all possible first two cards, whatever the shoe: the groups, and each choice of cards with its group."""
    one_of_each = {_NUMBERS[detail][card]: card for card in DECK}
    groups: dict[_Group, int] = {}
    choices: list[_Choice] = []
    for drawn in combinations_with_replacement(one_of_each, 2 - len(known)):
        cards = [*known, *(one_of_each[kind] for kind in drawn)]
        values = tuple(sorted(card.point_value for card in cards)) if whole else ()
        group = _Group(_as_far_as(detail, cards), values)
        choices.append((groups.setdefault(group, len(groups)), drawn))
    return tuple(groups), tuple(choices)


def _as_far_as(detail: int, cards: Sequence[Card]) -> FirstTwo:
    """Return pair and suit as far as ``detail`` tells them: with cards told apart by rank, a suit means nothing."""
    if detail == _BY_VALUE:
        return FirstTwo()
    first_two = FirstTwo.of(*cards)
    return first_two if detail == _BY_CARD else FirstTwo(pair=first_two.pair)


def _orders(drawn: _Kinds, supply: Sequence[int], gone: _Kinds = ()) -> int:
    """Return in how many orders these cards, two at most, can be drawn when others are gone; 1 for no cards."""
    if not drawn:
        return 1
    first = supply[drawn[0]] - gone.count(drawn[0])
    if len(drawn) == 1:
        return first
    if drawn[0] == drawn[1]:
        return first * (first - 1)
    return 2 * first * (supply[drawn[1]] - gone.count(drawn[1]))


def _initial_deals(
    player: _FirstTwos, banker: _FirstTwos, unexposed: Composition
) -> Iterator[tuple[_Group, _Group, int]]:
    """Yield the groups both hands may begin with, and in how many orders their unexposed cards can be drawn."""
    fine, coarse = (player, banker) if player.detail >= banker.detail else (banker, player)
    fine_ways, coarse_ways = _by_group(fine.ways), _by_group(coarse.ways)
    in_the_way = _in_the_way(fine, coarse, _supply(unexposed, coarse.detail))
    for fine_number, coarse_number in product(range(len(fine.groups)), range(len(coarse.groups))):
        apart = fine_ways[fine_number] * coarse_ways[coarse_number]
        ways = apart - in_the_way[fine_number, coarse_number]
        one, other = fine.groups[fine_number], coarse.groups[coarse_number]
        if ways:
            yield (one, other, ways) if fine is player else (other, one, ways)


def _by_group(ways: Counter[_Choice]) -> Counter[int]:
    groups: Counter[int] = Counter()
    for (group, _), orders in ways.items():
        groups[group] += orders
    return groups


def _in_the_way(fine: _FirstTwos, coarse: _FirstTwos, supply: Sequence[int]) -> Counter[tuple[int, int]]:
    """Return how many orders must be subtracted because two hands counted separately would draw the same cards.

    Hands without a kind of card in common do not interfere, so only those that share one are examined.
    """
    sharing: dict[int, list[_Choice]] = defaultdict(list)
    for group, taken in coarse.ways:
        for kind in set(taken):
            sharing[kind].append((group, taken))
    too_many: Counter[tuple[int, int]] = Counter()
    for (fine_group, gone), fine_orders in fine.taking(coarse.detail).items():
        for coarse_group, taken in {choice for kind in gone for choice in sharing[kind]}:
            lost = coarse.ways[coarse_group, taken] - _orders(taken, supply, gone)
            too_many[fine_group, coarse_group] += fine_orders * lost
    return too_many


class _ThirdCards:
    """The continuations of a coup once the first two cards of each hand are known by their point values."""

    def __init__(self, seen: CardsSeen, unexposed: Composition) -> None:
        initial = [card for card in (*seen.player[:2], *seen.banker[:2]) if card is not None]
        self._initial_seen = Counter(card.point_value for card in initial)
        self._shown = [
            cards[2].point_value if len(cards) == 3 and cards[2] else None for cards in (seen.player, seen.banker)
        ]
        self._supply = by_value(unexposed)
        self._cards = len(unexposed)
        # Every deal is counted at one length, so that all of them are equally likely.
        self._length = min(LONGEST_COUP - len(seen.cards), self._cards)
        self.initial_unseen = 4 - len(initial)
        self.matter = self._shown != [None, None] or self._length < LONGEST_COUP - len(seen.cards)
        """Whether third cards can rule out first ones, or the shoe can run out."""
        self.endings = cache(self._endings)

    def anything(self, drawn: int) -> list[tuple[Ending | None, int]]:
        """Return one arbitrary ending after ``drawn`` cards, for wagers that do not depend on it."""
        return [((0, 0, 2, 2), self._orders_after(drawn))]

    def _orders_after(self, drawn: int) -> int:
        """Return in how many orders the rest of a deal can come after ``drawn`` cards."""
        return perm(self._cards - drawn, self._length - drawn)

    def _endings(self, player: _Values, banker: _Values) -> list[tuple[Ending | None, int]]:
        """Return in how many orders the rest can come, for each ending; None where the cards run out."""
        left = list(self._supply)
        for value in (Counter(player + banker) - self._initial_seen).elements():
            left[value] -= 1
        totals = point_total(player), point_total(banker)
        found: Counter[Ending | None] = Counter()
        for player_third, player_ways, drawn in self._drawn(0, player_draws(*totals), left, self.initial_unseen):
            if player_third is None:
                # Banker's third card is drawn after Player's: if it is exposed, Player's cannot have been missing.
                if self._shown[1] is None:
                    found[None] += player_ways
                continue
            asked = banker_draws(*totals, player_third if player_third != NO_CARD else None)
            for banker_third, banker_ways, all_drawn in self._drawn(1, asked, left, drawn):
                ending = None if banker_third is None else ending_of(*totals, player_third, banker_third)
                found[ending] += player_ways * banker_ways * self._orders_after(all_drawn)
        return list(found.items())

    def _drawn(self, hand: int, asked: bool, left: list[int], drawn: int) -> Iterator[tuple[int | None, int, int]]:
        """Yield the third cards a hand may get: value, number of ways, and cards drawn by then.

        The value is NO_CARD if the hand does not draw and None if no card is left; nothing is yielded if the exposed
        card contradicts the Table of Play. The card is taken out of ``left`` while its item is being handled.
        """
        shown = self._shown[hand]
        if not asked:
            if shown is None:
                yield NO_CARD, 1, drawn
        elif shown is not None:
            yield shown, 1, drawn
        elif drawn == self._cards:
            yield None, 1, drawn
        else:
            for value, count in enumerate(left):
                if count:
                    left[value] -= 1
                    yield value, count, drawn + 1
                    left[value] += 1
