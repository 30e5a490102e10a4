"""The verification of a table's whole log, in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from punto.audit.finding import Kind
from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.http.audit import readable_table
from punto.server.http.pit import OpeningDigests
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.server.running.audit_jobs import Verification
from punto.server.running.server_log import log
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE
from punto.store.events.shoe_events import SHOES


class State(StrEnum):
    """How far the verification of a log is, or how it ended."""

    NEVER = "never"
    RUNNING = "running"
    WHOLE = "whole"
    BROKEN = "broken"
    FAILED = "failed"
    """It could not be finished."""


class FindingShown(Struct, frozen=True):
    """A fault in a log: where it is, of which kind, and what exactly, as a code with values and as a sentence."""

    stream: str
    event: int | None
    kind: Kind
    code: str
    values: Mapping[str, Any]
    sentence: str
    own: bool
    """Whether it is in the log of the table itself."""


class StreamShown(Struct, frozen=True):
    """A stream whose events are all in order, from the first to the last that is named."""

    stream: str
    about: str
    """Its subject: the table, its shoes, the house or the cage."""
    last: int
    hash: str
    heads: int
    """How many signed heads agree with it."""


class Verified(Struct, frozen=True):
    """The verification of a table's log: chain, heads, rounds and books."""

    table: str
    state: State
    read: int
    of: int
    rounds: int
    began: int | None
    ended: int | None
    streams: tuple[StreamShown, ...]
    findings: tuple[FindingShown, ...]


routes = Routes("/api/audit/tables/{table}/verification", "audit")


@routes.post("", permission=Permission.READ_LOG, while_closed=True)
async def begin_verification(gateway: Gateway, digests: OpeningDigests, person: Person, table: str) -> Verified:
    """Verify the log of a table from its first event, in the background."""
    await readable_table(gateway, digests, person, table)
    if gateway.floor.stopping:
        raise Refused("stopping")
    log.info("verification begun", table=table, by=person.id)
    return _verified(table, gateway.auditing.begin(table, gateway.floor.spawn))


@routes.get("", permission=Permission.READ_LOG)
async def show_verification(gateway: Gateway, digests: OpeningDigests, person: Person, table: str) -> Verified:
    """Return how far the verification is, and what it has found."""
    await readable_table(gateway, digests, person, table)
    return _verified(table, gateway.auditing.verifications.get(table))


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
