"""What random play may report at any time, and what it orders while something is referred."""

from __future__ import annotations

from random import Random

from punto.cards import DECK
from punto.rules.table_of_play import Hand
from punto.table.command import Command
from punto.table.irregularities.device_reset import ReportReset
from punto.table.irregularities.measures import (
    OrderCard,
    OrderCardsAside,
    OrderCoup,
    OrderNewCards,
    OrderReturn,
    OrderWithdrawal,
)
from punto.table.irregularities.power_failure import ReportPowerFailure
from punto.table.irregularities.referral import Refer, ReferralHold
from punto.table.irregularities.withdrawn_report import WithdrawReport
from punto.table.roles import Actor, Role
from punto.table.table import Table

DEALER, PIT_MANAGER, SHIFT = (
    Actor(role.value, role) for role in (Role.DEALER, Role.PIT_MANAGER, Role.GAMING_SHIFT_MANAGER)
)


def at_any_time(random: Random, table: Table) -> Command:
    """Return what may be reported whatever play is at: it is acted on or recorded."""
    settled = random.choice([None, None, *table.history])
    return random.choice(
        [
            Refer(DEALER, "a bell rang", settled),
            ReportPowerFailure(PIT_MANAGER),
            ReportReset(DEALER),
            WithdrawReport(SHIFT, reason="a mistake"),
        ]
    )


def some_measure(random: Random, table: Table) -> Command:
    """Return a measure, with or without meaning as things stand; the report is withdrawn where none is referred."""
    hold = table.hold
    if not isinstance(hold, ReferralHold) or random.random() < 0.1:
        return WithdrawReport(SHIFT, reason="a mistake")
    record = table.history.get(hold.round) if hold.round else None
    areas = [(each.patron, each.position, each.wager) for each in record.wagers] if record else [*table.round.stakes]
    patron, position, wager = random.choice([*areas, ("Ann", 1, "Tie")])
    card, hand = random.choice(DECK), random.choice([Hand.PLAYER, Hand.BANKER])
    return random.choice(
        [
            OrderWithdrawal(SHIFT, random.random() < 0.5),
            OrderWithdrawal(SHIFT, whole=False, patrons=(patron,)),
            OrderCardsAside(SHIFT, random.randint(1, 2), random.random() < 0.5),
            OrderReturn(SHIFT, patron, position, wager),
            OrderReturn(SHIFT, patron, position, wager, random.choice([1, 500, 2_500])),
            OrderCard(SHIFT, hand, random.randint(0, 2), card),
            OrderCoup(SHIFT, record.banker, record.player) if record else OrderNewCards(SHIFT),
            OrderCoup(SHIFT, (card, *record.player[1:]), record.banker) if record else OrderNewCards(SHIFT),
        ]
    )
