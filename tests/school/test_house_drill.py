"""Questions from what really happened at a table: of every game, with the names of practice, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from properties.random_play import PATRONS
from properties.staff_play import StaffPlay

from punto import APPROVED, load
from punto.school.drills.house_drill import TOLD, HouseCase, question
from punto.school.question import Drill, DrillQuestion
from punto.school.seeded_chance import Lot
from punto.store.codec import decode, encode
from punto.table.event import Event, Irregularity
from punto.table.evolve import evolve
from punto.table.table import Table
from punto.texts import Language


def renamed(event: Event) -> Event:
    """Return an event with ids of patrons that occur nowhere else."""
    name, version, body = encode(event)
    for each in PATRONS:
        body = body.replace(f'"{each}"'.encode(), f'"p6zpnyf{each}"'.encode())
    return decode(name, version, body)


def cases(book_key: str, log: list[Event]) -> Iterator[HouseCase]:
    table = Table(load(book_key))
    for event in map(renamed, log):
        before, table = table, evolve(table, event)
        if isinstance(event, Irregularity) and type(event).__name__ in TOLD:
            yield HouseCase(event, before, table)


def words(made: DrillQuestion, language: Language) -> str:
    parts = [each for part in made.moments for each in (*part.scene.told, part.ask.words, part.why)]
    options = [each.words for part in made.moments for each in part.ask.options]
    wagers = str([part.scene.wagers for part in made.moments])
    return " ".join(each.text(language) for each in (*parts, *options)) + wagers


@pytest.mark.parametrize("game", APPROVED)
def test_what_went_wrong_becomes_a_question_without_names(game: str) -> None:
    play, made = StaffPlay(game, 7), list[DrillQuestion]()
    play.play(3_000)
    for number, case in enumerate(cases(game, play.log)):
        asked = question(case, Lot(game, number))
        if asked is None:
            continue
        made.append(asked)
        for language in Language:
            assert "p6zpnyf" not in words(asked, language)
        assert asked.drill is Drill.HOUSE
        for part in asked.moments:
            assert part.scene.table is None, "a view of the table would name its people"
            assert part.right in {option.key for option in part.ask.options}
    assert any(each.moments[0].scene.wagers for each in made)
    assert len({each.subject for each in made}) >= (4 if game == "fabulous-4" else 6)
