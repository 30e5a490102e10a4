"""Requests of auditors: rounds found and told step by step, logs and shoes checked, a round exported.

Nothing here is changed by asking. Whatever takes long is done beside the tables; who asks meanwhile is told how far it
has come.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Depends, Query, Request, Response
from msgspec import Struct

from punto.audit.finding import Kind
from punto.report.dispute.packet import dispute_packet
from punto.report.dispute.sheet import packet_json, packet_pdf
from punto.report.replay import RoundReplayed
from punto.report.round_index import RoundFound, Sought
from punto.report.shoe_check import ShoeChecked, ShoeListed
from punto.report.verified_log import NoPacket
from punto.rules.coup import Winner
from punto.server.audit_jobs import NotRead, Verification
from punto.server.background import Over
from punto.server.gateway import Desk, Refused
from punto.server.http.answers import AtDesk, answered
from punto.server.http.openapi import gives
from punto.server.http.sessions import signed_in
from punto.server.identity import Duty, Person
from punto.server.permissions import Permission
from punto.server.server_log import log
from punto.store.codec import UnknownEvent
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE
from punto.store.events.shoe_events import SHOES
from punto.store.protocol import Reader
from punto.texts import Language

MOST_ROUNDS = 200
T = TypeVar("T")


class Marked(StrEnum):
    """What is special about a round."""

    IRREGULAR = "irregular"
    VOID = "void"
    CORRECTED = "corrected"


class State(StrEnum):
    """How a log stands that is, or was, gone through."""

    NEVER = "never"
    RUNNING = "running"
    WHOLE = "whole"
    BROKEN = "broken"
    FAILED = "failed"
    """It could not be gone through to the end."""


class TableAudited(Struct, frozen=True):
    """A table of the house, whether it is served or not."""

    table: str
    game: str
    title: str
    served: bool
    """A table whose log cannot be read is not."""
    events: int


class StillReading(Struct, frozen=True):
    """There is more of the log to read before this can be answered: ask again."""

    read: int
    of: int


class RoundLine(Struct, frozen=True):
    """A round that was found."""

    round: int
    first: int
    opened: int
    ended: int | None
    shoe: str | None
    winner: str | None
    player_total: int | None
    banker_total: int | None
    void: bool
    corrected: bool
    irregular: bool
    patrons: int


class RoundsFound(Struct, frozen=True):
    """The rounds that were looked for, the newest first."""

    table: str
    events: int
    rounds: tuple[RoundLine, ...]
    more: int | None
    """Before this round there are more that fit, if it is not None."""
    unreadable: int | None
    """The first event that cannot be read, or to which what happened before does not lead."""


class FindingShown(Struct, frozen=True):
    """Something that is wrong: where, of which kind, and what exactly, as a code with values and as a sentence."""

    stream: str
    event: int | None
    kind: Kind
    code: str
    values: Mapping[str, Any]
    sentence: str
    own: bool
    """Whether it is in the log of the table itself."""


class StreamShown(Struct, frozen=True):
    """A stream of which every event is in order, from the first to the last that is named."""

    stream: str
    about: str
    """What it tells of: the table, its shoes, the house or the cage."""
    last: int
    hash: str
    heads: int
    """How many signed heads agree with it."""


class Verified(Struct, frozen=True):
    """The log of a table gone through: chain, heads, rounds and books."""

    table: str
    state: State
    read: int
    of: int
    rounds: int
    began: int | None
    ended: int | None
    streams: tuple[StreamShown, ...]
    findings: tuple[FindingShown, ...]


class Pdf(Response):
    """A document to be printed."""

    media_type = "application/pdf"


audit = APIRouter(prefix="/api/audit/tables", tags=["audit"])
"""For those who may read the log."""

Round = Annotated[int, Query(ge=1, lt=2**31)]
Time = Annotated[int, Query(ge=0, lt=2**53)]
_READING: dict[int | str, dict[str, Any]] = gives(StillReading, status=202)


def _gives(kind: type[Any] | None, many: bool = False) -> dict[int | str, dict[str, Any]]:
    """What a route answers, or that there is more to read first."""
    return {202: _READING[202], **gives(kind, many)}


async def _auditor(desk: Desk, request: Request, table: str) -> Person:
    """Whoever asks about a table; it has to be one of the house, served or not."""
    person = await signed_in(desk, request, Permission.READ_LOG)
    if table not in desk.floor.created:
        raise Refused("unknown-table", table=table)
    return person


async def _or_more(work: Awaitable[T]) -> T | Response:
    """What was asked for, or how far one has come."""
    try:
        return await work
    except NotRead as error:
        return answered(StillReading(error.read, error.of), 202)
    except UnknownEvent as error:
        raise Refused("cannot-be", why=f"the log cannot be read there: {error}") from None
    except Over:
        raise Refused("stopping") from None


@audit.get("", responses=gives(TableAudited, many=True))
async def list_tables(desk: AtDesk, request: Request) -> Response:
    """Every table there has been, served or not."""
    await signed_in(desk, request, Permission.READ_LOG)
    created = desk.floor.created
    events = await desk.floor.store.heads(list(created))
    return answered([_table(desk, table, game, events[table]) for table, game in created.items()])


def _table(desk: Desk, table: str, game: str, events: int) -> TableAudited:
    book = desk.floor.games.get(game)
    return TableAudited(table, game, book.title if book else game, table in desk.floor.tables, events)


# --- rounds ----------------------------------------------------------------------------------------------------------


@audit.get("/{table}/rounds", responses=_gives(RoundsFound))
async def find_rounds(
    desk: AtDesk,
    request: Request,
    table: str,
    first: Round | None = None,
    last: Round | None = None,
    since: Time | None = None,
    until: Time | None = None,
    patron: Annotated[str | None, Query(max_length=100)] = None,
    outcome: Winner | None = None,
    marked: Marked | None = None,
    before: Round | None = None,
    most: Annotated[int, Query(ge=1, le=MOST_ROUNDS)] = 50,
) -> Response:
    """Rounds by number, time, patron, outcome, or what is special about them; the newest first."""
    await _auditor(desk, request, table)
    sought = Sought(
        first,
        last,
        since,
        until,
        patron or None,
        outcome.value if outcome else None,
        irregular=marked is Marked.IRREGULAR,
        void=marked is Marked.VOID,
        corrected=marked is Marked.CORRECTED,
    )
    found = await _or_more(desk.auditing.find(table, sought, before, most + 1))
    if isinstance(found, Response):
        return found
    chronicle, rounds = found
    more = rounds[most - 1].round if len(rounds) > most else None
    lines = tuple(_line(each) for each in rounds[:most])
    return answered(RoundsFound(table, chronicle.number, lines, more, chronicle.unreadable))


def _line(each: RoundFound) -> RoundLine:
    same = {name: getattr(each, name) for name in RoundLine.__struct_fields__ if name != "patrons"}
    return RoundLine(**same, patrons=len(each.patrons))


@audit.get("/{table}/rounds/{round}", responses=_gives(RoundReplayed))
async def replay_round(
    desk: AtDesk,
    request: Request,
    table: str,
    round: int,  # noqa: A002 - as the address calls it
    language: Language = Language.ENGLISH,
    after: Annotated[int, Query(ge=0, lt=2**62)] = 0,
) -> Response:
    """A round as it happened: every event in words, by which clause, and the table after it."""
    await _auditor(desk, request, table)
    told = await _or_more(desk.auditing.replay(table, round, language, after))
    if told is None:
        raise Refused("not-found")
    if isinstance(told, Response):
        return told
    names = await _names(desk, {each.by for each in told.steps})
    return answered(msgspec.structs.replace(told, names=names))


async def _names(desk: Desk, ids: set[str]) -> dict[str, str]:
    """The names of staff. Patrons are known by their ids alone."""
    found = [await desk.people.find(each) for each in sorted(ids)]
    return {person.id: person.name for person in found if person and person.duty is not Duty.PATRON}


Packet = dict[str, Any]
Export = Callable[[str, Callable[[Packet], bytes]], Awaitable[Response]]
"""Answers with the packet as a file: how its name ends, and what writes it."""


async def _exporting(
    desk: AtDesk,
    request: Request,
    table: str,
    round: int,  # noqa: A002
    language: Language = Language.ENGLISH,
) -> Export:
    """What all exports ask: of which round, and in which language."""
    person = await _auditor(desk, request, table)

    async def export(ending: str, write: Callable[[Packet], bytes]) -> Response:
        async def work(store: Reader) -> bytes:
            return write(await dispute_packet(store, desk.games, table, round, language=language))

        try:
            content = await _or_more(desk.auditing.aside.do(work))
        except NoPacket as error:
            raise Refused("cannot-be", why=str(error)) from None
        assert isinstance(content, bytes)
        log.info("round exported", table=table, round=round, by=person.id, kind=ending)
        headers = {"content-disposition": f'attachment; filename="{table}-round-{round}.{ending}"'}
        return Response(content, media_type=f"application/{ending}", headers=headers)

    return export


Exporting = Annotated[Export, Depends(_exporting)]


@audit.get("/{table}/rounds/{round}/packet.json", responses=gives(None))
async def export_json(export: Exporting) -> Response:
    """The dispute packet of a round, as ``punto export`` writes it."""
    return await export("json", packet_json)


@audit.get("/{table}/rounds/{round}/packet.pdf", response_class=Pdf, responses=gives(None))
async def export_pdf(export: Exporting) -> Response:
    """The same on paper."""
    return await export("pdf", packet_pdf)


# --- the whole log ---------------------------------------------------------------------------------------------------


@audit.post("/{table}/verification", responses=gives(Verified))
async def verify(desk: AtDesk, request: Request, table: str) -> Response:
    """Go through the log of a table from its first event; it is done beside the tables, and asked about meanwhile."""
    person = await _auditor(desk, request, table)
    if desk.floor.stopping:
        raise Refused("stopping")
    log.info("verification begun", table=table, by=person.id)
    return answered(_verified(table, desk.auditing.begin(table, desk.floor.spawn)))


@audit.get("/{table}/verification", responses=gives(Verified))
async def verification(desk: AtDesk, request: Request, table: str) -> Response:
    """How far it has come, and what was found."""
    await _auditor(desk, request, table)
    return answered(_verified(table, desk.auditing.verifications.get(table)))


def _verified(table: str, known: Verification | None) -> Verified:
    if known is None:
        return Verified(table, State.NEVER, 0, 0, 0, None, None, (), ())
    state = State.FAILED if known.failed else State.BROKEN if known.findings else State.WHOLE
    if known.ended is None:
        return Verified(table, State.RUNNING, known.read, known.of, 0, known.began, None, (), ())
    own = (table, f"{table}{SHOES}")
    findings = tuple(
        FindingShown(each.stream, each.number, each.kind, each.code, each.values, each.sentence(), each.stream in own)
        for each in sorted(known.findings, key=lambda each: each.stream != table)
    )
    rounds = known.audit.rounds if known.audit else 0
    streams = tuple(_streams(known, table))
    return Verified(table, state, known.read, known.of, rounds, known.began, known.ended, streams, findings)


def _streams(known: Verification, table: str) -> Sequence[StreamShown]:
    audit = known.audit
    if audit is None:
        return []
    about = {table: "table", f"{table}{SHOES}": "shoes", HOUSE: "house", CAGE: "cage"}
    return [
        StreamShown(stream, told, audit.lengths[stream], audit.last_hashes[stream], audit.heads[stream])
        for stream, told in about.items()
        if audit.lengths.get(stream)
    ]


# --- shoes -----------------------------------------------------------------------------------------------------------


@audit.get("/{table}/shoes", responses=_gives(ShoeListed, many=True))
async def list_shoes(desk: AtDesk, request: Request, table: str) -> Response:
    """The shoes of a table, the newest first, as far as they are public."""
    await _auditor(desk, request, table)
    shoes = await _or_more(desk.auditing.shoes(table))
    return shoes if isinstance(shoes, Response) else answered(shoes)


@audit.get("/{table}/shoes/{shoe}", responses=_gives(ShoeChecked))
async def check_shoe(desk: AtDesk, request: Request, table: str, shoe: str) -> Response:
    """Check a shoe: its commitment, what patrons contributed, the secret, and every card that was dealt from it."""
    await _auditor(desk, request, table)
    checked = await _or_more(desk.auditing.check_shoe(table, shoe))
    if checked is None:
        raise Refused("not-found")
    return checked if isinstance(checked, Response) else answered(checked)
