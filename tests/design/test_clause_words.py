"""Words and data: what clauses say that the file does not have, and the other way round; borrowed words above all."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import punto as command

from punto import APPROVED, load, loads
from punto.design import Severity, check
from punto.design.clause_words import questioned, words_findings
from punto.report.dossier.checked_game import game_matters
from punto.rules.game_library import LIBRARY, game_file
from punto.texts import Language

LANTERN = "docs/examples/lantern.toml"
HEAD = """
key = "dawn"
title = "Dawn Tiger"
version = "2"
extends = "tiger"
"""
DAWN = (
    HEAD
    + """
without = ["Tiger Tie", "1.1.15", "2.2.8", "3.20"]
[[wager]]
name = "Dawn"
clause = "7.1"
area = "7.3"
lines = [{ when = { every_card_colour = "red" }, pays = "20 to 1", clause = "7.2" }]
[clauses]
"7.1" = { provision = "wager", by = "data", text = "Dawn wins if every card is red." }
"7.2" = { provision = "settlement", by = "data", text = "Dawn pays 20 to 1." }
"7.3" = { provision = "playing-area", by = "data", text = "The layout has playing areas for Dawn wagers." }
"""
)


def found(game: str) -> list[tuple[str, str, str]]:
    return [
        (each.code, ", ".join(each.clauses), each.values.get("name", each.values.get("ratio", "")))
        for each in words_findings(loads(game))
    ]


def stated(data: str) -> list[tuple[str, tuple[str, ...], str, str]]:
    """Return the findings of a game that differs from Tiger Baccarat in this alone."""
    return [
        (each.code, each.clauses, each.values["before"], each.values["now"])
        for each in words_findings(loads(HEAD + data + DAWN.removeprefix(HEAD)))
        if each.code.startswith("borrowed")
    ]


def test_the_words_of_approved_games_fit_their_files() -> None:
    assert [words_findings(load(game)) for game in (*APPROVED, LANTERN)] == [()] * 6


def test_known_games_borrow_wagers_and_lists_that_fit() -> None:
    codes = {each.code for game in LIBRARY for each in words_findings(load(game))}
    assert codes == {"no-area", "borrowed-differs", "borrowed-has-more"}


def test_words_and_lines_that_differ_in_a_ratio_are_told_apart() -> None:
    changed = game_file(LANTERN).decode().replace('pays = "30 to 1"', 'pays = "33 to 1"')
    assert found(changed) == [("ratio-in-words", "3.4", "30 to 1"), ("ratio-in-lines", "3.4", "33 to 1")]
    sentences = [each.sentence() for each in check(loads(changed), countable=False) if each.clauses]
    assert "its words name 30 to 1, but no line" in sentences[0]
    assert "the file pays 33 to 1 for Lantern (by 9), but the words" in sentences[1]


def test_words_that_name_what_a_game_left_out_are_found() -> None:
    assert found(DAWN) == [
        ("ratio-in-words", "4.3", "35 to 1"),
        ("names-left-out", "3.5", "Tiger Tie"),
        ("names-left-out", "3.6", "Tiger Tie"),
        ("names-no-clause", "3.16.1", "1.1.15"),
        ("names-left-out", "3.16.1", "Tiger Tie"),
        ("names-left-out", "4.3", "Tiger Tie"),
        ("not-available", "3.5", "Dawn"),
        ("not-alone", "3.6", "Dawn"),
    ]


def test_clauses_about_a_wager_that_was_left_out_are_named_for_without() -> None:
    standing = DAWN.replace('"Tiger Tie", "1.1.15", "2.2.8", "3.20"', '"Tiger Tie"')
    (each,) = [each for each in words_findings(loads(standing)) if each.code == "clauses-of-left-out"]
    assert (each.clauses, each.values["name"]) == (("1.1.15", "2.2.8", "3.20"), "Tiger Tie")
    followed = DAWN.replace('["Tiger Tie", "1.1.15", "2.2.8", "3.20"]', str(["Tiger Tie", *each.clauses]))
    assert "clauses-of-left-out" not in [code for code, _, _ in found(followed)]


@pytest.mark.parametrize("wager", [each.name for each in load("tiger").wagers][2:])
def test_what_without_is_told_to_have_can_be_left_out(wager: str) -> None:
    game = HEAD + f'without = ["{wager}"]\n' + DAWN.partition("]\n")[2]
    (each,) = [each for each in words_findings(loads(game)) if each.code == "clauses-of-left-out"]
    loads(game.replace(f'["{wager}"]', str([wager, *each.clauses])))


@pytest.mark.parametrize(
    ("data", "clause", "before", "now"),
    [
        ("decks = { min = 6, max = 8 }", "2.1", "4–10", "6–8"),
        ('hlga = ["Ruby Room", "Jade Room"]', "1.1.4", "Paiza Club", "Jade Room"),
    ],
)
def test_a_borrowed_clause_that_states_other_data_is_found(data: str, clause: str, before: str, now: str) -> None:
    assert stated(data) == [("borrowed-differs", (clause,), before, now)]


def test_layouts_are_compared_by_number_letter_positions_and_languages() -> None:
    rows = [
        f'{{ name = "Appendix {each}", clause = "2.2", '
        f'positions = {{ min = {low}, max = {high} }}, languages = ["en"] }}'
        for each, low, high in zip("ABCDEFGH", (1, 1, 1, 1, 8, 1, 1, 9), (8, 8, 8, 9, 16, 8, 8, 9), strict=True)
    ]
    assert stated(f"layout = [{', '.join(rows)}]") == []
    fewer = f"layout = [{', '.join(rows[:-1])}]"
    assert stated(fewer) == [("borrowed-has-more", ("2.2",), "Appendix H (9, en)", "")]
    wider = f"layout = [{', '.join([rows[0].replace('max = 8', 'max = 7'), *rows[1:]])}]"
    assert stated(wider) == [("borrowed-differs", ("2.2",), "Appendix A (1–8, en)", "Appendix A (1–7, en)")]
    more = f"layout = [{', '.join([*rows, rows[0].replace('Appendix A', 'Appendix I')])}]"
    assert stated(more) == [("borrowed-has-less", ("2.2",), "", "Appendix I (1–8, en)")]


def test_a_clause_that_the_file_writes_is_not_taken_for_a_borrowed_one() -> None:
    own = '[clauses]\n"2.1" = { provision = "decks", by = "attested", text = "Six to eight decks are used." }'
    game = HEAD + "decks = { min = 6, max = 8 }" + DAWN.removeprefix(HEAD).replace("[clauses]", own)
    assert not [code for code, _, _ in found(game) if code.startswith("borrowed")]


def test_a_wager_without_a_playing_area_is_found() -> None:
    assert ("no-area", "2.2", "Dawn") in found(DAWN.replace('area = "7.3"\n', ""))
    assert ("area-unnamed", "2.2.1", "Dawn") in found(DAWN.replace('area = "7.3"', 'area = "2.2.1"'))


def test_a_wager_that_ends_otherwise_than_its_borrowed_clause_says_is_found() -> None:
    big = """[[wager]]
name = "Big Tiger"
clause = "1.1.1"
area = "2.2.5"
lines = [{ when = { winner = "banker", banker_total = 6, banker_cards = 2 }, pays = "50 to 1", clause = "4.3" }]
"""
    assert ("borrowed-wager", "1.1.1, 4.3", "Big Tiger") in found(DAWN.replace("[[wager]]", big + "[[wager]]", 1))


def test_the_command_and_the_dossier_tell_the_same_words_in_both_languages(tmp_path: Path) -> None:
    game = HEAD + "decks = { min = 6, max = 8 }" + DAWN.removeprefix(HEAD)
    warnings = [each for each in check(loads(game), countable=False, file=game) if each.clauses]
    assert {each.severity for each in warnings} == {Severity.WARNING}
    assert [each.line for each in warnings if each.code == "borrowed-differs"] == [6]
    assert all(each.clauses[0] in each.sentence(language) for each in warnings for language in Language)
    assert all("{" not in each.sentence(language) for each in warnings for language in Language)
    file = tmp_path / "dawn.toml"
    file.write_text(game, "utf-8")
    code, said, _ = command("check", str(file))
    assert code == 0
    flat = " ".join(said.split())
    assert all(each.sentence() in flat for each in warnings)
    matters = [sentence for _, sentence in game_matters(loads(game))]
    assert all(each.sentence() in matters for each in warnings)
    assert questioned(loads(game)) == {clause for each in warnings for clause in each.clauses}
