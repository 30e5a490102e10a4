"""``decide``: the events that a command brings about in a state, or why it is refused. Nothing is changed here."""

from __future__ import annotations

from punto.table.circumstances import complete
from punto.table.command import Command
from punto.table.guards import Decision, well_formed
from punto.table.play.windows import meant_for_now
from punto.table.refusal import Refusal
from punto.table.registry import DECISIONS, load_subjects
from punto.table.table import Table

load_subjects()

COMMANDS: dict[str, type[Command]] = {kind.__name__: kind for kind in DECISIONS}
"""Every command there is, by name."""


def decide(table: Table, command: Command) -> Decision:
    """Return the events a command brings about, or a refusal.

    Guards come first, in this order: its numbers and words; the round and window it is meant for; then those of its
    own decision. After them it must succeed.
    """
    refusal = well_formed(command) or meant_for_now(table, command)
    if refusal:
        return refusal
    decision = DECISIONS[type(command)](table, command)
    return decision if isinstance(decision, Refusal) else complete(table, command, decision)
