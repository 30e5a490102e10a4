"""Count systems, triggers and stakes: read exactly, or refused with a sentence."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from punto import Card, CountStakes, CountSystem, CountTrigger, Rank
from punto.cards import DECK
from punto.lab.counts.count_system import CountCondition, Tags, parse_tags

SYSTEM: Any = CountSystem
TRIGGER: Any = CountTrigger
STAKES: Any = CountStakes
CONDITION: Any = CountCondition
"""Untyped, to be given what types would refuse."""


def _tag(system: CountSystem, card: str) -> Fraction:
    return system.tags[Card.parse(card)]


def test_tags_are_given_as_text_ranks_letters_or_cards() -> None:
    text = CountSystem("A:-1, 10:1/2, t♥ : 2.5, 6h:+3")
    same: Tags = {Rank.ACE: -1, "T": Fraction(1, 2), Card.parse("Th"): Fraction(5, 2), "6h": 3}
    assert text == CountSystem(same)
    assert hash(text) == hash(CountSystem(same))
    tags = [_tag(text, card) for card in ("Ac", "Ts", "Th", "6h", "6s")]
    assert tags == [-1, Fraction(1, 2), Fraction(5, 2), 3, 0]
    assert text != CountSystem(same, initial=1)


def test_a_card_goes_before_its_rank_whichever_is_named_first() -> None:
    assert parse_tags("As:3,A:-1") == parse_tags("A:-1,As:3")
    assert parse_tags("A:-1,As:3")[Card.parse("As")] == 3


def test_a_system_says_whether_it_is_balanced_and_can_be_read_again() -> None:
    dragon = CountSystem("4:-1,5:-1,6:-1,7:-1,8:2,9:2")
    assert dragon.balanced
    unbalanced = CountSystem("A:1,4:-1,5:-1,6:-1,7:-1,8:2,9:2,Ks:1/3", initial=-4)
    assert not unbalanced.balanced
    assert unbalanced.sum_of_deck == 4 + Fraction(1, 3)
    for system in (dragon, unbalanced):
        assert CountSystem(system.describe(), system.initial) == system
    assert repr(unbalanced) == (
        "<CountSystem A:1 4:-1 5:-1 6:-1 7:-1 8:2 9:2 Ks:1/3, +13/3 in a deck, initial count -4 per deck>"
    )
    assert repr(CountSystem({}, 0, CountSystem("8:1"))) == "<CountSystem without tags, balanced, second count 8:1>"


def test_a_combination_of_two_counts_is_a_count_of_combined_tags() -> None:
    system = CountSystem("A:1,8:2", 1, CountSystem("8:-3,K:1", Fraction(1, 2)))
    both = system.weighted((Fraction(2), Fraction(-1)))
    assert both == CountSystem("A:2,8:7,K:-1", Fraction(3, 2))


def test_every_rank_of_a_mapping_has_four_cards() -> None:
    system = CountSystem(dict.fromkeys(Rank, 1))
    assert system.sum_of_deck == len(DECK)


@pytest.mark.parametrize(
    ("tags", "kind", "sentence"),
    [
        ({"A": 2.9}, TypeError, "the tag of A: expected a whole number or a fraction, not 2.9"),
        ({"A": True}, TypeError, "the tag of A: expected a whole number or a fraction, not True"),
        ({"A": "1"}, TypeError, "the tag of A: expected a whole number or a fraction, not '1'"),
        ({"A": None}, TypeError, "not None"),
        ({1: 1}, TypeError, "expected a rank or a card as the key of a tag, not 1"),
        ({None: 1}, TypeError, "expected a rank or a card as the key of a tag, not None"),
        ({"ace": 1}, ValueError, "'ace' is not a card"),
        ({"": 1}, ValueError, "'' is not a card"),
        ({"A": 1, Rank.ACE: 2}, ValueError, "A has two tags"),
        ({"4h": 1, Card.parse("4h"): 2}, ValueError, "4h has two tags"),
        ({"A": 10**10}, ValueError, "expected tags of at most 1,000,000,000"),
        ("", ValueError, "expected a rank or card and its tag, such as A:-1, found ''"),
        ("A", ValueError, "found 'A'"),
        ("A:", ValueError, "found 'A:'"),
        ("A:1,,4:2", ValueError, "found ''"),
        ("A:1e3", ValueError, "found 'A:1e3'"),
        ("A:1/0", ValueError, "found 'A:1/0'"),
        ("Zz:1", ValueError, "'Zz' is not a card"),
        ("10:1,T:2", ValueError, "T has two tags"),
        (["A"], TypeError, "expected tags as a mapping or a text"),
        (7, TypeError, "expected tags as a mapping or a text"),
    ],
)
def test_tags_that_cannot_be_meant_are_refused(tags: Any, kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind) as refused:
        CountSystem(tags)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("make", "kind", "sentence"),
    [
        (lambda: SYSTEM("A:1", 0.5), TypeError, "the initial count: expected a whole number or a fraction"),
        (lambda: SYSTEM("A:1", 10**10), ValueError, "expected an initial count of at most"),
        (lambda: SYSTEM("A:1", 0, "8:1"), TypeError, "as the second count"),
        (lambda: SYSTEM("A:1", 0, SYSTEM("A:1", 0, SYSTEM("A:1"))), TypeError, "as the second count"),
        (lambda: TRIGGER.true(1.5), TypeError, "the trigger: expected a whole number or a fraction, not 1.5"),
        (lambda: TRIGGER.running("4"), TypeError, "the trigger: expected a whole number or a fraction, not '4'"),
        (lambda: TRIGGER.true(1, (0, 0)), ValueError, "a weight other than 0"),
        (lambda: TRIGGER.true(1, (1, 10**4)), ValueError, "expected weights of at most 1,000"),
        (lambda: TRIGGER.true(1, (1, 0.5)), TypeError, "the weight of a count"),
        (lambda: TRIGGER.true(1, weights=None), TypeError, "expected two weights, of the count and of the second"),
        (lambda: TRIGGER.true(1, (1, 0, 0)), TypeError, "expected two weights, of the count and of the second"),
        (lambda: TRIGGER.true(1) & 3, TypeError, "expected another trigger after &, such as CountTrigger.true(2)"),
        (lambda: TRIGGER("x"), TypeError, "expected the conditions of a trigger: CountTrigger.true(4) has one"),
        (lambda: TRIGGER(("x",)), TypeError, "expected the conditions of a trigger: CountTrigger.true(4) has one"),
        (lambda: TRIGGER(()), ValueError, "expected at least one condition of a trigger"),
        (lambda: CONDITION("x"), TypeError, "the trigger: expected a whole number or a fraction, not 'x'"),
        (lambda: CONDITION(1, "no"), TypeError, "expected True or False as running, found 'no'"),
        (lambda: STAKES(None, True), ValueError, "expected a largest stake of 1 to 1,000 units, not True"),
        (lambda: STAKES(None, 2), ValueError, "a larger one needs a step"),
        (lambda: STAKES(Fraction(1), 0), ValueError, "expected a largest stake of 1 to 1,000 units, not 0"),
        (lambda: STAKES.rising(0, 4), ValueError, "expected a step of the count above 0"),
        (lambda: STAKES.rising(0.5, 4), TypeError, "the step: expected a whole number or a fraction"),
        (lambda: STAKES.rising(1, 2.5), ValueError, "expected a largest stake"),
    ],
)
def test_triggers_and_stakes_are_exact_too(make: Any, kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind) as refused:
        make()
    assert sentence in str(refused.value)


def test_triggers_and_stakes_say_what_they_are() -> None:
    both = CountTrigger.running(3, weights=(1, Fraction(-1, 2))) & CountTrigger.true(2, weights=(0, 1))
    assert both.describe() == "running count + -1/2 x second count from 3 on and true second count from 2 on"
    assert CountStakes.flat().describe() == "1 unit"
    assert CountStakes.rising(Fraction(1, 2), 8).describe() == ("1 to 8 units, one more for each 1/2 above the trigger")
