"""What a person needs to know before they decide: the matter that play is held for, and what a command would move."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from punto.cards import Card
from punto.report.dispute.packet import cited
from punto.report.event_text import event_text
from punto.report.legend import Legend, named
from punto.report.receipt.receipt_sheet import RECEIPTS, receipt_pdf
from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.http.table_people import names_at
from punto.server.pit.alert_routes import TableWatches
from punto.server.realtime.messages import COMMAND_MESSAGES, ClientMessage, RefusedMessage, command_of, refused
from punto.server.refused import Refused
from punto.server.routing.answers import Pdf, offer_as_file
from punto.server.routing.event_numbers import EventNumber
from punto.server.routing.routes import Routes, Tagged
from punto.server.tables.blind_count import check_shown
from punto.server.tables.known_cards import NEED_CARDS
from punto.server.tables.served_table import ServedTable
from punto.store.records import EventRecord
from punto.table.command import Command, Report
from punto.table.decide import decide
from punto.table.event import Event, Irregularity, Settled
from punto.table.evolve import replay
from punto.table.hold import Hold
from punto.table.irregularities.referral import ReferralHold
from punto.table.money import Cents
from punto.table.play.second_person import ActProposed
from punto.table.play.table_management import CloseTable
from punto.table.refusal import Refusal
from punto.table.roles import Actor
from punto.table.table import SettledRound, Table
from punto.texts import Language, text


class RoundInQuestion(Struct, frozen=True):
    """A settled round that a matter is about, or that can still be corrected."""

    round: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    wagers: tuple[Settled, ...]
    corrected: bool


class HoldShown(Struct, frozen=True):
    """A matter that play is held for: how it came up, who reported it and when."""

    provision: str
    rests_on: str
    """The provision of the rule that deals with it."""
    clause: str | None
    number: int | None = None
    """Of the event by which it came up; None in logs of older versions, as is what follows from it."""
    at: int | None = None
    by: str | None = None
    name: str | None = None
    position: str | None = None
    told: str = ""
    """What happened, in words."""
    noticed_by: str = ""
    note: str = ""
    round: RoundInQuestion | None = None


class HoldsShown(Struct, frozen=True):
    """What play is held for, the newest last: it is dealt with first; and the settled rounds that can be corrected."""

    holds: tuple[HoldShown, ...]
    rounds: tuple[RoundInQuestion, ...]
    names: dict[str, str]


class Balance(Struct, frozen=True):
    """What a patron has at a table."""

    patron: str
    chips: Cents
    on_layout: Cents
    owed: Cents


class Balances(Struct, frozen=True):
    """The money at a table."""

    float_: Cents
    commission: Cents
    patrons: tuple[Balance, ...]


class Preview(Struct, frozen=True):
    """What a command would do, decided by the present state and not stored."""

    before: Balances
    after: Balances
    second_person: bool
    """Whether another person has to confirm it first."""
    told: tuple[str, ...]
    """What would be recorded, in words."""
    clauses: tuple[str, ...]
    names: dict[str, str]


routes = Routes("/api/pit", "the pit")


@routes.get("/{table}/holds", permission=Permission.SEE_PIT)
async def list_holds(
    gateway: Gateway, watches: TableWatches, table: str, language: Language = Language.ENGLISH
) -> HoldsShown:
    """Return what play is held for at a table, with who reported it, when and why."""
    served = await gateway.refreshed(table)
    spans = (await watches.of(served)).holds
    state = served.table
    known = [None] * (len(state.holds) - len(spans)) + list(spans)
    stored = [(await gateway.floor.store.read(served.name, each.number - 1, 1))[0] if each else None for each in known]
    legend = Legend(language, await names_at(gateway, served))
    await legend.look_up(gateway.floor.store, [each for each in stored if each])
    holds = tuple(_hold(state, hold, record, legend) for hold, record in zip(state.holds, stored, strict=False))
    rounds = tuple(_round(number, each) for number, each in sorted(state.history.items(), reverse=True))
    people = {each.patron for one in rounds for each in one.wagers}
    return HoldsShown(holds, rounds, {**legend.names, **await gateway.people.names(people)})


def _hold(table: Table, hold: Hold, recorded: EventRecord | None, legend: Legend) -> HoldShown:
    about = hold.round if isinstance(hold, ReferralHold) else None
    shown = HoldShown(
        provision=hold.provision,
        rests_on=hold.rests_on,
        clause=table.book.clause_of(hold.rests_on),
        round=_round(about, table.history[about]) if about is not None and about in table.history else None,
    )
    if recorded is None:
        return shown
    event = recorded.event
    told = event.circumstances if isinstance(event, Irregularity) else None
    return replace(
        shown,
        number=recorded.number,
        at=recorded.at,
        by=recorded.by,
        name=legend.names.get(recorded.by),
        position=recorded.position,
        told=legend.event(event),
        noticed_by=legend.in_text(told.noticed_by) if told and told.noticed_by != recorded.by else "",
        note=legend.in_text(told.note) if told else "",
    )


def _round(number: int, record: SettledRound) -> RoundInQuestion:
    return RoundInQuestion(number, record.player, record.banker, record.wagers, record.corrected)


@routes.post("/{table}/preview", permission=Permission.SEE_PIT, while_closed=True)
async def preview_command(
    gateway: Gateway,
    person: Person,
    table: str,
    body: Annotated[ClientMessage, Tagged("PreviewedCommand", tuple(COMMAND_MESSAGES.values()))],
    language: Language = Language.ENGLISH,
) -> Preview | RefusedMessage:
    """Decide a command on the present state without storing it, and return the money before and after.

    A command that the house completes with cards it knows is not previewed, and nothing is while chips are counted:
    nobody learns a card, or what a tray should hold, by trying.
    """
    served, role = await gateway.refreshed(table), person.duty.role
    await check_shown(gateway.floor, person, table)
    if role is None:
        raise Refused("no-position", duty=person.duty.value)
    command = command_of(body, Actor(person.id, role), gateway.clock())
    if isinstance(command, (*NEED_CARDS, CloseTable)):
        raise Refused("cannot-be", case="no-preview")
    if isinstance(command, Report) and not command.reason:
        command = replace(command, reason="any")
    decision = decide(served.table, command)
    if isinstance(decision, Refusal):
        return refused(decision, served.book)
    waits = any(isinstance(each, ActProposed) for each in decision)
    events = _done(served.table, command) if waits else decision
    return await _preview(gateway, served, events, waits, language)


def _done(table: Table, command: Command) -> Sequence[Event]:
    """Return the events of a command once a second person has confirmed it."""
    decision = decide(table.changed(setting=replace(table.set_up, second_person=())), command)
    assert not isinstance(decision, Refusal)
    return decision


async def _preview(
    gateway: Gateway, served: ServedTable, events: Sequence[Event], waits: bool, language: Language
) -> Preview:
    names = await names_at(gateway, served)
    erased, words = text("reports", "erased.words", language), gateway.floor.words
    told = tuple(named(words.in_text(event_text(each, language), erased), names) for each in events)
    clauses = tuple(dict.fromkeys(clause for each in events for clause in cited(each, served.book)))
    before, after = _balances(served.table), _balances(replay(served.table, events))
    return Preview(before, after, waits, told, clauses, names)


def _balances(table: Table) -> Balances:
    people = sorted({*table.chips, *table.owed})
    patrons = tuple(
        Balance(each, table.chips.get(each, 0), table.round.staked_by(each), table.owed.get(each, 0)) for each in people
    )
    return Balances(table.float_, table.commission, patrons)


@routes.get("/{table}/receipts/{number}", permission=Permission.SEE_PIT)
async def print_receipt(
    gateway: Gateway, person: Person, table: str, number: EventNumber, language: Language = Language.ENGLISH
) -> Pdf:
    """Return the receipt of a correction, a void or a wager handed back, to print."""
    served = await gateway.refreshed(table)
    await check_shown(gateway.floor, person, table)
    read = await gateway.floor.store.read(served.name, number - 1, 1)
    if not read or not isinstance(read[0].event, RECEIPTS):
        raise Refused("not-found")
    legend = Legend(language)
    await legend.look_up(gateway.floor.store, read)
    settings = gateway.floor.settings
    response = Pdf(await asyncio.to_thread(receipt_pdf, served.name, read[0], settings, legend, language))
    offer_as_file(response, f"punto-receipt-{served.name}-{number}.pdf")
    return response
