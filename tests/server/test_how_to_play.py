"""What a page needs to tell how a game is played comes from the game's file and the exact odds."""

from __future__ import annotations

import pytest
from support.playing import House

from punto import load, odds
from punto.formatting import decimal
from punto.rules.game_library import APPROVED
from punto.rules.table_of_play import next_card


@pytest.mark.parametrize("game", APPROVED)
def test_the_chart_says_what_the_table_of_play_deals(served: House, game: str) -> None:
    """Every deal of four cards and a third for Player, by the code that deals."""
    chart = served.live.nobody().get(f"/api/games/{game}")["chart"]
    assert chart["clause"] == load(game).clause_of("table-of-play")
    assert chart["naturals"] == [8, 9]
    banker = {row["total"]: row for row in chart["banker"]}
    assert [*banker] == list(range(8))
    for player in range(8):
        assert (next_card([0, player], [0, 0]) == "player") == (player in chart["player_draws"])
        assert (player in chart["player_draws"]) != (player in chart["player_stands"])
    for total, row in banker.items():
        assert (next_card([0, 6], [0, total]) == "banker") == row["draws_alone"]
        drawn = [third for third in range(10) if next_card([0, 0, third], [0, total]) == "banker"]
        assert drawn == row["draws_against"]


@pytest.mark.parametrize("game", APPROVED)
def test_edges_are_those_of_a_full_shoe_of_the_tables_decks(served: House, game: str) -> None:
    decks = load(game).decks.fewest
    edges = served.live.nobody().get(f"/api/games/{game}/edges", decks=decks)
    exact = odds(load(game), decks)
    assert [each["rounded"] for each in edges] == [
        decimal(100 * exact[wager.name].house_edge, 2) for wager in load(game).wagers
    ]


def test_an_edge_is_told_with_two_places(served: House) -> None:
    edges = served.live.nobody().get("/api/games/baccarat/edges", decks=8)
    assert [each["rounded"] for each in edges[:3]] == ["1.24", "1.06", "14.36"]
