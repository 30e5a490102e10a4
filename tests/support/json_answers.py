"""The keys of JSON answers: as paths with types, from real answers and from the page that documents them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from support.golden_answers import Case, kind

from punto import APPROVED

PAGE = Path(__file__).parents[2] / "docs" / "json.md"
FREE = ("composition", "clauses", "carried_out", "classes", "allowed", "tags", "effects_of_removal", "figures")
"""Objects whose keys are data: cards, games, ways of carrying out a clause, classes of cards, outcomes, ranks,
figures of findings.

Their keys are written ``*``.
"""
GAMES = re.compile(f"(?:{'|'.join(sorted(APPROVED, key=len, reverse=True))})$")
"""Figures of benchmarks end in the key of a game, written ``GAME``."""

Types = dict[str, set[str]]


def paths(value: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path and type of every value that is no object and no list."""
    if isinstance(value, dict):
        free = at.rpartition(".")[2] in FREE
        for name, each in value.items():
            key = "*" if free else GAMES.sub("GAME", name) if "seconds" in name else name
            yield from paths(each, f"{at}.{key}" if at else key)
    elif isinstance(value, list):
        for each in value:
            yield from paths(each, f"{at}[]")
    else:
        yield at, kind(value)


def command_of(case: Case) -> str:
    """Return the words that name a command."""
    return " ".join(case[:2]) if case[0] in ("bench", "report") else case[0]


def documented() -> dict[str, Types]:
    """Return what the page says of each command: the types of every path."""
    found: dict[str, Types] = {}
    for section in PAGE.read_text("utf-8").split("\n## ")[1:]:
        names = re.findall(r"`punto ([a-z -]+)`", section.partition("\n")[0])
        rows = re.findall(r"^\| `([^`]+)` \| ([a-z ]+?) \|", section, re.MULTILINE)
        for name in names:
            found[name] = {path: set(types.split(" or ")) for path, types in rows}
    return found


def listed() -> set[str]:
    """Return the commands that the page lists by their top keys only: their answers are about a house's own data."""
    return set(re.findall(r"^\| `punto ([a-z -]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE))
