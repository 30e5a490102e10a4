"""Values of the library as analysts use them: pickled, copied, read as mappings and frames, refused in a sentence."""

from __future__ import annotations

import copy
import json
import multiprocessing
import pickle
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest
from polars import col

import punto
import punto.shoe
from punto import DECK, Card, CardError, CardsSeen, Composition, Coup, Shoes, parse_cards
from punto.odds import literal_pair_return
from punto.rules.rulebook import Rulebook
from punto.simulate.round_file import write_rounds
from punto.simulate.round_sequences import rounds

TIGER = punto.load("tiger")
ODDS = punto.odds(TIGER, 8)
DEALT = punto.simulate(TIGER, 40, seed=5, workers=1)
ROUND = Coup.deal("2s Ah 3d Ad Ks 4c")
ROUND_LINE = punto.settle(TIGER.wager("Tiger"), ROUND)
VALUES = {
    "rulebook": TIGER,
    "wager": TIGER.wagers[3],
    "line": TIGER.wagers[3].lines[0],
    "odds": ODDS,
    "odds of a wager": ODDS["Tiger"],
    "simulation": DEALT,
    "result": DEALT["Tiger"],
    "removal": punto.effects_of_removal("baccarat", 8),
    "shoes": Shoes.of(TIGER, 6, cut=30),
    "composition": Composition.of_decks(8) - "4h",
    "seen": CardsSeen("4h ?", "Ks"),
    "coup": ROUND,
}


# --- pickling and copying --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("again", [lambda value: pickle.loads(pickle.dumps(value)), copy.deepcopy, copy.copy])
def test_values_pickle_and_copy(name: str, again: Callable[[Any], Any]) -> None:
    value = VALUES[name]
    made = again(value)
    assert made == value
    assert repr(made) == repr(value)
    if name != "removal":
        assert hash(made) == hash(value)


def test_a_copied_rulebook_is_as_closed_as_the_first_and_works() -> None:
    made: Rulebook = pickle.loads(pickle.dumps(TIGER))
    with pytest.raises(TypeError):
        cast("dict[str, object]", made.clauses)["9.9"] = None
    assert punto.odds(made, 8) == ODDS
    assert punto.settle(made.wager("Tiger"), "2s Ah 3d Ad Ks 4c") == punto.settle(TIGER.wager("Tiger"), ROUND)


def test_one_call_runs_in_a_spawned_process() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(punto.odds, (TIGER, 8)) == ODDS


# --- mappings and frames ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("found", [ODDS, DEALT])
def test_studies_are_mappings_by_the_names_of_wagers(found: Any) -> None:
    names = [wager.name for wager in TIGER.wagers]
    assert issubclass(type(found), Mapping)
    assert list(found) == names
    assert len(found) == len(names)
    assert dict(found) == dict(zip(names, found.wagers, strict=True)) == dict(found.items())
    assert "tiger pair" in found
    assert "Lantern" not in found
    assert found.get("Lantern") is None
    assert found.get("Tiger") is found["TIGER"]
    with pytest.raises(punto.Unlawful, match="has no wager 'Lantern'"):
        _ = found["Lantern"]


def test_exact_figures_stand_beside_rounded_ones() -> None:
    told = json.loads(json.dumps(ODDS.to_dict()))
    assert (told["game"], told["digest"], told["cards"], told["deals"]) == ("tiger", TIGER.digest, 416, ODDS.deals)
    for each, found in zip(told["wagers"], ODDS.wagers, strict=True):
        assert Fraction(each["expected_return"]) == found.expected_return
        assert each["house_edge_rounded"] == pytest.approx(float(found.house_edge))
        assert sum(one["deals"] for one in each["outcomes"]) == ODDS.deals
        assert [Fraction(one["probability"]) for one in each["outcomes"]] == [one.probability for one in found.outcomes]
    told = json.loads(json.dumps(DEALT.to_dict()))
    assert (told["decks"], told["cut"], told["burn"], told["seed"], told["partial"]) == (8, 14, 0, 5, False)
    assert [Fraction(each["mean_return"]) for each in told["wagers"]] == [each.mean_return for each in DEALT.wagers]


def test_frames_have_a_row_for_each_outcome() -> None:
    found = ODDS.to_frame()
    assert found.height == sum(len(each.outcomes) for each in ODDS.wagers)
    twin = found.row(by_predicate=col("outcome") == "Twin Tiger Pair", named=True)
    assert Fraction(twin["probability"]) == ODDS["Tiger Pair"].outcomes[0].probability
    assert int(twin["deals"]) == ODDS["Tiger Pair"].outcomes[0].deals
    dealt = DEALT.to_frame()
    assert dealt["count"].sum() == DEALT.rounds * len(DEALT)
    effects = punto.effects_of_removal("baccarat", 8)
    frame = effects.to_frame()
    assert frame.height == 52 * 5
    four = frame.row(by_predicate=(col("card") == "4h") & (col("wager") == "Banker"), named=True)
    assert Fraction(four["change"]) == effects["4h"]["Banker"] == effects[Card.parse("4h")]["Banker"]
    assert "4h" not in [str(card) for card in effects.by_rank()]
    assert ">0.0116<" in effects._repr_html_()


def test_a_composition_is_read_as_a_mapping() -> None:
    pile = Composition("4h 4h Ks")
    assert dict(pile) == {Card.parse("4h"): 2, Card.parse("Ks"): 1} == pile.counts()
    assert (len(pile), pile["4h"], pile["5h"], "Ks" in pile, "Kd" in pile) == (3, 2, 0, True, False)
    assert list(pile.items()) == list(zip(pile.keys(), pile.values(), strict=True))
    assert pile == Composition(["4h", Card.parse("4h"), "Ks"]) == Composition({"4h": 2, "Ks": 1}) == Composition(pile)


def test_compositions_are_added_and_subtracted() -> None:
    full = Composition.of_decks(8)
    assert full - "4h" == full.without([Card.parse("4h")])
    assert full - "4h" + ["4h"] == full
    assert full - full == Composition()
    assert full - {"4h": 8} + Composition("4h 4h") == full.without(["4h"] * 6)
    with pytest.raises(CardError, match="there is no 4h left to take"):
        _ = full - {"4h": 9}


def test_arrays_of_counts_are_in_the_order_of_the_deck() -> None:
    pile = Composition("As 2s Ah Kd Kd")
    counts = pile.to_array()
    assert isinstance(counts, np.ndarray)
    assert [str(DECK[at]) for at in np.flatnonzero(counts)] == ["As", "2s", "Ah", "Kd"]
    assert (counts.sum(), counts[0], counts[13], counts[51]) == (5, 1, 1, 2)
    assert Composition.from_array(counts) == pile
    assert Composition.from_array(Composition.of_decks(6).to_array() - counts) == Composition.of_decks(6) - pile


# --- what is given wrongly -------------------------------------------------------------------------------------------


def test_text_is_parsed_wherever_cards_are_expected() -> None:
    cards = parse_cards("4h 4d")
    assert Composition("4h, 4d") == Composition(cards)
    assert CardsSeen(player="4h 4d") == CardsSeen(player=["4h", "4d"]) == CardsSeen(player=cards)
    assert CardsSeen("4h ?", ["Ks", None]) == CardsSeen((cards[0], None), (Card.parse("Ks"), None))
    assert Coup.deal(["2s", "Ah", "3d", "Ad", "Ks", "4c"]) == Coup.deal("2s Ah 3d Ad Ks 4c")


def test_a_key_serves_wherever_a_game_is_expected() -> None:
    assert punto.odds("tiger", 8) == ODDS
    assert punto.simulate("tiger", 40, seed=5, workers=1)["Tiger"] == DEALT["Tiger"]
    assert Shoes.of("tiger", 8) == Shoes(Composition.of_decks(8))
    assert punto.covariance("tiger", "Tie", "Tiger") == punto.covariance(TIGER, "Tie", "Tiger")
    assert punto.standings("tiger", CardsSeen("4h 4d"))["Tiger Pair"] is punto.Standing.WON
    assert sum(map(len, rounds("tiger", 3))) == punto.simulate("tiger", 3, workers=1).rounds


def test_keywords_say_how_full_shoes_are_dealt() -> None:
    short = punto.simulate("tiger", 30, seed=2, workers=1, decks=6, cut=30, burn="first-card", rounds_after=1)
    assert short.shoe == Shoes(Composition.of_decks(6), 30, "first-card", 1)
    assert short.wagers == punto.simulate("tiger", 30, seed=2, workers=1, shoe=short.shoe).wagers


def wrong(value: object) -> Any:
    return value


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (lambda: Composition(wrong(8)), 'expected cards, such as "4h Td", found 8'),
        (lambda: Composition("4h 4x"), "'4x' is not a card"),
        (lambda: Composition(wrong([8])), "expected a card, such as 4h, found 8"),
        (lambda: Composition(wrong(Card.parse("4h"))), "expected cards, such as \"4h Td\", found Card('4h')"),
        (lambda: Composition({"4h": wrong(1.5)}), "expected a whole number of cards, found 1.5"),
        (lambda: Composition.of_decks(wrong("8")), "expected a whole number of decks, found '8'"),
        (lambda: Composition.from_array([1, 2]), "expected 52 counts, one of each card, found 2"),
        (lambda: Composition.from_array([-1] * 52), "expected a whole number of cards, found -1"),
        (lambda: Composition.of_decks(1) - wrong(3), 'expected cards, such as "4h Td", found 3'),
        (lambda: CardsSeen(player=wrong(4)), "expected the cards of a hand"),
        (lambda: CardsSeen(banker=wrong([4])), "expected a card, such as 4h, found 4"),
        (lambda: CardsSeen("4h 4d 2c 2s"), "a hand has at most three cards"),
        (lambda: Coup.deal(wrong(7)), "expected cards, such as"),
        (lambda: Coup(wrong("2s 3d"), ()), "expected two hands of cards: Coup.deal makes a coup"),
        (lambda: punto.settle(wrong("Tiger"), "9h Ks Th 2c"), "expected a wager of a game, such as"),
        (lambda: punto.settle(TIGER.wager("Tiger"), wrong(7)), "expected cards, such as"),
        (lambda: punto.pay(100, wrong("Tiger")), "expected the line that settled the wager"),
        (lambda: TIGER.wager(wrong(3)), "expected the name of a wager, found 3"),
        (lambda: TIGER.shoe(wrong("8")), "expected a whole number of decks, found '8'"),
        (lambda: punto.odds(wrong(8), 8), "expected a game: a rulebook, a key such as tiger"),
        (lambda: punto.odds("tigre", 8), "did you mean tiger?"),
        (lambda: punto.odds("tiger", wrong(8.0)), "expected a number of decks or the cards of a shoe, found 8.0"),
        (lambda: punto.odds("tiger", 8, wrong("4h")), "expected the exposed cards by hand, such as CardsSeen(player="),
        (lambda: punto.wager_odds(wrong("Tiger"), Composition.of_decks(8)), "expected a wager of a game, such as"),
        (lambda: punto.covariance("tiger", wrong(1), "Tie"), "expected the name of a wager, found 1"),
        (lambda: punto.effects_of_removal("tiger", wrong(None)), "expected a number of decks or the cards of a shoe"),
        (lambda: punto.standings("tiger", wrong("4h")), "expected the exposed cards by hand"),
        (lambda: Shoes(wrong(8)), 'expected the cards of a shoe: Shoes.of("tiger", decks=8) has full ones; found 8'),
        (lambda: Shoes(Composition.of_decks(8), cut=wrong("x")), "expected a whole number as cut, found 'x'"),
        (lambda: punto.simulate("tiger", 10, seed=wrong("x")), "expected a whole number as the seed"),
        (lambda: punto.simulate("tiger", wrong("x")), "expected a whole number as the number of shoes, not 'x'"),
        (lambda: punto.simulate("tiger", 0), "expected a number of shoes above zero, not 0"),
        (lambda: punto.simulate("tiger", 10, workers=0), "expected a number of workers above zero, not 0"),
        (lambda: punto.simulate("tiger", 10, shoe=wrong(8)), "expected Shoes, such as Shoes.of('tiger', decks=8)"),
        (lambda: punto.simulate("tiger", 10, shoe=Shoes.of("tiger"), cut=3, decks=4), "decks and cut: already said"),
        (lambda: rounds("tiger", wrong(1.5)), "expected a whole number as the number of shoes, not 1.5"),
        (lambda: punto.shoe.Contribution(wrong("lucky"), bytes(32)), "words and nonce are bytes"),
        (lambda: Card.parse(wrong(None)), "expected a card, such as 4h, found None"),
        (lambda: parse_cards(wrong(8)), 'expected cards, such as "4h Td", found 8'),
        (lambda: Composition.of_decks(wrong(True)), "expected a whole number of decks, found True"),
        (lambda: Composition.from_array(wrong(None)), "expected 52 counts, one of each card, found None"),
        (lambda: Composition("4h").count("4x"), "'4x' is not a card"),
        (lambda: Composition("4h").count(wrong(4)), "expected a card, such as 4h, found 4"),
        (lambda: punto.load(wrong(None)), "or the path of a file; found None"),
        (lambda: punto.loads(wrong(None)), "expected the text of a game's file, found None"),
        (lambda: punto.loads(wrong(b"key = 1")), "expected the text of a game's file, found b'key = 1'"),
        (lambda: TIGER.cite(wrong(None)), "expected a refusal of the rules, as an Unlawful error is, found None"),
        (lambda: TIGER.shoe(wrong(True)), "expected a whole number of decks, found True"),
        (lambda: punto.odds("tiger", wrong(True)), "expected a number of decks or the cards of a shoe, found True"),
        (lambda: punto.pay(wrong(True), ROUND_LINE), "a stake is a whole number of cents, not True"),
        (lambda: literal_pair_return(wrong("x"), TIGER.shoe(8)), "expected a wager of a game, such as"),
        (lambda: literal_pair_return(TIGER.wagers[0], wrong(8)), 'expected cards, such as "4h Td", found 8'),
        (lambda: literal_pair_return(TIGER.wagers[0], "4h"), "expected a shoe of at least two cards, found 1"),
        (lambda: Shoes(Composition.of_decks(8), cut=wrong(True)), "expected a whole number as cut, found True"),
        (lambda: Shoes(Composition.of_decks(8), burn=wrong(True)), "burn first-card, or 0 to 415 cards, not True"),
        (lambda: punto.simulate("tiger", 1, rounds_after=10**30), "0 or more, and at most 1,000,000,000, not 1000"),
        (lambda: punto.simulate("tiger", 10, seed=wrong(True)), "expected a whole number as the seed, not True"),
        (lambda: punto.simulate("tiger", wrong(True)), "expected a whole number as the number of shoes, not True"),
        (lambda: punto.simulate("tiger", 1, progress=wrong("x")), "expected a function as progress, found 'x'"),
        (lambda: DEALT["Tie"].z_score(wrong(None)), "expected an exact return as a number, found None"),
        (lambda: write_rounds(wrong(None), "tiger", 1), "expected the path of a file to write, found None"),
        (lambda: write_rounds("no.parquet", "tiger", 1, progress=wrong("x")), "expected a function as progress"),
    ],
)
def test_what_is_given_wrongly_is_told_in_a_sentence(asked: Callable[[], object], sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        asked()


# --- the same again ---------------------------------------------------------------------------------------------------


def test_cards_are_named_in_every_way_everywhere() -> None:
    pile = Composition("4h 4h Ks")
    assert pile.count("4h") == pile.count(Card.parse("4h")) == pile["4h"] == 2
    assert parse_cards(["4h", "Ks"]) == parse_cards("4h Ks")


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    eight, five = np.int64(8), np.uint8(5)
    assert punto.odds("tiger", cast("int", eight)) == ODDS
    assert TIGER.shoe(cast("int", eight)) == TIGER.shoe(8)
    again = punto.simulate(TIGER, cast("int", np.int32(40)), seed=cast("int", five), workers=cast("int", np.int8(1)))
    assert again == DEALT
    assert type(again.seed) is int
    assert punto.pay(cast("int", np.int64(100_00)), ROUND_LINE) == punto.pay(100_00, ROUND_LINE)
    assert Shoes.of(TIGER, cast("int", eight), cut=cast("int", five)) == Shoes.of(TIGER, 8, cut=5)
    with pytest.raises(TypeError):
        punto.odds("tiger", cast("int", np.True_))


def test_equal_calls_give_equal_values() -> None:
    assert punto.simulate("baccarat", 20, seed=1) == punto.simulate("baccarat", 20, seed=1)
    assert punto.simulate("baccarat", 20, seed=1) != punto.simulate("baccarat", 20, seed=2)
    (one,), (other,), (third,) = (list(rounds("tiger", 3, seed)) for seed in (1, 1, 2))
    assert one == other == copy.deepcopy(one)
    assert one != third
    assert one != 3
