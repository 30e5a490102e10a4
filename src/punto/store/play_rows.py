"""Statements about what patrons played: rows found in the events of tables, and rebuilt from them if they are lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from punto.store.protocol import Store

ROWS_AT_ONCE = 500


class PlayLine(Struct, frozen=True):
    """What one event changed for one patron. Amounts are in cents."""

    patron: str
    stream: str
    number: int
    """Of the event."""
    at: int
    kind: str
    round: int
    """0 where it is about none."""
    first: int
    """The event that opened the round, where it is the end of one."""
    staked: int
    net: int
    balance: int
    """What the patron has at the table after it."""
    change: int
    """By how much that changed."""


class PlaySession(Struct):
    """The play of a patron at a table without a long break, within one gaming day."""

    patron: str
    began: int
    stream: str
    first: int
    """The number of the event of its first line."""
    last: int
    ended: int
    rounds: int = 0
    staked: int = 0
    net: int = 0
    bought: int = 0
    cashed: int = 0
    balance: int = 0
    """What the patron has at the table at its end."""
    over: int = 0
    """1 once the patron has taken everything away."""


class PlayMark(Struct):
    """How far the events of a table have been looked through, and the round that was opened last."""

    stream: str
    number: int = 0
    opened: int = 0
    opened_at: int = 0


def _values(rows: int, columns: int) -> str:
    """Return places for the values of rows: ``($1, $2), ($3, $4)``."""
    numbers = iter(range(1, rows * columns + 1))
    return ", ".join(f"({', '.join(f'${next(numbers)}' for _ in range(columns))})" for _ in range(rows))


_SESSION = ", ".join(PlaySession.__struct_fields__)
_LINE = ", ".join(PlayLine.__struct_fields__)
_CHANGES = ", ".join(f"{name} = excluded.{name}" for name in PlaySession.__struct_fields__[4:])
MARKS = "select stream, number, opened, opened_at from play_mark"
LAST_SESSION = f"select {_SESSION} from play_session where patron = $1 and stream = $2 order by first desc limit 1"
SESSION = f"select {_SESSION} from play_session where patron = $1 and stream = $2 and first = $3"
LINES = f"""
    select {_LINE} from play_line where patron = $1 and stream = $2 and number between $3 and $4
    order by number desc limit $5
"""
TABLES = "select distinct stream from play_session where patron = $1"
CHOICE = "select reality_check from patron_choice where patron = $1"
CHOOSE = """
    insert into patron_choice values ($1, $2) on conflict (patron) do update set reality_check = excluded.reality_check
"""


class Asked(Struct, frozen=True):
    """Which sessions of a patron are asked for; the end is not in the span."""

    patron: str
    since: int
    until: int
    table: str | None = None

    @property
    def condition(self) -> str:
        named = " and stream = $4" if self.table else ""
        return f"where patron = $1 and began >= $2 and began < $3{named}"

    @property
    def values(self) -> list[Any]:
        return [self.patron, self.since, self.until, *([self.table] if self.table else [])]


async def sessions(store: Store, asked: Asked, most: int) -> list[PlaySession]:
    """Return sessions of a patron, the newest first."""
    values = asked.values
    order = f"order by began desc, stream, first desc limit ${len(values) + 1}"
    statement = f"select {_SESSION} from play_session {asked.condition} {order}"
    return [PlaySession(*row) for row in await store.ask(statement, *values, most)]


async def sums(store: Store, asked: Asked) -> tuple[int, int, int, int]:
    """Return the rounds, stakes, net result and milliseconds of a patron's sessions, all together."""
    figures = (f"sum({each})" for each in ("rounds", "staked", "net", "ended - began"))
    (found,) = await store.ask(f"select {', '.join(figures)} from play_session {asked.condition}", *asked.values)
    rounds, staked, net, milliseconds = (int(each or 0) for each in found)
    return rounds, staked, net, milliseconds


async def keep(store: Store, lines: list[PlayLine], changed: Iterable[PlaySession], mark: PlayMark) -> None:
    """Keep what was found; kept twice, or by two processes, it is the same."""
    for some in _batches(lines):
        places = _values(len(some), len(PlayLine.__struct_fields__))
        await store.ask(f"insert into play_line values {places} on conflict do nothing", *_flat(some))
    for batch in _batches(list(changed)):
        places = _values(len(batch), len(PlaySession.__struct_fields__))
        await store.ask(
            f"insert into play_session values {places} on conflict (patron, began, stream, first) "
            f"do update set {_CHANGES} where excluded.last > play_session.last",
            *_flat(batch),
        )
    await store.ask(
        "insert into play_mark values ($1, $2, $3, $4) on conflict (stream) do update set number = excluded.number, "
        "opened = excluded.opened, opened_at = excluded.opened_at where excluded.number > play_mark.number",
        *astuple(mark),
    )


def _batches(rows: list[Any]) -> Iterable[list[Any]]:
    return (rows[begin : begin + ROWS_AT_ONCE] for begin in range(0, len(rows), ROWS_AT_ONCE))


def _flat(rows: Iterable[Struct]) -> list[Any]:
    return [value for row in rows for value in astuple(row)]
