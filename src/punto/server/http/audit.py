"""Auditing: rounds found and replayed, logs and shoes verified, a round exported.

Nothing here changes a table. Long work runs in the background; until it is done, callers are told how far it is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Annotated, Any, ClassVar, TypeVar

from msgspec import Meta, Raw, Struct
from starlette.responses import Response

from punto.report.dispute.dispute_sheet import packet_json, packet_pdf
from punto.report.dispute.packet import dispute_packet
from punto.report.replay import RoundReplayed
from punto.report.round_index import RoundFound, Sought
from punto.report.shoe_check import ShoeChecked, ShoeListed
from punto.report.verified_log import NoPacket
from punto.rules.coup import Winner
from punto.server.audit_jobs import NotRead
from punto.server.background import Abandoned
from punto.server.gateway import Gateway
from punto.server.identity import Person
from punto.server.permissions import Permission
from punto.server.refused import Refused
from punto.server.routing.answers import Json, Pdf, offer_as_file
from punto.server.routing.routes import Routes
from punto.server.server_log import log
from punto.store.codec import UnknownEvent
from punto.store.protocol import Reader
from punto.texts import Language

MOST_ROUNDS = 200
T = TypeVar("T")
R = TypeVar("R", bound=Response)


class Marked(StrEnum):
    """What is special about a round."""

    IRREGULAR = "irregular"
    VOID = "void"
    CORRECTED = "corrected"


class TableAudited(Struct, frozen=True):
    """A table of the house, whether it is served or not."""

    table: str
    game: str
    title: str
    served: bool
    """A table whose log cannot be read is not."""
    events: int


class StillReading(Struct, frozen=True):
    """The server is still reading the log for this answer: ask again."""

    http_status: ClassVar[int] = 202

    read: int
    of: int


class RoundLine(Struct, frozen=True):
    """A round that fits the search."""

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
    """The rounds that fit a search, the newest first."""

    table: str
    events: int
    rounds: tuple[RoundLine, ...]
    more: int | None
    """There are more before this round, unless it is None."""
    unreadable: int | None
    """The first event that cannot be read, or does not follow from those before it."""


Round = Annotated[int, Meta(ge=1, lt=2**31)]
Time = Annotated[int, Meta(ge=0, lt=2**53)]
Packet = dict[str, Any]
routes = Routes("/api/audit/tables", "audit")


def known_table(gateway: Gateway, table: str) -> str:
    """Return the name of a table of the house, served or not; raise ``Refused`` if there is none."""
    if table not in gateway.floor.created:
        raise Refused("unknown-table", table=table)
    return table


async def _or_progress(work: Awaitable[T]) -> T | StillReading:
    """Return what the work finds, or how far it is."""
    try:
        return await work
    except NotRead as error:
        return StillReading(error.read, error.of)
    except UnknownEvent:
        raise Refused("cannot-be", case="unreadable-log") from None
    except Abandoned:
        raise Refused("stopping") from None


@routes.get("", permission=Permission.READ_LOG)
async def list_audited_tables(gateway: Gateway) -> list[TableAudited]:
    """List every table there has been, served or not."""
    created = gateway.floor.created
    events = await gateway.floor.store.heads(list(created))
    return [_table(gateway, table, game, events[table]) for table, game in created.items()]


def _table(gateway: Gateway, table: str, game: str, events: int) -> TableAudited:
    book = gateway.floor.games.get(game)
    return TableAudited(table, game, book.title if book else game, table in gateway.floor.tables, events)


# --- rounds ----------------------------------------------------------------------------------------------------------


@routes.get("/{table}/rounds", permission=Permission.READ_LOG)
async def find_rounds(
    gateway: Gateway,
    table: str,
    first: Round | None = None,
    last: Round | None = None,
    since: Time | None = None,
    until: Time | None = None,
    patron: Annotated[str, Meta(max_length=100)] | None = None,
    outcome: Winner | None = None,
    marked: Marked | None = None,
    before: Round | None = None,
    most: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 50,
) -> RoundsFound | StillReading:
    """Find rounds by number, time, patron, outcome, or what is special about them; the newest first."""
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
    found = await _or_progress(gateway.auditing.find(known_table(gateway, table), sought, before, most + 1))
    if isinstance(found, StillReading):
        return found
    chronicle, rounds = found
    more = rounds[most - 1].round if len(rounds) > most else None
    lines = tuple(_line(each) for each in rounds[:most])
    return RoundsFound(table, chronicle.number, lines, more, chronicle.unreadable)


def _line(each: RoundFound) -> RoundLine:
    same = {name: getattr(each, name) for name in RoundLine.__struct_fields__ if name != "patrons"}
    return RoundLine(**same, patrons=len(each.patrons))


@routes.get("/{table}/rounds/{round}", permission=Permission.READ_LOG)
async def replay_round(
    gateway: Gateway,
    table: str,
    round_: int,
    language: Language = Language.ENGLISH,
    after: Annotated[int, Meta(ge=0, lt=2**62)] = 0,
) -> RoundReplayed | StillReading:
    """Replay a round: every event in words, by which clause, and the table after it."""
    replayed = await _or_progress(gateway.auditing.replay(known_table(gateway, table), round_, language, after))
    if replayed is None:
        raise Refused("not-found")
    if isinstance(replayed, StillReading):
        return replayed
    return replayed


@routes.get("/{table}/rounds/{round}/packet.json", permission=Permission.READ_LOG)
async def export_json(
    gateway: Gateway, person: Person, table: str, round_: int, language: Language = Language.ENGLISH
) -> Json[Raw]:
    """Export the dispute packet of a round, as ``punto export`` writes it."""
    response = Json(Raw(await _packet(gateway, table, round_, language, packet_json)))
    return _exported(response, person, table, round_, "json")


@routes.get("/{table}/rounds/{round}/packet.pdf", permission=Permission.READ_LOG)
async def export_pdf(
    gateway: Gateway, person: Person, table: str, round_: int, language: Language = Language.ENGLISH
) -> Pdf:
    """Export the dispute packet of a round on paper."""
    response = Pdf(await _packet(gateway, table, round_, language, packet_pdf))
    return _exported(response, person, table, round_, "pdf")


async def _packet(
    gateway: Gateway, table: str, round_: int, language: Language, write: Callable[[Packet], bytes]
) -> bytes:
    """Return the packet of a round as a file."""
    known_table(gateway, table)

    async def work(store: Reader) -> bytes:
        return write(await dispute_packet(store, gateway.games, table, round_, language=language))

    try:
        content = await _or_progress(gateway.auditing.jobs.run(work))
    except NoPacket:
        raise Refused("cannot-be", case="no-packet", table=table, round=round_) from None
    assert isinstance(content, bytes)
    return content


def _exported(response: R, person: Person, table: str, round_: int, kind: str) -> R:
    log.info("round exported", table=table, round=round_, by=person.id, kind=kind)
    offer_as_file(response, f"{table}-round-{round_}.{kind}")
    return response


# --- shoes -----------------------------------------------------------------------------------------------------------


@routes.get("/{table}/shoes", permission=Permission.READ_LOG)
async def list_audited_shoes(gateway: Gateway, table: str) -> list[ShoeListed] | StillReading:
    """List the shoes of a table, the newest first, as far as they are public."""
    return await _or_progress(gateway.auditing.shoes(known_table(gateway, table)))


@routes.get("/{table}/shoes/{shoe}", permission=Permission.READ_LOG)
async def check_shoe(gateway: Gateway, table: str, shoe: str) -> ShoeChecked | StillReading:
    """Check a shoe: its commitment, what patrons contributed, the secret, and every card dealt from it."""
    checked = await _or_progress(gateway.auditing.check_shoe(known_table(gateway, table), shoe))
    if checked is None:
        raise Refused("not-found")
    return checked
