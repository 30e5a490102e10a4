"""Build pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def cell(text: object) -> str:
    """Format a table cell: one line, with vertical bars escaped."""
    return " ".join(str(text).split()).replace("|", "\\|")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[str] = ()) -> str:
    """Format a table; columns named in ``right`` are right-aligned."""
    lines = [columns, ["--:" if column in right else "---" for column in columns], *rows]
    return "\n".join(f"| {' | '.join(map(cell, line))} |" for line in lines) + "\n"


def page(*parts: str) -> str:
    """Join paragraphs, headings and tables, skipping empty ones."""
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"
