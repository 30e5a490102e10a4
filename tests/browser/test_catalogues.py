"""Words as data: nothing is missing in either language, and everything the server names has its word in both."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from punto import APPROVED, load
from punto.server.identity import Duty
from punto.table import next_steps
from punto.table.decide import COMMANDS
from punto.table.irregularities.cards_taken import COUNT, STEPS
from punto.table.play.dealing_device import ATTESTED_BY_DEALER
from punto.table.procedures import procedures
from punto.table.table import Phase
from punto.texts import catalogue

SOURCE = Path(__file__).parents[2] / "web" / "src"
PUNTO = Path(__file__).parents[2] / "src" / "punto"
LANGUAGES = ("en", "zh")


def texts(language: str, name: str = "pages") -> dict[str, str]:
    read: dict[str, str] = json.loads((PUNTO / "texts" / language / f"{name}.json").read_text("utf-8"))
    return read


def blanks(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", sentence))


def test_both_languages_have_the_same_words_with_the_same_blanks() -> None:
    english, chinese = map(texts, LANGUAGES)
    assert english.keys() == chinese.keys()
    for key, sentence in english.items():
        assert sentence.strip()
        assert chinese[key].strip()
        assert blanks(sentence) == blanks(chinese[key]), key


def test_every_word_the_pages_use_is_there() -> None:
    english = texts("en")
    for file in SOURCE.rglob("*.ts"):
        for key in re.findall(r"""\bt\("([\w. -]+)\"""", file.read_text("utf-8")):
            assert key in english, f"{file.name}: {key}"


def test_every_word_that_is_there_is_used() -> None:
    """By its key, by a key that is put together, or as the name of something that the server names."""
    source = "".join(file.read_text("utf-8") for file in SOURCE.rglob("*.ts") if "generated" not in file.parts)
    put_together = [
        ".+".join(map(re.escape, re.split(r"\$\{[^}`]*\}", key)))
        for key in re.findall(r"`([a-z]+\.(?:[\w.-]|\$\{[^}`]*\})+)`", source)
    ]
    (kinds,) = re.findall(r"^export const KINDS = \[(.*?)\]", source, re.MULTILINE | re.DOTALL)
    used = re.compile("|".join([*put_together, *(rf"{re.escape(kind)}\..+" for kind in re.findall(r'"(.+?)"', kinds))]))
    assert [key for key in texts("en") if f'"{key}"' not in source and not used.fullmatch(key)] == []


def test_every_refusal_has_its_sentence_in_chinese() -> None:
    chinese = texts("zh", "refusals")
    assert chinese.keys() == catalogue("refusals").keys()
    server_side = {"subject", "game", "clause"}
    for code, sentence in catalogue("refusals").items():
        assert blanks(chinese[code]) <= blanks(sentence) | server_side, code


def reasons() -> Iterator[ast.expr]:
    """The reasons that the server gives in words for what a person asks of it; those for programs are left out."""
    shown = {code for code, sentence in texts("zh", "refusals").items() if "{why}" in sentence} - {"bad-message"}
    for file in (each for part in ("table", "server") for each in (PUNTO / part).rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(call, ast.Call) or not call.args:
                continue
            if isinstance(call.func, ast.Name) and call.func.id in ("BadPerson", "SignInRefused"):
                yield call.args[0]
            elif isinstance(call.args[0], ast.Constant) and call.args[0].value in shown:
                yield from (each.value for each in call.keywords if each.arg == "why")


def template(reason: ast.expr) -> str | None:
    """The words of a reason, its blanks numbered; None where another error gives them."""
    parts = reason.values if isinstance(reason, ast.JoinedStr) else [reason]
    if not all(isinstance(each, ast.Constant | ast.FormattedValue) for each in parts):
        return None
    number = count()
    return "".join(str(each.value) if isinstance(each, ast.Constant) else f"{{{next(number)}}}" for each in parts)


def test_every_reason_that_the_server_gives_in_words_is_said_in_chinese() -> None:
    given, chinese = {each for each in map(template, reasons()) if each}, texts("zh", "reasons")
    assert len(given) > 30
    assert given <= chinese.keys()
    for reason, sentence in chinese.items():
        assert blanks(reason) == blanks(sentence), reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_the_server_names_has_a_word(language: str) -> None:
    known = texts(language)
    for phase in Phase:
        assert f"phase.{phase.value}" in known
    for duty in Duty:
        assert f"duty.{duty.value}" in known
    for book in map(load, APPROVED):
        assert f"game.{book.title}" in known
        for wager in book.wagers:
            assert f"wager.{wager.name}" in known
            assert {f"outcome.{line.outcome}" for line in wager.lines} <= known.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_that_can_come_next_has_its_words(language: str) -> None:
    known = texts(language)
    source = inspect.getsource(inspect.getmodule(next_steps) or next_steps)
    named = set(re.findall(r'_step\(\s*table,\s*"(\w+)"|_either\(table, "(\w+)"', source))
    commands = {one or other for one, other in named} | {"ConfirmVoid", "DismissVoid"}
    assert commands >= {"DrawCard", "DecideReset", "PermitDrawing", "FixOrder"}
    assert commands <= COMMANDS.keys()
    assert {f"do.{each}" for each in commands} <= known.keys()
    for step in (*ATTESTED_BY_DEALER, *STEPS):
        assert {f"do.Attest.{step}", f"do.AttestCardsTaken.{step}", f"hold.{step}"} & known.keys() or step == COUNT
    fields = {name for each in re.findall(r"keyed=\(([^)]*)\)", source) for name in re.findall(r'"(\w+)"', each)}
    assert {f"field.{name}" for name in fields} <= known.keys()
    assert {f"irregular.{each.group}" for each in procedures()} <= known.keys()


def test_the_lock_of_the_pages_names_no_host() -> None:
    lock: dict[str, Any] = json.loads((SOURCE.parent / "package-lock.json").read_text("utf-8"))
    assert all("resolved" not in each for each in lock["packages"].values())


def test_no_rules_in_the_pages() -> None:
    """No clause number and no ratio stands in the pages' own text."""
    for file in (each for each in SOURCE.rglob("*.ts") if "generated" not in each.parts):
        text = file.read_text("utf-8")
        assert not re.search(r'(?<!=)"[1-6](\.\d+){1,3}"', text), file.name
        assert not re.search(r'"\d+/\d+"', text.replace('"0/', '"')), file.name
