"""Known cards: their exact value against every order of tiny shoes, against the odds, and as published."""

from __future__ import annotations

import json
import pickle
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import polars
import pytest
from generator.known_cards import FIRST_FOUR, HANDS_AND_TIE, PUBLISHED
from reference import known_cards as slow
from reference import second_settlement
from support.command import refused, run, run_json
from support.long import others_long

from punto import CardError, CardsSeen, Composition, Rulebook, Unlawful, load, loads, odds, parse_cards
from punto.cards import DECK
from punto.lab import position_counts
from punto.lab.card_partition import CardPartition
from punto.lab.known_cards import KnownCardsStudy, known_cards
from punto.lab.position_counts import TooManyOrders
from punto.rules.conditions import Sees

FEW = "4d 4d 9d 9s Kd 2h 6c"
PAIRS_AND_NATURALS = "4d 4d 4h 9d 9s Kd Tc 2h"
DRAWS = "As 2h 3d 4c 6d 6s Ks Qd"
BY: dict[str, Callable[[str], str]] = {
    "value": slow.by_value,
    "rank": slow.by_rank,
    "colour": slow.by_colour,
    "card": slow.by_card,
    "6789": slow.high_or_not,
}
SUBSETS = [
    *(((position,), "value") for position in range(1, 7)),
    *(((5,), by) for by in BY if by != "value"),
    ((1, 3), "rank"),
    ((2, 5), "card"),
    ((4, 6), "colour"),
    ((1, 2, 3, 4), "6789"),
    ((3, 5, 6), "value"),
    ((1, 2, 3, 4, 5, 6), "colour"),
]
OWN_GAME = """
key = "own"
title = "Own"
decks = { min = 1, max = 8 }

[[wager]]
name = "Side"
clause = "1"
lines = [
%s
]

[clauses]
"1" = { provision = "wager", by = "data", text = "A wager that reads several parts of a coup." }
"""


def own_game(*lines: str) -> Rulebook:
    """A game with one wager, from what its lines test and pay."""
    told = (f'  {{ outcome = "{number}", {line}, clause = "1" }},' for number, line in enumerate(lines))
    return loads(OWN_GAME % "\n".join(told))


def settled(player: list[str], banker: list[str]) -> tuple[list[int], list[bool], list[str | None]]:
    """The totals of both hands, whether each has a pair, and the suit of its first two cards."""
    hands = (player, banker)
    totals = [second_settlement.total(hand) for hand in hands]
    return totals, [h[0][0] == h[1][0] for h in hands], [h[0][1] if h[0][1] == h[1][1] else None for h in hands]


TOTALS_AND_ONE_SUIT = own_game(
    'when = { winner = "banker", player_suit = "d" }, pays = "30 to 1"',
    'when = { player_pair = true, banker_total = [6, 7] }, pays = "7 to 2"',
    'when = { banker_pair_rank = ["4", "K"], cards = 6 }, pays = "1 to 3"',
)
RANKS_AND_SUITS = own_game(
    'when = { player_pair = true, banker_suited_in = ["h", "d"] }, pays = "9 to 1"',
    'when = { player_suited = false, banker_suited = true }, pays = "push"',
)


def settle_totals_and_one_suit(player: list[str], banker: list[str]) -> dict[str, Fraction]:
    totals, pairs, suits = settled(player, banker)
    if totals[1] > totals[0] and suits[0] == "d":
        return {"Side": Fraction(30)}
    if pairs[0] and totals[1] in (6, 7):
        return {"Side": Fraction(7, 2)}
    same = pairs[1] and banker[0][0] in "4K" and len(player) + len(banker) == 6
    return {"Side": Fraction(1, 3) if same else Fraction(-1)}


def settle_ranks_and_suits(player: list[str], banker: list[str]) -> dict[str, Fraction]:
    _, pairs, suits = settled(player, banker)
    if pairs[0] and suits[1] in ("h", "d"):
        return {"Side": Fraction(9)}
    return {"Side": Fraction(0) if not suits[0] and suits[1] else Fraction(-1)}


def compare(found: KnownCardsStudy, cases: dict[tuple[str, ...], slow.Known]) -> None:
    """A study and the same by the slow way agree in every figure."""
    assert set(found) == set(cases)
    assert len(found) == len(cases)
    for seen, case in cases.items():
        assert found[seen].probability == case.probability
        assert found[seen].returns == case.returns
    assert found.value == slow.value(cases, [each.wager for each in found.wagers], found.must_wager)
    for each in found.wagers:
        one = {seen: case.returns[each.wager] for seen, case in cases.items()}
        assert each.expected_return == sum(cases[seen].probability * gain for seen, gain in one.items())
        assert each.favourable == sum(cases[seen].probability for seen, gain in one.items() if gain > 0)
        assert each.value == slow.value(cases, [each.wager], must_wager=False)
        assert each.chosen == sum(o.probability for o in found.values() if o.wager == each.wager)


@pytest.mark.parametrize("shoe", others_long([FEW, PAIRS_AND_NATURALS, DRAWS]))
def test_every_order_of_a_tiny_shoe_agrees(book: Rulebook, shoe: str) -> None:
    orders, cards = slow.every_order(shoe, slow.by_game(book.key)), Composition(parse_cards(shoe))
    for positions, by in SUBSETS:
        compare(known_cards(book, positions, cards, by, "every"), slow.study(orders, positions, BY[by]))


@pytest.mark.long
@pytest.mark.parametrize("by", BY)
def test_every_subset_of_positions_agrees(book: Rulebook, by: str) -> None:
    orders, cards = slow.every_order(FEW, slow.by_game(book.key)), Composition(parse_cards(FEW))
    for many in range(1, 7):
        for positions in combinations(range(1, 7), many):
            compare(known_cards(book, positions, cards, by, "every"), slow.study(orders, positions, BY[by]))


@pytest.mark.parametrize(
    ("game", "settle"),
    [(TOTALS_AND_ONE_SUIT, settle_totals_and_one_suit), (RANKS_AND_SUITS, settle_ranks_and_suits)],
    ids=["totals and a suit", "ranks and suits"],
)
def test_own_wagers_that_read_several_parts_of_a_coup_agree(game: Rulebook, settle: slow.Settle) -> None:
    orders, shoe = slow.every_order(FEW, settle), Composition(parse_cards(FEW))
    for positions, by in (((5,), "colour"), ((1, 2), "value"), ((2, 4, 6), "6789"), ((3, 5), "card")):
        compare(known_cards(game, positions, shoe, by), slow.study(orders, positions, BY[by]))


@pytest.mark.long
def test_a_wager_that_reads_everything_agrees() -> None:
    """Such a game takes seconds to load."""
    game = own_game('when = { winner = "banker", player_suit = "d", banker_suit = "d" }, pays = "9 to 1"')
    dealt = slow.every_order(PAIRS_AND_NATURALS, settle_diamonds)
    for positions, by in (((5,), "colour"), ((1, 2), "value"), ((2, 4, 6), "6789"), ((3, 5), "card")):
        shoe = Composition(parse_cards(PAIRS_AND_NATURALS))
        compare(known_cards(game, positions, shoe, by), slow.study(dealt, positions, BY[by]))
    full = known_cards(game, (1, 2), 8, "suit")
    assert full.wagers[0].expected_return == odds(game, 8)["Side"].expected_return


def settle_diamonds(player: list[str], banker: list[str]) -> dict[str, Fraction]:
    totals, _, suits = settled(player, banker)
    return {"Side": Fraction(9) if totals[1] > totals[0] and suits == ["d", "d"] else Fraction(-1)}


def test_a_patron_may_have_to_wager_and_may_consider_few_wagers() -> None:
    tiger, cards = load("tiger"), Composition(parse_cards(DRAWS))
    cases = slow.study(slow.every_order(DRAWS, slow.by_game("tiger")), (2, 5), slow.by_value)
    for wagers in (("Player", "Banker"), ("Tiger",), ("Tie", "Small Tiger", "Player")):
        free = known_cards(tiger, (5, 2), cards, wagers=wagers)
        bound = known_cards(tiger, (2, 5), cards, wagers=wagers, must_wager=True)
        assert free.value == slow.value(cases, wagers, must_wager=False)
        assert bound.value == slow.value(cases, wagers, must_wager=True)
        assert bound.sat_out == 0
    usual = known_cards(tiger, (2, 5), cards)
    assert [each.wager for each in usual.wagers] == ["Player", "Banker"]


def test_what_is_known_averages_to_the_odds(book: Rulebook) -> None:
    shoe = Composition.of_decks(2).without(DECK[::3]).plus(parse_cards("6d 6d 6d 4d"))
    exact = odds(book, shoe)
    for by in ("rank", "colour"):
        found = known_cards(book, (2, 5), shoe, by, "every")
        assert sum(each.probability for each in found.values()) == 1
        for each in found.wagers:
            assert each.expected_return == exact[each.wager].expected_return
            mean = sum(o.probability * o.returns[each.wager] for o in found.values())
            assert mean == each.expected_return


@pytest.mark.parametrize("card", others_long(["4d", "Ks"]))
def test_a_known_card_of_eight_decks_is_a_card_seen_in_its_hand(book: Rulebook, card: str) -> None:
    (seen,) = parse_cards(card)
    for position, hands in {1: CardsSeen(player=(seen,)), 4: CardsSeen(banker=(seen,))}.items():
        exact = odds(book, 8, hands)
        returns = known_cards(book, position, by="card", wagers="every")[card].returns
        assert returns == {each.wager.name: each.expected_return for each in exact.wagers}
    pairs = [wager.name for wager in book.wagers if not wager.sees & Sees.TOTALS]
    if pairs:
        gone = odds(book, book.shoe(8).without([seen]))
        returns = known_cards(book, 6, by="card", wagers=pairs)[card].returns
        assert returns == {name: gone[name].expected_return for name in pairs}


def test_large_numbers_are_counted_as_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where 64 bits do not hold every number, Python's own are used."""
    shoe = Composition(parse_cards("4d 4d 4h 9s Ks 2h 7c 6d 6d As"))
    plain = known_cards(load("fabulous-4"), (1, 5), shoe, "rank", "every")
    monkeypatch.setattr(position_counts, "_MOST_INTEGER", 0)
    monkeypatch.setattr("punto.lab.known_cards._MOST_INTEGER", 0)
    assert known_cards(load("fabulous-4"), (1, 5), shoe, "rank", "every").to_dict() == plain.to_dict()


@pytest.mark.long
def test_a_huge_shoe_agrees_with_the_odds() -> None:
    shoe, tiger = Composition.of_decks(1000), load("tiger")
    found = known_cards(tiger, (5,), shoe, wagers="every")
    assert found.wagers[5].expected_return == odds(tiger, shoe)["Small Tiger"].expected_return


def test_orders_are_stepped_through_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    shoe = Composition(parse_cards(FEW))
    for by, positions in (("colour", (1, 2, 5)), ("card", (5, 6)), ("value", (2, 4, 5, 6))):
        monkeypatch.undo()
        whole = known_cards(load("fabulous-4"), positions, shoe, by, "every").to_dict()
        monkeypatch.setattr(position_counts, "_BLOCK", 300)
        assert known_cards(load("fabulous-4"), positions, shoe, by, "every").to_dict() == whole


# --- figures that others have published ------------------------------------------------------------


@pytest.mark.parametrize(("published", "positions", "by", "wagers"), [each[1:] for each in PUBLISHED])
def test_published_values_come_out(
    published: str, positions: tuple[int, ...], by: str, wagers: tuple[str, ...] | None
) -> None:
    found = known_cards(load("baccarat"), positions, by=by, wagers=wagers)
    assert f"{float(found.value):.3%}" == published


@pytest.mark.parametrize(("one", "other"), others_long([(1, 3), (2, 4)]))
def test_both_first_cards_of_a_hand_are_worth_the_same(book: Rulebook, one: int, other: int) -> None:
    assert dict(known_cards(book, one, wagers="every")) == dict(known_cards(book, other, wagers="every"))


@pytest.mark.long
def test_colour_is_worth_nothing(book: Rulebook) -> None:
    """Who knows fewer cards by colour knows no more, so all six say it for any of them."""
    assert known_cards(book, range(1, 7), by="colour", wagers="every").value == 0


@pytest.mark.long
def test_no_other_sorting_into_two_classes_is_worth_more() -> None:
    ranks = ["TJQK", *"A23456789"]
    sortings = ["".join(each for at, each in enumerate(ranks) if number >> at & 1) for number in range(1, 512)]
    values = {by: known_cards(load("baccarat"), FIRST_FOUR, by=by, wagers=HANDS_AND_TIE).value for by in sortings}
    assert max(values, key=lambda by: values[by]) == "TJQKA23"


def test_published_cases_of_sorted_backs_come_out() -> None:
    found = known_cards(load("baccarat"), (1, 2, 3, 4), by="6789", wagers=("Player", "Banker", "Tie"))
    best = found["6789", "other", "other", "other"], found["other", "other", "6789", "other"]
    assert {each.wager for each in best} == {"Player"}
    assert f"{float(sum(each.probability for each in best)):.3%}" == "20.502%"
    assert f"{float(best[0].expected_return):.3%}" == "36.332%"
    assert f"{float(found.sat_out):.3%}" == "22.824%"
    assert f"{float(found.wagers[2].chosen):.3%}" == "19.075%"


def test_wagering_in_every_round_is_worth_less_than_published() -> None:
    """The published figures let the patron sit out a known 5 at position 2, an 8 at 5 and a 2 at 6."""
    values = [f"{float(known_cards(load('baccarat'), at, must_wager=True).value):.3%}" for at in (1, 2, 5, 6)]
    assert values == ["6.765%", "6.389%", "8.888%", "9.061%"]
    sat_out = {at: [o.classes for o in known_cards(load("baccarat"), at).values() if not o.wager] for at in (2, 5, 6)}
    assert sat_out == {2: [("5",)], 5: [("8",)], 6: [("2",)]}


@pytest.mark.long
def test_one_known_card_of_eight_decks_agrees_with_every_order_of_values(book: Rulebook) -> None:
    ways: dict[tuple[int, int], int] = defaultdict(int)
    gains: dict[tuple[int, int], dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    classes: dict[int, tuple[dict[str, Fraction], dict[tuple[int, int], int]]] = {}
    for order, number, settled in slow.full_shoe(book.key, 8):
        _, counted = classes.setdefault(id(settled), (settled, defaultdict(int)))
        for position, value in enumerate(order, 1):
            ways[position, value] += number
            counted[position, value] += number
    for settled, counted in classes.values():
        for seen, number in counted.items():
            for wager, gain in settled.items():
                gains[seen][wager] += number * gain
    for position in range(1, 7):
        found = known_cards(book, position, wagers=[each.name for each in book.wagers if each.sees is Sees.TOTALS])
        for value in range(10):
            case = {wager: gain / ways[position, value] for wager, gain in gains[position, value].items()}
            assert found[str(value)].returns == {wager: case[wager] for wager in found[str(value)].returns}


# --- the values themselves, and what is refused ----------------------------------------------------


def test_a_study_is_a_mapping_with_a_notebook_view() -> None:
    found = known_cards(load("baccarat"), 5)
    assert isinstance(found, KnownCardsStudy)
    assert list(found)[:2] == [("0",), ("1",)]
    assert found[6] == found["6"] == found["6",]
    assert ("6",) in found
    assert ("x",) not in found
    assert found["4"].wager == "Player"
    assert repr(found) == "<KnownCardsStudy of 'baccarat': cards 5 known by value, value 8.9732%>"
    assert "8.9732%" in found._repr_html_()
    assert "Value alone" in known_cards(load("baccarat"), (1, 2, 3), by="rank")._repr_html_()
    with pytest.raises(KeyError):
        found["6", "7"]


def test_partitions() -> None:
    assert [len(CardPartition.of(by)) for by in ("value", "rank", "colour", "suit", "card")] == [10, 13, 2, 4, 52]
    assert CardPartition.of("10 6, 7 /4H").classes == ("T67", "4h", "other")
    own = {card: "odd" if card.point_value % 2 else "even" for card in DECK}
    assert CardPartition.of(own).class_of(DECK[0]) == "odd"
    assert known_cards(load("baccarat"), 1, by=own).value == known_cards(load("baccarat"), 1, by="A3579").value
    assert CardPartition.of(CardPartition.of("rank")) == CardPartition.of("rank")
    assert pickle.loads(pickle.dumps(CardPartition.of("6789"))) == CardPartition.of("6789")
    assert CardPartition.of("A23456789TJQK").classes == ("A23456789TJQK",)
    assert (
        known_cards(load("baccarat"), 1, by="A23456789TJQK", must_wager=True).value
        == odds(load("baccarat"))["Banker"].expected_return
    )


def test_knowing_nothing_that_matters_is_worth_nothing() -> None:
    assert known_cards(load("baccarat"), 1, by="colour").value == 0
    assert known_cards(load("baccarat"), 1).without_knowledge == 0
    blind = known_cards(load("baccarat"), 1, must_wager=True).without_knowledge
    assert blind == odds(load("baccarat"))["Banker"].expected_return


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"positions": 0}, ValueError, "expected positions 1 to 6"),
        ({"positions": ()}, ValueError, "expected positions 1 to 6"),
        ({"positions": (1, 1)}, ValueError, "each position once"),
        ({"positions": "12"}, ValueError, "expected positions 1 to 6"),
        ({"positions": (1, True)}, ValueError, "expected positions 1 to 6"),
        ({"must_wager": "no"}, TypeError, "expected True or False as must_wager, found 'no'"),
        ({"shoe": "x"}, CardError, "'x' is not a card"),
        ({"shoe": 8.0}, TypeError, "a number of decks or the cards of a shoe"),
        ({"shoe": Composition(DECK[:5])}, ValueError, "at least 6 cards"),
        ({"shoe": 3}, Unlawful, "4 to 10 decks"),
        ({"by": "shape"}, ValueError, "found 'shape'"),
        ({"by": "67/76"}, ValueError, "7 is in two classes"),
        ({"by": "6/"}, ValueError, "a class without cards"),
        ({"by": 6}, TypeError, "expected a partition"),
        ({"by": {DECK[0]: "x"}}, ValueError, "2s has none"),
        ({"wagers": ["Lion"]}, Unlawful, "no wager 'Lion'"),
        ({"wagers": []}, ValueError, "expected at least one wager"),
        ({"wagers": 3}, TypeError, "expected a list of wagers, not 3"),
        ({"positions": (1, 2, 3, 4), "by": "card"}, TooManyOrders, "7,311,616 observations, more than 5,000,000"),
        ({"positions": (1, 2, 3, 4, 5, 6), "by": "suit"}, TooManyOrders, "orders to count"),
    ],
)
def test_what_is_given_wrongly_is_told_in_a_sentence(
    options: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        known_cards(load("tiger"), **{"positions": (1,), **options})


# --- the command -----------------------------------------------------------------------------------


def test_the_command_tells_all_in_json() -> None:
    told = run_json("known", "tiger", "--positions", "5", "--by", "rank", "--wagers", "every", "--decks", "6")
    found = known_cards(load("tiger"), 5, 6, "rank", "every")
    assert {name: told[name] for name in found.to_dict()} == json.loads(json.dumps(found.to_dict()))
    assert (told["version"], told["decks"], told["seen"]) == (load("tiger").version, 6, [])
    assert (told["game"], told["digest"], told["cards"]) == ("tiger", load("tiger").digest, 312)
    assert (told["positions"], told["by"], len(told["observations"])) == ([5], "rank", 13)
    assert Fraction(told["value"]) == found.value
    seen = run_json("known", "tiger", "--positions", "5", "--seen", "4h Ks", "--summary")
    assert (seen["cards"], "observations" in seen) == (414, False)


def test_observations_are_written_as_csv_and_parquet(tmp_path: Path) -> None:
    files = [tmp_path / f"known.{suffix}" for suffix in ("csv", "parquet")]
    run("known", "tiger", "--positions", "2,5", "--by", "colour", *(f"--output={file}" for file in files))
    frame = known_cards(load("tiger"), (2, 5), by="colour").to_frame()
    assert polars.read_parquet(files[1]).select(frame.columns).equals(frame)
    assert polars.read_csv(files[0]).columns[: frame.width] == frame.columns
    assert frame.height == 4 * 2
    first = frame.row(0, named=True)
    assert (first["card_2"], first["card_5"], first["wager"]) == ("black", "black", "Player")
    assert Fraction(first["probability"]) == Fraction(207, 830)


def test_the_command_shows_a_table() -> None:
    shown = run("known", "baccarat", "--positions", "1, 2", "--by", "6789", "--wagers", "Player, tie")
    for word in ("Baccarat, 416 cards, cards 1, 2 known by 6789", "6789 other", "sit out", "Value alone", "value: "):
        assert word in shown
    assert "10,000 observations, too many to print" in run("known", "baccarat", "--positions", "1,2,3,4")
    assert "wagering in every round" in run("known", "baccarat", "--positions", "5", "--must-wager")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("baccarat --positions 7", "expected positions 1 to 6 such as 5 or 1,2,3,4, found '7'"),
        ("baccarat --positions 1,1", "expected each position once"),
        ("baccarat --positions 5 --by xyz", "'xyz': expected value, rank, colour, suit, card"),
        ("baccarat --positions 1 --wagers Lion", "Baccarat has no wager 'Lion'"),
        ("baccarat --positions 1 --decks 2", "Baccarat is played with 4 to 10 decks, not 2 (Baccarat 2.1)"),
        ("baccarat", "the following arguments are required: --positions"),
    ],
)
def test_what_the_command_refuses(arguments: str, sentence: str) -> None:
    assert sentence in refused("known", *arguments.split())
