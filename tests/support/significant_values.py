"""One event of each significant kind, with something in each field, and the names of all values read from them."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

from punto.cards import Card, parse_cards
from punto.report.significant.kinds import TABLE
from punto.store.house_settings import HouseSettings

(CARD,) = parse_cards("4h")
OF_ALERTS = (
    "alert allowed amount apart count counted difference expected high low patron person position provision round "
    "rounds wager won"
)
"""Values of the alerts that are significant."""


def value_names() -> set[str]:
    """Return what every value of a significant event is called, without the wager that may follow."""
    read = {name.partition(" ")[0] for kind in TABLE for side in TABLE[kind].read(sample(kind)) for name in side}
    return read | set(HouseSettings.__struct_fields__) | set(OF_ALERTS.split()) | {"limit_ms"}


def sample(kind: type[Any]) -> Any:
    """Return an event of a kind, or a value in one, with something in each field."""
    return kind(**{each.name: some(each.type) for each in fields(kind)})


def some(kind: Any) -> Any:
    """Return a value of a type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return some(inner[0])
    if origin in (Union, UnionType):
        return some(next(each for each in inner if each is not NoneType))
    if origin is tuple:
        return (some(inner[0]),)
    if origin is not None:
        return {"Tie": some(inner[1])}
    if issubclass(kind, StrEnum):
        return next(iter(kind))
    if issubclass(kind, Struct):
        return sample(kind)
    return {str: "x", int: 7, bool: True, Card: CARD, Fraction: Fraction(1, 2)}.get(kind)
