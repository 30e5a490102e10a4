"""The receipt of a settled wager to print, with all of it in a QR code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from punto.cards import Card
from punto.report.event_text import card_sign
from punto.report.receipt.qr_code import as_svg, qr_code
from punto.report.rendering import breakable, money
from punto.store.house_settings import HouseSettings
from punto.store.receipts.receipt_file import SealedReceipt, qr_text
from punto.store.receipts.wager_receipt import WagerReceipt
from punto.texts import Language, name_of, texts_under

_HERE = Path(__file__).parent


def wager_receipt_pdf(sealed: SealedReceipt, settings: HouseSettings, language: Language) -> bytes:
    """Return the receipt as a PDF."""
    import typst

    content = {"sheet": json.dumps(wager_receipt_sheet(sealed, settings, language))}
    made: bytes = typst.compile(str(_HERE / "wager_receipt.typ"), sys_inputs=content)
    return made


def wager_receipt_sheet(sealed: SealedReceipt, settings: HouseSettings, language: Language) -> dict[str, Any]:
    """Return all that the paper says, as texts."""
    texts, receipt = texts_under("reports", "wager_receipt", language), sealed.receipt
    facts = [[texts[name], breakable(value)] for name, value in _facts(receipt, settings, language, texts) if value]
    return {
        "texts": texts,
        "language": language.value,
        "property": settings.property_name,
        "facts": facts,
        "leaf": str(sealed.leaf),
        "key": breakable(sealed.file.key),
        "code": as_svg(qr_code(qr_text(sealed.file))),
    }


def _facts(
    receipt: WagerReceipt, settings: HouseSettings, language: Language, texts: dict[str, str]
) -> Iterator[tuple[str, str]]:
    local = datetime.fromtimestamp(receipt.at // 1_000, UTC).astimezone(settings.zone)
    yield "table", receipt.table
    yield "round", str(receipt.round)
    yield "time", f"{local:%Y-%m-%d %H:%M:%S} {settings.time_zone}"
    yield "wager", f"{name_of('wager', receipt.wager, language)} · {receipt.position}"
    yield "stake", f"{money(receipt.stake)} {settings.currency}".strip()
    yield "result", texts.get(f"result.{receipt.result or 'returned'}", receipt.result or "")
    yield "player", _cards(receipt.player)
    yield "banker", _cards(receipt.banker)
    yield "pays", receipt.pays if receipt.winnings else ""
    yield "winnings", money(receipt.winnings)
    yield "capped", money(receipt.capped) if receipt.capped else ""
    yield "commission", money(receipt.commission) if receipt.commission else ""
    yield "returned", f"{money(receipt.returned)} {settings.currency}".strip()
    yield "clause", ", ".join(filter(None, (receipt.clause, receipt.limit_clause)))
    yield "replaces", "" if receipt.replaces is None else str(receipt.replaces)


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(card_sign(Card.parse(card)) for card in cards)
