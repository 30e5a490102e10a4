"""Small pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def cell(text: object) -> str:
    """What stands in a cell of a table: one line, without the sign that parts cells."""
    return " ".join(str(text).split()).replace("|", "\\|")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[str] = ()) -> str:
    """A table; the columns named in ``right`` hold figures."""
    lines = [columns, ["--:" if column in right else "---" for column in columns], *rows]
    return "\n".join(f"| {' | '.join(map(cell, line))} |" for line in lines) + "\n"


def page(*parts: str) -> str:
    """Paragraphs, headings and tables, one after the other; what is empty is left out."""
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"
