"""The clauses in Chinese: every one of them, saying the same as the English."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from punto.rules.clause_texts import clause_text
from punto.rules.game_library import APPROVED, load
from punto.rules.rulebook import Clause
from punto.texts import Language


def pair(clause: Clause) -> tuple[str, str]:
    return clause.text, clause_text(clause, Language.CHINESE)


def clauses() -> Iterator[Clause]:
    for game in APPROVED:
        yield from load(game).clauses.values()


@pytest.mark.parametrize("game", APPROVED)
def test_every_clause_is_told_in_both_languages(game: str) -> None:
    for clause in load(game).clauses.values():
        english, chinese = pair(clause)
        assert clause_text(clause, Language.ENGLISH) == english
        assert not re.search("[\u4e00-\u9fff]", english)
        assert re.search("[\u4e00-\u9fff]", chinese), f"{game} {clause.number} has no Chinese"


def test_what_differs_in_one_language_differs_in_the_other() -> None:
    pairs = {pair(each) for each in clauses()}
    assert len({english for english, _ in pairs}) == len({chinese for _, chinese in pairs}) == len(pairs)


def test_both_languages_refer_to_the_same_clauses_and_readings() -> None:
    for clause in clauses():
        english, chinese = (sorted(re.findall(r"R\d+|\d+(?:\.\d+)+", each)) for each in pair(clause))
        assert english == chinese, clause


def test_both_languages_pay_the_same() -> None:
    paid = 0
    for clause in clauses():
        if clause.provision != "settlement":
            continue
        english, chinese = pair(clause)
        to = sorted(re.findall(r"([\d.]+) to ([\d.]+)", english))
        assert to == sorted((above, below) for below, above in re.findall(r"([\d.]+) 赔 ([\d.]+)", chinese)), clause
        paid += len(to)
    assert paid > 30


def test_a_clause_of_the_houses_own_is_told_as_its_file_has_it() -> None:
    clause = next(clauses())
    own = Clause("9.1", "A house rule.", clause.provision, clause.carried_out)
    assert clause_text(own, Language.CHINESE) == "A house rule."
