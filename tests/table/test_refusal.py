"""The sentence of a refusal: it names the game, the subject and the clause, each where there is one."""

from __future__ import annotations

from punto import load
from punto.table.refusal import refuse
from punto.texts import Language, name_of

FABULOUS, TIGER = load("fabulous-4"), load("tiger")


def test_a_refusal_for_want_of_a_rule_names_the_game_and_the_subject() -> None:
    refusal, subject = refuse("no-rule", "late-wager"), name_of("provision", "late-wager", Language.ENGLISH)
    assert subject
    for book in (FABULOUS, TIGER):
        assert refusal.sentence(book).startswith(f"{book.title} has no rule for {subject}")


def test_a_refusal_ends_with_the_clause_of_the_game_it_was_made_in() -> None:
    refusal = refuse("no-rule", "late-wager")
    clause = TIGER.clause_of("late-wager")
    assert clause
    assert refusal.sentence(TIGER).endswith(f" ({TIGER.title} {clause})")
    assert refusal.clause(TIGER) == clause


def test_a_refusal_that_rests_on_no_clause_cites_none() -> None:
    assert refuse("no-rule").sentence(TIGER) == f"{TIGER.title} has no rule for "


def test_without_a_game_a_refusal_cites_no_clause() -> None:
    assert TIGER.title not in refuse("no-rule", "late-wager").sentence()
