"""Results of the dealer school, kept for each member of the house: what they passed, and when it is due again."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from punto.report.paper.certificate import certificate_pdf
from punto.server.gateway import Gateway
from punto.server.identity import Duty, Person
from punto.server.permissions import Permission
from punto.server.refused import Refused
from punto.server.routing.answers import Pdf, offer_as_file
from punto.server.routing.routes import Routes
from punto.store.events.house_events import HOUSE, LessonGraded
from punto.store.house import record
from punto.store.records import EventRecord
from punto.store.round_events import every_event
from punto.texts import Language

VALID = 365 * 24 * 60 * 60_000
"""Milliseconds: how long a lesson that was passed counts."""
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
    if lesson.asked and all(event != lesson for _, event in await _lessons(gateway)):
        await record(gateway.floor.store, [lesson], gateway.clock(), (person.id, person.duty.value))


@routes.get("", permission=Permission.SEE_TRAINING)
async def list_results(gateway: Gateway) -> list[LearnerShown]:
    """List the lessons of every member of the house who deals or supervises play."""
    lessons = await _lessons(gateway)
    people = [each for each in await gateway.people.not_patrons() if each.active and each.duty.role]
    return [_learner(each, lessons) for each in people]


@routes.get("/mine")
async def list_own_results(gateway: Gateway, person: Person) -> LearnerShown:
    """List the lessons of the caller."""
    return _learner(person, await _lessons(gateway))


@routes.get("/{number}/certificate.pdf")
async def print_certificate(
    gateway: Gateway, person: Person, number: int, language: Language = Language.ENGLISH
) -> Pdf:
    """Print the certificate of a lesson that was passed: one's own, or anyone's for those who see training."""
    found = next(((each, event) for each, event in await _lessons(gateway) if each.number == number), None)
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
            due=kept.at + VALID,
            name=name,
            duty=kept.position,
            settings=gateway.floor.settings,
            games=gateway.floor.games,
            language=language,
        )

    response = Pdf(await asyncio.to_thread(made))
    offer_as_file(response, f"certificate-{number}.pdf")
    return response


async def _lessons(gateway: Gateway) -> list[tuple[EventRecord, LessonGraded]]:
    kept = [each async for each in every_event(gateway.floor.store, HOUSE) if each.name == LessonGraded.__name__]
    return [(each, event) for each in kept if isinstance(event := each.event, LessonGraded)]


def _earns(lesson: LessonGraded) -> bool:
    return lesson.passed and lesson.asked >= FEWEST_ASKED


def _learner(person: Person, lessons: list[tuple[EventRecord, LessonGraded]]) -> LearnerShown:
    own = [(each, event) for each, event in reversed(lessons) if event.person == person.id]
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
    return LearnerShown(person.id, person.name, person.duty, kept, max(passed) + VALID if passed else None)
