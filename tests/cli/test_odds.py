"""``punto odds`` and ``punto report par``: the JSON contract, files, pictures, and what is refused."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from pathlib import Path

import polars
import pytest
from support.command import refused, run, run_json
from support.long import others_long

from punto import Rulebook, load, odds
from punto.cards import DECK
from punto.formatting import percent


def test_json_has_the_promised_shape(book: Rulebook) -> None:
    told = run_json("odds", book.key)
    assert (told["game"], told["digest"], told["decks"], told["cards"]) == (book.key, book.digest, 8, 416)
    assert told["deals"] == 4_998_398_275_503_360
    for wager, each in zip(book.wagers, told["wagers"], strict=True):
        assert (each["wager"], each["return"]) == (wager.name, each["expected_return"])
        assert [one["outcome"] for one in each["outcomes"]] == [line.outcome for line in wager.outcomes]
        assert each["outcomes"][-1]["pays"] == "-1/1"
        assert sum(Fraction(one["probability"]) for one in each["outcomes"]) == 1
        mean = sum(Fraction(one["probability"]) * Fraction(one["pays"]) for one in each["outcomes"])
        assert Fraction(each["return"]) == mean == -Fraction(each["house_edge"])


def test_void_is_told_where_the_shoe_can_run_out(tmp_path: Path) -> None:
    shoe = tmp_path / "shoe.json"
    shoe.write_text('{"As": 2, "2h": 1, "10d": 1, "9c": 1, "Kd": 0}')
    told = run_json("odds", "baccarat", "--shoe", str(shoe))
    assert told["cards"] == 5
    for each in told["wagers"]:
        last = each["outcomes"][-1]
        assert (last["outcome"], last["pays"]) == ("void", "0/1")
        assert each["outcomes"][-2]["outcome"] == "lose"
        assert sum(Fraction(one["probability"]) for one in each["outcomes"]) == 1


def test_a_shoe_may_come_from_a_file_or_standard_input_or_what_was_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = {str(card): 6 for card in DECK} | {"4h": 5, "Ks": 4}
    (tmp_path / "shoe.json").write_text(json.dumps(counts))
    from_file = run_json("odds", "tiger", "--shoe", str(tmp_path / "shoe.json"))
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(counts)))
    assert run_json("odds", "tiger", "--shoe", "-") == from_file
    full = run_json("odds", "tiger", "--decks", "6", "--seen", "4h, Ks Ks")
    assert (full["wagers"], full["deals"]) == (from_file["wagers"], from_file["deals"])
    assert (full["decks"], full["seen"]) == (6, ["4h", "Ks", "Ks"])
    assert (from_file["decks"], from_file["cards"], from_file["composition"]) == (None, 309, counts)


def test_the_middle_of_a_round() -> None:
    told = run_json("odds", "tiger", "--dealt", "P:4h,4d B:Ks")
    assert told["cards"] == 413
    pair = {one["outcome"]: one["probability"] for one in told["wagers"][6]["outcomes"]}
    assert pair["lose"] == "0/1"
    assert pair["Twin Tiger Pair"] == "0/1"
    face_down = run_json("odds", "tiger", "--dealt", "B:?,Ks P:4h,4d")
    assert face_down["wagers"][0] == told["wagers"][0]


def test_people_see_a_table() -> None:
    shown = run("odds", "tiger")
    for word in ("Tiger Baccarat, 416 cards", "Twin Tiger Pair", "100 to 1", "16.6836%", "0.95 to 1", "push"):
        assert word in shown
    assert "…" not in run("odds", "fabulous-4", "--removal")
    assert "-1.1406" in run("odds", "tiger", "--removal")  # a six gone, for Tiger Tie


def test_removal_in_json_names_each_card() -> None:
    told = run_json("odds", "baccarat", "--removal")["removal"]
    assert len(told) == 52
    assert {each["wager"] for each in told[0]["wagers"]} == {wager.name for wager in load("baccarat").wagers}
    assert sum(Fraction(each["wagers"][0]["change"]) for each in told) == 0


def test_figures_are_written_as_csv_and_parquet(tmp_path: Path) -> None:
    csv, parquet = tmp_path / "odds.csv", tmp_path / "odds.parquet"
    run("odds", "tiger", "-o", str(csv), "-o", str(parquet))
    from_csv, from_parquet = polars.read_csv(csv), polars.read_parquet(parquet)
    assert from_csv.columns == from_parquet.columns
    exact = {each.wager.name: each.expected_return for each in odds(load("tiger")).wagers}
    for row in from_parquet.iter_rows(named=True):
        assert Fraction(row["return"]) == exact[row["wager"]]
        assert row["probability_rounded"] == float(Fraction(row["probability"]))
    run("odds", "tiger", "--removal", "-o", str(csv))
    assert polars.read_csv(csv).height == 52 * 8


@pytest.mark.parametrize(
    ("suffix", "options"), others_long([("svg", []), ("svg", ["--removal"]), ("png", []), ("pdf", ["--removal"])])
)
def test_pictures_are_drawn_and_come_out_the_same_again(tmp_path: Path, suffix: str, options: list[str]) -> None:
    magic = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    files = [tmp_path / f"{number}.{suffix}" for number in (1, 2)]
    for file in files:
        run("odds", "baccarat", "-o", str(file), *options)
    assert files[0].read_bytes().startswith(magic[suffix])
    assert files[0].read_bytes() == files[1].read_bytes()
    if suffix == "svg":
        text = files[0].read_text("utf-8")
        assert all(wager.name in text for wager in load("baccarat").wagers)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("tiger --decks 3", "Tiger Baccarat is played with 4 to 10 decks, not 3 (Tiger Baccarat 2.1)"),
        ("tiger --decks 6 --shoe x.json", "argument --shoe: not allowed with argument --decks"),
        ("tiger --shoe missing.json", "missing.json: cannot be read: No such file"),
        ("tiger --seen 4x", "'4x' is not a card"),
        ("tiger --decks 4 --seen 4h,4h,4h,4h,4h", "take more than the shoe holds: there is no 4h left"),
        ("tiger --dealt 4h", "expected hands such as"),
        ("tiger --dealt X:4h", "found 'X:4h'"),
        ("tiger --dealt P:4h,4x", "'4x' is not a card"),
        ("tiger --dealt P:2c,2c,2c,2c", "a hand has at most three cards"),
        ("tiger --dealt P:9h,Kd,2c", "no lawful coup shows these cards (Tiger Baccarat 3.15)"),
        ("tiger --dealt P:4h --removal", "--removal is about a shoe between rounds"),
        ("tiger --dealt P:", "found 'P:'"),
        ("tiger --decks 6 -o out.svg", "without --removal it does not go with --decks"),
        ("tiger --seen 4h -o out.svg", "without --removal it does not go with --decks, --shoe, --seen or --dealt"),
        ("tiger --dealt P:4h -o out.svg", "without --removal it does not go with"),
        ("tiger -o out.gif", "out.gif: expected a file name that ends in .csv, .parquet, .svg, .png or .pdf"),
        ("tiger -o out.txt", "out.txt: expected a file name that ends in .csv"),
        ("tiger -o nowhere/out.csv", "nowhere/out.csv: cannot be written there"),
    ],
)
def test_bad_input_gets_one_line(
    arguments: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in refused("odds", *arguments.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[1]", "expected an object such as"),
        ("{", "not JSON"),
        ('{"4x": 1}', "'4x' is not a card"),
        ('{"4h": -1}', "4h: expected a whole number 0 to 10,000, found -1"),
        ('{"4h": 1.5}', "expected a whole number"),
        ('{"4h": true}', "expected a whole number"),
        ('{"4h": 0}', "expected at least one card"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_bad_shoe_gets_one_line(content: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text(content)
    assert sentence in refused("odds", "tiger", "--shoe", str(file))


def test_odds_of_a_game_of_ones_own() -> None:
    told = run_json("odds", "docs/examples/lantern.toml", "--decks", "6")
    assert told["cards"] == 312
    assert [each["wager"] for each in told["wagers"]] == ["Player", "Banker", "Lantern", "Red Pair"]


def test_a_par_sheet_says_what_a_test_lab_asks_for(book: Rulebook, tmp_path: Path) -> None:
    page = tmp_path / "par.html"
    sheet = run_json("report", "par", book.key, "-o", str(page), "--rounds", "50000")
    text = page.read_text("utf-8")
    found = odds(book)
    for each in found.wagers:
        for chance in each.outcomes:
            assert f"{chance.deals:,}" in text
        assert f"{each.expected_return.numerator}/{each.expected_return.denominator}" in text
    for word in (book.digest, "4,998,398,275,503,360", "Punto 0.1.0", "50,000", "R16" if book.hlga else "R22"):
        assert word in text
    assert (sheet["rounds"], sheet["sheet"]["rounds"]) == ([50_000], ["50,000"])
    assert sheet["wagers"] == [each.to_dict() for each in found.wagers]
    assert run_json("report", "par", book.key, "--rounds", "50000") == sheet  # and no file is needed
    if book.key == "baccarat":
        assert "32.3448%" in text


def test_a_par_sheet_is_written_as_pdf(tmp_path: Path) -> None:
    file = tmp_path / "par.pdf"
    assert "PAR sheet of Tiger Baccarat" in run("report", "par", "tiger", "-o", str(file))
    assert file.read_bytes().startswith(b"%PDF")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("par -o par.pdf", "the following arguments are required: GAME"),
        ("par tiger -o par.doc", "par.doc: expected a file name that ends in .pdf or .html"),
        ("par tiger -o par.pdf --rounds 0", "--rounds: expected a whole number above zero"),
        ("par tiger -o par.pdf --decks 11", "is played with 4 to 10 decks, not 11 (Tiger Baccarat 2.1)"),
        ("day tiger -o x.pdf", "day: expected par, shift, significant, returns or ratings after punto report"),
    ],
)
def test_a_report_that_cannot_be_made_gets_one_line(
    arguments: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in refused("report", *arguments.split())
    assert list(tmp_path.iterdir()) == []


def test_the_figure_behind_reading_one_is_computed() -> None:
    assert "349/1079" in run_json("readings")["readings"][0]["in_figures"]
    assert "32.3448%" in run("readings")


def test_of_several_files_none_is_written_if_one_cannot_be(tmp_path: Path) -> None:
    written, nowhere = tmp_path / "a.csv", tmp_path / "none" / "a.parquet"
    assert "cannot be written" in refused("odds", "tiger", "-o", str(written), "-o", str(nowhere))
    assert not written.exists()
    assert "expected a file name" in refused("odds", "tiger", "-o", "")


def test_without_standard_input_there_is_nothing_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert "there is no standard input" in refused("odds", "tiger", "--shoe", "-")
    assert "there is no standard input" in refused("verify-shoe", "-")


@pytest.mark.parametrize(
    "dealt", ["P:4h,4d,? B:?,?", "P:?,?,?", "P:?,?,? B:?", "P:9h,Kd,? B:2s,3s", "P:2h,Kd,? B:2s,3s,?"]
)
def test_a_third_card_lies_face_down_only_where_it_was_called_for(dealt: str) -> None:
    assert "only where the others call for it" in refused("odds", "tiger", "--dealt", dealt)
    whole, down = (run_json("odds", "tiger", "--dealt", f"P:2h,Kd{third} B:2s,3s") for third in ("", ",?"))
    assert whole["wagers"] == down["wagers"]


def test_a_cap_is_told_beside_the_edge_without_it() -> None:
    """Tie at 8 to 1: of 1000 staked and 5000 paid at most it returns as at 5 to 1."""
    told = run_json("odds", "tiger", "--cap", "5000", "--stake", "1000")
    tie = next(each for each in told["cap"]["wagers"] if each["wager"] == "Tie")
    hit = odds("tiger", 8)["Tie"].hit_frequency
    assert (told["cap"]["cents"], tie["stake"]) == (500_000, 100_000)
    assert Fraction(tie["house_edge"]) == 1 - 6 * hit
    assert Fraction(tie["uncapped_return"]) == odds("tiger", 8)["Tie"].expected_return
    assert "Banker" not in {each["wager"] for each in told["cap"]["wagers"]}
    assert "cap" not in run_json("odds", "tiger")
    assert "Under the cap" in run("odds", "tiger", "--cap", "5000", "--stake", "Tie=1000", "--stake", "Tiger Tie=50")


def test_a_par_sheet_has_the_edges_under_a_cap(tmp_path: Path) -> None:
    told = run_json("report", "par", "tiger", "--cap", "500", "--stake", "Tie=100")
    (row,) = told["sheet"]["capped"]
    assert row[0] == "Tie"
    edge = percent(1 - 6 * odds("tiger", 8)["Tie"].hit_frequency, 6)
    assert row[3] == edge
    page = tmp_path / "par.html"
    run("report", "par", "tiger", "--cap", "500", "--stake", "Tie=100", "-o", str(page))
    assert edge in page.read_text("utf-8")


@pytest.mark.parametrize(
    "asked",
    [
        ("--cap", "500"),
        ("--stake", "500"),
        ("--cap", "0", "--stake", "5"),
        ("--cap", "500", "--stake", "Banker=5"),
        ("--cap", "500", "--stake", "Tie=5", "--stake", "5"),
        ("--cap", "500", "--stake", "Tie=5", "--stake", "tie=5"),
        ("--cap", "500", "--stake", "Lucky=5"),
    ],
)
def test_a_cap_without_sense_is_refused(asked: tuple[str, ...]) -> None:
    assert refused("odds", "tiger", *asked)
