"""Designing games: the figures of a file while it is written, coups settled by it, and versions that are saved."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Raw, Struct

from punto.rules.game_file import whole_file
from punto.rules.game_library import APPROVED, LIBRARY, file_as_written, game_file, load_to_check
from punto.rules.hands.questions import QUESTIONS
from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.designer.analysis import Analysis
from punto.server.designer.figures import (
    ChecksAnswer,
    ChecksAsked,
    CoupAnswer,
    CoupAsked,
    DesignFigures,
    FiguresAsked,
    GameAsked,
    Mistake,
    RatiosAnswer,
    RatiosAsked,
)
from punto.server.designer.saved_games import save_game
from punto.server.gateway import Gateway
from punto.server.refused import Refused
from punto.server.routing.answers import Json
from punto.server.routing.routes import Routes
from punto.server.running.server_log import log
from punto.store.events.design_events import GameSaved

NEW_GAME = Path(__file__).with_name("new_game.toml")
"""A game that holds, with one wager on each hand and on a tie: what is designed from nothing begins with it."""
routes = Routes("/api/design", "design")


class DesignListed(Struct, frozen=True):
    """A file to begin with or to compare with."""

    game: str
    title: str
    version: str | None
    digest: str
    approved: bool
    """Whether it is one of the approved games, which nobody changes."""
    saved_by: str | None = None
    """Who saved it, for a version that was designed in this house."""
    saved_at: int | None = None
    in_use: bool = False
    """Whether a table was created with it: a change takes another key."""
    known: bool = False
    """Whether it is a known game of the library, an example to begin with."""


class DesignFile(Struct, frozen=True):
    """A file's text."""

    game: str
    digest: str
    text: str


class ConditionKnown(Struct, frozen=True):
    """Something a line's condition may ask, and the values it may have."""

    name: str
    values: tuple[str | int | bool, ...]


class Saved(Struct, frozen=True):
    """A version that was saved, or the first mistake in its text, and then nothing was saved."""

    game: str | None = None
    version: str | None = None
    digest: str | None = None
    file: str | None = None
    """Where it was written, if it is a file and no house's game."""
    mistake: Mistake | None = None


@cache
def known_games() -> tuple[DesignListed, ...]:
    """Return the games of the library; their files are part of the program and never change while it runs."""
    books = [load_to_check(key)[0] for key in LIBRARY]
    return tuple(DesignListed(each.key, each.title, each.version, each.digest, False, known=True) for each in books)


def known_game(digest: str) -> DesignFile | None:
    """Return the file of a game of the library, as it was written: it borrows from an approved one."""
    key = next((each.game for each in known_games() if each.digest == digest), None)
    return DesignFile(key, digest, file_as_written(key).decode()) if key else None


def _told(answer: Raw) -> Json[Any]:
    return Json(answer)


@routes.post("/figures", permission=Permission.DESIGN_GAMES, while_closed=True)
async def show_figures(analysis: Analysis, body: FiguresAsked) -> Json[DesignFigures]:
    """Return the exact figures of a file, or the first mistake in it. Nothing is kept."""
    return _told(await analysis.figures(body))


@routes.post("/checks", permission=Permission.DESIGN_GAMES, while_closed=True)
async def check_design(analysis: Analysis, body: ChecksAsked) -> Json[ChecksAnswer]:
    """Return what is unusual about a file, wager by wager. Nothing is kept."""
    return _told(await analysis.checks(body))


@routes.post("/coup", permission=Permission.DESIGN_GAMES, while_closed=True)
async def settle_coup(analysis: Analysis, body: CoupAsked) -> Json[CoupAnswer]:
    """Settle a coup by a file: of cards that are given, or drawn by chance. Nothing is kept."""
    return _told(await analysis.coup(body))


@routes.post("/ratios", permission=Permission.DESIGN_GAMES, while_closed=True)
async def find_ratios(analysis: Analysis, body: RatiosAsked) -> Json[RatiosAnswer]:
    """Return the pay tables of a wager whose house edge is nearest to a target. Nothing is kept."""
    return _told(await analysis.ratios(body))


@routes.get("/conditions", permission=Permission.DESIGN_GAMES)
async def list_conditions() -> list[ConditionKnown]:
    """List what a line's condition may ask, and the values it may have."""
    return [ConditionKnown(name, tuple(key.values)) for name, key in QUESTIONS.items()]


@routes.get("/new", permission=Permission.DESIGN_GAMES)
async def show_new_game() -> DesignFile:
    """Return a small game that holds, to begin with."""
    text = NEW_GAME.read_bytes()
    return DesignFile("my-game", sha256(text).hexdigest(), text.decode())


@routes.get("/games", permission=Permission.DESIGN_GAMES)
async def list_designs(gateway: Gateway) -> list[DesignListed]:
    """List the files to begin with: the approved games, every version that the house has saved, newest first, and the
    known games of the library.
    """
    journal = await gateway.floor.read_journal()
    books = gateway.floor.games
    given = [books[key] for key in APPROVED if key in books]
    listed = [DesignListed(each.key, each.title, each.version, each.digest, approved=True) for each in given]
    used = {each.digest for each in journal.tables.values()}
    for recorded in reversed(journal.saved_games):
        saved = recorded.event
        assert isinstance(saved, GameSaved)
        about = (saved.game, saved.title, saved.version, saved.digest)
        listed.append(DesignListed(*about, False, recorded.by, recorded.at, saved.digest in used))
    return [*listed, *known_games()]


@routes.get("/games/{digest}", permission=Permission.DESIGN_GAMES)
async def show_design(gateway: Gateway, digest: str) -> DesignFile:
    """Return the text of one of these files, by its digest."""
    for key in APPROVED:
        if key in gateway.floor.games and gateway.floor.games[key].digest == digest:
            return DesignFile(key, digest, game_file(key).decode())
    journal = await gateway.floor.read_journal()
    for recorded in journal.saved_games:
        saved = recorded.event
        if isinstance(saved, GameSaved) and saved.digest == digest:
            return DesignFile(saved.game, digest, saved.text)
    if known := known_game(digest):
        return known
    raise Refused("not-found")


@routes.post("/games", permission=Permission.DESIGN_GAMES)
async def save_design(gateway: Gateway, analysis: Analysis, person: Person, body: GameAsked) -> Saved:
    """Save a version of a game, with which tables can be created at once. Nothing is ever overwritten.

    Refused under the key of an approved game, under a key that a table of the house was created with, and under a
    version that was saved before.
    """
    checked = await analysis.playable(body.text)
    found = checked.found
    if found is None:
        return Saved(mistake=checked.mistake)
    whole = whole_file(body.text.encode(), found.game).decode()  # with what it borrows: audits read nothing else
    saved = GameSaved(found.game, found.title, found.version, found.digest, whole)
    await save_game(gateway.floor, saved, person.giver)
    log.info("game saved", game=found.game, digest=found.digest, by=person.id)
    return Saved(found.game, found.version, found.digest)
