"""The clauses in Chinese: every one of them, saying the same as the English."""

from __future__ import annotations

import re
from collections import defaultdict
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


def test_one_text_has_one_translation_and_only_kin_share_theirs() -> None:
    pairs, said = {pair(each) for each in clauses()}, defaultdict(set)
    assert len({english for english, _ in pairs}) == len(pairs)
    for each in clauses():
        said[pair(each)[1]].add(each.provision.removeprefix("wrong-cards").removeprefix("foreign-cards"))
    assert {chinese: provisions for chinese, provisions in said.items() if len(provisions) > 1} == {}


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
