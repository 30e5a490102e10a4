"""``punto verify-shoe`` as people and programs use it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command import punto, refused, run, run_json

from punto.shoe import as_json, practice_record

PUBLISHED = Path(__file__).parents[1] / "shoe" / "published.json"
Change = Callable[[dict[str, Any]], object]


def record() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(PUBLISHED.read_text("utf-8"))
    return content


@pytest.fixture
def altered(tmp_path: Path) -> Callable[[Change], str]:
    """The path of the published record with something changed."""

    def write(change: Change) -> str:
        content = record()
        change(content)
        (tmp_path / "shoe.json").write_text(json.dumps(content), "utf-8")
        return str(tmp_path / "shoe.json")

    return write


def test_json_has_the_promised_shape() -> None:
    told = run_json("verify-shoe", str(PUBLISHED))
    assert set(told) == {"ok", "kind", "shoe", "decks", "checks"}
    assert (told["ok"], told["kind"], told["shoe"], told["decks"]) == (True, "sealed", "table 3, shoe 8", 8)
    assert all(set(check) == {"check", "ok", "detail"} for check in told["checks"])
    assert {check["check"] for check in told["checks"]} >= {"commitment", "cut 2 contributions", "cut 2 list", "dealt"}


def test_people_get_a_line_for_each_check() -> None:
    shown = run("verify-shoe", str(PUBLISHED))
    assert shown.startswith("Shoe 'table 3, shoe 8', 8 decks\nholds  kind ")
    assert "spoiled: not revealed by 'dita'" in shown
    assert shown.endswith("All 12 checks hold.\n")


def test_the_order_on_request() -> None:
    told = run_json("verify-shoe", str(PUBLISHED), "--order")
    assert len(told["order"]) == 416
    assert told["order"][:12] == [card for _, card in record()["dealt"]]
    shown = run("verify-shoe", str(PUBLISHED), "--order").splitlines()
    assert shown[14] == f"   0  {' '.join(told['order'][:20])}"
    assert shown[-1] == f" 400  {' '.join(told['order'][400:])}"


def test_a_record_may_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(PUBLISHED.read_text("utf-8")))
    assert run_json("verify-shoe", "-")["ok"] is True


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (
            lambda it: it.update(secret="00" * 32),
            "FAILS  commitment           the secret, 'table 3, shoe 8' and 8 decks",
        ),
        (lambda it: it.update(shoe="table 3, shoe 9"), "FAILS  commitment "),
        (lambda it: it.update(decks=7), "FAILS  commitment "),
        (
            lambda it: it.update(cut="00" * 32),
            "FAILS  cut                  what was revealed does not give the cut 0000",
        ),
        (lambda it: it["cuts"][1].update(list="00" * 32), "FAILS  cut 2 list           its commitments do not give"),
        (
            lambda it: it["cuts"][1]["patrons"][1].update(contribution=""),
            "FAILS  cut 2 contributions  what 'bo' revealed does not open the commitment",
        ),
        (
            lambda it: it["dealt"].__setitem__(3, [3, "7d"]),
            "FAILS  dealt                at position 4 7d was dealt, but",
        ),
        (lambda it: it["cuts"][1]["patrons"].pop(), "FAILS  cut 2 list "),
    ],
)
def test_a_failed_check_is_told_in_one_line_and_by_the_exit_code(
    altered: Callable[[Change], str], change: Change, line: str
) -> None:
    file = altered(change)
    code, out, err = punto("verify-shoe", file)
    assert (code, err) == (1, "")
    assert sum(each.startswith(line) for each in out.splitlines()) == 1
    assert out.endswith(" of 12 checks failed.\n")
    code, out, err = punto("verify-shoe", file, "--json")
    assert (code, err) == (1, "")
    told = json.loads(out)
    assert told["ok"] is False
    assert line.split("  ")[1].strip() in {check["check"] for check in told["checks"] if not check["ok"]}


def test_what_was_noted_is_looked_for() -> None:
    noted = record()["cuts"][1]["list"]
    assert run("verify-shoe", str(PUBLISHED), "--noted", noted.upper()).endswith("All 13 checks hold.\n")
    code, out, _ = punto("verify-shoe", str(PUBLISHED), "--noted", noted, "--noted", "00" * 32)
    assert code == 1
    assert f"FAILS  noted                {'00' * 32} is nowhere in the record\n" in out


def test_a_practice_record_never_passes(tmp_path: Path) -> None:
    file = tmp_path / "practice.json"
    file.write_text(json.dumps(as_json(practice_record(42, 1))), "utf-8")
    code, out, _ = punto("verify-shoe", str(file), "--order")
    assert code == 1
    assert out.startswith("Shoe 'practice 42/1', 1 deck\nFAILS  kind   a practice shoe: anyone who knew the seed")
    assert json.loads(punto("verify-shoe", str(file), "--json")[1])["kind"] == "practice"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda it: it.pop("secret"), "secret: expected 32 bytes in lower-case hexadecimal, found nothing"),
        (lambda it: it.update(secret="xyz"), 'secret: expected 32 bytes in lower-case hexadecimal, found "xyz"'),
        (lambda it: it.update(cut=it["cut"].upper()), "cut: expected 32 bytes in lower-case hexadecimal"),
        (lambda it: it.update(decks=0), "decks: expected a whole number 1 to 100, found 0"),
        (lambda it: it.update(decks="8"), "decks: expected a whole number 1 to 100"),
        (lambda it: it.update(decks=8.0), "decks: expected a whole number 1 to 100"),
        (lambda it: it.update(shoe="東"), "shoe: expected 1 to 100 printable ASCII characters"),
        (lambda it: it.update(kind="open"), "kind: expected one of sealed, practice"),
        (lambda it: it.update(format="punto-shoe-3"), "format: expected one of punto-shoe-1, punto-shoe-2"),
        (lambda it: it.update(format="punto-shoe-2"), "secret: expected 1660 bytes in lower-case hexadecimal"),
        (lambda it: it.update(cuts=[]), "cuts: expected at least one cut"),
        (lambda it: it.update(cuts=7), "cuts: expected a list of tables, found 7"),
        (lambda it: it["cuts"][0]["patrons"][1].pop("nonce"), "cuts[1].patrons[2].nonce: expected 32 bytes"),
        (lambda it: it["cuts"][1]["patrons"][0].update(seat=3), "cuts[2].patrons[1].seat: unknown key"),
        (lambda it: it.update(dealed=[]), "dealed: unknown key; did you mean dealt?"),
        (lambda it: it["dealt"].append([12, "4x"]), 'dealt[13]: expected a position and a card such as [0, "4h"]'),
        (lambda it: it["dealt"].append([-1, "4h"]), 'dealt[13]: expected a position and a card such as [0, "4h"]'),
        (lambda it: it["dealt"].append([12, "4H"]), 'dealt[13]: expected a position and a card such as [0, "4h"]'),
        (lambda it: it["dealt"].append(7), 'dealt[13]: expected a position and a card such as [0, "4h"], found 7'),
        (lambda it: it.update(dealt={}), "dealt: expected a list, found a table"),
    ],
)
def test_a_record_that_cannot_be_read_is_refused_with_the_place(
    altered: Callable[[Change], str], change: Change, sentence: str
) -> None:
    assert sentence in refused("verify-shoe", altered(change))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not JSON: Expecting value"),
        ("{", "not JSON"),
        ("[]", "the file: expected a table"),
        ('{"kind": "sealed", "kind": "sealed"}', "not JSON: a key is given twice"),
        ("[" * 100_000, "not JSON"),
        ("9" * 5_000, "not JSON"),
    ],
)
def test_what_is_not_json_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "shoe.json"
    file.write_text(text, "utf-8")
    assert sentence in refused("verify-shoe", str(file))


def test_bad_arguments_and_files_are_refused(tmp_path: Path) -> None:
    assert "No such file" in refused("verify-shoe", str(tmp_path / "missing.json"))
    (tmp_path / "raw.json").write_bytes(b"\xff\xfe")
    assert "not a text in UTF-8" in refused("verify-shoe", str(tmp_path / "raw.json"))
    assert "expected 64 hexadecimal digits" in refused("verify-shoe", str(PUBLISHED), "--noted", "12")
    assert "expected 64 hexadecimal digits" in refused("verify-shoe", str(PUBLISHED), "--noted", "lucky")
    assert "required: FILE" in refused("verify-shoe")
