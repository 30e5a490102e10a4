"""The table of significant kinds: each event in it can be read, and decisions of people are in it."""

from __future__ import annotations

import pytest
from properties.random_play import RandomPlay
from support.significant_values import sample

from punto.report.significant.kinds import BY_NAME, TABLE, SignificantKind
from punto.store.codec import KINDS
from punto.store.events.house_events import ClockSet, SettingsChanged
from punto.store.events.limit_events import LimitKind, PatronLimitSet, Period
from punto.store.events.program_events import CheckedWhen, ProgramChecked, ProgramState
from punto.store.house_settings import HouseSettings
from punto.table.play.shoes import ShoeEnded
from punto.table.registry import SENSITIVE

FROM_ALERTS = {SignificantKind.LARGE_WAGER, SignificantKind.LARGE_WIN, SignificantKind.DEVIATION}

MUST_BE = {
    SignificantKind.SIGN_IN: "PersonSignedIn PersonSignedOut SessionUnlocked RecoveryCodeUsed",
    SignificantKind.SIGN_IN_REFUSED: "SignInsRefused",
    SignificantKind.PEOPLE: (
        "PersonNamed PersonAllowed PersonErased WordsErased PeopleTakenOver PasswordSet PersonChangeAsked "
        "SecondFactorSet SecondFactorRemoved"
    ),
    SignificantKind.LINK: "LinkMade",
    SignificantKind.DUTY: "DealerSignedOn DealerSignedOff ActingAppointed ActingEnded",
    SignificantKind.DEVICE: "DeviceBound DeviceTokenMade DeviceRevoked DeviceRefused",
    SignificantKind.SETTINGS: "SettingsChanged AutomationSet GameSaved LimitsChanged MethodChanged AreaRestricted",
    SignificantKind.LIMIT: "PatronLimitSet PatronExcluded ExclusionLifted LossLimited LossLimitEased",
    SignificantKind.STOP: "GamingStopped GamingResumed",
    SignificantKind.OPENING: "TableCreated TableOpened TableClosed",
    SignificantKind.MONEY: "Deposited PaidOut DebtBooked DebtReduced DebtSettled SlipCancelled CashFlagSeen",
    SignificantKind.VOID: "RoundVoided VoidDismissed",
    SignificantKind.CORRECTION: (
        "RoundCorrected OverlookedWagerSettled CardCorrected CardsRelaid AnswerCorrected ReportWithdrawn "
        "PayoutCorrected PayoutStands WagerFound"
    ),
    SignificantKind.REMOVAL: "LateWagerRefused WagerRemoved WagerReturned",
    SignificantKind.OVERRIDE: (
        "CardsPutAside NewCardsOrdered ReadingOverridden ReferralDecided ActProposed ActConfirmed ActDropped"
    ),
    SignificantKind.SHOE: "ShoeEnded",
    SignificantKind.CLOCK: "ClockSet",
    SignificantKind.PROGRAM: "ProgramInstalled ProgramChecked",
    SignificantKind.ROLLBACK: "HouseClosed HouseResumed",
    SignificantKind.ALERT: "AlertAcknowledged",
}
"""Names of events by what they are about, written out: an event that leaves the table is missed here."""


def test_every_kind_of_the_table_is_stored_and_names_fields_that_exist() -> None:
    for kind, significance in TABLE.items():
        assert KINDS[kind.__name__] is kind
        assert significance.about in ("", *kind.__struct_fields__), kind
        before, after = significance.read(sample(kind))
        assert all(isinstance(each, str | int | bool) for each in (*before.values(), *after.values())), kind
    assert {each.kind for each in TABLE.values()} | FROM_ALERTS == set(SignificantKind)


@pytest.mark.parametrize("kind", MUST_BE, ids=lambda kind: kind.value)
def test_each_event_that_must_be_significant_is(kind: SignificantKind) -> None:
    for name in MUST_BE[kind].split():
        assert BY_NAME[name].kind is kind, name


def test_an_exclusion_a_stop_and_an_overridden_reading_are_always_significant() -> None:
    always = (
        "PatronExcluded ExclusionLifted PatronLimitSet GamingStopped GamingResumed ReadingOverridden RoundVoided "
        "RoundCorrected ReferralDecided PersonErased WordsErased ClockSet ProgramChecked HouseClosed HouseResumed"
    )
    for name in always.split():
        assert BY_NAME[name].holds(sample(KINDS[name]), HouseSettings()), name


def test_what_takes_a_decision_of_people_back_is_significant() -> None:
    assert {kind.__name__ for kind in SENSITIVE} <= BY_NAME.keys() | {"WithdrawalAnswered"}


def test_events_of_random_play_are_read() -> None:
    play = RandomPlay("tiger", 11)
    play.play(1_500)
    read = {
        type(each).__name__: BY_NAME[name].read(each) for each in play.log if (name := type(each).__name__) in BY_NAME
    }
    assert {"TableOpened", "RoundVoided"} <= read.keys()


def test_only_settings_that_changed_are_told() -> None:
    was, now = HouseSettings(), HouseSettings(alert_win=5, property_name="The Grand")
    read = BY_NAME["SettingsChanged"].read
    told = read(SettingsChanged(now, was))
    assert told == ({"alert_win": was.alert_win, "property_name": ""}, {"alert_win": 5, "property_name": "The Grand"})
    before, after = read(SettingsChanged(now))
    assert (before, after["alert_win"], len(after)) == ({}, 5, len(HouseSettings.__struct_fields__))


def test_a_limit_on_time_is_no_amount_of_money() -> None:
    read = BY_NAME["PatronLimitSet"].read
    assert read(PatronLimitSet(LimitKind.TIME, Period.DAY, 60_000, 1, 90_000))[0] == {"limit_ms": 90_000}
    assert read(PatronLimitSet(LimitKind.LOSS, Period.DAY, None, 1, 500)) == (
        {"limit": 500},
        {"kind": "loss", "period": "day", "counts_from": 1},
    )


@pytest.mark.parametrize(("reason", "is_early"), [("house", True), ("cutting-card", False), ("closing", False)])
def test_a_shoe_that_ends_early_counts_and_another_does_not(reason: str, is_early: bool) -> None:
    assert BY_NAME["ShoeEnded"].holds(ShoeEnded("7", reason), HouseSettings()) is is_early


def test_checks_of_the_program_and_of_the_clock_are_read() -> None:
    checked = ProgramChecked(CheckedWhen.DAILY, ProgramState.ALTERED, "1", "ab", 9, ("a.py", "b.py"), expected="ab")
    before, after = BY_NAME["ProgramChecked"].read(checked)
    assert (before, after["state"], after["changed"]) == ({"manifest": "ab"}, "altered", "a.py b.py")
    assert BY_NAME["ClockSet"].read(ClockSet(-5_000, -5)) == ({}, {"milliseconds": -5_000})
