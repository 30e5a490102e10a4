"""What Punto claims about a clause is true: it is enforced only where its contrary is refused or cannot be written."""

from __future__ import annotations

import re

from support.claims import editions

from punto import Rulebook
from punto.cli.study.rules import carried_out
from punto.rules.clause_trace import refused_in, shown_by
from punto.rules.readings import readings
from punto.rules.rulebook import CarriedOut

PASSED = {"method-a-highest", "method-a-next-highest", "method-a-equal-highest", "method-a-counter-clockwise"}
"""Attested without a refusal: the Dealer who fails to pass the cards is on record, and the outcome stands."""


def test_the_contrary_of_every_enforced_clause_is_refused(book: Rulebook) -> None:
    """If a clause is named here: show a refusal of its contrary, or do not claim that it is enforced."""
    enforced = [each.number for each in book.clauses.values() if each.carried_out is CarriedOut.ENFORCED]
    assert enforced
    assert [number for number in enforced if not refused_in(book, number)] == []


def test_what_is_attested_is_asked_for(book: Rulebook) -> None:
    """Without the attestation the procedure does not go on."""
    attested = [each for each in book.clauses.values() if each.carried_out is CarriedOut.ATTESTED]
    assert [
        each.number for each in attested if each.provision not in PASSED and not refused_in(book, each.number)
    ] == []


def test_passing_the_cards_could_not_be_called_enforced(book: Rulebook) -> None:
    """Nothing refuses a Dealer who passes them to nobody: the claim would fail the first test of this file."""
    passing = [each for each in book.clauses.values() if each.provision in PASSED]
    assert len(passing) == (len(PASSED) if book.methods else 0)
    assert {each.carried_out for each in passing} <= {CarriedOut.ATTESTED}
    assert not any(refused_in(book, each.number) for each in passing)


def test_a_refusal_is_also_a_test_of_the_clause(book: Rulebook) -> None:
    for number in book.clauses:
        assert bool(refused_in(book, number)) <= bool(shown_by(book, number))


def test_the_kinds_of_all_editions_are_counted(book: Rulebook) -> None:
    former, *_, (name, today) = editions(book.key)
    assert (name, today) == (f"{book.key} today", book)
    for _, edition in (former, (name, today)):
        assert sum(carried_out(edition).values()) == len(book.clauses)
    assert carried_out(former[1]) != carried_out(book)


def test_a_restatement_names_the_readings_that_replace_its_text(book: Rulebook) -> None:
    """Where it says how the text is read, it names a reading, and each reading it names bears on the clause."""
    bearing = {f"R{each.number}": each.clauses(book) for each in readings()}
    for clause in book.clauses.values():
        named = re.findall(r"\bR\d+\b", clause.text)
        assert bool(re.search(r"\b[Rr]ead (as|with)\b", clause.text)) <= bool(named), clause.number
        assert [each for each in named if clause.number not in bearing[each]] == [], clause.number
