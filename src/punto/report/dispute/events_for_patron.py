"""What a packet for one patron shows of an event: all of it, only that it happened, or nothing but a hash.

Only an event that says so may be shown (``in_packets``); what another patron gave or had is a hash in any case.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from typing import Any

from punto.store.codec import KINDS
from punto.store.records import EventRecord
from punto.store.words import MARK, WRITTEN
from punto.table.roles import Role

PATRON_FIELDS = frozenset({"patron", "patrons", "entitled", "instead_of", "drawn_by", "by_patron", "person"})
"""The fields of events, and of the wagers and circumstances in them, that name patrons."""


class Showing(StrEnum):
    """How much of an event is shown."""

    WHOLE = "whole"
    OUTLINE = "outline"
    """Its number, name, time, and the position of who gave it: it is about others too."""
    HASH = "hash"


def showing(recorded: EventRecord, patron: str, others: Collection[str] = ()) -> Showing:
    """Return how much of an event a patron may be shown; nothing whole that has one of the others anywhere in it."""
    is_of_other = recorded.position == Role.PATRON.value and recorded.by != patron
    kind = KINDS.get(recorded.name)
    if kind is None or not kind.in_packets or is_of_other:
        return Showing.HASH
    body = json.loads(recorded.body)
    top = {name: value for name, value in body.items() if not isinstance(value, dict) and not _is_nested(value)}
    if set(_named(top)) - {patron} and recorded.name != "WithdrawalOffered":
        return Showing.HASH
    has_others = set(_named(body)) - {patron} or any(f'"{other}"' in recorded.body.decode() for other in others)
    return Showing.OUTLINE if has_others or _has_words(body) else Showing.WHOLE


def others_in(events: Iterable[EventRecord], patron: str) -> set[str]:
    """Return the ids of all other patrons whom events name, or who gave them."""
    named = {each for recorded in events for each in _named(json.loads(recorded.body))}
    gave = {recorded.by for recorded in events if recorded.position == Role.PATRON.value}
    return (named | gave) - {patron}


def is_about(recorded: EventRecord, patron: str) -> bool:
    """Whether an event is the patron's own, or names them and no other patron, and is shown whole."""
    return showing(recorded, patron) is Showing.WHOLE and (
        recorded.by == patron or patron in _named(json.loads(recorded.body))
    )


def _is_nested(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(each, dict) for each in value)


def _named(body: Any) -> Iterator[str]:
    """Yield every patron that a body names."""
    if isinstance(body, list):
        for each in body:
            yield from _named(each)
    elif isinstance(body, dict):
        for name, value in body.items():
            if name in PATRON_FIELDS:
                yield from _texts(value)
            yield from _named(value)


def _has_words(body: Any) -> bool:
    """Whether a body has what a person wrote, not only its digest: a house did not always keep it apart."""
    if isinstance(body, list):
        return any(map(_has_words, body))
    if not isinstance(body, dict):
        return False
    own = [body.get(name) for name in WRITTEN]
    return any(isinstance(each, str) and each and not each.startswith(MARK) for each in own) or any(
        map(_has_words, body.values())
    )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str) and value:
        yield value
    elif isinstance(value, list):
        yield from (each for each in value if isinstance(each, str))
