"""The last rounds at a table, as patrons look them up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

from punto.cards import Card
from punto.rules.coup import OutcomeClass, hand_total
from punto.server.access.identity import Person
from punto.server.gateway import Gateway
from punto.server.http.log_digest import LogDigests
from punto.server.routing.routes import Routes
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.table.event import Settled
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.void import RoundVoided
from punto.table.table import SettledRound, Table

MOST_ROUNDS = 200
LOOKED_BACK = 2_000
"""Events: how far back the first request looks for rounds that were void or corrected."""


class HandShown(Struct, frozen=True):
    """A hand of a round that is over, and its point total."""

    cards: tuple[Card, ...]
    total: int


class RoundShown(Struct, frozen=True):
    """A round that is over: its cards and outcome, and to a patron what became of their own wagers."""

    round: int
    player: HandShown | None
    banker: HandShown | None
    winner: str | None
    """None for a void round, as are its cards."""
    void: bool = False
    corrected: bool = False
    clause: str | None = None
    """By which it was void, or corrected."""
    mine: tuple[Settled, ...] = ()


class IrregularRounds:
    """Which rounds of a table were void or corrected, by which clause."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.void: dict[int, str | None] = {}
        self.corrected: dict[int, str | None] = {}

    def take_in(self, events: Iterable[EventRecord]) -> None:
        """Take in the events that come next."""
        for recorded in events:
            self.number, event = recorded.number, recorded.event
            if isinstance(event, RoundVoided):
                self.void[event.round] = event.clause
            elif isinstance(event, RoundCorrected):
                kept = self.corrected if event.coup else self.void
                kept[event.round] = event.clause
        for kept in (self.void, self.corrected):
            for old in sorted(kept)[:-MOST_ROUNDS]:
                del kept[old]


class RoundDigests(LogDigests[IrregularRounds]):
    """The irregular rounds of every table."""

    def __init__(self, store: Reader) -> None:
        super().__init__(store, lambda served: IrregularRounds(max(0, served.actor.number - LOOKED_BACK)))


routes = Routes("/api", "pages")


@routes.get("/tables/{table}/rounds")
async def list_rounds(
    gateway: Gateway,
    digests: RoundDigests,
    person: Person | None,
    table: str,
    most: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 20,
) -> list[RoundShown]:
    """List the last rounds of this shoe and the one before, the newest first."""
    served = await gateway.refreshed(table)
    irregular = await digests.of(served)
    shown = _rounds(served.table, irregular, person.id if person else None)
    return sorted(shown, key=lambda each: -each.round)[:most]


def _rounds(table: Table, irregular: IrregularRounds, patron: str | None) -> Iterable[RoundShown]:
    for number, settled in table.history.items():
        yield _round(number, settled, number in irregular.corrected, irregular.corrected.get(number), patron)
    first = min(table.history, default=1)
    for number, clause in irregular.void.items():
        if number >= first and number not in table.history:
            yield RoundShown(number, None, None, None, void=True, clause=clause)


def _round(number: int, settled: SettledRound, corrected: bool, clause: str | None, patron: str | None) -> RoundShown:
    player, banker = (HandShown(cards, hand_total(cards)) for cards in (settled.player, settled.banker))
    winner = OutcomeClass(player.total, banker.total, len(player.cards), len(banker.cards)).winner.value
    mine = tuple(each for each in settled.wagers if each.patron == patron)
    return RoundShown(number, player, banker, winner, corrected=corrected, clause=clause, mine=mine)
