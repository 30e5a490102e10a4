"""For every command a table at which it is next, and who may give it there: by the documents, not by the code.

A sample is a moment of a script: the events up to it, and the command given then. Who may give it is
written here by hand. The clauses are Baccarat's, the readings those of the design.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from punto import load
from punto.notation.actions import command as spoken
from punto.notation.heading import setting
from punto.notation.script import Script, parse
from punto.notation.script_player import Player
from punto.rules.rulebook import Rulebook
from punto.server.access.identity import Duty, People
from punto.server.cash.cage import Cage
from punto.server.running.lifecycle import clock
from punto.store import device_tokens
from punto.store.events.house_events import HOUSE, TableCreated
from punto.store.house import House
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import make_keys
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.event import Event
from punto.table.play.table_management import OpenTable
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role

SCRIPTS = Path(__file__).parents[1] / "scripts"

PATRON, DEALER, SUPERVISOR, PIT_MANAGER = "patron", "Dealer", "Pit Supervisor", "Pit Manager"
ASSISTANT, SHIFT = "Assistant Casino Manager", "Gaming Shift Manager"
STAFF = (DEALER, SUPERVISOR, PIT_MANAGER, ASSISTANT, SHIFT)
BOTH = "either manager"
NOBODY_OF_STAFF = "no member of staff"

MAY: dict[str, frozenset[str]] = {
    DEALER: frozenset({DEALER, SUPERVISOR, PIT_MANAGER, ASSISTANT, SHIFT}),
    SUPERVISOR: frozenset({SUPERVISOR, PIT_MANAGER, ASSISTANT, SHIFT}),
    PIT_MANAGER: frozenset({PIT_MANAGER, ASSISTANT, SHIFT}),
    ASSISTANT: frozenset({ASSISTANT}),
    SHIFT: frozenset({SHIFT}),
    BOTH: frozenset({ASSISTANT, SHIFT}),
    NOBODY_OF_STAFF: frozenset(),
}
"""6.2 and reading R5: a higher position may act for a lower one, and the two managers not for each other."""

BYSTANDER = "Zed"
"""A patron who is at no table."""
OPENING = "the opening of a table"
"""Instead of a script, where nothing has happened yet."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the matrix: in which script a command is next, and who may give it."""

    command: str
    needs: str
    """The lowest position of staff that may."""
    script: str
    """The name of a script, or one written out, whose last step it is."""
    why: str
    """The clause, the reading, or that the house has it so."""
    about: str = ""
    """What sets it apart from another sample of the same command."""
    said_by: str = ""
    """Who gives it in the script, if not the lowest position."""
    himself: bool = False
    """Whether the one patron it is about may give it too."""
    staff_code: str = "not-yours"
    patron_code: str = "not-yours"
    """With which code others are refused."""
    game: str = ""

    @property
    def name(self) -> str:
        return f"{self.command} {self.about}".rstrip()


_METHOD_C = "for baccarat\nhlga\ndevice card-reading\nmethod C\npatron Ann 1000\npatron Bob 1000\n"
_CUTTING_CARD_UNDER_C = f"""{_METHOD_C}
Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Dealer: give device to Ann
Dealer: no more bets
Dealer: attest method-c-full-view
Ann: cutting card
"""
_HAND_PASSED = """for baccarat
method A
patron Ann 1000
patron Bob 1000
Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Bob: wager Banker 50 at 2
Dealer: no more bets
Dealer: draw (4 times)
Dealer: player first
Dealer: pass player to Ann
Ann: expose player 1 9s
"""
_ONE_IS_ASKED = """for baccarat
hlga
patron Ann 1000
patron Bob 1000
Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Dealer: no more bets
Dealer: cutting card
Dealer: offer withdrawal
Ann: withdraw all
"""
_EITHER_MANAGER = """for baccarat
managers interchangeable
patron Ann 1000
Dealer: load shoe one
Dealer: place your bets
Dealer: refer a patron fainted
Gaming Shift Manager: decide to continue
"""
_CONFIRMED_BY_SUPERVISOR = """for baccarat
confirms Pit Supervisor
patron Ann 1000
Dealer: load shoe one
Dealer: place your bets
Dealer: report order-altered
Pit Supervisor: confirm void
"""
_NO_RULE = """for fabulous-4
patron Ann 1000
Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Dealer: no more bets
Dealer: refer a card is torn
Pit Manager: decide to continue
"""
_TIME_IS_UP = """for baccarat
betting seconds 20
patron Ann 1000
Dealer: load shoe one
Dealer: place your bets [at 100000]
Dealer: time is up [at 120000]
"""
_OPENED = "for baccarat\npatron Ann 1000\n"

ROWS: tuple[Row, ...] = (
    # --- opening, closing, money: the house has it so, except where a method is chosen -------------------------------
    Row("OpenTable", PIT_MANAGER, OPENING, "house; 3.8.2"),
    Row("OpenTable", ASSISTANT, OPENING, "3.8.2: Method C is an Assistant Casino Manager's to allow", "by Method C"),
    Row("BeginCount", PIT_MANAGER, "blind-count", "house"),
    Row("DropCount", PIT_MANAGER, "blind-count", "house"),
    Row("CloseTable", PIT_MANAGER, "settled-void-replaced", "house"),
    Row("Fill", PIT_MANAGER, "correction-cards", "house"),
    Row("Credit", PIT_MANAGER, "correction-cards", "house"),
    Row("BuyIn", DEALER, "acting-patron", "house", himself=True, patron_code="not-your-chips"),
    Row("CashOut", DEALER, "cash-out", "house", himself=True, patron_code="not-your-chips"),
    Row("PayDebt", DEALER, "debt-paid", "house"),
    Row("SettleDebt", DEALER, "debt-paid", "house: the cage alone", staff_code="not-the-cage"),
    Row(
        "LimitLoss",
        NOBODY_OF_STAFF,
        "own-limit",
        "house: a patron for himself",
        said_by=PATRON,
        himself=True,
        staff_code="not-your-chips",
        patron_code="unknown-patron",
    ),
    Row("ChangeLimits", PIT_MANAGER, "limits-changed", "3.5.1, house"),
    Row("ChangeMethod", PIT_MANAGER, "methods", "3.8.2"),
    Row("ChangeMethod", ASSISTANT, "methods", "3.8.2", "to Method C"),
    Row("RestrictArea", PIT_MANAGER, "fewer-per-area", "3.6.1"),
    Row("AppointActing", PIT_MANAGER, "acting-up", "6.2: who could do the work himself"),
    Row("AppointActing", ASSISTANT, f"{_OPENED}{ASSISTANT}: Sam acts as {ASSISTANT}", "6.2", "as Assistant"),
    Row("AppointActing", SHIFT, f"{_OPENED}{SHIFT}: Sam acts as {SHIFT}", "6.2", "as Shift Manager"),
    Row("AppointActing", SUPERVISOR, f"{_OPENED}{SUPERVISOR}: Sam acts as {SUPERVISOR}", "6.2", "as Supervisor"),
    Row("AppointActing", DEALER, f"{_OPENED}{DEALER}: Sam acts as {DEALER}", "6.2", "as Dealer"),
    Row("EndActing", PIT_MANAGER, "acting-up", "6.2"),
    Row("LoadShoe", DEALER, "method-a", "house"),
    Row("BurnCards", DEALER, "burn-cards", "R17: the house has it so"),
    Row("EndShoe", PIT_MANAGER, "correction-cards", "R17: whoever the house has confirm"),
    # --- wagers ------------------------------------------------------------------------------------------------------
    Row("OpenBets", DEALER, "method-a", "3.1"),
    Row("PlaceWager", DEALER, "announcements", "3.7", said_by=PATRON, himself=True, patron_code="not-your-chips"),
    Row("PlaceWager", DEALER, "wager-on-behalf", "3.7", "on behalf", himself=True, patron_code="not-your-chips"),
    Row("TakeBackWager", DEALER, "limits", "3.7", said_by=PATRON, himself=True, patron_code="not-your-chips"),
    Row(
        "RequestWager",
        NOBODY_OF_STAFF,
        "wager-requested",
        "3.7",
        said_by=PATRON,
        himself=True,
        staff_code="not-your-chips",
        patron_code="unknown-patron",
    ),
    Row("CloseBets", DEALER, "method-a", "3.2"),
    Row("WindowElapsed", DEALER, _TIME_IS_UP, "3.2: as No more bets"),
    Row("RecordWager", DEALER, "differential-found", "R7"),
    Row("RecordWager", PIT_MANAGER, "found-late", "R7: with a card seen, whoever confirms", "with a card seen"),
    Row("RefuseLateWager", DEALER, "late-wager", "5.4"),
    Row("NoteLateWithdrawal", DEALER, "late-withdrawal", "5.5"),
    Row("ReportPayout", DEALER, "wrong-payout", "4.1"),
    Row("SettleOverlookedWager", PIT_MANAGER, "overlooked", "4.1, R83: whoever confirms"),
    Row("AskForDecreases", DEALER, "differential", "5.18.1"),
    Row("RemoveWager", PIT_MANAGER, "differential", "5.18.3"),
    # --- dealing -----------------------------------------------------------------------------------------------------
    Row("DrawCard", DEALER, "announcements", "3.8.1, 3.10.1"),
    Row(
        "DrawCard",
        NOBODY_OF_STAFF,
        "method-c",
        "3.11.1",
        "by Method C",
        PATRON,
        himself=True,
        staff_code="device-not-held",
        patron_code="device-not-held",
    ),
    Row("ShowCuttingCard", DEALER, "cutting-card", "3.17"),
    Row(
        "ShowCuttingCard",
        DEALER,
        _CUTTING_CARD_UNDER_C,
        "3.11.1, 3.17",
        "by Method C",
        PATRON,
        himself=True,
        patron_code="device-not-held",
    ),
    Row("ChooseFirstHand", DEALER, "method-a", "3.9.6"),
    Row("PassHand", DEALER, "method-a", "3.9.2"),
    Row("PassHand", SUPERVISOR, "method-a-declined", "3.9.4.1", "when nobody is left"),
    Row("PassHand", DEALER, "method-c", "3.11.3", "by Method C"),
    Row(
        "DeclineHand",
        NOBODY_OF_STAFF,
        "method-a-declined",
        "3.9.5",
        said_by=PATRON,
        himself=True,
        staff_code="not-your-cards",
        patron_code="not-your-cards",
    ),
    Row(
        "LookAtCards",
        NOBODY_OF_STAFF,
        "method-a",
        "3.9.2",
        said_by=PATRON,
        himself=True,
        staff_code="not-your-cards",
        patron_code="not-your-cards",
    ),
    Row("PermitDrawing", ASSISTANT, "method-c-gives-up", "3.11.2"),
    Row("GiveDevice", DEALER, "method-c", "R20"),
    Row(
        "GiveUpDevice",
        NOBODY_OF_STAFF,
        "method-c-gives-up",
        "3.11.8.1",
        said_by=PATRON,
        himself=True,
        staff_code="device-not-held",
        patron_code="device-not-held",
    ),
    Row(
        "AcceptDevice",
        NOBODY_OF_STAFF,
        "method-c-accepted",
        "3.11.8",
        said_by=PATRON,
        himself=True,
        staff_code="device-not-held",
        patron_code="device-not-held",
    ),
    Row("AcceptDevice", DEALER, "method-c-accepted", "3.11.8", "recorded", patron_code="device-not-held"),
    Row("TakeBackDevice", SHIFT, "method-c-leaves", "6.1, R35"),
    Row("ExposeCard", DEALER, "miskeyed-card", "3.10.2", patron_code="no-handling"),
    Row(
        "ExposeCard",
        NOBODY_OF_STAFF,
        _HAND_PASSED,
        "3.9.2",
        "of a hand passed",
        PATRON,
        himself=True,
        staff_code="cards-with-patron",
        patron_code="not-your-cards",
    ),
    Row("AnnounceTotals", DEALER, "totals-announced", "3.14"),
    Row("AnnounceOutcome", DEALER, "miskeyed-card", "1.1.7"),
    Row("SettleRound", DEALER, "miskeyed-card", "1.1.7"),
    # --- irregularities ----------------------------------------------------------------------------------------------
    Row("ReportVoid", DEALER, "order-altered", "5.1"),
    Row("SignOn", DEALER, "sign-on", "house"),
    Row("SignOff", DEALER, "sign-on", "house: the Dealer on duty", staff_code="not-on-duty"),
    Row("CallPit", DEALER, "call-the-pit", "house"),
    Row("AnswerCall", SUPERVISOR, "call-the-pit", "house"),
    Row("ConfirmAct", PIT_MANAGER, "second-person", "house: the position of the act"),
    Row("DropAct", DEALER, "second-person", "house: who proposed it", said_by=PIT_MANAGER, staff_code="not-your-act"),
    Row("ConfirmVoid", PIT_MANAGER, "order-altered", "5.1: the house's choice, the Pit Manager if it makes none"),
    Row("ConfirmVoid", SUPERVISOR, _CONFIRMED_BY_SUPERVISOR, "5.1: as the house chose", "by choice"),
    Row("DismissVoid", PIT_MANAGER, "correction-in-round", "R36"),
    Row("Attest", DEALER, "method-c", "3.11.5"),
    Row("TimeSqueeze", DEALER, "squeeze-time", "R85"),
    Row("PermitSqueeze", PIT_MANAGER, "squeeze-permission", "3.16"),
    Row(
        "NameSqueezer",
        NOBODY_OF_STAFF,
        "squeezer-named",
        "3.16",
        said_by=PATRON,
        himself=True,
        staff_code="not-your-cards",
        patron_code="not-your-cards",
    ),
    Row("OfferWithdrawal", DEALER, "cutting-card-first", "3.17.1"),
    Row(
        "AnswerWithdrawal",
        NOBODY_OF_STAFF,
        _ONE_IS_ASKED,
        "3.17.1",
        said_by=PATRON,
        himself=True,
        staff_code="not-asked",
        patron_code="not-asked",
    ),
    Row("CorrectAnswer", SUPERVISOR, "answer-corrected", "R82: while the offer is open"),
    Row("EndWithdrawal", DEALER, "cutting-card-first", "R11"),
    Row("ReportPowerFailure", PIT_MANAGER, "power-failure-open", "5.17"),
    Row("Refer", DEALER, "referral", "6.1"),
    Row("DecideReferral", SHIFT, "referral", "6.1"),
    Row("DecideReferral", BOTH, _EITHER_MANAGER, "R5: the house has it so", "by either manager", SHIFT),
    Row("DecideReferral", PIT_MANAGER, _NO_RULE, "R22: the house decides", "without a rule"),
    Row("ReportDrawnTogether", DEALER, "drawn-together", "5.8"),
    Row("FixOrder", PIT_MANAGER, "drawn-together-later", "5.8.2.2"),
    Row("ReportFaceUp", DEALER, "card-face-up", "5.6"),
    Row("ReportDeviceMoved", DEALER, "device-moved", "5.12"),
    Row("ReplaceCards", PIT_MANAGER, "cards-replaced", "5.13"),
    Row("ReportAbsent", DEALER, "handler-absent", "5.10"),
    Row("ReportWrongPass", DEALER, "wrong-patron", "5.7"),
    Row("RetrieveHand", DEALER, "wrong-patron", "5.7"),
    Row("ReportMisplaced", DEALER, "third-card-misplaced", "5.7"),
    Row("ReconstructCards", DEALER, "third-card-misplaced", "5.7"),
    Row("RelayByOrder", DEALER, "relaid-initial", "5.7"),
    Row("RelayByHands", DEALER, "relaid-initial", "5.7"),
    Row("ExposeInError", DEALER, "not-a-wrong-delivery", "5.7.1"),
    Row("ReportWrongNumber", DEALER, "fabulous-4-wrong-number", "Fabulous 4 5.2"),
    Row("ReportCardsTaken", DEALER, "cards-taken", "5.11"),
    Row("AttestCardsTaken", SHIFT, "cards-taken", "5.11.1"),
    Row("DetermineMissing", SHIFT, "cards-taken", "5.11.2, R13"),
    Row("NameCard", DEALER, "unread-card", "house: the device failed"),
    Row("ConfirmCard", PIT_MANAGER, "unread-card", "house: whoever confirms"),
    Row("CorrectRound", SHIFT, "correction", "6.3"),
    Row("CorrectRound", PIT_MANAGER, "fabulous-4-house", "R52: the house", "without a rule on displays"),
    Row("OrderWithdrawal", SHIFT, "measures", "6.1", said_by=SHIFT),
    Row("OrderReturn", SHIFT, "measures", "6.1", said_by=SHIFT),
    Row("OrderCard", SHIFT, "measures", "6.1", said_by=SHIFT),
    Row("OrderNewCards", SHIFT, "measures", "6.1", said_by=SHIFT),
    Row("OrderRelaying", SHIFT, "measures-relaid", "6.1", said_by=SHIFT),
    Row("OrderCardsAside", SHIFT, "measures-surplus", "6.1", said_by=SHIFT),
    Row("OrderCoup", SHIFT, "measures-settled", "6.1", said_by=SHIFT),
    Row("WithdrawReport", PIT_MANAGER, "report-withdrawn", "R50: who would confirm it"),
    Row("CorrectCard", PIT_MANAGER, "miskeyed-card", "house: whoever confirms"),
    Row("ReportReset", DEALER, "device-reset", "5.9"),
    Row("DecideReset", SHIFT, "device-reset-exposed", "6.1, R12"),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A table at which a command is next."""

    row: Row
    book: Rulebook
    events: tuple[Event, ...]
    command: Command
    patrons: tuple[str, ...]
    """Those who have chips at the table."""

    @property
    def values(self) -> dict[str, Any]:
        """What the command says besides who gives it and when."""
        return values_of(self.command)

    @property
    def himself(self) -> str | None:
        """The patron who may give it, if one may."""
        if not self.row.himself:
            return None
        about: str = getattr(self.command, "patron", None) or self.command.by.id
        return about

    def others(self) -> list[str]:
        """Patrons who may not give it: one at the table, if there is one, and one who is not."""
        at_table = [patron for patron in self.patrons if patron != self.himself]
        return [*at_table[:1], BYSTANDER]


def values_of(command: Command) -> dict[str, Any]:
    """The fields of a command that are for people to say."""
    return {name: value for name, value in asdict(command).items() if name not in ("by", "at")}


@cache
def samples() -> tuple[Sample, ...]:
    """One for each line of the matrix."""
    return tuple(map(_sample, ROWS))


def _sample(row: Row) -> Sample:
    text = row.script
    if row.script == OPENING:
        text = f"{_METHOD_C if row.needs == ASSISTANT else _OPENED}Dealer: place your bets"
    elif "\n" not in text:
        text = (SCRIPTS / f"{text}.round").read_text("utf-8")
    script = parse(text)
    if row.script == OPENING:
        book = load(script.runs[0].game)
        return Sample(row, book, (), OpenTable(Actor("x", Role(row.needs)), *setting(script, book)), ())
    return _moment(row, script)


def _moment(row: Row, script: Script) -> Sample:
    """The first moment of a script at which the position in question gives the command and it is carried out."""
    run = next(run for run in script.runs if row.game in ("", run.game))
    player, said_by = Player(script, run), row.said_by or row.needs
    player._set_up()
    for step in script.steps:
        given = spoken(step.line, step.who, step.action)
        done = not isinstance(decide(player.table, given), Refusal)
        if type(given).__name__ == row.command and given.by.role.value == said_by and done:
            patrons = tuple(patron for patron, chips in player.table.chips.items() if chips)
            return Sample(row, player.book, tuple(player.log), given, patrons)
        player._take(step)
    raise AssertionError(f"{row.script}: nobody gives {row.name} as {said_by}")


# --- a house in which they all are ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prepared:
    """A database that a server can be started on, and the tokens by which people are signed in."""

    file: Path
    tokens: dict[str, str]
    """By duty, and by id for patrons."""
    ids: dict[str, str]


def house_of(file: Path, tables: dict[str, Sample], patrons: Sequence[str]) -> Prepared:
    """Make a house with these tables, a person for every duty, and these patrons with money in their accounts."""
    return asyncio.run(_house_of(file, tables, patrons))


async def _house_of(file: Path, tables: dict[str, Sample], patrons: Sequence[str]) -> Prepared:
    store, at = SqliteStore(file), clock()
    try:
        await House.open(store, make_keys(Path(f"{file}.key")), at)
        await store.append([*_appends(tables, at)])
        people, cage = People(store, clock), Cage(store, clock)
        ids = {duty.value: (await people.add(duty.value, duty)).id for duty in Duty if duty is not Duty.PATRON}
        for patron in patrons:
            await store.ask(_ADD, patron, patron, patron.casefold(), PATRON, at)
            await cage.deposit(patron, 10_000_000, ("x", Duty.CASHIER.value))
            ids[patron] = patron
        tokens = {each: await _signed_in(people, each, id_) for each, id_ in ids.items()}
        return Prepared(file, tokens, ids)
    finally:
        await store.close()


_ADD = "insert into person (id, name, compared, duty, made_at) values ($1, $2, $3, $4, $5)"


async def _signed_in(people: People, duty: str, id_: str) -> str:
    if duty == Duty.DEVICE.value:
        return await _device_token(people, id_)
    return await people.use_link(await people.make_link(id_, 60_000))


async def _device_token(people: People, id_: str) -> str:
    """Return a token of a device that is bound to no table."""
    token, at = f"token of {id_}".replace(" ", "-"), clock()
    digest = hashlib.sha256(token.encode()).hexdigest()
    assert await people._store.ask(device_tokens.ADD, digest, at, at + 86_400_000, id_)
    return token


def _appends(tables: dict[str, Sample], at: int) -> Iterator[Append]:
    created = [TableCreated(name, sample.book.key, sample.book.digest) for name, sample in tables.items()]
    yield Append(HOUSE, 1, [EventRecord.of(event, at, "punto", "system") for event in created])
    for name, sample in tables.items():
        if sample.events:
            yield Append(name, 0, [EventRecord.of(event, at, "script", "system") for event in sample.events])
