"""Every page that is made from the project."""

from __future__ import annotations

from collections.abc import Iterator

from making import games, interface, procedures


def made() -> Iterator[tuple[str, str]]:
    """The address of each page under docs, and its text."""
    for part in (games, procedures, interface):
        yield from part.pages()
