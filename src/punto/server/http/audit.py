"""Auditing: rounds found and replayed, logs and shoes verified, a round exported.

Nothing here changes a table. Long work runs in the background; until it is done, callers are told how far it is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Any, ClassVar, TypeVar

from msgspec import Meta, Raw, Struct
from starlette.responses import Response

from punto.books.round_log import RoundFound
from punto.report.dispute.dispute_sheet import packet_json, packet_pdf
from punto.report.dispute.packet import dispute_packet
from punto.report.replay import RoundReplayed
from punto.report.round_index import Sought
from punto.report.shoe_check import ShoeChecked, ShoeListed
from punto.report.verified_log import NoPacket
from punto.rules.coup import Winner
from punto.server.access.identity import Duty, Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.http.pit import OpeningDigests
from punto.server.refused import Refused
from punto.server.routing.answers import Json, Pdf, offer_as_file
from punto.server.routing.event_numbers import LastKnownEvent
from punto.server.routing.routes import Routes
from punto.server.running.audit_jobs import NotRead
from punto.server.running.background import Abandoned
from punto.server.running.server_log import log
from punto.server.tables.blind_count import check_shown
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


async def readable_table(gateway: Gateway, digests: OpeningDigests, person: Person, table: str) -> str:
    """Return the name of a table whose log a person may read: a Dealer reads that of their own tables only.

    One is theirs while they are signed on, and if they were in this gaming day; where nobody is signed on, also if they
    were the last to act as its Dealer. Nobody who could count the chips of a table reads it while they are counted.
    """
    known_table(gateway, table)
    await check_shown(gateway.floor, person, table)
    if person.duty is not Duty.DEALER:
        return table
    served = gateway.floor.tables.get(table)
    if served is not None:
        known = await digests.of(served)
        last = known.dealer[0] if known.dealer else None
        settings = gateway.floor.settings
        today = settings.day_start(settings.day_of(gateway.clock()))
        if person.id == (served.table.on_duty or last) or known.signed_on.get(person.id, -1) >= today:
            return table
    raise Refused("not-permitted", case="other-table", duty=person.duty.value)


async def reads_log(gateway: Gateway, digests: OpeningDigests, person: Person, table: str) -> bool:
    """Tell whether a person may read the log of a table, over HTTP or a socket, beyond what the public sees of it."""
    if not Permission.READ_LOG.is_given_to(person.duty):
        return False
    try:
        await readable_table(gateway, digests, person, table)
    except Refused:
        return False
    return True


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
async def list_audited_tables(gateway: Gateway, digests: OpeningDigests, person: Person) -> list[TableAudited]:
    """List every table there has been, served or not, whose log the caller may read."""
    created: dict[str, str] = {}
    for table, game in gateway.floor.created.items():
        with suppress(Refused):
            created[await readable_table(gateway, digests, person, table)] = game
    events = await gateway.floor.store.heads(list(created))
    return [_table(gateway, table, game, events[table]) for table, game in created.items()]


def _table(gateway: Gateway, table: str, game: str, events: int) -> TableAudited:
    book = gateway.floor.games.get(game)
    return TableAudited(table, game, book.title if book else game, table in gateway.floor.tables, events)


# --- rounds ----------------------------------------------------------------------------------------------------------


@routes.get("/{table}/rounds", permission=Permission.READ_LOG)
async def find_rounds(
    gateway: Gateway,
    digests: OpeningDigests,
    person: Person,
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
    found = await _or_progress(
        gateway.auditing.find(await readable_table(gateway, digests, person, table), sought, before, most + 1)
    )
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
    digests: OpeningDigests,
    person: Person,
    table: str,
    round_: Round,
    language: Language = Language.ENGLISH,
    after: LastKnownEvent = 0,
) -> RoundReplayed | StillReading:
    """Replay a round: every event in words, by which clause, and the table after it."""
    replayed = await _or_progress(
        gateway.auditing.replay(await readable_table(gateway, digests, person, table), round_, language, after)
    )
    if replayed is None:
        raise Refused("not-found")
    return replayed


@routes.get("/{table}/rounds/{round}/packet.json", permission=Permission.READ_LOG)
async def export_json(
    gateway: Gateway,
    digests: OpeningDigests,
    person: Person,
    table: str,
    round_: Round,
    language: Language = Language.ENGLISH,
) -> Json[Raw]:
    """Export the dispute packet of a round, as ``punto export`` writes it."""
    await readable_table(gateway, digests, person, table)
    response = Json(Raw(await _packet(gateway, table, round_, language, packet_json)))
    return _exported(response, person, table, round_, "json")


@routes.get("/{table}/rounds/{round}/packet.pdf", permission=Permission.READ_LOG)
async def export_pdf(
    gateway: Gateway,
    digests: OpeningDigests,
    person: Person,
    table: str,
    round_: Round,
    language: Language = Language.ENGLISH,
) -> Pdf:
    """Export the dispute packet of a round on paper."""
    await readable_table(gateway, digests, person, table)
    response = Pdf(await _packet(gateway, table, round_, language, packet_pdf))
    return _exported(response, person, table, round_, "pdf")


async def _packet(
    gateway: Gateway, table: str, round_: int, language: Language, write: Callable[[Packet], bytes]
) -> bytes:
    """Return the packet of a round as a file."""

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
async def list_audited_shoes(
    gateway: Gateway, digests: OpeningDigests, person: Person, table: str
) -> list[ShoeListed] | StillReading:
    """List the shoes of a table, the newest first, as far as they are public."""
    await readable_table(gateway, digests, person, table)
    return await _or_progress(gateway.auditing.shoes(table))


@routes.get("/{table}/shoes/{shoe}", permission=Permission.READ_LOG)
async def check_shoe(
    gateway: Gateway, digests: OpeningDigests, person: Person, table: str, shoe: str
) -> ShoeChecked | StillReading:
    """Check a shoe: its commitment, what patrons contributed, the secret, and every card dealt from it."""
    checked = await _or_progress(
        gateway.auditing.check_shoe(await readable_table(gateway, digests, person, table), shoe)
    )
    if checked is None:
        raise Refused("not-found")
    return checked
