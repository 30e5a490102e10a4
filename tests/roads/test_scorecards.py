"""Scorecards drawn by hand, in tests/golden/roads: the rounds of a shoe and every road they make."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.roads import AskRoad, Colour, Roads, RoundMark, Run, render, roads
from punto.rules import Winner

CARDS = sorted((Path(__file__).parents[1] / "golden" / "roads").glob("*.txt"))
WINNERS = {"B": Winner.BANKER, "P": Winner.PLAYER, "T": Winner.TIE}
COLOURS = {"R": Colour.RED, "B": Colour.BLUE}


def _sections(card: Path) -> dict[str, str]:
    """What stands under each heading of a card, without its comments."""
    text = re.sub(r"^#.*\n", "", card.read_text("utf-8"), flags=re.MULTILINE)
    _, *parts = re.split(r"^\[(.+)\]$", text, flags=re.MULTILINE)
    return {heading: body.strip("\n") for heading, body in zip(parts[::2], parts[1::2], strict=True)}


def _mark(symbol: str) -> RoundMark:
    """A round as the cards write it: ``'`` is a Banker pair, ``.`` a Player pair."""
    return RoundMark(WINNERS[symbol.strip("'.")], player_pair=symbol.endswith("."), banker_pair=symbol.startswith("'"))


def _drawn(shoe: Roads) -> dict[str, str]:
    return {
        "bead plate": render(shoe.bead_plate),
        "big road": render(shoe.big_road.grid),
        "big eye boy": render(shoe.big_eye_boy.grid),
        "small road": render(shoe.small_road.grid),
        "cockroach pig": render(shoe.cockroach_pig.grid),
    }


def _run(run: Run | None) -> str:
    return f"{run.winner} {run.length}" if run else "none"


def _counts(shoe: Roads) -> str:
    """The statistics in the words of the cards."""
    counts = shoe.statistics
    names = ("rounds", "banker", "player", "tie", "banker pair", "player pair")
    return (
        ", ".join(f"{name} {getattr(counts, name.replace(' ', '_'))}" for name in names)
        + f"\nlongest run: {_run(counts.longest_run)}\ncurrent run: {_run(counts.current_run)}"
    )


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.stem)
def test_a_shoe_gives_the_roads_drawn_by_hand(card: Path) -> None:
    expected = _sections(card)
    shoe = roads([_mark(symbol) for symbol in expected["rounds"].split()])
    for road, drawing in _drawn(shoe).items():
        assert drawing.count("\n") == 5, road
        assert drawing.strip("\n") == expected[road], f"{road}:\n{drawing}"
    assert _counts(shoe) == expected["statistics"]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.stem)
def test_the_ask_road_is_the_one_worked_out_by_hand(card: Path) -> None:
    expected = _sections(card)
    shoe = roads([_mark(symbol) for symbol in expected["rounds"].split()])
    asked = dict(line.split(": ") for line in expected["ask"].splitlines())
    assert len(asked) == 3
    for road, answers in asked.items():
        banker, player = (COLOURS[letter] for letter in answers.split())
        assert getattr(shoe, road.replace(" ", "_")).ask == AskRoad(banker=banker, player=player), road


def test_there_are_scorecards() -> None:
    assert len(CARDS) >= 6
