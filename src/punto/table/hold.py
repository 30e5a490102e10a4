"""A hold: what play waits for until people have decided. Each kind is defined with its subject."""

from __future__ import annotations

from msgspec import Struct

from punto.rules.table_of_play import Hand
from punto.table.event import Returned
from punto.table.round import Window


class Hold(Struct, frozen=True, tag=True):
    """Play is held under a provision until people have decided."""

    provision: str

    @property
    def open_window(self) -> Window | None:
        """The window that is open because of this hold."""
        return None

    @property
    def wagers_before(self) -> tuple[Returned, ...] | None:
        """What lay on the layout when it began, if the event that ends it reports that."""
        return None

    @property
    def exposable(self) -> Hand | None:
        """The hand whose cards are exposed all the same."""
        return None

    def permits_exposing(self, hand: Hand, place: int) -> bool:  # noqa: ARG002 - a kind of hold may look at the place
        """Return whether a card is exposed all the same."""
        return hand is self.exposable

    @property
    def permits_correcting(self) -> bool:
        """Whether a card keyed wrongly is corrected all the same: what people decide may depend on it."""
        return True

    @property
    def permits_relaying(self) -> bool:
        """Whether cards may change their places meanwhile, or leave them, because one was corrected."""
        return True

    @property
    def rests_on(self) -> str:
        """The provision of the rule that deals with it: its own, unless another was named."""
        return self.provision

    @property
    def ends_when_voided(self) -> bool:
        """Whether it is over once a round settled already is void after all."""
        return False

    def followed(self) -> Hold:
        """Return the hold after something was ordered because of it, which cannot be undone."""
        return self

    def renewed(self, window: Window) -> Hold:  # noqa: ARG002
        """Return the hold with time of its own again, after a newer one interrupted it."""
        return self
