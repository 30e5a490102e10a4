"""The pit's guard: lookalikes by every deal of a tiny shoe, ratios as fractions, and simulated patrons."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from itertools import product
from math import isclose, prod, sqrt
from random import Random

import numpy as np
import pytest
from reference import slow_dealer, slow_guard
from support.guard_patrons import (
    COUNTERS,
    HONEST,
    Seated,
    Style,
    counts_all,
    counts_carefully,
    covers_up,
    follow,
    scenes,
)

from punto import Coup, load, odds
from punto.cards import DECK, CardError, Composition, parse_cards
from punto.lab.pit_guard import (
    FALSE_ALARM,
    FALSE_WATCH,
    LEVELS,
    LOOKALIKES,
    MODELS,
    Advice,
    PatronEvidence,
    RoundWeights,
    advice_for,
    counts_of,
    lookalikes,
    value_orders,
    watched_wagers,
    weigh_round,
)
from punto.odds.batch_odds import exact_returns

TIGER = load("tiger")
SIDE = ["Tie", "Tiger", "Big Tiger", "Small Tiger", "Tiger Tie"]
SLOW_MODELS = [(LEVELS.index(each.level), each.below, each.above) for each in MODELS]


# --- lookalikes -------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_orders_of_values_are_all_deals_that_end_so() -> None:
    counts = [2, 0, 1, 0, 1, 0, 1, 1, 0, 1]
    slow = slow_guard.deals_by_ending(counts)
    assert len(slow) > 20
    for ending, deals in slow.items():
        orders, met = value_orders(ending)
        ways = sum(
            prod(max(counts[v] - m, 0) for v, m in zip(*row, strict=True)) for row in zip(orders, met, strict=True)
        )
        assert ways == deals, ending


@pytest.mark.parametrize(
    ("game", "dealt", "others"),
    [
        ("tiger", "2s 3s Kd 4s 9h", "Ks 5h 4h 8d"),
        ("baccarat", "Ks 3s Kd 4s 9h", "Kh 5s 2h"),  # a pair is shown, and lookalikes have one too
        ("fabulous-4", "4d 7s 4d Td", "4s 4h 6s 9s"),  # two fours of diamonds: only these look like it
    ],
)
def test_lookalikes_come_as_often_as_the_shuffle_brings_them(game: str, dealt: str, others: str) -> None:
    unseen = f"{dealt} {others}"
    law = slow_guard.law_of_lookalikes(game, unseen.split(), dealt.split())
    before, chance = Composition(parse_cards(unseen)), np.random.default_rng(7)
    number = 2_000
    drawn = Counter[tuple[str, ...]]()
    while drawn.total() < number:
        left = lookalikes(load(game), before, Coup.deal(dealt), chance, 500)
        drawn.update(
            tuple(sorted(str(card) for card, n in zip(DECK, row, strict=True) for _ in range(n))) for row in left
        )
    assert drawn.keys() <= law.keys()
    for cards, likely in law.items():
        expected = drawn.total() * likely
        assert abs(drawn[cards] - expected) <= 5 * sqrt(expected * (1 - likely)), cards


def test_returns_are_those_of_the_odds() -> None:
    random = Random(3)
    for book in (TIGER, load("fabulous-4")):
        cards = [card for card in DECK for _ in range(8)]
        random.shuffle(cards)
        for left in (5, 20, 100, 400):
            unseen = Composition(cards[:left])
            (found,) = exact_returns(book.wagers, [counts_of(unseen)])
            assert found == tuple(each.expected_return for each in odds(book, unseen).wagers)


def test_a_coup_that_cannot_have_been_dealt_is_refused_in_a_sentence() -> None:
    chance = np.random.default_rng(0)
    with pytest.raises(CardError, match="there is no"):
        lookalikes(TIGER, Composition(parse_cards("2s 3s 4s 5s")), Coup.deal("9s Ks Qs Js"), chance)
    with pytest.raises(TypeError, match="expected the coup"):
        lookalikes(TIGER, TIGER.shoe(8), "9s Ks Qs Js", chance)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at most 1,448"):
        lookalikes(TIGER, Composition.of_decks(28), Coup.deal("9s Ks Qs Js"), chance)


# --- ratios -----------------------------------------------------------------------------------------------------------


def some_round(random: Random, wagers: list[str], number: int = 8) -> RoundWeights:
    """Returns that rise over the lookalikes in some order, so that a higher level is met by fewer."""
    above = {}
    for wager in wagers:
        passed = [random.randint(0, len(LEVELS)) for _ in range(number)]
        above[wager] = np.array([[each > level for each in passed] for level in range(len(LEVELS))])
    return RoundWeights(above)


def test_ratios_are_those_of_plain_fractions() -> None:
    random = Random(11)
    evidence, seen = PatronEvidence(TIGER), []
    for _ in range(12):
        weights = some_round(random, ["Tie", "Tiger", "Small Tiger"])
        went_for = evidence.place({each: 10 for each in ("Tie", "Tiger") if random.random() < 0.6})
        evidence.take_in(weights, went_for)
        seen.append({each: (weights.above[each].tolist(), went) for each, went in went_for.items()})
    watched = [each.name for each in watched_wagers(TIGER)]
    assert watched == ["Tie", "Tiger", "Big Tiger", "Small Tiger", "Tiger Pair", "Tiger Tie"]
    assert isclose(evidence.ratio, float(slow_guard.ratio(seen, watched, SLOW_MODELS)), rel_tol=1e-12)
    for wager in watched:
        slow = sum(slow_guard.product_of_factors(seen, model, wager) for model in SLOW_MODELS) / len(SLOW_MODELS)
        assert isclose(evidence.ratio_on(wager), float(slow), rel_tol=1e-12)
    assert evidence.ratio_on("Big Tiger") == 1


def test_whatever_an_honest_patron_bets_the_ratio_stays_where_it_is_on_average() -> None:
    """The dealt coup is any of the lookalikes: over all of them the factor of each model is 1, exactly."""
    random = Random(5)
    for _ in range(10):
        sides = {each: weights.tolist() for each, weights in some_round(random, ["Tie", "Tiger"]).above.items()}
        for bets in product((False, True), repeat=2):
            seen = {each: (sides[each], went) for each, went in zip(sides, bets, strict=True)}
            for model in SLOW_MODELS:
                factors = [slow_guard.factor(seen, ["Tie", "Tiger"], model, dealt) for dealt in range(8)]
                assert sum(factors) == 8


def test_over_two_rounds_the_average_is_one_also_of_the_patrons_ratio() -> None:
    """The second round's bets follow the first's cards in any way that is not the last coup's: here, none."""
    random = Random(8)
    two = [some_round(random, ["Tiger", "Tie"], 4) for _ in range(2)]
    for bets in product((False, True), repeat=4):
        total = 0.0
        for first, second in product(range(4), repeat=2):
            evidence = PatronEvidence(TIGER)
            for at, dealt in enumerate((first, second)):
                order = [dealt, *(each for each in range(4) if each != dealt)]
                turned = RoundWeights({name: sides[:, order] for name, sides in two[at].above.items()})
                stakes = {name: 5 for name, went in zip(("Tiger", "Tie"), bets[2 * at :], strict=False) if went}
                evidence.take_in(turned, evidence.place(stakes))
            total += evidence.ratio
        assert isclose(total / 16, 1, rel_tol=1e-12)


def test_a_small_wager_each_round_is_no_cover() -> None:
    evidence = PatronEvidence(TIGER)
    assert evidence.place({"Banker": 100}) == {}
    assert evidence.place({"Tiger": 10}) == {"Tiger": True}
    assert evidence.place({"Tiger": 100}) == {"Tiger": True}
    assert evidence.place({"Tiger": 10, "Tie": 5}) == {"Tiger": False, "Tie": True}
    assert evidence.place({}) == {"Tiger": False, "Tie": False}
    assert evidence.played == {"Tiger", "Tie"}


def test_the_advice_follows_the_ratio() -> None:
    assert [advice_for(each) for each in (0.01, 19.9, 20, 999, 1000)] == [
        Advice.NONE,
        Advice.NONE,
        Advice.WATCH,
        Advice.WATCH,
        Advice.SHUFFLE_OR_LIMIT,
    ]


def test_a_round_is_weighed_by_the_cards_that_are_left() -> None:
    """Of a nearly empty shoe, the last coup decides whether Small Tiger gains: the dealt one stands first."""
    cards = [card for card in DECK for _ in range(8)]
    Random(4).shuffle(cards)
    before = Composition(cards[:40])
    coup = slow_dealer.deal(cards)
    assert coup
    weights = weigh_round(TIGER, ["Small Tiger", "Tie"], before, coup, np.random.default_rng(1))
    after = odds(TIGER, before.without(coup.in_dealing_order()))
    for wager, above in weights.above.items():
        assert above.shape == (len(LEVELS), LOOKALIKES)
        assert above[:, 0].tolist() == [after[wager].expected_return > level for level in LEVELS]


# --- simulated patrons ------------------------------------------------------------------------------------------------


def seats(random: Random, honest: int, counters: int) -> list[Seated]:
    styles = [HONEST[at % len(HONEST)] for at in range(honest)] + [
        COUNTERS[at % len(COUNTERS)] for at in range(counters)
    ]
    return [Seated(TIGER, style, SIDE, random) for style in styles]


def share(rows: list[Seated], styles: Collection[Style], limit: Fraction) -> Fraction:
    """How many of the patrons who play in these ways ever reached the ratio that belongs to a rate."""
    those = [each for each in rows if each.style in styles]
    return Fraction(sum(each.highest >= 1 / limit for each in those), len(those))


@pytest.mark.long
def test_a_counter_stands_out_and_habits_do_not() -> None:
    rows = [Seated(TIGER, counts_all, SIDE, Random(1)), *seats(Random(2), 2 * len(HONEST), 0)]
    follow(rows, scenes(TIGER, SIDE, 1, 3))
    assert share(rows, HONEST, FALSE_WATCH) == 0
    assert rows[0].evidence.advice is Advice.WATCH
    assert rows[0].evidence.most_followed in SIDE


@pytest.mark.long
@pytest.mark.parametrize("table", range(5))
def test_two_hundred_honest_patrons_and_twenty_counters(table: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Ten shoes, looked at after every round; the five tables together have a thousand honest patrons."""
    rows = seats(Random(table), 200, 20)
    follow(rows, scenes(TIGER, SIDE, 10, 100 + table))
    with capsys.disabled():
        for style in (*HONEST, *COUNTERS):
            watched, accused = (float(share(rows, [style], limit)) for limit in (FALSE_WATCH, FALSE_ALARM))
            sys.stdout.write(f"\n{style.__name__:>18}: watched {watched:7.2%}, accused {accused:7.2%}")
    assert sum(each.style in HONEST for each in rows) == 200
    # At most the stated rates: above them by no more than chance allows for two hundred patrons.
    assert share(rows, HONEST, FALSE_ALARM) <= Fraction(2, 200)
    assert share(rows, HONEST, FALSE_WATCH) <= Fraction(22, 200)
    assert share(rows, [counts_all, counts_carefully, covers_up], FALSE_ALARM) >= Fraction(12, 15)
