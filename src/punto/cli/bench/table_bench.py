"""A busy table for ``punto bench table``: nine positions, three wagers at each, one round after the other."""

from __future__ import annotations

from punto.cards import DECK, Card
from punto.rules import load
from punto.rules.table_of_play import Hand, next_card
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.evolve import evolve
from punto.table.irregularities.void import ConfirmVoid, ReportVoid
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import LoadShoe, ReplaceCards
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.settings import Device, Limits, Setting
from punto.table.table import Table

_DEALER, _PIT_MANAGER = Actor("Sam", Role.DEALER), Actor("Pat", Role.PIT_MANAGER)
_PLACES = ((Hand.PLAYER, 0), (Hand.BANKER, 0), (Hand.PLAYER, 1), (Hand.BANKER, 1))


class BusyTable:
    """Plays round after round, with the cards of each shoe in the same order."""

    def __init__(self) -> None:
        self.commands = 0
        self._exposed = 0
        self.table = Table(load("baccarat"))
        limits = {wager.name: Limits(100, 1_000_000) for wager in self.table.book.wagers}
        setting = Setting("Appendix B", 9, limits, 100, 10, Device.MANUAL, "B")
        self._give(OpenTable(_PIT_MANAGER, setting, 10**12))
        for position in range(1, 10):
            self._give(BuyIn(_DEALER, str(position), 10**10))

    def play(self, rounds: int) -> None:
        """Play ``rounds`` rounds."""
        for _ in range(rounds):
            if self.table.shoe is None or len(self.table.shoe.unexposed) < 100:
                self._new_shoe()
            self._round()

    def _give(self, command: Command) -> None:
        self.commands += 1
        answer = decide(self.table, command)
        assert not isinstance(answer, Refusal), answer
        for event in answer:
            self.table = evolve(self.table, event)

    def _new_shoe(self) -> None:
        if self.table.shoe:
            self._give(OpenBets(_DEALER))
            self._give(CloseBets(_DEALER))
            self._give(ReportVoid(_DEALER, "order-altered"))
            self._give(ConfirmVoid(_PIT_MANAGER))
            self._give(ReplaceCards(_PIT_MANAGER))
        self._give(LoadShoe(_DEALER, f"shoe {self.table.shoes + 1}"))
        self._exposed = 0

    def _round(self) -> None:
        self._give(OpenBets(_DEALER))
        for position in range(1, 10):
            patron = Actor(str(position), Role.PATRON)
            for wager in ("Player", "Tie", "Player Pair"):
                self._give(PlaceWager(patron, patron.id, position, wager, 500))
        self._give(CloseBets(_DEALER))
        for _ in _PLACES:
            self._give(DrawCard(_DEALER))
        for hand, place in _PLACES:
            self._give(ExposeCard(_DEALER, hand, place, self._card()))
        while hand_due := next_card(self.table.round.values(Hand.PLAYER), self.table.round.values(Hand.BANKER)):
            self._give(DrawCard(_DEALER))
            self._give(ExposeCard(_DEALER, hand_due, 2, self._card()))
        self._give(AnnounceOutcome(_DEALER))
        self._give(SettleRound(_DEALER))

    def _card(self) -> Card:
        """Return the next card of a fixed order that mixes ranks and suits."""
        self._exposed += 1
        return DECK[7 * self._exposed % len(DECK)]
