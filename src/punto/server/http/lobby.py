"""The lobby: every table at a glance."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from punto.server.gateway import Gateway
from punto.server.http.roads import DrawnRoads, MarkShown, ShoeProgress, drawn_roads, marks_of, shoe_progress
from punto.server.routing.routes import Routes
from punto.server.tables.served_table import ServedTable
from punto.table.round import Phase
from punto.table.settings import Limits


class LobbyTable(Struct, frozen=True):
    """A table as the lobby shows it."""

    table: str
    game: str
    title: str
    number: int
    phase: Phase
    round: int
    hold: str | None
    deadline: int | None
    patrons: int
    """How many have chips there."""
    positions: int
    limits: Mapping[str, Limits]
    method: str | None
    hlga: bool
    shoe: ShoeProgress | None
    big_road: tuple[MarkShown, ...]
    rounds: int
    """Of this shoe."""
    room: str | None = None
    """Of the HLGA, where it was recorded."""
    roads: DrawnRoads | None = None
    betting_seconds: int | None = None
    """How long bets are open."""
    squeezing: bool = False
    """Whether patrons are passed the cards."""


routes = Routes("/api/lobby", "pages")


@routes.get("")
async def list_lobby(gateway: Gateway) -> list[LobbyTable]:
    """List every table as the lobby shows it."""
    await gateway.floor.others.refresh_all()
    return [_in_lobby(each) for each in gateway.floor.tables.values()]


@routes.get("/{table}")
async def show_lobby_table(gateway: Gateway, table: str) -> LobbyTable:
    """Return one table as the lobby shows it."""
    return _in_lobby(await gateway.refreshed(table))


def _in_lobby(served: ServedTable) -> LobbyTable:
    table, marks = served.table, marks_of(served.table)
    setting, roads = table.setting, drawn_roads(marks)
    method = table.book.method(setting.method) if setting else None
    return LobbyTable(
        table=served.name,
        game=table.book.key,
        title=table.book.title,
        number=served.actor.number,
        phase=table.phase,
        round=table.round_number,
        hold=table.hold.provision if table.hold else None,
        deadline=table.window.deadline if table.window else None,
        patrons=sum(1 for chips in table.chips.values() if chips),
        positions=setting.positions if setting else 0,
        limits=setting.limits if setting else {},
        method=setting.method if setting else None,
        hlga=bool(setting and setting.hlga),
        shoe=shoe_progress(table),
        big_road=roads.big_road,
        rounds=len(marks),
        room=setting.room if setting else None,
        roads=roads,
        betting_seconds=setting.betting_seconds if setting else None,
        squeezing=bool(method and method.patrons_handle_cards),
    )
