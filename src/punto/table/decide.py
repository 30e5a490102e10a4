"""``decide``: the events that a command brings about in a state, or why it is refused. Nothing is changed here."""

from __future__ import annotations

from punto.table.circumstances import complete
from punto.table.command import Command
from punto.table.guards import Decision, well_formed
from punto.table.play.duty import on_duty
from punto.table.play.second_person import ConfirmAct, proposed_command, withhold
from punto.table.play.table_management import no_count
from punto.table.play.windows import meant_for_now
from punto.table.refusal import Refusal
from punto.table.registry import DECISIONS, load_subjects
from punto.table.table import Table

load_subjects()

COMMANDS: dict[str, type[Command]] = {kind.__name__: kind for kind in DECISIONS}
"""Every command there is, by name."""


def decide(table: Table, command: Command) -> Decision:
    """Return the events a command brings about, or a refusal.

    Guards come first, in this order: its numbers and words; the round and window it is meant for; whether its Dealer
    is on duty; whether the chips of the table are being counted; then those of its own decision; last, whether it is
    sensitive and has a reason. After them it must succeed. A sensitive act may be stored as a proposal first.
    """
    refusal = well_formed(command) or meant_for_now(table, command) or on_duty(table, command)
    refusal = refusal or no_count(table, command)
    if refusal:
        return refusal
    decision = DECISIONS[type(command)](table, command)
    if isinstance(decision, Refusal):
        return decision
    if type(command) is ConfirmAct:
        return complete(table, proposed_command(table, command), decision, second_person=command.by.id)
    if table.setting is not None and (table.setting.second_person or table.setting.reasons_required):
        decision = withhold(table, command, decision)
    return decision if isinstance(decision, Refusal) else complete(table, command, decision)
