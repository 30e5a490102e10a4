"""What values look like in a notebook: well-formed, escaped, without scripts, told in words; and short as text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from punto import (
    APPROVED,
    Card,
    Composition,
    Coup,
    Result,
    bankroll,
    counting,
    covariance_matrix,
    load,
    odds,
    portfolio,
    settle,
    simulate,
    staking,
)
from punto.lab.bankrolls.staking import flat
from punto.roads import RoundMark, roads
from punto.rules import Winner

TIGER = load("tiger")
COUP = Coup.deal("2s Ah 3d Ad Ks 4c")
WINNERS = {"B": Winner.BANKER, "P": Winner.PLAYER, "T": Winner.TIE}
MARKS = [
    RoundMark(WINNERS[letter], player_pair=number % 5 == 0, banker_pair=number % 7 == 0)
    for number, letter in enumerate("TPPBBBTTBBBBBPBP")
]


KINDS = [
    *("card", "composition", "coup", "line", "wager", "rulebook", "odds", "wager_odds", "simulation", "wager_result"),
    *("counting", "staking", "bankroll", "results", "portfolio", "covariances"),
    *("roads", "bead_plate", "big_road", "derived_road", "no_road_yet"),
]


@cache
def values() -> dict[str, Any]:
    """One of each kind of value that a notebook draws."""
    shoe = roads(MARKS)
    found, dealt = odds(TIGER, 8), simulate(TIGER, shoes=50, seed=7)
    return {
        "card": Card.parse("10d"),
        "composition": Composition.of_decks(8),
        "coup": COUP,
        "line": settle(TIGER.wager("Tiger"), COUP),
        "wager": TIGER.wager("Tiger Pair"),
        "rulebook": TIGER,
        "odds": found,
        "wager_odds": found["Tiger Tie"],
        "simulation": dealt,
        "wager_result": dealt["Banker"],
        "counting": counting(TIGER, "Tie", {Card.parse("8h"): 1}, 1, shoes=20),
        "staking": staking(TIGER, "Player", flat, sessions=10),
        "bankroll": bankroll(found["Tie"], 20, 30),
        "results": bankroll(found["Tie"], 20, 30).result,
        "portfolio": portfolio(TIGER, {"Player": 1, "Tie": 2}),
        "covariances": covariance_matrix(TIGER),
        "roads": shoe,
        "bead_plate": shoe.bead_plate,
        "big_road": shoe.big_road,
        "derived_road": shoe.big_eye_boy,
        "no_road_yet": roads([]),
    }


@pytest.fixture(params=KINDS)
def value(request: pytest.FixtureRequest) -> Any:
    return values()[request.param]


def test_every_kind_of_value_is_tried() -> None:
    assert list(values()) == KINDS


def drawn(value: Any) -> str:
    text: str = value._repr_html_() if hasattr(value, "_repr_html_") else value._repr_svg_()
    return text


def parsed(text: str) -> ElementTree.Element:
    """Strictly: what is well-formed as XML is read alike by every notebook."""
    return ElementTree.fromstring(text)


def test_what_is_drawn_is_well_formed_and_harmless(value: Any) -> None:
    for each in parsed(drawn(value)).iter():
        tag = each.tag.rpartition("}")[2]
        assert tag not in ("script", "style", "link", "iframe", "foreignObject", "image")
        assert not [name for name in each.attrib if name.startswith("on") or name in ("href", "src", "id", "class")]
        assert "url(" not in each.get("style", "")


def test_pictures_and_tables_are_told_in_words(value: Any) -> None:
    root = parsed(drawn(value))
    pictures = [each for each in root.iter() if each.tag.endswith("svg") or each.get("role") == "img"]
    tables = list(root.iter("table"))
    assert pictures or tables
    assert all(each.get("aria-label") for each in pictures)
    for table in tables:
        assert (table.findtext("caption") or "").strip()
        assert all(head.get("scope") in ("col", "row") for head in table.iter("th"))
        widths = {len(list(row)) for row in table.iter("tr")}
        assert len(widths) == 1


def test_plain_text_is_a_line_one_can_read(value: Any) -> None:
    assert len(repr(value)) < 200
    assert "\n" not in repr(value)


def test_what_a_game_file_says_is_escaped() -> None:
    evil = '<script>alert("1")</script> & "x"'
    line = replace(TIGER.wager("Tiger").lines[0], outcome=evil)
    wager = replace(TIGER.wager("Tiger"), name=evil, lines=(line,))
    book = replace(TIGER, title=evil, wagers=(wager,))
    for value in (line, wager, book, odds(book, 8), simulate(book, shoes=2)):
        text = drawn(value)
        assert "<script" not in text
        assert evil in "".join(parsed(text).itertext())


def test_a_card_is_drawn_and_named() -> None:
    shown = parsed(drawn(Card.parse("10d")))
    assert (shown.text, shown.get("aria-label")) == ("10♦", "ten of diamonds")


def test_a_coup_shows_both_hands_and_who_won() -> None:
    shown = parsed(drawn(COUP))
    assert shown.findtext("caption") == "Banker wins"
    rows = [["".join(cell.itertext()) for cell in row] for row in shown.iter("tr")]
    assert rows[1:] == [["Player", "2♠3♦K♠", "5"], ["Banker", "A♥A♦4♣", "6"]]
    assert parsed(drawn(Coup.deal("9s 9h Kd Kc"))).findtext("caption") == "Tie"


@pytest.mark.parametrize("game", APPROVED)
def test_a_table_of_odds_has_a_row_for_every_outcome(game: str) -> None:
    found = odds(load(game), 8)
    rows = [[cell.text or "" for cell in row] for row in parsed(drawn(found)).iter("tr")][1:]
    assert len(rows) == sum(len(each.outcomes) for each in found.wagers)
    assert [row[0] for row in rows if row[0]] == [each.wager.name for each in found.wagers]
    for row, chance in zip(rows, (one for each in found.wagers for one in each.outcomes), strict=True):
        assert row[1] == chance.outcome
        assert abs(float(row[3].rstrip("%")) / 100 - float(chance.probability)) < 1e-6
        assert (row[2] == "") == (chance.result is Result.LOSE)


def test_a_road_is_drawn_as_it_stands_and_told_run_by_run() -> None:
    shoe = roads(MARKS)
    shown = parsed(drawn(shoe.big_road))
    name = "{http://www.w3.org/2000/svg}"
    assert shown.findtext(f"{name}desc") == "Player 2, Banker 8, Player 1, Banker 1, Player 1"
    placed = [each.get("transform") for each in shown.findall(f"{name}g")]
    side = 20
    wanted = [
        f"translate({cell.column * side - side // 2}.5 {cell.row * side - side // 2}.5)"
        for cell in shoe.big_road.grid.cells
    ]
    assert placed == [*wanted, wanted[-1]]  # the newest has a frame besides
    letters = [each.text for each in parsed(drawn(shoe.bead_plate)).iter(f"{name}text")]
    assert letters == [mark.winner.value[0].upper() for mark in MARKS]
    assert len(list(parsed(drawn(shoe)).iter(f"{name}svg"))) == 5
