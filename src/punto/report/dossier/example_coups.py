"""An example coup for every way a wager can end. The same game always gets the same examples."""

from __future__ import annotations

from collections.abc import Iterator

from punto.cards import DECK, Card, Rank, Suit
from punto.rules.coup import Coup
from punto.rules.rulebook import Line, Rulebook, Wager
from punto.rules.settlement import settle
from punto.rules.table_of_play import Hand, next_card

MOST_DEALS = 300_000
_FROM_ALL_CARDS = 2_000
_MULTIPLIER, _STEP, _MODULUS = 6_364_136_223_846_793_005, 1_442_695_040_888_963_407, 1 << 64
Ending = tuple[str, str]
"""A wager and an outcome, by their names."""


def example_coups(book: Rulebook) -> dict[Ending, Coup]:
    """Return a coup for each outcome of each wager; what no deal out of so many came to is missing.

    After the first deals every other one is from few ranks and suits, so that pairs, flushes and the like come soon.
    """
    wanted: dict[Ending, tuple[Wager, Line]] = {
        (wager.name, line.outcome): (wager, line) for wager in book.wagers for line in wager.outcomes
    }
    found: dict[Ending, Coup] = {}
    for coup in _coups(book.usual_decks):
        for ending in [each for each in wanted if each not in found]:
            wager, line = wanted[ending]
            if settle(wager, coup.outcome_class) is line:
                found[ending] = coup
        if len(found) == len(wanted):
            break
    return {ending: found[ending] for ending in wanted if ending in found}


def _coups(decks: int) -> Iterator[Coup]:
    """Yield coups that a shoe of so many decks can deal, always the same ones in the same order."""
    numbers = _numbers()
    for deal in range(MOST_DEALS):
        cards = DECK if deal < _FROM_ALL_CARDS or deal % 2 else _few(numbers)
        coup = _dealt(cards, decks, numbers)
        if coup is not None:
            yield coup


def _few(numbers: Iterator[int]) -> tuple[Card, ...]:
    ranks, suits = list(Rank), list(Suit)
    chosen = {ranks[next(numbers) % len(ranks)] for _ in range(1 + next(numbers) % 4)}
    of = {suits[next(numbers) % len(suits)] for _ in range(1 + next(numbers) % 3)}
    return tuple(card for card in DECK if card.rank in chosen and card.suit in of)


def _dealt(cards: tuple[Card, ...], decks: int, numbers: Iterator[int]) -> Coup | None:
    hands: dict[Hand, list[Card]] = {Hand.PLAYER: [], Hand.BANKER: []}
    dealt: list[Card] = []
    while hand := next_card(*([card.point_value for card in held] for held in hands.values())):
        card = cards[next(numbers) % len(cards)]
        if dealt.count(card) == decks:
            return None
        dealt.append(card)
        hands[hand].append(card)
    return Coup.deal(dealt)


def _numbers() -> Iterator[int]:
    """Yield numbers without an order that a game could follow: this is a search, not a shuffle."""
    state = 1
    while True:
        state = (state * _MULTIPLIER + _STEP) % _MODULUS
        yield state >> 33
