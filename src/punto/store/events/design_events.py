"""Events of the house's stream about games that were designed in the house."""

from __future__ import annotations

from punto.table.event import Event


class GameSaved(Event, frozen=True):
    """A person saved a version of a game of the house: the whole of its file. Tables can be created with it."""

    game: str
    """Its key."""
    title: str
    version: str | None
    digest: str
    """SHA-256 of the text, by which tables name it."""
    text: str
