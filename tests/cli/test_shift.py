"""Shift reports: every figure against a sum of its own over a played day, and what cannot be reported."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from properties.random_play import RandomPlay
from support.command import refused, run, run_json

from punto import load
from punto.notation import parse
from punto.notation.script_player import Player
from punto.store.house import House
from punto.store.records import Append, EventRecord
from punto.store.round_events import time_of
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import make_keys
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.play.table_management import TableClosed
from punto.table.round import Phase
from punto.table.table import Table
from punto.texts import Language

AT = 1_700_000_000_000
STEP = 1_000
COMMANDS = 3_000
PLAYED = (("tiger", 5), ("baccarat", 2), ("fabulous-4", 3))
FLOWS = ("fills", "credits", "drop", "taken_away", "commission", "win")
PLAY = ("rounds", "void", "corrected", "turnover", "won", "claims", "count_difference")


@pytest.fixture(scope="module")
def logs() -> dict[str, list[Event]]:
    """A day of random play at three tables, opened and closed several times."""
    played: dict[str, list[Event]] = {}
    for game, seed in PLAYED:
        play = RandomPlay(game, seed)
        play.play(COMMANDS)
        played[game] = play.log
    assert any(isinstance(each, TableClosed) for log in played.values() for each in log)
    return played


@pytest.fixture(scope="module")
async def day(logs: dict[str, list[Event]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("day") / "punto.db"

    store = SqliteStore(file)
    house = await House.open(store, make_keys(file.with_name("punto.db.key")), AT)
    for game, log in logs.items():
        await house.create_table(f"{game}-1", load(game), AT)
        written = [EventRecord.of(each, AT + STEP * at, "sam", "Dealer") for at, each in enumerate(log)]
        await store.append([Append(f"{game}-1", 0, written)])
    await store.close()
    return file


def shift(day: Path, start: int, end: int) -> dict[str, Any]:
    """The report from one event of the tables up to another."""
    told: dict[str, Any] = run_json(
        "report", "shift", str(day), "--from", time_of(AT + STEP * start), "--to", time_of(AT + STEP * end)
    )
    return told


def stored(day: Path, start: int, end: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The table, name and body of every event in a span, read by nothing of Punto's."""
    query = "select stream, name, body from event where at >= ? and at < ? and stream like '%-1' order by number"
    with closing(sqlite3.connect(f"file:{day}?mode=ro", uri=True)) as database:
        for stream, name, body in database.execute(query, (AT + STEP * start, AT + STEP * end)):
            yield stream, name, json.loads(body)


def summed(day: Path, start: int, end: int) -> dict[str, Counter[str]]:
    """For each table the figures, added up from what was stored: the win from the wagers, not from the floats."""
    found: dict[str, Counter[str]] = {f"{game}-1": Counter() for game, _ in PLAYED}
    simple = {"Filled": "fills", "Credited": "credits", "BoughtIn": "drop", "CashedOut": "taken_away"}
    for table, name, body in stored(day, start, end):
        of = found[table]
        if name in simple:
            of[simple[name]] += body["amount"]
        for each in body["wagers"] if name == "RoundSettled" else ():
            of["turnover"] += each["settled"]
            of["won"] += each["stake"] - each["returned"]
            of["commission"] += each["commission"]
        overlooked = name == "OverlookedWagerSettled"
        for each in [body["correction"]] if overlooked else body["corrections"] if name == "RoundCorrected" else ():
            of["turnover"] += each["after"]["settled"] - each["before"]["settled"]
            of["won"] += each["before"]["returned"] - each["after"]["returned"]
            of["won"] += body["amount"] if overlooked else 0
            of["commission"] += each["after"]["commission"] - each["before"]["commission"]
            of["claims"] += each["owed"]
        of["claims"] += body["owed"] if name == "PayoutCorrected" else 0
        in_chips = name == "DebtCollected" or (name == "DebtPaid" and not body["paid_at"])
        of["claims"] -= body["amount"] if in_chips else 0
        of["rounds"] += name == "RoundSettled"
        of["void"] += name == "RoundVoided" or (name == "RoundCorrected" and body["coup"] is None)
        of["corrected"] += overlooked or (name == "RoundCorrected" and body["coup"] is not None)
        of["count_difference"] += body["difference"] if name == "TableClosed" else 0
    for of in found.values():
        of["win"] = of["won"] - of["claims"] + of["count_difference"]
    return found


def tray(log: list[Event], game: str, number: int) -> int | None:
    """What the table held after so many events, by the engine's own state; None while it was closed."""
    table = Table(load(game))
    for event in log[:number]:
        table = evolve(table, event)
    return None if table.phase is Phase.SHUT else table.float_ + table.commission


SPANS = [(0, 10_000_000), (0, 900), (777, 1_501), (1_501, 10_000_000), (2_000, 2_001)]


@pytest.mark.parametrize(("start", "end"), SPANS)
def test_every_figure_is_what_the_stored_events_add_up_to(
    day: Path, logs: dict[str, list[Event]], start: int, end: int
) -> None:
    report, expected = shift(day, start, end), summed(day, start, end)
    assert report["tables"]
    for table in report["tables"]:
        made, of, game = table["made"], expected.pop(table["table"]), table["game"]
        figures = made["figures"]
        assert {name: figures[name] for name in FLOWS} == {name: of[name] for name in FLOWS}
        assert {name: made[name] for name in PLAY} == {name: of[name] for name in PLAY}
        assert sum(each["turnover"] for each in made["wagers"]) == made["turnover"]
        first, last = table["openings"][0], table["openings"][-1]
        if first["opened"] is None:
            assert first["figures"]["opening"] == tray(logs[game], game, start)
        if last["closed"] is None:
            assert last["figures"]["closing"] == tray(logs[game], game, end)
        hold = Fraction(figures["win"], figures["drop"]) if figures["drop"] else None
        assert figures["hold"] == (f"{hold.numerator}/{hold.denominator}" if hold is not None else None)
    assert all(not of.total() for of in expected.values()), "a table that was open is left out"
    total = report["total"]
    for name in (*FLOWS, "opening", "closing"):
        assert total["figures"][name] == sum(each["made"]["figures"][name] for each in report["tables"])
    for name in PLAY:
        assert total[name] == sum(each["made"][name] for each in report["tables"])


def test_shifts_one_after_the_other_are_the_day(day: Path) -> None:
    """The books balance over time: what one shift leaves in the trays is what the next one finds there."""
    times = [0, 500, 501, 1_200, 2_400, 10_000_000]
    parts, whole = [shift(day, *each) for each in pairwise(times)], shift(day, 0, times[-1])
    for name in FLOWS:
        assert sum(each["total"]["figures"][name] for each in parts) == whole["total"]["figures"][name]
    for name in PLAY:
        assert sum(each["total"][name] for each in parts) == whole["total"][name]
    for before, after in pairwise(parts):
        left = {each["table"]: each["openings"][-1]["figures"]["closing"] for each in before["tables"] if each["open"]}
        taken_up = {
            each["table"]: each["openings"][0]["figures"]["opening"]
            for each in after["tables"]
            if each["openings"][0]["opened"] is None
        }
        assert left == taken_up


def test_irregularities_stand_by_clause_with_who_authorised_them(day: Path) -> None:
    report = shift(day, 0, 10_000_000)
    told = [each for group in report["irregularities"] for each in group["irregularities"]]
    expected = [
        (table, body["circumstances"]) for table, _, body in stored(day, 0, 10_000_000) if "circumstances" in body
    ]
    assert len(told) == len(expected) > 100
    authorised = Counter((each["table"], each["authorised_by"], each["position"]) for each in told)
    assert authorised == Counter((table, each["authorised_by"], each["position"]) for table, each in expected)
    for group in report["irregularities"]:
        clauses = load(group["game"]).clauses
        assert group["clause"] is None or clauses[group["clause"]].text == group["text"]
    keys = [(each["game"], each["clause"]) for each in report["irregularities"]]
    assert len(keys) == len(set(keys))


def test_the_report_on_paper_and_in_a_file(day: Path, tmp_path: Path) -> None:
    for language in Language:
        paper = tmp_path / f"{language}.pdf"
        said = run("report", "shift", str(day), "--language", language, "-o", str(paper))
        assert "3 tables" in said
        assert paper.read_bytes().startswith(b"%PDF")
    file = tmp_path / "day.json"
    printed = run_json("report", "shift", str(day), "-o", str(file))
    assert json.loads(file.read_text("utf-8")) == printed
    assert printed["report"] == "punto-shift-1"


def test_a_report_without_a_beginning_begins_with_the_log(day: Path) -> None:
    report = run_json("report", "shift", str(day))
    assert (report["start"], report["end"]) == (AT, AT + STEP * (max_events(day) - 1) + 1)


def test_a_gaming_day_begins_at_the_hour_of_the_house(day: Path) -> None:
    """A house that has set nothing begins its day at 6:00 UTC."""
    begins = datetime.fromtimestamp(AT / 1000, UTC).replace(hour=6, minute=0, second=0, microsecond=0)
    begins -= timedelta(days=begins.timestamp() * 1000 > AT)
    by_day = run_json("report", "shift", str(day), "--day", str(begins.date()))
    by_times = run_json("report", "shift", str(day), "--from", str(begins), "--to", str(begins + timedelta(days=1)))
    assert by_day.pop("day") == str(begins.date())
    assert by_times.pop("day") is None
    assert by_day.pop("made_at") <= by_times.pop("made_at")
    assert by_day == by_times
    assert by_day["tables"]
    rated = [run_json("report", "ratings", str(day), *told) for told in (("--day", str(begins.date())), ())]
    assert rated[0] == rated[1] != []


def max_events(day: Path) -> int:
    with closing(sqlite3.connect(f"file:{day}?mode=ro", uri=True)) as database:
        (number,) = database.execute("select max(number) from event where stream like '%-1'").fetchone()
    return int(number)


def test_each_report_has_its_own_help() -> None:
    both, par, of_shift = run("report", "--help"), run("report", "par", "--help"), run("report", "shift", "--help")
    assert "report par" in both
    assert "report shift" in both
    assert ("--decks" in par, "--from" in par) == (True, False)
    assert ("--decks" in of_shift, "--from" in of_shift) == (False, True)


def test_a_time_in_which_nothing_was_open_has_no_tables(day: Path) -> None:
    before = run_json("report", "shift", str(day), "--to", "2000-01-01")
    assert before["tables"] == before["irregularities"] == []
    assert before["total"]["figures"]["hold"] is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("shift", "the following arguments are required: DATABASE"),
        ("shift {day} --decks 6", "unrecognized arguments: --decks"),
        ("par tiger --from noon -o tiger.pdf", "unrecognized arguments: --from"),
        ("day {day}", "day: expected par, shift, significant, returns or ratings after punto report"),
        ("shift {day} --from noon", "noon: expected a time such as"),
        ("shift {day} --from 2026-01-02 --to 2026-01-01", "a span begins before it ends"),
        ("shift {day} -o day.html", "expected a file name that ends in .pdf, .json or .csv"),
        ("shift {day} --day noon", "noon: expected a date such as 2026-03-01"),
        ("shift {day} --day 2000-01-01 --to 2001-01-01", "say either a day, or when it begins and ends"),
        ("shift {day} --day 2999-01-01", "the log ends before 2999-01-01 begins"),
        ("ratings {day} --day 9999-12-31", "the log ends before 9999-12-31 begins"),
        ("shift nowhere.db", "nowhere.db"),
    ],
)
def test_what_cannot_be_reported_gets_one_line(
    day: Path, arguments: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in refused("report", *arguments.format(day=day).split())
    assert list(tmp_path.iterdir()) == []


TWO_PEOPLE = """
for baccarat
sign on nobody
second person correction
patron Ann 100
Dealer Sam: sign on
Dealer Sam: load shoe one
Dealer Sam: place your bets
Ann: wager Player 100 at 1
Dealer Sam: no more bets
Dealer Sam: draw (4 times)
Dealer Sam: expose player 1 9s
Dealer Sam: expose player 2 Ks
Dealer Sam: expose banker 1 8h
Dealer Sam: expose banker 2 Kh
Dealer Sam: outcome
Dealer Sam: settle
Dealer Sam: cash out Ann 150
Dealer Kim: sign on
Gaming Shift Manager Jo: correct round 1 to player 6s Ks, banker 8h Kh [reason a 6 was keyed as a 9]
Gaming Shift Manager Ray: confirm act
Dealer Kim: buy in Ann 40
Dealer Kim: Ann pays debt 40
"""


async def _store(file: Path, log: list[Event]) -> None:
    store = SqliteStore(file)
    house = await House.open(store, make_keys(Path(f"{file}.key")), AT)
    await house.create_table("t1", load("baccarat"), AT)
    written = [EventRecord.of(each, AT + STEP * at, "sam", "Dealer") for at, each in enumerate(log)]
    await store.append([Append("t1", 0, written)])
    await store.close()


def test_duties_debts_and_second_persons_are_reported(tmp_path: Path) -> None:
    script = parse(TWO_PEOPLE)
    player = Player(script, script.runs[0])
    assert player.play() == []
    file, names = tmp_path / "punto.db", [type(each).__name__ for each in player.log]
    asyncio.run(_store(file, player.log))
    relieved = names.index("DealerSignedOn", names.index("RoundSettled"))
    whole, later = shift(file, 0, len(names)), shift(file, relieved + 1, len(names))
    on, off = AT + STEP * names.index("DealerSignedOn"), AT + STEP * relieved
    duty = {"table": "t1", "name": None}
    assert whole["duties"] == [
        duty | {"dealer": "Sam", "since": on, "until": off},
        duty | {"dealer": "Kim", "since": off, "until": None},
    ]
    assert later["duties"] == [duty | {"dealer": "Kim", "since": None, "until": None}]
    owed = {"table": "t1", "patron": "Ann", "left": 150_00, "paid": 40_00, "owed": 110_00, "name": None}
    assert whole["debts"] == later["debts"] == [owed]
    assert whole["total"]["claims"] == 110_00
    assert whole["total"]["figures"]["win"] == whole["total"]["won"] - 110_00
    (told,) = [each for group in whole["irregularities"] for each in group["irregularities"]]
    assert (told["authorised_by"], told["second_person"], told["reason"]) == ("Jo", "Ray", "a 6 was keyed as a 9")


@pytest.mark.parametrize(("script", "left"), [("overlooked-owed", 20_00), ("wrong-payout", 20_00)])
def test_what_is_left_owing_otherwise_is_reported_too(tmp_path: Path, script: str, left: int) -> None:
    """By a wager that was overlooked, and by a wrong payout that a patron keeps."""
    parsed = parse((Path(__file__).parents[1] / "scripts" / f"{script}.round").read_text("utf-8"))
    player = Player(parsed, parsed.runs[0])
    assert player.play() == []
    asyncio.run(_store(tmp_path / "punto.db", player.log))
    report = shift(tmp_path / "punto.db", 0, len(player.log))
    assert [(each["patron"], each["left"], each["owed"]) for each in report["debts"]] == [("Bob", left, left)]
    assert report["total"]["claims"] == left
    assert "correction" in {each["kind"] for each in report["decisions"]}


def test_returns_are_a_sum_of_their_own(day: Path, tmp_path: Path) -> None:
    report = run_json("report", "returns", str(day))
    for game, _ in PLAYED:
        table, turnover, settled = f"{game}-1", Counter[str](), Counter[str]()
        rows = [each for each in report["returns"] if each["table"] == table]
        for each in rows:
            turnover[each["wager"]] += each["turnover"]
            assert each["low"] <= each["expected"] <= each["high"]
        for stream, name, body in stored(day, 0, 10 * COMMANDS):
            for each in body["wagers"] if name == "RoundSettled" and stream == table else ():
                settled[each["wager"]] += each["settled"]
        assert turnover == +settled
    of_game = [each for each in report["returns"] if each["table"] is None]
    assert sum(each["turnover"] for each in of_game) * 2 == sum(each["turnover"] for each in report["returns"])
    assert 6e-5 < report["false_alarm"] < 7e-5
    run("report", "returns", str(day), "-o", str(tmp_path / "returns.csv"))
    assert len((tmp_path / "returns.csv").read_text("utf-8").splitlines()) == 1 + len(report["returns"])
    assert "no table nowhere" in refused("report", "returns", str(day), "--table", "nowhere")
