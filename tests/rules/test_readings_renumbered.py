"""Readings are written with the clauses of Baccarat; a game's documents name its own."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from punto import APPROVED, Rulebook, load
from punto.rules.readings import readings, readings_in_force, renumbered

CLAUSE = re.compile(r"(?<![R\d.])[1-7](?:\.\d+)+")


def _text(game: str, number: int) -> str:
    found = next(each for each in readings_in_force(load(game)) if each.number == number)
    return f"{found.unclear} {found.reading} {found.why}"


@pytest.mark.parametrize(
    ("number", "baccarat", "tiger"),
    [(55, "3.6.1", "3.7.1"), (69, "3.9.4", "3.10.4"), (70, "3.11.8.2", "3.12.8.2"), (68, "3.17.1", "3.22.1")],
)
def test_tiger_is_told_of_its_own_clauses(number: int, baccarat: str, tiger: str) -> None:
    assert baccarat in _text("baccarat", number)
    assert baccarat not in _text("tiger", number)
    assert tiger in _text("tiger", number)


def test_where_a_game_has_another_number_of_clauses_for_it_the_first_stands_for_all() -> None:
    """Baccarat has four layouts, the Tiger games eight: one of them means the layouts as such."""
    reading = replace(readings()[0], games=(), unclear="2.2.3", reading="3.6.1", why="")
    found = renumbered(reading, load("tiger"))
    assert (found.unclear, found.reading) == ("2.2.1", "3.7.1")


def test_every_clause_a_reading_names_is_in_the_document_it_is_written_for() -> None:
    for reading in readings():
        for game in reading.games or ("baccarat",):
            named = CLAUSE.findall(f"{reading.unclear} {reading.reading} {reading.why}")
            assert set(named) <= set(load(game).clauses), reading.number


@pytest.mark.parametrize("game", APPROVED)
def test_a_clause_that_a_game_names_says_the_same_as_in_baccarat(game: str) -> None:
    """Go through both texts side by side: every number leads to the same provision, or is called Baccarat's."""
    book, written = load(game), {each.number: each for each in readings()}
    for reading in readings_in_force(book):
        source = written[reading.number]
        pairs = ((source.unclear, reading.unclear), (source.reading, reading.reading), (source.why, reading.why))
        for before, after in pairs:
            for was, now in zip(CLAUSE.finditer(before), CLAUSE.finditer(after), strict=True):
                _same(book, was[0], now[0], after[: now.start()].endswith("Baccarat's "), bool(source.games))


def _same(book: Rulebook, was: str, now: str, foreign: bool, limited: bool) -> None:
    provision = load("baccarat").clauses[was].provision if not limited else book.clauses[was].provision
    if foreign:
        assert not book.clauses_of(provision)
        assert now == was
    else:
        assert book.clauses[now].provision == provision
