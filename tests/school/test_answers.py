"""What the school calls right is right: held against a settlement and a Table of Play that share no code with it."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest
from reference import golden_settlement, second_settlement

from punto import APPROVED, load
from punto.rules.table_of_play import Hand
from punto.school.chip_rack import RACK
from punto.school.drills import commission, payouts, third_card_drill
from punto.school.lesson import asked, subjects
from punto.school.question import Drill, DrillQuestion
from punto.table.default_settings import practice_setting


def _cards(question: DrillQuestion) -> tuple[list[str], list[str]]:
    hands = question.close.hands
    player, banker = ([str(card) for card in hands[hand]] for hand in (Hand.PLAYER, Hand.BANKER))
    return player, banker


def _rights(question: DrillQuestion) -> list[str]:
    return [moment.right for moment in question.moments]


@pytest.mark.parametrize("game", APPROVED)
def test_every_row_of_the_table_of_play_is_answered_as_a_second_reading_plays_it(game: str) -> None:
    book = load(game)
    for row in third_card_drill.rows():
        question = asked(book, Drill.TABLE_OF_PLAY, third_card_drill.name(row), 1)
        player, banker = _cards(question)
        order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
        assert second_settlement.play([*order, "As", "As"]) == (player, banker, order)
        two = [second_settlement.total(hand[:2]) for hand in (player, banker)]
        decided = ["natural"] if max(two) >= 8 else [_decided(player), _decided(banker)]
        totals = [second_settlement.total(hand) for hand in (player, banker)]
        anew = [str(total) for total, hand in zip(totals, (player, banker), strict=True) if len(hand) == 3]
        winner = "tie" if totals[0] == totals[1] else "player" if totals[0] > totals[1] else "banker"
        assert _rights(question) == [*map(str, two), *decided, *anew, winner]
        # Nobody sees a third card before he has said whether there is one.
        for moment in question.moments[:3]:
            assert all(len(cards) == 2 for cards in moment.scene.hands.values())
        if max(two) < 8:
            assert len(question.moments[3].scene.hands[Hand.BANKER]) == 2


def _decided(hand: list[str]) -> str:
    return "draws" if len(hand) == 3 else "stands"


@pytest.mark.parametrize("game", APPROVED)
def test_every_line_of_every_wager_is_paid_as_a_second_settlement_and_the_golden_tables_say(game: str) -> None:
    book = load(game)
    lines = [subject for group in payouts.subjects(book) for subject in group]
    assert len(set(lines)) == len(lines) == sum(len(wager.outcomes) for wager in book.wagers)
    for subject in lines:
        for seed in range(3):
            question = asked(book, Drill.PAYOUTS, subject, seed)
            (placed,) = question.close.wagers
            player, banker = _cards(question)
            result, pays = second_settlement.settle(game, player, banker)[placed.wager]
            row = golden_settlement.verdict(game, placed.wager, golden_settlement.facts(player, banker))
            winnings = ceil(placed.amount * pays) if result == "win" else 0
            returned = 0 if result == "lose" else placed.amount + winnings
            paid = [str(winnings)] if result == "win" else []
            assert _rights(question) == [result, *paid, str(returned)]
            assert all(moment.clauses == (row.clause,) for moment in question.moments)
            limits = practice_setting(book).limits[placed.wager]
            assert limits.minimum <= placed.amount <= limits.maximum
            assert placed.amount % min(RACK) == 0


@pytest.mark.parametrize("game", APPROVED)
def test_commission_is_a_twentieth_of_a_banker_win_where_the_game_has_any(game: str) -> None:
    book, rate = load(game), Fraction(1, 20)
    has_commission = game in ("baccarat", "tiger")
    for (subject,) in commission.subjects(book):
        for seed in range(3):
            question = asked(book, Drill.COMMISSION, subject, seed)
            player, banker = _cards(question)
            withheld = paid = 0
            for placed in question.close.wagers:
                result, pays = second_settlement.settle(game, player, banker)[placed.wager]
                assert result == "win"
                won = ceil(placed.amount * pays)
                paid += won
                if has_commission and placed.wager == "Banker":
                    assert pays == 1 - rate
                    withheld += placed.amount - won
            assert _rights(question) == [str(withheld), str(paid)]
            uneven = subject.startswith("uneven/")
            assert uneven == any(each.amount % 100 for each in question.close.wagers)
    kinds = {subject.partition("/")[0] for (subject,) in subjects(book, Drill.COMMISSION)}
    assert ("collected" in kinds) == has_commission
    assert "uneven" in kinds


def test_known_mistakes_are_known() -> None:
    book = load("baccarat")
    question = asked(book, Drill.PAYOUTS, "Banker/win", 1)
    (placed,) = question.close.wagers
    _, winnings, returned = question.moments
    remarks = [
        (winnings.remark(str(int(winnings.right) + placed.amount)), "That is with the stake."),
        (winnings.remark(str(placed.amount)), "That is before commission."),
        (returned.remark(winnings.right), "That is without the stake."),
    ]
    assert all(remark.words and remark.words.text() == sentence for remark, sentence in remarks)
    assert winnings.remark("1").words is None
