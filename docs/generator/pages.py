"""All generated pages."""

from __future__ import annotations

from collections.abc import Iterator

from generator import games, interface, procedures


def made() -> Iterator[tuple[str, str]]:
    """Yield the address of each page under docs, and its text."""
    for part in (games, procedures, interface):
        yield from part.pages()
