"""What scripts cannot show easily: a shoe that runs out, and the catalogue of refusals."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from punto import Composition, Hand, Rulebook, parse_cards
from punto.notation import parse
from punto.notation.run import Player
from punto.table import commands as c
from punto.table.decide import decide
from punto.table.events import RoundVoided, ShoeEnded, VoidAsked
from punto.table.evolve import evolve
from punto.table.refusals import Refusal, catalogue
from punto.table.roles import Actor, Role
from punto.table.state import Table

ROOT = Path(__file__).parents[2]
DEALER, PIT_MANAGER = Actor("Sam", Role.DEALER), Actor("Pat", Role.PIT_MANAGER)


def _in_the_middle(book: Rulebook) -> Table:
    """A table with one wager, all cards of a three-three coup but the last exposed, and an empty shoe."""
    script = parse(
        f"""
        for {book.key}
        patron Ann 1000
        Dealer: load shoe one
        Dealer: place your bets
        Ann: wager Player 100 at 1
        Dealer: no more bets
        Dealer: draw (4 times)
        Dealer: expose player 1 2s
        Dealer: expose player 2 3d
        Dealer: expose banker 1 Ah
        Dealer: expose banker 2 Ad
        """
    )
    player = Player(script, script.runs[0])
    assert player.play() == []
    table = player.table
    assert table.shoe
    return replace(table, shoe=replace(table.shoe, unexposed=Composition(parse_cards("Ks"))))


@pytest.mark.shows("insufficient-cards")
def test_a_round_that_runs_out_of_cards_is_void(book: Rulebook) -> None:
    table = _in_the_middle(book)
    for command in (c.DrawCard(DEALER), c.ExposeCard(DEALER, Hand.PLAYER, 2, parse_cards("Ks")[0])):
        events = decide(table, command)
        assert not isinstance(events, Refusal)
        table = evolve(table, events[0])
    asked = decide(table, c.DrawCard(DEALER))
    assert isinstance(asked, tuple)
    assert isinstance(asked[0], VoidAsked)
    assert asked[0].clause == book.clause_of("insufficient-cards")
    table = evolve(table, asked[0])
    voided = decide(table, c.ConfirmVoid(PIT_MANAGER))
    assert isinstance(voided, tuple)
    assert [type(event) for event in voided] == [RoundVoided, ShoeEnded]
    for event in voided:
        table = evolve(table, event)
    assert table.chips["Ann"] == 1000_00
    assert table.marks == ()
    assert isinstance(decide(table, c.OpenBets(DEALER)), Refusal)


def test_every_refusal_in_the_code_is_in_the_catalogue_and_the_other_way_round() -> None:
    used = set()
    for file in (ROOT / "src" / "punto" / "table").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refuse" and node.args:
                assert isinstance(node.args[0], ast.Constant | ast.Name)
                used |= {node.args[0].value} if isinstance(node.args[0], ast.Constant) else set()
    late = {"late-wager", "late-withdrawal"}  # named by their provision
    assert used | late == set(catalogue())


def test_the_page_of_refusals_is_current() -> None:
    """docs/refusals.md has a paragraph for each code, made from the catalogue."""
    page = (ROOT / "docs" / "refusals.md").read_text("utf-8")
    for code, entry in catalogue().items():
        assert f"### {code}\n\n> {entry.sentence}\n\n{entry.about}\n" in page
    assert page.count("\n### ") == len(catalogue())


@pytest.mark.parametrize("name", ["", "two words", "Dealer", "a;b", "x" * 501, "line\nbreak"])
def test_a_patron_is_known_by_one_word(book: Rulebook, name: str) -> None:
    answer = decide(_in_the_middle(book), c.BuyIn(DEALER, name, 100))
    assert isinstance(answer, Refusal)
    assert answer.code == "bad-name"
    assert len(answer.sentence(book)) < 700


@pytest.mark.parametrize("words", ["two\nlines", " padded", "two  spaces", "[brackets]", "a; b", "x" * 501, "bell\a"])
def test_what_people_write_freely_is_one_plain_line(book: Rulebook, words: str) -> None:
    table = _in_the_middle(book)
    for command in (
        c.Refer(DEALER, words),
        c.Refer(DEALER, "odd", note=words),
        c.ReportFaceUp(DEALER, noticed_by=words),
    ):
        answer = decide(table, command)
        assert isinstance(answer, Refusal)
        assert answer.code == "bad-words"
