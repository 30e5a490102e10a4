"""A practice table: the real table, with patrons at it, played on by whatever its own guidance says comes next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from punto.cards import Card
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.school.chip_rack import stake
from punto.school.seeded_chance import Lot
from punto.shoe import practice_shoe
from punto.table.command import Command
from punto.table.decide import COMMANDS, decide
from punto.table.default_settings import on_the_hands
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.guidance.authority import whose
from punto.table.guidance.next_step import NextStep
from punto.table.guidance.next_steps import next_steps
from punto.table.irregularities.cards_taken import CardsTakenHold
from punto.table.play.chips import BuyIn
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import PlaceWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.settings import Limits, Setting
from punto.table.table import Table

PATRONS = ("Ann", "Bob", "Cho")
_BUY_IN, _FLOAT = 50_000_000, 1_000_000_000
STAKED_AT_MOST = 100_000
_LONGEST = 5_000
"""Steps: longer than any shoe."""

ANYBODY = Actor("any", Role.DEALER)
"""Stands in a command until it is asked whose it is."""


def acting(role: Role, patron: str | None = None) -> Actor:
    """Return an actor in a position; a patron by name."""
    return Actor(patron or role.value, role)


class Practice:
    """A table, its shoe, the people at it, and everything that has happened there."""

    def __init__(self, book: Rulebook, setting: Setting, lot: Lot) -> None:
        self.lot, self.log = lot, list[Event]()
        self.table, self.by = Table(book), ANYBODY
        """The table, and who acted at it last."""
        self._seed, self._shoes = lot.below(1 << 16), 0
        self.give(OpenTable(ANYBODY, setting, _FLOAT))
        for patron in PATRONS:
            self.give(BuyIn(ANYBODY, patron, _BUY_IN))

    def give(self, command: Command) -> tuple[Event, ...]:
        """Carry out a command: a patron's as the patron, any other in the lowest position that may."""
        if command.by is ANYBODY:
            command = replace(command, by=acting(whose(self.table, command).role))
        answer = decide(self.table, command)
        assert not isinstance(answer, Refusal), answer.sentence(self.table.book)
        for event in answer:
            self.table = evolve(self.table, event)
        self.log += answer
        self.by = command.by
        return answer

    # --- playing on --------------------------------------------------------------------------------------------------

    def until(self, there: Callable[[Table], bool]) -> None:
        """Play on until the table is at a moment."""
        for _ in range(_LONGEST):
            if there(self.table):
                return
            self.on()
        raise AssertionError("that moment never came")

    def on(self) -> None:
        """The next step that play waits for."""
        step = next(each for each in next_steps(self.table) if each.must)
        if step.command == "LoadShoe":
            self._shoes += 1
            self._shoe = practice_shoe(self._seed, self.table.set_up.decks, self._shoes)
        self.give(self.as_suggested(step))
        if step.command == "OpenBets":
            self._place_wagers()

    def as_suggested(self, step: NextStep) -> Command:
        """Return a step as a command, with what has to be keyed filled in."""
        values: dict[str, Any] = dict(step.values)
        for name in step.keyed:
            values[name] = self._keyed(name)
        if step.command == "ExposeCard":
            assert step.hand is not None
            assert step.place is not None
            values["card"] = self.lies(step.hand, step.place)
        return COMMANDS[step.command](acting(step.role, step.patron if step.role is Role.PATRON else None), **values)

    def _keyed(self, name: str) -> object:
        keyed: dict[str, Callable[[], object]] = {
            "shoe": lambda: self._shoe.name,
            "hand": lambda: self.lot.pick(tuple(Hand)),
            "card": lambda: None,
            "order": lambda: self.table.round.together,
            "lacking": lambda: (*self._taken(), *self._set_aside()),
            "set_aside": self._set_aside,
            "uncovered": lambda: "",
        }
        return keyed[name]()

    def lies(self, hand: Hand, place: int) -> Card:
        """Return what a card on the table really is."""
        return self._shoe.card_at(self.table.round.hands[hand][place].index)

    def _taken(self) -> tuple[Card, ...]:
        assert isinstance(self.table.hold, CardsTakenHold)
        places = self.table.round.hands[self.table.hold.hand]
        return tuple(self._shoe.card_at(each.index) for each in places if each.card is None)

    def _set_aside(self) -> tuple[Card, ...]:
        return tuple(map(self._shoe.card_at, self.table.out))

    # --- wagers ------------------------------------------------------------------------------------------------------

    def _place_wagers(self) -> None:
        """Place a wager on each hand, so that each can be passed; the last patron plays the rest."""
        names = [each.name for each in self.table.book.wagers]
        hands = on_the_hands(self.table.book)
        sides = [each for each in names if each not in hands] or names
        chosen = [*hands, self.lot.pick(sides)][-len(PATRONS) :]
        for position, (patron, wager) in enumerate(zip(PATRONS, chosen, strict=False), start=1):
            for each in dict.fromkeys((wager, self.lot.pick(sides)) if self.lot.once_in(2) else (wager,)):
                amount = self.some_stake(each)
                self.give(PlaceWager(acting(Role.PATRON, patron), patron, position, each, amount))

    def some_stake(self, wager: str) -> int:
        """Return an amount that a patron might wager."""
        limits = self.table.set_up.limits[wager]
        return stake(Limits(limits.minimum, min(limits.maximum, STAKED_AT_MOST)), self.lot)

    def areas(self) -> list[tuple[str, int, str]]:
        """Where wagers lie: whose, at which position, on what."""
        return list(self.table.round.stakes)

    def position_of(self, patron: str) -> int:
        return PATRONS.index(patron) + 1


def in_round(table: Table) -> bool:
    """Return whether a round is being played."""
    return table.phase in (Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
