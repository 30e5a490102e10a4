"""The wagers each game offers, and the clauses of chapter 3 that say when they win."""

from __future__ import annotations

import pytest

from punto import Coup, Rulebook, Unlawful, load, settle

AVAILABLE = {
    "baccarat": {"Player", "Banker", "Player Pair", "Banker Pair", "Tie"},
    "tiger": {"Player", "Banker", "Tie", "Tiger", "Big Tiger", "Small Tiger", "Tiger Pair", "Tiger Tie"},
    "tiger-no-commission": {"Player", "Banker", "Tie", "Tiger", "Big Tiger", "Small Tiger", "Tiger Pair", "Tiger Tie"},
    "dragon-tiger": {
        "Player",
        "Banker",
        "Tie",
        "Dragon Tiger",
        "Big Dragon",
        "Small Dragon",
        "Big Tiger",
        "Small Tiger",
    },
    "fabulous-4": {
        "Player",
        "Banker",
        "Tie",
        "Player Fabulous 4",
        "Banker Fabulous 4",
        "Player Precious Pair",
        "Banker Precious Pair",
    },
}


def _results(book: Rulebook, cards: str) -> dict[str, str]:
    coup = Coup.deal(cards)
    return {wager.name: settle(wager, coup).result.value for wager in book.wagers}


@pytest.mark.shows("available-wagers")
def test_the_game_offers_these_wagers_and_no_other(book: Rulebook) -> None:
    assert {wager.name for wager in book.wagers} == AVAILABLE[book.key]
    with pytest.raises(Unlawful, match="has no wager 'Lucky 6'") as refused:
        book.wager("Lucky 6")
    assert book.cite(refused.value).endswith(f"({book.title} {book.clause_of('available-wagers')})")


@pytest.mark.shows("winning-hand", "tie-pushes")
def test_the_higher_total_wins_and_a_tie_moves_neither(book: Rulebook) -> None:
    player_9, banker_9, tie_9 = "9h 2c Ks Kd", "2c 9h Kd Ks", "9h 9c Ks Kd"
    assert Coup.deal(player_9).winner.value == "player"
    assert Coup.deal(banker_9).winner.value == "banker"
    assert Coup.deal(tie_9).winner.value == "tie"
    for cards, player, banker, tie in (
        (player_9, "win", "lose", "lose"),
        (banker_9, "lose", "win", "lose"),
        (tie_9, "push", "push", "win"),
    ):
        results = _results(book, cards)
        assert (results["Player"], results["Banker"], results["Tie"]) == (player, banker, tie)


TWO_CARD_SIX = "7s 3h 8d 3d 2c"  # Player 5 draws a two and has 7
BANKER_WINS_TWO_CARD_SIX = "2s 3h 3d 3d Kc"  # Player 5 and a king, Banker stands on 6
BANKER_WINS_THREE_CARD_SIX = "2s Ah 3d Ad Ks 4c"  # Banker 2 draws a four
TIE_ON_SIX = "2s 3h 4d 3d"
TIE_ON_SEVEN = "3s 3h 4d 4d"


@pytest.mark.shows("tiger-wins", "small-tiger-wins", "big-tiger-wins", "tiger-tie-wins", "tie-pushes")
@pytest.mark.parametrize(
    ("cards", "winning"),
    [
        (BANKER_WINS_TWO_CARD_SIX, {"Tiger", "Small Tiger"}),
        (BANKER_WINS_THREE_CARD_SIX, {"Tiger", "Big Tiger"}),
        (TIE_ON_SIX, {"Tiger Tie"}),
        (TIE_ON_SEVEN, set()),
        (TWO_CARD_SIX, set()),
    ],
)
def test_tigers_need_banker_to_win_with_six_and_tiger_tie_a_tie_on_six(
    book: Rulebook, cards: str, winning: set[str]
) -> None:
    tigers = {"Tiger", "Small Tiger", "Big Tiger", "Tiger Tie"} & AVAILABLE[book.key]
    results = _results(book, cards)
    assert {name for name in tigers if results[name] == "win"} == winning & tigers
    assert all(results[name] == "lose" for name in tigers - winning)


@pytest.mark.shows("pairs-by-initial-deal")
def test_third_cards_do_not_touch_the_pair_wagers(book: Rulebook) -> None:
    pairs = [wager for wager in book.wagers if "Pair" in wager.name]
    for initial in ("2s 3h 2d Kc", "2s Kh 3d Kc"):
        settled = {
            tuple(settle(wager, Coup.deal(f"{initial} {thirds}")).outcome for wager in pairs)
            for thirds in ("2c 2h", "3c 3h", "Ks Kd", "As 9d")
        }
        assert len(settled) == 1


@pytest.mark.shows("banker-four")
def test_a_banker_win_on_four_pushes_banker_and_pays_banker_fabulous_4(book: Rulebook) -> None:
    results = _results(book, "As Kh Ad 4d Kc")
    assert results["Banker Fabulous 4"] == "win"
    assert results["Player"] == "lose"
    assert results["Banker"] == "push"
    assert results["Player Fabulous 4"] == "lose"


@pytest.mark.shows("player-four")
def test_a_player_win_on_four_pays_player_half_and_player_fabulous_4(book: Rulebook) -> None:
    results = _results(book, "Ks Kh 2d Ad 2c 2h")
    assert results["Player Fabulous 4"] == "win"
    assert results["Banker"] == "lose"
    assert results["Banker Fabulous 4"] == "lose"
    assert settle(book.wager("Player"), Coup.deal("Ks Kh 2d Ad 2c 2h")).outcome == "win on 4"


@pytest.mark.shows("precious-pair-wins")
def test_each_precious_pair_wins_with_its_own_hand(book: Rulebook) -> None:
    both, neither = _results(book, "4d Qh 4d Qc"), _results(book, "4d Qh 5d 9c")
    assert (both["Player Precious Pair"], both["Banker Precious Pair"]) == ("win", "win")
    assert (neither["Player Precious Pair"], neither["Banker Precious Pair"]) == ("lose", "lose")


def test_wager_names_are_found_in_any_case_of_letters() -> None:
    assert load("tiger").wager(" tiger PAIR ").name == "Tiger Pair"


@pytest.mark.parametrize("game", AVAILABLE)
def test_three_wagers_of_every_game_are_on_the_outcome_itself(game: str) -> None:
    on = {wager.on.value: wager.name for wager in load(game).wagers if wager.on}
    assert on == {"player": "Player", "banker": "Banker", "tie": "Tie"}
