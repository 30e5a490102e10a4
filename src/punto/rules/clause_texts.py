"""The clauses of a game in the reader's language: English stands in the game's file, Chinese beside it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from punto.rules.game_library import load
from punto.rules.rulebook import Clause
from punto.texts import Language


def clause_text(clause: Clause, language: Language) -> str:
    """Return what a clause says; a clause that is nobody's but the house's own is told as its file has it."""
    return clause.text if language is Language.ENGLISH else _chinese().get(clause.text, clause.text)


@cache
def _chinese() -> Mapping[str, str]:
    """Return the Chinese for each English text, so that a game that borrows a clause borrows both."""
    content = tomllib.loads(Path(__file__).with_name("clauses_in_chinese.toml").read_text("utf-8"))
    found = {}
    for entry in content["clause"]:
        for game, _, number in (each.partition(" ") for each in entry["of"]):
            found[load(game).clauses[number].text] = entry["text"]
    return found
