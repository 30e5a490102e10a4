"""Frozen values that are made quickly.

A frozen dataclass looks up anew, for every field of every value, how a field is set. A table makes several such values
for each wager, so that this is a good part of its work. Here each field's own setter is looked up once.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")


def quick(kind: type[T]) -> type[T]:
    """A frozen dataclass with slots, which sets the same fields from the same arguments, in less than half the time."""
    known: dict[str, Any] = {}
    by_place: list[str] = ["self"]
    by_name: list[str] = []
    setting: list[str] = []
    for each in fields(kind):  # type: ignore[arg-type]
        assert each.init, each.name
        assert each.default_factory is MISSING, each.name
        known[f"set_{each.name}"] = getattr(kind, each.name).__set__
        argument = each.name
        if each.default is not MISSING:
            known[f"default_{each.name}"] = each.default
            argument += f"=default_{each.name}"
        (by_name if each.kw_only else by_place).append(argument)
        setting.append(f" set_{each.name}(self, {each.name})")
    arguments = ", ".join([*by_place, *(["*", *by_name] if by_name else [])])
    exec("\n".join([f"def __init__({arguments}):", *(setting or [" pass"])]), known)
    kind.__init__ = known["__init__"]  # type: ignore[method-assign]
    return kind
