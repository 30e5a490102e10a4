"""The receipt of money that moved because of an irregularity, as texts in one language, and the PDF."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from punto.report.event_text import card_sign
from punto.report.legend import Legend
from punto.report.rendering import breakable, money
from punto.store.house_settings import HouseSettings
from punto.store.records import EventRecord
from punto.table.event import Irregularity
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.differential import WagerRemoved
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.measures import WagerReturned
from punto.table.irregularities.void import RoundVoided
from punto.table.play.wrong_payout import PayoutCorrected
from punto.texts import Language, name_of, text, texts_under

_HERE = Path(__file__).parent
RECEIPTS = (RoundCorrected, OverlookedWagerSettled, RoundVoided, PayoutCorrected, WagerReturned, WagerRemoved)
"""The events that have a receipt."""
Moved = tuple[str, int, str, int, int, int]
"""A wager that money moved for: whose, where, what, what was handed over before and after, what is owed."""


def receipt_pdf(
    table: str, recorded: EventRecord, settings: HouseSettings, legend: Legend, language: Language
) -> bytes:
    """Return the receipt of an event as a PDF."""
    import typst

    # Everything goes in as data, so that what a person wrote is never taken for a command.
    content = {"sheet": json.dumps(sheet(table, recorded, settings, legend, language))}
    made: bytes = typst.compile(str(_HERE / "receipt.typ"), sys_inputs=content)
    return made


def sheet(
    table: str, recorded: EventRecord, settings: HouseSettings, legend: Legend, language: Language
) -> dict[str, Any]:
    """Return all that the receipt says, as texts."""
    event, texts = recorded.event, texts_under("reports", "receipt", language)
    assert isinstance(event, Irregularity)
    moved = list(_moved(event))
    return {
        "texts": texts,
        "language": language.value,
        "property": settings.property_name,
        "currency": settings.currency,
        "number": f"{table}-{recorded.number}",
        "table": breakable(table),
        "time": _time(recorded.at, settings),
        "told": breakable(legend.event(event)),
        "facts": [
            [texts[name], breakable(value)] for name, value in _facts(recorded, event, legend, language) if value
        ],
        "moved": [
            [breakable(legend.name(who)), str(where), name_of("wager", what, language), *_sums(was, now, owed)]
            for who, where, what, was, now, owed in moved
        ],
        "total": _grouped(sum(now - was for _, _, _, was, now, _ in moved)),
        "owed": _grouped(sum(owed for *_, owed in moved)),
    }


def _facts(recorded: EventRecord, event: Irregularity, legend: Legend, language: Language) -> Iterator[tuple[str, str]]:
    about = legend.circumstances(event.circumstances) if event.circumstances else None
    number = getattr(event, "round", None) or (about.round if about else None)
    yield "round", str(number) if number else ""
    if isinstance(event, RoundCorrected) and event.coup:
        for hand, cards in (("player", event.coup.player), ("banker", event.coup.banker)):
            yield hand, " ".join(map(card_sign, cards))
    yield "clause", getattr(event, "clause", None) or ""
    position = name_of("duty", recorded.position, language)
    name = _called(recorded.by, legend, language)
    named = text("reports", "receipt.person", language, name=name, position=position)
    yield "by", position if name == position else named
    if about:
        first, second = about.authorised_by, about.second_person
        yield "proposed", _called(first, legend, language) if first != recorded.by else ""
        yield "second", _called(second, legend, language) if second else ""
        yield "reason", about.reason
        yield "note", about.note


def _called(person: str, legend: Legend, language: Language) -> str:
    """Return a person's name; one who is called by their position is called so in each language."""
    return name_of("duty", legend.name(person), language)


def _moved(event: Irregularity) -> Iterator[Moved]:
    match event:
        case RoundCorrected(corrections=corrections):
            for each in corrections:
                area = each.after.patron, each.after.position, each.after.wager
                yield *area, each.before.returned, each.after.returned, each.owed
        case OverlookedWagerSettled(correction=settled):
            # The chips of the stake lay on the layout, or with the patron: what moves is what is won or lost of them.
            yield *settled.after.area, 0, settled.change, settled.owed
        case RoundVoided(wagers=wagers):
            for one in wagers:
                yield one.patron, one.position, one.wager, 0, one.amount, 0
        case PayoutCorrected():
            yield event.patron, event.position, event.wager, event.amount, event.due, event.owed
        case WagerReturned() | WagerRemoved():
            yield event.patron, event.position, event.wager, 0, event.amount, 0


def _sums(was: int, now: int, owed: int) -> tuple[str, ...]:
    return _grouped(was), _grouped(now), _grouped(now - was), _grouped(owed) if owed else "–"


def _grouped(cents: int) -> str:
    whole, _, places = money(abs(cents)).partition(".")
    return f"{'−' if cents < 0 else ''}{int(whole):,}.{places}"


def _time(at: int, settings: HouseSettings) -> str:
    utc = datetime.fromtimestamp(at // 1_000, UTC)
    local = utc.astimezone(settings.zone)
    return f"{local:%Y-%m-%d %H:%M:%S} {settings.time_zone} ({utc:%H:%M} UTC)"
