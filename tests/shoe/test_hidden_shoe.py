"""Sealed and practice shoes, known answers, and the program in docs/fairness.md that checks a shoe without Punto."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from support.ceremony import NAME, SECRET, cut_by, played

from punto.cards import DECK
from punto.shoe import (
    Cut,
    HiddenShoe,
    Secret,
    ShoeError,
    ShoeKind,
    as_json,
    new_secret,
    practice_shoe,
    recomputed_order,
    sealed_shoe,
)

ROOT = Path(__file__).parents[2]
PUBLISHED = Path(__file__).with_name("published.json")


def order(shoe: HiddenShoe) -> str:
    return " ".join(str(shoe.card_at(position)) for position in range(len(shoe)))


# Computed by the program in docs/fairness.md, and once more by one written in JavaScript; not by Punto.
KNOWN = [
    (cut_by(decks=1), "2c 4s 4h 9d 3h Tc", "483d339184b9ea8c67e0575e5dd1e2d2f4a71fe1df4b5701a5675a2efe86453e"),
    (
        cut_by("ana", "bo", decks=6),
        "2s Jc 3d Qh 7c Ah",
        "67f586c9105a062ef864dad8be17093fd9d9f5a71a63f2502603b94fdfaee8ff",
    ),
    (  # four words are passed over in this one
        cut_by("ana", "bo", "chen", spoiled_by=["dita"]),
        "4s Ac Qd 6c 8h 6h",
        "5598562ed9c368163017328f199f0a9631705aed3e2b695eb5b3f5804924ec5e",
    ),
    (
        cut_by("ana", spoiled_by=["bo", "chen"], decks=10),
        "3h 3h 3s Kd Kd 2s",
        "3728324cdbfa52af7c096b2caf829fdf5073e641ed020d915af18b61d1221068",
    ),
]


@pytest.mark.parametrize(("cut", "first", "digest"), KNOWN)
def test_known_orders(cut: Cut, first: str, digest: str) -> None:
    cards = order(sealed_shoe(SECRET, cut))
    assert cards.startswith(first)
    assert sha256(cards.encode()).hexdigest() == digest


def test_known_digests() -> None:
    cut = cut_by("ana", "bo", "chen", spoiled_by=["dita"])
    published = json.loads(PUBLISHED.read_text("utf-8"))
    assert cut.seal.commitment.hex() == "4e64a526a89e606ab093afc228434137ee58a51a698877372fa681ede232654f"
    assert cut.seal.commitment.hex() == published["commitment"]
    assert [each.closed_list.hex() for each in (*cut.spoiled, cut)] == [each["list"] for each in published["cuts"]]
    assert cut.value.hex() == published["cut"]


def test_the_published_example_is_the_one_of_the_tests() -> None:
    example = played("ana", "bo", "chen", spoiled_by=["dita"])
    assert json.loads(PUBLISHED.read_text("utf-8")) == as_json(example)


@pytest.mark.parametrize("decks", [1, 4, 8, 10])
def test_a_shoe_holds_every_card_of_its_decks(decks: int) -> None:
    for shoe in (sealed_shoe(SECRET, cut_by("ana", decks=decks)), practice_shoe(7, decks)):
        cards = Counter(shoe.card_at(position) for position in range(len(shoe)))
        assert cards == dict.fromkeys(DECK, decks)


def test_the_same_shoe_answers_the_same_card_however_often_and_in_whatever_order_it_is_asked() -> None:
    shoe = sealed_shoe(SECRET, cut_by("ana"))
    backwards = [shoe.card_at(position) for position in reversed(range(416))]
    assert [shoe.card_at(position) for position in range(416)] == backwards[::-1]


@pytest.mark.parametrize("position", [-1, 416, 10**9, True, "0", 1.0, None])
def test_there_is_no_card_outside_the_shoe(position: Any) -> None:
    shoe = sealed_shoe(SECRET, cut_by("ana"))
    with pytest.raises(ShoeError, match="has positions 0 to 415, not"):
        shoe.card_at(position)


def test_only_the_secret_that_was_sealed_opens_the_shoe() -> None:
    with pytest.raises(ShoeError, match=f"not the secret that shoe '{NAME}' was sealed with"):
        sealed_shoe(Secret(bytes(32)), cut_by("ana"))


def test_the_operating_system_gives_a_new_secret_each_time() -> None:
    values = {new_secret().disclose() for _ in range(100)}
    assert len(values) == 100
    assert {len(value) for value in values} == {32}


@pytest.mark.parametrize("value", [b"", bytes(31), bytes(33), "0" * 32, bytearray(32)])
def test_a_secret_is_32_bytes(value: Any) -> None:
    with pytest.raises(ShoeError, match="32 bytes"):
        Secret(value)


def test_a_practice_shoe_says_so_and_repeats_itself() -> None:
    shoe = practice_shoe(42, 8)
    assert (shoe.kind, shoe.name) == (ShoeKind.PRACTICE, "practice 42/1")
    assert repr(shoe) == "<practice shoe 'practice 42/1', 416 cards>"
    assert order(shoe) == order(practice_shoe(42, 8))
    others = [practice_shoe(42, 8, number=2), practice_shoe(43, 8), practice_shoe(4, 8, 21), practice_shoe(-42, 8)]
    assert len({order(each) for each in (shoe, *others)}) == 5
    assert sealed_shoe(SECRET, cut_by()).kind is ShoeKind.SEALED
    known = "38d528cc754ad4c497445b79b75b151138515342b330b77f035d0490c9da763d"  # computed in JavaScript as well
    assert sha256(order(practice_shoe(1, 6)).encode()).hexdigest() == known
    with pytest.raises(ShoeError, match="decks"):
        practice_shoe(1, 0)


def _program() -> str:
    page = (ROOT / "docs" / "fairness.md").read_text("utf-8")
    (program,) = re.findall(r"^```python\n(import .*?)^```$", page, re.DOTALL | re.MULTILINE)
    return str(program)


def _run_program(record: object, folder: Path) -> list[str]:
    file = folder / "record.json"
    file.write_text(json.dumps(record), "utf-8")
    command = [sys.executable, "-I", "-c", _program(), str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_the_program_on_the_page_is_short_and_needs_nothing_but_python() -> None:
    program = _program()
    assert sum(bool(line.strip()) for line in program.splitlines()) <= 36
    assert re.findall(r"^(?:import|from) .*$", program, re.MULTILINE) == ["import hashlib, hmac, json, sys"]


def test_the_program_on_the_page_finds_the_same_order(tmp_path: Path) -> None:
    for record in (played("ana", "bo", "chen", spoiled_by=["dita"]), played("ana", decks=6, dealt=312)):
        *checks, cards = _run_program(as_json(record), tmp_path)
        assert all(line.startswith("holds ") for line in checks)
        assert {"holds commitment", "holds ana", "holds list 1", "holds cut 1", "holds cut"} <= set(checks)
        assert checks[-1] == "holds dealt"
        assert cards == " ".join(map(str, recomputed_order(record)))


def test_the_program_on_the_page_finds_what_is_wrong(tmp_path: Path) -> None:
    def failing(change: dict[str, Any]) -> list[str]:
        record = json.loads(PUBLISHED.read_text("utf-8")) | change
        return [line.removeprefix("FAILS ") for line in _run_program(record, tmp_path) if line.startswith("FAILS")]

    assert failing({"secret": "00" * 32}) == ["commitment", "dealt"]
    assert failing({"dealt": [[0, "4s"], [1, "Ad"]]}) == ["dealt"]
    assert failing({"cut": "00" * 32}) == ["cut"]
