"""Cases for the school from the house's own tables: found as their logs grow, and told without names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from punto.report.round_index import Chronicle
from punto.rules.rulebook import Rulebook
from punto.school.drills.house_drill import TOLD, HouseCase, question
from punto.school.lesson import Plan
from punto.school.question import Drill, DrillQuestion
from punto.school.seeded_chance import Lot
from punto.server.gateway import Gateway
from punto.server.http.log_digest import LogDigests
from punto.server.refused import Refused
from punto.server.running.audit_jobs import NotRead
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.table.event import Irregularity

MOST_CASES = 100
"""Of one game, the newest."""
_AT_ONCE = 8
"""Events that one command brings about at most."""
Where = tuple[str, int]
"""A table and the number of an event there."""


class CasesOfTable:
    """The events of a table that may become a case: their numbers and times."""

    def __init__(self) -> None:
        self.number = 0
        self.found: list[tuple[int, int]] = []

    def take_in(self, events: Iterable[EventRecord]) -> None:
        """Take in the events that come next."""
        for recorded in events:
            self.number = recorded.number
            if recorded.name in TOLD:
                self.found.append((recorded.number, recorded.at))


class HouseCases(LogDigests[CasesOfTable]):
    """The cases of every table, with the questions made of them."""

    def __init__(self, store: Reader) -> None:
        super().__init__(store, lambda _: CasesOfTable())
        self._made: dict[Where, DrillQuestion | None] = {}

    async def of_game(self, gateway: Gateway, book: Rulebook, until: int) -> list[DrillQuestion]:
        """Return the questions that what happened at the tables of a game up to a time makes, the newest first."""
        served = [each for each in gateway.floor.tables.values() if each.book.key == book.key]
        found = [(at, each.name, number) for each in served for number, at in (await self.of(each)).found]
        newest = sorted((each for each in found if each[0] <= until), reverse=True)[:MOST_CASES]
        made = [await self._question(gateway, (table, number)) for _, table, number in newest]
        return [each for each in made if each]

    async def count(self, gateway: Gateway, book: Rulebook) -> int:
        """Return how many events at the tables of a game may become a case."""
        served = [each for each in gateway.floor.tables.values() if each.book.key == book.key]
        return sum([len((await self.of(each)).found) for each in served])

    async def _question(self, gateway: Gateway, where: Where) -> DrillQuestion | None:
        if where not in self._made:
            case = await _case(gateway, where)
            self._made[where] = question(case, Lot("house", *where)) if case else None
        return self._made[where]


async def _case(gateway: Gateway, where: Where) -> HouseCase | None:
    """Return a case: the table before its event, and after everything that the same command brought about."""
    table, number = where

    async def work(store: Reader, chronicle: Chronicle) -> HouseCase | None:
        moments = [each async for each in chronicle.moments(store, number, number + _AT_ONCE)]
        first, given = moments[0], (moments[0].recorded.at, moments[0].recorded.by)
        same = [each for each in moments if (each.recorded.at, each.recorded.by) == given]
        event, before, after = first.event, first.before, same[-1].after
        if not isinstance(event, Irregularity) or before is None or after is None:
            return None
        return HouseCase(event, before, after)

    while True:
        try:
            return await gateway.auditing.look(table, work)
        except NotRead:
            continue  # a long log is read in several parts


@dataclass(frozen=True, eq=False)
class HousePlan(Plan):
    """A lesson of the house's own cases, in an order that follows from the seed."""

    made: Sequence[DrillQuestion] = ()

    @cached_property
    def _order(self) -> list[DrillQuestion]:
        return Lot(self.seed, "house").shuffled(list(self.made))

    def question(self, number: int) -> DrillQuestion:
        return self._order[number % len(self._order)]

    @property
    def turns(self) -> list[tuple[Rulebook, Drill]]:
        return [(book, Drill.HOUSE) for book in self.books if self.made]

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


async def house_plan(
    gateway: Gateway, cases: HouseCases, books: tuple[Rulebook, ...], seed: int, until: int | None
) -> HousePlan:
    """Return a lesson of what happened at the house's tables up to a time; raise ``Refused`` if nothing did."""
    last = gateway.clock() if until is None else until
    made = [each for book in books for each in await cases.of_game(gateway, book, last)]
    if not made:
        raise Refused("not-found")
    return HousePlan(books, (Drill.HOUSE,), seed, made)
