"""Ratings of patrons from the log: time, wagers and theoretical loss against figures worked out by hand."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

from support.command import run, run_json

from punto import load
from punto.notation import parse
from punto.notation.script_player import Player
from punto.store.house import House
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import make_keys
from punto.table.event import Event

AT = 1_700_000_000_000
MINUTE = 60_000
PLAYED = """
for baccarat
patron Ann 1000
patron Bob 100
Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Ann: wager Tie 20 at 1
Bob: wager Banker 100 at 2
Dealer: no more bets
Dealer: draw (4 times)
Dealer: expose player 1 9s
Dealer: expose player 2 Ks
Dealer: expose banker 1 8h
Dealer: expose banker 2 Kh
Dealer: outcome
Dealer: settle
Dealer: place your bets
Ann: wager Player 300 at 1
Dealer: no more bets
Dealer: draw (4 times)
Dealer: expose player 1 7s
Dealer: expose player 2 Ks
Dealer: expose banker 1 8d
Dealer: expose banker 2 Kd
Dealer: outcome
Dealer: settle
Dealer: cash out Ann 780
"""


def test_ratings_follow_from_the_log(tmp_path: Path) -> None:
    script = parse(PLAYED)
    player = Player(script, script.runs[0])
    assert player.play() == []
    file, names = tmp_path / "punto.db", [type(each).__name__ for each in player.log]
    asyncio.run(_store(file, player.log))
    ann, bob = run_json("report", "ratings", str(file))
    settled = names.index("RoundSettled")
    second = names.index("BoughtIn", names.index("BoughtIn") + 1)
    assert (ann["patron"], ann["rounds"], ann["turnover"], ann["average"]) == ("Ann", 2, 420_00, 210_00)
    # House edges with eight decks: Player 1.2351%, Tie 14.3596%, Banker 1.0579%.
    assert ann["theoretical"] == round(400_00 * 0.012351 + 20_00 * 0.143596)
    assert ann["lost"] == 220_00
    assert ann["seconds"] == 60 * (names.index("CashedOut") - names.index("BoughtIn"))
    assert (bob["rounds"], bob["theoretical"], bob["lost"]) == (1, 1_06, 100_00)
    assert bob["seconds"] == 60 * (settled - second)  # until the last chip
    out = tmp_path / "ratings.csv"
    run("report", "ratings", str(file), "-o", str(out))
    (first, _) = csv.DictReader(out.read_text("utf-8").splitlines())
    assert (first["patron"], first["average_wager"], first["theoretical_loss"]) == ("Ann", "210.00", "7.81")


async def _store(file: Path, log: list[Event]) -> None:
    store = SqliteStore(file)
    house = await House.open(store, make_keys(Path(f"{file}.key")), AT)
    await house.create_table("t1", load("baccarat"), AT)
    written = [EventRecord.of(each, AT + MINUTE * at, "sam", "Dealer") for at, each in enumerate(log)]
    await store.append([Append("t1", 0, written)])
    await store.close()
