"""A patron's receipts over HTTP: to the patron alone, with all that is needed to check them, once they are sealed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.live import Someone
from support.playing import House, deal, house, over_http, until
from support.postgresql_server import new_database

PROGRAM = Path(__file__).parents[2] / "examples" / "verify_receipt.py"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def sealed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Path]]:
    folder, arguments, database = tmp_path_factory.mktemp("sealed"), list[str](), ""
    if request.param == "postgresql":
        database = new_database(request.getfixturevalue("postgresql_server"))
        arguments = ["--key", str(folder / "house.key")]
    with house(folder, "--log", str(folder / "log"), *arguments, database=database) as made:
        yield made, folder / "log"


def play(served: House) -> tuple[str, Someone, Someone]:
    """A round in which Ann wins two wagers and Bob loses one."""
    table, (ann, bob) = served.table(), served.patrons(2)
    dealer = over_http(served.dealer, table)
    dealer("OpenBets")
    for patron, position, wagers in ((ann, 1, ("Player", "Player Pair")), (bob, 2, ("Banker",))):
        patron.done(table, "BuyIn", patron=patron.id, amount=100_000)
        for wager in wagers:
            patron.done(table, "PlaceWager", patron=patron.id, position=position, wager=wager, amount=10_000)
    dealer("CloseBets")
    deal(dealer, "9c 2c 9d 3d")
    dealer("AnnounceOutcome")
    dealer("SettleRound")
    return table, ann, bob


def line_of(patron: Someone, table: str) -> int:
    """The number of the patron's round."""
    (day,) = patron.get("/api/history")["days"]
    lines = patron.get(f"/api/history/{table}/{day['sessions'][0]['session']}")["lines"]
    return next(int(each["number"]) for each in lines if each["kind"] == "round")


def receipts(patron: Someone, table: str, number: int) -> Any:
    def found() -> Any:
        told = patron.get(f"/api/receipts/{table}/{number}")
        assert told["state"] in ("sealed", "not-yet")
        return told["receipts"]

    return until(found)


@pytest.mark.long
def test_a_patron_and_nobody_else_has_the_receipts_of_their_wagers(sealed: tuple[House, Path], tmp_path: Path) -> None:
    served, _ = sealed
    table, ann, bob = play(served)
    number = line_of(ann, table)
    mine = receipts(ann, table, number)
    assert [(each["receipt"]["wager"], each["receipt"]["returned"]) for each in mine] == [
        ("Player", 20_000), ("Player Pair", 120_000)
    ]  # fmt: skip
    for each in mine:
        assert each["receipt"]["patron"] == ann.id
        assert bob.id not in json.dumps(each)
        file = tmp_path / "receipt.json"
        file.write_text(json.dumps(each["file"]))
        done = subprocess.run([sys.executable, "-I", PROGRAM, file], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    (other,) = receipts(bob, table, number)
    assert (other["receipt"]["patron"], other["receipt"]["result"]) == (bob.id, "lose")
    salts = {each["file"]["salt"] for each in mine}
    assert other["file"]["salt"] not in salts
    path = f"/api/receipts/{table}/{number}"
    assert bob.http.get(f"{path}/pdf", params={"leaf": mine[0]["leaf"]}).status_code == 404
    for someone in (served.manager, served.dealer, served.cashier, *served.patrons(1)):
        for asked in (path, f"{path}/pdf?leaf={mine[0]['leaf']}"):
            answer = someone.http.get(asked)
            assert answer.status_code == 404
            assert not any(salt in answer.text for salt in salts)
    assert served.live.nobody().http.get(path).status_code == 401


@pytest.mark.long
def test_a_receipt_is_printed_with_its_code(sealed: tuple[House, Path]) -> None:
    served, _ = sealed
    table, ann, _ = play(served)
    number = line_of(ann, table)
    (first, *_) = receipts(ann, table, number)
    assert first["text"].startswith("PUNTO1:")
    assert first["code"]["path"].startswith("M")
    for language in ("en", "zh"):
        answer = ann.http.get(
            f"/api/receipts/{table}/{number}/pdf", params={"leaf": first["leaf"], "language": language}
        )
        assert answer.content.startswith(b"%PDF")


@pytest.mark.long
def test_what_is_not_sealed_yet_is_told_so(sealed: tuple[House, Path]) -> None:
    """As it is before the first checkpoint: nothing is published where the server looks."""
    served, log = sealed
    table, ann, _ = play(served)
    number = line_of(ann, table)
    receipts(ann, table, number)
    (published,) = log.glob("*/checkpoint")
    hidden = published.rename(published.with_name("hidden"))
    assert ann.get(f"/api/receipts/{table}/{number}") == {"state": "not-yet", "receipts": []}
    hidden.rename(published)


def test_a_house_without_a_log_says_so(served: House) -> None:
    table, ann, _ = play(served)
    number = line_of(ann, table)
    assert ann.get(f"/api/receipts/{table}/{number}") == {"state": "no-log", "receipts": []}
    for line in (number - 1, 10_000):
        assert ann.http.get(f"/api/receipts/{table}/{line}").status_code == 404
