"""Requests about games: their wagers, what they pay, their exact odds, and every clause. Read off the rulebook."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from fastapi import APIRouter, Response
from msgspec import Struct

from punto.odds import odds
from punto.rules.coup import Unlawful
from punto.rules.rulebook import CarriedOut, Clause, Layout, Method, Rulebook, Wager
from punto.server.gateway import Refused
from punto.server.http.answers import AtDesk, answered
from punto.server.http.openapi import gives
from punto.table.procedures import Following, Procedure, Question, Words, of_game, steps_of
from punto.table.round import Phase
from punto.table.settings import Device

games = APIRouter(prefix="/api/games", tags=["games"])
"""The games that can be played here."""


class GameListed(Struct, frozen=True):
    """A game."""

    game: str
    title: str
    version: str | None
    wagers: tuple[str, ...]


class LineShown(Struct, frozen=True):
    """One way a wager can end: what it pays, net and to one, and the clause that says so."""

    outcome: str
    pays: Fraction
    commission: Fraction
    clause: str


class WagerShown(Struct, frozen=True):
    """A wager, its lines in order; the first that holds decides, and none means that it loses."""

    wager: str
    clause: str
    lines: tuple[LineShown, ...]


class LayoutShown(Struct, frozen=True):
    """An approved layout; without positions their number is left to the house."""

    layout: str
    clause: str
    positions: tuple[int, int] | None


class ClauseShown(Struct, frozen=True):
    """A clause of the game's document, in one line, and how it is carried out."""

    clause: str
    text: str
    provision: str
    carried_out: CarriedOut


class GameShown(Struct, frozen=True):
    """A game, whole."""

    game: str
    title: str
    version: str | None
    digest: str
    decks: tuple[int, int]
    hlga: bool
    """Whether its rules have an HLGA."""
    differential: tuple[str, str] | None
    """The wagers between which there may be a table differential."""
    wagers: tuple[WagerShown, ...]
    layouts: tuple[LayoutShown, ...]
    methods: tuple[Method, ...]
    clauses: tuple[ClauseShown, ...]


class FollowingShown(Struct, frozen=True):
    """A step that follows a report, and whose it is: a position, a patron, or whoever confirms for the house."""

    by: str
    words: Words
    command: str | None
    clause: str | None


class ProcedureShown(Struct, frozen=True):
    """Something that can go wrong: which clause governs it, what reports it, what is asked, and what follows."""

    key: str
    group: str
    words: Words
    clause: str | None
    text: str | None
    """What the clause says."""
    command: str
    values: Mapping[str, str | bool]
    by: str
    questions: tuple[Question, ...]
    steps: tuple[FollowingShown, ...]
    devices: tuple[Device, ...]
    methods: tuple[str, ...]
    hlga: bool
    phases: tuple[Phase, ...]
    while_held: bool


class EdgeShown(Struct, frozen=True):
    """What a wager is worth to the house, exactly and from a full shoe; ``percent`` is the same for people to read."""

    wager: str
    house_edge: Fraction
    percent: str
    hit_frequency: Fraction


@games.get("", responses=gives(GameListed, many=True))
async def list_games(desk: AtDesk) -> Response:
    """The games that are served."""
    known = desk.floor.games.items()
    return answered(
        [GameListed(key, book.title, book.version, tuple(each.name for each in book.wagers)) for key, book in known]
    )


def _book(desk: AtDesk, game: str) -> Rulebook:
    book = desk.floor.games.get(game)
    if book is None:
        raise Refused("not-found")
    return book


@games.get("/{game}", responses=gives(GameShown))
async def show_game(desk: AtDesk, game: str) -> Response:
    """A game with its wagers, layouts, methods and clauses."""
    book = _book(desk, game)
    shown = GameShown(
        game=book.key,
        title=book.title,
        version=book.version,
        digest=book.digest,
        decks=(book.decks.fewest, book.decks.most),
        hlga=bool(book.hlga),
        differential=book.differential,
        wagers=tuple(map(_wager, book.wagers)),
        layouts=tuple(map(_layout, book.layouts)),
        methods=book.methods,
        clauses=tuple(map(_clause, book.clauses.values())),
    )
    return answered(shown)


def _wager(wager: Wager) -> WagerShown:
    lines = (LineShown(each.outcome, each.pays, each.commission, each.clause) for each in wager.lines)
    return WagerShown(wager.name, wager.clause, tuple(lines))


def _layout(layout: Layout) -> LayoutShown:
    positions = (layout.positions.fewest, layout.positions.most) if layout.positions else None
    return LayoutShown(layout.name, layout.clause, positions)


def _clause(clause: Clause) -> ClauseShown:
    return ClauseShown(clause.number, clause.text, clause.provision, clause.carried_out)


@games.get("/{game}/procedures", responses=gives(ProcedureShown, many=True))
async def show_procedures(desk: AtDesk, game: str) -> Response:
    """What can go wrong in the game and what is then done, by its own rules."""
    book = _book(desk, game)
    return answered([_procedure(book, each) for each in of_game(book) if not each.found_by_table])


def _procedure(book: Rulebook, procedure: Procedure) -> ProcedureShown:
    clause = _clause_of(book, procedure.provision)
    return ProcedureShown(
        key=procedure.key,
        group=procedure.group,
        words=procedure.words,
        clause=clause,
        text=book.clauses[clause].text if clause else None,
        command=procedure.command,
        values=procedure.values,
        by=procedure.by,
        questions=procedure.questions,
        steps=tuple(_following(book, each) for each in steps_of(book, procedure)),
        devices=procedure.devices,
        methods=procedure.methods,
        hlga=procedure.hlga,
        phases=procedure.phases,
        while_held=procedure.while_held,
    )


def _following(book: Rulebook, step: Following) -> FollowingShown:
    return FollowingShown(step.by, step.words, step.command, _clause_of(book, step.provision))


def _clause_of(book: Rulebook, provision: str | None) -> str | None:
    return book.clause_of(provision) if provision else None


@games.get("/{game}/edges", responses=gives(EdgeShown, many=True))
async def edges(desk: AtDesk, game: str, decks: int | None = None) -> Response:
    """The exact house edge of every wager, from a full shoe of so many decks."""
    book = _book(desk, game)
    try:
        shown = await asyncio.to_thread(_edges, book, book.usual_decks if decks is None else decks)
    except Unlawful as error:
        raise Refused("cannot-be", why=str(error)) from None
    return answered(shown)


@lru_cache(maxsize=100)
def _edges(book: Rulebook, decks: int) -> list[EdgeShown]:
    book.shoe(decks)  # refused outside what the game allows
    found = odds(book, decks)
    return [
        EdgeShown(name, each.house_edge, f"{float(100 * each.house_edge):.3f}", each.hit_frequency)
        for name, each in ((wager.name, found[wager.name]) for wager in book.wagers)
    ]
