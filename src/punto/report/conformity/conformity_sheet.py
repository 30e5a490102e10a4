"""The requirements of a standard as texts, and as a PDF."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from punto import __version__
from punto.evidence.standards.requirements import Requirement, Standard
from punto.report.paper.letterhead import printed
from punto.report.rendering import breakable
from punto.texts import text, texts_under

_HERE = Path(__file__).parent


def write_pdf(known: Standard, counts: Mapping[str, int], file: Path) -> None:
    """Write a standard's requirements as a PDF; ``counts`` are those of the whole standard."""
    file.write_bytes(printed(_HERE / "conformity.typ", conformity_sheet(known, counts)))


def conformity_sheet(known: Standard, counts: Mapping[str, int]) -> dict[str, Any]:
    """Return all that the paper says, as texts."""
    words = texts_under("reports", "conformity")
    return {
        "texts": words,
        "title": text("reports", "conformity.title", standard=known.title),
        "edition": known.edition,
        "software": f"Punto {__version__}",
        "about": known.about,
        "counts": [[words[f"status_{_key(status)}"], str(number)] for status, number in counts.items()],
        "chapters": [
            {"title": f"{sign} {title}", "requirements": list(map(_row, found))}
            for sign, title in known.chapters.items()
            if (found := [each for each in known.requirements if each.section.startswith(sign)])
        ],
    }


def _row(each: Requirement) -> dict[str, Any]:
    return {
        "section": each.section,
        "asks": each.asks,
        "status": text("reports", f"conformity.status_{_key(each.status.value)}"),
        "kind": _key(each.status.value),
        "how": each.how,
        "gap": each.gap,
        "tests": [breakable(test) for test in each.tests],
        "shown": each.shown.replace("`", ""),
    }


def _key(status: str) -> str:
    return status.replace("/", "")
