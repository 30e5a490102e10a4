"""Results of the school: kept for each member of the house, due again in a year, with a certificate."""

from __future__ import annotations

from typing import Any

from support.live import Someone
from support.playing import House

from punto import load
from punto.school.lesson import Plan
from punto.school.question import Drill, QuestionProgress
from punto.server.identity import Duty

SEED, QUESTIONS = 5, 10


def answers(right: bool) -> list[dict[str, Any]]:
    """Every answer of a lesson on the Table of Play as it should be; or one wrong answer, and the lesson is left."""
    plan, done = Plan((load("baccarat"),), (Drill.TABLE_OF_PLAY,), SEED), []
    for number in range(QUESTIONS if right else 1):
        standing, given = QuestionProgress(plan.question(number)), list[str]()
        while moment := standing.moment:
            wrong = next((each.key for each in moment.ask.options if each.key != moment.right), "9")
            given.append(moment.right if right else wrong)
            if not right:
                break
            standing = standing.answered(given[-1])
        done.append({"number": number, "answers": given})
    return done


def lesson(person: Someone, right: bool) -> dict[str, Any]:
    asked = {"seed": SEED, "game": "baccarat", "drill": "table-of-play", "done": answers(right)}
    told: dict[str, Any] = person.post("/api/school/sheet", **asked)
    return told


def test_leaving_after_one_wrong_answer_is_told_as_it_was(served: House) -> None:
    sheet = lesson(served.live.nobody(), right=False)
    assert (sheet["total"]["asked"], sheet["total"]["mistakes"], sheet["passed"]) == (1, 1, False)


def test_results_are_kept_with_a_due_date_and_a_certificate(served: House) -> None:
    dealer, manager = served.dealer, served.manager
    lesson(dealer, right=False)
    assert dealer.get("/api/school/results/mine")["due"] is None
    assert lesson(dealer, right=True)["passed"]
    lesson(dealer, right=True)  # its sheet is asked for again
    (own,) = [each for each in manager.get("/api/school/results") if each["person"] == dealer.id]
    newest, oldest = own["lessons"]
    assert (newest["passed"], newest["certificate"], oldest["passed"]) == (True, True, False)
    assert own["due"] == newest["at"] + 365 * 86_400_000
    paper = f"/api/school/results/{newest['number']}/certificate.pdf"
    for language in ("en", "zh"):
        assert dealer.http.get(paper, params={"language": language}).content.startswith(b"%PDF")
    assert served.cashier.http.get(paper).status_code == 403
    assert dealer.http.get("/api/school/results").status_code == 403
    assert served[Duty.AUDITOR].http.get(paper.replace(str(newest["number"]), "1")).status_code == 404
