"""The Table of Play, whole, and the dealing order of the first four cards."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import second_settlement

from punto import Coup, Hand, Rulebook, Unlawful, parse_cards
from punto.cards import DECK
from punto.rules.table_of_play import next_card, rulings

# Rows: Banker's two-card total. Columns: Player's third card 0 to 9, then Player stands. D draws, S stands.
BANKER = {
    0: "DDDDDDDDDD D",
    1: "DDDDDDDDDD D",
    2: "DDDDDDDDDD D",
    3: "DDDDDDDDSD D",
    4: "SSDDDDDDSS D",
    5: "SSSSDDDDSS D",
    6: "SSSSSSDDSS S",
    7: "SSSSSSSSSS S",
}


def _banker_draws(player: list[int], banker: int) -> bool:
    return next_card(player, [banker, 0]) is Hand.BANKER


@pytest.mark.shows("table-of-play", "banker-after-draw")
def test_banker_draws_by_his_total_and_players_third_card(book: Rulebook) -> None:
    assert book.clause_of("table-of-play")
    for banker, row in BANKER.items():
        for player, third in product(range(6), range(10)):
            assert _banker_draws([player, 0, third], banker) is (row[third] == "D"), (banker, player, third)


@pytest.mark.shows("table-of-play", "banker-after-stand")
def test_banker_draws_on_zero_to_five_when_player_stands(book: Rulebook) -> None:
    assert book.clause_of("table-of-play")
    for (banker, row), player in product(BANKER.items(), (6, 7)):
        assert _banker_draws([player, 0], banker) is (row[11] == "D"), (banker, player)


@pytest.mark.shows("table-of-play", "player-draws")
def test_player_draws_on_zero_to_five_and_stands_on_six_and_seven(book: Rulebook) -> None:
    assert book.clause_of("table-of-play")
    for player, banker in product(range(8), range(8)):
        assert (next_card([player, 0], [banker, 0]) is Hand.PLAYER) is (player <= 5)


@pytest.mark.shows("table-of-play", "natural-ends-deal")
def test_after_a_natural_nobody_draws(book: Rulebook) -> None:
    assert book.clause_of("table-of-play")
    for natural, other in product((8, 9), range(10)):
        assert next_card([natural, 0], [other, 0]) is None
        assert next_card([other, 0], [natural, 0]) is None


@pytest.mark.shows("two-hands", "four-cards", "player-cards", "banker-cards")
def test_cards_go_to_the_hands_in_turn(book: Rulebook) -> None:
    assert book.clause_of("two-hands")
    coup = Coup.deal("7s 7h Kd 9c")
    assert coup.player == parse_cards("7s Kd")
    assert coup.banker == parse_cards("7h 9c")
    assert coup.in_dealing_order() == parse_cards("7s 7h Kd 9c")


def test_banker_never_takes_a_fourth_card() -> None:
    for values in product(range(10), repeat=4):
        player, banker = [values[0], values[2]], [values[1], values[3]]
        for third in range(10):
            drawn_to: list[Hand] = []
            hands = {Hand.PLAYER: list(player), Hand.BANKER: list(banker)}
            while hand := next_card(hands[Hand.PLAYER], hands[Hand.BANKER]):
                hands[hand].append(third)
                drawn_to.append(hand)
            assert drawn_to in ([], [Hand.PLAYER], [Hand.BANKER], [Hand.PLAYER, Hand.BANKER])


@given(st.lists(st.sampled_from(DECK), min_size=6, max_size=6))
def test_dealing_agrees_with_a_second_reading_of_the_rules(cards: list[object]) -> None:
    player, banker, used = second_settlement.play(map(str, cards))
    coup = Coup.deal(" ".join(used))
    assert [str(card) for card in coup.player] == player
    assert [str(card) for card in coup.banker] == banker
    assert [str(card) for card in coup.in_dealing_order()] == used
    assert (coup.player_total, coup.banker_total) == (second_settlement.total(player), second_settlement.total(banker))
    if len(used) < 6:
        with pytest.raises(Unlawful, match="one card too many"):
            Coup.deal(" ".join([*used, "Ks"]))
    for short in range(len(used)):
        with pytest.raises(Unlawful, match="too few"):
            Coup.deal(" ".join(used[:short]))


@pytest.mark.parametrize(
    ("player", "banker"),
    [("", ""), ("9h", "9c Kd"), ("9h Ks Kc", "9c Kd"), ("2h 3c", "Kd 7s"), ("9h Ks", "2c Kd 4h"), ("9h", "9c")],
)
def test_hands_the_table_of_play_does_not_deal_are_no_coup(player: str, banker: str) -> None:
    with pytest.raises(Unlawful):
        Coup(parse_cards(player), parse_cards(banker))


def test_the_reasons_agree_with_the_card_that_is_due() -> None:
    """Over all totals, with two cards and with every third card of Player: who draws by the rulings draws in fact."""
    for player, banker, third in product(range(10), range(10), [None, *range(10)]):
        hands = ([0, player], [0, banker]) if third is None else ([0, player, third], [0, banker])
        due, said = next_card(*hands), rulings(*hands)
        assert said
        assert next((each.hand for each in said if each.draws), None) == due
        assert [each.draws for each in said[:-1]] == [False] * (len(said) - 1), "the last ruling decides"
    assert rulings([1], [2]) == ()
    assert rulings([1, 2], [3, 4, 5]) == ()
