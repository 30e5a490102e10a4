"""The programs in ``examples/``: each runs by itself and says what it should; the one that verifies shoes is no toy."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.ceremony import played

from punto import load, loads, odds
from punto.shoe import Format, ShoeError, as_json, practice_record, read_record, verify

EXAMPLES = Path(__file__).parents[1] / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.py"))


def run(program: str, *arguments: str, isolated: bool = False) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *(["-I"] if isolated else []), str(EXAMPLES / program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def says(program: str, *arguments: str) -> str:
    ended = run(program, *arguments)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_is_short_and_says_what_it_is_for(program: Path) -> None:
    text = program.read_text("utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= (115 if program.name == "verify_a_shoe.py" else 95)  # it reads two formats
    assert len(PROGRAMS) == 7


def test_a_side_wager_is_priced_exactly() -> None:
    said = says("custom_side_wager.py")
    names: dict[str, Any] = {}
    exec(compile((EXAMPLES / "custom_side_wager.py").read_text("utf-8"), "custom_side_wager.py", "exec"), names)
    book = loads(names["GAME"])
    for decks in (6, 8):
        assert f"exactly {odds(book, decks)['Photo Finish'].house_edge}\n" in said
    better = loads(names["GAME"].replace('pays = "9 to 1"', 'pays = "8 to 1"'))
    edge = odds(better, 8)["Photo Finish"].house_edge
    assert edge >= names["WANTED_EDGE"]
    assert said.splitlines()[-1].endswith(f"may pay 8 to 1: {float(edge):.4%}")


@pytest.mark.long
def test_a_count_follows_from_the_effects_of_removal() -> None:
    said = says("counting_study.py", "2000").splitlines()
    edge = odds(load("tiger"), 8)["Tiger Tie"].house_edge
    assert said[0] == f"Tiger Baccarat, Tiger Tie: the house keeps {float(edge):.4%} of a full shoe of 8 decks"
    assert said[3].startswith("counted through 2,000 shoes, ")
    assert said[5].split()[5].startswith("+")  # whoever wagers only when the count calls for it has the better of it


def test_many_tables_are_played_at_once() -> None:
    assert says("vector_gym.py", "2").splitlines() == [
        "Baccarat, 12 tables, 24 rounds: a unit on Tie in 0 of them",  # two rounds into a shoe it is worth nothing
        "expected gain +0.0000 units, gained +0",
    ]


@pytest.mark.long
def test_a_tie_of_exactly_known_value_is_worth_a_wager_near_the_end_of_a_shoe() -> None:
    first, second = says("vector_gym.py").splitlines()
    staked, expected = int(first.split()[-3]), float(second.split()[2])
    assert staked > 0
    assert expected > 0


def test_a_table_is_driven_through_a_mistake_and_its_books_balance() -> None:
    said = says("drive_a_table.py").splitlines()
    tiger = load("tiger")
    assert said[0].startswith("PlaceWager by bob is refused")
    assert said[0].endswith(f"(Tiger Baccarat {tiger.clause_of('late-wager')})")
    assert said[1].startswith("DrawCard by sam is refused: the game is paused")
    assert said[1].endswith(f"(Tiger Baccarat {tiger.clause_of('wrong-delivery')})")
    accounts = {line[:16].strip(): int(line[16:].split()[0].replace(",", "")) for line in said[2:-2]}
    # 500 brought; 100 on Banker wins 95 and 5 are withheld, 10 on Tiger wins 200 on a three-card 6.
    assert (accounts["chips of ann"], accounts["chips of bob"], accounts["commission"]) == (795_00, 500_00, 5_00)
    assert sum(accounts.values()) == 0
    assert said[-2].split() == ["all", "together", "0", "cents"]
    assert said[-1].startswith("the auditor finds nothing amiss")


# --- verifying a shoe without Punto ----------------------------------------------------------------------------------

RECORD = as_json(played("ana", "bo", "chen", spoiled_by=["dita"]))
FIRST = as_json(played("ana", "bo", "chen", spoiled_by=["dita"], version=Format.ONE))


def verified(record: object, folder: Path, *noted: str) -> tuple[int, list[str]]:
    file = folder / "record.json"
    file.write_text(json.dumps(record), "utf-8")
    ended = run("verify_a_shoe.py", str(file), *noted, isolated=True)
    assert "Traceback" not in ended.stderr
    return ended.returncode, ended.stdout.splitlines()


def test_verifying_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse((EXAMPLES / "verify_a_shoe.py").read_text("utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


@pytest.mark.parametrize(
    "record",
    [
        RECORD,
        FIRST,
        as_json(played(decks=1, version=Format.ONE)),
        as_json(played()),
        as_json(played("ana", dealt=0)),
        as_json(played("ana", decks=4, dealt=208)),
    ],
)
def test_an_honest_record_holds(record: object, tmp_path: Path) -> None:
    code, said = verified(record, tmp_path)
    assert code == 0
    assert all(line.startswith("holds ") for line in said)


def flip(text: str) -> str:
    """Another digit in the place of the first."""
    return ("1" if text[0] == "0" else "0") + text[1:]


def _give_back_nonce(record: Any) -> None:
    record["cuts"][1]["patrons"][0]["nonce"] = record["cuts"][0]["patrons"][0]["nonce"]


def _leave_out(record: Any) -> None:
    del record["cuts"][1]["patrons"][2]["nonce"], record["cuts"][1]["patrons"][2]["contribution"]


def _other_card(record: Any) -> None:
    record["dealt"][3][1] = "As" if record["dealt"][3][1] != "As" else "Ah"


TAMPERED: dict[str, Callable[[Any], object]] = {
    "secret": lambda r: r.update(secret=flip(r["secret"])),
    "commitment": lambda r: r.update(commitment=flip(r["commitment"])),
    "shoe": lambda r: r.update(shoe="table 3, shoe 9"),
    "format": lambda r: r.update(format="punto-shoe-1", secret=r["secret"][:64]) or r.pop("without_cut"),
    "called without a cut": lambda r: r.update(without_cut=True),
    "cut": lambda r: r.update(cut=flip(r["cut"])),
    "list": lambda r: r["cuts"][0].update(list=flip(r["cuts"][0]["list"])),
    "contribution": lambda r: r["cuts"][1]["patrons"][0].update(contribution="00"),
    "nonce": lambda r: r["cuts"][1]["patrons"][1].update(nonce="00" * 32),
    "patron": lambda r: r["cuts"][1]["patrons"][1].update(patron="eve"),
    "the unopened commitment": lambda r: r["cuts"][0]["patrons"][3].update(commitment="00" * 32),
    "a spoiled cut dropped": lambda r: r["cuts"].pop(0),
    "a patron dropped": lambda r: r["cuts"][1]["patrons"].pop(),
    "order of patrons": lambda r: r["cuts"][1]["patrons"].reverse(),
    "who spoiled is back": lambda r: r["cuts"][1]["patrons"].append(r["cuts"][0]["patrons"][3]),
    "a nonce again": _give_back_nonce,
    "not revealed, yet dealt": _leave_out,
    "a card": _other_card,
    "two cards swapped": lambda r: r["dealt"].insert(0, r["dealt"].pop(1)),
    "a card twice": lambda r: r["dealt"].append(r["dealt"][-1]),
    "a card beyond the shoe": lambda r: r["dealt"].append([416, "As"]),
}


@pytest.mark.parametrize("tamper", TAMPERED.values(), ids=TAMPERED)
def test_a_tampered_record_fails_as_it_does_with_punto(tamper: Callable[[Any], object], tmp_path: Path) -> None:
    record = json.loads(json.dumps(RECORD))
    tamper(record)
    assert record != json.loads(json.dumps(RECORD))
    assert not all(check.ok for check in verify(read_record(json.dumps(record))))
    code, said = verified(record, tmp_path)
    assert code == 1
    assert any(line.startswith("FAILS ") for line in said)


@pytest.mark.parametrize("tamper", [TAMPERED["secret"], TAMPERED["contribution"], TAMPERED["a card"]])
def test_a_tampered_record_of_the_first_format_fails(tamper: Callable[[Any], object], tmp_path: Path) -> None:
    record = json.loads(json.dumps(FIRST))
    tamper(record)
    assert verified(record, tmp_path)[0] == 1


def test_another_number_of_decks_fails_by_the_size_of_the_secret(tmp_path: Path) -> None:
    record: Any = {**RECORD, "decks": 6}
    with pytest.raises(ShoeError, match="secret: expected 1244 bytes"):
        read_record(json.dumps(record))
    code, said = verified(record, tmp_path)
    assert code == 1
    assert "FAILS the size of the secret" in said


def test_a_record_made_up_whole_is_found_by_what_was_noted(tmp_path: Path) -> None:
    record: Any = RECORD
    own = record["cuts"][1]["patrons"][0]["commitment"]
    assert verified(record, tmp_path, record["cuts"][1]["list"], own.upper())[0] == 0
    forged = as_json(played("bo", "ana", "chen"))
    code, said = verified(forged, tmp_path, record["cuts"][1]["list"])
    assert code == 1
    assert [line for line in said if line.startswith("FAILS")] == [f"FAILS noted {record['cuts'][1]['list']}"]
    unopened = record["cuts"][0]["patrons"][3]["commitment"]  # a forger may write down anything for it
    assert verified(record, tmp_path, unopened)[0] == 1


@pytest.mark.parametrize(
    "record",
    [as_json(practice_record(7, 8)), [], {}, "text", {**RECORD, "decks": 10**12}, {**RECORD, "secret": "no"}],
    ids=["practice", "list", "empty", "text", "decks", "secret"],
)
def test_what_is_no_record_is_refused_in_a_sentence(record: object, tmp_path: Path) -> None:
    code, said = verified(record, tmp_path)
    assert (code, said) == (2, [])


def test_without_a_file_it_says_how_it_is_used() -> None:
    ended = run("verify_a_shoe.py", isolated=True)
    assert ended.returncode == 2
    assert "RECORD.json [DIGEST...]" in ended.stderr
    missing = run("verify_a_shoe.py", "nowhere.json", isolated=True)
    assert missing.returncode == 2
    assert "nowhere.json cannot be read" in missing.stderr


def test_the_notebook_runs_and_stores_no_output() -> None:
    """Its code in order, as one program; what a cell shows is only computed."""
    notebook = json.loads((EXAMPLES / "research.ipynb").read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) == 4
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    program = "\n".join("".join(cell["source"]) for cell in code)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("<CountEstimate ")
