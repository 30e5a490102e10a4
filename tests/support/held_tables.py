"""Every kind of hold that the scripts reach: as a state, and as a table of a served house."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import asdict, replace
from properties.way_out import way_out
from support.live import Someone
from support.playing import House

from punto.notation import parse
from punto.notation.script_player import Player
from punto.server.access.identity import Duty
from punto.store.codec import decode, encoder, version_of
from punto.table.command import Command
from punto.table.evolve import replay
from punto.table.guards import Decision
from punto.table.hold import Hold
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import ExposeCard
from punto.table.play.table_management import OpenTable
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.round import IN_ROUND
from punto.table.settings import KNOWS_ITS_CARDS, Device
from punto.table.table import Table

SCRIPTS = Path(__file__).parents[1] / "scripts"
_NUMBERS = count(1)
_READ = "2h 3h 4h 5h 6h 7h 8h 9h Th Jh"
"""What a dealing device reads."""


def patrons_of(house: House) -> dict[str, Someone]:
    """Return a patron of the house for each name in the scripts, who may play at any of the tables."""
    names = sorted({each.patron for held in reached().values() for each in held.commands if isinstance(each, BuyIn)})
    patrons = {}
    for script_name, sign in zip(names, "甲乙丙丁戊己庚辛", strict=False):
        added = house.cashier.post("/api/people", name=f"客人{sign}", duty="patron")
        patrons[script_name] = house.live.by_link(added["link"])
        house.cashier.post("/api/cage/deposits", patron=patrons[script_name].id, amount=10_000_000)
    return patrons


@dataclass(frozen=True)
class Reached:
    """A state in which play is held, and the commands that led to it."""

    script: str
    table: Table
    commands: tuple[Command, ...]

    @property
    def kind(self) -> tuple[type[Hold], str]:
        assert self.table.hold
        return type(self.table.hold), self.table.hold.provision


class _Held(Player):
    """Plays a script, and keeps every state in which play is held."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.given: list[Command] = []
        self.held: list[tuple[Table, tuple[Command, ...]]] = []

    def _give(self, given: Command) -> Decision:
        answer = super()._give(given)
        if not isinstance(answer, Refusal):
            self.given.append(given)
            if self.table.hold:
                self.held.append((self.table, tuple(self.given)))
        return answer


@cache
def reached() -> dict[tuple[type[Hold], str], Reached]:
    """Return a state for each kind of hold and each provision that play is held for in any script.

    Of several the one that takes the fewest commands, at a table whose cards people know.
    """
    found: dict[tuple[type[Hold], str], Reached] = {}
    for file in sorted(SCRIPTS.glob("*.round")):
        script = parse(file.read_text("utf-8"))
        player = _Held(script, script.runs[0])
        player.play()
        for table, commands in player.held:
            each = Reached(file.stem, table, commands)
            if each.kind not in found or _effort(each) < _effort(found[each.kind]):
                found[each.kind] = each
    return found


def _effort(each: Reached) -> tuple[bool, bool, int]:
    return each.table.set_up.device in KNOWS_ITS_CARDS, not each.table.round.stakes, len(each.commands)


class HeldTable:
    """A table of a served house, brought into a hold by the commands of a script."""

    def __init__(self, house: House, reached: Reached, patrons: dict[str, Someone]) -> None:
        self.house, self.book, self.patrons = house, reached.table.book, patrons
        self.name = f"held-{next(_NUMBERS)}"
        house.manager.post("/api/tables", table=self.name, game=self.book.key)
        for each in reached.commands:
            self.give(each)

    def give(self, command: Command) -> None:
        """Give a command as the person whom the script names; deadlines are left to people."""
        values = {name: self._known(value) for name, value in asdict(command).items()}
        person = self._person(values.pop("by").id, command.by.role)
        for each in ("at", "in_round", "in_window"):
            del values[each]
        if isinstance(command, OpenTable):
            values["setting"] = replace(command.setting, answer_seconds=None, betting_seconds=None)
        if isinstance(command, ExposeCard) and self.table.set_up.device is Device.CARD_READING:
            self._turn(command)
            return
        person.done(self.name, type(command).__name__, **values)

    def _turn(self, command: ExposeCard) -> None:
        """Turn a card that the dealing device has read; people name one that it missed."""
        place = {"hand": command.hand, "place": command.place}
        if self.house.dealer.give(self.name, "ExposeCard", **place).status_code != HTTPStatus.OK:
            self.house.dealer.done(self.name, "NameCard", **place, card=command.card)
            self.house[Duty.PIT_MANAGER].done(self.name, "ConfirmCard", reason="surveillance saw it")

    def _person(self, name: str, role: Role) -> Someone:
        known = {each.id: each for each in self.patrons.values()}
        return known[name] if role is Role.PATRON else self.house[Duty(role.value)]

    def _known(self, value: Any) -> Any:
        """Return a value with the ids of patrons for their names in the script."""
        if isinstance(value, Actor):
            return replace(value, id=self._known(value.id))
        if isinstance(value, tuple):
            return tuple(self._known(each) for each in value)
        return self.patrons[value].id if isinstance(value, str) and value in self.patrons else value

    @property
    def table(self) -> Table:
        """The table as its stored events have it."""
        stored = [(each["name"], version_of(each["name"]), encoder.encode(each["body"])) for each in self.events]
        return replay(Table(self.book), [decode(*each) for each in stored])

    @property
    def events(self) -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = self.house.manager.get(f"/api/tables/{self.name}/events")
        return told

    def play_on(self) -> None:
        """End the round, if one is in play, and open the betting for the next."""
        self._read_cards()
        while (table := self.table).phase in IN_ROUND:
            found = way_out(table, Random(table.steps))
            assert found, "there is no way out"
            self.give(found[0])
        assert not table.holds
        if table.shoe is None:
            self.house.dealer.done(self.name, "LoadShoe", shoe=f"{self.name} new")
        self.house.dealer.done(self.name, "OpenBets")

    def _read_cards(self) -> None:
        """Have the dealing device, where one reads cards, tell those that come next."""
        shoe = self.table.shoe
        if self.table.set_up.device is not Device.CARD_READING or shoe is None:
            return
        named = {"name": f"reader of {self.name}", "duty": Duty.DEVICE.value, "table": self.name}
        added = self.house.manager.post("/api/people", **named)
        device = self.house.live.someone(added["token"])
        for sequence, card in enumerate(_READ.split()):
            device.post(f"/api/tables/{self.name}/cards", shoe=shoe.name, sequence=sequence, card=card)
