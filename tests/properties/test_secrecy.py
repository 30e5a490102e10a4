"""The law of secrecy: runs whose shoes differ only in cards not yet exposed leave the same log, state and views."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace
from properties.random_play import PATRONS, RandomPlay
from properties.staff_play import StaffPlay

from punto import APPROVED
from punto.cards import Card, Composition
from punto.notation import parse
from punto.notation.script_player import Player
from punto.rules.table_of_play import Hand
from punto.table.command import Command
from punto.table.guidance.dealer_automation import EVERYTHING, next_command
from punto.table.irregularities.exposed_in_error import ExposeInError
from punto.table.play.burn_cards import BurnCards
from punto.table.play.dealing import ExposeCard
from punto.table.play.shoes import ShoeLoaded
from punto.table.views import private, public, staff

Order = Callable[[str, int], tuple[Card, ...]]
"""The order of the shoe with this name and so many decks."""


class ShoePlay(RandomPlay):
    """Random play from shoes whose order is fixed beforehand."""

    def __init__(self, game: str, seed: int, order: Order) -> None:
        super().__init__(game, seed)
        self.order = order
        self.seen: dict[str, set[int]] = {}
        """By shoe the numbers of the cards that were turned, or keyed and found not to fit."""

    def give(self, command: Command) -> None:
        """Fill in which card is exposed, as a server with a sealed shoe does."""
        table, events = self.table, len(self.log)
        if not isinstance(command, ExposeCard | ExposeInError) or table.shoe is None:
            super().give(command)
            if isinstance(command, BurnCards) and table.shoe and command.first and len(self.log) > events:
                self.seen.setdefault(table.shoe.name, set()).add(0)
            return
        places = table.round.hands[command.hand]
        number = places[command.place].index if 0 <= command.place < len(places) else 0
        super().give(replace(command, card=self._card(number)))
        if len(self.log) > events:
            self.seen.setdefault(table.shoe.name, set()).add(number)

    def card_at(self, shoe: str, index: int) -> Card:
        return self.order(shoe, self.table.set_up.decks)[index]

    def _card(self, index: int) -> Card:
        assert self.table.shoe
        return self.card_at(self.table.shoe.name, index)

    def _sensible(self) -> Command:
        """Now and then the automaton's next command, which is let ask for cards."""
        automatic = next_command(self.table, EVERYTHING, self._card) if self.random.random() < 0.3 else None
        return automatic or super()._sensible()


class StaffShoePlay(ShoePlay, StaffPlay):
    """The same where no patron has a device."""


@cache
def shuffled(name: str, decks: int) -> tuple[Card, ...]:
    counts = Composition.of_decks(decks).counts()
    cards = [card for card, number in counts.items() for _ in range(number)]
    Random(name).shuffle(cards)
    return tuple(cards)


_SEEDS = range(6)
_PLAYED = [
    *((kind, seed) for kind in (ShoePlay, StaffShoePlay) for seed in _SEEDS[:3]),
    *(pytest.param(kind, seed, marks=pytest.mark.long) for kind in (ShoePlay, StaffShoePlay) for seed in _SEEDS[3:]),
]


@pytest.mark.parametrize("game", APPROVED)
@pytest.mark.parametrize(("kind", "seed"), _PLAYED)
def test_cards_not_yet_exposed_leave_no_trace(game: str, kind: type[ShoePlay], seed: int) -> None:
    count = 150 + 61 * seed
    one = kind(game, seed, shuffled)
    one.play(count)
    last = next((event.shoe for event in reversed(one.log) if isinstance(event, ShoeLoaded)), "")
    seen = one.seen.get(last, set())

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

    other = kind(game, seed, otherwise)
    other.play(count)
    assert other.log == one.log
    assert other.table == one.table
    assert public(other.table) == public(one.table)
    squeezing = {handler for hand, handler in one.table.round.handlers.items() if one.table.round.looked_at(hand)}
    for patron in set(PATRONS) - squeezing:
        assert private(other.table, patron, other.card_at) == private(one.table, patron, one.card_at)


def test_the_patron_who_looks_is_told_his_cards_and_nobody_else() -> None:
    play, told = ShoePlay("baccarat", 0, shuffled), 0
    for _ in range(15_000):
        play.step()
        table = play.table
        squeezing: dict[str, dict[Hand, tuple[Card, ...]]] = {}
        for hand, handler in table.round.handlers.items():
            seen = [
                each.index for each in table.round.hands[hand] if each.card is None and each.index in table.round.looked
            ]
            if seen:
                squeezing.setdefault(handler, {})[hand] = tuple(map(play._card, seen))
        for patron in PATRONS:
            cards = {hand: cards for hand, cards in private(table, patron, play.card_at).cards.items() if cards}
            assert cards == squeezing.get(patron, {})
            told += bool(cards)
    assert told > 20


TAKEN = """for baccarat
method A
patron Ann 1000
Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Dealer: no more bets
Dealer: draw (4 times)
Dealer: banker first
Dealer: pass player to Ann
Dealer: expose banker 1 Ah
Dealer: expose banker 2 Ad
Dealer: player cards taken
Gaming Shift Manager: confirm cards-taken-sealed
Gaming Shift Manager: confirm cards-taken-sorted
Gaming Shift Manager: decks lack 2s 3d ASIDE, set aside ASIDE
Gaming Shift Manager: confirm cards-taken-replaced
Dealer: draw
Dealer: expose player 3 Kd
  expect refused not-set-aside
"""


def test_cards_set_aside_leave_no_trace_until_they_are_exposed() -> None:
    """Tables that differ only in the two cards set aside have the same log, state, views and refusals."""
    players = []
    for aside in ("9c 8d", "8d 9c", "2c 2d"):
        script = parse(TAKEN.replace("ASIDE", aside))
        player = Player(script, script.runs[0])
        assert player.play() == []
        players.append(player)
    first, *others = players
    for other in others:
        assert (other.log, other.table, other._answer) == (first.log, first.table, first._answer)
        assert staff(other.table) == staff(first.table)
