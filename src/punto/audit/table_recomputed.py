"""A table recomputed from its events: its state by the rules, its books, and every round by the auditor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from punto.audit.cage_followed import SlipSum
from punto.audit.finding import Finding, finding
from punto.audit.limits_followed import Held, note_held
from punto.audit.recomputation import Auditor, auditor_of
from punto.audit.shoes_followed import CardsTurned, Published
from punto.books.ledger import Ledger
from punto.rules.game_file import read_game
from punto.rules.game_library import by_digest, game_file, load
from punto.rules.rulebook import Rulebook
from punto.rules.toml_section import GameFileError
from punto.store.events.cage_events import SlipKind
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.burn_cards import CardsBurned
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.dealing import CardExposed
from punto.table.play.debts import DebtPaid
from punto.table.play.loss_limits import AllowanceSet
from punto.table.play.shoes import ShoeLoaded
from punto.table.play.table_management import TableOpened
from punto.table.play.wrong_payout import PayoutCorrected
from punto.table.table import Table

LEADS_NOWHERE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What evolving raises on events that no command could have caused: they were written by hand."""
_MOVES_CHIPS = {BoughtIn, CashedOut, Filled, Credited}
_TURNS_CARDS = {CardExposed, CardsBurned, ShoeLoaded}
_CHANGES_DEBTS = {RoundCorrected, OverlookedWagerSettled, PayoutCorrected, DebtPaid}
_COMPARED = _MOVES_CHIPS | _TURNS_CARDS | _CHANGES_DEBTS | {AllowanceSet}
"""Events that are compared with those of other streams."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game the tables may play: its rulebook and the text of its file."""

    book: Rulebook
    file: bytes


def games_by_digest(games: Iterable[str], saved: Iterable[bytes] = ()) -> dict[str, Game]:
    """Return games that tables may have been opened with, by their digests; each is named by its key or its file.

    ``saved`` are the texts of games that the house has saved. A former edition of a game stands for the game as it is
    now.
    """
    named = (Game(load(name), game_file(name)) for name in games)
    known = {game.book: game for game in (*named, *_readable(saved))}
    return {digest: known[book] for digest, book in by_digest(known).items()}


def _readable(texts: Iterable[bytes]) -> Iterator[Game]:
    """Yield the games of these texts; a table of one that cannot be read is found to be of an unknown game."""
    for text in texts:
        with suppress(GameFileError):
            yield Game(read_game(text, "a saved game"), text)


@dataclass
class StreamFound:
    """What the audit of one stream has found, and what is compared with other streams."""

    stream: str
    findings: list[Finding] = field(default_factory=list)
    events: int = 0
    rounds: int = 0
    length: int = 0
    """How many events are in order."""
    last_hash: bytes = b""
    """Of the last event that is in order."""
    hashes: dict[int, str] = field(default_factory=dict)
    """Of the events that are wanted."""
    words: dict[str, int] = field(default_factory=dict)
    """Digests of words that are not there as they were written, or that were erased, with an event that has them."""
    at_tables: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and patron: buy-ins less cash-outs."""
    at_cage: dict[tuple[str, str], int] = field(default_factory=dict)
    """The same, as the cage noted it."""
    owed_at_tables: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and patron: what corrections left owing, less what was paid."""
    owed_at_cage: dict[tuple[str, str], int] = field(default_factory=dict)
    """The same, as the cage booked it."""
    slips_at_tables: dict[int, SlipSum] = field(default_factory=dict)
    slips_at_cage: dict[int, SlipSum] = field(default_factory=dict)
    allowances: dict[tuple[str, str], Held] = field(default_factory=dict)
    """By table and patron: what the table holds of the patron's limits over the house."""
    reserved: dict[tuple[str, str], Held] = field(default_factory=dict)
    """The same, as the patron's stream has it."""
    limited: set[str] = field(default_factory=set)
    """The patrons who have limits, as the cage noted it."""
    cards_turned: dict[str, str] | None = None
    """By sealed shoe a digest of the cards turned at the table; None if the table could not be followed."""
    published: dict[str, Published] = field(default_factory=dict)
    """By shoe what was published of it."""

    def find(self, number: int | None, code: str, **values: object) -> None:
        self.findings.append(finding(self.stream, number, code, **values))


class TableRecomputed:
    """One table, recomputed from its events: its state, its books, its rounds."""

    def __init__(self, found: StreamFound, games: Mapping[str, Game]) -> None:
        self._found, self._games = found, games
        self.table: Table | None = None
        self.auditor: Auditor | None = None
        self.ledger = Ledger()
        self._turned = CardsTurned()

    def go_on(self, table: Table, auditor: Auditor) -> None:
        """Go on from a state that was recomputed before."""
        self.table, self.auditor = table, auditor

    @property
    def cards_turned(self) -> dict[str, str] | None:
        return self._turned.digests() if self.table else None

    @property
    def rounds(self) -> int:
        return self.table.round_number if self.table else 0

    def look_at(self, number: int, event: Event) -> None:
        if self.table is None:
            self._begin(number, event)
        if self.table is None or self.auditor is None:
            return
        auditor = self.auditor
        known, kind = len(auditor.findings), type(event)
        try:
            self.table = evolve(self.table, event)
            self.ledger.post(event)
        except LEADS_NOWHERE:
            self._found.find(number, "does-not-follow")
            self.table = self.auditor = None
            return
        if kind in _COMPARED:
            self._follow_compared(event, self.table)
        auditor.look_at(event)
        if len(auditor.findings) > known:
            self._found.findings += (replace(each, number=number) for each in auditor.findings[known:])
        if self.ledger.total:
            self._found.find(number, "unbalanced")

    def _follow_compared(self, event: Event, table: Table) -> None:
        kind = type(event)
        if kind in _TURNS_CARDS:
            self._turned.look_at(event, table)
        elif kind in _MOVES_CHIPS:
            self._follow_chips(event)
        elif isinstance(event, AllowanceSet):
            place = self._found.stream, event.patron
            note_held(self._found.allowances, place, (event.loss, event.stake, event.until))
        else:
            self._follow_debts(event)

    def _follow_chips(self, event: Event) -> None:
        stream = self._found.stream
        if isinstance(event, BoughtIn | CashedOut):
            place, there = (stream, event.patron), event.amount if isinstance(event, BoughtIn) else -event.amount
            self._found.at_tables[place] = self._found.at_tables.get(place, 0) + there
        elif isinstance(event, Filled | Credited) and event.slip:
            kind = SlipKind.FILL if isinstance(event, Filled) else SlipKind.CREDIT
            self._found.slips_at_tables[event.slip] = stream, kind, event.amount

    def _follow_debts(self, event: Event) -> None:
        changes: list[tuple[str, int]] = []
        if isinstance(event, RoundCorrected | OverlookedWagerSettled):
            changes = [(each.after.patron, each.owed) for each in event.corrections]
        elif isinstance(event, PayoutCorrected):
            changes = [(event.patron, event.owed)]
        elif isinstance(event, DebtPaid):
            changes = [(event.patron, -event.amount)]
        for patron, change in changes:
            debt = (self._found.stream, patron)
            self._found.owed_at_tables[debt] = self._found.owed_at_tables.get(debt, 0) + change

    def _begin(self, number: int, event: Event) -> None:
        game = self._games.get(event.digest) if isinstance(event, TableOpened) else None
        if game:
            self.table, self.auditor = Table(game.book), auditor_of(game.file, self._found.stream)
        elif number == 1:
            self._found.find(number, "unknown-game")
