"""Lessons: everything can come up, a seed repeats them, and they are graded as the answers deserve."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from support.learners import right, taken, wrong

from punto import APPROVED, load
from punto.rules.table_of_play import BANKER_DRAWS_AGAINST, Hand
from punto.school.chip_rack import RACK, in_chips
from punto.school.drills import third_card_drill
from punto.school.lesson import Plan, nth, subjects
from punto.school.phrases import phrase
from punto.school.question import HINT, OF_GAMES, AnswerKind, Ask, Drill, QuestionProgress, Unreadable, graded, read
from punto.school.scenarios import CASES
from punto.school.score_sheet import AnsweredQuestion, ScoreTally, Sheet, as_html, as_json
from punto.table.procedures import of_game
from punto.texts import Language

QUICK = [each for each in OF_GAMES if each is not Drill.IRREGULARITIES]


@pytest.mark.parametrize("drill", QUICK)
@pytest.mark.parametrize("game", APPROVED)
def test_everything_a_drill_has_comes_up(game: str, drill: Drill) -> None:
    book = load(game)
    groups = subjects(book, drill)
    turns = max(map(len, groups))
    met = [nth(book, drill, 7, number).subject for number in range(turns * len(groups))]
    assert set(met) == {subject for group in groups for subject in group}
    # In every turn each group comes up once.
    for turn in range(turns):
        in_turn = met[turn * len(groups) : (turn + 1) * len(groups)]
        assert all(any(subject in group for subject in in_turn) for group in groups)


@pytest.mark.parametrize("game", APPROVED)
def test_every_catalogued_irregularity_comes_up(game: str) -> None:
    book = load(game)
    count = len(subjects(book, Drill.IRREGULARITIES))
    met = {nth(book, Drill.IRREGULARITIES, 3, number).subject.partition("/")[0] for number in range(count)}
    assert met == {each.key for each in of_game(book) if each.key in CASES}


def test_every_row_of_the_table_of_play_is_asked_and_the_hard_ones_more_often() -> None:
    rows = third_card_drill.rows()
    against = {(row.total, row.against) for row in rows if row.against is not None}
    assert against == {(total, card) for total in range(8) for card in range(10)}
    assert {(row.rule, row.hand, row.total) for row in rows if row.against is None} == {
        *(("natural-ends-deal", hand, total) for hand in Hand for total in (8, 9)),
        *(("player-draws", Hand.PLAYER, total) for total in range(8)),
        *(("banker-after-stand", Hand.BANKER, total) for total in range(8)),
    }
    groups = third_card_drill.subjects()
    twice = {re.sub(r"-against-\d", "", group[0]) for group in groups if groups.count(group) == 2}
    either = {total for total, drawn in enumerate(BANKER_DRAWS_AGAINST) if 0 < len(drawn) < 10}
    assert twice == {f"banker-after-draw-banker-{total}" for total in either}


def test_a_seed_asks_the_same_again_and_another_seed_something_else() -> None:
    def asked(seed: int) -> list[tuple[str, str, str]]:
        plan = Plan(tuple(map(load, APPROVED)), OF_GAMES, seed)
        questions = [plan.question(number) for number in range(20)]
        return [
            (each.subject, each.moments[0].ask.words.text(), repr(each.moments[0].scene.hands)) for each in questions
        ]

    assert asked(5) == asked(5) != asked(6)


def test_games_and_drills_take_turns() -> None:
    plan = Plan(tuple(map(load, APPROVED)), OF_GAMES, 1)
    met = [plan.question(number) for number in range(len(APPROVED) * len(OF_GAMES))]
    assert {(each.book.key, each.drill) for each in met} == {(game, drill) for game in APPROVED for drill in OF_GAMES}


@pytest.mark.parametrize("drill", OF_GAMES)
@pytest.mark.parametrize("game", APPROVED)
def test_right_answers_get_full_marks_and_wrong_ones_none(game: str, drill: Drill) -> None:
    plan = Plan((load(game),), (drill,), 11)
    questions = [plan.question(number) for number in range(12)]
    perfect = Sheet(plan, "punto", tuple(AnsweredQuestion(taken(each, right)) for each in questions))
    hopeless = Sheet(plan, "punto", tuple(AnsweredQuestion(taken(each, wrong)) for each in questions))
    assert perfect.total.score == 1
    assert perfect.passed
    assert perfect.total.mistakes == 0
    assert hopeless.total.score == 0
    assert not hopeless.passed
    assert hopeless.total.asked == perfect.total.asked == sum(len(each.moments) for each in questions)
    assert hopeless.total.mistakes == 2 * hopeless.total.asked


@pytest.mark.parametrize("drill", OF_GAMES)
def test_what_is_cited_stands_in_the_rulebook(drill: Drill) -> None:
    plan = Plan(tuple(map(load, APPROVED)), (drill,), 4)
    for number in range(25):
        question = plan.question(number)
        for moment in question.moments:
            assert set(moment.clauses) <= question.book.clauses.keys()
            assert moment.clauses or drill in (
                Drill.IRREGULARITIES,
                Drill.ON_BEHALF,
            )  # some of it is the house's own choice


# --- grading ---------------------------------------------------------------------------------------------------------


def _question(drill: Drill = Drill.PAYOUTS) -> QuestionProgress:
    return QuestionProgress(nth(load("tiger"), drill, 1, 0))


def test_the_first_mistake_shows_the_rule_and_the_second_the_answer() -> None:
    standing = _question()
    assert standing.moment
    mistake = wrong(standing.moment)
    first = standing.answered(mistake)
    assert first.last
    assert (first.last.right, first.last.told, first.last.answer, first.last.why) == (False, False, None, None)
    assert first.last.clauses == standing.moment.clauses
    assert first.moment is standing.moment
    second = first.answered(mistake)
    assert second.last
    assert second.last.told
    assert second.last.answer
    assert second.moment is not standing.moment
    assert (second.marks[0].first, second.marks[0].mistakes) == (False, 2)


def test_a_rule_looked_up_is_no_mistake_but_not_right_first_time_either() -> None:
    standing = _question()
    assert standing.moment
    after = standing.answered(HINT).answered(right(standing.moment))
    assert (after.marks[0].first, after.marks[0].mistakes, after.marks[0].hints) == (False, 0, 1)


def test_an_answer_that_cannot_be_read_counts_for_nothing() -> None:
    standing = _question()
    with pytest.raises(Unreadable, match="expected a number from 1 to 3"):
        standing.answered("maybe")
    assert standing.moment
    assert graded(standing.question, [right(standing.moment)]).marks[0].first
    done = taken(standing.question, right)
    with pytest.raises(Unreadable):
        done.answered("1")


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("356.25", 35_625),
        ("3x100 + 2x25+5 + 1.25", 35_625),
        ("3×100+2×25+6.25", 35_625),
        ("0", 0),
        ("12.5", 1_250),
    ],
)
def test_amounts_are_read_as_money_or_chips(text: str, cents: int) -> None:
    assert read(Ask(phrase("ask-winner"), AnswerKind.AMOUNT), text) == str(cents)


@pytest.mark.parametrize("text", ["", "ten", "-5", "1.234", "3x", "1e3", "12,50", "١٢", "9" * 300])
def test_what_is_no_amount_gets_a_sentence(text: str) -> None:
    with pytest.raises(Unreadable, match="expected an amount"):
        read(Ask(phrase("ask-winner"), AnswerKind.AMOUNT), text)


def test_chips_add_up_and_are_the_fewest() -> None:
    for amount in [*range(0, 20_000, 25), 1_234_575]:
        stacks = in_chips(amount)
        assert sum(each.value * each.count for each in stacks) == amount
        for each in stacks:
            larger = [value for value in RACK if value > each.value]
            assert not larger or each.value * each.count < min(larger)


# --- the sheet -------------------------------------------------------------------------------------------------------


def test_a_sheet_says_what_was_asked_by_drill_and_by_clause_and_what_it_rests_on() -> None:
    plan = Plan((load("baccarat"),), (Drill.COMMISSION, Drill.PAYOUTS), 2)
    done = [
        AnsweredQuestion(taken(plan.question(0), right), (1500, 500)),
        AnsweredQuestion(taken(plan.question(1), wrong)),
    ]
    sheet = as_json(Sheet(plan, "punto 1", tuple(done)))
    asked = [len(each.standing.marks) for each in done]
    assert sheet["seed"] == 2
    assert sheet["software"] == "punto 1"
    assert sheet["games"][0]["digest"] == load("baccarat").digest
    assert sheet["questions"] == 2
    assert [(row["asked"], row["right_first_time"]) for row in sheet["by_drill"]] == [
        (asked[0], asked[0]),
        (asked[1], 0),
    ]
    assert sheet["by_drill"][0]["seconds"] == 2.0
    assert sum(row["asked"] for row in sheet["by_clause"]) == sum(asked)
    assert all(row["text"] == load("baccarat").clauses[row["clause"]].text for row in sheet["by_clause"])
    scores = [float(row["score"].rstrip("%")) for row in sheet["by_clause"]]
    assert scores == sorted(scores)
    page = as_html(Sheet(plan, "punto <1>", tuple(done)))
    assert "punto &lt;1&gt;" in page
    assert all(row["text"][:20] in page for row in sheet["by_clause"])


def test_nine_of_ten_pass() -> None:
    assert ScoreTally(asked=10, first=9).score == Fraction(9, 10)
    plan = Plan((load("tiger"),), (Drill.TABLE_OF_PLAY,), 1)
    empty = Sheet(plan, "punto")
    assert not empty.passed
    assert empty.total.score is None


# --- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", APPROVED)
def test_every_question_can_be_put_in_both_languages(game: str) -> None:
    book = load(game)
    for drill in OF_GAMES:
        for number in range(len(subjects(book, drill))):
            question = nth(book, drill, 9, number)
            for moment in question.moments:
                said = [moment.ask.words, moment.why, *moment.scene.told, *(each.words for each in moment.ask.options)]
                for each in said:
                    assert "{" not in each.text(Language.ENGLISH)
                    assert "{" not in each.text(Language.CHINESE)
