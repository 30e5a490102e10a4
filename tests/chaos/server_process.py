"""A real server, ``punto serve``, that can be told to kill itself at a named point.

A line on standard input arms it: the point, at which command to come, and whether only commands with a key count; or
it makes other trouble at once.
When it is there it writes down about which command, and sends itself SIGKILL. When standard input ends, so does it.
The process that writes to a SQLite file for it is this program too; armed, it takes its server down with itself.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

from chaos.troubles import Inside

from punto.cli.main import main
from punto.server.realtime.feed import Feed
from punto.server.realtime.messages import DoneMessage
from punto.server.running import lifecycle
from punto.server.running.house_clock import HouseClock
from punto.server.tables.pending_command import PendingCommand
from punto.store.batch import Transaction
from punto.store.postgresql import PostgresStore
from punto.store.sqlite.writer import Writer
from punto.store.sqlite.writer_process import WriterProcess, write_for
from punto.table.refusal import Refusal

ON_ITS_WAY = 0.01
"""Seconds after which an answer has left the process: its loop has come round since."""


class Point(StrEnum):
    """Where a server may be killed."""

    BEFORE_COMMIT = "before commit"
    """Everything is written, and the transaction not committed."""
    AFTER_COMMIT = "after commit"
    """The transaction is committed, and nobody has been answered."""
    AFTER_ANSWER = "after answer"
    """The command is answered, and nobody else has been told."""


class Trap:
    """Counts commands and kills at the one it waits for."""

    def __init__(self) -> None:
        self._point: Point | None = None
        self._left, self._keyed, self._marks = 0, True, ""
        self._hit: dict[str, Any] | None = None

    def arm(self, line: str) -> None:
        told = json.loads(line)
        self._left, self._keyed, self._marks = told["count"], told["keyed"], told["marks"]
        self._point = Point(told["point"])

    def _counts(self) -> bool:
        self._left -= 1
        return self._left <= 0

    def written(self, transactions: Sequence[Transaction]) -> None:
        """These are in the transaction."""
        if self._point not in (Point.BEFORE_COMMIT, Point.AFTER_COMMIT) or self._hit:
            return
        for each in transactions:
            if each.error is None and each.records and (each.answer or not self._keyed) and self._counts():
                first = each.records[0]
                numbers = [record.number for record in each.records if record.stream == first.stream]
                self._hit = _about(first.stream, numbers[0], numbers[-1], first.by)
                self._hit |= {"key": each.answer.key if each.answer else None}
                return

    def answered(self, pending: PendingCommand, answer: object) -> None:
        """This answer is being sent."""
        if self._point is not Point.AFTER_ANSWER or self._hit or not isinstance(answer, DoneMessage):
            return
        key = pending.key.word if pending.key else None
        if answer.repeated or key is None or not self._counts():
            return
        first = pending.records[0]
        self._hit = _about(first.stream, answer.first, answer.last, first.by) | {"key": key}

    def holds_back(self, table: str, numbers: Sequence[int]) -> bool:
        """Whether these events, which are about to be sent to subscribers, are those of that answer.

        Then nobody is told: the answer goes on its way, and the process is killed.
        """
        hit = self._hit if self._point is Point.AFTER_ANSWER else None
        if hit is None or hit["stream"] != table or hit["last"] not in numbers:
            return False
        asyncio.get_running_loop().call_later(ON_ITS_WAY, self.spring, Point.AFTER_ANSWER)
        return True

    def spring(self, point: Point) -> None:
        if self._hit is None or self._point is not point:
            return
        mark = os.open(self._marks, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(mark, json.dumps({"point": point, "pid": SERVER, **self._hit}).encode() + b"\n")
        for process in (SERVER, os.getpid()):
            os.kill(process, signal.SIGKILL)


def _about(stream: str, first: int, last: int, actor: str) -> dict[str, Any]:
    return {"stream": stream, "first": first, "last": last, "actor": actor}


WRITES = "writes"
SERVER = os.getppid() if WRITES in sys.argv[1:2] else os.getpid()
TRAP, INSIDE = Trap(), Inside()


def _replace(owner: object, **functions: Callable[..., Any]) -> None:
    for name, function in functions.items():
        assert hasattr(owner, name), name
        setattr(owner, name, function)


ARMED = "CHAOS_ARMED"
"""Names the file in which the server tells its writer what it is told itself."""


def _in_sqlite() -> None:
    commit = WriterProcess.commit

    async def committing(writer: WriterProcess, together: Any) -> None:
        await commit(writer, together)
        TRAP.written([each for each in together if isinstance(each, Transaction)])
        TRAP.spring(Point.AFTER_COMMIT)

    started = WriterProcess._started

    def starting(writer: WriterProcess) -> Any:
        process, ours = started(writer)
        INSIDE.writer = process.pid
        return process, ours

    _replace(WriterProcess, commit=committing, _started=starting)
    WriterProcess.PROGRAM = (__file__, WRITES)


def _in_the_writer() -> None:
    write, armed = Writer._write, Path(os.environ[ARMED])

    def writing(writer: Writer, transactions: Sequence[Transaction]) -> None:
        write(writer, transactions)
        if armed.exists():
            TRAP.arm(armed.read_text("utf-8"))
            armed.unlink()
        TRAP.written(transactions)
        TRAP.spring(Point.BEFORE_COMMIT)

    _replace(Writer, _write=writing)


def _in_postgresql() -> None:
    commit, news = PostgresStore._commit, PostgresStore._news
    together: list[Sequence[Transaction]] = [()]

    async def committing(store: PostgresStore, transactions: Sequence[Transaction], *more: Any) -> None:
        together[0] = transactions
        await commit(store, transactions, *more)
        TRAP.spring(Point.AFTER_COMMIT)

    def telling(store: PostgresStore, ends: Mapping[str, int]) -> list[str]:
        """The last thing that is asked for before the statement is sent that stores everything."""
        TRAP.written(together[0])
        TRAP.spring(Point.BEFORE_COMMIT)
        return news(store, ends)

    _replace(PostgresStore, _commit=committing, _news=telling)


def _in_the_feed() -> None:
    flush, answer_with = Feed.flush, PendingCommand.answer_with

    def answering(pending: PendingCommand, answer: DoneMessage | Refusal | Exception) -> None:
        TRAP.answered(pending, answer)
        answer_with(pending, answer)

    def flushing(feed: Feed) -> None:
        if not TRAP.holds_back(feed.name, [each.number for each in feed._waiting]):
            flush(feed)

    _replace(PendingCommand, answer_with=answering)
    _replace(Feed, flush=flushing)


def _listen() -> None:
    """Straight from the pipe: a buffer that a thread still waits in cannot be closed when the process ends."""
    while line := os.read(0, 4096):
        if "trouble" in (told := json.loads(line)):
            INSIDE.make(told)
            continue
        TRAP.arm(line.decode())
        for_the_writer = Path(os.environ[ARMED])
        for_the_writer.with_suffix(".new").write_bytes(line)
        for_the_writer.with_suffix(".new").rename(for_the_writer)
    os.kill(os.getpid(), signal.SIGKILL)  # the process that started it is gone


def _serve() -> None:
    os.environ[ARMED] = str(Path.cwd() / f"armed-{SERVER}")
    _in_sqlite()
    _in_postgresql()
    _in_the_feed()
    _replace(lifecycle, HouseClock=partial(HouseClock, INSIDE.time_ns), check_pace=lambda *_: None)
    Thread(target=_listen, daemon=True).start()
    main(["serve", *sys.argv[1:]])


def _write() -> None:
    _in_the_writer()
    file, server = sys.argv[2:]
    write_for(socket.socket(fileno=int(server)), Path(file))


if __name__ == "__main__":
    _write() if WRITES in sys.argv[1:2] else _serve()
