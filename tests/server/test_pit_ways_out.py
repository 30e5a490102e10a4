"""Every hold that the scripts reach is resolved with what the pit page offers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from properties.way_out import _truthful
from support.held_tables import reached

from punto.table.decide import decide
from punto.table.evolve import replay
from punto.table.guidance.next_steps import next_steps
from punto.table.refusal import Refusal
from punto.table.registry import HOLD_STEPS
from punto.table.roles import STAFF, Role
from punto.table.table import Table
from punto.texts import Language, catalogue

PIT = STAFF - {Role.DEALER}
MOST = 300
"""How many commands are tried before the search gives up."""


def _pages_steps(table: Table) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the commands that the pit page offers to a person of the pit, with what it asks for."""
    for step in next_steps(table):
        if PIT.intersection(step.by):
            yield step.command, step.keyed


def test_every_kind_of_hold_is_reached() -> None:
    assert {kind for kind, _ in reached()} == set(HOLD_STEPS)


@pytest.mark.parametrize("language", Language)
def test_the_page_has_words_for_every_step_and_question(language: Language) -> None:
    words = catalogue("pages", language)
    for held in reached().values():
        for command, keyed in _pages_steps(held.table):
            assert f"do.{command}" in words, command
            for name in keyed:
                assert f"field.{name}" in words, (command, name)


def test_every_hold_is_resolved_from_the_pit_page() -> None:
    for (kind, provision), held in reached().items():
        assert _resolved(held.table), (kind.__name__, provision)


def _resolved(table: Table) -> bool:
    """Search for steps of the pit page after which play is held for one matter less."""
    random, offered = Random(1), [(table, _truthful(table, Random(1)))]
    for _ in range(MOST):
        if not offered:
            return False
        now, commands = offered[-1]
        command = next(commands, None)
        if command is None:
            offered.pop()
            continue
        if type(command).__name__ not in {name for name, _ in _pages_steps(now)}:
            continue
        answer = decide(now, command)
        if isinstance(answer, Refusal):
            continue
        after = replay(now, answer)
        if len(after.holds) < len(table.holds):
            return True
        offered.append((after, _truthful(after, random)))
    return False
