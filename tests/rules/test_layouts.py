"""The layouts of 2.2 and the appendices: positions, and which clause gives each wager its playing area."""

from __future__ import annotations

import pytest

from punto import Rulebook, load

# As the documents caption them, layouts with the same caption together: (fewest, most) playing positions. Tiger's H has
# no caption but a picture with nine numbered positions, and Fabulous 4's diagrams give no number (R29): there the house
# says.
POSITIONS: dict[str, dict[str, tuple[int, int] | None]] = {
    "baccarat": {"A": (1, 7), "B": (1, 9), "C": (7, 14), "D": (1, 1), "E": (1, 1)},
    "tiger": {"ABC": (1, 8), "D": (1, 9), "E": (8, 16), "FG": (1, 8), "H": (9, 9)},
    "tiger-no-commission": {"ABC": (1, 8), "D": (1, 9), "E": (8, 16), "FG": (1, 6)},
    "dragon-tiger": {"ABC": (1, 8), "D": (1, 9), "E": (8, 16), "FGHIJK": (1, 8)},
    "fabulous-4": {"ABCD": None},
}

# What each playing area takes, in the order of the clauses 2.2.1, 2.2.2 and so on.
TAKEN = {
    "baccarat": "Player; Banker; Tie; Player Pair, Banker Pair",
    "tiger": "Banker; Player; Tie; Tiger; Big Tiger; Small Tiger; Tiger Pair; Tiger Tie",
    "tiger-no-commission": "Player; Banker; Tie; Tiger; Big Tiger; Small Tiger; Tiger Pair; Tiger Tie",
    "dragon-tiger": "Player; Banker; Tie; Dragon Tiger; Big Dragon; Small Dragon; Big Tiger; Small Tiger",
    "fabulous-4": "Player; Banker; Tie; "
    "Player Precious Pair, Banker Precious Pair; Player Fabulous 4, Banker Fabulous 4",
}
AREAS = {
    key: {f"2.2.{number}": wagers for number, wagers in enumerate(areas.split("; "), start=1)}
    for key, areas in TAKEN.items()
}


@pytest.mark.shows("layouts")
def test_layouts_have_the_positions_their_appendix_gives(book: Rulebook) -> None:
    found = {
        layout.name.split()[1]: (layout.positions.fewest, layout.positions.most) if layout.positions else None
        for layout in book.layouts
    }
    assert found == {letter: positions for letters, positions in POSITIONS[book.key].items() for letter in letters}
    word = "Diagram" if book.key == "fabulous-4" else "Appendix"
    assert {layout.name.split()[0] for layout in book.layouts} == {word}
    assert {layout.clause for layout in book.layouts} == {book.clause_of("layouts")}


def test_two_dragon_tiger_layouts_are_in_chinese_too(book: Rulebook) -> None:
    bilingual = [layout.name for layout in book.layouts if "zh" in layout.languages]
    assert bilingual == (["Appendix J", "Appendix K"] if book.key == "dragon-tiger" else [])
    assert all("en" in layout.languages for layout in book.layouts)


@pytest.mark.parametrize(
    ("key", "clause", "wagers"),
    [
        pytest.param(key, clause, wagers, marks=pytest.mark.shows(f"{key} {clause}"))
        for key, areas in AREAS.items()
        for clause, wagers in areas.items()
    ],
)
def test_each_playing_area_takes_the_wagers_its_clause_names(key: str, clause: str, wagers: str) -> None:
    book = load(key)
    assert ", ".join(wager.name for wager in book.wagers if wager.area == clause) == wagers
    assert book.clauses[clause].provision == "playing-area"


def test_every_wager_has_a_playing_area(book: Rulebook) -> None:
    assert {wager.area for wager in book.wagers} == set(AREAS[book.key])
