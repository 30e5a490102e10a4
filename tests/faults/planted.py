"""Bugs planted on purpose: the simulation has to find each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from unittest.mock import patch

from faults.machine import Machine

from punto.server.realtime.messages import DoneMessage
from punto.server.tables.pending_command import PendingCommand
from punto.store.batch import Transaction
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust import snapshots


@contextmanager
def _nothing(_: Machine) -> Iterator[None]:
    yield


@contextmanager
def _answer_first(_: Machine) -> Iterator[None]:
    """Answer a command before it is stored."""
    append_all = SqliteStore.append_all

    async def answer_and_append(self: SqliteStore, transactions: Sequence[Transaction]) -> None:
        for each in transactions:
            if isinstance(each, PendingCommand):
                number = each.appends[0].expected
                each.answer_with(DoneMessage(each.id, number + 1, number + len(each.events)))
                each.answered = lambda _: None
        await append_all(self, transactions)

    with patch.object(SqliteStore, "append_all", answer_and_append):
        yield


@contextmanager
def _skip_sync(machine: Machine) -> Iterator[None]:
    """Open the database so that a commit does not wait for the disk."""
    machine.unsafe = True
    yield


@contextmanager
def _trust_snapshots(_: Machine) -> Iterator[None]:
    """Use every snapshot that can be read, whatever became of it."""
    with patch.object(snapshots, "is_signed_snapshot", lambda *_: True):
        yield


PLANTED: dict[str | None, Callable[[Machine], AbstractContextManager[None]]] = {
    None: _nothing,
    "answer-first": _answer_first,
    "skip-sync": _skip_sync,
    "trust-snapshots": _trust_snapshots,
}
