"""A patron's own statement: what moved on their account and what they played by game, for a year unless they say."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import date, timedelta

from starlette.requests import Request

from punto.books.shift_totals import Span
from punto.report.paper.statement import GamePlayed, OwnStatement, own_statement_pdf, statement
from punto.server.access.identity import Person
from punto.server.gateway import Gateway
from punto.server.history.history_routes import MOST_EXPORTED, asked_for, up_to_date
from punto.server.http.audit import StillReading
from punto.server.refused import Refused
from punto.server.routing.answers import Pdf, offer_as_file
from punto.server.routing.guard import throttle
from punto.server.routing.routes import Routes
from punto.store import play_rows
from punto.store.play_rows import PlaySession
from punto.texts import Language

A_YEAR = timedelta(days=365)

routes = Routes("/api/history", "history")


@routes.get("/statement")
async def show_own_statement(
    gateway: Gateway, person: Person, request: Request, since: date | None = None, until: date | None = None
) -> OwnStatement | StillReading:
    """Return the caller's statement by gaming days: of the past year, unless days are given."""
    return await _statement(gateway, person, request, since, until)


@routes.get("/statement.pdf")
async def print_own_statement(
    gateway: Gateway,
    person: Person,
    request: Request,
    since: date | None = None,
    until: date | None = None,
    language: Language = Language.ENGLISH,
) -> Pdf | StillReading:
    """Return the same statement to print."""
    told = await _statement(gateway, person, request, since, until)
    if isinstance(told, StillReading):
        return told
    response = Pdf(await asyncio.to_thread(own_statement_pdf, told, gateway.floor.settings, language))
    offer_as_file(response, "punto-statement.pdf")
    return response


async def _statement(
    gateway: Gateway, person: Person, request: Request, since: date | None, until: date | None
) -> OwnStatement | StillReading:
    throttle(gateway.statements, request)
    if (reading := await up_to_date(gateway)) is not None:
        return reading
    store, now = gateway.floor.store, gateway.clock()
    last = until or gateway.floor.settings.day_of(now)
    begin = since or max(last, date.min + A_YEAR) - A_YEAR
    asked = asked_for(gateway, person, None, begin, until)
    account = await statement(store, person.id, person.name, Span(asked.since, min(asked.until, now + 1)))
    found = await play_rows.sessions(store, asked, MOST_EXPORTED + 1)
    if len(found) > MOST_EXPORTED:
        raise Refused("cannot-be", case="history-too-long", most=MOST_EXPORTED)
    return OwnStatement(account, tuple(_by_game(gateway, found)))


def _by_game(gateway: Gateway, found: Iterable[PlaySession]) -> Iterable[GamePlayed]:
    created, games = gateway.floor.created, gateway.floor.games
    by_game: dict[str, list[PlaySession]] = {}
    for each in found:
        by_game.setdefault(created.get(each.stream, ""), []).append(each)
    for game, sessions in sorted(by_game.items()):
        rounds, staked, net, bought, cashed = (
            sum(getattr(each, name) for each in sessions) for name in ("rounds", "staked", "net", "bought", "cashed")
        )
        yield GamePlayed(game, games[game].title if game in games else "", rounds, staked, net, bought, cashed)
