"""A patron's own history: by day and table, round by round, as a file; and how long they have been playing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Annotated, Literal

from msgspec import Meta, Struct

from punto.server.access.identity import Person
from punto.server.gateway import Gateway
from punto.server.history.history_csv import history_csv
from punto.server.history.play_book import BREAK
from punto.server.history.round_story import LinePlayed, RoundPlayed, told_line, told_steps
from punto.server.http.audit import StillReading
from punto.server.refused import Refused
from punto.server.routing.answers import Csv, offer_as_file
from punto.server.routing.routes import Routes
from punto.server.running.audit_jobs import NotRead
from punto.store import play_rows
from punto.store.play_rows import Asked, PlayLine, PlaySession
from punto.store.records import EventRecord
from punto.store.trust.chain import verified_page

DAY = 24 * 60 * 60_000
MOST_SESSIONS = 100
MOST_LINES = 50
MOST_EXPORTED = 20_000
"""Lines in one file."""
MOST_OF_A_ROUND = 100_000
FOREVER = 2**53

TableName = Annotated[str, Meta(max_length=100)]
Number = Annotated[int, Meta(ge=1, lt=2**53)]
Minutes = Literal[0, 15, 30, 60]


class PlaySum(Struct, frozen=True):
    """What play came to. Amounts are in cents."""

    rounds: int
    staked: int
    net: int
    """Won, or lost if it is below zero."""
    seconds: int


class SessionShown(Struct, frozen=True):
    """The patron's play at a table without a long break, within a gaming day."""

    table: str
    game: str
    title: str
    """Of the game."""
    session: int
    began: int
    ended: int
    running: bool
    """Whether it may go on: the patron still has chips there."""
    sum: PlaySum
    bought: int
    cashed: int
    balance: int
    """What the patron has at the table at its end."""


class PlayDay(Struct, frozen=True):
    """A gaming day of the house: what the patron played on it, at each table and in all."""

    day: date
    sum: PlaySum
    """Time at several tables at once counts once."""
    tables: dict[str, PlaySum]
    sessions: tuple[SessionShown, ...]


class PlayHistory(Struct, frozen=True):
    """What a patron has played, the newest day first."""

    time_zone: str
    sum: PlaySum
    """Of everything that was asked for, shown here or not."""
    days: tuple[PlayDay, ...]
    more: int | None
    """There is more before this time, unless it is None."""
    tables: tuple[str, ...]
    """The tables at which the patron has played."""


class SessionPlayed(Struct, frozen=True):
    """A session round by round, the newest first."""

    session: SessionShown
    lines: tuple[LinePlayed, ...]
    more: int | None
    """There are more before this number, unless it is None."""


class PlayNow(Struct, frozen=True):
    """How long a patron has been playing, and what it brought."""

    now: int
    visit: PlaySum
    """Since they began, at all tables, without a break of an hour."""
    visit_began: int | None
    running: bool
    """Whether it may go on: the patron has chips at a table."""
    today: PlaySum
    """In this gaming day of the house."""
    reality_check: Minutes
    """After how many minutes of play they want to be told; 0 for never."""


class RealityCheck(Struct, frozen=True, forbid_unknown_fields=True):
    """After how many minutes of play a patron wants to be told; 0 for never."""

    minutes: Minutes


routes = Routes("/api/history", "history")


@routes.get("")
async def show_history(
    gateway: Gateway,
    person: Person,
    table: TableName | None = None,
    since: date | None = None,
    until: date | None = None,
    before: Number | None = None,
) -> PlayHistory | StillReading:
    """Return what the caller has played, by gaming day and table; from one day to another, if they are given."""
    if (reading := await up_to_date(gateway)) is not None:
        return reading
    floor = gateway.floor
    store = floor.store
    asked = asked_for(gateway, person, table, since, until)
    shown = Asked(person.id, asked.since, min(asked.until, before or FOREVER), table)
    found = await play_rows.sessions(store, shown, MOST_SESSIONS + 1)
    more = None
    if len(found) > MOST_SESSIONS:
        # Days are shown whole: the last one with all of its sessions.
        settings = floor.settings_at(found[-2].began)
        more = settings.day_start(settings.day_of(found[-2].began))
        last_day = Asked(person.id, max(asked.since, more), found[-2].began + 1, table)
        rest = await play_rows.sessions(store, last_day, MOST_EXPORTED)
        known = {(each.stream, each.first) for each in found[:-1]}
        found = [*found[:-1], *(each for each in rest if (each.stream, each.first) not in known)]
    days = tuple(_days(gateway, found))
    rounds, staked, net, milliseconds = await play_rows.sums(store, asked)
    is_all = more is None and before is None  # then time at several tables at once counts once here too
    seconds = sum(each.sum.seconds for each in days) if is_all else milliseconds // 1000
    played = await store.ask(play_rows.TABLES, person.id)
    return PlayHistory(
        floor.settings.time_zone,
        PlaySum(rounds, staked, net, seconds),
        days,
        more,
        tuple(sorted(stream for (stream,) in played)),
    )


@routes.get("/now")
async def show_play_now(gateway: Gateway, person: Person) -> PlayNow | StillReading:
    """Return how long the caller has been playing on this visit and today, and what it brought."""
    if (reading := await up_to_date(gateway)) is not None:
        return reading
    store, settings, now = gateway.floor.store, gateway.floor.settings, gateway.clock()
    recent = await play_rows.sessions(store, Asked(person.id, now - 2 * DAY, now + 1), MOST_EXPORTED)
    today = settings.day_start(settings.day_of(now))
    visit = _visit(recent, now)
    (chosen,) = (await store.ask(play_rows.CHOICE, person.id)) or [(0,)]
    return PlayNow(
        now,
        _sum(visit, now),
        min((each.began for each in visit), default=None),
        any(_runs(each, now) for each in visit),
        _sum([each for each in recent if each.began >= today], now),
        chosen[0],
    )


@routes.post("/reality-check")
async def choose_reality_check(gateway: Gateway, person: Person, body: RealityCheck) -> None:
    """Choose after how many minutes of play the caller wants to be told how long they have played."""
    await gateway.floor.store.ask(play_rows.CHOOSE, person.id, body.minutes)


@routes.get("/export.csv")
async def export_history(
    gateway: Gateway,
    person: Person,
    table: TableName | None = None,
    since: date | None = None,
    until: date | None = None,
) -> Csv | StillReading:
    """Return every bet the caller has made, and the money they brought and took away, as a table for other programs."""
    if (reading := await up_to_date(gateway)) is not None:
        return reading
    store = gateway.floor.store
    asked = asked_for(gateway, person, table, since, until)
    found = await play_rows.sessions(store, asked, MOST_EXPORTED)
    lines: list[tuple[str, LinePlayed]] = []
    for session in reversed(found):
        lines += [(session.stream, each) for each in await _lines(gateway, session, MOST_EXPORTED, cards=False)]
        if len(lines) > MOST_EXPORTED:
            raise Refused("cannot-be", case="history-too-long", most=MOST_EXPORTED)
    response = Csv(history_csv(lines))
    offer_as_file(response, "punto-history.csv")
    return response


@routes.get("/{table}/{session}")
async def show_session(
    gateway: Gateway, person: Person, table: str, session: Number, before: Number | None = None
) -> SessionPlayed | StillReading:
    """Return a session of the caller round by round, the newest first."""
    if (reading := await up_to_date(gateway)) is not None:
        return reading
    rows = await gateway.floor.store.ask(play_rows.SESSION, person.id, table, session)
    if not rows:
        raise Refused("not-found")
    found = PlaySession(*rows[0])
    lines = await _lines(gateway, found, MOST_LINES + 1, before=before)
    more = lines[1].number if len(lines) > MOST_LINES else None
    shown = lines[-MOST_LINES:]
    return SessionPlayed(_session(gateway, found), tuple(reversed(shown)), more)


@routes.get("/{table}/rounds/{number}")
async def show_round(gateway: Gateway, person: Person, table: str, number: Number) -> RoundPlayed | StillReading:
    """Return a round of the caller step by step; the number is that of the line which ended it."""
    if (reading := await up_to_date(gateway)) is not None:
        return reading
    rows = await gateway.floor.store.ask(play_rows.LINES, person.id, table, number, number, 1)
    line = PlayLine(*rows[0]) if rows else None
    if line is None or not line.first:
        raise Refused("not-found")
    events = await _events(gateway, line)
    return RoundPlayed(table, told_line(line, events), told_steps(line, events))


# --- finding it ------------------------------------------------------------------------------------------------------


async def up_to_date(gateway: Gateway) -> StillReading | None:
    """Have what was played found to the end of every log; return how far that is if it takes longer."""
    floor = gateway.floor
    try:
        await gateway.history.catch_up(each for each in floor.created if each not in floor.closed)
    except NotRead as error:
        return StillReading(error.read, error.of)
    return None


def asked_for(gateway: Gateway, person: Person, table: str | None, since: date | None, until: date | None) -> Asked:
    """Return which sessions are asked for by gaming days, the last one included."""
    settings = gateway.floor.settings
    if table and table not in gateway.floor.created:
        raise Refused("unknown-table", table=table)
    try:
        begin = settings.day_start(since) if since else 0
        end = settings.day_start(until + timedelta(days=1)) if until else FOREVER
    except OverflowError:
        raise Refused("bad-message", case="span") from None
    if begin >= end:
        raise Refused("bad-message", case="span")
    return Asked(person.id, begin, end, table or None)


async def _lines(
    gateway: Gateway, session: PlaySession, most: int, before: int | None = None, cards: bool = True
) -> list[LinePlayed]:
    """Return the last lines of a session in order, with the cards of each round unless nobody needs them."""
    last = min(session.last, (before or FOREVER) - 1)
    asked = (session.patron, session.stream, session.first, last, most)
    rows = [PlayLine(*row) for row in await gateway.floor.store.ask(play_rows.LINES, *asked)]
    return [told_line(each, await _events(gateway, each, whole=cards)) for each in reversed(rows)]


async def _events(gateway: Gateway, line: PlayLine, whole: bool = True) -> list[EventRecord]:
    """Return the events of the round that a line is the end of, or the line's own event alone."""
    first = line.first if whole and line.first else line.number
    most = min(line.number - first + 1, MOST_OF_A_ROUND)
    return await verified_page(gateway.floor.store, line.stream, first - 1, most)


# --- adding it up ----------------------------------------------------------------------------------------------------


def _runs(session: PlaySession, now: int) -> bool:
    return not session.over and session.balance > 0 and now - session.ended <= BREAK


def _sum(sessions: Sequence[PlaySession], now: int) -> PlaySum:
    """Add up sessions; time at several tables at once counts once."""
    spans = sorted((each.began, now if _runs(each, now) else each.ended) for each in sessions)
    milliseconds = reached = 0
    for began, ended in spans:
        milliseconds += max(0, ended - max(began, reached))
        reached = max(reached, ended)
    rounds, staked, net = (sum(getattr(each, name) for each in sessions) for name in ("rounds", "staked", "net"))
    return PlaySum(rounds, staked, net, milliseconds // 1000)


def _visit(recent: Iterable[PlaySession], now: int) -> list[PlaySession]:
    """Return the sessions, the newest first, that lead up to now without a break."""
    found: list[PlaySession] = []
    reached = now
    for each in sorted(recent, key=lambda session: -session.ended):
        if each.ended < reached - BREAK:
            break
        found.append(each)
        reached = min(reached, each.began)
    return found


def _days(gateway: Gateway, found: Iterable[PlaySession]) -> Iterable[PlayDay]:
    floor, now = gateway.floor, gateway.clock()
    for day, of_day in groupby(found, lambda each: floor.settings_at(each.began).day_of(each.began)):
        sessions = list(of_day)
        names = Counter(each.stream for each in sessions)
        tables = {name: _sum([each for each in sessions if each.stream == name], now) for name in sorted(names)}
        yield PlayDay(day, _sum(sessions, now), tables, tuple(_session(gateway, each) for each in sessions))


def _session(gateway: Gateway, each: PlaySession) -> SessionShown:
    floor, now = gateway.floor, gateway.clock()
    game = floor.created.get(each.stream, "")
    book = floor.games.get(game)
    return SessionShown(
        table=each.stream,
        game=game,
        title=book.title if book else "",
        session=each.first,
        began=each.began,
        ended=each.ended,
        running=_runs(each, now),
        sum=_sum([each], now),
        bought=each.bought,
        cashed=each.cashed,
        balance=each.balance,
    )
