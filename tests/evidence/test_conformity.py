"""Requirements of standards: the data is sound, ``punto conform`` prints it, and a few that nothing else shows."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from generator import conformity
from msgspec.structs import fields
from support.command import refused, run, run_json
from support.named_tests import is_there
from support.pdf_text import pdf_text
from support.sessions import ROOT

from punto import APPROVED, Hand, load, odds
from punto.evidence.standards.requirements import Requirement, Status, standard, standards
from punto.report.conformity.conformity_sheet import conformity_sheet
from punto.server.http.app import interface
from punto.server.running.lifecycle import check_pace
from punto.server.tables.auto_dealer import USUAL_PACE, AutoDealer, Pace
from punto.store.records import StoreError
from punto.table.command import Command
from punto.table.decide import COMMANDS
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard
from punto.table.play.settlement import SettleRound
from punto.table.play.wagers import CloseBets, OpenBets
from punto.table.roles import AUTOMATON
from punto.texts import Language, text

ALL = [(key, each) for key in standards() for each in standard(key).requirements]


def place(section: str) -> tuple[tuple[int, int, str], ...]:
    """Where a section stands: the numbers and letters of the first one that is named."""
    first = re.split(r"[-,]", section)[0]
    signs = re.findall(r"\d+|[A-Z]+|\([a-z]+\)", first)
    return tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in signs)


@pytest.mark.parametrize("key", standards())
def test_sections_are_unique_in_order_and_in_a_chapter(key: str) -> None:
    known = standard(key)
    sections = [each.section for each in known.requirements]
    assert len(sections) == len(set(sections))
    assert sections == sorted(sections, key=place)
    starts = tuple(known.chapters)
    assert [each for each in sections if not each.startswith(starts)] == []
    assert {each.section for each in known.figures.values()} <= set(sections)


def test_every_requirement_says_what_its_status_needs() -> None:
    """No requirement is met without a test, and what is missing is said."""
    for key, each in ALL:
        about = f"{key} {each.section}"
        assert each.asks, about
        if each.status in (Status.MET, Status.PARTLY):
            assert each.how, about
            assert each.tests, about
            assert each.shown, about
        if each.status in (Status.PARTLY, Status.NOT):
            assert each.gap, about
        else:
            assert not each.gap, about
        if each.status in (Status.OPERATOR, Status.NOT_APPLICABLE):
            assert each.how, about
        if each.status in (Status.NOT, Status.NOT_APPLICABLE):
            assert not each.tests, about


def test_every_test_that_is_named_exists() -> None:
    assert [f"{key} {each.section}: {test}" for key, each in ALL for test in each.tests if not is_there(test)] == []
    assert all("::test_" in test or not test.split("::")[0].endswith(".py") for _, each in ALL for test in each.tests)


def test_standards_are_counted_and_listed() -> None:
    told = {each["standard"]: each for each in run_json("conform")["standards"]}
    assert set(told) == set(standards())
    for key, each in told.items():
        found = run_json("conform", key)
        assert found["counts"] == each["counts"]
        counted = Counter(each["status"] for each in found["requirements"])
        assert {status: number for status, number in each["counts"].items() if number} == counted
    printed = run("conform")
    assert all(key in printed for key in told)


def test_requirements_are_chosen_by_status() -> None:
    every = run_json("conform", "gli-19")["requirements"]
    for status in Status:
        chosen = run_json("conform", "gli-19", "--status", status.value)["requirements"]
        assert chosen == [each for each in every if each["status"] == status.value]
    first = next(each for each in every if each["status"] == "not")
    printed = " ".join(run("conform", "gli-19", "--status", "not").split())
    assert first["section"] in printed
    assert "Missing: " in printed


@pytest.mark.long
def test_the_paper_holds_every_section_and_its_tests(tmp_path: Path) -> None:
    file = tmp_path / "gli-19.pdf"
    assert "requirements of GLI-19" in run("conform", "gli-19", "-o", str(file))
    paper = "".join(pdf_text(file.read_bytes()).split())
    for each in standard("gli-19").requirements:
        assert "".join(each.section.split()) in paper
    assert "Missing" in paper
    assert "tests/tlog" not in paper


def test_the_paper_says_what_is_missing_and_which_tests_there_are() -> None:
    known = standard("uk-rts")
    sheet = conformity_sheet(known, known.counts())
    rows = [row for chapter in sheet["chapters"] for row in chapter["requirements"]]
    assert [row["section"] for row in rows] == [each.section for each in known.requirements]
    assert {row["section"] for row in rows if row["gap"]} == {each.section for each in known.requirements if each.gap}
    assert sum(len(row["tests"]) for row in rows) == sum(len(each.tests) for each in known.requirements)
    assert dict(sheet["counts"])["met"] == str(known.counts()["met"])


def test_what_cannot_be_asked_is_refused(tmp_path: Path) -> None:
    assert "there is no standard 'gli-11'" in refused("conform", "gli-11")
    assert "say of which standard" in refused("conform", "--status", "met")
    assert "invalid choice" in refused("conform", "gli-19", "--status", "maybe")
    assert ".pdf" in refused("conform", "gli-19", "-o", str(tmp_path / "gli-19.txt"))
    with pytest.raises(KeyError):
        standard("gli-11")


def test_the_page_lists_every_requirement() -> None:
    page = conformity.shown()
    assert all(f"| {each.section} | " in page for _, each in ALL)


def test_a_requirement_that_is_met_without_a_test_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = Requirement("1", "something", Status.MET, "somehow", "", (), "a page")
    monkeypatch.setitem(globals(), "ALL", [("none", bare)])
    with pytest.raises(AssertionError):
        test_every_requirement_says_what_its_status_needs()


# --- requirements that no other test shows ----------------------------------------------------------------------------


def test_no_command_moves_money_between_patrons() -> None:
    """Whatever has an amount names one patron at most: nothing could say to whom else the money goes."""
    about = {each.name for each in fields(Command)}
    beside = {"position", "wager", "round", "owed", "owed_at", "paid_at", "pieces", "slip", "recorded"}
    beside |= {"noticed_by", "note", "reason"}
    moving = {name: {each.name for each in fields(kind)} for name, kind in COMMANDS.items()}
    moving = {name: named - about - beside for name, named in moving.items() if "amount" in named}
    assert {"BuyIn", "CashOut", "PayDebt", "PlaceWager"} <= moving.keys()
    assert [name for name, named in moving.items() if not named <= {"patron", "amount"}] == []
    bodies = {name: set(schema.get("properties", ())) for name, schema in _bodies().items()}
    bodies = {name: named for name, named in bodies.items() if "amount" in named}
    assert {"CageOrder", "Transfer"} <= bodies.keys()
    allowed = {"patron", "amount", "key", "table", "to_table", "from_account", "name", "direction", "day_began"}
    assert [name for name, named in bodies.items() if not named <= allowed] == []


def _bodies() -> dict[str, Any]:
    """The schemas of what a request over HTTP may hold, the messages that commands are given by aside."""
    whole = interface()
    named = set()
    for path, operations in whole["paths"].items():
        for each in operations.values():
            if "requestBody" in each and not path.endswith("/commands"):
                named |= set(re.findall(r"#/components/schemas/(\w+)", json.dumps(each["requestBody"])))
    return {name: whole["components"]["schemas"][name] for name in named}


@pytest.mark.parametrize("game", APPROVED)
def test_the_rarest_award_comes_often_enough(game: str) -> None:
    for each in odds(load(game)).wagers:
        highest = max(each.outcomes, key=lambda line: line.pays)
        assert highest.probability * 100_000_000 >= 1, each.wager.name


def test_a_round_of_an_automatic_table_takes_at_least_five_seconds() -> None:
    """The shortest round that there is: nothing to bet on, no third card, nobody to squeeze."""
    dealer = AutoDealer(Mock())
    cards: list[Command] = [DrawCard(AUTOMATON) for _ in range(4)]
    cards += [ExposeCard(AUTOMATON, hand, index) for hand in Hand for index in range(2)]
    steps = [OpenBets(AUTOMATON), CloseBets(AUTOMATON), *cards, AnnounceOutcome(AUTOMATON), SettleRound(AUTOMATON)]
    assert sum(map(dealer._pause_after, steps)) >= 5
    assert sum(map(dealer._pause_after, steps[-2:])) >= 5, "and that without any card"


@pytest.mark.parametrize("pace", [replace(USUAL_PACE, look=3.9), replace(USUAL_PACE, step=0.7)])
def test_a_pace_that_shortens_rounds_is_for_practice_alone(pace: Pace) -> None:
    check_pace(pace, practice=True)
    check_pace(USUAL_PACE, practice=False)
    with pytest.raises(StoreError, match="at least five seconds"):
        check_pace(pace, practice=False)


def test_the_squeeze_says_that_it_changes_nothing() -> None:
    assert "changes nothing" in text("pages", "squeeze.how")
    assert "不会改变" in text("pages", "squeeze.how", Language.CHINESE)
    assert '"squeeze.how"' in (ROOT / "web" / "src" / "seat" / "squeeze" / "my-cards.ts").read_text("utf-8")
