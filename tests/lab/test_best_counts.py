"""Best counts against a plain loop over rounds, against every count there is, and against published ones."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from reference import slow_counting, slow_dealer
from support.command import refused, run, run_json
from support.long import others_long

from punto import Composition, Rulebook, Unlawful, load, loads
from punto.cards import DECK
from punto.lab.counts.best_counts import (
    EXACT,
    FOUND,
    ROUNDED,
    SAME_TAGS,
    BestCountStudy,
    best_count,
    betting_correlation,
    rank_effects,
    tags_by_rank,
)
from punto.lab.counts.count_search import RANKS, CountRule, CountSearch, Tags, joined, rank_groups, record, scaled
from punto.odds.exact import wager_odds
from punto.simulate import Shoes

TWO_DECKS = Shoes(Composition(card for card in DECK for _ in range(2)), cut=20)
EIGHT_OF_EACH = [8] * len(RANKS)
FEW = 16
PUBLISHED = """
key = "published"
title = "Published side wagers"
version = "1"
decks = { min = 6, max = 8 }
layout = [{ name = "Published", clause = "1.2", positions = { min = 1, max = 7 }, languages = ["en"] }]

[[wager]]
name = "Dragon 7"
clause = "2.1"
lines = [{ when = { winner = "banker", banker_total = 7, banker_cards = 3 }, pays = "40 to 1", clause = "3.1" }]

[[wager]]
name = "Lucky 6"
clause = "2.1"
lines = [
  { outcome = "3", when = { winner = "banker", banker_total = 6, banker_cards = 3 }, pays = "23 to 1", clause = "3.1" },
  { outcome = "2", when = { winner = "banker", banker_total = 6, banker_cards = 2 }, pays = "12 to 1", clause = "3.1" },
]

[[wager]]
name = "Joined"
clause = "2.1"
lines = [{ when = { winner = "banker", banker_pair = true }, pays = "9 to 1", clause = "3.1" }]

[[wager]]
name = "Red Third"
clause = "2.1"
lines = [{ when = { player_third_colour = "red" }, pays = "2 to 1", clause = "3.1" }]

[clauses]
"1.1" = { provision = "decks", by = "enforced", text = "Six to eight decks are in use." }
"1.2" = { provision = "layouts", by = "data", text = "One layout." }
"2.1" = { provision = "wager", by = "data", text = "Each wager wins as its name says." }
"3.1" = { provision = "settlement", by = "data", text = "Each wager pays as published." }
"""
DRAGON_7 = CountRule(tags_by_rank({"4": -1, "5": -1, "6": -1, "7": -1, "8": 2, "9": 2}), Fraction(4))
LUCKY_6 = CountRule(tags_by_rank({"6": -3, "7": 1, "8": 1, "9": 1}), Fraction(7))
BIG_TIGER = CountRule(tags_by_rank({"3": -1, "4": -1, "5": -1, "6": -2, "7": 1, "8": 2, "9": 2}), Fraction(8))


@cache
def plain_rounds(game: str, wager: str, shoes: int = FEW, seed: int = 5) -> list[slow_counting.Round]:
    """The rounds of small shoes, dealt and counted card by card."""
    book, found = load(game), []
    for shoe in slow_dealer.shoes(seed, shoes, slow_dealer.in_order(TWO_DECKS.cards.counts()), TWO_DECKS.cut, after=0):
        seen: list[str] = []
        unseen = TWO_DECKS.cards
        for coup in slow_dealer.rounds(shoe, TWO_DECKS.cut, burn=0, after=0):
            assert coup
            found.append(
                slow_counting.Round(list(seen), len(unseen), wager_odds(book.wager(wager), unseen).expected_return)
            )
            unseen = unseen.without(coup.in_dealing_order())
            seen += map(str, coup.in_dealing_order())
    return found


def searching(game: str, wager: str, level: int, bonus: float = 0.0) -> CountSearch:
    book = load(game)
    rounds = joined(list(record(book, book.wager(wager), TWO_DECKS, 5, 0, FEW)))
    paid = replace(rounds, returns=rounds.returns + bonus)
    return CountSearch(paid, rank_groups(book.wager(wager)), EIGHT_OF_EACH, level)


def named(tags: Tags) -> dict[str, int]:
    return {rank.value: tag for rank, tag in zip(RANKS, tags, strict=True)}


@pytest.mark.parametrize(
    ("game", "wager", "tags", "bonus"),
    others_long(
        [
            ("tiger", "Small Tiger", "0 0 1 1 1 -3 2 1 1 -1 -1 -1 -1", Fraction(0)),
            ("tiger", "Tiger Tie", "0 0 0 1 0 -1 0 1 0 0 0 0 0", Fraction(0)),
            ("tiger", "Tiger Pair", "1 -1 0 1 0 -1 0 1 0 0 2 -2 -1", Fraction(1, 6)),
            ("baccarat", "Player", "-1 -1 -1 -2 1 1 1 1 0 0 0 0 0", Fraction(1, 100)),
            ("fabulous-4", "Player Precious Pair", "0 0 0 -1 0 0 0 0 0 0 0 0 0", Fraction(1, 4)),
        ]
    ),
)
def test_the_best_trigger_is_that_of_a_plain_loop(game: str, wager: str, tags: str, bonus: Fraction) -> None:
    """Wagers that hardly ever gain from so few shoes are given a bonus, so that there is a trigger to find."""
    by_rank = tuple(map(int, tags.split()))
    gain, rule = searching(game, wager, 3, float(bonus)).best_rule(by_rank)
    rounds = [each._replace(expected=each.expected + bonus) for each in plain_rounds(game, wager)]
    assert rule.initial == -8 * sum(by_rank)
    exact, trigger = slow_counting.best_quarter(rounds, named(by_rank), rule.initial)
    assert trigger is not None, "nothing would be compared"
    assert 0 < slow_counting.gain(rounds, named(by_rank), rule.initial, trigger)[0] < len(rounds)
    assert rule == CountRule(by_rank, trigger, True, rule.initial)
    assert gain == pytest.approx(float(exact), rel=1e-12)


def test_a_rule_wagers_where_a_plain_loop_does() -> None:
    book, rounds = load("tiger"), plain_rounds("tiger", "Big Tiger")
    recorded = joined(list(record(book, book.wager("Big Tiger"), TWO_DECKS, 5, 0, FEW)))
    assert len(recorded) == len(rounds) == recorded.hands.sum()
    assert recorded.returns.tolist() == pytest.approx([float(each.expected) for each in rounds], rel=1e-13)
    for trigger in (Fraction(-2), Fraction(0), Fraction(3, 4), Fraction(7, 3), Fraction(5)):
        for initial in (0, -16):
            called = CountRule(BIG_TIGER.tags, trigger, True, initial).wagers(recorded)
            wagers, gain = slow_counting.gain(rounds, named(BIG_TIGER.tags), initial, trigger)
            assert called.sum() == wagers
            assert recorded.returns[called].sum() == pytest.approx(float(gain), rel=1e-12, abs=1e-15)


def test_the_search_finds_the_best_of_all_counts_where_all_can_be_tried() -> None:
    """Six groups of ranks instead of ten, so that every count of level 1 takes a moment."""
    book = load("tiger")
    wager = book.wager("Small Tiger")
    recorded = joined(list(record(book, wager, TWO_DECKS, 5, 0, 40)))
    groups = ((0, 1, 9, 10, 11, 12), (2, 3), (4,), (5,), (6,), (7, 8))
    search = CountSearch(recorded, groups, EIGHT_OF_EACH, 1)
    names = ["".join(RANKS[at].value for at in group) for group in groups]
    every = [tuple(tags[rank.value] for rank in RANKS) for tags in slow_counting.every_tags(1, names)]
    best = max(search.best_rule(tags)[0] for tags in every)
    tags = search.find(rank_effects(book, wager.name, TWO_DECKS), seed=1)
    assert search.best_rule(tags)[0] == best > 0
    balanced = CountSearch(recorded, groups, EIGHT_OF_EACH, 1, balanced=True)
    even = balanced.find(rank_effects(book, wager.name, TWO_DECKS), seed=1)
    assert sum(even) == 0
    assert balanced.best_rule(even)[0] == max(search.best_rule(tags)[0] for tags in every if not sum(tags))


def test_threads_deal_the_same_shoes_in_the_same_order() -> None:
    book = load("tiger")
    wager = book.wager("Small Tiger")
    one, three = (joined(list(record(book, wager, TWO_DECKS, 5, 1, 1200, workers=each))) for each in (1, 3))
    for name in ("hands", "shoe", "seen", "unseen", "returns"):
        assert (getattr(one, name) == getattr(three, name)).all()
    assert len(one.hands) == 1200


def test_a_number_added_to_every_tag_changes_no_wager() -> None:
    search = searching("tiger", "Tiger", 3)
    gain, rule = search.best_rule(BIG_TIGER.tags)
    other, shifted = search.best_rule(tuple(tag + 1 for tag in BIG_TIGER.tags))
    assert rule.trigger is not None
    assert (other, shifted.trigger) == (gain, rule.trigger - len(DECK))


def test_the_correlation_is_that_of_single_cards() -> None:
    book = load("tiger")
    effects = rank_effects(book, "Small Tiger", Shoes.of(book))
    assert sum(effects) == 0, "to take a card at random changes nothing on average"
    tags = scaled(effects, 3, 3)
    found = betting_correlation(tags, effects, [32] * 13)
    cards = [(tag, effect) for tag, effect in zip(tags, effects, strict=True) for _ in range(32)]
    squared = slow_counting.correlation_squared([tag for tag, _ in cards], [effect for _, effect in cards])
    assert found is not None
    assert found == pytest.approx(math.sqrt(squared), rel=1e-12)
    assert betting_correlation((0,) * 13, effects, [32] * 13) is None
    assert betting_correlation(tuple(-tag for tag in tags), effects, [32] * 13) == pytest.approx(-found)


@cache
def small_tiger() -> BestCountStudy:
    return best_count(load("tiger"), "small tiger", 1, shoes=400, seed=3, search_shoes=300)


@pytest.mark.long
def test_a_study_measures_on_shoes_that_the_search_did_not_use() -> None:
    study = small_tiger()
    book = load("tiger")
    other = joined(list(record(book, book.wager("Small Tiger"), Shoes.of(book), 3, 1, 400)))
    called = study.found.rule.wagers(other)
    assert (study.found.hands, study.found.wagers) == (other.hands.sum(), called.sum())
    assert study.found.per_shoe == pytest.approx(other.returns[called].sum() / 400)
    assert study.perfect.per_shoe == pytest.approx(other.returns[other.returns > 0].sum() / 400)
    searched = joined(list(record(book, book.wager("Small Tiger"), Shoes.of(book), 3, 0, 300)))
    gained = searched.returns[study.found.rule.wagers(searched)].sum()
    assert study.searched_per_100_hands == pytest.approx(100 * gained / searched.hands.sum())
    assert searched.seen[:80].tolist() != other.seen[:80].tolist()


def test_a_count_gains_most_of_what_perfect_play_does_and_never_more() -> None:
    study = small_tiger()
    assert [each.name for each in study.counts] == [FOUND, ROUNDED, EXACT, SAME_TAGS]
    assert all(each.share_of_perfect <= 1 for each in study.counts)
    assert study.found.share_of_perfect > 0.4
    assert study.found.ahead == 0
    assert study[ROUNDED].ahead == pytest.approx(study.found.per_100_hands - study[ROUNDED].per_100_hands)
    assert study[EXACT].betting_correlation == pytest.approx(1, abs=1e-4)
    assert study.found.frequency * study.found.edge * 100 == pytest.approx(study.found.per_100_hands)
    assert study.found.per_shoe_error
    assert study.found.per_100_hands_error
    assert study.found.per_shoe / study.found.per_shoe_error == pytest.approx(
        study.found.per_100_hands / study.found.per_100_hands_error, rel=0.1
    )


def test_effects_that_are_all_alike_say_nothing() -> None:
    """A pair of any rank is as good as another: no effect of removal, no correlation, and still perfect play gains."""
    study = best_count(load("tiger"), "Tiger Pair", 1, shoes=200, search_shoes=60)
    assert set(study.effects) == {0}
    assert (study.found.betting_correlation, study[EXACT].wagers, study[EXACT].rule.trigger) == (None, 0, None)
    assert study.perfect.per_100_hands > 0
    assert study.found.share_of_perfect < 0.3


@cache
def published() -> Rulebook:
    return loads(PUBLISHED)


@pytest.mark.long
@pytest.mark.parametrize(
    ("wager", "level", "rule", "per_shoe", "index", "dealt"),
    [
        ("Dragon 7", 2, DRAGON_7, 0.597, None, Shoes(Composition.of_decks(8), 15, 8, 1)),
        ("Lucky 6", 3, LUCKY_6, 0.155, None, Shoes(Composition.of_decks(8), 16, 8)),
        ("Big Tiger", 2, BIG_TIGER, 0.256 * 0.8128, 2.08, Shoes(Composition.of_decks(8), 15, 8, 1)),
    ],
)
def test_a_published_count_of_the_same_level_gains_less(
    wager: str, level: int, rule: CountRule, per_shoe: float, index: float | None, dealt: Shoes
) -> None:
    """Shoes as the studies deal them, but for the burn: eight cards, where they burn seven and a half on average."""
    book = load("tiger") if wager == "Big Tiger" else published()
    study = best_count(book, wager, level, shoes=12_000, seed=1, shoe=dealt, others={"published": rule})
    measured = study["published"]
    assert measured.per_shoe_error
    assert measured.ahead_error
    assert measured.per_shoe == pytest.approx(per_shoe, abs=4 * measured.per_shoe_error)
    assert measured.ahead > 3 * measured.ahead_error > 0
    if index is not None:
        assert measured.index == pytest.approx(index, rel=0.1)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"wager": "Lion"}, Unlawful, "has no wager 'Lion'"),
        ({"wager": "Joined"}, ValueError, "Joined reads totals and first two cards together, which best counts"),
        ({"wager": "Red Third"}, ValueError, "Red Third asks for single cards, which best counts do not cover"),
        ({"level": 0}, ValueError, "expected a level 1 to 20, not 0"),
        ({"level": 1.5}, ValueError, "expected a level 1 to 20, not 1.5"),
        ({"shoes": 0}, ValueError, "expected a number of shoes above zero, not 0"),
        ({"others": {"found": DRAGON_7}}, ValueError, "every study has a count named 'found'"),
        ({"search_shoes": -1}, ValueError, "expected a number of shoes above zero, not -1"),
        ({"shoe": Shoes(Composition.of_decks(8), burn="first-card")}, ValueError, "burn a given number of cards"),
        ({"shoe": Shoes(Composition.of_decks(9))}, ValueError, "at most 458 cards"),
        ({"others": {"a": 1}}, TypeError, "expected a CountRule by its name, found 'a': 1"),
        ({"others": 3}, TypeError, "expected counts by name, found 3"),
        ({"balanced": "no"}, TypeError, "expected True or False as balanced, found 'no'"),
        ({"divided": 1}, TypeError, "expected True or False as divided, found 1"),
        ({"level": True}, ValueError, "expected a level 1 to 20, not True"),
    ],
)
def test_what_is_given_wrongly_is_told_in_a_sentence(
    options: dict[str, object], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        best_count(published(), **{"wager": "Dragon 7", "level": 1, **options})  # type: ignore[arg-type]


def test_tags_are_whole_numbers_for_ranks() -> None:
    assert tags_by_rank({"10": 1, "k": -1})[8:] == (0, 1, 0, 0, -1)
    for tags, sentence in (
        ({"1": 1}, "expected ranks"),
        ({"4": 1.5}, "a whole number"),
        ({"T": 1, "10": 1}, "two tags"),
    ):
        with pytest.raises(ValueError, match=sentence):
            tags_by_rank(tags)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="each of 13 ranks"):
        CountRule((1, 2), Fraction(1))
    with pytest.raises(TypeError, match="the trigger: expected a whole number or a fraction, not 'x'"):
        CountRule((0,) * 13, "x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected True or False as divided, found 'no'"):
        CountRule((0,) * 13, Fraction(1), "no")  # type: ignore[arg-type]


# --- the command -----------------------------------------------------------------------------------


def test_the_command_finds_the_same_and_tells_all_in_json() -> None:
    given = ("--wager", "small tiger", "--level", "1", "--shoes", "400", "--search-shoes", "300", "--seed", "3")
    told = run_json("best-count", "tiger", *given)
    figures = json.loads(json.dumps(small_tiger().to_dict()))
    assert {key: told[key] for key in figures} == figures
    assert set(told) - set(figures) == {"decks", "seen"}
    assert (told["game"], told["digest"], told["cards"]) == ("tiger", load("tiger").digest, 416)
    assert [each["count"] for each in told["counts"]] == [FOUND, ROUNDED, EXACT, SAME_TAGS]
    assert set(told["counts"][0]["tags"]) == {rank.value for rank in RANKS}


@pytest.mark.long
def test_the_command_shows_tags_and_figures() -> None:
    shoes = ("--shoes", "200", "--search-shoes", "200", "--decks", "6")
    shown = run("best-count", "tiger", "--wager", "Big Tiger", "--level", "2", "--against", "6:-2,8:+2@8", *shoes)
    for words in ("Big Tiger: the best count of level 2", "To count: ", "true count on", "6:-2,8:+2@8", "perfect play"):
        assert words in shown
    shown = run("best-count", "baccarat", "--wager", "Tie", "--level", "1", "--cut", "300", *shoes)
    assert "No trigger gained anything" in shown
    shown = run("best-count", "tiger", "--wager", "Small Tiger", "--level", "1", "--running", *shoes)
    assert "a running count of" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--wager Lion --level 1", "Tiger Baccarat has no wager 'Lion'"),
        ("--wager Tiger --level 5", "argument --level: invalid choice: 5"),
        ("--wager Tiger", "the following arguments are required: --level"),
        ("--wager Tiger --level 1 --shoes 0", "--shoes: expected a number above zero"),
        ("--wager Tiger --level 1 --search-shoes 0", "expected a number of shoes above zero, not 0"),
        ("--wager Tiger --level 1 --against 4:1", "expected tags and a true count, such as 4:-1,8:2@4, found '4:1'"),
        ("--wager Tiger --level 1 --against 4@1", "expected a rank and its tag"),
        ("--wager Tiger --level 1 --against 4:1,4:2@1", "4 has two tags"),
        ("--wager Tiger --level 1 --against 1:1@1", "expected ranks"),
        ("--wager Tiger --level 1 --burn first-card", "burn a given number of cards"),
    ],
)
def test_what_the_command_refuses(arguments: str, sentence: str) -> None:
    assert sentence in refused("best-count", "tiger", *arguments.split())
