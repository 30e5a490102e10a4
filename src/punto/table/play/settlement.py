"""Settlement at the table: every wager by its line, with the rules on wagers outside the limits."""

from __future__ import annotations

from fractions import Fraction

from punto.rules.rulebook import Line, Result
from punto.rules.settlement import pay, settle
from punto.table.commands import SettleRound
from punto.table.events import DeviceReturned, Event, RoundSettled, Settled, ShoeEnded
from punto.table.guards import Decision, by, in_float, in_phase, not_held
from punto.table.play.card_handling import WAGER_ON
from punto.table.play.dealing import outcome_of
from punto.table.roles import Role
from punto.table.state import Area, Phase, Stake, Table


def settle_round(table: Table, command: SettleRound) -> Decision:
    refusal = (
        in_phase(table, Phase.OUTCOME) or not_held(table) or by(table, command, Role.DEALER, provision="round-of-play")
    )
    if refusal:
        return refusal
    wagers = settlement(table)
    if refusal := in_float(table, paid_from_float(wagers)):
        return refusal
    events: list[Event] = [RoundSettled(table.round, wagers)]
    if table.device and _lost(wagers, table.device):
        events.append(DeviceReturned(table.device, table.book.clause_of("method-c-wager-lost")))
    if table.shoe and table.change_cards:
        events.append(ShoeEnded(table.shoe.name, "cards-taken-changed"))
    elif table.shoe and table.shoe.cutting_card_shown:
        # Reading R17: the shoe ends after the round in which the cutting card appears.
        events.append(ShoeEnded(table.shoe.name, "cutting-card"))
    return tuple(events)


def settlement(table: Table) -> tuple[Settled, ...]:
    """What becomes of every wager on the layout by the cards on the table, all of them exposed."""
    outcome = outcome_of(table)
    lines = {name: settle(table.book.wager(name), outcome) for name in {name for _, _, name in table.stakes}}
    return tuple(_settled(table, area, stake, lines[area[2]]) for area, stake in table.stakes.items())


def paid_from_float(wagers: tuple[Settled, ...]) -> int:
    """What the float gives for these wagers, over what it takes in; below zero if it gains."""
    return sum(each.returned + each.commission - each.stake for each in wagers)


def _settled(table: Table, area: Area, stake: Stake, line: Line) -> Settled:
    patron, _, name = area
    limits, clause_of = table.set_up.limits[name], table.book.clause_of
    # A game without such a rule settles what lies there (reading R22).
    over = clause_of("over-maximum") if stake.amount > limits.maximum else None
    under = clause_of("under-minimum") if stake.amount < limits.minimum else None
    if under and patron in table.under_minimum:
        return _handed_back(area, stake.amount, under)
    # Over the maximum only the maximum is settled, and the rest goes back (reading R9).
    amount = limits.maximum if over else stake.amount
    payment = pay(amount, line)
    return Settled(
        *area,
        stake=stake.amount,
        settled=amount,
        result=line.result,
        outcome=line.outcome,
        pays=line.pays,
        winnings=payment.winnings,
        commission=payment.commission,
        returned=payment.returned + stake.amount - amount,
        clause=line.clause,
        limit_clause=over or under,
    )


def _handed_back(area: Area, amount: int, clause: str) -> Settled:
    """A patron's later wager under the minimum: handed back whatever the outcome (reading R8)."""
    return Settled(
        *area,
        stake=amount,
        settled=0,
        result=None,
        outcome="returned",
        pays=Fraction(0),
        winnings=0,
        commission=0,
        returned=amount,
        clause=clause,
        limit_clause=clause,
    )


def _lost(wagers: tuple[Settled, ...], patron: str) -> bool:
    """Whether a Player or Banker wager of the patron lost (reading R20)."""
    return any(
        each.patron == patron and each.result is Result.LOSE and each.wager in WAGER_ON.values() for each in wagers
    )
