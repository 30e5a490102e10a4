"""The figures of a game's file while it is written, worked out from its text alone.

Nothing here reads a table or writes a file: every answer follows from the request.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from punto.cards import Card, CardError, Composition, parse_cards
from punto.design.game_check import GameFinding, Severity, check
from punto.formatting import decimal, pays_or_push, percent
from punto.lab.pay_tables import PayTable, PayTableLine, find_pay_tables
from punto.odds.exact import odds
from punto.rules.coup import Coup, Unlawful, Winner
from punto.rules.game_file import read_game
from punto.rules.game_library import loads
from punto.rules.rulebook import VOID, Rulebook
from punto.rules.settlement import pay, settle
from punto.rules.table_of_play import next_card
from punto.rules.toml_section import GameFileError
from punto.table.default_settings import practice_setting
from punto.table.procedures import Words
from punto.texts import Language

MOST_LETTERS = 60_000
"""The longest file of a game that is designed here: twice the longest approved one."""
LONGEST_ROUND = 6
FILE = "the game's text"
T = TypeVar("T", bound=Struct)

GameText = Annotated[str, Meta(max_length=MOST_LETTERS)]
Name = Annotated[str, Meta(max_length=200)]
Ratios = Annotated[dict[Name, Annotated[str, Meta(max_length=200)]], Meta(max_length=100)]
Decks = Annotated[int, Meta(ge=1, le=100)]


class Mistake(Struct, frozen=True):
    """Why a file, or what was asked about it, cannot be used; and where, as far as that is known."""

    sentence: str
    key: str = ""
    """The key in the file, such as wager[3].lines[2].pays; tables of a list are counted from 1."""
    line: int | None = None
    """The line of the file, where it is no TOML at all."""


class FiguresAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A file whose figures are asked for; with other pays, by wager and outcome, to see what they would change."""

    text: GameText
    decks: Decks | None = None
    pays: Annotated[dict[Name, Ratios], Meta(max_length=100)] = {}


class LineFigures(Struct, frozen=True):
    """One way a wager ends: how likely it is, and what it adds to the return."""

    outcome: str
    result: str
    pays: Fraction
    pays_said: str
    """As a felt prints it; empty for a loss."""
    probability: Fraction
    chance: str
    """In percent, rounded."""
    contribution: Fraction
    """Pays times probability. Those of all lines add up to the expected return."""
    adds: str
    """The same in percent of a stake, rounded."""
    clause: str | None
    never: bool
    """Whether no coup of this shoe reaches it: a game with such a line is rejected when it is saved."""


class WagerFigures(Struct, frozen=True):
    """The exact figures of a wager, per unit staked; each with a rounded text beside it."""

    wager: str
    clause: str
    house_edge: Fraction
    edge: str
    hit_frequency: Fraction
    hits: str
    push_frequency: Fraction
    variance: Fraction
    spread: str
    """The variance, rounded."""
    lines: tuple[LineFigures, ...]


class DesignedGame(Struct, frozen=True):
    """What a file says, and its figures from a full shoe."""

    game: str
    title: str
    version: str | None
    digest: str
    decks: int
    fewest_decks: int
    most_decks: int
    positions: int | None
    """Of the first layout; None if the game has none to be played on."""
    wagers: tuple[WagerFigures, ...]


class DesignFigures(Struct, frozen=True):
    """The figures of a file, or the first mistake in it."""

    found: DesignedGame | None = None
    mistake: Mistake | None = None


class CoupAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A coup to settle by a file, with a stake on every wager; cards that are not given are drawn by chance."""

    text: GameText
    decks: Decks | None = None
    cards: Annotated[str, Meta(max_length=100)] | None = None
    """In dealing order, such as "4h Kh 4h Kc"."""
    stake: Annotated[int, Meta(ge=1, le=10**12)] = 10_000


class StakeSettled(Struct, frozen=True):
    """What became of a stake, in cents, and the line that decided it."""

    wager: str
    outcome: str
    result: str
    pays: Fraction
    pays_said: str
    clause: str
    stake: int
    returned: int
    commission: int


class CoupSettled(Struct, frozen=True):
    """A coup, and what each wager of the file pays on it."""

    cards: tuple[Card, ...]
    """In dealing order."""
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int
    banker_total: int
    winner: Winner
    wagers: tuple[StakeSettled, ...]


class CoupAnswer(Struct, frozen=True):
    """A settled coup, or why there is none."""

    found: CoupSettled | None = None
    mistake: Mistake | None = None


class RatiosAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Ratios that are asked for: those of a wager whose house edge is nearest to a target."""

    text: GameText
    wager: Name
    target: Annotated[str, Meta(max_length=40)]
    """Such as "8%"."""
    allowed: Ratios
    """By outcome the ratios to choose from, such as "8..15"; other outcomes pay what they do."""
    decks: Decks | None = None


class RatiosFound(Struct, frozen=True):
    """A pay table, as the file would say it by outcome, and its house edge."""

    pays: dict[str, str]
    house_edge: Fraction
    edge: str


class RatiosAnswer(Struct, frozen=True):
    """The pay tables nearest to the target, nearest first, or why there are none."""

    found: tuple[RatiosFound, ...] = ()
    mistake: Mistake | None = None


class GameAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A file that is to be played."""

    text: GameText


class PlayableGame(Struct, frozen=True):
    """A file that holds in every respect: what it says of itself."""

    game: str
    title: str
    version: str | None
    digest: str


class PlayableAnswer(Struct, frozen=True):
    """Whether a file can be played at a table, or the first mistake that keeps it from that."""

    found: PlayableGame | None = None
    mistake: Mistake | None = None


def _mistake(error: ValueError, key: str = "") -> Mistake:
    if not isinstance(error, GameFileError) or not error.reason:
        return Mistake(str(error), key)
    return Mistake(error.reason, error.where, None if error.where else _line_named(error.reason))


def _line_named(sentence: str) -> int | None:
    """Return the line that the TOML reader of the standard library names, which says it in words only."""
    named = re.search(r"\(at line (\d+), column \d+\)", sentence)
    return int(named[1]) if named else None


def _read(text: str) -> Rulebook:
    """Return the rulebook of a text; also that of an approved game, whose figures anyone may look at."""
    return read_game(text.encode(), FILE)


def _decks(book: Rulebook, asked: int | None) -> int:
    """Return the number of decks asked for, or the nearest that the game allows."""
    wanted = book.usual_decks if asked is None else asked
    return min(max(wanted, book.decks.fewest), book.decks.most)


# --- figures ----------------------------------------------------------------------------------------------------------


def figures(asked: FiguresAsked) -> DesignFigures:
    """Return the exact figures of a file, by the same code as ``punto odds``."""
    try:
        book = _read(asked.text)
        given = {name: dict(ratios) for name, ratios in asked.pays.items()}
        book = book.with_pays(given) if given else book
    except ValueError as error:
        return DesignFigures(mistake=_mistake(error))
    decks = _decks(book, asked.decks)
    found = odds(book, decks)
    tables = {each.wager.name: PayTable(book, each) for each in found.wagers}
    clauses = {each.wager.name: {one.outcome: one.clause for one in each.outcomes} for each in found.wagers}
    wagers = tuple(_wager(name, book.wager(name).clause, table, clauses[name]) for name, table in tables.items())
    return DesignFigures(_game(book, decks, wagers))


def _game(book: Rulebook, decks: int, wagers: tuple[WagerFigures, ...]) -> DesignedGame:
    positions = [layout.positions.most if layout.positions else 9 for layout in book.layouts]
    return DesignedGame(
        game=book.key,
        title=book.title,
        version=book.version,
        digest=book.digest,
        decks=decks,
        fewest_decks=book.decks.fewest,
        most_decks=book.decks.most,
        positions=positions[0] if positions else None,
        wagers=wagers,
    )


def _wager(name: str, clause: str, table: PayTable, clauses: Mapping[str, str | None]) -> WagerFigures:
    return WagerFigures(
        wager=name,
        clause=clause,
        house_edge=table.house_edge,
        edge=percent(table.house_edge),
        hit_frequency=table.hit_frequency,
        hits=percent(table.hit_frequency),
        push_frequency=table.odds.push_frequency,
        variance=table.variance,
        spread=decimal(table.variance, 4),
        lines=tuple(_line(each, clauses[each.outcome]) for each in table.lines),
    )


def _line(line: PayTableLine, clause: str | None) -> LineFigures:
    return LineFigures(
        outcome=line.outcome,
        result=line.result.value if line.result else VOID,
        pays=line.pays,
        pays_said=pays_or_push(line.pays) if line.pays >= 0 else "",
        probability=line.probability,
        chance=percent(line.probability),
        contribution=line.contribution,
        adds=percent(line.contribution),
        clause=clause,
        never=not line.probability,
    )


# --- what is unusual


class ChecksAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A file that is to be checked for what is unusual about it."""

    text: GameText
    decks: Decks | None = None


class Unusual(Struct, frozen=True):
    """Something a designer should look at again, about a wager and perhaps one outcome of it, with its figures."""

    code: str
    severity: Severity
    wager: str | None
    outcome: str | None
    words: Words
    line: int | None = None
    """Where in the file it stands, from 1."""


class ChecksAnswer(Struct, frozen=True):
    """What is unusual about a file, wager by wager, or the first mistake in it."""

    found: tuple[Unusual, ...] = ()
    mistake: Mistake | None = None


def checks(asked: ChecksAsked) -> ChecksAnswer:
    """Return what is unusual about a file, as ``punto check`` does, but for the estimate of what counting gains."""
    try:
        book = _read(asked.text)
    except ValueError as error:
        return ChecksAnswer(mistake=_mistake(error))
    found = check(book, _decks(book, asked.decks), countable=False, file=asked.text)
    return ChecksAnswer(tuple(_unusual(each) for each in found))


def _unusual(found: GameFinding) -> Unusual:
    words = Words(*(found.place(language) + found.sentence(language) for language in Language))
    return Unusual(found.code, found.severity, found.wager, found.outcome, words, found.line)


# --- a coup -----------------------------------------------------------------------------------------------------------


def coup(asked: CoupAsked) -> CoupAnswer:
    """Settle a coup by a file, with the cards that were chosen or with cards drawn from a full shoe."""
    try:
        book = _read(asked.text)
        shoe = book.shoe(_decks(book, asked.decks))
    except ValueError as error:
        return CoupAnswer(mistake=_mistake(error))
    try:
        dealt = _chosen(shoe, asked.cards) if asked.cards and asked.cards.strip() else _drawn(shoe)
    except (CardError, Unlawful) as error:
        return CoupAnswer(mistake=Mistake(str(error), "cards"))
    return CoupAnswer(_settled(book, dealt, asked.stake))


def _chosen(shoe: Composition, cards: str) -> Coup:
    chosen = parse_cards(cards)
    shoe.without(chosen)  # raises if the shoe does not hold them
    return Coup.deal(chosen)


def _drawn(shoe: Composition) -> Coup:
    """Return a coup by chance: as many of six cards as the Table of Play deals."""
    cards = [card for card, count in shoe.counts().items() for _ in range(count)]
    if len(cards) < LONGEST_ROUND:
        raise CardError(f"a round may take {LONGEST_ROUND} cards, and the shoe has {len(cards)}")
    waiting = random.SystemRandom().sample(cards, LONGEST_ROUND)
    dealt: list[Card] = []
    values: dict[str, list[int]] = {"player": [], "banker": []}
    while hand := next_card(values["player"], values["banker"]):
        card = waiting.pop()
        dealt.append(card)
        values[hand.value].append(card.point_value)
    return Coup.deal(dealt)


def _settled(book: Rulebook, dealt: Coup, stake: int) -> CoupSettled:
    lines = [(wager, settle(wager, dealt)) for wager in book.wagers]
    wagers = []
    for wager, line in lines:
        paid = pay(stake, line)
        said = pays_or_push(line.pays) if line.pays >= 0 else ""
        about = (wager.name, line.outcome, line.result.value, line.pays, said, line.clause)
        wagers.append(StakeSettled(*about, paid.stake, paid.returned, paid.commission))
    return CoupSettled(
        cards=dealt.in_dealing_order(),
        player=dealt.player,
        banker=dealt.banker,
        player_total=dealt.player_total,
        banker_total=dealt.banker_total,
        winner=dealt.winner,
        wagers=tuple(wagers),
    )


# --- ratios for a target edge -----------------------------------------------------------------------------------------


def ratios(asked: RatiosAsked) -> RatiosAnswer:
    """Return the pay tables of a wager whose house edge is nearest to a target."""
    try:
        book = _read(asked.text)
        book.wager(asked.wager)
        shoe = _decks(book, asked.decks)
        found = find_pay_tables(book, asked.wager, asked.target, dict(asked.allowed), shoe, most=5)
    except ValueError as error:
        return RatiosAnswer(mistake=_mistake(error, "target"))
    tables = []
    for table in found:
        pays = {outcome: pays_or_push(table.pays[outcome]) for outcome in found.allowed}
        tables.append(RatiosFound(pays, table.house_edge, percent(table.house_edge)))
    return RatiosAnswer(tuple(tables))


# --- whether it can be played -----------------------------------------------------------------------------------------


def playable(asked: GameAsked) -> PlayableAnswer:
    """Check a file in every respect, as if it were loaded to be played at a table."""
    try:
        book = loads(asked.text)
        practice_setting(book)
    except ValueError as error:
        return PlayableAnswer(mistake=_mistake(error))
    return PlayableAnswer(PlayableGame(book.key, book.title, book.version, book.digest))


WORK: dict[str, tuple[type[Struct], Callable[..., Struct]]] = {
    "figures": (FiguresAsked, figures),
    "checks": (ChecksAsked, checks),
    "coup": (CoupAsked, coup),
    "ratios": (RatiosAsked, ratios),
    "playable": (GameAsked, playable),
}
"""What can be asked, by name: the type of the request, and the function that answers it."""
