"""Significant events of the whole house: searched, and exported for a span of time."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta

from punto.report.legend import Legend
from punto.report.significant.files import SignificantReport, significant_csv
from punto.report.significant.kinds import SignificantKind
from punto.report.significant.search import SignificantFound, SignificantSearch, SignificantSought, streams_of
from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.access.shown_events import is_shown_to
from punto.server.gateway import Gateway
from punto.server.http.audit import Time, known_table
from punto.server.pit.alert_routes import TableWatches, all_alerts
from punto.server.pit.raised_alerts import raised_at
from punto.server.routing.answers import Csv, offer_as_file
from punto.server.routing.routes import Routes
from punto.server.running.server_log import log
from punto.server.tables.blind_count import check_shown, hidden_tables, is_about
from punto.store.protocol import Reader
from punto.table.event import Event
from punto.texts import Language

MOST_EXPORTED = 50_000
"""Events in one file: it says so if there are more."""
Name = Annotated[str, Meta(max_length=64)]
TableName = Annotated[str, Meta(max_length=100)]
Ask = Callable[[SignificantSearch], Coroutine[Any, Any, Any]]
routes = Routes("/api/audit/significant", "audit")


class FileFormat(StrEnum):
    """How the file is written."""

    JSON = "json"
    CSV = "csv"


@routes.get("", permission=Permission.SEARCH_LOG)
async def find_significant(
    gateway: Gateway,
    watches: TableWatches,
    caller: Person,
    kind: SignificantKind | None = None,
    person: Name | None = None,
    table: TableName | None = None,
    since: Time | None = None,
    until: Time | None = None,
    before: Annotated[str, Meta(max_length=300)] = "",
    language: Language = Language.ENGLISH,
) -> SignificantFound:
    """Find significant events, as far as the caller may see them; the newest first, ``more`` names where to go on."""
    sought = await _sought(gateway, caller, kind, person, table, since, until)
    found = await _searched(gateway, watches, caller, sought, language, lambda search: search.find(before))
    assert isinstance(found, SignificantFound)
    return found


@routes.get("/file", permission=Permission.SEARCH_LOG)
async def export_significant(
    gateway: Gateway,
    watches: TableWatches,
    caller: Person,
    kind: SignificantKind | None = None,
    person: Name | None = None,
    table: TableName | None = None,
    since: Time | None = None,
    until: Time | None = None,
    format_: FileFormat = FileFormat.JSON,
    language: Language = Language.ENGLISH,
) -> SignificantReport | Csv:
    """Export significant events, as far as the caller may see them, for other programs; the newest first."""
    sought, now = await _sought(gateway, caller, kind, person, table, since, until), gateway.clock()

    async def every(search: SignificantSearch) -> SignificantReport:
        found = [each async for each in search.every(MOST_EXPORTED + 1)]
        settings, shown = gateway.floor.settings, tuple(found[:MOST_EXPORTED])
        return SignificantReport(settings, since, until or now, now, shown, len(found) > MOST_EXPORTED)

    made = await _searched(gateway, watches, caller, sought, language, every)
    assert isinstance(made, SignificantReport)
    log.info("significant events exported", by=caller.id, events=len(made.events))
    if format_ is FileFormat.JSON:
        return made
    response = Csv(significant_csv(made))
    offer_as_file(response, f"punto-significant-{made.until}.csv")
    return response


async def _sought(
    gateway: Gateway,
    caller: Person,
    kind: SignificantKind | None,
    person: str | None,
    table: str | None,
    since: int | None,
    until: int | None,
) -> SignificantSought:
    if table:
        await check_shown(gateway.floor, caller, known_table(gateway, table))
    people = {each.id for each in await gateway.people.everybody(person)} if person else None
    return SignificantSought({kind} if kind else None, people, table or None, since, until)


async def _searched(
    gateway: Gateway, watches: TableWatches, caller: Person, sought: SignificantSought, language: Language, ask: Ask
) -> object:
    """Search in the background, with the alerts of the pit, what the caller may see."""
    hidden, floor = await hidden_tables(gateway.floor, caller), gateway.floor
    tables = [name for name in floor.created if name not in hidden]
    alerts = await all_alerts(gateway, watches, caller)
    shown = ((each.table, each.kind, each.number, each.values) for each in alerts if each.table not in hidden)
    raised = raised_at(shown, language)

    def is_shown(event: Event) -> bool:
        return is_shown_to(caller.duty, event) and not is_about(event, hidden)

    async def work(store: Reader) -> object:
        streams = await streams_of(store, tables, Permission.SEE_ACCOUNTS.is_given_to(caller.duty))
        search = SignificantSearch(
            store, streams, floor.created, sought, Legend(language), floor.settings_at, raised, is_shown
        )
        return await ask(search)

    return await gateway.auditing.jobs.run(work)
