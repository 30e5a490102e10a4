"""The school over HTTP: for everybody, the same for a seed, graded by the server, and nothing told too soon."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from support.learners import right, wrong
from support.live import Live, serving

from punto import APPROVED, load
from punto.school import Drill, Plan, QuestionProgress
from punto.school.lesson import subjects
from punto.school.question import OF_GAMES


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("school")
    with serving(str(folder / "punto.db"), folder) as served:
        yield served


class Learner:
    """Somebody who practises, from an address of his own."""

    _known = 0

    def __init__(self, live: Live) -> None:
        Learner._known += 1
        self.http = httpx.Client(base_url=live.address, headers={"x-forwarded-for": f"10.77.0.{Learner._known}"})

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.http.post(f"/api/school/{path}", json=body)

    def ask(self, **body: Any) -> dict[str, Any]:
        answer = self.post("question", **body)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told


@pytest.fixture
def learner(live: Live) -> Iterator[Learner]:
    somebody = Learner(live)
    with somebody.http:
        yield somebody


def test_what_can_be_practised_is_told_to_anybody(learner: Learner) -> None:
    told = learner.http.get("/api/school").json()
    assert [each["game"] for each in told["games"]] == list(APPROVED)
    for game in told["games"]:
        assert [each["drill"] for each in game["drills"]] == [each.value for each in OF_GAMES]
        for each in game["drills"]:
            groups = set(subjects(load(game["game"]), Drill(each["drill"])))
            assert each["subjects"] == sum(map(len, groups))
    assert told["pass_mark"] == 90


@pytest.mark.parametrize("drill", OF_GAMES)
def test_a_question_is_answered_to_its_end_and_the_sheet_agrees(learner: Learner, drill: Drill) -> None:
    lesson: dict[str, Any] = {"game": "tiger", "drill": drill.value, "seed": 5}
    plan = Plan((load("tiger"),), (drill,), 5)
    done = []
    for number, answer in ((0, right), (1, wrong)):
        standing, answers = QuestionProgress(plan.question(number)), list[str]()
        while moment := standing.moment:
            shown = learner.ask(**lesson, number=number, answers=answers)
            assert shown["ask"]["words"] == moment.ask.words.text()
            assert [each["key"] for each in shown["ask"]["options"]] == [each.key for each in moment.ask.options]
            answers.append(answer(moment))
            standing = standing.answered(answers[-1])
        shown = learner.ask(**lesson, number=number, answers=answers)
        assert shown["ask"] is None
        assert shown["first"] == [answer is right] * len(standing.marks)
        assert shown["verdict"]["right"] is (answer is right)
        done.append({"number": number, "answers": answers, "milliseconds": [1000] * len(standing.marks)})
    sheet = learner.post("sheet", **lesson, done=done).json()
    firsts = len(plan.question(0).moments)
    assert sheet["seed"] == 5
    assert sheet["total"]["right_first_time"] == firsts
    assert sheet["total"]["asked"] == firsts + len(plan.question(1).moments)
    assert sheet["total"]["seconds"] == sheet["total"]["asked"]
    assert sheet["by_clause"]


def test_the_answer_is_told_only_once_the_tries_are_over(learner: Learner) -> None:
    lesson: dict[str, Any] = {"game": "baccarat", "drill": "payouts", "seed": 3, "number": 4}
    moment = Plan((load("baccarat"),), (Drill.PAYOUTS,), 3).question(4).moments[-1]
    answers = [right(each) for each in Plan((load("baccarat"),), (Drill.PAYOUTS,), 3).question(4).moments[:-1]]
    assert learner.ask(**lesson, answers=answers)["ask"]["kind"] == "amount"
    mistaken = [*answers, wrong(moment)]
    once = learner.ask(**lesson, answers=mistaken)
    assert (once["verdict"]["told"], once["verdict"]["answer"], once["verdict"]["why"]) == (False, None, None)
    assert once["verdict"]["clauses"][0]["text"]
    twice = learner.ask(**lesson, answers=[*mistaken, wrong(moment)])
    assert twice["verdict"]["told"]
    assert twice["verdict"]["answer"] == right(moment)


def test_nothing_of_what_is_right_or_face_down_is_in_a_question(learner: Learner) -> None:
    plan = Plan(tuple(map(load, APPROVED)), (Drill.IRREGULARITIES,), 9)
    for number in range(10):
        shown = learner.ask(seed=9, number=number, drill="irregularities")
        moment = plan.question(number).moments[0]
        assert moment.scene.table
        assert shown["verdict"] is None
        assert shown["table"]["shoe"] is None
        down = [place.card is None for places in moment.scene.table.round.hands.values() for place in places]
        cards = [card for hand in shown["hands"].values() for card in hand]
        assert [card is None for card in cards] == down
        assert "practice" not in json.dumps(shown)
        assert not {"right", "why", "answer"} & shown["ask"].keys()
    table = learner.ask(seed=1, number=0, game="tiger", drill="table-of-play")
    assert all(len(cards) == 2 for cards in table["hands"].values())


def test_in_chinese_it_is_said_in_chinese(learner: Learner) -> None:
    told = learner.ask(seed=2, number=0, game="tiger", drill="irregularities", language="zh", answers=["?"])
    said = [*told["told"], told["ask"]["words"], *(each["words"] for each in told["ask"]["options"])]
    assert all(any("\u4e00" <= sign <= "\u9fff" for sign in each) for each in said)
    assert told["verdict"]["hint"]


def test_an_answer_that_cannot_be_read_is_said_to_be_none(learner: Learner) -> None:
    told = learner.ask(seed=1, number=0, game="tiger", drill="table-of-play", answers=["perhaps"])
    assert told["unreadable"] == "expected a point total from 0 to 9"
    assert told["first"] == []
    refused = learner.post("question", seed=1, number=0, game="tiger", drill="table-of-play", answers=["perhaps", "1"])
    assert refused.status_code == 422
    assert refused.json()["case"] == "answer"
    assert refused.json()["values"] == {"question": 0, "answer": 0}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("question", {"seed": -1, "number": 0}, 422),
        ("question", {"seed": 1, "number": 20}, 422),
        ("question", {"seed": 1, "number": 0, "drill": "dice"}, 422),
        ("question", {"seed": 1, "number": 0, "answers": ["1" * 81]}, 422),
        ("question", {"seed": 1, "number": 0, "answers": ["?"] * 33}, 422),
        ("question", {"seed": 1, "number": 0, "more": 1}, 422),
        ("question", {"seed": 1, "number": 0, "game": "roulette"}, 404),
        ("sheet", {"seed": 1, "done": [{"number": 0, "answers": []}] * 21}, 422),
        ("sheet", {"seed": 1, "done": [{"number": 0, "answers": []}] * 2}, 422),
        ("sheet", {"seed": 1, "done": [{"number": 0, "answers": ["nonsense!"]}]}, 422),
        ("sheet", {"seed": 1, "done": [], "game": "roulette"}, 404),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_sentence(
    learner: Learner, path: str, body: dict[str, Any], status: int
) -> None:
    answer = learner.post(path, **body)
    assert answer.status_code == status
    assert answer.json()["sentence"]


def test_an_empty_lesson_is_not_passed(learner: Learner) -> None:
    sheet = learner.post("sheet", seed=1, done=[]).json()
    assert sheet["passed"] is False
    assert sheet["total"]["score"] is None


@pytest.mark.long
def test_nobody_asks_too_often(live: Live) -> None:
    hasty = Learner(live)
    with hasty.http:
        asked = [hasty.post("question", seed=1, number=0, game="tiger", drill="table-of-play") for _ in range(120)]
        assert {each.status_code for each in asked} == {200, 429}
        assert {each.json()["code"] for each in asked if each.status_code == 429} == {"too-many"}
        assert hasty.http.get("/api/games").status_code == 200


def test_the_page_is_there_for_everybody(live: Live) -> None:
    for path, status in (("/school", 200), ("/school/tiger", 200), ("/school/roulette", 404)):
        assert httpx.get(f"{live.address}{path}").status_code == status
