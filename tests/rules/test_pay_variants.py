"""Variants by pays: they differ in the pays asked for and nothing else, and nothing takes one for an approved game."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto import APPROVED, Coup, Rulebook, load, odds, pay, settle
from punto.pay_ratios import Ratio, read_ratio, read_ratios
from punto.rules.game_library import by_digest
from punto.rules.readings import readings_in_force

TIGER: dict[str, dict[str, Ratio]] = {"Tiger": {"two-card 6": "10 to 1", "three-card 6": 25}}
SIX_ON_THREE = Coup.deal("2s Ah 3d Ad Ks 4c")
LANTERN = Path(__file__).parents[2] / "docs" / "examples" / "lantern.toml"


def test_a_variant_pays_what_was_asked() -> None:
    variant = load("tiger").with_pays(TIGER)
    assert [line.pays for line in variant.wager("Tiger").lines] == [10, 25]
    line = settle(variant.wager("Tiger"), SIX_ON_THREE)
    assert pay(100, line).winnings == 2500
    assert line.clause == settle(load("tiger").wager("Tiger"), SIX_ON_THREE).clause


def test_nothing_but_these_pays_differs() -> None:
    base, variant = load("tiger"), load("tiger").with_pays(TIGER)
    told = {"key", "title", "version", "effective", "digest", "former", "variant_of", "wagers", "clauses"}
    for field in fields(Rulebook):
        if field.name not in told:
            assert getattr(variant, field.name) is getattr(base, field.name), field.name
    for before, after in zip(base.wagers, variant.wagers, strict=True):
        if before.name != "Tiger":
            assert after is before
            continue
        assert (before.name, before.clause, before.area, before.loss) == (
            after.name,
            after.clause,
            after.area,
            after.loss,
        )
        for line, other in zip(before.lines, after.lines, strict=True):
            assert (line.outcome, line.when, line.clause) == (other.outcome, other.when, other.clause)
    changed = [number for number, clause in variant.clauses.items() if clause != base.clauses[number]]
    assert changed == ["4.3"]
    restated = variant.clauses["4.3"]
    assert replace(restated, text=base.clauses["4.3"].text) == base.clauses["4.3"]
    assert restated.text.startswith(base.clauses["4.3"].text)
    assert restated.text.endswith("Not so in this variant: Tiger, two-card 6: 10 to 1; Tiger, three-card 6: 25 to 1.")


@pytest.mark.parametrize("key", APPROVED)
def test_a_variant_is_never_taken_for_an_approved_game(key: str) -> None:
    base = load(key)
    variant = base.with_pays({base.wagers[2].name: {base.wagers[2].lines[0].outcome: 9}})
    assert variant.key not in APPROVED
    assert re.fullmatch(rf"{key}-variant-[0-9a-f]{{8}}", variant.key)
    assert "variant" in variant.title
    assert "not approved" in variant.title
    assert "not approved" in repr(variant)
    assert (variant.version, variant.effective, variant.former) == (None, None, ())
    known = by_digest(map(load, APPROVED))
    assert variant.digest not in known
    assert by_digest([variant]).keys() == {variant.digest}
    assert load(key) is base
    assert variant.variant_of is base
    assert readings_in_force(variant) == readings_in_force(base)


def test_the_digest_says_the_game_and_the_pays_and_nothing_else() -> None:
    tiger = load("tiger")
    variant = tiger.with_pays(TIGER)
    in_two_steps = tiger.with_pays({"tiger": {"THREE-CARD 6": "25:1"}}).with_pays({" Tiger": {"two-card 6": "10/1"}})
    assert in_two_steps.digest == variant.digest
    assert in_two_steps.variant_of is tiger
    assert tiger.with_pays({"Tiger": {"two-card 6": 25, "three-card 6": 10}}).digest != variant.digest
    assert load("tiger-no-commission").with_pays(TIGER).digest != variant.digest
    small, big = ({f"{name} Tiger": {"win": 30}} for name in ("Small", "Big"))
    assert tiger.with_pays(small).digest != tiger.with_pays(big).digest


def test_the_pays_of_the_game_are_no_change() -> None:
    tiger = load("tiger")
    assert tiger.with_pays({}) is tiger
    assert tiger.with_pays({"Tiger": {"two-card 6": "12 to 1"}}) is tiger
    assert tiger.with_pays(TIGER).with_pays({"Tiger": {"two-card 6": 12, "three-card 6": 20}}) is tiger


def test_own_games_have_variants_too() -> None:
    lantern = load(LANTERN)
    wager = lantern.wagers[0]
    variant = lantern.with_pays({wager.name: {wager.lines[0].outcome: "2 to 1"}})
    assert variant.key.startswith("lantern-variant-")
    assert variant.wager(wager.name).lines[0].pays == 2


def test_another_banker_ratio_is_another_commission() -> None:
    baccarat = load("baccarat")
    four_percent = baccarat.with_pays({"Banker": {"win": "0.96 to 1"}}).wager("Banker").lines[0]
    assert pay(100_00, four_percent) == (100_00, 96_00, 4_00, 196_00)
    without = baccarat.with_pays({"Banker": {"win": 1}}).wager("Banker").lines[0]
    assert pay(100_00, without) == (100_00, 100_00, 0, 200_00)


def test_a_tie_may_pay_and_a_six_may_push() -> None:
    paying = load("tiger").with_pays({"Player": {"tie": "1/2"}}).wager("Player").line("tie")
    assert (paying.result.value, paying.pays) == ("win", Fraction(1, 2))
    pushing = load("tiger-no-commission").with_pays({"Banker": {"win on 6": "push"}}).wager("Banker").line("win on 6")
    assert (pushing.result.value, pushing.pays) == ("push", Fraction(0))


@given(st.fractions(0, 200, max_denominator=40), st.fractions(0, 200, max_denominator=40))
@pytest.mark.long
def test_the_edge_is_linear_in_the_pays(two: Fraction, three: Fraction) -> None:
    before = odds(load("tiger"))["Tiger"]
    after = odds(load("tiger").with_pays({"Tiger": {"two-card 6": two, "three-card 6": three}}))["Tiger"]
    chances = [chance.probability for chance in before.outcomes]
    assert after.house_edge == before.house_edge - chances[0] * (two - 12) - chances[1] * (three - 20)


@pytest.mark.parametrize(
    ("pays", "sentence"),
    [
        ({"Tigr": {"win": 2}}, "Tiger Baccarat has no wager 'Tigr'; did you mean Tiger or"),
        ({"Xyz": {"win": 2}}, "has no wager 'Xyz'; expected one of Player, Banker, Tie, Tiger, Big Tiger"),
        ({"Tiger": {"two cards": 2}}, "Tiger has no paying outcome 'two cards'; did you mean two-card 6"),
        ({"Tiger": {"lose": 2}}, "Tiger has no paying outcome 'lose'; expected one of two-card 6, three-card 6"),
        ({"Tiger": {"two-card 6": 0.5}}, 'Tiger, two-card 6: expected a ratio such as "25 to 1"'),
        ({"Tiger": {"two-card 6": True}}, "found True"),
        ({"Tiger": {"two-card 6": "many"}}, "found 'many'"),
        ({"Tiger": {"two-card 6": "1/0"}}, "found '1/0'"),
        ({"Tiger": {"two-card 6": -1}}, "expected a ratio from 0 (a push) to 999,999, found -1"),
        ({"Tiger": {"two-card 6": 10**6}}, "found 1000000"),
        ({"Tie": {"win": "push"}}, 'Tie: an outcome named "win" cannot be a push'),
        ({"Tiger": 12}, "expected a mapping from the names of outcomes of Tiger, found 12"),
        ([("Tiger", 12)], "expected a mapping from the names of wagers"),
        ({"Tiger": {6: 12}}, "expected a mapping from the names of outcomes of Tiger"),
    ],
)
def test_what_cannot_be_meant_is_refused(pays: Any, sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        load("tiger").with_pays(pays)


@pytest.mark.parametrize(
    ("text", "ratio"),
    [("25 to 1", "25"), ("25:1", "25"), ("19/20", "19/20"), (" 0.95 ", "19/20"), ("3 to 2", "3/2"), ("PUSH", "0")],
)
def test_ratios_are_read_as_people_write_them(text: str, ratio: str) -> None:
    assert read_ratio(text) == Fraction(ratio)


def test_ranges_of_ratios() -> None:
    for text, ratios in {
        "8..11": "8 9 10 11",
        "12, 8..9.9 step 1/2, 9": "8 17/2 9 19/2 12",
        "5:2..3 step 0.25": "5/2 11/4 3",
    }.items():
        assert read_ratios(text) == tuple(map(Fraction, ratios.split()))
    for text in ("", "8..", "..8", "9..8", "8..9 step 0", "8..9 step", "8...9", "a..b", "0..999999 step 1/20"):
        with pytest.raises(ValueError, match=r"expected|names 19,999,981 ratios"):
            read_ratios(text)
    with pytest.raises(TypeError, match="found None"):
        read_ratio(cast("Any", None))
