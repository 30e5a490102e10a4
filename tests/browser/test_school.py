"""The dealer school in a browser: a short lesson in each drill, by tap and by keyboard, in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from support.learners import right, wrong
from support.live import Live
from support.long import others_long
from support.page_watch import DESKTOP, PHONE, Patron, browsing

from punto import load
from punto.school import Drill, Plan, QuestionProgress
from punto.school.question import OF_GAMES, AnswerKind, QuestionPart
from punto.texts import Language

SEED = 5
ASKED = (
    "document.querySelector('punto-school').shadowRoot.querySelector('punto-answer')"
    ".shadowRoot.querySelector('h2').textContent"
)
SCORE = "document.querySelector('punto-school').shadowRoot.querySelector('[data-score]').dataset.score"


def begin(somebody: Patron, drill: Drill, game: str = "tiger") -> None:
    page = somebody.page
    somebody.open(f"/school/{game}")
    page.click(f'[data-choice="drill-{drill.value}"]')
    page.click('[data-choice="questions-5"]')
    page.fill("input[name=seed]", str(SEED))
    page.click("#begin")
    page.wait_for_selector("punto-answer")


def answer(page: Any, moment: QuestionPart, text: str) -> None:
    """Give an answer by tap, and wait until it is graded."""
    with page.expect_response("**/api/school/question"):
        if moment.ask.kind is AnswerKind.AMOUNT:
            page.fill("punto-answer input", text)
            page.click("punto-answer button.main")
        else:
            page.click(f'punto-answer [data-option="{text}"]')


def lesson(drill: Drill) -> Plan:
    return Plan((load("tiger"),), (drill,), SEED)


@pytest.mark.parametrize("drill", others_long(list(OF_GAMES)))
def test_a_lesson_is_taken_and_graded(chromium: Any, practice: Live, drill: Drill) -> None:
    """Two questions, the first with one mistake; then the sheet."""
    with browsing(chromium, practice) as somebody:
        page = somebody.page
        begin(somebody, drill)
        asked = 0
        for number in range(2):
            standing = QuestionProgress(lesson(drill).question(number))
            while moment := standing.moment:
                assert page.inner_text("punto-answer h2") == moment.ask.words.text()
                if number == asked == 0:
                    answer(page, moment, wrong(moment))
                    page.wait_for_selector("[data-verdict=wrong] .clause")
                answer(page, moment, right(moment))
                standing = standing.answered(right(moment))
                asked += 1
                page.wait_for_function(f"score => {SCORE} === score", arg=f"{asked - 1}/{asked}")
                assert page.locator("[data-verdict=right]").count() == 1
            page.click("#next")
            page.wait_for_selector("punto-answer")
            page.reload()  # a lesson outlasts it
            page.wait_for_selector("punto-answer")
            page.wait_for_function(f"score => {SCORE} === score", arg=f"{asked - 1}/{asked}")
        page.click("button.end")
        page.wait_for_selector("punto-sheet")
        sheet = page.inner_text("punto-sheet section")
        assert str(SEED) in sheet
        assert f"{100 * (asked - 1) / asked:.1f}%" in sheet
        page.reload()
        page.wait_for_selector("#begin")


def test_everything_can_be_answered_by_the_keyboard(chromium: Any, practice: Live) -> None:
    with browsing(chromium, practice) as somebody:
        page = somebody.page
        begin(somebody, Drill.TABLE_OF_PLAY)
        page.keyboard.press("?")
        page.wait_for_selector("[data-verdict=hint]")
        standing = QuestionProgress(lesson(Drill.TABLE_OF_PLAY).question(0))
        asked = 0
        while moment := standing.moment:
            keys = [each.key for each in moment.ask.options]
            page.keyboard.press(str(keys.index(moment.right) + 1) if keys else moment.right)
            standing = standing.answered(right(moment))
            asked += 1
            page.wait_for_function(f"score => {SCORE} === score", arg=f"{asked - 1}/{asked}")
        somebody.tab_to("#next")
        page.keyboard.press("Enter")
        page.wait_for_selector("punto-answer")


@pytest.mark.long
def test_an_amount_can_be_laid_out_in_chips(chromium: Any, practice: Live) -> None:
    with browsing(chromium, practice) as somebody:
        page = somebody.page
        begin(somebody, Drill.COMMISSION)
        for chip in ("10000", "2500", "2500"):
            page.click(f'[data-chip="{chip}"]')
        assert page.input_value("punto-answer input") == "1x100+2x25"
        assert "150.00" in page.inner_text("punto-answer [role=status]")
        page.fill("punto-answer input", "ten")
        page.click("punto-answer button.main")
        page.wait_for_selector(".unreadable")
        assert page.evaluate(SCORE) == "0/0"


@pytest.mark.parametrize("screen", others_long([DESKTOP, PHONE]), ids=["desktop", "phone"])
@pytest.mark.parametrize("drill", others_long(list(OF_GAMES)))
@pytest.mark.long
def test_axe_finds_nothing_serious_in_a_lesson(
    chromium: Any, practice: Live, drill: Drill, screen: dict[str, int]
) -> None:
    with browsing(chromium, practice, None, "en", screen) as somebody:
        page = somebody.page
        somebody.open("/school")
        page.wait_for_selector("#begin")
        assert somebody.hindrances() == []
        begin(somebody, drill)
        moment = lesson(drill).question(0).moments[0]
        for language in ("en", "zh"):
            page.click(f"button[lang={language}]")
            words = moment.ask.words.text(Language(language))
            page.wait_for_function(f"words => {ASKED} === words", arg=words)
            assert somebody.hindrances() == [], language
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        answer(page, moment, wrong(moment))
        page.wait_for_selector("[data-verdict=wrong]")
        assert somebody.hindrances() == []
        page.click("button.end")
        page.wait_for_selector("punto-sheet")
        assert somebody.hindrances() == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.long
def test_the_lobby_leads_there(chromium: Any, practice: Live) -> None:
    for screen in (DESKTOP, PHONE):
        with browsing(chromium, practice, None, "en", screen) as somebody:
            somebody.open("/")
            somebody.page.click("a.school")
            somebody.page.wait_for_selector("#begin")
