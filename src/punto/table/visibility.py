"""Who may see a field of an event or a view: written on the field, and staff alone unless it is marked ``Public``."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Annotated, Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields

T = TypeVar("T")


class Audience(StrEnum):
    """A circle of readers. Staff may see everything the public may see."""

    PUBLIC = "public"
    STAFF = "staff"


Public = Annotated[T, Audience.PUBLIC]
"""The type of a field that the public may see."""


@cache
def visible_fields(kind: type[Struct], audience: Audience) -> tuple[str, ...]:
    """Return the names of the fields of an event or view that an audience may see, in order."""
    return tuple(each.name for each in fields(kind) if audience is Audience.STAFF or _is_public(each.type))


@cache
def is_told(kind: type[Struct], audience: Audience) -> bool:
    """Return whether an audience learns of events of this kind at all.

    The public learns of an event with a public field, and of one whose class says ``announced``.
    """
    return audience is Audience.STAFF or getattr(kind, "announced", False) or bool(visible_fields(kind, audience))


def _is_public(hint: Any) -> bool:
    return Audience.PUBLIC in getattr(hint, "__metadata__", ())
