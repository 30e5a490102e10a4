"""Slips as the log tells them: chips that go between the cage and a table, numbered through the whole house."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from punto.store.events.cage_events import SlipAsked, SlipCancelled, SlipConfirmed, SlipKind, SlipMove
from punto.store.records import EventRecord
from punto.table.money import Pieces
from punto.table.refusal import Refusal, refuse


class SlipState(StrEnum):
    """What became of a slip."""

    ASKED = "asked"
    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"


class Signed(Struct, frozen=True):
    """Who did something, in which position, and when."""

    by: str
    position: str
    at: int


class Slip(Struct, frozen=True):
    """A slip as the log tells it."""

    number: int
    kind: SlipKind
    table: str
    amount: int
    pieces: tuple[Pieces, ...]
    state: SlipState
    asked: Signed
    ended: Signed | None = None
    """Who confirmed or cancelled it."""
    reason: str = ""
    """Why it was cancelled."""


class SlipBook:
    """All slips of the house, by number; or those from any one on."""

    def __init__(self, from_any: bool = False) -> None:
        self.slips: dict[int, Slip] = {}
        self._from_any = from_any

    @property
    def next_number(self) -> int:
        return next(reversed(self.slips), 0) + 1

    def take_in(self, recorded: EventRecord) -> None:
        """Follow one event; raise ``ValueError`` for what cannot have happened to a slip."""
        event, signed = recorded.event, Signed(recorded.by, recorded.position, recorded.at)
        assert isinstance(event, SlipMove)
        if isinstance(event, SlipAsked):
            begins = self._from_any and not self.slips
            if (event.slip != self.next_number and not begins) or event.amount <= 0:
                raise ValueError("a slip has another number than the next")
            about = (event.kind, event.table, event.amount, event.pieces)
            self.slips[event.slip] = Slip(event.slip, *about, SlipState.ASKED, signed)
            return
        slip = self.slips[event.slip]
        if slip.state is not SlipState.ASKED:
            raise ValueError("a slip ends once")
        state = SlipState.CONFIRMED if isinstance(event, SlipConfirmed) else SlipState.CANCELLED
        reason = event.reason if isinstance(event, SlipCancelled) else ""
        self.slips[event.slip] = replace(slip, state=state, ended=signed, reason=reason)

    def open_slip(self, number: int) -> Slip | Refusal:
        """Return a slip that waits to be confirmed or cancelled."""
        slip = self.slips.get(number)
        if slip is None:
            return refuse("no-such-slip", slip=number)
        return slip if slip.state is SlipState.ASKED else refuse("slip-ended", slip=number)

    def confirmable(self, number: int, person: str) -> Slip | Refusal:
        """Return a slip that this person may confirm: not the one who asked for it."""
        slip = self.open_slip(number)
        own = isinstance(slip, Slip) and slip.asked.by == person
        return refuse("same-person", person=person) if own else slip
