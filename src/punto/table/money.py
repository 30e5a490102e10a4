"""Amounts of money: whole cents, marked as such on the field that holds one."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields


class Unit(StrEnum):
    """What a number counts."""

    CENTS = "cents"


Cents = Annotated[int, Unit.CENTS]
"""The type of an amount of money."""


class Pieces(Struct, frozen=True):
    """Chips of one denomination, as they were counted."""

    value: Cents
    """Of one chip."""
    number: int

    @property
    def amount(self) -> int:
        return self.value * self.number


@cache
def money_fields(kind: type[Struct]) -> frozenset[str]:
    """Return the names of the fields that hold an amount of money."""
    return frozenset(each.name for each in fields(kind) if _is_amount(each.type))


def _is_amount(hint: Any) -> bool:
    parts = get_args(hint)
    return Unit.CENTS in parts or (get_origin(hint) in (Annotated, Union, UnionType) and any(map(_is_amount, parts)))
