"""A patron's receipts: of each settled wager, to the patron alone, with the proof that it is in the house's log."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from punto.books.patron_play import PlayKind
from punto.report.receipt.qr_code import Drawing, qr_code
from punto.report.receipt.wager_receipt_sheet import wager_receipt_pdf
from punto.server.access.identity import Person
from punto.server.gateway import Gateway
from punto.server.history.history_routes import Number, up_to_date
from punto.server.http.audit import StillReading
from punto.server.refused import Refused
from punto.server.routing.answers import Pdf, offer_as_file
from punto.server.routing.routes import Routes
from punto.store import play_rows
from punto.store.codec import UnknownEvent
from punto.store.play_rows import PlayLine
from punto.store.receipts.receipt_file import ReceiptFile, SealedReceipt, published_logs, qr_text, sealed_receipts
from punto.store.receipts.wager_receipt import WagerReceipt
from punto.store.trust.checkpoints import public_key_of
from punto.store.trust.log_rows import log_head
from punto.texts import Language
from punto.tlog.tiles import BadTile

Leaf = Annotated[int, Meta(ge=0, lt=2**53)]
_HAVE_RECEIPTS = {PlayKind.ROUND, PlayKind.VOID, PlayKind.CORRECTION}


class ReceiptState(StrEnum):
    """Whether there is a receipt, and why not."""

    SEALED = "sealed"
    NOT_YET = "not-yet"
    """The log does not have it yet: ask again."""
    BEFORE = "before"
    """The wager was settled before the log had receipts."""
    NO_LOG = "no-log"
    """The house keeps no log."""


class ReceiptShown(Struct, frozen=True):
    """A receipt: what it says, the file to keep, and the same as a QR code."""

    leaf: int
    receipt: WagerReceipt
    file: ReceiptFile
    text: str
    """What the QR code holds."""
    code: Drawing


class ReceiptsShown(Struct, frozen=True):
    """The caller's receipts for what one event settled."""

    state: ReceiptState
    receipts: tuple[ReceiptShown, ...]


routes = Routes("/api/receipts", "history")


@routes.get("/{table}/{number}")
async def show_receipts(gateway: Gateway, person: Person, table: str, number: Number) -> ReceiptsShown | StillReading:
    """Return the caller's receipts for an event that settled wagers of theirs; the number is that of the line."""
    if (reading := await up_to_date(gateway)) is not None:
        return reading
    state, found = await _receipts(gateway, person, table, number)
    return ReceiptsShown(state, tuple(map(_shown, found)))


@routes.get("/{table}/{number}/pdf")
async def print_wager_receipt(
    gateway: Gateway, person: Person, table: str, number: Number, leaf: Leaf, language: Language = Language.ENGLISH
) -> Pdf:
    """Return one of the caller's receipts to print."""
    _, found = await _receipts(gateway, person, table, number)
    for each in found:
        if each.leaf == leaf:
            settings = gateway.floor.settings
            response = Pdf(await asyncio.to_thread(wager_receipt_pdf, each, settings, language))
            offer_as_file(response, f"punto-receipt-{leaf}.pdf")
            return response
    raise Refused("not-found")


async def _receipts(
    gateway: Gateway, person: Person, table: str, number: int
) -> tuple[ReceiptState, list[SealedReceipt]]:
    """Return the receipts of a person for an event, as far as the published log has them."""
    store = gateway.floor.store
    rows = await store.ask(play_rows.LINES, person.id, table, number, number, 1)
    if not rows or PlayLine(*rows[0]).kind not in _HAVE_RECEIPTS:
        raise Refused("not-found")
    key = await public_key_of(store)
    if key is None or gateway.log_folder is None:
        return ReceiptState.NO_LOG, []
    if await log_head(store) is None:
        return ReceiptState.NOT_YET, []  # the server has only begun
    for log in await published_logs(store, key, gateway.log_folder):
        try:
            found = await sealed_receipts(store, log, table, number, person.id)
        except (BadTile, UnknownEvent):
            continue
        if found:
            return ReceiptState.SEALED, found
        if found is not None:
            return ReceiptState.BEFORE, []
    return ReceiptState.NOT_YET, []


def _shown(each: SealedReceipt) -> ReceiptShown:
    text = qr_text(each.file)
    return ReceiptShown(each.leaf, each.receipt, each.file, text, qr_code(text))
