"""Procedures: what can go wrong at a table, with the command that reports it and the steps that follow.

The list is data and decides nothing: it leads to a command, and the command decides what the table does. The sentences
are in ``texts``, under ``procedure.`` and the procedure's key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from punto.cards import Card
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.table.command import Report
from punto.table.decide import COMMANDS
from punto.table.irregularities.exposed_in_error import one_too_many
from punto.table.roles import Role
from punto.table.round import Phase, Place
from punto.table.settings import KNOWS_ITS_CARDS, Device
from punto.table.table import Table
from punto.texts import Language, catalogue

CONFIRMS = "confirms"
"""Stands for the position that the table's setting names."""
ANYWHERE = (Phase.IDLE, Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)


class Need(StrEnum):
    """What has to be at a table before something can have gone wrong with it."""

    ROUND = "round"
    """A round under way, or the last one, settled."""
    SETTLED = "settled"
    """A settled round of the shoe."""
    WAGERS = "wagers"
    FACE_DOWN = "face-down"
    UNSEEN = "unseen"
    """A card that may be turned by mistake: face down in a hand, or one that no hand was due."""
    EXPOSED = "exposed"
    PASSED = "passed"
    """A card that a patron has."""
    DEVICE = "device"
    """A patron who has the dealing device."""


class Words(Struct, frozen=True):
    """The same text in each language."""

    en: str
    zh: str


def words_of(key: str) -> Words:
    """Return a text of the irregularities in each language."""
    return Words(*(catalogue("irregularities", language)[key] for language in Language))


class Question(Struct, frozen=True):
    """What has to be told with a report: a field of its command."""

    name: str
    kind: str
    """What is asked for: patron, position, wager, amount, hand, place, card, cards, yes-no, number, words."""
    words: Words
    devices: tuple[Device, ...]
    """Where it is asked; with other devices it is known."""
    optional: bool = False
    """Whether it may be left empty."""


class Following(Struct, frozen=True, forbid_unknown_fields=True):
    """A step that follows a report: who does it, under which rule, and by which command if it takes one."""

    by: str
    provision: str | None = None
    command: str | None = None
    text_key: str = ""

    @property
    def words(self) -> Words:
        return words_of(self.text_key)


class Procedure(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that can go wrong, and what is done about it."""

    key: str
    group: str
    command: str
    steps: tuple[Following, ...]
    values: Mapping[str, str | bool | int] = {}
    """Fields of the command that are the same every time."""
    omits: tuple[str, ...] = ()
    """Fields of the command that are left out every time."""
    by: str = Role.DEALER.value
    provision: str | None = None
    also_with: tuple[str, ...] = ()
    always: bool = False
    devices: tuple[Device, ...] = tuple(Device)
    methods: tuple[str, ...] = ()
    """The methods under which it can happen; empty means any method, or none."""
    hlga: bool = False
    phases: tuple[Phase, ...] = ANYWHERE
    while_held: bool = False
    only_held: bool = False
    """Whether it is about what play is held for."""
    asks: tuple[str, ...] = ()
    """Fields that every report has and that are asked for here."""
    optional: tuple[str, ...] = ()
    """Fields that may be left empty."""
    needs: tuple[Need, ...] = ()
    """What must be there for it to have happened."""
    found_by_table: bool = False
    """No person reports it: the table finds it when the command is given."""

    @property
    def words(self) -> Words:
        return words_of(f"procedure.{self.key}")

    @property
    def questions(self) -> tuple[Question, ...]:
        """What the reporter is asked: every field of the command that is not known already."""
        return tuple(_questions(self))


_KINDS: dict[Any, str] = {int: "number", bool: "yes-no", Card: "card", Hand: "hand", str: "words"}
_KINDS |= {tuple[Card, ...]: "cards", tuple[Card | None, ...]: "faces", tuple[Hand, ...]: "hands"}
_KINDS |= {tuple[tuple[Hand, int], ...]: "places"}
_FILLED_IN = frozenset({"told"})
"""Fields that the server fills in."""
_ASKED_WITH = {"untold": (Device.CARD_READING,)}
"""Fields that are asked about only with these devices."""
_BY_NAME = {"patron", "position", "wager", "amount", "place", "round"}
"""Fields that are asked for by what they are, not by their type."""


def _kind(name: str, hint: Any) -> str:
    if name in _BY_NAME:
        return name
    if name == "owed":
        return "amount"
    if hint == Card | None:
        return "card"
    return _KINDS[hint]


def _questions(procedure: Procedure) -> Iterator[Question]:
    for each in fields(COMMANDS[procedure.command]):
        known = {*Report.__struct_fields__, *_FILLED_IN, *procedure.values, *procedure.omits}
        if each.name in known - {*procedure.asks}:
            continue
        own = f"procedure.{procedure.key}.ask.{each.name}"
        words = words_of(own if own in catalogue("irregularities") else f"ask.{each.name}")
        asked_with, optional = _asked_with(procedure, each.name, each.type), each.name in procedure.optional
        yield Question(each.name, _kind(each.name, each.type), words, asked_with, optional)


def _asked_with(procedure: Procedure, name: str, hint: Any) -> tuple[Device, ...]:
    """Return the devices with which a field is asked about: a card is told by one that knows it, unless it failed."""
    told_by_device = hint == Card | None and procedure.devices != (Device.CARD_READING,)
    asked = tuple(device for device in Device if not (told_by_device and device in KNOWS_ITS_CARDS))
    return _ASKED_WITH.get(name, asked)


@cache
def procedures() -> tuple[Procedure, ...]:
    """Return all procedures, in the order of the file."""
    content = tomllib.loads(Path(__file__).with_name("procedures.toml").read_text("utf-8"))
    return tuple(map(_with_text_keys, msgspec.convert(content["procedure"], list[Procedure])))


def _with_text_keys(procedure: Procedure) -> Procedure:
    numbered = enumerate(procedure.steps, start=1)
    steps = (replace(step, text_key=f"procedure.{procedure.key}.step.{number}") for number, step in numbered)
    return replace(procedure, steps=tuple(steps))


def of_game(book: Rulebook) -> tuple[Procedure, ...]:
    """Return those for which the game has a rule, or which need none."""

    def has(each: Procedure) -> bool:
        named = (each.provision, *each.also_with)
        return each.always or any(name and book.clauses_of(name) for name in named)

    return tuple(filter(has, procedures()))


def steps_of(book: Rulebook, procedure: Procedure) -> tuple[Following, ...]:
    """Return the steps in this game; those it has no rule for are the confirming position's (reading R22)."""

    def ruled(step: Following) -> bool:
        return step.provision is None or bool(book.clauses_of(step.provision))

    steps = (each for each in procedure.steps if procedure.always or ruled(each))
    return tuple(each if ruled(each) else replace(each, by=CONFIRMS) for each in steps)


def begun_by(book: Rulebook, procedure: Procedure) -> str:
    """Return who begins it in this game; where a manager would by a rule it lacks, the confirming position."""
    ruled = procedure.provision is None or bool(book.clauses_of(procedure.provision))
    return procedure.by if ruled or procedure.by == Role.DEALER.value else CONFIRMS


def can_happen(procedure: Procedure, table: Table) -> bool:
    """Return whether it can happen at this table now, as far as the table's state tells."""
    setting = table.setting
    if setting is None or table.phase not in procedure.phases or (table.hold and not procedure.while_held):
        return False
    if procedure.only_held and not table.hold:
        return False
    if not all(_IS_THERE[need](table) for need in procedure.needs):
        return False
    fits = not procedure.methods or setting.method in procedure.methods
    return fits and setting.device in procedure.devices and (setting.hlga or not procedure.hlga)


def _places(table: Table) -> Iterator[Place]:
    return (place for places in table.round.hands.values() for place in places)


def _with_patrons(table: Table) -> bool:
    return any(table.round.holder(hand) for hand in Hand)


_IS_THERE: Mapping[Need, Callable[[Table], bool]] = {
    Need.ROUND: lambda table: table.phase is not Phase.IDLE or table.round_number in table.history,
    Need.SETTLED: lambda table: bool(table.history),
    Need.WAGERS: lambda table: bool(table.round.stakes),
    Need.FACE_DOWN: lambda table: not table.round.all_exposed,
    Need.UNSEEN: lambda table: not table.round.all_exposed or one_too_many(table),
    Need.EXPOSED: lambda table: any(place.card for place in _places(table)),
    Need.PASSED: _with_patrons,
    Need.DEVICE: lambda table: table.device is not None,
}
