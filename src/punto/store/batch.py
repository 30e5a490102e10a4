"""Transactions that are committed together: which of them are accepted, and the rows written for them.

The same for every store: the store brings the ends of the streams and the answers it knows, and writes the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from punto.store.records import Answer, Append, Change, Conflict, EventRecord, Repeated, hash_of
from punto.store.words import KeptWords

Heads = dict[str, tuple[int, bytes]]
"""By stream the number and the hash of its last event."""
Answers = dict[tuple[str, str], Answer]
"""By actor and key."""


class Transaction(Struct, eq=False, array_like=True):
    """Appends that are stored together or not at all, and the result: the stored events, or the error.

    A writer process is sent the first four fields as MessagePack.
    """

    appends: Sequence[Append] = ()
    answer: Answer | None = None
    words: Sequence[KeptWords] = ()
    """The words that the events refer to."""
    changes: Sequence[Change] = ()
    """What the events say of rows that stand beside them, such as people: stored with the events, or neither is."""
    records: Sequence[EventRecord] = ()
    error: Exception | None = None

    def result(self) -> list[EventRecord]:
        """Return the stored events; raise the error if nothing was stored."""
        if self.error:
            raise self.error
        return list(self.records)


def accept(
    transactions: Iterable[Transaction], heads: Heads, answers: Answers, broken: set[str] | None = None
) -> list[Transaction]:
    """Return the transactions that can be stored, in order; ``heads`` and ``answers`` move on with each.

    What follows a refused transaction on the same stream was decided by a state that never came to be. It is refused
    too, even if another process has stored as many events meanwhile: ``broken`` holds those streams.
    """
    broken = set() if broken is None else broken
    return [each for each in transactions if _is_accepted(each, heads, answers, broken)]


def _is_accepted(transaction: Transaction, heads: Heads, answers: Answers, broken: set[str]) -> bool:
    """Check everything first; after that nothing of the transaction can be refused."""
    transaction.error = _refusal(transaction, heads, answers, broken)
    if transaction.error:
        broken.update(append.stream for append in transaction.appends)
        return False
    transaction.records = [each for append in transaction.appends for each in _stored(append, heads)]
    if transaction.answer:
        answers[transaction.answer.actor, transaction.answer.key] = transaction.answer
    return True


def _refusal(transaction: Transaction, heads: Heads, answers: Answers, broken: set[str]) -> Exception | None:
    answer = transaction.answer
    if answer and (known := answers.get((answer.actor, answer.key))):
        return Repeated(known)
    for append in transaction.appends:
        found, _ = heads[append.stream]
        if found != append.expected or append.stream in broken:
            return Conflict(append.stream, append.expected, found)
    return None


def _stored(append: Append, heads: Heads) -> list[EventRecord]:
    number, before = heads[append.stream]
    records = []
    for each in append.events:
        number += 1
        before = hash_of(before, append.stream, number, each)
        records.append(each.stored(append.stream, number, before))
    heads[append.stream] = number, before
    return records


def event_row(each: EventRecord) -> tuple[Any, ...]:
    """Return an event as a row of the database."""
    return (
        each.stream, each.number, each.name, each.version, each.at, each.by, each.position, each.body, each.hash
    )  # fmt: skip


def words_rows(transactions: Iterable[Transaction]) -> list[tuple[str, bytes | None, str | None]]:
    """Return the words of transactions as rows of the database."""
    return [(each.digest, each.salt, each.words) for transaction in transactions for each in transaction.words]


def answer_row(answer: Answer) -> tuple[str, str, bytes, str, int, int]:
    """Return an answer as a row of the database."""
    return answer.actor, answer.key, answer.digest, answer.stream, answer.first, answer.last
