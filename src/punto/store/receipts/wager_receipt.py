"""The form of a receipt, ``punto-receipt-1``: what it says of a wager, and the bytes that its leaf covers.

docs/receipts.md describes it for programs that share no code with this one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.json import Encoder

RECEIPT_FORMAT: Literal["punto-receipt-1"] = "punto-receipt-1"
_encode = Encoder().encode


class WagerReceipt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one wager. Amounts are in cents; the names and their order are part of the form."""

    format: Literal["punto-receipt-1"]
    table: str
    event: int
    """The number of the event that settled it."""
    at: int
    """When, in milliseconds since 1970."""
    kind: str
    """The name of that event."""
    round: int
    patron: str
    position: int
    wager: str
    stake: int
    settled: int
    """The part of the stake that was won, lost or pushed."""
    result: str | None
    """None where all of it was handed back unsettled; ``void`` where the round was."""
    outcome: str
    pays: str
    winnings: int
    """Without the commission, which the house has kept."""
    commission: int
    returned: int
    """What was handed back, stake and winnings together."""
    clause: str | None
    limit_clause: str | None
    player: tuple[str, ...]
    banker: tuple[str, ...]
    """The cards that decided it; none where the round is void."""
    replaces: int | None = None
    """The event whose receipt for this wager no longer holds; there is none unless the wager was settled before."""
    capped: int = 0
    """What a cap on the table's payouts kept back of what the line pays; told only where it did."""


def receipt_bytes(receipt: WagerReceipt) -> bytes:
    """Return the receipt as it stands in its leaf: JSON without spaces, in UTF-8, names in this order."""
    return _encode(receipt)


def ratio(pays: Fraction) -> str:
    """Return a ratio as receipts write it."""
    return f"{pays.numerator}:{pays.denominator}"
