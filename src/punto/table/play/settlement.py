"""Settlement at the table: every wager by its line, with the rules on limits and the house's caps on payouts."""

from __future__ import annotations

from fractions import Fraction

from punto.rules.rulebook import Line, Result, Rulebook
from punto.rules.settlement import pay, settle
from punto.table.command import Command
from punto.table.event import Event, Settled
from punto.table.guards import Decision, by, in_float, in_phase, not_held
from punto.table.play.card_handling import WAGER_ON
from punto.table.play.dealing import outcome_of
from punto.table.play.dealing_device import DeviceReturned
from punto.table.play.loss_limits import staked
from punto.table.play.shoes import ShoeEnded
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Area, Phase, Round
from punto.table.settings import Limits, within_caps
from punto.table.table import SettledRound, Table, with_entry
from punto.table.visibility import Public


class SettleRound(Command, frozen=True):
    """Collect losing wagers and pay winning ones."""


class RoundSettled(Event, frozen=True):
    """Losing wagers were collected and winning ones paid."""

    in_packets = True
    round: Public[int]
    wagers: Public[tuple[Settled, ...]]


@decides(SettleRound)
def settle_round(table: Table, command: SettleRound) -> Decision:
    refusal = (
        in_phase(table, Phase.OUTCOME) or not_held(table) or by(table, command, Role.DEALER, provision="round-of-play")
    )
    if refusal:
        return refusal
    wagers = settlement(table)
    if refusal := in_float(table, paid_from_float(wagers)):
        return refusal
    events: list[Event] = [RoundSettled(table.round_number, wagers)]
    if table.device and _lost(wagers, table.device):
        events.append(DeviceReturned(table.device, table.book.clause_of("method-c-wager-lost")))
    if table.shoe and (why := table.why_cards_change):
        events.append(ShoeEnded(table.shoe.name, why))
    elif table.shoe and table.shoe.cutting_card_shown:
        # Reading R17: the shoe ends after the round in which the cutting card appears.
        events.append(ShoeEnded(table.shoe.name, "cutting-card"))
    return tuple(events)


def settlement(table: Table) -> tuple[Settled, ...]:
    """Return what becomes of every wager on the layout by the cards on the table, all of them exposed."""
    outcome = outcome_of(table)
    lines = {name: settle(table.book.wager(name), outcome) for name in {name for _, _, name in table.round.stakes}}
    book, limits, once = table.book, table.set_up.limits, table.under_minimum
    wagers = tuple(
        [
            settled_by(book, limits[area[2]], area[0] in once, area, stake.amount, lines[area[2]])
            for area, stake in table.round.stakes.items()
        ]
    )
    return within_caps(table.set_up.payout_caps, wagers)


def paid_from_float(wagers: tuple[Settled, ...]) -> int:
    """Return what the float gives for these wagers, over what it takes in; below zero if it gains."""
    return sum(each.returned + each.commission - each.stake for each in wagers)


def settled_by(book: Rulebook, limits: Limits, was_under: bool, area: Area, stake: int, line: Line) -> Settled:
    """Return what becomes of a stake by a line; ``was_under`` if one of the patron's under the minimum was settled."""
    # A game without such a rule settles what lies there (reading R22).
    over = book.clause_of("over-maximum") if stake > limits.maximum else None
    under = book.clause_of("under-minimum") if stake < limits.minimum else None
    if under and was_under:
        return _handed_back(area, stake, under)
    # Over the maximum only the maximum is settled, and the rest goes back (reading R9).
    amount = limits.maximum if over else stake
    payment = pay(amount, line)
    return Settled(
        *area,
        stake=stake,
        settled=amount,
        result=line.result,
        outcome=line.outcome,
        pays=line.pays,
        winnings=payment.winnings,
        commission=payment.commission,
        returned=payment.returned + stake - amount,
        clause=line.clause,
        limit_clause=over or under,
    )


def _handed_back(area: Area, amount: int, clause: str) -> Settled:
    """Return a patron's later wager under the minimum, handed back whatever the outcome (reading R8)."""
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
    """Return whether a Player or Banker wager of the patron lost or, without one, any wager (readings R20, R70)."""
    own = [each for each in wagers if each.patron == patron]
    on_a_hand = [each for each in own if each.wager in WAGER_ON.values()]
    return any(each.result is Result.LOSE for each in on_a_hand or own)


@evolves(RoundSettled)
def _round_settled(table: Table, event: RoundSettled) -> Table:
    chips, float_, commission = dict(table.chips), table.float_, table.commission
    under = set(table.under_minimum)
    for each in event.wagers:
        chips[each.patron] += each.returned
        float_ += each.stake - each.returned - each.commission
        commission += each.commission
        # A push is neither paid nor collected (reading R8).
        decided = each.result in (Result.WIN, Result.LOSE)
        if decided and each.stake < table.set_up.limits[each.wager].minimum:
            under.add(each.patron)
    player, banker = (tuple(place.card for place in places if place.card) for places in table.round.hands.values())
    first_under = frozenset(under) - table.under_minimum
    settled = SettledRound(event.wagers, player, banker, len(table.marks) - 1, table.shoes, first_under)
    history = with_entry(table.history, event.round, settled)
    return table.changed(
        round=Round(),
        chips=chips,
        float_=float_,
        commission=commission,
        under_minimum=frozenset(under),
        history=history,
        allowances=staked(table, event.wagers),
    )
