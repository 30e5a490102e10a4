"""What one person asks about another and a second person has to confirm: a sign-in link, or to remove a second factor.

Who can sign in as another person can do what that person may. So nobody makes a link alone for a manager, an auditor
or a cashier, or for a patron who has a password of their own; and nobody removes a second factor alone.
"""

from __future__ import annotations

import secrets
from enum import StrEnum

from msgspec import Struct

from punto.server.access.identity import MINUTE, BadPerson, Duty, Giver, People, Person
from punto.server.access.permissions import MANAGERS
from punto.server.tables.stream_follower import Clock
from punto.store import people as sql
from punto.store.events.people_events import PersonChangeAsked, SecondFactorRemoved
from punto.store.house import record
from punto.store.protocol import Store
from punto.store.records import Change, Unchanged

REQUEST_LASTS = 60 * MINUTE
_GUARDED = MANAGERS | {Duty.AUDITOR, Duty.CASHIER}


class RequestKind(StrEnum):
    """What is asked."""

    LINK = "link"
    SECOND_FACTOR = "second-factor"


class PersonRequest(Struct, frozen=True):
    """A request that waits for a second person."""

    id: str
    what: RequestKind
    person: str
    asked_by: str
    asked_at: int
    expires_at: int


class PersonRequests:
    """The requests that wait in a store."""

    def __init__(self, store: Store, clock: Clock, people: People) -> None:
        self._store, self._clock, self._people = store, clock, people

    async def link_takes_two(self, person: Person) -> bool:
        """Tell whether a link for this person takes a second person."""
        if person.duty is Duty.PATRON:
            return await self._people.has_password(person.id)
        return person.duty in _GUARDED

    async def ask(self, what: RequestKind, person: Person, by: Giver) -> PersonRequest:
        """Ask for something; an earlier request for the same is dropped."""
        now = self._clock()
        request = PersonRequest(f"r{secrets.token_hex(8)}", what, person.id, by[0], now, now + REQUEST_LASTS)
        await self._store.ask(sql.DROP_REQUESTS, person.id, what.value)
        change = Change(sql.ASK_FOR, (request.id, what.value, person.id, by[0], now, request.expires_at))
        await record(self._store, [PersonChangeAsked(request.id, what.value, person.id)], now, by, [change])
        return request

    async def waiting(self) -> list[PersonRequest]:
        """Return the requests that wait, the oldest first."""
        rows = await self._store.ask(sql.REQUESTS, self._clock())
        return [PersonRequest(id_, RequestKind(what), *rest) for id_, what, *rest in rows]

    def check_second(self, request: PersonRequest, by: Giver) -> None:
        """Raise ``BadPerson`` if this person cannot confirm a request: who asked, and whom it is about, cannot."""
        if by[0] in (request.asked_by, request.person):
            raise BadPerson("second-person-other")

    async def make_link(self, request: PersonRequest, valid_ms: int, by: Giver) -> str:
        """Confirm a request for a link and return its token."""
        self.check_second(request, by)
        return await self._people.make_link(request.person, valid_ms, by, request.asked_by, self._taking(request))

    async def remove_factor(self, request: PersonRequest, by: Giver) -> None:
        """Confirm a request to remove a second factor. Sessions and links of the person end."""
        self.check_second(request, by)
        event = SecondFactorRemoved(request.person, request.asked_by)
        changes = self._taking(request), Change(sql.DROP_FACTOR, (request.person,))
        try:
            await record(self._store, [event], self._clock(), by, changes)
        except Unchanged:
            raise BadPerson("request-over") from None
        await self._store.ask(sql.ERASE_RECOVERY, request.person)

    def _taking(self, request: PersonRequest) -> Change:
        return Change(sql.TAKE_REQUEST, (request.id, self._clock()))
