"""A slip for a fill or a credit on paper, as texts in one language, and the PDF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from punto.report.paper.letterhead import HERE, Letterhead, grouped, printed
from punto.report.rendering import breakable
from punto.store.house_settings import HouseSettings
from punto.store.slip_book import Signed, Slip, SlipState
from punto.texts import Language, name_of, texts_under


def slip_pdf(slip: Slip, settings: HouseSettings, names: Mapping[str, str], language: Language) -> bytes:
    """Return a slip as a PDF; names are by id."""
    return printed(HERE / "slip.typ", slip_sheet(slip, settings, names, language))


def slip_sheet(slip: Slip, settings: HouseSettings, names: Mapping[str, str], language: Language) -> dict[str, Any]:
    """Return all that a slip says, as texts."""
    texts, paper = texts_under("reports", "slip", language), Letterhead(settings, language)
    ended = texts[slip.state.value]
    return paper.head() | {
        "texts": texts,
        "title": texts[slip.kind.value],
        "number": number_of(slip.number),
        "cancelled": slip.state is SlipState.CANCELLED,
        "state": ended,
        "table": breakable(slip.table),
        "time": paper.with_zone((slip.ended or slip.asked).at),
        "pieces": [[grouped(each.value), f"{each.number:,}", grouped(each.amount)] for each in _counted(slip)],
        "total": grouped(slip.amount),
        "people": [
            _person(texts["asked_by"], slip.asked, paper, names),
            *([_person(ended, slip.ended, paper, names)] if slip.ended else []),
        ],
        "reason": breakable(slip.reason),
    }


def number_of(slip: int) -> str:
    """Return the number of a slip as it is printed."""
    return f"{slip:06d}"


def _counted(slip: Slip) -> list[Any]:
    return sorted((each for each in slip.pieces if each.number), key=lambda each: -each.value)


def _person(what: str, signed: Signed, paper: Letterhead, names: Mapping[str, str]) -> list[str]:
    who = paper.name(names.get(signed.by) or signed.by)
    return [what, who, name_of("duty", signed.position, paper.language), paper.time(signed.at)]
