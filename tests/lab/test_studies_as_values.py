"""Studies as other programs use them: from the key of a game, copied, pickled, compared, as mappings and frames."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import punto
from punto import counting, load, staking
from punto.lab.bankrolls.bankroll import bankroll, distribution, flat_session
from punto.lab.counts.best_counts import best_count
from punto.lab.house_choices import compare_decks
from punto.lab.known_cards import known_cards
from punto.lab.pay_tables import compare_pay_tables, find_pay_tables
from punto.lab.perfect_play import STEP, PerfectPlayStudy, perfect_play
from punto.lab.study import ProtectionStudy, study_protection
from punto.odds.batch_odds import batch_odds
from punto.odds.partial_knowledge import odds_after_unseen, slug_odds

TIGER = load("tiger")
STUDIES: dict[str, Callable[[Any], Any]] = {
    "known cards": lambda game: known_cards(game, 1, "4h 4d 9s Kd 2h 6c 7s"),
    "perfect play": lambda game: perfect_play(game, 5),
    "protection": lambda game: study_protection(game, 5, wagers=["Tie"]),
    "best count": lambda game: best_count(game, "Tiger", 1, shoes=5, search_shoes=5),
    "counting": lambda game: counting(game, "Tiger", "6:-1,7:1", 2, 5),
    "staking": lambda game: staking(game, "Banker", "flat", 5),
    "batch": lambda game: batch_odds(game, [TIGER.shoe(8), TIGER.shoe(6)]),
    "decks": lambda game: compare_decks(game, (8,)),
    "pay tables": lambda game: compare_pay_tables(game, "Tiger", [(12, 25)]),
    "search": lambda game: find_pay_tables(game, "Tiger", "8%", {"two-card 6": "8..9"}),
    "unseen": lambda game: odds_after_unseen(game, "4h 4d 9s Kd 2h 6c 7s", 1),
    "bankroll": lambda game: bankroll(punto.odds(game)["Tie"], 20, 30),
    "long bankroll": lambda game: bankroll(punto.odds(game)["Tie"], 20, 3000),
    "session": lambda game: flat_session(punto.odds(game)["Tie"], 20, 30),
    "results": lambda game: distribution(punto.odds(game)["Tie"], 30),
    "portfolio": lambda game: punto.portfolio(game, {"Tie": 1}),
    "covariances": lambda game: punto.covariance_matrix(game),
    "slug": lambda game: slug_odds(game, "8h 8d 9s 9c 9h 8s"),
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_takes_a_key_and_is_the_same_when_copied(name: str) -> None:
    study = STUDIES[name]("tiger")
    assert study == STUDIES[name](TIGER)
    assert study == copy.deepcopy(study) == pickle.loads(pickle.dumps(study))
    assert study != STUDIES["slug" if name == "unseen" else "unseen"](TIGER)
    assert "tiger" in repr(study) or name in ("bankroll", "long bankroll", "session", "results")


@pytest.mark.parametrize("name", STUDIES)
def test_what_is_no_game_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(
        TypeError, match="expected a game: a rulebook, a key such as tiger, or the path of a file; found 8"
    ):
        STUDIES[name](8)


def test_studies_are_mappings_by_the_names_of_wagers() -> None:
    play, protection = perfect_play(TIGER, 5), study_protection(TIGER, 5, wagers=["tie", "Tiger"])
    found: list[tuple[PerfectPlayStudy | ProtectionStudy, list[str]]] = [
        (play, [wager.name for wager in TIGER.wagers]),
        (protection, ["Tie", "Tiger"]),
    ]
    for study, names in found:
        assert isinstance(study, Mapping)
        assert list(study) == names
        assert [each.name for each in study.values()] == names
        assert dict(study)["Tie"] is study["tie"] is study.get("TIE")
    assert protection.get("Player") is None


def test_perfect_play_has_a_row_for_each_depth() -> None:
    play = perfect_play(TIGER, 5, seed=3)
    frame, told = play.to_frame(), play.to_dict()
    assert frame.height == len(TIGER.wagers) * 32
    last = frame.filter(wager="Tie").row(-1, named=True)
    assert (last["cards_dealt"], last["hands"], last["per_shoe"]) == (
        32 * STEP,
        play.rounds,
        play["Tie"].figures.per_shoe,
    )
    assert (told["game"], told["digest"], told["seed"], told["shoes"]) == ("tiger", TIGER.digest, 3, 5)


def test_batches_are_of_arrays_or_compositions_and_have_frames() -> None:
    piles = [TIGER.shoe(8) - "6s", TIGER.shoe(4)]
    found = batch_odds(TIGER, piles)
    assert found == batch_odds(TIGER, np.array([pile.to_array() for pile in piles]))
    row = found.to_frame().filter(composition=1, wager="Tiger").row(0, named=True)
    exact = found.expected_return(1, "Tiger")
    assert (row["expected_return"], row["expected_return_rounded"]) == (str(exact), float(exact))
    assert len(batch_odds(TIGER, [])) == 0
    for wrong, sentence in (
        ([[1], [1, 2]], "expected rows of 52 whole numbers"),
        (np.full((1, 52), 2**63, np.uint64), "expected at most 1,000,000,000 of each card"),
        ("text", "expected rows of 52 whole numbers"),
    ):
        with pytest.raises(ValueError, match=sentence):
            batch_odds(TIGER, wrong)


# --- errors that cannot be estimated ---------------------------------------------------------------------------------


def test_an_error_from_too_little_data_is_unknown() -> None:
    one = staking("tiger", "Tie", "flat", 1)
    assert one.mean_result_standard_error is one.mean_rounds_standard_error is one.lost_standard_error is None
    assert one.ruin_standard_error is one.ahead_standard_error is one.uncovered_standard_error is None
    assert "±" in one._repr_html_()
    counts = best_count("tiger", "Tiger", 1, shoes=1, search_shoes=5)
    assert {each.per_100_hands_error for each in (*counts.counts, counts.perfect)} == {None}
    play = perfect_play("tiger", 1)
    assert {each.figures.per_shoe_error for each in play.values()} == {None}
    never = punto.simulate("tiger", 1, seed=1)["Tiger Pair"]
    assert never.to_dict()["standard_error"] is None or never.variance


def test_no_verdict_rests_on_an_error_that_is_unknown() -> None:
    few = study_protection(TIGER, 2, wagers=["Player", "Banker"])
    assert {(each.verdict.value, each.bound) for each in few.values()} == {("unknown", None)}
    many = study_protection(TIGER, 500, wagers=["Player"], cut=300)["Player"]
    assert many.play.figures.favourable == 0
    assert many.verdict.value == "safe"
    assert many.bound is not None
    assert 0 < many.bound < 0.05
    with pytest.raises(ValueError, match="expected at least 2 shoes, not 1"):
        study_protection(TIGER, 1)


# --- as dictionaries and frames --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in STUDIES if name != "results"])
def test_a_study_is_told_as_a_dictionary_and_a_frame(name: str) -> None:
    study = STUDIES[name]("tiger")
    told = json.loads(json.dumps(study.to_dict()))
    assert study.to_frame().height > 0
    if "bankroll" not in name and name != "session":
        assert told["game"] == "tiger"
        assert told["digest"] == TIGER.digest


def test_studies_keep_what_they_were_asked() -> None:
    assert staking("tiger", "Tie", "flat", 2, seed=7).to_dict()["seed"] == 7
    assert staking("tiger", "Tie", lambda _: 1, 2).plan_name.endswith(
        "test_studies_keep_what_they_were_asked.<locals>.<lambda>"
    )
    both = bankroll(punto.portfolio("tiger", {"Tie": 1, "Player": 2}), 20, 5)
    assert (both.game, [name for name, _ in both.wagers]) == ("tiger", ["Tie", "Player"])
    assert both.to_dict()["digest"] == TIGER.digest
    alone = bankroll(punto.odds("tiger")["Tie"], 20, 5)
    assert (alone.game, alone.wagers) == (None, (("Tie", Fraction(1)),))
    assert {"version", "software"} <= set(punto.odds("tiger").to_dict()) & set(punto.simulate("tiger", 1).to_dict())
