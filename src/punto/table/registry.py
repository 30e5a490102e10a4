"""Registries: what decides each command, evolves the state by each event, and leads out of each hold.

A subject file registers what it defines, so that nothing else has to name it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from punto.table.command import Command
from punto.table.event import Event
from punto.table.guards import Decision
from punto.table.guidance.next_step import NextStep
from punto.table.hold import Hold
from punto.table.refusal import Refusal
from punto.table.settings import SensitiveAct
from punto.table.table import Table

Body = dict[str, Any]
"""An event as it is stored, by the names of its fields."""

DECISIONS: dict[type[Command], Callable[[Table, Any], Decision]] = {}
CHANGES: dict[type[Event], Callable[[Table, Any], Table]] = {}
UPCASTERS: dict[tuple[type[Event], int], Callable[[Body], Body]] = {}
HOLD_STEPS: dict[type[Hold], Callable[[Table, Any], Iterator[NextStep]]] = {}
SENSITIVE: dict[type[Event], Callable[[Table, Any], Iterable[SensitiveAct]]] = {}
UNDOINGS: dict[type[Hold], Callable[[Table, Any], Table | Refusal]] = {}

F = TypeVar("F", bound=Callable[..., Any])


def decides(kind: type[Command]) -> Callable[[F], F]:
    """Register the function that answers commands of this kind with events or a refusal."""
    return _into(DECISIONS, kind)


def evolves(*kinds: type[Event]) -> Callable[[F], F]:
    """Register the function that returns the state after events of these kinds."""
    return _into(CHANGES, *kinds)


def upcasts(kind: type[Event], version: int) -> Callable[[F], F]:
    """Register the function that brings the stored body of an event from this version to the next."""
    return _into(UPCASTERS, (kind, version))


def resolves(kind: type[Hold]) -> Callable[[F], F]:
    """Register the function that yields the next steps while play is held in this way."""
    return _into(HOLD_STEPS, kind)


def sensitive(kind: type[Event]) -> Callable[[F], F]:
    """Register the function that names the sensitive acts in an event of this kind.

    A command that would bring such an event about takes a reason and a second person, where the house asks for them.
    """
    return _into(SENSITIVE, kind)


def undoes(kind: type[Hold]) -> Callable[[F], F]:
    """Register the function that restores what was there before the report that play is held for in this way.

    It changes everything but the hold itself, or refuses where something has followed that cannot be undone.
    """
    return _into(UNDOINGS, kind)


def _into(registry: dict[Any, Callable[..., Any]], *kinds: Hashable) -> Callable[[F], F]:
    def register(function: F) -> F:
        for kind in kinds:
            assert kind not in registry, kind
            registry[kind] = function
        return function

    return register


@cache
def load_subjects() -> None:
    """Import every subject file, so that all of them are registered."""
    for folder in ("play", "irregularities"):
        for file in sorted(Path(__file__).with_name(folder).glob("[a-z]*.py")):
            import_module(f"punto.table.{folder}.{file.stem}")
