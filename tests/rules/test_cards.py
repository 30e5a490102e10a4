"""Cards, decks and points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto import Card, CardError, Composition, Rank, Rulebook, Suit, Unlawful, parse_cards
from punto.cards import DECK
from punto.rules.coup import hand_total

cards = st.sampled_from(DECK)


@pytest.mark.shows("decks")
def test_four_to_ten_decks_of_52_without_jokers(book: Rulebook) -> None:
    for decks in range(4, 11):
        shoe = book.shoe(decks)
        assert len(shoe) == 52 * decks
        assert shoe.counts() == dict.fromkeys(DECK, decks)
    for decks in (-1, 0, 3, 11):
        with pytest.raises(Unlawful, match="4 to 10 decks") as refused:
            book.shoe(decks)
        assert refused.value.provision == "decks"
    assert len(set(DECK)) == 52
    assert {card.rank for card in DECK} == set(Rank)
    assert {card.suit for card in DECK} == set(Suit)


@pytest.mark.shows("point-value", "point-value-pips")
def test_ace_counts_one_and_two_to_nine_their_face(book: Rulebook) -> None:
    for decks_card in book.shoe(8).counts():
        if str(decks_card)[0] in "A23456789":
            assert decks_card.point_value == "A23456789".index(str(decks_card)[0]) + 1


@pytest.mark.shows("point-value", "point-value-zero")
def test_tens_and_face_cards_count_nothing(book: Rulebook) -> None:
    zeros = {str(card) for card in book.shoe(8).counts() if card.point_value == 0}
    assert zeros == {rank + suit for rank in "TJQK" for suit in "shcd"}


@pytest.mark.shows("point-total", "point-total-digit", "point-total-meaning")
@pytest.mark.parametrize(("hand", "points"), [("Kh Qd", 0), ("As Kd", 1), ("4h 5h", 9), ("2c 3c 4c", 9), ("Ts 7d", 7)])
def test_a_sum_below_ten_is_the_point_total(book: Rulebook, hand: str, points: int) -> None:
    assert book.clause_of("point-total-digit")
    assert hand_total(parse_cards(hand)) == points


@pytest.mark.shows("point-total", "point-total-tens")
@pytest.mark.parametrize(
    ("hand", "points"), [("4h 6d", 0), ("9s 9h", 8), ("5c 6c 9c", 0), ("9s 9h 9d", 7), ("7h 8h", 5)]
)
def test_of_a_sum_of_ten_or_more_the_last_digit_counts(book: Rulebook, hand: str, points: int) -> None:
    assert book.clause_of("point-total-tens")
    assert hand_total(parse_cards(hand)) == points


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("4h", "4h"),
        ("Td", "Td"),
        ("10d", "Td"),
        ("ad", "Ad"),
        ("QS", "Qs"),
        (" 9c ", "9c"),
        ("K♦", "Kd"),
        ("10♠", "Ts"),
        ("9♥\ufe0f", "9h"),
    ],
)
def test_cards_are_read_as_people_write_them(text: str, card: str) -> None:
    assert str(Card.parse(text)) == card


@pytest.mark.parametrize(
    "text", ["", "4", "h4", "1h", "11d", "4x", "Xx", "4hh", "joker", "4h5h", "9ſ", "４h", "\ufe0f"]
)
def test_what_is_not_a_card_is_refused_with_the_text_given(text: str) -> None:
    with pytest.raises(CardError, match="not a card") as refused:
        Card.parse(text)
    assert repr(text) in str(refused.value)


@given(cards)
def test_a_card_reads_back_from_what_it_prints(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert Card.parse(card.rank.value + card.suit.symbol) == card


@given(st.lists(cards, max_size=8))
def test_a_composition_loses_exactly_the_cards_taken(taken: list[Card]) -> None:
    shoe = Composition.of_decks(8)
    rest = shoe.without(taken)
    assert len(rest) == len(shoe) - len(taken)
    assert all(rest.count(card) == 8 - taken.count(card) for card in DECK)


def test_a_card_that_is_not_there_cannot_be_taken() -> None:
    one_deck = Composition.of_decks(1)
    with pytest.raises(CardError, match="no 4h left"):
        one_deck.without(parse_cards("4h 4h"))
