"""Rounds for auditors to find: a usual one, an irregular one, a void one, a corrected one; and a shoe to its end."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import pytest
from support.live import Someone
from support.playing import Give, House, deal, over_http, play_round, until

from punto.server.access.identity import Duty

NATURAL = "9h Ks Th 2c"
"""Player 9, Banker 2."""
NOTE = "camera 4"


@dataclass(frozen=True)
class Played:
    """A table with a past, and the two patrons who were there."""

    table: str
    ann: Someone
    bob: Someone


def play(house: House, game: str = "baccarat") -> Played:
    """Round 1 as usual; 2 with cards drawn together; 3 void, by a Dealer acting as Pit Manager; 4 corrected later."""
    table = house.table(game, stake_step=100)
    ann, bob = house.patrons(2)
    dealer = over_http(house.dealer, table)
    for patron in (ann, bob):
        patron.done(table, "BuyIn", patron=patron.id, amount=500_000)
    _wager(dealer, table, ann, bob)
    deal(dealer, NATURAL)
    _settle(dealer)
    _wager(dealer, table, ann, bob)
    dealer("ReportDrawnTogether", count=2, order_known=True, note=NOTE)
    ann.done(table, "AnswerWithdrawal", wagers=[])
    bob.done(table, "AnswerWithdrawal", wagers=[[2, "Banker"]])
    deal(dealer, NATURAL)
    _settle(dealer)
    house[Duty.PIT_MANAGER].done(table, "AppointActing", person=house.dealer.id, role="Pit Manager")
    _wager(dealer, table, ann)
    dealer("DrawCard")
    dealer("ReportVoid", provision="wrong-cards")
    dealer("ConfirmVoid")
    _wager(dealer, table, ann, bob)
    deal(dealer, NATURAL)
    _settle(dealer)
    cards = {"player": [["9", "h"], ["T", "h"]], "banker": [["K", "s"], ["9", "c"]]}
    house.manager.done(table, "CorrectRound", round=4, **cards)
    return Played(table, ann, bob)


def _wager(dealer: Give, table: str, ann: Someone, bob: Someone | None = None) -> None:
    dealer("OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=10_000)
    if bob:
        bob.done(table, "PlaceWager", patron=bob.id, position=2, wager="Banker", amount=20_000)
        bob.done(table, "PlaceWager", patron=bob.id, position=2, wager="Tie", amount=5_000)
    dealer("CloseBets")


def _settle(dealer: Give) -> None:
    dealer("AnnounceOutcome")
    dealer("SettleRound")


def play_sealed(house: House, rounds: int = 2) -> tuple[str, str]:
    """A table dealt from a sealed shoe, which is given up after some rounds and published; the table, and the shoe."""
    table = house.table(device="sealed")
    shoe = house.load_sealed_shoe(table)
    for _ in range(rounds):
        play_round(house, table)
    house.manager.done(table, "EndShoe")
    until(lambda: house.live.nobody().http.get(f"/api/tables/{table}/shoes/{shoe}/record").status_code == 200)
    return table, shoe


def copied(house: House, folder: Path) -> Path:
    """The database of a house as it is now, to do harm to."""
    source = Path(house.database)
    for ending in ("", "-wal", ".key"):
        if (file := source.with_name(f"{source.name}{ending}")).exists():
            shutil.copy(file, folder / f"punto.db{ending}")
    return folder / "punto.db"


def tamper(database: str | Path, table: str, name: str, before: bytes, after: bytes) -> int:
    """Change some bytes in the first event of a kind, as a person with access to the file could; return its number."""
    with apsw.Connection(str(database)) as connection:
        connection.execute("drop trigger if exists event_stays")
        query = (
            "select number, body from event where stream = ? and name = ? and instr(body, ?) order by number limit 1"
        )
        rows: list[Any] = list(connection.execute(query, (table, name, before)))
        number, body = rows[0]
        changed = body.replace(before, after, 1)
        connection.execute("update event set body = ? where stream = ? and number = ?", (changed, table, number))
    connection.close()
    return int(number)


# --- a house with such a past: whichever the tests of a file are served by -------------------------------------------


@pytest.fixture(scope="module")
def played(served: House) -> Played:
    return play(served)


@pytest.fixture(scope="module")
def sealed(served: House) -> tuple[str, str]:
    return play_sealed(served)


@pytest.fixture
def auditor(served: House) -> Someone:
    return served[Duty.AUDITOR]
