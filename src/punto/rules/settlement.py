"""Settlement: how a coup settles a wager, and what is handed back for a stake. Amounts are whole cents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from punto.cards import Card
from punto.given_values import as_whole
from punto.rules.coup import Coup, OutcomeClass
from punto.rules.rulebook import Line, Result, Wager


def settle(wager: Wager, outcome: Coup | OutcomeClass | str | Iterable[Card | str]) -> Line:
    """Return the line that settles the wager: the first that holds, or its loss.

    The outcome may also be the cards of the coup in dealing order, as text or as cards.

    >>> from punto import Coup, load
    >>> settle(load("tiger").wager("Tiger"), Coup.deal("2s Ah 3d Ad Ks 4c"))
    <Line 'three-card 6': 20 to 1, clause 4.3>
    """
    seen = outcome if isinstance(outcome, OutcomeClass) else _outcome_class(outcome)
    if not isinstance(wager, Wager):
        raise TypeError(f'expected a wager of a game, such as load("tiger").wager("Tiger"), found {wager!r}')
    for line in wager.lines:
        if line.when.holds(seen):
            return line
    return wager.loss


def _outcome_class(outcome: Coup | Iterable[Card | str]) -> OutcomeClass:
    return (outcome if isinstance(outcome, Coup) else Coup.deal(outcome)).outcome_class


class Payment(NamedTuple):
    """The amounts of a settled stake, in cents."""

    stake: int
    winnings: int
    commission: int
    """Already deducted from the winnings; shown separately."""
    returned: int
    """Handed back to the patron: stake and winnings on a win, the stake on a push, nothing on a loss."""


def pay(stake: int, line: Line) -> Payment:
    """Return the payment of a stake by the line that settled it. Fractions of a cent are rounded up for the patron
    (R16).

    >>> from punto import Coup, load
    >>> pay(100_00, settle(load("baccarat").wager("Banker"), Coup.deal("2s Ah 3d Ad Ks 4c")))
    Payment(stake=10000, winnings=9500, commission=500, returned=19500)
    """
    if type(stake) is not int:  # which is quick to ask: every wager of every round is paid here
        given: object = stake
        whole = as_whole(given)
        if whole is None:
            raise TypeError(f"a stake is a whole number of cents, not {given!r}")
        stake = whole
    if stake < 0:
        raise ValueError(f"a stake cannot be below zero: {stake}")
    if not isinstance(line, Line):
        raise TypeError(f"expected the line that settled the wager, as settle returns it, found {line!r}")
    if line.result is Result.LOSE:
        return Payment(stake, winnings=0, commission=0, returned=0)
    winnings = _rounded_up(stake, line.pays)
    commission = _rounded_up(stake, line.pays + line.commission) - winnings if line.commission else 0
    return Payment(stake, winnings, commission, returned=stake + winnings)


def _rounded_up(stake: int, ratio: Fraction) -> int:
    """Return the stake times a ratio in whole cents; integer arithmetic, several times as fast as fractions."""
    return -(-stake * ratio.numerator // ratio.denominator)


def shares(cap: int, due: Sequence[int]) -> tuple[int, ...]:
    """Return what each of several winnings is paid where they share a cap, in whole cents (R86).

    Each gets its proportion of the cap. The cents that rounding down leaves go to the largest remainders, and among
    equal ones to the first. Winnings that stay within the cap are paid as they are.

    >>> shares(100_00, [60_00, 30_00])
    (6000, 3000)
    >>> shares(100_00, [100_00, 100_00, 100_00])
    (3334, 3333, 3333)
    """
    whole = sum(due)
    if whole <= cap:
        return tuple(due)
    paid = [cap * each // whole for each in due]
    by_remainder = sorted(range(len(due)), key=lambda place: -(cap * due[place] % whole))
    for place in by_remainder[: cap - sum(paid)]:
        paid[place] += 1
    return tuple(paid)
