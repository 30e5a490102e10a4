"""A settled round found to be wrong: what moved is reversed and settled anew, by added entries and never by editing.

The cards decide, not what was displayed or keyed. Wagers settled by the rules on limits are not reopened. What a patron
can no longer pay back becomes a claim of the house, never a balance below zero.
"""

from __future__ import annotations

from dataclasses import replace

from punto.roads import RoundMark
from punto.rules.coup import Coup, Unlawful
from punto.rules.settlement import pay, settle
from punto.table.commands import CorrectRound
from punto.table.events import Settled
from punto.table.guards import Decision, by, has_rule, in_phase, is_open
from punto.table.irregular import Correction, RoundCorrected
from punto.table.refusals import refuse
from punto.table.roles import Role
from punto.table.state import Phase, SettledRound, Table


def correct_round(table: Table, command: CorrectRound) -> Decision:
    """The Gaming Shift Manager has a round of this shoe settled by the cards that were really dealt."""
    provision = "display"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, Phase.IDLE)
        or by(table, command, Role.GAMING_SHIFT_MANAGER, provision=provision)
        or (None if command.round in table.history else refuse("no-such-round", round=command.round))
    )
    if refusal:
        return refusal
    try:
        coup = Coup(command.player, command.banker)
    except Unlawful as error:
        return refuse("unlawful-cards", "table-of-play", why=str(error))
    record = table.history[command.round]
    after = tuple(_settled_by(table, each, coup) for each in record.wagers)
    mark = RoundMark.of(coup.outcome_class)
    corrections = _corrections(table, record, after)
    return (RoundCorrected(command.round, provision, table.book.cited(provision), coup, mark, corrections),)


def void_settled_round(table: Table, provision: str, clause: str) -> RoundCorrected:
    """The last round, settled already, is void after all: everything goes back to where it was."""
    record = table.history[table.round]
    after = tuple(_handed_back(each, clause) for each in record.wagers)
    return RoundCorrected(table.round, provision, clause, None, None, _corrections(table, record, after))


def _settled_by(table: Table, before: Settled, coup: Coup) -> Settled:
    if before.limit_clause:
        return before
    line = settle(table.book.wager(before.wager), coup)
    payment = pay(before.stake, line)
    return replace(
        before,
        result=line.result,
        outcome=line.outcome,
        pays=line.pays,
        winnings=payment.winnings,
        commission=payment.commission,
        returned=payment.returned,
        clause=line.clause,
    )


def _handed_back(before: Settled, clause: str) -> Settled:
    return replace(
        before, settled=0, result=None, outcome="void", winnings=0, commission=0, returned=before.stake, clause=clause
    )


def _corrections(table: Table, record: SettledRound, after: tuple[Settled, ...]) -> tuple[Correction, ...]:
    """Each wager before and after, and what its patron can no longer pay back."""
    chips = dict(table.chips)
    corrections = []
    for old, new in zip(record.wagers, after, strict=True):
        change = new.returned - old.returned
        owed = max(0, -change - chips[old.patron])
        chips[old.patron] += change + owed
        corrections.append(Correction(old, new, owed))
    return tuple(corrections)
