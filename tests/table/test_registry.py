"""What the subject files define is registered, and defined in the order in which the files are read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import punto.table.play
from punto.table.command import Command, PatronAct, Report
from punto.table.event import Event, Irregularity
from punto.table.hold import Hold
from punto.table.registry import CHANGES, DECISIONS, HOLD_STEPS, decides

TABLE = Path(punto.table.play.__path__[0]).parent
SUBJECTS = sorted(file for folder in ("play", "irregularities") for file in (TABLE / folder).glob("*.py"))
ORDER = ("Command", "Event", "Hold", "decides", "evolves", "resolves")
"""A subject's commands come first, then its events, its hold, its decisions, the changes of state, the ways out."""


def _kinds(base: type[Any]) -> Iterator[type[Any]]:
    kind: type[Any]
    for kind in base.__subclasses__():
        if kind.__module__.startswith("punto.table."):
            yield kind
            yield from _kinds(kind)


def test_every_command_event_and_hold_of_a_subject_is_registered() -> None:
    assert set(_kinds(Command)) - {PatronAct, Report} == set(DECISIONS)
    assert set(_kinds(Event)) - {Irregularity} == set(CHANGES)
    assert set(_kinds(Hold)) == set(HOLD_STEPS)


def test_nothing_is_registered_twice() -> None:
    with pytest.raises(AssertionError):
        decides(next(iter(DECISIONS)))(lambda: None)


@pytest.mark.parametrize("file", SUBJECTS, ids=lambda file: str(file.stem))
def test_a_subject_file_has_one_order(file: Path) -> None:
    found = [ORDER.index(each) for node in ast.parse(file.read_text("utf-8")).body for each in _parts(node)]
    assert found == sorted(found)


def _parts(node: ast.stmt) -> list[str]:
    """Return what a statement of a subject file is one of, if any."""
    if isinstance(node, ast.ClassDef):
        bases = [base.id.replace("Report", "Command").replace("Irregularity", "Event") for base in _names(node.bases)]
    else:
        decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
        bases = [call.func.id for call in decorators if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)]
    return [each for each in bases if each in ORDER]


def _names(nodes: list[ast.expr]) -> list[ast.Name]:
    return [node for node in nodes if isinstance(node, ast.Name)]
