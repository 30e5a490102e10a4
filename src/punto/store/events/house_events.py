"""The house's own stream: which tables there are, and where each stood at times, signed.

With it an auditor finds a table that was dropped or cut off and, by a head that was exported, a log written anew.
"""

from __future__ import annotations

from punto.table.event import Event

HOUSE = "house"
"""The name of the stream."""


class StoreMade(Event, frozen=True):
    """The store was made, with the public key by which its heads are checked."""

    public_key: str


class TableCreated(Event, frozen=True):
    """A table has a stream of its own from now on."""

    table: str
    game: str
    digest: str
    """Of the game's file."""


class HeadNoted(Event, frozen=True):
    """How far a table's stream had come, signed with a key that is not in the database."""

    table: str
    number: int
    hash: str
    signature: str


class AutomationSet(Event, frozen=True):
    """What of the Dealer's work is done by itself at a table from now on, by the names of the steps."""

    table: str
    steps: tuple[str, ...]


EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in (StoreMade, TableCreated, HeadNoted, AutomationSet)}
