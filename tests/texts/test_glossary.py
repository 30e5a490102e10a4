"""Chinese terms: one thing has one name in all catalogues and clauses, as the glossary of the texts lists them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from punto import APPROVED, load
from punto.rules.clause_texts import clause_text
from punto.texts import Language, catalogue

TEXTS = Path(__file__).parents[2] / "src" / "punto" / "texts"
SUBJECTS = sorted(file.stem for file in (TEXTS / "en").glob("*.json"))
ROW = re.compile(r"^\| (?P<english>.+?) \| (?P<chinese>.+?) \| (?P<never>.*?) ?\|$", re.MULTILINE)


def rows() -> list[re.Match[str]]:
    return [row for row in ROW.finditer((TEXTS / "README.md").read_text("utf-8")) if row["english"] != "English"]


def both_languages() -> Iterator[tuple[str, str, str]]:
    """Every text and every clause: where it stands, in English, in Chinese."""
    for subject in SUBJECTS:
        chinese = catalogue(subject, Language.CHINESE)
        for key, english in catalogue(subject).items():
            yield f"{subject} {key}", english, chinese[key]
    for book in map(load, APPROVED):
        for number, clause in book.clauses.items():
            yield f"{book.key} {number}", clause.text, clause_text(clause, Language.CHINESE)


def test_the_glossary_names_each_thing_once() -> None:
    assert len(rows()) > 20
    used = "".join(chinese for _, _, chinese in both_languages())
    for row in rows():
        for word in re.split("[、，]", row["chinese"]):
            assert word in used, row["english"]


@pytest.mark.parametrize("never", [word for row in rows() for word in row["never"].split("、") if word])
def test_a_word_that_was_given_up_does_not_come_back(never: str) -> None:
    assert [where for where, _, chinese in both_languages() if never in chinese] == []


def test_the_banker_is_not_the_house_and_an_edge_is_the_houses() -> None:
    for where, english, chinese in both_languages():
        if "庄家" in chinese:
            assert re.search(r"\bBanker|hands?\b", english), where
        assert not re.search("(?<!赌场)优势", chinese), where


def test_the_cutting_card_is_not_the_cut() -> None:
    for where, english, chinese in both_languages():
        assert ("切牌卡" in chinese) == ("cutting card" in english.lower()), where
