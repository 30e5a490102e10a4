"""Ratings of patrons, for the pit."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from punto.books.shift_totals import Span
from punto.report.ratings import Rating, ratings, ratings_csv
from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.http.audit import Time
from punto.server.refused import Refused
from punto.server.routing.answers import Csv, offer_as_file
from punto.server.routing.routes import Routes
from punto.server.tables.blind_count import check_shown, hidden_tables
from punto.store.protocol import Reader

DAY = 24 * 60 * 60_000


class RatingsFormat(StrEnum):
    """How ratings are written."""

    JSON = "json"
    CSV = "csv"


routes = Routes("/api", "the pit")


@routes.get("/ratings", permission=Permission.SEE_PIT)
async def rate_patrons(
    gateway: Gateway,
    person: Person,
    from_: Time | None = None,
    to: Time | None = None,
    table: Annotated[str, Meta(max_length=100)] | None = None,
    format_: RatingsFormat = RatingsFormat.JSON,
) -> list[Rating] | Csv:
    """Rate the play of every patron from one time up to another; the last day unless times are given."""
    until = gateway.clock() if to is None else to
    since = max(0, until - DAY) if from_ is None else from_
    if since >= until:
        raise Refused("bad-message", case="span")

    if table:
        await check_shown(gateway.floor, person, table)
    hidden = await hidden_tables(gateway.floor, person)
    tables = [each for each in (await gateway.floor.read_journal()).tables if each not in hidden]

    async def work(store: Reader) -> list[Rating]:
        return await ratings(store, gateway.floor.games.values(), Span(since, until), tables, table)

    rated = await gateway.auditing.jobs.run(work)
    if format_ is RatingsFormat.JSON:
        return rated
    response = Csv(ratings_csv(rated, gateway.floor.settings))
    offer_as_file(response, f"punto-ratings-{since}-{until}.csv")
    return response
