"""Procedures: what can go wrong at a table, in the words of the people there, with the command that reports it.

The catalogue is data. It leads to a command and says what follows; what a table then does is decided by the command.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import fields

from punto.cards import Card
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.table.command import Report
from punto.table.decide import COMMANDS
from punto.table.roles import Role
from punto.table.settings import KNOWS_ITS_CARDS, Device
from punto.table.table import Phase, Table

CONFIRMS = "confirms"
"""Stands for the position that the table's setting names."""
ANYWHERE = (Phase.IDLE, Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)


@dataclass(frozen=True, slots=True)
class Words:
    """The same in each language."""

    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be told with a report: a field of its command."""

    name: str
    kind: str
    """What is asked for: patron, position, wager, amount, hand, place, card, cards, yes-no, number, words."""
    words: Words
    devices: tuple[Device, ...]
    """Where it is asked; with other devices it is known."""


@dataclass(frozen=True, slots=True)
class Following:
    """What follows a report: who does it, under which rule, and by which command if it takes one."""

    by: str
    words: Words
    provision: str | None = None
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Procedure:
    """Something that can go wrong, and what is done about it."""

    key: str
    group: str
    words: Words
    command: str
    questions: tuple[Question, ...]
    steps: tuple[Following, ...]
    values: Mapping[str, str | bool] = field(default_factory=dict)
    """What of the command is the same every time."""
    by: str = Role.DEALER.value
    provision: str | None = None
    also_with: tuple[str, ...] = ()
    always: bool = False
    devices: tuple[Device, ...] = tuple(Device)
    methods: tuple[str, ...] = ()
    """Where only some will do; empty is any, or none."""
    hlga: bool = False
    phases: tuple[Phase, ...] = ANYWHERE
    while_held: bool = False
    found_by_table: bool = False
    """Nobody reports it: the table finds it when the command is given."""


_KINDS: dict[Any, str] = {int: "number", bool: "yes-no", Card: "card", Hand: "hand", str: "words"}
_BY_NAME = {"patron", "position", "wager", "amount", "place", "round"}
"""Fields that are asked for by what they are, not by their type."""


def _kind(name: str, hint: Any) -> str:
    if name in _BY_NAME:
        return name
    if hint == Card | None:
        return "card"
    return "cards" if hint == tuple[Card, ...] else _KINDS[hint]


def _questions(
    command: str, asked: Mapping[str, Any], known: Iterable[str], labels: Mapping[str, Any]
) -> Iterator[Question]:
    kind = COMMANDS[command]
    for each in fields(kind):
        if each.name in Report.__struct_fields__ or each.name in known:
            continue
        words = Words(**(asked.get(each.name) or labels[each.name]))
        told = each.type == Card | None  # where the device tells it
        devices = tuple(device for device in Device if not (told and device in KNOWS_ITS_CARDS))
        yield Question(each.name, _kind(each.name, each.type), words, devices)


def _procedure(entry: dict[str, Any], labels: Mapping[str, Any]) -> Procedure:
    words = Words(entry.pop("en"), entry.pop("zh"))
    steps = tuple(Following(words=Words(each.pop("en"), each.pop("zh")), **each) for each in entry.pop("steps"))
    asked, values = entry.pop("ask", {}), entry.get("values", {})
    told: dict[str, Any] = {
        name: tuple(map(kind, entry.pop(name)))
        for name, kind in (("devices", Device), ("phases", Phase), ("methods", str), ("also_with", str))
        if name in entry
    }
    questions = tuple(_questions(entry["command"], asked, values, labels))
    return Procedure(words=words, questions=questions, steps=steps, **entry, **told)


@cache
def procedures() -> tuple[Procedure, ...]:
    """All there are, in the order of the catalogue."""
    content = tomllib.loads(Path(__file__).with_name("procedures.toml").read_text("utf-8"))
    return tuple(_procedure(each, content["labels"]) for each in content["procedure"])


def of_game(book: Rulebook) -> tuple[Procedure, ...]:
    """Those for which the game has a rule, or which need none."""

    def has(each: Procedure) -> bool:
        named = (each.provision, *each.also_with)
        return each.always or any(name and book.clauses_of(name) for name in named)

    return tuple(filter(has, procedures()))


def steps_of(book: Rulebook, procedure: Procedure) -> tuple[Following, ...]:
    """What follows in this game; what it has no rule for is left to whoever the house has chosen (reading R22)."""

    def ruled(step: Following) -> bool:
        return step.provision is None or bool(book.clauses_of(step.provision))

    steps = (each for each in procedure.steps if procedure.always or ruled(each))
    return tuple(each if ruled(each) else replace(each, by=CONFIRMS) for each in steps)


def can_happen(procedure: Procedure, table: Table) -> bool:
    """Whether it can happen at this table now, as far as that can be told without asking anything."""
    setting = table.setting
    if setting is None or table.phase not in procedure.phases or (table.hold and not procedure.while_held):
        return False
    fits = not procedure.methods or setting.method in procedure.methods
    return fits and setting.device in procedure.devices and (setting.hlga or not procedure.hlga)
