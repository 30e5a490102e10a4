"""Results of the dealer school, kept for each member of the house: what they passed, and when it is due again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from msgspec import Struct

from punto.report.paper.certificate import certificate_pdf
from punto.server.access.identity import Duty, Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.refused import Refused
from punto.server.routing.answers import Pdf, offer_as_file
from punto.server.routing.event_numbers import EventNumber
from punto.server.routing.routes import Routes
from punto.store.events.house_events import LessonGraded
from punto.store.house_journal import HouseJournal
from punto.store.records import EventRecord
from punto.texts import Language

DAY = 24 * 60 * 60_000
"""In milliseconds."""
Lessons = Sequence[tuple[EventRecord, LessonGraded]]
"""Lessons that were graded, in the order of time."""
FEWEST_ASKED = 10
"""A shorter lesson is kept, and earns no certificate."""


class LessonKept(Struct, frozen=True):
    """A lesson that was graded."""

    number: int
    """Of the event in the house's stream."""
    at: int
    game: str | None
    drill: str | None
    seed: int
    asked: int
    right: int
    passed: bool
    certificate: bool
    """Whether it was passed and long enough for a certificate."""


class LearnerShown(Struct, frozen=True):
    """A member of the house, their lessons, and when they are due."""

    person: str
    name: str
    duty: Duty
    lessons: tuple[LessonKept, ...]
    """The newest first."""
    due: int | None
    """When they have to pass again; None if they never have."""


routes = Routes("/api/school/results", "school")


async def keep_lesson(gateway: Gateway, person: Person, lesson: LessonGraded) -> None:
    """Keep a graded lesson, unless it is kept already: a page may ask for its sheet again."""
    own = _of(await gateway.floor.read_journal(), person.id)
    if lesson.asked and all(event != lesson for _, event in own):
        await gateway.floor.record(lesson, (person.id, person.duty.value))


@routes.get("", permission=Permission.SEE_TRAINING)
async def list_results(gateway: Gateway) -> list[LearnerShown]:
    """List the lessons of every member of the house who deals or supervises play."""
    journal = await gateway.floor.read_journal()
    people = [each for each in await gateway.people.not_patrons() if each.active and each.duty.role]
    return [_learner(each, journal) for each in people]


@routes.get("/mine")
async def list_own_results(gateway: Gateway, person: Person) -> LearnerShown:
    """List the lessons of the caller."""
    return _learner(person, await gateway.floor.read_journal())


@routes.get("/{number}/certificate.pdf")
async def print_certificate(
    gateway: Gateway,
    person: Person,
    number: EventNumber,
    language: Language = Language.ENGLISH,
) -> Pdf:
    """Print the certificate of a lesson that was passed: one's own, or anyone's for those who see training."""
    journal = await gateway.floor.read_journal()
    every = (each for who in journal.lessons for each in _of(journal, who))
    found = next((each for each in every if each[0].number == number), None)
    if found is None or not _earns(found[1]):
        raise Refused("not-found")
    kept, lesson = found
    if lesson.person != person.id and not Permission.SEE_TRAINING.is_given_to(person.duty):
        raise Refused("not-permitted", duty=person.duty.value)
    learner = await gateway.people.find(lesson.person)
    name = learner.name if learner and learner.name else lesson.person

    def made() -> bytes:
        return certificate_pdf(
            lesson,
            at=kept.at,
            due=_due(kept.at, journal),
            name=name,
            duty=kept.position,
            settings=gateway.floor.settings,
            games=gateway.floor.games,
            language=language,
        )

    response = Pdf(await asyncio.to_thread(made))
    offer_as_file(response, f"certificate-{number}.pdf")
    return response


def _of(journal: HouseJournal, person: str) -> Lessons:
    return [(each, e) for each in journal.lessons.get(person, ()) if isinstance(e := each.event, LessonGraded)]


def _due(passed: int, journal: HouseJournal) -> int:
    """Return when a lesson that was passed has to be passed again."""
    return passed + journal.settings.training_days * DAY


def _earns(lesson: LessonGraded) -> bool:
    return lesson.passed and lesson.asked >= FEWEST_ASKED


def _learner(person: Person, journal: HouseJournal) -> LearnerShown:
    own = _of(journal, person.id)[::-1]
    passed = [each.at for each, event in own if _earns(event)]
    kept = tuple(
        LessonKept(
            number=each.number,
            at=each.at,
            game=event.game,
            drill=event.drill,
            seed=event.seed,
            asked=event.asked,
            right=event.right,
            passed=event.passed,
            certificate=_earns(event),
        )
        for each, event in own
    )
    return LearnerShown(person.id, person.name, person.duty, kept, _due(max(passed), journal) if passed else None)
