"""``punto felt-check``: 0 for a felt that says what the game pays, 1 for another, 2 for what cannot be read."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from support.command import punto, refused, run
from support.json_answers import documented, paths

BACCARAT = """Banker 0.95 to 1
Player 1 to 1
Tie 8 to 1
Player Pair or Banker Pair 11 to 1
"""


def felt(folder: Path, text: str) -> str:
    (folder / "felt.txt").write_text(text, "utf-8")
    return str(folder / "felt.txt")


def test_a_felt_that_is_right(tmp_path: Path) -> None:
    out = run("felt-check", "baccarat", felt(tmp_path, BACCARAT))
    assert out.rstrip().endswith("The felt says what the game pays.")


def test_a_misprint_is_told_with_the_edge_it_would_have(tmp_path: Path) -> None:
    code, out, _ = punto("felt-check", "baccarat", felt(tmp_path, BACCARAT.replace("8 to 1", "9 to 1")))
    assert code == 1
    assert "DIFFERS" in out
    assert "Tie: house edge 14.3596% by the rulebook, 4.8440% as printed" in out


def test_the_answer_as_json_is_documented(tmp_path: Path) -> None:
    text = BACCARAT.replace("8 to 1", "9 to 1").replace("Player Pair or", "Plaayer Pair or") + "Lucky Six 12 to 1\n"
    code, out, _ = punto("felt-check", "baccarat", felt(tmp_path, text), "--json")
    told = json.loads(out)
    assert (code, told["equal"]) == (1, False)
    page, found = documented()["felt-check"], dict[str, set[str]]()
    for path, kind in paths(told):
        found.setdefault(path, set()).add(kind)
    assert {path: kinds for path, kinds in found.items() if not kinds <= page[path]} == {}
    assert found.keys() == page.keys()


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("和 1 赔 8\n闲 1 赔 1\n庄 1 赔 0.95\n庄对 或 闲对 1 赔 11\n"))
    assert "The felt says what the game pays." in run("felt-check", "baccarat", "-")


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert "no pay ratio in the text" in refused("felt-check", "tiger", felt(tmp_path, "Tiger Baccarat"))
    (tmp_path / "felt.pdf").write_bytes(b"%PDF-1.7 \xff\xfe")
    assert "not a text in UTF-8" in refused("felt-check", "tiger", str(tmp_path / "felt.pdf"))
    assert "cannot be read" in refused("felt-check", "tiger", str(tmp_path / "none.txt"))
    assert "4 to 10 decks, not 3" in refused("felt-check", "tiger", felt(tmp_path, BACCARAT), "--decks", "3")
