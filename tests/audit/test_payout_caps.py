"""The auditor shares a table's caps with code of its own: it agrees with the table, and notices what is changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from punto.audit.auditor_state import restored, state_of
from punto.audit.recomputation import auditor_of, recompute
from punto.books.ledger import Ledger
from punto.notation import parse
from punto.notation.script_player import Player
from punto.rules.game_library import game_file
from punto.table.event import Event
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableOpened

SCRIPTS = Path(__file__).parents[1] / "scripts"


def _log(name: str) -> list[Event]:
    script = parse((SCRIPTS / f"{name}.round").read_text("utf-8"))
    player = Player(script, script.runs[0])
    assert player.play() == []
    return player.log


def _found(log: list[Event]) -> set[str]:
    return {each.code for each in recompute(log, game_file("baccarat")).findings}


@pytest.mark.parametrize("name", ["payout-cap", "payout-cap-corrected", "payout-cap-returned"])
def test_a_capped_round_is_in_order_and_its_books_balance(name: str) -> None:
    log = _log(name)
    assert _found(log) == set()
    assert sum(Ledger(log).balances.values()) == 0


def test_a_cent_shared_otherwise_is_found() -> None:
    log = _log("payout-cap")
    at = next(number for number, event in enumerate(log) if isinstance(event, RoundSettled))
    settled = log[at]
    assert isinstance(settled, RoundSettled)
    one, other, *rest = settled.wagers
    assert one.capped
    assert other.capped
    more = replace(one, winnings=one.winnings + 1, returned=one.returned + 1, capped=one.capped - 1)
    less = replace(other, winnings=other.winnings - 1, returned=other.returned - 1, capped=other.capped + 1)
    changed = [*log[:at], replace(settled, wagers=(more, less, *rest)), *log[at + 1 :]]
    assert {"differs.capped", "differs.returned", "differs.winnings"} <= _found(changed)


@pytest.mark.parametrize("kind", [RoundCorrected, OverlookedWagerSettled])
def test_what_a_correction_keeps_back_is_checked(kind: type[RoundCorrected | OverlookedWagerSettled]) -> None:
    log = _log("payout-cap-corrected")
    at = next(number for number, event in enumerate(log) if isinstance(event, kind))
    event = log[at]
    correction = event.corrections[0]  # type: ignore[attr-defined]
    assert correction.after.capped
    paid = replace(correction, after=correction.after.paid_by_line())
    other = {"correction": paid} if kind is OverlookedWagerSettled else {"corrections": (paid, *event.corrections[1:])}  # type: ignore[attr-defined]
    assert "differs.capped" in _found([*log[:at], replace(event, **other), *log[at + 1 :]])


def test_another_cap_in_the_opening_is_found() -> None:
    log = _log("payout-cap")
    opened = log[0]
    assert isinstance(opened, TableOpened)
    for caps in ((), (replace(opened.setting.payout_caps[0], amount=999_99),)):
        changed = replace(opened, setting=replace(opened.setting, payout_caps=caps))
        assert "differs.capped" in _found([changed, *log[1:]])


def test_an_auditor_that_goes_on_from_a_checkpoint_knows_the_caps() -> None:
    log = _log("payout-cap")
    auditor = auditor_of(game_file("baccarat"))
    for event in log:
        auditor.look_at(event)
        auditor = restored(state_of(auditor), game_file("baccarat"), "")
    assert auditor.findings == []
    assert auditor.caps
