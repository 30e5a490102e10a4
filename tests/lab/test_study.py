"""Protection studies: exact parts against the odds, depths against a second dealer, committed figures dealt again."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import pytest
from generator import studies
from reference import slow_dealer

from punto import APPROVED, Composition, Shoes, effects_of_removal, load, odds, wager_odds
from punto.lab.house_choices import limit_for
from punto.lab.known_cards import known_cards
from punto.lab.perfect_play import perfect_play
from punto.lab.study import CUTS, ProtectionStudy, ProtectionVerdict, study_protection
from punto.report.protection.study_sheet import study_sheet, with_error

TIGER, PAIR = load("tiger"), load("baccarat").wager("Player Pair")
FEW, OTHER_SEED = 1024, 11


@pytest.fixture(scope="module")
def study() -> ProtectionStudy:
    return study_protection(TIGER, shoes=600, seed=7, wagers=["small tiger", "Player"])


def test_exact_figures_are_those_of_the_odds(study: ProtectionStudy) -> None:
    exact, removal = odds(TIGER), effects_of_removal(TIGER)
    for each in study.wagers:
        assert each.odds == exact[each.name]
        assert each.removal == {card: changes[each.name] for card, changes in removal.items()}
    assert [each.name for each in study.wagers] == ["Player", "Small Tiger"]  # in the game's order
    known = known_cards(TIGER, 6, 8, by="card", wagers=["Player", "Small Tiger"])
    assert study.known[6].value == known.value
    assert study["Player"].known[6] == known.wagers[0]


def test_a_depth_has_the_hands_that_shoes_cut_there_have() -> None:
    """Shoes of a second dealer, cut again at every depth: each round that would be dealt is counted, and no other."""
    study = study_protection(TIGER, shoes=40, seed=7, wagers=["Tie"])
    order = slow_dealer.in_order(TIGER.shoe(8).counts())
    shoes = list(slow_dealer.shoes(7, 40, order, study.cut, after=0))
    for cut in study["Tie"].cuts:
        rounds = sum(len(list(slow_dealer.rounds(shoe, cut.behind, burn=0, after=0))) for shoe in shoes)
        assert cut.figures.hands == rounds, cut.behind


def test_closing_a_wager_in_mid_shoe_does_what_a_cut_there_does() -> None:
    """Shoes are dealt on to the cutting card, and the wager is placed only while enough cards are left."""
    decks, dealt = Composition.of_decks(2), list[tuple[int, float]]()
    play = perfect_play("baccarat", 12, seed=7, shoe=Shoes(decks, cut=7), wagers=["Player Pair"])["Player Pair"]
    for shoe in slow_dealer.shoes(7, 12, slow_dealer.in_order(decks.counts()), cut=7, after=0):
        unseen = decks
        for coup in slow_dealer.rounds(shoe, cut=7, burn=0, after=0):
            assert coup
            dealt.append((len(unseen), float(wager_odds(PAIR, unseen).expected_return)))
            unseen = unseen.without(coup.in_dealing_order())
    for behind in (13, 26):
        gains = [edge for left, edge in dealt if left >= behind and edge > 0]
        assert gains, "nothing would be compared"
        cut = play.at_cut(behind)
        assert cut.favourable == len(gains)
        assert cut.per_shoe == pytest.approx(sum(gains) / 12)


def test_the_cut_that_was_dealt_to_comes_first() -> None:
    study = study_protection(TIGER, shoes=40, wagers=["Tie"], cut=30, decks=6)
    assert [cut.behind for cut in study["Tie"].cuts] == [30, *(behind for behind in CUTS if behind > 30)]
    assert study["Tie"].cuts[0].figures == study["Tie"].play.figures
    assert [(found.decks, found.shoes) for found in study["Tie"].decks] == [(6, 40), (8, 10)]


def test_limits_and_cuts_keep_the_loss_within_bounds(study: ProtectionStudy) -> None:
    wager = study["Small Tiger"]
    for cut in wager.cuts:
        again = limit_for(cut.figures.per_shoe, study.most_loss, cut.figures.per_shoe_error or 0)
        assert cut.limit == again
    within = [cut.behind for cut in wager.cuts if study.stake * cut.limit.bound_per_shoe <= study.most_loss]
    assert wager.cut_needed == within[0] > study.cut
    strict = study_protection(TIGER, shoes=600, seed=7, wagers=["Small Tiger"], stake=10**12, most_loss=1)
    assert strict["Small Tiger"].cut_needed in (None, 208)


def test_verdicts_follow_the_thresholds(study: ProtectionStudy) -> None:
    assert [ProtectionVerdict.of(bound) for bound in (0, 0.0499, 0.05, 0.3999, 0.4, 9)] == [
        *[ProtectionVerdict.SAFE] * 2,
        *[ProtectionVerdict.WATCH] * 2,
        *[ProtectionVerdict.EXPOSED] * 2,
    ]
    assert (study["Player"].verdict, study["Small Tiger"].verdict) == (
        ProtectionVerdict.SAFE,
        ProtectionVerdict.EXPOSED,
    )
    played = study["Small Tiger"].play.figures
    assert played.per_100_hands_error
    assert study["Small Tiger"].bound == pytest.approx(played.per_100_hands + 1.959964 * played.per_100_hands_error)


def test_a_study_is_told_whole(study: ProtectionStudy) -> None:
    told = json.loads(json.dumps(study.to_dict()))
    assert (told["game"], told["digest"], told["seed"], told["shoes"], told["cut"]) == (
        "tiger", TIGER.digest, 7, 600, 14,
    )  # fmt: skip
    small = told["wagers"][1]
    assert Fraction(small["house_edge"]) == odds(TIGER)["Small Tiger"].house_edge
    assert small["house_edge_rounded"] == pytest.approx(0.143325, abs=1e-6)
    frame = study.to_frame()
    assert frame.height == 2 * len(CUTS)
    assert frame.filter(wager="Small Tiger", behind=14)["per_shoe"][0] == small["perfect_play"]["per_shoe"]


def test_nonsense_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="Tiger Baccarat has no wager"):
        study_protection(TIGER, shoes=1, wagers=["Small Tigre"])
    with pytest.raises(TypeError, match="expected a list of wagers"):
        study_protection(TIGER, shoes=1, wagers="Small Tiger")
    with pytest.raises(ValueError, match="limit of a wager in whole cents"):
        study_protection(TIGER, shoes=1, stake=0)
    with pytest.raises(ValueError, match="a number of shoes above zero"):
        study_protection(TIGER, shoes=0)


# --- the studies of the five games -----------------------------------------------------------------------------------


def exact_figures(told: Any) -> Any:
    """Everything in a study that is not sampled: fractions, and what stands for them."""
    if isinstance(told, dict):
        return {key: exact_figures(each) for key, each in told.items() if isinstance(each, str | list | dict)}
    return [exact_figures(each) for each in told] if isinstance(told, list) else told


def without_verdicts(told: Any) -> Any:
    return {**told, "wagers": [{**each, "verdict": ""} for each in told["wagers"]]}


@pytest.mark.parametrize(
    "game", [each if each == "tiger" else pytest.param(each, marks=pytest.mark.long) for each in APPROVED]
)
def test_fewer_shoes_reproduce_the_committed_figures(game: str) -> None:
    """Exact figures are equal; sampled ones lie within four standard errors of both."""
    kept = studies.kept(game)
    again = study_protection(load(game), FEW, OTHER_SEED).to_dict()
    assert exact_figures(without_verdicts(again)) == exact_figures(without_verdicts(kept))
    for mine, theirs in zip(again["wagers"], kept["wagers"], strict=True):  # type: ignore[call-overload]
        assert_close(mine["perfect_play"], theirs["perfect_play"], mine["wager"])
        for kind in ("cuts", "decks"):
            for one, other in zip(mine[kind], theirs[kind], strict=True):
                # An error estimated from a handful of favourable shoes is none.
                if one["favourable"] >= 200:
                    assert_close(one, other, f"{mine['wager']}, {kind}")


def assert_close(one: dict[str, float], other: dict[str, float], what: str) -> None:
    for name in ("per_100_hands", "per_shoe"):
        apart = abs(one[name] - other[name])
        assert apart <= 4 * math.hypot(one[f"{name}_error"], other[f"{name}_error"]), (what, name)


@pytest.mark.parametrize("game", APPROVED)
def test_pages_are_made_from_the_committed_figures(game: str) -> None:
    """``make studies`` writes them."""
    kept = studies.kept(game)
    assert (studies.FOLDER / f"{game}.md").read_text("utf-8") == studies.page(kept)
    assert kept["digest"] == load(game).digest


def test_a_page_has_a_sentence_for_each_wager(study: ProtectionStudy) -> None:
    sheet = study_sheet(study.to_dict())
    safe, exposed = sheet["sections"][0]["sentences"]
    assert safe.startswith("Player: perfect play gains at most 0.00")
    assert exposed.endswith("Cut deeper, close the wager earlier in the shoe, or lower the limit.")


def test_an_error_is_never_rounded_to_nothing() -> None:
    assert with_error({"a": 0.5, "a_error": 0.01}, "a") == "0.5000 ± 0.0100"
    assert with_error({"a": 0.00094, "a_error": 0.0000312}, "a") == "0.000940 ± 0.000031"
    assert with_error({"a": 0.0, "a_error": 0.0}, "a") == "0.0000 ± 0.0000"
