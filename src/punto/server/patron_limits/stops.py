"""Stops of gaming that the house has ordered."""

from __future__ import annotations

from punto.store.events.house_events import StopScope
from punto.store.house_journal import HouseJournal
from punto.table.refusal import Refusal, refuse


def stop_of(journal: HouseJournal, game: str, table: str) -> Refusal | None:
    """Return a refusal where gaming is stopped: rounds in play are concluded, and none begins."""
    about = ((StopScope.ALL, ""), (StopScope.GAME, game), (StopScope.TABLE, table))
    scope = next((scope for scope, subject in about if (scope.value, subject) in journal.stops), None)
    if scope is None:
        return None
    return refuse("play-stopped", case={StopScope.ALL: "all", StopScope.GAME: "game", StopScope.TABLE: "table"}[scope])
