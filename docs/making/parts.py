"""Tables in committed pages that are made from the project: ``python -m making.parts`` writes them anew.

A part stands between ``<!-- NAME -->`` and ``<!-- end -->``. Tests compare what stands there with what is made.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from making import figures
from making.games import house_edges
from punto import APPROVED, load

ROOT = Path(__file__).parents[2]
PARTS: dict[str, dict[str, Callable[[], str]]] = {
    "README.md": {
        "games": lambda: house_edges([load(key) for key in APPROVED]),
        "figures": figures.shown,
    },
    "docs/benchmarks.md": {"figures": figures.shown},
}


def current(document: str) -> str:
    """The document as it would be with every part made anew."""
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
