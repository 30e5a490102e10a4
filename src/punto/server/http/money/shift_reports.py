"""Reports of shifts and of gaming days: what every table made, to read, to print and for other programs."""

from __future__ import annotations

import asyncio
from datetime import date
from enum import StrEnum
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from punto.books.shift_totals import Span
from punto.report.shift.shift_csv import shift_csv
from punto.report.shift.shift_report import ShiftReport, day_span, shift_report
from punto.report.shift.shift_sheet import ShiftSheet, shift_pdf, shift_sheet
from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.refused import Refused
from punto.server.routing.answers import Csv, Pdf, offer_as_file
from punto.server.routing.routes import Routes
from punto.server.tables.blind_count import hidden_tables
from punto.table.guards import MOST
from punto.texts import Language


class ReportFormat(StrEnum):
    """How a report is written."""

    JSON = "json"
    PDF = "pdf"
    CSV = "csv"


Milliseconds = Annotated[int, Meta(ge=0, lt=MOST)]
"""A time, counted from 1970."""
routes = Routes("/api", "reports")


@routes.get("/shift-report", permission=Permission.REPORT_SHIFTS)
async def report_shift(
    gateway: Gateway,
    person: Person,
    from_: Milliseconds = 0,
    to: Milliseconds | None = None,
    format_: ReportFormat = ReportFormat.JSON,
    language: Language = Language.ENGLISH,
) -> ShiftReport | Pdf | Csv:
    """Report what every table made from one time up to another, or up to now.

    Times are milliseconds since 1970. From 0 it begins with the first event at any table.
    """
    span = _span(gateway, from_, to)
    made = await _report(gateway, person, span, language)
    return await _written(made, format_, language, f"punto-shift-{span.start}-{span.end}")


@routes.get("/shift-sheet", permission=Permission.REPORT_SHIFTS)
async def show_shift(
    gateway: Gateway,
    person: Person,
    from_: Milliseconds = 0,
    to: Milliseconds | None = None,
    language: Language = Language.ENGLISH,
) -> ShiftSheet:
    """Return the same report in words, as it is printed."""
    return shift_sheet(await _report(gateway, person, _span(gateway, from_, to), language), language)


@routes.get("/day-report", permission=Permission.REPORT_SHIFTS)
async def report_day(
    gateway: Gateway,
    person: Person,
    day: date | None = None,
    format_: ReportFormat = ReportFormat.JSON,
    language: Language = Language.ENGLISH,
) -> ShiftReport | Pdf | Csv:
    """Report a gaming day by its date, or the present one up to now."""
    made = await _report_day(gateway, person, day, language)
    return await _written(made, format_, language, f"punto-day-{made.day}")


@routes.get("/day-sheet", permission=Permission.REPORT_SHIFTS)
async def show_day(
    gateway: Gateway, person: Person, day: date | None = None, language: Language = Language.ENGLISH
) -> ShiftSheet:
    """Return the same report in words, as it is printed."""
    return shift_sheet(await _report_day(gateway, person, day, language), language)


def _span(gateway: Gateway, start: int, end: int | None) -> Span:
    until = gateway.clock() if end is None else end
    if start >= until:
        raise Refused("bad-message", case="span")
    return Span(start, until)


async def _report_day(gateway: Gateway, person: Person, day: date | None, language: Language) -> ShiftReport:
    settings, now = gateway.floor.settings, gateway.clock()
    of = day or settings.day_of(now)
    try:
        span = day_span(settings, of, now)
    except OverflowError:
        raise Refused("bad-message", case="span") from None
    if not 0 < span.start < span.end:
        raise Refused("bad-message", case="span")
    return await _report(gateway, person, span, language, of)


async def _report(
    gateway: Gateway, person: Person, span: Span, language: Language, day: date | None = None
) -> ShiftReport:
    games, hidden = list(gateway.floor.games.values()), await hidden_tables(gateway.floor, person)
    journal = await gateway.floor.read_journal()
    made = await shift_report(
        gateway.floor.store, games, span, language=language, day=day, being_counted=hidden, journal=journal
    )
    return replace(made, made_at=gateway.clock())


async def _written(made: ShiftReport, format_: ReportFormat, language: Language, name: str) -> ShiftReport | Pdf | Csv:
    if format_ is ReportFormat.JSON:
        return made
    if format_ is ReportFormat.PDF:
        response: Pdf | Csv = Pdf(await asyncio.to_thread(shift_pdf, made, language))
    else:
        response = Csv(shift_csv(made))
    offer_as_file(response, f"{name}.{format_.value}")
    return response
