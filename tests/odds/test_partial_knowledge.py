"""Odds with unknown cards: against every removal and every order of small shoes."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import pytest
from reference import unknown_cards

from punto import APPROVED, CardError, Composition, Odds, load, odds, parse_cards
from punto.odds.partial_knowledge import odds_after_unseen, slug_odds

SMALL = [
    "4d 4h 4d 6s Kd 9h 2c",
    *(
        pytest.param(shoe, marks=pytest.mark.long)
        for shoe in ("6h 6d Ks Ad 4d 9c 2h", "As 2d 3h 4d 5d 5c 6s", "6s 6s 6h 8d Td Qd Qd")
    ),
]
"""Small shoes with pairs, suits, naturals and third cards."""


def _distribution(found: Odds, wager: str) -> dict[Fraction | str, Fraction]:
    met: dict[Fraction | str, Fraction] = {}
    for chance in found[wager].outcomes:
        if chance.deals:
            gain = chance.pays if chance.result else "void"
            met[gain] = met.get(gain, Fraction(0)) + chance.probability
        assert chance.probability == Fraction(chance.deals, found.deals)
    return met


def _agree(found: Odds, expected: dict[str, unknown_cards.Distribution]) -> None:
    for wager in found.book.wagers:
        assert _distribution(found, wager.name) == expected[wager.name], wager.name


# --- cards that left unseen ---


@pytest.mark.parametrize("shoe", SMALL)
@pytest.mark.parametrize("removed", [0, 1])
def test_unseen_cards_change_nothing_while_a_coup_is_left(shoe: str, removed: int) -> None:
    """The average over all removals is what nobody's removal gives: the claim, without our function."""
    for game in ("tiger", "fabulous-4"):
        before = odds(load(game), Composition(parse_cards(shoe)))
        _agree(before, unknown_cards.after_removals(game, shoe.split(), removed))
        after = odds_after_unseen(load(game), Composition(parse_cards(shoe)), removed)
        assert [each.outcomes for each in after.wagers] == [each.outcomes for each in before.wagers]


@pytest.mark.parametrize("removed", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("shoe", SMALL)
def test_with_fewer_cards_left_some_rounds_are_void(shoe: str, removed: int) -> None:
    for game in ("baccarat", "fabulous-4"):
        found = odds_after_unseen(load(game), Composition(parse_cards(shoe)), removed)
        _agree(found, unknown_cards.after_removals(game, shoe.split(), removed))
        assert found["Player"].outcomes[-1].outcome == "void"


def test_unseen_cards_of_a_shoe_shorter_than_a_coup() -> None:
    shoe = "6h 3d Ks 2d 9c"
    for removed in (0, 1, 2):
        found = odds_after_unseen(load("tiger"), Composition(parse_cards(shoe)), removed)
        _agree(found, unknown_cards.after_removals("tiger", shoe.split(), removed))


@pytest.mark.parametrize("key", APPROVED)
def test_a_burn_of_any_size_leaves_the_odds_of_a_full_shoe(key: str) -> None:
    book = load(key)
    full = odds(book, 8)
    for unseen in (1, 10, 410):
        found = odds_after_unseen(book, 8, unseen)
        assert [each.outcomes for each in found.wagers] == [each.outcomes for each in full.wagers]


# --- slugs ---


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("shoe", SMALL)
def test_a_short_slug_comes_first_and_the_rest_follows(shoe: str, size: int) -> None:
    for game in ("tiger", "fabulous-4"):
        cards = shoe.split()
        found = slug_odds(load(game), " ".join(cards[:size]), Composition(parse_cards(shoe)))
        _agree(found, unknown_cards.with_slug(game, cards[:size], cards[size:], within=size))
        assert found.cards == 7


@pytest.mark.parametrize("within", [6, 7])
@pytest.mark.parametrize("shoe", SMALL)
def test_one_card_scattered_over_a_coup_or_more(shoe: str, within: int) -> None:
    for game in ("tiger", "fabulous-4"):
        cards = shoe.split()
        found = slug_odds(load(game), cards[0], Composition(parse_cards(shoe)), within)
        _agree(found, unknown_cards.with_slug(game, cards[:1], cards[1:], within))


@pytest.mark.parametrize("within", [6, *(pytest.param(each, marks=pytest.mark.long) for each in (7, 8))])
def test_two_cards_scattered_over_a_coup_or_more(within: int) -> None:
    cards = ["4d", "4d", "6h", "6s", "Ad", "9c", "Kh", "Kd"]
    found = slug_odds(load("fabulous-4"), parse_cards("4d 4d"), Composition(parse_cards(" ".join(cards))), within)
    _agree(found, unknown_cards.with_slug("fabulous-4", cards[:2], cards[2:], within))


@pytest.mark.long
@pytest.mark.parametrize("within", [6, 7, 9])
def test_three_cards_scattered_over_a_coup_or_more(within: int) -> None:
    cards = ["6d", "6h", "2s", "6s", "Ad", "9c", "Kh", "Kd", "4c"]
    found = slug_odds(load("tiger"), parse_cards("6d 6h 2s"), Composition(parse_cards(" ".join(cards))), within)
    _agree(found, unknown_cards.with_slug("tiger", cards[:3], cards[3:], within))


@pytest.mark.parametrize("key", APPROVED)
def test_a_slug_as_long_as_a_coup_is_a_shoe(key: str) -> None:
    slug = parse_cards("6h 6d Ks Ad 4d 9c 2h 8s")
    for within in (None, 8):
        found = slug_odds(load(key), slug, 8, within)
        assert [each.outcomes for each in found.wagers] == [
            each.outcomes for each in odds(load(key), Composition(slug)).wagers
        ]
        assert found.cards == 416


def test_a_slug_scattered_over_the_whole_shoe_says_nothing() -> None:
    for key in ("tiger", "fabulous-4"):
        book = load(key)
        full = odds(book, 6)
        for found in (slug_odds(book, "4d 9c 6h Ks", 6, 312), slug_odds(book, "", 6)):
            for each in found.wagers:
                assert each.expected_return == full[each.wager.name].expected_return


def test_the_wider_a_slug_is_scattered_the_less_it_says() -> None:
    tie = [slug_odds(load("baccarat"), "9s 9h 9d", 8, within)["Tie"].expected_return for within in (6, 8, 20, 416)]
    assert tie == sorted(tie, reverse=True)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (lambda book: odds_after_unseen(book, 8, 417), "expected a number of unseen cards from 0 to 416, not 417"),
        (lambda book: odds_after_unseen(book, 8, cast("Any", 1.5)), "from 0 to 416, found 1.5"),
        (lambda book: odds_after_unseen(book, cast("Any", 8.0)), "expected a number of decks or the cards of a shoe"),
        (lambda book: slug_odds(book, "4h 4x"), "'4x' is not a card"),
        (lambda book: slug_odds(book, cast("Any", ["4h"])), "expected the cards of a slug"),
        (lambda book: slug_odds(book, cast("Any", 4)), "expected the cards of a slug"),
        (lambda book: slug_odds(book, "4h " * 9), "the shoe does not hold this slug: there is no 4h left to take"),
        (lambda book: slug_odds(book, "4h 4d 4c", within=2), "expected places for the cards of the slug from 3 to 416"),
        (lambda book: slug_odds(book, "4h 4d 4c", within=417), "from 3 to 416, not 417"),
        (lambda book: slug_odds(book, "4h 4d", within=5), "scattered over fewer than 6 is not counted: name the cards"),
        (
            lambda book: slug_odds(book, "4h", Composition(parse_cards("4h 4d 2c 3c 9d 9c")), within=6),
            "expected at least 6 cards that are not of the slug, not 5",
        ),
        (lambda book: slug_odds(book, Composition.of_decks(1), 8, within=60), "different parts for Player"),
    ],
)
def test_what_cannot_be_answered_is_refused(asked: Callable[[Any], object], sentence: str) -> None:
    with pytest.raises((TypeError, ValueError, CardError), match=re.escape(sentence)):
        asked(load("tiger"))
