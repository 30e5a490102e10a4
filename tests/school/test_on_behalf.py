"""What patrons without a device say: recorded where they could do it themselves, and not where they could not."""

from __future__ import annotations

import pytest

from punto import APPROVED, load
from punto.school.drills.on_behalf import RECORD, TOO_LATE, subjects
from punto.school.lesson import asked
from punto.school.question import Drill
from punto.table.roles import Role
from punto.texts import Language

LATE = ("wager-late", "take-back-late")


@pytest.mark.parametrize("game", APPROVED)
def test_what_a_patron_could_do_is_recorded_by_the_dealer_and_what_is_late_is_not(game: str) -> None:
    book = load(game)
    names = {name for (name,) in subjects(book)}
    assert {"wager", "take-back", *LATE} <= names
    assert ("decline" in names, "stands" in names) == (game != "fabulous-4", game != "fabulous-4")
    for name in names:
        for seed in range(12):
            question = asked(book, Drill.ON_BEHALF, name, seed)
            rights = [each.right for each in question.moments]
            if name in LATE:
                assert rights == [TOO_LATE]
                assert question.moments[0].clauses
            else:
                assert rights == [RECORD, Role.DEALER.value, "both"]


@pytest.mark.parametrize("language", Language)
def test_every_word_of_it_is_there_in_both_languages(language: Language) -> None:
    book = load("baccarat")
    for (name,) in subjects(book):
        question = asked(book, Drill.ON_BEHALF, name, 1)
        for each in question.moments:
            told = [*each.scene.told, each.ask.words, each.why, *(option.words for option in each.ask.options)]
            remarks = [each.remark(option.key).words for option in each.ask.options if option.key != each.right]
            assert all(words.text(language) for words in [*told, *(words for words in remarks if words)])
