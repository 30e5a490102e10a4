"""The documents of a dossier: every clause once, tables from the code that deals, drawings to scale, evidence."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from reference import second_settlement
from support.pdf_text import pdf_text

from punto import APPROVED, GameFileError, Rulebook, load, loads, odds
from punto.design.clause_words import questioned
from punto.report.dossier.clause_evidence import clause_evidence
from punto.report.dossier.document import CardOfSteps, Document, NumberedClause, Picture, PrintedTable
from punto.report.dossier.document_files import html, markdown, pdf, prints
from punto.report.dossier.drawing_table import drawing_tables
from punto.report.dossier.example_coups import example_coups
from punto.report.dossier.filing import Filing, lab_part
from punto.report.dossier.layout_drawing import SCALES, layout_sheet, positions_told, scale_of
from punto.report.dossier.layout_plan import CHIP, plan_of
from punto.report.dossier.origin import borrowed_files, own_and_borrowed
from punto.report.dossier.procedure_cards import procedure_cards
from punto.report.dossier.rack_card import rack_card
from punto.report.dossier.rules_document import rules_document
from punto.report.dossier.simulated_rounds import simulated_json, simulated_rounds
from punto.report.par.par_sheet import par_sheet
from punto.rules.clause_texts import clause_text
from punto.rules.clause_trace import shown_by
from punto.rules.game_library import game_file
from punto.rules.readings import readings_in_force
from punto.rules.rulebook import Range, Result
from punto.simulate.simulation import simulate
from punto.table.procedures import of_game, steps_of
from punto.texts import Language

LANTERN = "docs/examples/lantern.toml"
ENGLISH, CHINESE = Language


def clauses_in(document: Document) -> list[NumberedClause]:
    return [block for block in document.blocks if isinstance(block, NumberedClause)]


def rows_of(document: Document) -> list[tuple[str, ...]]:
    return [row for block in document.blocks if isinstance(block, PrintedTable) for row in block.rows]


# --- rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("game", [*APPROVED, LANTERN])
def test_every_clause_stands_in_the_rules_once_with_its_words(game: str, language: Language) -> None:
    book = load(game)
    shown = clauses_in(rules_document(book, language))
    assert Counter(each.number for each in shown) == Counter(list(book.clauses))
    assert [each.words for each in shown] == [clause_text(book.clauses[each.number], language) for each in shown]
    order = [[int(part) for part in each.number.split(".")] for each in shown]
    assert order == sorted(order)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("game", APPROVED)
def test_each_clause_is_marked_with_the_readings_whose_list_names_it(game: str, language: Language) -> None:
    book = load(game)
    document = rules_document(book, language)
    shown = {each.number: each.readings for each in clauses_in(document)}
    for reading in readings_in_force(book):
        name = f"R{reading.number}"
        assert {number for number, names in shown.items() if name in names} == {*reading.clauses(book)}
    number, names = next((number, names) for number, names in shown.items() if len(names) > 1)
    together = ", ".join(names)
    assert re.search(rf"- \*\*{re.escape(number)}\*\* .*\({together}[,)]", markdown(document))
    assert f'<span class="soft">{together}</span>' in html(document)
    if prints(language):
        assert together in " ".join(pdf_text(pdf(document)).split())


def test_a_cap_on_payouts_bears_on_the_clauses_that_say_what_is_paid() -> None:
    for book in map(load, APPROVED):
        (cap,) = [each for each in readings_in_force(book) if each.number == 86]
        assert {each.number for each in book.clauses_of("settlement")} <= {*cap.clauses(book)}
        assert book.clause_of("round-of-play") in cap.clauses(book)
        assert "approved" in cap.reading


def test_chapters_are_called_as_the_approved_document_calls_them() -> None:
    named = ["Definitions", "Mode of Play", "How to Play", "Settlement", "Irregularities", "General Provisions"]
    chapters = [f"{number}. {name}" for number, name in enumerate(named, start=1)]
    assert rules_document(load("tiger"), ENGLISH).contents == (*chapters, "Appendices", "Readings")
    assert rules_document(load("fabulous-4"), ENGLISH).contents[:5] == tuple(chapters[:5])


def test_the_table_of_play_is_the_documents_own() -> None:
    """Written by hand from clause 3.15 of the approved document."""
    _, player, banker = drawing_tables(ENGLISH)
    assert isinstance(player, PrintedTable)
    assert isinstance(banker, PrintedTable)
    assert player.rows == (
        ("0, 1, 2, 3, 4, 5", "Draws a card"),
        ("6, 7", "Stands"),
        ("8, 9", "Natural: no cards are drawn to either hand"),
    )
    assert banker.rows == (
        ("0, 1, 2", "Draws a card", "Draws a card"),
        ("3", "Draws a card", "Draws except when that card counts 8"),
        ("4", "Draws a card", "Draws when that card counts 2, 3, 4, 5, 6, 7"),
        ("5", "Draws a card", "Draws when that card counts 4, 5, 6, 7"),
        ("6", "Stands", "Draws when that card counts 6, 7"),
        ("7", "Stands", "Stands"),
    )


def test_pay_tables_are_those_of_the_approved_document() -> None:
    """Written by hand from chapter 4 of the approved document; the commission is told beside the ratio."""
    paid = [row for row in rows_of(rules_document(load("tiger"), ENGLISH)) if len(row) == 2][3:]
    assert paid == [
        ("Player", "1 to 1"),
        ("Banker", "0.95 to 1, commission of 0.05 to 1 already taken off"),
        ("Tie", "8 to 1"),
        ("Tiger Pair: Twin Tiger Pair", "100 to 1"),
        ("Tiger Pair: Double Tiger Pair", "20 to 1"),
        ("Tiger Pair: Single Tiger Pair", "4 to 1"),
        ("Tiger: two-card 6", "12 to 1"),
        ("Tiger: three-card 6", "20 to 1"),
        ("Big Tiger", "50 to 1"),
        ("Small Tiger", "22 to 1"),
        ("Tiger Tie", "35 to 1"),
    ]


@pytest.mark.parametrize("game", [*APPROVED, LANTERN])
def test_every_line_that_wins_is_in_one_pay_table_and_on_the_rack_card(game: str) -> None:
    book = load(game)
    winning = sum(line.result is Result.WIN for wager in book.wagers for line in wager.lines)
    tables = [row for row in rows_of(rules_document(book, ENGLISH)) if len(row) == 2][3:]
    assert sum(row[1] != "Push" for row in tables) == winning
    card = [row for row in rows_of(rack_card(book, ENGLISH)) if len(row) == 2][:-3]
    assert len(card) == sum(len(wager.lines) for wager in book.wagers)


DAWN = """
key = "dawn"
title = "Dawn Tiger"
version = "2"
effective = 2026-04-01T06:00:00+08:00
extends = "tiger"
without = ["Tiger Tie", "1.1.15", "2.2.8", "3.20"]
[[wager]]
name = "Dawn"
clause = "7.1"
lines = [{ when = { every_card_colour = "red" }, pays = "20 to 1", clause = "7.2" }]
[clauses]
"7.1" = { provision = "wager", by = "data", text = "Dawn wins if every card is red." }
"7.2" = { provision = "settlement", by = "data", text = "Dawn pays 20 to 1." }
"""


def test_the_day_from_which_a_game_is_in_force_is_printed_as_the_file_says_it() -> None:
    for effective, day, hour in (
        ("2026-04-01", "1 April 2026", ""),
        ("2026-04-01T06:00:00", "1 April 2026", ", 06:00"),
        ("2026-04-01T06:00:00+08:00", "1 April 2026", ", 06:00+08:00"),
    ):
        book = loads(DAWN.replace("2026-04-01T06:00:00+08:00", effective))
        assert f"With effect from {day}{hour}" in rules_document(book, ENGLISH).under
        chinese = rules_document(book, CHINESE).under
        assert any(f"2026 年 4 月 1 日{hour.removeprefix(',')}" in line for line in chinese)
        assert par_sheet(odds(book, 8), 8, ())["effective"] == day + hour
    for wrong in ('"2026-04-01"', "06:00:00", "2026"):
        with pytest.raises(GameFileError, match="line 5: effective: expected a date"):
            loads(DAWN.replace("2026-04-01T06:00:00+08:00", wrong))


def test_markdown_and_html_take_words_for_nothing_but_words() -> None:
    hostile = game_file(LANTERN).decode().replace("Red Pair pays 20 to 1.", "<script>*20 to 1*</script>")
    document = rules_document(loads(hostile), ENGLISH)
    assert "<script>" not in html(document)
    assert r"\<script\>\*20 to 1\*\</script\>" in markdown(document)


def test_what_is_copied_from_a_page_is_what_was_printed() -> None:
    """A hash and the name of a test break over lines, and no letter is there only to let them break."""
    digest = load("tiger").digest
    test = shown_by(load("tiger"), "1.1.2")[0]
    cells = ((f"SHA-256 {digest}", test), ("many", "; ".join([test] * 200)))
    document = Document("Tiger", ENGLISH, "", blocks=(PrintedTable(("a", "b"), cells, wide=(1,)),))
    copied = pdf_text(pdf(document))
    assert "\u200b" not in copied + html(document) + markdown(document)
    assert digest in "".join(copied.split())
    assert digest not in copied, "this table has no room for it on one line"
    assert "".join(copied.split()).count(test) == 201
    assert digest in html(document)


# --- layouts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [*APPROVED, LANTERN])
def test_every_layout_has_each_area_at_each_position_and_room_for_its_wagers(game: str) -> None:
    book = load(game)
    for layout in book.layouts:
        plan = plan_of(book, layout)
        assert plan.positions == (layout.positions.most if layout.positions else 9)
        there = Counter((area.position, area.wager) for area in plan.areas)
        assert there == Counter((at + 1, wager.name) for at in range(plan.positions) for wager in book.wagers)
        assert all(area.width >= 3 * CHIP and area.outer - area.inner >= CHIP for area in plan.areas)


def test_areas_lie_side_by_side_and_on_the_table() -> None:
    plan = plan_of(book := load("tiger"), book.layouts[4])
    for wager in book.wagers:
        row = sorted((area for area in plan.areas if area.wager == wager.name), key=lambda area: area.position)
        assert all(left.end < right.start for left, right in pairwise(row))
        assert -plan.reach < row[0].start < row[-1].end < plan.reach
    for position in range(1, plan.positions + 1):
        column = sorted((area for area in plan.areas if area.position == position), key=lambda area: area.inner)
        assert all(near.outer <= far.inner for near, far in pairwise(column))
        assert column[-1].outer < plan.edge


@pytest.mark.parametrize("at", range(8))
def test_a_sheet_is_drawn_to_the_scale_it_names(at: int) -> None:
    plan = plan_of(book := load("tiger"), layout := book.layouts[at])
    scale, sheet = scale_of(plan), layout_sheet(book, layout)
    assert scale in SCALES
    assert f"Scale 1 : {scale}" in sheet
    assert 'width="594mm" height="420mm"' in sheet
    lines = re.findall(r'class="dimension" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)', sheet)
    sizes = [float(size) for size in re.findall(r'stroke="#b03030".*?<text[^>]*>(\d+)</text>', sheet)]
    assert len(lines) == len(sizes) == 6
    for (x1, y1, x2, y2), size in zip(lines, sizes, strict=True):
        drawn = ((float(x2) - float(x1)) ** 2 + (float(y2) - float(y1)) ** 2) ** 0.5
        assert abs(drawn * scale - size) < 6, "the arc of an area is a little longer than the line across it"


def test_a_drawing_says_which_drawing_holds_and_for_how_many_positions_it_is() -> None:
    for game, held in (("tiger", "the approved drawing holds"), (LANTERN, "the drawing that is approved holds")):
        book = load(game)
        pictures = [block for block in rules_document(book, ENGLISH).blocks if isinstance(block, Picture)]
        for layout, picture in zip(book.layouts, pictures, strict=True):
            sheet = layout_sheet(book, layout)
            assert held in sheet
            assert held in picture.caption
            assert positions_told(layout, ENGLISH) in sheet
    chinese = rules_document(load(LANTERN), CHINESE)
    assert any("送审布局" in block.caption for block in chinese.blocks if isinstance(block, Picture))


REDS = """
key = "reds"
title = "Reds"
extends = "baccarat"
without = ["Player Pair", "Banker Pair"]
[[wager]]
name = "Reds"
clause = "7.1"
lines = [{ when = { every_card_colour = "red" }, pays = "20 to 1", clause = "7.2" }]
[clauses]
"7.1" = { provision = "wager", by = "data", text = "Reds wins if every card is red." }
"7.2" = { provision = "settlement", by = "data", text = "Reds pays 20 to 1." }
"""


def test_wagers_that_perfect_play_does_not_follow_are_named_and_the_others_studied() -> None:
    files = lab_part(loads(REDS), Filing(8, lab_shoes=40)).files
    assert files.keys() >= {"09-lab.pdf", "09-lab.json", "09-lab-left-out.html"}
    assert [each["wager"] for each in json.loads(files["09-lab.json"])["wagers"]] == ["Player", "Banker", "Tie"]
    page = files["09-lab-left-out.html"].decode()
    assert "Not studied: Reds." in page
    assert "Player, Banker, Tie" in page
    paper = pdf_text(files["09-lab.pdf"])
    assert "95% of shoes" in paper
    assert "99% of shoes" not in paper, "40 shoes cannot tell what one in a hundred gains"


def test_a_game_of_single_cards_alone_says_that_the_shoes_asked_for_were_not_dealt() -> None:
    book = load(LANTERN)
    red = loads(REDS).wager("Reds")
    files = lab_part(replace(book, wagers=(replace(red, clause="2.2"),)), Filing(8, lab_shoes=37)).files
    assert "37 shoes asked for were not dealt" in files["09-lab.html"].decode()
    assert "09-lab.json" not in files


# --- evidence --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", APPROVED)
def test_every_way_a_wager_ends_has_an_example_that_a_second_settlement_confirms(game: str) -> None:
    book = load(game)
    found = example_coups(book)
    assert list(found) == [(wager.name, line.outcome) for wager in book.wagers for line in wager.outcomes]
    for (name, outcome), coup in found.items():
        hands = [[str(card) for card in hand] for hand in (coup.player, coup.banker)]
        result, gain = second_settlement.settle(game, *hands)[name]
        line = next(line for line in book.wager(name).outcomes if line.outcome == outcome)
        assert (result, gain) == (line.result.value, Fraction(line.pays))


def test_the_sign_of_z_says_whether_the_simulated_figure_is_above_the_exact_one() -> None:
    book = load("tiger")
    document = simulated_rounds(simulate(book, 20, 1), odds(book, 8))
    edges, outcomes = [block for block in document.blocks if isinstance(block, PrintedTable)]
    for exact, dealt, z in [(row[1], row[2], row[4]) for row in edges.rows] + [
        (row[2], row[3], row[5]) for row in outcomes.rows
    ]:
        above = float(dealt.rstrip("%")) - float(exact.rstrip("%"))
        assert above == 0 or (above > 0) == (float(z) > 0)
    told = json.loads(simulated_json(simulate(book, 20, 1), odds(book, 8)))["z"]
    assert [f"{each['z']:+.2f}" for each in told] == [row[4] for row in edges.rows]


def test_examples_are_the_same_every_time_and_in_the_shoe() -> None:
    book = load("baccarat")
    assert example_coups(book) == example_coups(book)
    for coup in example_coups(replace(load("baccarat"), decks=Range(1, 1))).values():
        assert max(Counter(coup.in_dealing_order()).values()) == 1


def test_the_trace_has_a_row_for_every_clause_with_its_tests() -> None:
    book = load("tiger")
    rows = {row[0]: row for row in rows_of(clause_evidence(book))}
    assert rows.keys() == book.clauses.keys()
    assert "tests/rules/test_definitions.py" in rows["1.1.2"][2]
    assert rows["5.4"][1] == "enforced"
    assert rows["5.4"][3] != "–"


def test_the_trace_of_a_game_that_borrows_says_for_which_game_the_tests_are() -> None:
    book, tiger = loads(DAWN), load("tiger")
    document = clause_evidence(book)
    rows = {row[0].partition(" ")[0]: row for row in rows_of(document)}
    assert rows["5.4"][2] == "; ".join(shown_by(tiger, "5.4"))
    assert rows["7.1"][2] == "–"
    questions = questioned(book)
    assert "3.5" in questions
    assert all(rows[each][2].startswith("Questioned by the checks") for each in questions)
    facts, shown = dict(document.facts), [each for each in rows if rows[each][2].startswith("tests/")]
    assert facts["Clauses shown by a test for this game"] == "0"
    assert facts["Borrowed clauses shown by a test for Tiger Baccarat, not for this game"] == str(len(shown))
    assert facts["Clauses that the checks question, counted nowhere"] == str(len(questions))
    tables = [block for block in document.blocks if isinstance(block, PrintedTable)]
    assert [table.columns[2] for table in tables] == ["Shown by", "Shown for Tiger Baccarat by"]
    assert len(clause_evidence(tiger).facts) == 5


def test_a_proposed_game_says_which_clauses_it_borrows() -> None:
    content = game_file("tiger").decode().replace('key = "tiger"', 'key = "lotus"')
    book = loads(content.replace("If Banker and Player tie on 6, Tiger Tie wins.", "Tiger Tie wins on a tie with 6."))
    document = rules_document(book, ENGLISH)
    marks = {each.number: each.mark for each in clauses_in(document)}
    assert [number for number, mark in marks.items() if not mark] == ["3.20"]
    assert marks["5.4"] == "Tiger Baccarat 5.4"
    assert "Proposed for approval" in document.under
    borrowed = f"{len(book.clauses) - 1} clauses, each marked"
    assert any(borrowed in line for line in document.under)
    assert borrowed_files(book) == {"tiger.toml": game_file("tiger")}
    assert not any(each.mark for each in clauses_in(rules_document(load("tiger"), ENGLISH)))


def test_borrowed_clauses_are_said_to_be_in_the_words_of_puntos_file() -> None:
    english, chinese = (own_and_borrowed(load("super-6"), language) for language in Language)
    assert "unchanged from Punto's file of the approved Baccarat" in english
    assert "restates the approved document in Punto's words" in english
    assert "word for word" not in english
    assert "Punto 以自己的文字" in chinese
    assert "逐字" not in chinese


def test_a_game_of_the_library_marks_exactly_what_its_file_borrows() -> None:
    book = load("super-6")
    document = rules_document(book, ENGLISH)
    marks = {each.number: each.mark for each in clauses_in(document)}
    declared = {number: clause.origin or "" for number, clause in book.clauses.items()}
    assert any(declared.values())
    assert not all(declared.values())
    assert marks == {number: mark.replace("baccarat ", "Baccarat ") for number, mark in declared.items()}
    assert document.contents[6] == "7. Additional Provisions"


def test_a_card_for_several_methods_says_so_in_the_plural() -> None:
    cards = [block for block in procedure_cards(load("tiger"), ENGLISH).blocks if isinstance(block, CardOfSteps)]
    told = {part for card in cards for part in card.about.split(" · ") if part.startswith("only under")}
    assert "only under methods A, C" in told
    assert not any("," in each and "method " in each for each in told)


@pytest.mark.parametrize("game", [*APPROVED, LANTERN])
def test_every_procedure_of_a_game_has_its_card(game: str) -> None:
    book: Rulebook = load(game)
    cards = [block for block in procedure_cards(book, CHINESE).blocks if isinstance(block, CardOfSteps)]
    assert [card.title for card in cards] == [each.words.zh for each in of_game(book)]
    assert [len(card.steps) for card in cards] == [len(steps_of(book, each)) for each in of_game(book)]
