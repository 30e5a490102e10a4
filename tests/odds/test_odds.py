"""Exact odds against known figures, against a slow and obvious method, and against every order of a tiny shoe."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference import brute_force, slow_odds

from punto import APPROVED, Card, CardsSeen, Composition, Rulebook, Unlawful, covariance, load, odds, parse_cards
from punto.cards import DECK, Rank
from punto.odds import effects_of_removal, literal_pair_return
from punto.odds.compiled_counts import MOST_CARDS, compiled, whole_coups
from punto.odds.return_kernel import MOST_CARDS as MOST_COMPILED
from punto.odds.vector_counts import count_endings as count_vectors
from punto.rules.ending_counts import count_endings

MIXED = Path(__file__).parents[1] / "rules" / "mixed.toml"
GAMES: list[str | Path] = [*APPROVED, MIXED]
BOOKS = st.sampled_from(GAMES).map(load)
EIGHT_DECKS = [128, *[32] * 9]


def _percent(value: Fraction, places: int = 4) -> str:
    return f"{float(value * 100):.{places}f}"


def test_known_counts_of_eight_decks() -> None:
    found = count_endings(EIGHT_DECKS)
    assert sum(found.values()) == 4_998_398_275_503_360
    assert sum(n for (player, banker, *_), n in found.items() if banker > player) == 2_292_252_566_437_888
    assert sum(n for (player, banker, *_), n in found.items() if player > banker) == 2_230_518_282_592_256
    assert sum(n for (player, banker, *_), n in found.items() if player == banker) == 475_627_426_473_216


@pytest.mark.parametrize(
    ("game", "wager", "edge"),
    [
        ("tiger-no-commission", "Banker", "1.4581"),
        ("dragon-tiger", "Banker", "1.4581"),
        ("baccarat", "Player Pair", "10.3614"),
        ("baccarat", "Banker Pair", "10.3614"),
        ("tiger", "Tiger", "16.6836"),
        ("tiger", "Small Tiger", "14.33"),
        ("tiger", "Big Tiger", "15.2533"),
        ("fabulous-4", "Player", "1.6041"),
        ("fabulous-4", "Banker", "1.5472"),
    ],
)
def test_published_house_edges_of_eight_decks(game: str, wager: str, edge: str) -> None:
    assert _percent(odds(load(game))[wager].house_edge, len(edge.split(".")[1])) == edge


UNEVEN = [7, 3, 0, 12, 1, 2, 30, 5, 4, 9]


@pytest.mark.parametrize(
    "counts",
    [
        pytest.param(EIGHT_DECKS, id="8 decks", marks=pytest.mark.long),
        pytest.param(UNEVEN, id="uneven"),
        pytest.param([6, 0, 0, 0, 0, 0, 0, 0, 0, 2], id="two kinds"),
    ],
)
def test_wagers_on_totals_agree_with_the_slow_method(counts: list[int]) -> None:
    shoe = Composition(
        card
        for number, text in zip(counts, slow_odds.ONE_OF_EACH_VALUE, strict=True)
        for card in [Card.parse(text)] * number
    )
    deals = slow_odds.totals(counts)
    for game in APPROVED:
        slow = slow_odds.settled(game, deals)
        for each in odds(load(game), shoe).wagers:
            if "Pair" not in each.wager.name:
                found: Counter[Fraction] = Counter()
                for chance in each.outcomes:
                    found[chance.pays] += chance.deals
                assert +found == slow[each.wager.name], each.wager.name


@pytest.mark.parametrize("game", ["baccarat", "tiger"])
def test_wagers_on_pairs_agree_with_the_slow_method(game: str) -> None:
    shoe = Composition.of_decks(8).without(parse_cards("4h 4h 4s Kd Kc Kh 9s"))
    counts = Counter(card.rank.value for card, number in shoe.counts().items() for _ in range(number))
    slow = slow_odds.returns(slow_odds.pairs(game, dict(counts)))
    for each in odds(load(game), shoe).wagers:
        if "Pair" in each.wager.name:
            assert each.expected_return == slow[each.wager.name]


def test_wagers_on_suits_agree_with_the_slow_method() -> None:
    shoe = Composition.of_decks(6).without(parse_cards("4d 4d 4s Kd Kc Kh 9s"))
    slow = slow_odds.returns(slow_odds.player_pairs("fabulous-4", {str(card): n for card, n in shoe.counts().items()}))
    found = odds(load("fabulous-4"), shoe)
    assert found["Player Precious Pair"].expected_return == slow["Player Precious Pair"]
    assert found["Banker Precious Pair"].expected_return == slow["Player Precious Pair"]


# Few ranks and suits, so that pairs, ties and short supplies are common.
card = st.sampled_from([card for card in DECK if str(card)[0] in "A2467TK" and card.suit.value in "hd"])
hand = st.lists(st.none() | card, max_size=3).map(tuple)
HandSeen = tuple[Card | None, ...]


# Player stands, so that Player's third card contradicts it, even where Banker's is missing.
@example(load(MIXED), parse_cards("Ad 6d 4d"), (), list(parse_cards("6h 7h")))
@example(load(MIXED), (None, None, Card.parse("Kh")), (), list(parse_cards("7h Kh Kd 4d")))
@settings(max_examples=40)
@given(BOOKS, hand, hand, st.lists(card, min_size=1, max_size=6))
def test_odds_agree_with_every_order_of_a_tiny_shoe(
    game: Rulebook, player: HandSeen, banker: HandSeen, unexposed: list[Card]
) -> None:
    _agree(game, player, banker, unexposed)


@pytest.mark.long
@settings(max_examples=200)
@given(BOOKS, hand, hand, st.lists(card, min_size=1, max_size=6))
def test_odds_agree_with_every_order_of_more_tiny_shoes(
    game: Rulebook, player: HandSeen, banker: HandSeen, unexposed: list[Card]
) -> None:
    _agree(game, player, banker, unexposed)


def _agree(game: Rulebook, player: HandSeen, banker: HandSeen, unexposed: list[Card]) -> None:
    seen = CardsSeen(player, banker)
    met = brute_force.outcomes(game, seen, unexposed)
    if not any(met.values()):
        with pytest.raises(Unlawful, match="no lawful coup"):
            odds(game, Composition(unexposed), seen)
        return
    for each in odds(game, Composition(unexposed), seen).wagers:
        orders = met[each.wager.name]
        found = {chance.outcome: chance.probability for chance in each.outcomes if chance.deals}
        assert found == {outcome: Fraction(n, orders.total()) for outcome, n in orders.items()}, each.wager.name
        assert ("void" in orders) == (each.outcomes[-1].outcome == "void")


@settings(max_examples=40)
@given(BOOKS, st.lists(card, min_size=3, max_size=6), st.data())
def test_covariance_agrees_with_every_order_of_a_tiny_shoe(
    game: Rulebook, unexposed: list[Card], data: st.DataObject
) -> None:
    names = st.sampled_from([wager.name for wager in game.wagers])
    one, other = data.draw(names), data.draw(names)
    expected = brute_force.covariance(game, one, other, unexposed)
    assert covariance(game, one, other, Composition(unexposed)) == expected
    assert covariance(game, other, one, Composition(unexposed)) == expected


def test_covariance_of_a_wager_with_itself_is_its_variance() -> None:
    found = odds(load("tiger"))
    for each in found.wagers:
        assert covariance(found.book, each.wager.name, each.wager.name) == each.variance


def test_a_wager_and_its_parts_add_up() -> None:
    """Tiger wins exactly when Small Tiger or Big Tiger does, and those two never win together."""
    found = odds(load("tiger"))
    assert found["Tiger"].hit_frequency == found["Small Tiger"].hit_frequency + found["Big Tiger"].hit_frequency
    small, big = found["Small Tiger"], found["Big Tiger"]
    both_win = covariance(found.book, "Small Tiger", "Big Tiger")
    # (22 - x)(50 - y) with wins that exclude each other
    assert both_win == -(23 * small.hit_frequency) * (51 * big.hit_frequency)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 150), min_size=10, max_size=10).filter(lambda counts: sum(counts) >= 6))
def test_every_way_of_counting_finds_the_same(counts: list[int]) -> None:
    plain = count_endings(counts)
    if sum(counts) <= MOST_COMPILED:
        assert compiled()(counts) == plain
    if sum(counts) <= MOST_CARDS:
        assert count_vectors(counts) == plain
    assert whole_coups(counts) == plain


@pytest.mark.parametrize("value", [0, 1, 6])
def test_the_largest_shoes_of_each_way_are_still_exact(value: int) -> None:
    """Also of one value alone, when all deals have one ending."""
    for most, count in ((MOST_COMPILED, compiled()), (MOST_CARDS, count_vectors)):
        even = [most - 9 * (most // 10), *[most // 10] * 9]
        assert count(even) == count_endings(even)
        alone = [most if each == value else 0 for each in range(10)]
        assert count(alone) == count_endings(alone)


def test_shoes_too_large_for_machine_integers_are_exact_too() -> None:
    found = odds(load("baccarat"), Composition(DECK * 100))
    assert found.cards == 5200
    assert found.deals == 5200 * 5199 * 5198 * 5197 * 5196 * 5195 > 2**63
    assert all(sum(chance.deals for chance in each.outcomes) == found.deals for each in found.wagers)
    assert abs(found["Banker"].house_edge - odds(load("baccarat"))["Banker"].house_edge) < Fraction(1, 10_000)


def test_a_program_that_goes_on_counting_imports_numpy_and_compiles_nothing() -> None:
    program = (
        "import sys; from punto.odds.compiled_counts import whole_coups\n"
        "for shoe in range(30):\n    whole_coups([128, *[32] * 9]); print('numpy' in sys.modules)\n"
        "print('numba' in sys.modules)"
    )
    *numpy, numba = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert numpy == ["False"] * 20 + ["True"] * 10
    assert numba == "False"


def test_fractions_are_in_lowest_terms_and_sum_to_one(book: Rulebook) -> None:
    for decks in (4, 10):
        for each in odds(book, decks).wagers:
            assert sum(chance.probability for chance in each.outcomes) == 1
            assert each.house_edge == -each.expected_return
            assert each.hit_frequency + each.push_frequency <= 1


def test_a_decided_wager_has_no_odds_left() -> None:
    book = load("tiger")
    found = odds(book, 8, CardsSeen(parse_cards("4h 4d"), parse_cards("4s 4c")))
    twin = {chance.outcome: chance.probability for chance in found["Tiger Pair"].outcomes}
    assert twin["Twin Tiger Pair"] == 1
    assert found["Tiger Pair"].variance == 0
    assert found.cards == 412


def test_a_shoe_too_short_for_the_round_returns_every_wager() -> None:
    found = odds(load("baccarat"), Composition(parse_cards("4h 4d 2c")))
    for each in found.wagers:
        assert each.outcomes[-1].outcome == "void"
        assert each.outcomes[-1].probability == 1
        assert each.expected_return == 0


def test_reading_one_is_worth_a_third_of_the_stake() -> None:
    """If a ten paired with a face card, the patron would gain 349/1079 of a unit: what R1 keeps from happening."""
    book = load("baccarat")
    shoe = book.shoe(8)
    assert literal_pair_return(book.wager("Player Pair"), shoe) == Fraction(349, 1079)
    pairs = sum(
        a.rank is b.rank or {a.rank, b.rank} in [{Rank.TEN, face} for face in (Rank.JACK, Rank.QUEEN, Rank.KING)]
        for i, a in enumerate(DECK * 2)
        for j, b in enumerate(DECK * 2)
        if i != j
    )
    assert literal_pair_return(book.wager("Player Pair"), Composition(DECK * 2)) == Fraction(12 * pairs, 104 * 103) - 1


def test_effects_of_removal_are_the_change_of_the_return(book: Rulebook) -> None:
    shoe = Composition.of_decks(8)
    effects = effects_of_removal(book, 8)
    assert set(effects) == set(DECK)
    full = odds(book, shoe)
    for text in ("4d", "4h", "Ks", "9c"):
        gone = odds(book, shoe.without([Card.parse(text)]))
        for each in book.wagers:
            change = gone[each.name].expected_return - full[each.name].expected_return
            assert effects[Card.parse(text)][each.name] == change
    # A card drawn unseen changes nothing on average.
    for each in book.wagers:
        assert sum(changes[each.name] for changes in effects.values()) == 0


def test_suits_are_told_apart_only_where_they_matter() -> None:
    assert len(effects_of_removal("tiger").by_rank()) == 13
    assert len(effects_of_removal("fabulous-4").by_rank()) == 52
