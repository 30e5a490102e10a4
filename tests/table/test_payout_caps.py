"""Caps on what a table pays in a round: which settings are refused, and that the notation has them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from punto import load
from punto.notation import parse
from punto.notation.heading import setting
from punto.notation.script_writer import write
from punto.table.default_settings import practice_setting
from punto.table.play.table_management import OpenTable
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.setting_checks import fits
from punto.table.settings import PayoutCap

TIGER = load("tiger")


@pytest.mark.parametrize(
    ("caps", "case"),
    [
        ((PayoutCap((), 100_000),), "cap-nothing"),
        ((PayoutCap(("Lucky",), 100_000),), "cap-unknown"),
        ((PayoutCap(("Tie", "Tie"), 100_000),), "cap-twice"),
        ((PayoutCap(("Tie",), 100_000), PayoutCap(("Tiger", "Tie"), 100_000)), "cap-twice"),
        ((PayoutCap(("Banker",), 10_000_000),), "cap-commission"),
        ((PayoutCap(("Tie",), 39_99),), "cap-minimum"),
        ((PayoutCap(("Tie",), -1),), "numbers"),
    ],
)
def test_a_cap_without_sense_is_refused(caps: tuple[PayoutCap, ...], case: str) -> None:
    """The least wager on Tie is 5, which wins 40."""
    refusal = fits(TIGER, replace(practice_setting(TIGER), payout_caps=caps))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad-setting"
    assert refusal.case == case


def test_a_cap_that_one_wager_at_its_minimum_just_reaches_is_in_order() -> None:
    assert fits(TIGER, replace(practice_setting(TIGER), payout_caps=(PayoutCap(("Tie",), 40_00),))) is None


def test_the_notation_writes_caps_as_it_reads_them() -> None:
    caps = (PayoutCap(("Tie", "Tiger Pair"), 5_000_50), PayoutCap(("Tiger",), 1_000_00))
    opening = OpenTable(Actor("Pit Manager", Role.PIT_MANAGER), replace(practice_setting(TIGER), payout_caps=caps), 100)
    script = parse(write("tiger", opening, ()) + "Dealer: load shoe one\n")
    assert setting(script, TIGER)[0].payout_caps == caps
