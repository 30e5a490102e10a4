"""The closed set of provisions: what clauses govern, under one key in all games. Code names these, never clauses."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Provision:
    """What a clause of a game may govern."""

    repeats: bool
    """Whether several clauses of one game may make it, as each wager has its own definition."""
    chapter: str
    """The chapter of a rules document that it belongs to."""


def _read() -> dict[str, Provision]:
    content = tomllib.loads(Path(__file__).with_name("provisions.toml").read_text("utf-8"))
    repeats = set(content["repeats"])
    return {
        name: Provision(name in repeats, chapter) for chapter, names in content["chapters"].items() for name in names
    }


PROVISIONS = _read()
