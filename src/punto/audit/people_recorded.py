"""The people of a house followed by its events, to compare with the rows that the database has of them.

Part of the auditor: a duty, a password or a second factor that was changed in the database, or a person who was added
there, is found. It shares nothing with the server that brought the events about but the digest of a stored hash.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from punto.audit.finding import Finding, finding
from punto.store.events.house_events import HOUSE, PersonAllowed, PersonErased, PersonNamed
from punto.store.events.people_events import (
    PasswordSet,
    PeopleTakenOver,
    SecondFactorRemoved,
    SecondFactorSet,
    stored_digest,
)
from punto.store.people import PersonRow
from punto.table.event import Event


@dataclass(frozen=True, slots=True)
class _Rights:
    """What the events say of a person."""

    duty: str
    active: bool = True
    password: str = ""
    factor: str = ""


class PeopleRecorded:
    """Follows the events about people."""

    def __init__(self) -> None:
        self._people: dict[str, _Rights] = {}
        self._complete = False
        """Whether the events tell of every change: they do once an older database was taken over."""

    def look_at(self, event: Event) -> None:
        """Follow the event that comes next."""
        if isinstance(event, PeopleTakenOver):
            self._complete = True
            self._people |= {each.person: _Rights(each.duty, each.active, each.password) for each in event.people}
        elif isinstance(event, PersonNamed):
            self._people.setdefault(event.person, _Rights(event.duty))
        elif isinstance(event, PersonErased):
            self._change(event.person, active=False, password="", factor="")
        else:
            self._look_at_rights(event)

    def _look_at_rights(self, event: Event) -> None:
        match event:
            case PersonAllowed(person=person, active=active):
                self._change(person, active=active)
            case PasswordSet(person=person, password=password):
                self._change(person, password=password)
            case SecondFactorSet(person=person, secret=secret):
                self._change(person, factor=secret)
            case SecondFactorRemoved(person=person):
                self._change(person, factor="")

    def _change(self, person: str, **to: object) -> None:
        known = self._people.get(person)
        if known:
            self._people[person] = replace(known, **to)  # type: ignore[arg-type]

    def compare(self, rows: Iterable[PersonRow]) -> list[Finding]:
        """Return where the database differs from the events; nothing of one from before they tell everything."""
        if not self._complete:
            return []
        found = {row.id: row for row in rows}
        missing = [finding(HOUSE, None, "person-missing", person=each) for each in self._people if each not in found]
        return missing + [each for row in found.values() for each in self._compared(row)]

    def _compared(self, row: PersonRow) -> list[Finding]:
        known = self._people.get(row.id)
        if known is None:
            return [finding(HOUSE, None, "person-unknown", person=row.id)]
        found: list[Finding] = []
        if row.duty != known.duty:
            found.append(finding(HOUSE, None, "duty-altered", person=row.id))
        if row.active != known.active:
            found.append(finding(HOUSE, None, "active-altered", person=row.id))
        if stored_digest(row.password) != known.password:
            found.append(finding(HOUSE, None, "password-altered", person=row.id))
        if stored_digest(row.factor) != known.factor:
            found.append(finding(HOUSE, None, "second-factor-altered", person=row.id))
        return found
