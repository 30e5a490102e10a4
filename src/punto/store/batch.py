"""Appends that go to disk together: which of them are taken, and what is written for them.

The same for every store: it brings the ends of the streams and the answers that are known, and writes what comes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from punto.store.records import Answer, Append, Conflict, Recorded, Repeated, hash_of

Heads = dict[str, tuple[int, bytes]]
"""By stream the number and the hash of its last event."""
Answers = dict[tuple[str, str], Answer]
"""By actor and key."""


class Job(Struct, eq=False):
    """Appends that somebody wants to make, all or nothing, and what came of it."""

    appends: Sequence[Append]
    answer: Answer | None = None
    recorded: list[Recorded] = []
    error: Exception | None = None

    def stored(self) -> list[Recorded]:
        """What was stored; raises if nothing was."""
        if self.error:
            raise self.error
        return self.recorded


def take_in(jobs: Iterable[Job], heads: Heads, answers: Answers, broken: set[str] | None = None) -> list[Job]:
    """The jobs that are taken, one after the other; ``heads`` and ``answers`` go on with each.

    What follows a job that is not taken was decided by a state that never came to be. It is not taken either, even if
    another process has stored as many events meanwhile: ``broken`` holds the streams on which that is so.
    """
    broken = set() if broken is None else broken
    return [job for job in jobs if _taken(job, heads, answers, broken)]


def _taken(job: Job, heads: Heads, answers: Answers, broken: set[str]) -> bool:
    """Check everything first; after that nothing of the job can be refused."""
    job.error = _refusal(job, heads, answers, broken)
    if job.error:
        broken.update(append.stream for append in job.appends)
        return False
    job.recorded = [each for append in job.appends for each in _recorded(append, heads)]
    if job.answer:
        answers[job.answer.actor, job.answer.key] = job.answer
    return True


def _refusal(job: Job, heads: Heads, answers: Answers, broken: set[str]) -> Exception | None:
    if job.answer and (known := answers.get((job.answer.actor, job.answer.key))):
        return Repeated(known)
    for append in job.appends:
        found, _ = heads[append.stream]
        if found != append.expected or append.stream in broken:
            return Conflict(append.stream, append.expected, found)
    return None


def _recorded(append: Append, heads: Heads) -> list[Recorded]:
    number, before = heads[append.stream]
    recorded = []
    for each in append.events:
        number += 1
        before = hash_of(before, append.stream, number, each)
        recorded.append(Recorded(append.stream, number, each, before))
    heads[append.stream] = number, before
    return recorded


def event_row(recorded: Recorded) -> tuple[str, int, str, int, int, str, str, bytes, bytes]:
    """An event as a row of the database."""
    each = recorded.written
    about = (each.name, each.version, each.at, each.by, each.position)
    return recorded.stream, recorded.number, *about, each.body, recorded.hash


def answer_row(answer: Answer) -> tuple[str, str, bytes, str, int, int]:
    """An answer as a row of the database."""
    return answer.actor, answer.key, answer.digest, answer.stream, answer.first, answer.last
