"""Which wagers are decided in mid-round, against every order of the cards not exposed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference import brute_force

from punto import (
    APPROVED,
    Card,
    CardError,
    CardsSeen,
    Composition,
    Coup,
    Rulebook,
    Standing,
    load,
    parse_cards,
    settle,
    standings,
)
from punto.cards import DECK
from punto.rules.possible_lines import possible_lines

GAMES: list[str | Path] = [*APPROVED, Path(__file__).parent / "mixed.toml"]
BOOKS = st.sampled_from(GAMES).map(load)


def _seen(player: str, banker: str) -> CardsSeen:
    """Cards as a dealer sees them: ``4h ?`` is a four of hearts and a card face down."""

    def hand(text: str) -> tuple[Card | None, ...]:
        return tuple(None if word == "?" else Card.parse(word) for word in text.split())

    return CardsSeen(hand(player), hand(banker))


def _standings(key: str, player: str, banker: str) -> dict[str, str]:
    book, seen = load(key), _seen(player, banker)
    found = standings(book, seen, book.shoe(8).without(seen.cards))
    return {name: standing.value for name, standing in found.items() if standing is not Standing.OPEN}


@pytest.mark.parametrize(
    ("key", "player", "banker", "expected"),
    [
        ("baccarat", "", "", {}),
        ("baccarat", "4h", "", {}),
        ("baccarat", "4h 4d", "", {"Player Pair": "won"}),
        ("baccarat", "4h 5d", "? ?", {"Player Pair": "lost"}),
        # Player's natural nine: Banker can at best tie.
        ("baccarat", "4h 5d", "2c", {"Player Pair": "lost", "Banker": "open"}),
        ("tiger", "4h 4d", "", {"Tiger Pair": "won"}),  # single, double or twin: the ratio is still open
        ("tiger", "4h 5d", "3c", {"Big Tiger": "lost", "Small Tiger": "lost", "Tiger": "lost", "Tiger Tie": "lost"}),
        ("dragon-tiger", "Kh 7d", "", {"Big Dragon": "lost"}),
        ("fabulous-4", "4d 4d", "?", {"Player Precious Pair": "won", "Player Fabulous 4": "lost"}),
    ],
)
def test_what_the_cards_seen_so_far_decide(key: str, player: str, banker: str, expected: dict[str, str]) -> None:
    standings = _standings(key, player, banker)
    for name, standing in expected.items():
        assert standings.get(name, "open") == standing, (name, standings)
    if not expected:
        assert not standings


def test_a_finished_coup_decides_every_wager(book: Rulebook) -> None:
    coup = Coup.deal("2s Ah 3d Ad Ks 4c")
    seen = CardsSeen(coup.player, coup.banker)
    found = standings(book, seen, book.shoe(8).without(seen.cards))
    word = {"win": "won", "lose": "lost", "push": "pushed"}
    assert {name: each.value for name, each in found.items()} == {
        wager.name: word[settle(wager, coup).result.value] for wager in book.wagers
    }


def test_a_push_that_nothing_can_change_is_pushed() -> None:
    assert _standings("baccarat", "9h Kd", "9c Qs")["Player"] == "pushed"
    assert _standings("baccarat", "9h Kd", "9c Qs")["Tie"] == "won"


def test_the_last_cards_of_the_shoe_can_decide_what_a_full_shoe_would_not() -> None:
    """With nothing but tens left, Player's six stands up against Banker's five and ties no more."""
    book, seen = load("baccarat"), _seen("6h Kd", "2c 3c ?")
    assert standings(book, seen, Composition.of_decks(8).without(seen.cards))["Player"] is Standing.OPEN
    assert standings(book, seen, Composition(parse_cards("Kh Ks Qd")))["Player"] is Standing.WON


def test_where_the_cards_may_run_out_nothing_is_decided() -> None:
    book, seen = load("baccarat"), _seen("4h 4d", "2c ?")
    assert standings(book, seen, Composition(parse_cards("7h")))["Player Pair"] is Standing.WON  # natural eight
    seen = _seen("2h 2d", "2c ?")
    found = standings(book, seen, Composition(parse_cards("7h")))
    assert set(found.values()) == {Standing.WON, Standing.LOST}  # Banker's nine ends it with the last card
    found = standings(book, seen, Composition(parse_cards("3h")))
    assert set(found.values()) == {Standing.OPEN}


@pytest.mark.parametrize(("player", "banker"), [("9h Kd 2c", "2c 3c"), ("4h 4d", "Ks Kd 3c")])
def test_cards_that_no_lawful_coup_shows_are_refused(player: str, banker: str) -> None:
    book, seen = load("baccarat"), _seen(player, banker)
    with pytest.raises(CardError, match="no lawful coup"):
        standings(book, seen, book.shoe(8).without(seen.cards))
    with pytest.raises(CardError, match="at most three"):
        _seen("2c 2c 2c 2c", "")


# Few ranks and suits, so that pairs, ties and short supplies are common.
card = st.sampled_from([card for card in DECK if str(card)[0] in "A2467TK" and card.suit.value in "hd"])
hand = st.lists(st.none() | card, max_size=3).map(tuple)
HandSeen = tuple[Card | None, ...]


# Player stands, so that Player's third card contradicts it, even where Banker's is missing.
@example(load(GAMES[-1]), _seen("Ad 6d 4d", "").player, (), list(parse_cards("6h 7h")))
@example(load(GAMES[-1]), _seen("? ? Kh", "").player, (), list(parse_cards("7h Kh Kd 4d")))
# Five cards with which every line of a wager comes up before an order in which they run out.
@example(load("baccarat"), (), (), list(parse_cards("6s 9s Qs 3h 7d")))
@settings(max_examples=60)
@given(BOOKS, hand, hand, st.lists(card, max_size=6))
def test_decided_agrees_with_every_order_of_the_unexposed_cards(
    book: Rulebook, player: HandSeen, banker: HandSeen, unexposed: list[Card]
) -> None:
    _agrees(book, player, banker, unexposed)


@pytest.mark.long
@settings(max_examples=300)
@given(BOOKS, hand, hand, st.lists(card, max_size=6))
def test_decided_agrees_with_every_order_in_more_cases(
    book: Rulebook, player: HandSeen, banker: HandSeen, unexposed: list[Card]
) -> None:
    _agrees(book, player, banker, unexposed)


def _agrees(book: Rulebook, player: HandSeen, banker: HandSeen, unexposed: list[Card]) -> None:
    seen = CardsSeen(player, banker)
    met = brute_force.outcomes(book, seen, unexposed)
    if not any(met.values()):
        with pytest.raises(CardError):
            possible_lines(book.wagers, seen, Composition(unexposed))
        return
    for name, possible in possible_lines(book.wagers, seen, Composition(unexposed)).items():
        void = {"void"} if possible.void else set()
        assert {line.outcome for line in possible.lines} | void == set(met[name]), name
