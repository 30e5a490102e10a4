"""Results of the school: kept for each member of the house, due again in a year, with a certificate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.live import Someone
from support.playing import House, house

from punto import load
from punto.school.lesson import Plan
from punto.school.question import Drill, QuestionProgress
from punto.server.access.identity import Duty

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
    seen = manager.get("/api/house/settings")
    manager.post("/api/house/settings", settings=seen | {"training_days": 90}, seen=seen)
    assert dealer.get("/api/school/results/mine")["due"] == newest["at"] + 90 * 86_400_000
    manager.post("/api/house/settings", settings=seen, seen=seen | {"training_days": 90})
    paper = f"/api/school/results/{newest['number']}/certificate.pdf"
    for language in ("en", "zh"):
        assert dealer.http.get(paper, params={"language": language}).content.startswith(b"%PDF")
    assert served.cashier.http.get(paper).status_code == 403
    assert dealer.http.get("/api/school/results").status_code == 403
    assert served[Duty.AUDITOR].http.get(paper.replace(str(newest["number"]), "1")).status_code == 404


def test_what_went_wrong_at_a_table_is_asked_of_members_of_the_house_alone(tmp_path: Path) -> None:
    with house(tmp_path) as served:  # where nothing else has gone wrong
        (ann,) = served.patrons(1)
        table = served.table("tiger")
        dealer = served.dealer
        ann.done(table, "BuyIn", patron=ann.id, amount=1_000_000)
        dealer.done(table, "OpenBets")
        ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=50_000)
        dealer.done(table, "CloseBets")
        late = {"patron": ann.id, "position": 1, "wager": "Banker", "amount": 10_000}
        began = dealer.get(f"/api/tables/{table}/events")[-1]["at"]
        dealer.done(table, "RefuseLateWager", **late, note="Ann Lee, seat 1")
        (tiger,) = [each for each in dealer.get("/api/school")["games"] if each["game"] == "tiger"]
        assert {"drill": "house", "subjects": 1} in tiger["drills"]
        asked = {"seed": 1, "number": 0, "game": "tiger", "drill": "house"}
        shown = dealer.post("/api/school/question", **asked)
        assert "Ann now puts 100.00 on Banker at position 1." in shown["told"]
        assert not [word for word in (ann.id, "Lee", table) if word in str(shown)]
        right = dealer.post("/api/school/question", **asked, answers=["late-wager", "turned-down"])
        assert (right["first"], right["ask"]) == ([True, True], None)
        sheet = dealer.post(
            "/api/school/sheet",
            **{name: asked[name] for name in ("seed", "game", "drill")},
            done=[{"number": 0, "answers": ["late-wager", "turned-down"]}],
        )
        assert (sheet["total"]["asked"], sheet["total"]["right_first_time"]) == (2, 2)
        assert dealer.get("/api/school/results/mine")["lessons"][0]["drill"] == "house"
        for other in (ann, served.live.nobody()):
            assert "house" not in str(other.get("/api/school"))
            assert other.http.post("/api/school/question", json=asked).status_code in (401, 403)
        before = served.manager.http.post("/api/school/question", json=asked | {"begun": began})
        assert before.json()["code"] == "not-found", "it happened after the lesson began"
