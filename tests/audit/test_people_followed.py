"""The auditor follows people: who is on duty, what was paid of a debt, and whether two people did what takes two."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

import punto
from punto.audit.recomputation import recompute
from punto.notation import parse
from punto.notation.script_player import Player
from punto.table.event import Event, Irregularity
from punto.table.irregularities.void import RoundVoided
from punto.table.play.debts import DebtPaid
from punto.table.play.duty import DealerSignedOff, DealerSignedOn
from punto.table.play.second_person import ActConfirmed, ActProposed

SCRIPTS = Path(__file__).parents[1] / "scripts"
GAME = (Path(punto.__file__).parent / "rules" / "games" / "baccarat.toml").read_bytes()
Alter = Callable[[list[Event]], list[Event]]


def _played(name: str) -> list[Event]:
    script = parse((SCRIPTS / f"{name}.round").read_text("utf-8"))
    player = Player(script, next(run for run in script.runs if run.game == "baccarat"))
    assert player.play() == []
    return player.log


def _changed(kind: type[Event], **values: object) -> Alter:
    return lambda log: [replace(event, **values) if isinstance(event, kind) else event for event in log]


def _without(kind: type[Event]) -> Alter:
    return lambda log: [event for event in log if not isinstance(event, kind)]


def _told(**values: object) -> Alter:
    """Change the circumstances of what was voided."""

    def alter(log: list[Event]) -> list[Event]:
        return [_with(event, values) if isinstance(event, RoundVoided) else event for event in log]

    return alter


def _with(event: Irregularity, values: dict[str, object]) -> Event:
    assert event.circumstances
    return replace(event, circumstances=replace(event.circumstances, **values))


@pytest.mark.parametrize(
    ("script", "alter", "code"),
    [
        ("sign-on", _without(DealerSignedOff), "differs.on-duty"),
        ("sign-on", _changed(DealerSignedOn, relieved="Pat"), "differs.on-duty"),
        ("second-person", _changed(ActConfirmed, confirmed_by="Bo"), "act-by-one-person"),
        ("second-person", _changed(ActConfirmed, act=1), "act-not-proposed"),
        ("second-person", _without(ActProposed), "act-not-proposed"),
        ("second-person", _changed(ActProposed, until_round=0), "act-not-proposed"),
        ("second-person", _changed(ActProposed, reason=""), "act-without-reason"),
        ("second-person", _without(ActConfirmed), "act-not-confirmed"),
        ("second-person", _told(second_person=""), "act-not-confirmed"),
        ("second-person", _told(reason=""), "act-without-reason"),
        ("second-person-removal", _without(ActConfirmed), "act-not-confirmed"),
        ("second-person-withdrawal", _without(ActConfirmed), "act-not-confirmed"),
        ("reasons-required", _told(reason=""), "act-without-reason"),
        ("debt-paid", _changed(DebtPaid, amount=200_00), "debt-overpaid"),
    ],
)
def test_the_auditor_finds_it(script: str, alter: Alter, code: str) -> None:
    log = _played(script)
    assert recompute(log, GAME).findings == []
    assert code in [each.code for each in recompute(alter(log), GAME).findings]
