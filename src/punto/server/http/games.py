"""Games: their wagers, what they pay, their exact odds, and every clause, derived from the rulebook."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from starlette.requests import Request

from punto.formatting import decimal
from punto.odds import odds
from punto.rules.clause_texts import clause_text
from punto.rules.coup import Unlawful, Winner
from punto.rules.rulebook import CarriedOut, Clause, Layout, Method, Rulebook, Wager
from punto.rules.table_of_play import NATURALS, banker_draws, player_draws
from punto.server.gateway import Gateway
from punto.server.refused import Refused
from punto.server.routing.answers import Json, packed
from punto.server.routing.routes import Routes
from punto.table.procedures import Following, Procedure, Question, Words, begun_by, of_game, steps_of
from punto.table.round import Phase
from punto.table.settings import Device
from punto.texts import Language

routes = Routes("/api/games", "games")


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
    """A wager and its lines in order. The first that holds decides; if none does, the wager loses."""

    wager: str
    clause: str
    lines: tuple[LineShown, ...]
    on: Winner | None = None
    """The outcome it is on, as Player, Banker and Tie are; None for side wagers."""


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
    words: Words


class BankerRow(Struct, frozen=True):
    """When Banker draws on a two-card total."""

    total: int
    draws_against: tuple[int, ...]
    """The point values of Player's third card on which Banker draws."""
    draws_alone: bool
    """Whether Banker draws where Player stands."""


class ThirdCardChart(Struct, frozen=True):
    """The Table of Play as a chart: which totals end the deal, and on which a hand draws."""

    clause: str | None
    naturals: tuple[int, ...]
    player_draws: tuple[int, ...]
    player_stands: tuple[int, ...]
    banker: tuple[BankerRow, ...]


class GameShown(Struct, frozen=True):
    """A game with everything in it."""

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
    rooms: tuple[str, ...] = ()
    """The rooms that make up its HLGA."""
    chart: ThirdCardChart | None = None
    """When a third card is drawn."""


class FollowingShown(Struct, frozen=True):
    """A step that follows a report, and who takes it: a position, a patron, or the one who confirms for the house."""

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
    values: Mapping[str, str | bool | int]
    by: str
    questions: tuple[Question, ...]
    steps: tuple[FollowingShown, ...]
    devices: tuple[Device, ...]
    methods: tuple[str, ...]
    hlga: bool
    phases: tuple[Phase, ...]
    while_held: bool
    clause_words: Words | None
    """What the clause says, in each language."""


class EdgeShown(Struct, frozen=True):
    """The exact house edge of a wager from a full shoe; ``percent`` is the same, rounded, for people to read."""

    wager: str
    house_edge: Fraction
    percent: str
    hit_frequency: Fraction
    rounded: str = ""
    """In percent with two places, as patrons are told."""


@routes.get("")
async def list_games(gateway: Gateway) -> list[GameListed]:
    """List the games that are served."""
    known = gateway.floor.games.items()
    return [GameListed(key, book.title, book.version, tuple(each.name for each in book.wagers)) for key, book in known]


def _book(gateway: Gateway, game: str) -> Rulebook:
    book = gateway.floor.games.get(game)
    if book is None:
        raise Refused("not-found")
    return book


@routes.get("/{game}")
async def show_game(gateway: Gateway, request: Request, game: str) -> Json[GameShown]:
    """Return a game with its wagers, layouts, methods and clauses."""
    return packed(request, Json(_game(_book(gateway, game))))


@lru_cache(maxsize=32)
def _game(book: Rulebook) -> GameShown:
    return GameShown(
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
        rooms=book.hlga,
        chart=_chart(book),
    )


def _chart(book: Rulebook) -> ThirdCardChart:
    totals = [total for total in range(10) if total not in NATURALS]
    draws = tuple(total for total in totals if player_draws(total, 0))
    stands = tuple(total for total in totals if total not in draws)
    rows = (
        BankerRow(
            total,
            tuple(third for third in range(10) if banker_draws(draws[0], total, third)),
            banker_draws(stands[0], total, None),
        )
        for total in totals
    )
    return ThirdCardChart(book.clause_of("table-of-play"), tuple(sorted(NATURALS)), draws, stands, tuple(rows))


def _wager(wager: Wager) -> WagerShown:
    lines = (LineShown(each.outcome, each.pays, each.commission, each.clause) for each in wager.lines)
    return WagerShown(wager.name, wager.clause, tuple(lines), wager.on)


def _layout(layout: Layout) -> LayoutShown:
    positions = (layout.positions.fewest, layout.positions.most) if layout.positions else None
    return LayoutShown(layout.name, layout.clause, positions)


def _clause(clause: Clause) -> ClauseShown:
    return ClauseShown(clause.number, clause.text, clause.provision, clause.carried_out, _words(clause))


def _words(clause: Clause) -> Words:
    return Words(*(clause_text(clause, language) for language in Language))


@routes.get("/{game}/procedures")
async def list_procedures(gateway: Gateway, game: str) -> list[ProcedureShown]:
    """List what can go wrong in a game, and what its rules then ask for."""
    book = _book(gateway, game)
    return [_procedure(book, each) for each in of_game(book) if not each.found_by_table]


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
        by=begun_by(book, procedure),
        questions=procedure.questions,
        steps=tuple(_following(book, each) for each in steps_of(book, procedure)),
        devices=procedure.devices,
        methods=procedure.methods,
        hlga=procedure.hlga,
        phases=procedure.phases,
        while_held=procedure.while_held,
        clause_words=_words(book.clauses[clause]) if clause else None,
    )


def _following(book: Rulebook, step: Following) -> FollowingShown:
    return FollowingShown(step.by, step.words, step.command, _clause_of(book, step.provision))


def _clause_of(book: Rulebook, provision: str | None) -> str | None:
    return book.clause_of(provision) if provision else None


@routes.get("/{game}/edges")
async def list_edges(gateway: Gateway, game: str, decks: int | None = None) -> list[EdgeShown]:
    """Return the exact house edge of every wager from a full shoe, of the usual number of decks unless one is given."""
    book = _book(gateway, game)
    wanted = book.usual_decks if decks is None else decks
    try:
        return await asyncio.to_thread(_edges, book, wanted)
    except Unlawful:
        allowed = book.decks
        raise Refused("cannot-be", case="decks", decks=wanted, fewest=allowed.fewest, most=allowed.most) from None


@lru_cache(maxsize=100)
def _edges(book: Rulebook, decks: int) -> list[EdgeShown]:
    book.shoe(decks)  # raises outside what the game allows
    found = odds(book, decks)
    return [
        EdgeShown(
            name,
            each.house_edge,
            decimal(100 * each.house_edge, 3),
            each.hit_frequency,
            decimal(100 * each.house_edge, 2),
        )
        for name, each in ((wager.name, found[wager.name]) for wager in book.wagers)
    ]
