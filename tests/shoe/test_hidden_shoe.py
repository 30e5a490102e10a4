"""Sealed and practice shoes, known answers, and the program in docs/fairness.md that checks a shoe without Punto."""

from __future__ import annotations

import hmac
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from support.ceremony import NAME, SECRET, cut_by, played, secret_for, secret_of

from punto.cards import DECK
from punto.shoe import (
    Format,
    HiddenShoe,
    OutOfWords,
    Secret,
    ShoeError,
    ShoeKind,
    as_json,
    new_secret,
    practice_shoe,
    publish,
    recomputed_order,
    sealed_shoe,
    shuffle,
    verify,
    words,
    words_of,
)
from punto.shoe.hidden_shoe import cards_in_order

ROOT = Path(__file__).parents[2]
PUBLISHED = {
    Format.ONE: Path(__file__).with_name("published.json"),
    Format.TWO: Path(__file__).with_name("published_2.json"),
}


def order(shoe: HiddenShoe) -> str:
    return " ".join(str(shoe.card_at(position)) for position in range(len(shoe)))


# Computed by the program in docs/fairness.md, and once more by one written in JavaScript; not by Punto.
KNOWN_ONE = [
    ((), (), 1, "2c 4s 4h 9d 3h Tc", "483d339184b9ea8c67e0575e5dd1e2d2f4a71fe1df4b5701a5675a2efe86453e"),
    (("ana", "bo"), (), 6, "2s Jc 3d Qh 7c Ah", "67f586c9105a062ef864dad8be17093fd9d9f5a71a63f2502603b94fdfaee8ff"),
    (  # four words are passed over in this one
        ("ana", "bo", "chen"),
        ("dita",),
        8,
        "4s Ac Qd 6c 8h 6h",
        "5598562ed9c368163017328f199f0a9631705aed3e2b695eb5b3f5804924ec5e",
    ),
    (
        ("ana",),
        ("bo", "chen"),
        10,
        "3h 3h 3s Kd Kd 2s",
        "3728324cdbfa52af7c096b2caf829fdf5073e641ed020d915af18b61d1221068",
    ),
]
KNOWN_TWO = [
    ((), (), 1, "9s Qc 3h Kh Qd Ah", "d6e44310a1d48fdcc415d8429e088d3c10ee166cd7890abbb4c5b325a11ec234"),
    (("ana", "bo"), (), 6, "4d Qs Js 3h 3c 4h", "8807f6e623fda5b1f65ffe6170a2dc545036b343be128965196d27863f0c1c68"),
    (  # one word is passed over in this one
        ("ana", "bo", "chen"),
        ("dita",),
        8,
        "2s Js 7s Tc Jc Qs",
        "09b76f6129f0d18b63b88787b2fa1674b1c15f41dcf3c462c805d5ad32de609d",
    ),
    (
        ("ana",),
        ("bo", "chen"),
        10,
        "7h 9d 5h Tc Ah 9h",
        "67f1c03349a4ace1c7b6169e6e97506aa3328693bd05261a92412e4819424834",
    ),
]
KNOWN = [(Format.ONE, *each) for each in KNOWN_ONE] + [(Format.TWO, *each) for each in KNOWN_TWO]


@pytest.mark.parametrize(("version", "patrons", "spoiled_by", "decks", "first", "digest"), KNOWN)
def test_known_orders(
    version: Format, patrons: Sequence[str], spoiled_by: Sequence[str], decks: int, first: str, digest: str
) -> None:
    cut = cut_by(*patrons, spoiled_by=spoiled_by, decks=decks, version=version)
    cards = order(sealed_shoe(secret_for(cut), cut))
    assert cards.startswith(first)
    assert sha256(cards.encode()).hexdigest() == digest


@pytest.mark.parametrize(
    ("version", "commitment"),
    [
        (Format.ONE, "4e64a526a89e606ab093afc228434137ee58a51a698877372fa681ede232654f"),
        (Format.TWO, "3a9e3388d35ec8c7a204f377d377dc17ffaa0bbe8ecceaa9647d0c5ec72e8928"),
    ],
)
def test_known_digests(version: Format, commitment: str) -> None:
    cut = cut_by("ana", "bo", "chen", spoiled_by=["dita"], version=version)
    published = json.loads(PUBLISHED[version].read_text("utf-8"))
    assert published["format"] == version
    assert cut.seal.commitment.hex() == commitment == published["commitment"]
    assert [each.closed_list.hex() for each in (*cut.spoiled, cut)] == [each["list"] for each in published["cuts"]]
    assert cut.value.hex() == published["cut"]


@pytest.mark.parametrize("version", Format)
def test_the_published_example_is_the_one_of_the_tests(version: Format) -> None:
    example = played("ana", "bo", "chen", spoiled_by=["dita"], version=version)
    assert json.loads(PUBLISHED[version].read_text("utf-8")) == as_json(example)


@pytest.mark.parametrize("decks", [1, 4, 8, 10])
def test_a_shoe_holds_every_card_of_its_decks(decks: int) -> None:
    for shoe in (sealed_shoe(secret_of(decks), cut_by("ana", decks=decks)), practice_shoe(7, decks)):
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
        sealed_shoe(Secret(bytes(1660)), cut_by("ana"))


@pytest.mark.parametrize(("decks", "size"), [(1, 204), (6, 1_244), (8, 1_660), (100, 20_796)])
def test_the_operating_system_gives_a_new_secret_each_time(decks: int, size: int) -> None:
    """Two words of 16 bits for every card but one."""
    assert size == 2 * (52 * decks - 1) * 2
    values = {new_secret(decks).disclose() for _ in range(100)}
    assert len(values) == 100
    assert {len(value) for value in values} == {size}


@pytest.mark.parametrize("value", [b"", bytes(31), bytes(33), bytes(1_658), "0" * 1_660, bytearray(1_660)])
def test_a_secret_is_all_of_the_chance_of_some_number_of_decks(value: Any) -> None:
    with pytest.raises(ShoeError, match="two words of 16 bits for every card but one"):
        Secret(value)


def test_every_order_has_a_secret_whatever_the_cut() -> None:
    """The secret that puts a shoe into a given order, for a cut that is known: no order is out of reach."""
    value = cut_by("ana", decks=1).value
    mask = list(islice(words(value), 102))
    for wanted in (list(range(52)), list(range(52))[::-1], shuffle(52, words(b"any order"))):
        order, draws = list(range(52)), []
        for last in range(51, 0, -1):
            draws.append(order.index(wanted[last]))
            order[last], order[draws[-1]] = order[draws[-1]], order[last]
        secret = pack_words([draw ^ own for draw, own in zip([*draws, *draws], mask, strict=True)])
        assert shuffle(52, words_of(Format.TWO, secret, value)) == wanted
        assert cards_in_order(Format.TWO, secret, value, 1) == tuple(DECK[number] for number in wanted)


def test_a_word_is_one_of_the_secret_combined_with_one_of_the_cut() -> None:
    secret, value = SECRET.disclose(), cut_by("ana").value
    mask = b"".join(hmac.digest(value, number.to_bytes(8, "big"), "sha256") for number in range(52))
    by_hand = [int.from_bytes(secret[at : at + 2]) ^ int.from_bytes(mask[at : at + 2]) for at in range(0, 1_660, 2)]
    assert list(words_of(Format.TWO, secret, value)) == by_hand


def test_a_shoe_whose_words_run_out_has_no_order() -> None:
    """As many words as there are, and each would favour the same cards."""
    value = cut_by("ana", decks=1).value
    spent = pack_words([0xFFFF ^ own for own in islice(words(value), 102)])
    with pytest.raises(OutOfWords, match="has no order"):
        cards_in_order(Format.TWO, spent, value, 1)


def test_a_record_whose_words_run_out_holds_only_if_no_card_was_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """No real record can be made to: the cut follows from the commitment, and the commitment from the secret."""
    monkeypatch.setattr("punto.shoe.hidden_shoe.words_of", lambda *_: iter([0xFFFF] * 830))
    cut = cut_by("ana")
    with pytest.raises(OutOfWords):
        sealed_shoe(SECRET, cut)
    record = publish(SECRET, cut)
    assert recomputed_order(record) == ()
    checks = {check.name: check for check in verify(record)}
    assert all(check.ok for check in checks.values())
    assert "no order and was spoiled" in checks["order"].sentence()
    dealt = publish(SECRET, cut, [(0, DECK[0])])
    assert {check.name for check in verify(dealt) if not check.ok} == {"order", "dealt"}


def pack_words(values: list[int]) -> bytes:
    return b"".join(value.to_bytes(2, "big") for value in values)


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
    assert re.findall(r"^(?:import|from) .*$", program, re.MULTILINE) == ["import hashlib, hmac, json, struct, sys"]


def test_the_program_on_the_page_finds_the_same_order(tmp_path: Path) -> None:
    first = played("ana", "bo", "chen", spoiled_by=["dita"], version=Format.ONE)
    for record in (played("ana", "bo", "chen", spoiled_by=["dita"]), played("ana", decks=6, dealt=312), first):
        *checks, cards = _run_program(as_json(record), tmp_path)
        assert all(line.startswith("holds ") for line in checks)
        assert {"holds commitment", "holds ana", "holds list 1", "holds cut 1", "holds cut"} <= set(checks)
        assert checks[-1] == "holds dealt"
        assert cards == " ".join(map(str, recomputed_order(record)))


def test_the_program_on_the_page_finds_what_is_wrong(tmp_path: Path) -> None:
    def failing(change: dict[str, Any]) -> list[str]:
        record = json.loads(PUBLISHED[Format.TWO].read_text("utf-8")) | change
        return [line.removeprefix("FAILS ") for line in _run_program(record, tmp_path) if line.startswith("FAILS")]

    assert failing({"secret": "00" * 1_660}) == ["commitment", "dealt"]
    assert failing({"dealt": [[0, "2s"], [1, "Ad"]]}) == ["dealt"]
    assert failing({"cut": "00" * 32}) == ["cut"]
