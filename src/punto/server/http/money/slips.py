"""Slips for fills and credits: asked for by one person, confirmed by another, numbered through the house."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from punto.report.paper.slip_sheet import number_of, slip_pdf
from punto.server.access.erasure import proper_reason
from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.cash.slips import command_of
from punto.server.gateway import Gateway
from punto.server.http.access.people import Line
from punto.server.realtime.messages import Word
from punto.server.refused import Refused
from punto.server.routing.answers import Pdf, offer_as_file
from punto.server.routing.routes import Routes
from punto.server.tables.blind_count import check_shown, hidden_tables
from punto.store.events.cage_events import CAGE, SlipAsked, SlipKind
from punto.store.records import Repeated
from punto.store.slip_book import Signed, Slip, SlipState
from punto.store.words import KnownWords
from punto.table.guards import MOST
from punto.table.money import Cents, Pieces
from punto.table.refusal import Refusal
from punto.table.roles import Actor
from punto.texts import Language, text

MOST_LISTED = 200
MOST_KINDS = 40
SlipNumber = Annotated[int, Meta(ge=1, lt=MOST)]


class NewSlip(Struct, frozen=True, forbid_unknown_fields=True):
    """Chips that are asked for, to a table or from it, by denomination."""

    kind: SlipKind
    table: str
    pieces: Annotated[tuple[Pieces, ...], Meta(min_length=1, max_length=MOST_KINDS)]
    key: Word | None = None
    """Idempotency key: the same key again is a retry."""


class Cancellation(Struct, frozen=True, forbid_unknown_fields=True):
    """Why chips that were asked for are not moved."""

    reason: Line


class SignedShown(Struct, frozen=True):
    """Who did something, in which position, and when."""

    by: str
    name: str | None
    position: str
    at: int


class SlipShown(Struct, frozen=True):
    """A slip: what it moves, who asked for it, and who confirmed or cancelled it."""

    number: int
    kind: SlipKind
    table: str
    amount: Cents
    pieces: tuple[Pieces, ...]
    state: SlipState
    asked: SignedShown
    ended: SignedShown | None
    reason: str = ""
    mine: bool = False
    """Whether the caller asked for it, and so cannot confirm it."""


routes = Routes("/api/slips", "slips")


@routes.get("", permission=Permission.SEE_SLIPS)
async def list_slips(
    gateway: Gateway,
    person: Person,
    table: str | None = None,
    state: SlipState | None = None,
    most: Annotated[int, Meta(ge=1, le=MOST_LISTED)] = 50,
) -> list[SlipShown]:
    """List slips, the newest first; of one table, or in one state."""
    await gateway.floor.cage.catch_up()
    hidden = await hidden_tables(gateway.floor, person)
    every = (each for each in reversed(gateway.floor.cage.slip_book.slips.values()) if each.table not in hidden)
    wanted = [each for each in every if table in (None, each.table) and state in (None, each.state)]
    return await _shown(gateway, person, wanted[:most])


@routes.post("", permission=Permission.KEEP_SLIPS)
async def ask_for_chips(gateway: Gateway, person: Person, body: NewSlip) -> SlipShown:
    """Ask for chips to a table or from it. The slip has the next number, and waits for a second person."""
    role = person.duty.role
    if role is None:
        raise Refused("no-position", duty=person.duty.value)
    served, amount = await gateway.refreshed(body.table), sum(each.amount for each in body.pieces)
    command = command_of(body.kind)(Actor(person.id, role), amount, body.pieces)
    digest = sha256(msgspec.json.encode((body.kind, body.table, body.pieces))).digest()
    key = (body.key, digest) if body.key else None
    cage = gateway.floor.cage
    try:
        slip = await cage.ask_for_chips(served.name, served.table, command, key)
    except Repeated as before:
        if before.answer.digest != digest:
            raise Refused("key-used") from None
        (asked,) = await gateway.floor.store.read(CAGE, before.answer.first - 1, 1)
        assert isinstance(asked.event, SlipAsked)
        slip = cage.slip_book.slips[asked.event.slip]
    return (await _shown(gateway, person, [slip]))[0]


@routes.post("/{slip}/confirm", permission=Permission.KEEP_SLIPS)
async def confirm_slip(gateway: Gateway, person: Person, slip: SlipNumber) -> SlipShown:
    """Confirm, as the second person, that the chips of a slip are moved."""
    cage = gateway.floor.cage
    await cage.catch_up()
    found = cage.slip_book.confirmable(slip, person.id)
    if isinstance(found, Refusal):
        raise Refused(found)
    asker = await gateway.people.find(found.asked.by)
    if asker is None or not asker.active:
        raise Refused("cannot-be", case="person-not-active")
    if refusal := await gateway.floor.confirm_slip(found, (person.id, person.duty.value)):
        raise Refused(refusal)
    return (await _shown(gateway, person, [cage.slip_book.slips[slip]]))[0]


@routes.post("/{slip}/cancel", permission=Permission.KEEP_SLIPS)
async def cancel_slip(gateway: Gateway, person: Person, slip: SlipNumber, body: Cancellation) -> SlipShown:
    """Cancel a slip whose chips are not moved; its number stays used."""
    giver = person.id, person.duty.value
    cancelled = await gateway.floor.cage.cancel_slip(slip, proper_reason(body.reason), giver)
    return (await _shown(gateway, person, [cancelled]))[0]


@routes.get("/{slip}/pdf", permission=Permission.SEE_SLIPS)
async def print_slip(gateway: Gateway, person: Person, slip: SlipNumber, language: Language = Language.ENGLISH) -> Pdf:
    """Return a slip to print."""
    await gateway.floor.cage.catch_up()
    found = gateway.floor.cage.slip_book.slips.get(slip)
    if found is None:
        raise Refused("no-such-slip", slip=slip)
    await check_shown(gateway.floor, person, found.table)
    told = await _with_reason(gateway, found, language)
    signed = [each for each in (found.asked, found.ended) if each]
    names = await gateway.people.names({each.by for each in signed})
    made = await asyncio.to_thread(slip_pdf, told, gateway.floor.settings, names, language)
    response = Pdf(made)
    offer_as_file(response, f"punto-{found.kind.value}-{number_of(slip)}.pdf")
    return response


async def _shown(gateway: Gateway, person: Person, slips: list[Slip]) -> list[SlipShown]:
    signed = [each for slip in slips for each in (slip.asked, slip.ended) if each]
    names = await gateway.people.names({each.by for each in signed})

    def told(each: Signed) -> SignedShown:
        return SignedShown(each.by, names.get(each.by), each.position, each.at)

    return [
        SlipShown(
            number=each.number,
            kind=each.kind,
            table=each.table,
            amount=each.amount,
            pieces=each.pieces,
            state=each.state,
            asked=told(each.asked),
            ended=told(each.ended) if each.ended else None,
            reason=(await _with_reason(gateway, each, Language.ENGLISH)).reason,
            mine=each.asked.by == person.id,
        )
        for each in slips
    ]


async def _with_reason(gateway: Gateway, slip: Slip, language: Language) -> Slip:
    """Return a slip with what a person wrote about it in place of the reference to it."""
    if not slip.reason:
        return slip
    words = KnownWords()
    await words.look_up(gateway.floor.store, slip.reason.encode())
    return msgspec.structs.replace(slip, reason=words.in_text(slip.reason, text("reports", "erased.words", language)))
