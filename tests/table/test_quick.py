"""Values that are made quickly are the values they were."""

from __future__ import annotations

from dataclasses import KW_ONLY, FrozenInstanceError, dataclass, fields, replace

import pytest

from punto.table.commands import PlaceWager
from punto.table.events import WagerPlaced
from punto.table.quick import quick
from punto.table.roles import Actor, Role


@dataclass(frozen=True, slots=True)
class Named:
    name: str
    _: KW_ONLY
    at: int | None = None


@quick
@dataclass(frozen=True, slots=True)
class Placed(Named):
    amount: int
    total: int = 7


def test_arguments_defaults_and_names_are_as_before() -> None:
    assert [(each.name, getattr(Placed("a", 3, at=5), each.name)) for each in fields(Placed)] == [
        ("name", "a"),
        ("at", 5),
        ("amount", 3),
        ("total", 7),
    ]
    assert Placed("a", 3, 4) == Placed(name="a", amount=3, total=4, at=None)
    assert hash(Placed("a", 3)) == hash(Placed("a", 3))
    assert replace(Placed("a", 3), total=9).total == 9


def test_wrong_arguments_are_refused() -> None:
    for arguments in ((), ("a",), ("a", 1, 2, 3)):
        with pytest.raises(TypeError):
            Placed(*arguments)
    with pytest.raises(TypeError, match="unknown"):
        Placed("a", 1, unknown=1)  # type: ignore[call-arg]


def test_what_is_made_is_frozen() -> None:
    command = PlaceWager(Actor("ann", Role.PATRON), "ann", 1, "Player", 100)
    for value, name in ((command, "amount"), (WagerPlaced("ann", 1, "Player", 100, 100, None), "total")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 0)


def test_what_cannot_be_made_quickly_is_found_at_once() -> None:
    @dataclass(frozen=True)
    class Open:
        name: str

    with pytest.raises(AttributeError):
        quick(Open)
