"""Write rounds as a script: the commands a table carried out, which play back to the same events."""

from __future__ import annotations

from collections.abc import Iterable

from punto.notation.command_words import WORDS, chips, free_text, money
from punto.notation.heading import BY_FIRST_CARD, FIRST_EXPOSED, NOBODY
from punto.table.command import Command, Report
from punto.table.irregularities.referral import DecideReferral, Refer
from punto.table.play.duty import CallPit
from punto.table.play.table_management import OpenTable
from punto.table.roles import Role
from punto.table.settings import Burn, Setting


def write(game: str, opening: OpenTable, carried_out: Iterable[Command]) -> str:
    """Return a script of the commands carried out at a table since it was opened."""
    lines = [f"for {game}", *_heading(opening.setting), f"float {chips(opening.float_, opening.pieces)}", ""]
    return "\n".join([*lines, *map(line, carried_out)]) + "\n"


def line(command: Command) -> str:
    """Return a command as its line in a script, with its details in brackets."""
    told = "; ".join(f"{name} {value}" for name, value in _told(command) if value not in (None, ""))
    words = WORDS[type(command)](command)
    if words.endswith(" times)"):
        words += " (1 times)"  # the note is free text: keeps its end from being read as a repetition
    return f"{_who(command)}: {words}" + (f" [{told}]" if told else "")


def _told(command: Command) -> list[tuple[str, object]]:
    always: list[tuple[str, object]] = [
        ("at", command.at),
        ("round", command.in_round),
        ("window", command.in_window),
        ("expires", command.expires),
    ]
    if isinstance(command, CallPit):
        return [*always, ("note", command.note)]
    if not isinstance(command, Report):
        return always
    told: list[tuple[str, object]] = [
        ("noticed by", free_text(command.noticed_by)),
        ("note", free_text(command.note)),
        ("reason", free_text(command.reason)),
    ]
    if isinstance(command, DecideReferral):
        told.append(("uncovered", free_text(command.uncovered)))
    if isinstance(command, Refer):
        told.append(("covered by", command.covered_by))
    return [*always, *told]


def _who(command: Command) -> str:
    person = command.by
    named = person.role is Role.PATRON or person.id == person.role.value
    return person.id if named else f"{person.role.value} {person.id}"


def _people(setting: Setting) -> list[str]:
    """Return the lines on sign-on and sensitive acts; Dealers sign on in the script itself."""
    lines = [f"sign on {NOBODY}"] if setting.sign_on else []
    if setting.second_person:
        lines.append(f"second person {', '.join(setting.second_person)}")
    if setting.second_person_above:
        lines.append(f"second person above {money(setting.second_person_above)}")
    if setting.second_person_seconds is not None:
        lines.append(f"second person seconds {setting.second_person_seconds}")
    return [*lines, "reasons required"] if setting.reasons_required else lines


def _burn(burn: Burn) -> str:
    if burn.cards is None:
        return BY_FIRST_CARD
    return f"{burn.cards}{FIRST_EXPOSED if burn.first_exposed else ''}"


def _heading(setting: Setting) -> list[str]:
    chosen = {
        "wagers per area": setting.area_capacity,
        "method": setting.method,
        "room": setting.room,
        "burn": _burn(setting.burn) if setting.burn else None,
        "betting seconds": setting.betting_seconds,
        "answer seconds": setting.answer_seconds,
        "squeeze seconds": setting.squeeze_seconds if setting.method == "A" else None,
        "differential": None if setting.differential is None else money(setting.differential),
    }
    flags = {"hlga": setting.hlga, "managers interchangeable": setting.managers_interchangeable}
    return [
        f"layout {setting.layout}",
        f"positions {setting.positions}",
        f"decks {setting.decks}",
        f"device {setting.device.value}",
        f"step {money(setting.stake_step)}",
        f"confirms {setting.confirms.value}",
        *(f"limits {name} {money(each.minimum)}-{money(each.maximum)}" for name, each in setting.limits.items()),
        *(f"wagers per area {each.capacity} for {each.wager} at {each.position}" for each in setting.restricted),
        *(f"pays at most {money(each.amount)} on {', '.join(each.wagers)}" for each in setting.payout_caps),
        *(f"{key} {value}" for key, value in chosen.items() if value is not None),
        *(key for key, said in flags.items() if said),
        *_people(setting),
    ]
