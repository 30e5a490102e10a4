"""Which events of the house and the cage a person may find: those of what the house shows them elsewhere too."""

from __future__ import annotations

from collections.abc import Mapping

from punto.server.access.identity import Duty
from punto.server.access.permissions import Permission
from punto.store.events import cage_events, limit_events, people_events
from punto.store.events.cage_events import SlipMove
from punto.store.events.house_events import LessonGraded, PersonAllowed, PersonErased, PersonNamed, PersonSignedIn
from punto.table.event import Event

_OF_PEOPLE: tuple[type[Event], ...] = (PersonNamed, PersonErased, PersonSignedIn, PersonAllowed, *people_events.KINDS)
NEEDED: Mapping[type[Event], Permission] = {
    **dict.fromkeys(_OF_PEOPLE, Permission.SEE_PEOPLE),
    LessonGraded: Permission.SEE_TRAINING,
    **dict.fromkeys(limit_events.EVENTS.values(), Permission.SEE_ACCOUNTS),
    **{
        kind: Permission.SEE_SLIPS if issubclass(kind, SlipMove) else Permission.SEE_ACCOUNTS
        for kind in cage_events.EVENTS.values()
    },
}
"""The permission that a kind of event takes beyond that to search."""


def is_shown_to(duty: Duty, event: Event) -> bool:
    """Tell whether people of a duty who search may find an event."""
    needed = NEEDED.get(type(event))
    return needed is None or needed.is_given_to(duty)
