"""Golden answers: what commands answered in JSON when they were recorded. Answers only grow.

Every key that was recorded is still there, with the same type. Codes, numbers, ratios and clauses are what they were;
sentences may be reworded. A key may be added, never renamed, moved or dropped.

``PYTHONPATH=tests python -m golden_answers`` records the cases that have no recording yet, and touches no other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from support.bench_in_short import few
from support.command import punto

from punto import APPROVED

TESTS = Path(__file__).parents[1]
ANSWERS = TESTS / "golden" / "answers"

PROSE = frozenset({"counted", "detail", "in_figures", "read_as", "sentence", "text", "unclear", "why", "work"})
"""Keys whose values are sentences: only their type is compared."""
FREE = frozenset({"tests"})
"""Keys whose values change as the project does, such as the tests that show a clause: compared by type as well."""
REVISED = frozenset({"carried_out", "digest"})
"""Keys of texts that were recorded as they were and may change. The digest is that of a game's file and changes with
its wording; how a clause is carried out is a claim, which ``rules/test_claims.py`` checks.
"""
_VARIANT = re.compile(r"(?<=-variant-)[0-9a-f]{8}$")
"""What the key of a variant has of its digest, which changes with the wording of the game that it is made from."""
GROWING = frozenset({"/readings"})
"""Where a list may have grown at its end."""
AS_CLOSE = 1e-9
"""How far a figure that is not exact may be off, relative to itself."""

CARDS = {
    "natural": "9h Ks Th 2c",
    "six-cards": "2s Ah 3d Ad Ks 4c",
    "pairs": "2s 2h 2d 2c 5s 5h",
    "tie": "4h 4s Td Kc 3h 3d",
}
SMALL_SHOE = {"As": 4, "2h": 4, "3c": 4, "4d": 4, "5s": 4, "6h": 4, "7c": 4, "8d": 4, "9s": 4, "Th": 4, "Kd": 4}
Case = tuple[str, ...]


def cases() -> dict[str, Case]:
    """Return the commands that are recorded, by the names of their recordings."""
    found: dict[str, Case] = {"games": ("games",), "readings": ("readings",)}
    for game in APPROVED:
        found |= {f"{name}-{game}": case for name, case in _of_game(game).items()}
    found |= {
        "settle-tiger-wagers": ("settle", "tiger", *CARDS["six-cards"].split(), "--wager", "Tiger=10", "--decks", "6"),
        "rules-tiger-clause": ("rules", "tiger", "5.8"),
        "rules-baccarat-provision": ("rules", "baccarat", "late-wager"),
        "odds-tiger-dealt": ("odds", "tiger", "--dealt", "P:4h,7d B:Ks"),
        "odds-fabulous-4-seen": ("odds", "fabulous-4", "--decks", "6", "--seen", "4h Ks"),
        "odds-baccarat-shoe": ("odds", "baccarat", "--shoe", "{shoe}"),
        "odds-baccarat-removal": ("odds", "baccarat", "--removal"),
        "simulate-baccarat-cut": (*_SIMULATED, "--cut", "60", "--burn", "first-card", "--rounds-after", "1"),
        "counting-tiger-removal": ("counting", "tiger", "--wager", "Tiger", *_COUNTED, "--tags", "removal"),
        "staking-baccarat": ("staking", "baccarat", "--wager", "Banker", "--plan", "martingale", *_STAKED),
        "known-baccarat": ("known", "baccarat", "--positions", "5"),
        "pays-tiger": ("pays", "tiger", "--wager", "Tiger", "--try", "12,25"),
        "pays-tiger-search": ("pays", "tiger", "--wager", "Tiger", "--target", "8%", "--allow", "three-card 6=20..26"),
        "bankroll-tiger": ("bankroll", "tiger", "--wager", "Small Tiger", "--rounds", "100"),
        "verify-shoe": ("verify-shoe", "{tests}/shoe/published.json"),
        "verify-shoe-order": ("verify-shoe", "{tests}/shoe/published.json", "--order"),
        "run": ("run", "{tests}/scripts/method-a.round", "{tests}/scripts/cards-taken.round"),
        "run-failing": ("run", "{failing}"),
    }
    return found | {f"bench-{what}": ("bench", what) for what in ("odds", "rules", "simulate", "table")}


_SIMULATED = ("simulate", "baccarat", "--shoes", "60", "--seed", "11", "--workers", "1")
_COUNTED = ("--trigger", "1", "--shoes", "30", "--seed", "5")
_STAKED = ("--sessions", "40", "--rounds", "80", "--seed", "3")


def _of_game(game: str) -> dict[str, Case]:
    settled = {f"settle-{name}": ("settle", game, *cards.split()) for name, cards in CARDS.items()}
    return settled | {
        "rules": ("rules", game),
        "odds": ("odds", game),
        "simulate": ("simulate", game, "--shoes", "40", "--decks", "6", "--seed", "7", "--workers", "1"),
        "counting": ("counting", game, "--wager", "Tie", *_COUNTED, "--tags", "A:-1,4:2,9:1", "--decks", "6"),
    }


def answer(case: Case, folder: Path) -> Any:
    """Return what a command answers now, with the names of files as they are in the recording."""
    files = {"{tests}": str(TESTS), "{shoe}": str(folder / "shoe.json"), "{failing}": str(folder / "failing.round")}
    Path(files["{shoe}"]).write_text(json.dumps(SMALL_SHOE), "utf-8")
    Path(files["{failing}"]).write_text("for baccarat\nDealer: load shoe one\n  expect phase betting\n", "utf-8")
    words = list(case)
    for name, file in files.items():
        words = [word.replace(name, file) for word in words]
    with few(case[1]) if case[0] == "bench" else nullcontext():
        code, out, err = punto(*words, "--json")
    assert (code, err) == (1 if "{failing}" in case else 0, ""), err
    for name, file in files.items():
        out = out.replace(file, name)
    return json.loads(out)


def masked(case: Case, value: Any) -> Any:
    """Return an answer as it is recorded: of what may vary only the type."""
    if isinstance(value, dict):
        return {key: kind(each) if varies(case, key, each) else masked(case, each) for key, each in value.items()}
    return [masked(case, each) for each in value] if isinstance(value, list) else value


def varies(case: Case, key: str, value: Any) -> bool:
    """Whether a value may change: a sentence, or a figure that was measured."""
    return key in PROSE | FREE or (case[0] == "bench" and isinstance(value, float))


def kind(value: Any) -> str:
    """Return the type of a JSON value; a number is whole or not."""
    names = {dict: "object", list: "list", str: "text", bool: "flag", int: "whole", float: "number"}
    return names.get(type(value), "null")


def differences(case: Case, now: Any, then: Any, at: str = "") -> Iterator[str]:
    """Yield where an answer is not what was recorded; what was added is none."""
    if isinstance(then, dict) and isinstance(now, dict):
        yield from (f"{at}/{key} is missing" for key in then if key not in now)
        for key in (key for key in then if key in now):
            yield from _at_key(case, key, now[key], then[key], f"{at}/{key}")
    elif isinstance(then, list) and isinstance(now, list) and _as_long(now, then, at):
        for number, (found, known) in enumerate(zip(now, then, strict=False)):
            yield from differences(case, found, known, f"{at}/{number}")
    elif not _same(now, then):
        yield f"{at} is {now!r}, not {then!r}"


def _as_long(now: list[Any], then: list[Any], at: str) -> bool:
    return len(now) == len(then) or (at in GROWING and len(now) > len(then))


def _at_key(case: Case, key: str, now: Any, then: Any, at: str) -> Iterator[str]:
    if key in REVISED and isinstance(now, str):
        return
    if not varies(case, key, now):
        yield from differences(case, now, then, at)
    elif kind(now) != then:
        yield f"{at} is of type {kind(now)}, not {then}"


def _same(now: Any, then: Any) -> bool:
    if kind(now) != kind(then):
        return False
    if isinstance(then, str):
        now, then = (_VARIANT.sub("", each) for each in (now, then))
    return abs(now - then) <= AS_CLOSE * abs(then) if isinstance(then, float) else bool(now == then)


def record(folder: Path) -> None:
    """Record the cases that have no recording."""
    for name, case in cases().items():
        file = ANSWERS / f"{name}.json"
        if not file.exists():
            content = {"command": list(case), "answer": masked(case, answer(case, folder))}
            file.write_text(json.dumps(content, indent=None, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="punto-") as made:
        record(Path(made))
