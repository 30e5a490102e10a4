"""``extends = "baccarat"``: a file that borrows an approved game and writes only what is different.

Everything the file does not say is taken from the approved game: its clauses with their numbers, wagers, layouts,
methods. A clause or wager of the file replaces the one of that number or name, and ``without`` lists clauses and wagers
that are not borrowed. The result is written out as a whole file: that one is read, stored and known by its digest.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from punto.rules.toml_section import GameFileError, as_toml_text

GAMES = Path(__file__).parents[1] / "games"
BORROWED = ("decks", "layout", "method", "round_of_play", "hlga", "differential")
"""What is taken as a whole where the file does not have it."""

Table = dict[str, Any]


def whole_game(own: Table, file: str) -> Table:
    """Return what a file that borrows says altogether."""
    base = _base(own, file)
    without = _without(own, base, file)
    own_clauses, own_wagers = _table_of(own.get("clauses", {})), _tables_of(own.get("wager", []))
    clauses = {
        number: entry | {"from": f"{base['key']} {number}"}
        for number, entry in base["clauses"].items()
        if number not in without and number not in own_clauses
    }
    replaced = {_name(each) for each in own_wagers}
    wagers = [each for each in base["wager"] if each["name"] not in without and _name(each) not in replaced]
    borrowed = {key: base[key] for key in BORROWED if key in base and key not in own}
    names = {*map(_name, wagers), *replaced}
    if "differential" in borrowed and not {each.casefold() for each in borrowed["differential"]} <= names:
        del borrowed["differential"]
    whole = {key: value for key, value in own.items() if key not in ("extends", "without")} | borrowed
    whole["wager"] = _in_order(base, wagers, own_wagers)
    whole["clauses"] = dict(sorted((clauses | own_clauses).items(), key=lambda each: _places(each[0])))
    _expect_clauses({**borrowed, "wager": wagers}, whole["clauses"], base["key"], file)
    return whole


def own_part(own: Table, whole: Table) -> Table:
    """Return the whole game with the wagers of the file alone, so that mistakes are told where they stand in it."""
    return {key: value for key, value in whole.items() if key != "differential"} | {"wager": own["wager"]}


def _base(own: Table, file: str) -> Table:
    keys = sorted(each.stem for each in GAMES.glob("*.toml"))
    if own["extends"] not in keys:
        near = get_close_matches(str(own["extends"]), keys, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        reason = f"expected one of {', '.join(keys)}, found {as_toml_text(own['extends'])}{hint}"
        raise GameFileError(f"{file}: extends: {reason}", "extends", reason)
    return tomllib.loads((GAMES / f"{own['extends']}.toml").read_text("utf-8"))


def _without(own: Table, base: Table, file: str) -> set[str]:
    """Return what is not borrowed; refuse what the approved game does not have."""
    listed = own.get("without", [])
    known = [*base["clauses"], *(each["name"] for each in base["wager"])]
    for each in listed if isinstance(listed, list) else [listed]:
        if not isinstance(listed, list) or each not in known:
            near = get_close_matches(str(each), known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            reason = f"expected a list of clauses and wagers of {base['key']}, found {as_toml_text(each)}{hint}"
            raise GameFileError(f"{file}: without: {reason}", "without", reason)
    return set(listed)


def _table_of(found: object) -> Table:
    return found if isinstance(found, dict) else {}


def _tables_of(found: object) -> list[Table]:
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _name(wager: Table) -> str:
    return str(wager.get("name", "")).casefold()


def _in_order(base: Table, kept: list[Table], own: list[Table]) -> list[Table]:
    """Return the wagers of both: those that replace one stand in its place, new ones at the end."""
    order = [_name(each) for each in base["wager"]]
    return sorted([*kept, *own], key=lambda each: order.index(_name(each)) if _name(each) in order else len(order))


def _places(number: str) -> tuple[int, ...]:
    return tuple(int(each) if each.isascii() and each.isdigit() else 0 for each in number.split("."))


def _expect_clauses(borrowed: Table, clauses: Mapping[str, object], base: str, file: str) -> None:
    """Refuse to leave out a clause that something borrowed rests on."""
    for number in _cited(borrowed):
        if number not in clauses:
            reason = f"clause {number} of {base} is needed by what is borrowed: write it, or do not leave it out"
            raise GameFileError(f"{file}: without: {reason}", "without", reason)


def _cited(found: object) -> Iterator[str]:
    if isinstance(found, dict):
        for key, value in found.items():
            if key in ("clause", "area"):
                yield value
            else:
                yield from _cited(value)
    elif isinstance(found, list):
        for each in found:
            yield from _cited(each)


# --- writing ---


def written(game: Table) -> bytes:
    """Return a game as a TOML file."""
    lines = [f"{_key(key)} = {_value(value)}" for key, value in game.items() if key not in ("wager", "clauses")]
    for wager in game["wager"]:
        lines += ["", "[[wager]]", *(f"{_key(key)} = {_value(value)}" for key, value in wager.items())]
    lines += ["", "[clauses]", *(f"{_key(number)} = {_value(entry)}" for number, entry in game["clauses"].items())]
    return ("\n".join(lines) + "\n").encode()


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").isalpha() else json.dumps(key, ensure_ascii=False)


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else as_toml_text(value)
