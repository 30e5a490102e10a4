"""Events of the house's stream: which tables there are, and signed heads of their logs.

With them an auditor finds a table that was dropped or cut off and, with an exported head, a log that was rewritten.
"""

from __future__ import annotations

from punto.table.event import Event

HOUSE = "house"
"""The name of the stream."""


class StoreMade(Event, frozen=True):
    """The store was made, with the public key by which its heads are checked."""

    public_key: str


class TableCreated(Event, frozen=True):
    """A table has a stream from now on."""

    table: str
    game: str
    digest: str
    """Of the game's file."""


class HeadNoted(Event, frozen=True):
    """The head of a table's stream, signed with a key that is not in the database."""

    table: str
    number: int
    hash: str
    signature: str


class AutomationSet(Event, frozen=True):
    """Which of the Dealer's steps are automatic at a table from now on, by name."""

    table: str
    steps: tuple[str, ...]


EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in (StoreMade, TableCreated, HeadNoted, AutomationSet)}
