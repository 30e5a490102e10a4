"""The law of secrecy: runs whose shoes differ only in cards not yet exposed leave the same log, state and views."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from random_play import PATRONS, RandomPlay

from punto import APPROVED
from punto.cards import Card, Composition
from punto.rules.table_of_play import Hand
from punto.table import commands as c
from punto.table.automation import EVERYTHING, next_command
from punto.table.events import BetsOpened, CardDrawn, CardExposed, Event, ShoeLoaded
from punto.table.irregular import CardMisplaced, CardsReconstructed
from punto.table.views import private, public

Order = Callable[[str, int], tuple[Card, ...]]
"""The order of the shoe with this name and so many decks."""


class ShoePlay(RandomPlay):
    """Random play from shoes whose order is fixed beforehand."""

    def __init__(self, game: str, seed: int, order: Order) -> None:
        super().__init__(game, seed)
        self.order = order

    def _card(self, index: int) -> Card:
        assert self.table.shoe
        return self.order(self.table.shoe.name, self.table.set_up.decks)[index]

    def _sensible(self) -> c.Command:
        """Now and then the automaton's next command, which is let ask for cards."""
        automatic = next_command(self.table, EVERYTHING, self._card) if self.random.random() < 0.3 else None
        return automatic or super()._sensible()


@cache
def shuffled(name: str, decks: int) -> tuple[Card, ...]:
    counts = Composition.of_decks(decks).counts()
    cards = [card for card, number in counts.items() for _ in range(number)]
    Random(name).shuffle(cards)
    return tuple(cards)


def exposed_numbers(log: list[Event]) -> set[int]:
    """The numbers of the cards of the last shoe that have been seen, read off the log."""
    numbers: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    seen: set[int] = set()
    for event in log:
        match event:
            case ShoeLoaded():
                seen = set()
            case BetsOpened():
                numbers = {Hand.PLAYER: [], Hand.BANKER: []}
            case CardDrawn(index=index, hand=hand) | CardMisplaced(index=index, hand=hand):
                numbers[hand].append(index)
            case CardsReconstructed(player=player, banker=banker):
                numbers = {Hand.PLAYER: list(player), Hand.BANKER: list(banker)}
            case CardExposed(hand=hand, place=place):
                seen.add(numbers[hand][place])
    return seen


@pytest.mark.parametrize("game", APPROVED)
@pytest.mark.parametrize("seed", range(12))
def test_cards_not_yet_exposed_leave_no_trace(game: str, seed: int) -> None:
    count = 150 + 61 * seed
    one = ShoePlay(game, seed, shuffled)
    one.play(count)
    seen = exposed_numbers(one.log)
    last = next((event.shoe for event in reversed(one.log) if isinstance(event, ShoeLoaded)), "")

    @cache
    def otherwise(name: str, decks: int) -> tuple[Card, ...]:
        """The same, but that what nobody has seen yet lies in another order."""
        cards = list(shuffled(name, decks))
        if name == last:
            places = [at for at in range(len(cards)) if at not in seen]
            unseen = [cards[at] for at in places]
            Random(f"otherwise {seed}").shuffle(unseen)
            for at, card in zip(places, unseen, strict=True):
                cards[at] = card
        return tuple(cards)

    other = ShoePlay(game, seed, otherwise)
    other.play(count)
    assert other.log == one.log
    assert other.table == one.table
    assert public(other.table) == public(one.table)
    squeezing = {handler for hand, handler in one.table.handlers.items() if hand in one.table.looked}
    for patron in set(PATRONS) - squeezing:
        assert private(other.table, patron, other._card) == private(one.table, patron, one._card)


def test_the_patron_who_looks_is_told_his_cards_and_nobody_else() -> None:
    play, told = ShoePlay("baccarat", 0, shuffled), 0
    for _ in range(10_000):
        play.step()
        table = play.table
        squeezing: dict[str, dict[Hand, tuple[Card, ...]]] = {}
        for hand, handler in table.handlers.items():
            face_down = [place for place in table.hands[hand] if place.card is None]
            if hand in table.looked and face_down:
                squeezing.setdefault(handler, {})[hand] = tuple(play._card(place.index) for place in face_down)
        for patron in PATRONS:
            cards = {hand: cards for hand, cards in private(table, patron, play._card).cards.items() if cards}
            assert cards == squeezing.get(patron, {})
            told += bool(cards)
    assert told > 20
