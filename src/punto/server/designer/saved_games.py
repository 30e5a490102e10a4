"""The games that a house has saved: each is an event with its text, its digest and the person who saved it.

A version is never changed. Under one key the newest version is served, until a table is created with it: from then on
the key stands for that version, and a change takes another key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from punto.audit.table_recomputed import Game
from punto.rules.game_file import read_game
from punto.rules.game_library import APPROVED
from punto.rules.rulebook import Rulebook
from punto.server.refused import Refused
from punto.server.running.server_log import log
from punto.store.events.design_events import GameSaved
from punto.store.events.house_events import HOUSE
from punto.store.house_journal import HouseJournal
from punto.store.records import Append, Conflict, EventRecord

if TYPE_CHECKING:
    from punto.server.tables.floor import Floor

MOST_VERSIONS = 200
"""That a house keeps: each holds the text of its file, and every process of the house has all of them in memory."""


class SavedGames:
    """Serves the games that the house has saved beside those it was started with."""

    def __init__(self, games: dict[str, Rulebook]) -> None:
        self.games = games
        self._given = frozenset(games)
        """The keys of the games that the server was started with."""
        self.files: dict[str, Game] = {}
        """By digest the saved games, for audits: with their files."""
        self.on_saved: Callable[[Game], None] = lambda _: None

    def begin(self, journal: HouseJournal) -> None:
        """Serve what the house had saved."""
        for saved in journal.games.values():
            self.take_in(saved)

    def take_in(self, saved: GameSaved) -> None:
        """Serve a game that was saved; one that this program cannot read, or whose key is taken, is not served."""
        content = saved.text.encode()
        try:
            book = read_game(content, saved.game, APPROVED)
        except ValueError as error:
            log.error("saved game not served", game=saved.game, error=type(error).__name__)
            return
        if book.digest != saved.digest or book.key != saved.game:
            raise ValueError("a saved game is not what its event says")
        if saved.game in self._given:
            log.error("saved game not served", game=saved.game, reason="key-taken")
            return
        self.games[book.key] = book
        self.files[book.digest] = Game(book, content)
        self.on_saved(self.files[book.digest])

    def check(self, saved: GameSaved, journal: HouseJournal, created: Mapping[str, str]) -> None:
        """Raise ``Refused`` unless a game can be saved now under its key and version."""
        if saved.game in self._given:
            raise Refused("cannot-be", case="game-given", game=saved.game)
        if len(journal.saved_games) >= MOST_VERSIONS:
            raise Refused("cannot-be", case="game-room", most=MOST_VERSIONS)
        kept = journal.games.get(saved.game)
        if kept and kept.digest == saved.digest:
            raise Refused("cannot-be", case="game-unchanged", game=saved.game)
        if saved.game in created.values():
            table = next(table for table, game in created.items() if game == saved.game)
            raise Refused("cannot-be", case="game-in-use", game=saved.game, table=table)
        if any((each.game, each.version) == (saved.game, saved.version) for each in journal.versions):
            raise Refused("cannot-be", case="game-version", game=saved.game, version=saved.version or "–")


async def save_game(floor: Floor, saved: GameSaved, giver: tuple[str, str]) -> None:
    """Save a version of a game; raise ``Refused`` if its key or its version is taken."""
    while True:
        await floor.follow_open_house()
        floor.saved.check(saved, floor.journal, floor.created)
        number, written = floor.house_stream.chain.number, EventRecord.of(saved, floor.clock(), *giver)
        try:
            await floor.store.append([Append(HOUSE, number, [written])])
        except Conflict:
            continue  # another process appended first, perhaps a table with this very game
        await floor.follow_house()
        return
