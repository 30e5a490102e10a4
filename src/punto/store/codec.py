"""Events as bytes and back. Their names are stable, their bodies have versions, and older ones are still read.

The table's own classes are the only definition of an event: what is stored is what they say, as JSON.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import msgspec

from punto.store.events import cage_events, house_events, limit_events, shoe_events
from punto.table import registry
from punto.table.event import Event
from punto.table.evolve import EVENTS

KINDS: dict[str, type[Event]] = (
    EVENTS | house_events.EVENTS | shoe_events.EVENTS | cage_events.EVENTS | limit_events.EVENTS
)
"""Every kind of event that is stored, by name."""

UPCASTERS = {(kind.__name__, version): upcast for (kind, version), upcast in registry.UPCASTERS.items()}
"""By name and version: how the body of an event is brought to the next version."""

VERSIONS = {name: version + 1 for name, version in sorted(UPCASTERS)}
"""The version an event has now, where it is not the first."""


class UnknownEvent(ValueError):
    """An event that cannot be read: of an unknown name, of a later version, or broken."""


def encode_other(value: object) -> str:
    """Encode what msgspec does not: a ratio."""
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    raise NotImplementedError(type(value).__name__)


def decode_other(kind: type[Any], value: Any) -> object:
    """Decode it again."""
    if kind is Fraction and isinstance(value, str):
        return _fraction(value)
    raise NotImplementedError(kind.__name__)


@lru_cache(maxsize=1_000)
def _fraction(text: str) -> Fraction:
    """Read a ratio, cached because few of them occur."""
    return Fraction(text)


encoder = msgspec.json.Encoder(enc_hook=encode_other)
"""Encodes everything that the values of a table hold."""


@cache
def _decoder(name: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(KINDS[name], dec_hook=decode_other)


def version_of(name: str) -> int:
    """Return the version in which an event of this name is written now."""
    return VERSIONS.get(name, 1)


def encode(event: Event) -> tuple[str, int, bytes]:
    """Return an event's name, version and body."""
    name = type(event).__name__
    return name, version_of(name), encoder.encode(event)


def decode(name: str, version: int, body: bytes) -> Event:
    """Return the event, brought up to date if it is of an older version."""
    latest = version_of(name)
    if name not in KINDS or not 1 <= version <= latest:
        raise UnknownEvent(f"there is no event {name}, version {version}")
    try:
        if version < latest:
            body = _brought_up_to_date(name, version, body)
        event: Event = _decoder(name).decode(body)
    except (msgspec.MsgspecError, ValueError, KeyError, ZeroDivisionError) as error:
        raise UnknownEvent(f"{name}, version {version}, cannot be read: {error}") from None
    return event


def _brought_up_to_date(name: str, version: int, body: bytes) -> bytes:
    content: dict[str, Any] = msgspec.json.decode(body)
    while version < version_of(name):
        content = UPCASTERS[name, version](content)
        version += 1
    return encoder.encode(content)
