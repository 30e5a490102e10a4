"""Generated parts of committed pages: ``python -m generator.parts`` updates them.

A part is the text between ``<!-- NAME -->`` and ``<!-- end -->``. A test compares it with what is generated.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from generator import conformity, figures, known_cards, notation, permissions, promises, published, refusals, studies
from generator.games import house_edges
from punto import APPROVED, load

ROOT = Path(__file__).parents[2]
PARTS: dict[str, dict[str, Callable[[], str]]] = {
    "README.md": {
        "games": lambda: house_edges([load(key) for key in APPROVED]),
        "figures": figures.shown,
    },
    "docs/benchmarks.md": {"figures": figures.shown},
    "docs/conformity.md": {"counts": conformity.counts, "requirements": conformity.shown},
    "docs/known-cards.md": {"one-known-card": known_cards.shown, "published": known_cards.published},
    "docs/notation.md": {
        "positions": notation.positions,
        "method-c": lambda: notation.example("method-c"),
        "drawn-together": lambda: notation.example("drawn-together"),
        "provisions": notation.provisions,
        "phases": notation.phases,
        "circumstances": notation.circumstances,
        "events": notation.events,
    },
    "docs/odds.md": {"published": published.shown},
    "docs/promises.md": {"promises": promises.shown},
    "docs/refusals.md": {"refusals": refusals.shown},
    "docs/server.md": {"permissions": permissions.matrix},
    "docs/studies/index.md": {"verdicts": studies.shown},
}


def current(document: str) -> str:
    """Return the document with every part generated again."""
    text = (ROOT / document).read_text("utf-8")
    for name, made in PARTS[document].items():
        before, begins, rest = text.partition(f"<!-- {name} -->\n")
        _, ends, after = rest.partition("<!-- end -->")
        if not ends:
            sys.exit(f"{document}: there is no place for {name}")
        text = f"{before}{begins}\n{made()}\n{ends}{after}"
    return text


def main() -> None:
    for document in PARTS:
        (ROOT / document).write_text(current(document), "utf-8")


if __name__ == "__main__":
    main()
