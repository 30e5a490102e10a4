"""``punto dossier``: a folder of files whose hashes hold, the same every time, whole or not at all."""

from __future__ import annotations

import json
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from support.command import punto, refused, run_json
from support.json_answers import documented, paths
from support.pdf_text import pdf_text

from punto import load
from punto.report.dossier import filing
from punto.rules.game_library import file_as_written, game_file

LANTERN = "docs/examples/lantern.toml"
SHORT = ("dossier", LANTERN, "--shoes", "300", "--lab-shoes", "20", "--seed", "3", "--date", "2026-03-01")


@pytest.mark.long
def test_a_dossier_is_whole_and_the_same_every_time(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    told = run_json(*SHORT, "-o", str(first))
    run_json(*SHORT, "-o", str(second))
    made = {file.name: file.read_bytes() for file in first.iterdir()}
    assert made == {file.name: file.read_bytes() for file in second.iterdir()}
    assert {each["file"]: each["sha256"] for each in told["files"]} | {"SHA256SUMS": ""} == {
        name: sha256(content).hexdigest() if name != "SHA256SUMS" else "" for name, content in made.items()
    }
    assert made["lantern.toml"] == Path(LANTERN).read_bytes()
    listed = {line.partition("  ")[2] for line in made["SHA256SUMS"].decode().splitlines()}
    assert listed == made.keys() - {"SHA256SUMS", "11-signatures.pdf", "11-signatures.html"}
    index, signed = made["00-index.html"].decode(), pdf_text(made["11-signatures.pdf"])
    assert all(name in index for name in made if not name.startswith("00-index"))
    assert "all files but these: SHA256SUMS, 11-signatures.pdf, 11-signatures.html" in index
    assert sha256(made["SHA256SUMS"]).hexdigest() in "".join(signed.split())
    assert "2026-03-01" in signed
    page, found = documented()["dossier"], dict[str, set[str]]()
    for path, kind in paths(told):
        found.setdefault(path, set()).add(kind)
    assert {path: kinds for path, kinds in found.items() if not kinds <= page[path]} == {}
    assert found.keys() == page.keys()


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("sha256sum"), reason="needs sha256sum")
def test_the_manifest_is_checked_by_sha256sum_and_strange_files_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    run_json(*SHORT, "-o", str(folder))
    check = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    assert subprocess.run(check, cwd=folder, check=False).returncode == 0
    (folder / "07-settlement.csv").write_text("other", "utf-8")
    assert subprocess.run(check, cwd=folder, check=False, capture_output=True).returncode == 1
    (folder / "note.txt").write_text("mine", "utf-8")
    assert "holds note.txt, which is not of this dossier" in refused(*SHORT, "-o", str(folder))
    assert (folder / "07-settlement.csv").read_text("utf-8") == "other"


def test_a_folder_has_the_authors_own_file_and_says_that_no_date_was_given() -> None:
    book, whole, written = load("super-6"), game_file("super-6"), file_as_written("super-6")
    made = filing.make_dossier(book, whole, filing.Filing(8, shoes=5, lab_shoes=2), written=written)
    assert made.files["super-6.toml"] == whole
    assert made.files["super-6.as-written.toml"] == written
    assert "baccarat.toml" in made.files
    listed = {line.partition("  ")[2] for line in made.files["SHA256SUMS"].decode().splitlines()}
    left_out = made.files.keys() - listed
    index = made.files["00-index.html"].decode()
    assert f"all files but these: {', '.join(sorted(left_out, reverse=True))}" in index
    assert all(name in index for name in made.files if not name.startswith("00-index"))
    assert "8; the game allows 4 to 10" in index
    assert "Made on<td>no date was given" in index


def test_a_manifest_lists_each_file_under_its_hash() -> None:
    assert filing.manifest({"b": b"", "a": b"punto"}) == (
        f"{sha256(b'punto').hexdigest()}  a\n{sha256(b'').hexdigest()}  b\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--date", "1 March"), "--date 1 March: expected a date such as 2026-03-01"),
        (("--shoes", "0"), "--shoes: expected 1 to 1000000, not 0"),
        (("--lab-shoes", "-4"), "--lab-shoes: expected 1 to 1000000, not -4"),
        (("--decks", "3"), "Tiger Baccarat is played with 4 to 10 decks, not 3 (Tiger Baccarat 2.1)"),
    ],
)
def test_what_cannot_be_made_is_refused_before_a_folder_is_there(
    tmp_path: Path, words: tuple[str, str], said: str
) -> None:
    assert said in refused("dossier", "tiger", *words, "-o", str(tmp_path / "made"))
    assert not (tmp_path / "made").exists()


def test_an_interrupted_dossier_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(filing, "simulate", stopped)
    code, out, err = punto("dossier", "tiger", "-o", str(tmp_path / "made"))
    assert (code, out) == (130, "")
    assert "interrupted, and not written" in err
    assert json.dumps(list(map(str, tmp_path.iterdir()))) == "[]"
