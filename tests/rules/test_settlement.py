"""Settlement against golden tables written by hand, and against a second settlement that shares no code."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
import reference.golden_settlement as golden
from hypothesis import given
from hypothesis import strategies as st
from reference import every_coup, second_settlement
from support.long import others_long

from punto import APPROVED, Composition, Coup, Line, OutcomeClass, Result, Rulebook, load, pay, settle
from punto.cards import DECK


@cache
def _every_outcome() -> list[tuple[OutcomeClass, golden.Facts]]:
    """All outcome classes that wagers without suits can tell apart, each by one coup."""
    found = []
    for cards in every_coup.every_coup(suits=False):
        player, banker, _ = second_settlement.play(cards)
        found.append((Coup.deal(" ".join(cards)).outcome_class, golden.facts(player, banker)))
    return found


def _agrees(book: Rulebook, wager: str, outcome: OutcomeClass, facts: golden.Facts) -> bool:
    line, row = settle(book.wager(wager), outcome), golden.verdict(book.key, wager, facts)
    return (line.result.value, line.pays, line.clause) == (row.result, row.pays, row.clause)


@pytest.mark.parametrize(
    ("key", "wager"),
    [
        pytest.param(key, wager, marks=pytest.mark.shows(*sorted({f"{key} {row.clause}" for row in rows})))
        for key in APPROVED
        for wager, rows in golden.rows(key).items()
    ],
)
def test_every_outcome_settles_as_the_golden_table_says(key: str, wager: str) -> None:
    book = load(key)
    wrong = [facts for outcome, facts in _every_outcome() if not _agrees(book, wager, outcome, facts)]
    assert not wrong


@pytest.mark.parametrize("one_in", others_long([50, 1]))
def test_every_outcome_with_suits_settles_as_the_golden_table_says(one_in: int) -> None:
    """Of 273,100 coups one in so many, all rows of the tables among them."""
    book = load("fabulous-4")
    hit: Counter[str] = Counter()
    for cards in islice(every_coup.every_coup(suits=True), None, None, one_in):
        player, banker, _ = second_settlement.play(cards)
        outcome, facts = Coup.deal(" ".join(cards)).outcome_class, golden.facts(player, banker)
        for wager in ("Player Precious Pair", "Banker Precious Pair"):
            assert _agrees(book, wager, outcome, facts), cards
            hit[golden.verdict(book.key, wager, facts).when] += 1
    assert len(hit) == 10  # every row of both wagers was met


def test_the_golden_tables_cover_every_wager(book: Rulebook) -> None:
    assert set(golden.rows(book.key)) == {wager.name for wager in book.wagers}


def test_coups_of_one_outcome_class_settle_alike(book: Rulebook) -> None:
    seen = {outcome for outcome, _ in _every_outcome()}
    assert len(seen) == len(_every_outcome())
    assert len({line.outcome for outcome in seen for line in [settle(book.wager("Player"), outcome)]}) > 2


decks = st.integers(4, 10)


@st.composite
def dealt(draw: st.DrawFn) -> list[str]:
    """The first six cards of a shuffled shoe of four to ten decks."""
    shoe = Composition.of_decks(draw(decks))
    cards = []
    for _ in range(6):
        card = draw(st.sampled_from([card for card in DECK if shoe.count(card)]))
        shoe = shoe.without([card])
        cards.append(str(card))
    return cards


@given(dealt())
def test_random_coups_settle_as_a_second_settlement_says(cards: list[str]) -> None:
    player, banker, used = second_settlement.play(cards)
    coup = Coup.deal(" ".join(used))
    for key in APPROVED:
        book = load(key)
        lines = {wager.name: settle(wager, coup) for wager in book.wagers}
        assert {name: (line.result.value, line.pays) for name, line in lines.items()} == second_settlement.settle(
            key, player, banker
        )


@pytest.mark.parametrize("number", range(4, 11))
def test_whole_shoes_settle_as_a_second_settlement_says(number: int) -> None:
    shoe = [str(card) for card in DECK for _ in range(number)]
    Random(number).shuffle(shoe)
    books = [load(key) for key in APPROVED]
    while len(shoe) >= 6:
        player, banker, used = second_settlement.play(shoe)
        del shoe[: len(used)]
        outcome = Coup.deal(" ".join(used)).outcome_class
        for book in books:
            expected = second_settlement.settle(book.key, player, banker)
            for wager in book.wagers:
                line = settle(wager, outcome)
                assert (line.result.value, line.pays) == expected[wager.name], (book.key, wager.name, used)


@given(
    st.integers(0, 10**12), st.sampled_from([line for key in APPROVED for w in load(key).wagers for line in w.outcomes])
)
def test_payment_is_exact_and_any_fraction_of_a_cent_goes_to_the_patron(stake: int, line: Line) -> None:
    payment = pay(stake, line)
    exact = max(stake + stake * line.pays, Fraction(0))
    assert 0 <= payment.returned - exact < 1
    assert payment.winnings == (payment.returned - stake if line.result is Result.WIN else 0)
    assert payment.commission >= 0
    if line.result is Result.WIN:
        assert 0 <= payment.winnings + payment.commission - stake * (line.pays + line.commission) < 1


def test_a_stake_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="below zero"):
        pay(-1, load("baccarat").wager("Player").lines[0])


@pytest.mark.parametrize("stake", [100.10, float("nan"), Fraction(1, 2), "100"])
def test_a_stake_that_is_no_number_of_cents_is_refused(stake: Any) -> None:
    with pytest.raises(TypeError, match="a whole number of cents"):
        pay(stake, load("baccarat").wager("Player").lines[0])


def test_settlement_clauses_restate_the_ratios_their_lines_pay(book: Rulebook) -> None:
    """The words of chapter 4 and the lines must not drift apart."""
    for number, clause in book.clauses.items():
        if clause.provision == "settlement":
            lines = [line for wager in book.wagers for line in wager.lines if line.clause == number]
            paid = {line.pays for line in lines if line.result is Result.WIN}
            said = re.findall(r"(\d+(?:\.\d+)?) to (\d+)", clause.text)
            assert {Fraction(pays) / int(to) for pays, to in said} == paid


def test_a_line_says_what_it_pays_or_what_becomes_of_the_wager() -> None:
    tiger, coup = load("tiger"), Coup.deal("2s Ah 3d Ad Ks 4c")
    said = {name: repr(settle(tiger.wager(name), coup)) for name in ("Tiger", "Player")}
    assert said == {
        "Tiger": "<Line 'three-card 6': 20 to 1, clause 4.3>",
        "Player": "<Line 'lose': lose, clause 3.16>",
    }
