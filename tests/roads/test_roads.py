"""The laws of the roads, on random shoes and by a second way of telling red from blue."""

from __future__ import annotations

from itertools import chain, groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.roads import ROWS, BigRoad, Cell, Colour, DerivedRoad, Grid, Roads, RoundMark, Run, Statistics, render, roads
from punto.roads.grid import draw
from punto.rules import Coup, Winner

BACK = {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}
OTHER = {Colour.RED: Colour.BLUE, Colour.BLUE: Colour.RED}
WINNERS = {"B": Winner.BANKER, "P": Winner.PLAYER, "T": Winner.TIE}

rounds = st.builds(RoundMark, st.sampled_from(Winner), st.booleans(), st.booleans(), st.booleans())
# Runs make the tails that rounds drawn one by one would hardly ever give.
runs = st.builds(lambda mark, length: [mark] * length, rounds, st.integers(1, 14))
shoes = st.lists(rounds, max_size=90) | st.lists(runs, max_size=15).map(lambda parts: list(chain(*parts)))


def _marks(letters: str) -> list[RoundMark]:
    return [RoundMark(WINNERS[letter]) for letter in letters]


def _derived(shoe: Roads) -> dict[str, DerivedRoad]:
    return {name: getattr(shoe, name) for name in BACK}


def _without_ties(marks: list[RoundMark]) -> list[RoundMark]:
    return [mark for mark in marks if mark.winner is not Winner.TIE]


# --- the derived roads, told by looking left and up ------------------------------------------------


class Sheet:
    """A big road on a sheet without a lower edge, read with a finger: nothing but which cells are filled."""

    def __init__(self) -> None:
        self.filled: set[tuple[int, int]] = set()
        self.column = self.row = 0
        self.winner: Winner | None = None

    def enter(self, winner: Winner) -> None:
        """Fill the next cell: below the last one, or on top of a new column."""
        self.column, self.row = (self.column, self.row + 1) if winner is self.winner else (self.column + 1, 1)
        self.winner = winner
        self.filled.add((self.column, self.row))

    def look(self, column: int, row: int) -> Colour | None:
        """Red if this cell and the one above it are both filled or both empty; none where the sheet has no column."""
        if column < 1:
            return None
        return Colour.RED if ((column, row) in self.filled) == ((column, row - 1) in self.filled) else Colour.BLUE


def _second_derived_road(marks: list[RoundMark], back: int) -> list[Colour]:
    """Below a win: look left, then up. On top of a column: the opposite of what one more win before would have been."""
    sheet, entries = Sheet(), []
    for mark in _without_ties(marks):
        row_if_it_had_gone_on = sheet.row + 1
        sheet.enter(mark.winner)
        if sheet.row > 1:
            colour = sheet.look(sheet.column - back, sheet.row)
        else:
            gone_on = sheet.look(sheet.column - 1 - back, row_if_it_had_gone_on)
            colour = OTHER[gone_on] if gone_on else None
        if colour:
            entries.append(colour)
    return entries


@given(shoes)
def test_derived_roads_are_as_looking_left_and_up_tells(marks: list[RoundMark]) -> None:
    for name, road in _derived(roads(marks)).items():
        assert list(road.entries) == _second_derived_road(marks, BACK[name]), name


@pytest.mark.parametrize(
    ("road", "begins_with"),
    [
        ("big_eye_boy", "BPP"),  # column 2, row 2
        ("big_eye_boy", "BPB"),  # column 3, row 1
        ("small_road", "BPBB"),  # column 3, row 2
        ("small_road", "BPBP"),  # column 4, row 1
        ("cockroach_pig", "BPBPP"),  # column 4, row 2
        ("cockroach_pig", "BPBPB"),  # column 5, row 1
    ],
)
def test_where_each_derived_road_begins(road: str, begins_with: str) -> None:
    assert not _derived(roads(_marks(begins_with[:-1])))[road].entries
    assert len(_derived(roads(_marks(begins_with)))[road].entries) == 1


@given(shoes)
def test_ties_do_not_touch_the_derived_roads(marks: list[RoundMark]) -> None:
    with_ties, without = roads(marks), roads(_without_ties(marks))
    assert _derived(with_ties) == _derived(without)
    assert with_ties.big_road.lengths == without.big_road.lengths


# --- the ask road ----------------------------------------------------------------------------------


@given(shoes)
def test_ask_answers_come_in_pairs_of_two_colours(marks: list[RoundMark]) -> None:
    shoe = roads(marks)
    for name, road in _derived(shoe).items():
        answered = len(shoe.big_road.columns) > BACK[name]
        assert {road.ask.banker, road.ask.player} == (set(Colour) if answered else {None})


@given(shoes, st.sampled_from([Winner.BANKER, Winner.PLAYER]))
def test_the_ask_road_foretells_what_the_round_then_adds(marks: list[RoundMark], winner: Winner) -> None:
    before, after = _derived(roads(marks)), _derived(roads([*marks, RoundMark(winner)]))
    for name, road in before.items():
        answer = getattr(road.ask, winner)
        assert after[name].entries == road.entries + ((answer,) if answer else ())


# --- drawing ---------------------------------------------------------------------------------------


def _grids(shoe: Roads) -> list[Grid[object]]:
    return [shoe.bead_plate, shoe.big_road.grid, *(road.grid for road in _derived(shoe).values())]


@given(shoes)
def test_every_entry_is_drawn_once_in_a_cell_of_its_own(marks: list[RoundMark]) -> None:
    shoe = roads(marks)
    assert [cell.entry for cell in shoe.bead_plate.cells] == marks
    assert [cell.entry for cell in shoe.big_road.grid.cells] == [
        win for column in shoe.big_road.columns for win in column
    ]
    for road in _derived(shoe).values():
        assert tuple(cell.entry for cell in road.grid.cells) == road.entries == tuple(chain(*road.columns))
    for grid in _grids(shoe):
        places = [(cell.row, cell.column) for cell in grid.cells]
        assert len(set(places)) == len(places)
        assert all(1 <= row <= ROWS and 1 <= column <= grid.width for row, column in places)


@given(shoes)
def test_columns_are_runs_of_one_kind(marks: list[RoundMark]) -> None:
    shoe = roads(marks)
    wins = [[(win.mark, win.mark.winner) for win in column] for column in shoe.big_road.columns]
    assert [mark for column in wins for mark, _ in column] == _without_ties(marks)
    columns = [[winner for _, winner in column] for column in wins]
    for road in (columns, *(road.columns for road in _derived(shoe).values())):
        kinds = [set(column) for column in road]
        assert all(len(kind) == 1 for kind in kinds)
        assert len(list(groupby(kinds))) == len(kinds), "neighbouring columns differ"


def _check_column(cells: list[Cell[int]], taken: set[tuple[int, int]]) -> None:
    """One column as drawn: down, then right and never down again, and turned only where it had to."""
    turned = False
    for before, cell in pairwise(cells):
        below, right = (before.row + 1, before.column), (before.row, before.column + 1)
        turned = turned or before.row == ROWS or below in taken
        assert (cell.row, cell.column) == (right if turned else below)
        assert (cell.row, cell.column) not in taken


@given(st.lists(st.integers(1, 16), max_size=20))
def test_columns_go_down_and_turn_right_at_row_six_or_above_a_taken_cell(lengths: list[int]) -> None:
    grid = draw([[number] * length for number, length in enumerate(lengths)])
    taken: set[tuple[int, int]] = set()
    start = 0
    for _, run in groupby(grid.cells, key=lambda cell: cell.entry):
        cells = list(run)
        free = (column for column in range(start + 1, start + 400) if (1, column) not in taken)
        start = next(free)
        assert (cells[0].row, cells[0].column) == (1, start)
        _check_column(cells, taken)
        taken |= {(cell.row, cell.column) for cell in cells}


@given(shoes.filter(bool))
def test_a_new_round_moves_nothing_that_is_drawn(marks: list[RoundMark]) -> None:
    for before, after in zip(_grids(roads(marks[:-1])), _grids(roads(marks)), strict=True):
        places = [(cell.row, cell.column) for cell in after.cells]
        assert [(cell.row, cell.column) for cell in before.cells] == places[: len(before.cells)]
        assert len(places) - len(before.cells) in (0, 1)


# --- ties, statistics, marks -----------------------------------------------------------------------


@given(shoes)
def test_every_tie_is_counted_on_a_win_or_waits_for_the_first(marks: list[RoundMark]) -> None:
    shoe = roads(marks)
    shown = sum(win.ties for column in shoe.big_road.columns for win in column)
    assert shown + shoe.big_road.waiting_ties == shoe.statistics.tie
    assert not (shown and shoe.big_road.waiting_ties)


def test_ties_wait_for_the_first_win() -> None:
    assert roads(_marks("TT")).big_road == BigRoad(columns=(), grid=Grid(()), waiting_ties=2)
    assert render(roads(_marks("TTP")).big_road.grid).split() == ["P2", *"-----"]
    assert render(roads(_marks("TTPTP")).big_road.grid).split() == ["P3", "P", *"----"]


def test_a_shoe_without_rounds_has_empty_roads() -> None:
    shoe = roads([])
    assert shoe.statistics == Statistics(0, 0, 0, 0, 0, 0, 0, longest_run=None, current_run=None)
    assert all(grid.width == 0 and render(grid) == "\n" * 5 for grid in (shoe.bead_plate, shoe.small_road.grid))


@given(shoes)
def test_statistics_count_every_round(marks: list[RoundMark]) -> None:
    counts = roads(marks).statistics
    assert counts.rounds == len(marks) == counts.banker + counts.player + counts.tie
    wins = "".join(mark.winner.value[0] for mark in _without_ties(marks))
    for run, length in (
        (counts.current_run, len(wins) - len(wins.rstrip(wins[-1:]))),
        (counts.longest_run, _longest(wins)),
    ):
        assert (run.length if run else 0) == length
    assert (counts.banker, counts.player) == (wins.count("b"), wins.count("p"))
    assert counts.natural == sum(mark.natural for mark in marks)


def _longest(wins: str) -> int:
    return next((length for length in range(len(wins), 0, -1) if "b" * length in wins or "p" * length in wins), 0)


def test_of_two_longest_runs_the_first_counts_and_ties_do_not_break_it() -> None:
    counts = roads(_marks("BTBTPPB")).statistics
    assert counts.longest_run == Run(Winner.BANKER, 2)
    assert counts.current_run == Run(Winner.BANKER, 1)


@pytest.mark.parametrize(
    ("cards", "mark"),
    [
        ("9h 2c Ks Kd", RoundMark(Winner.PLAYER, natural=True)),
        ("2c 8h 2d Ks", RoundMark(Winner.BANKER, player_pair=True, natural=True)),
        ("7s 3h Kd 3d", RoundMark(Winner.PLAYER, banker_pair=True)),
        ("Ks Kh Kd Kc 9s 9h", RoundMark(Winner.TIE, player_pair=True, banker_pair=True)),
        ("9h 8c Ks Kd", RoundMark(Winner.PLAYER, natural=True)),
        ("2s Kh 3d 3d 4c 6h", RoundMark(Winner.TIE)),
    ],
)
def test_the_mark_a_coup_leaves(cards: str, mark: RoundMark) -> None:
    assert RoundMark.of(Coup.deal(cards).outcome_class) == mark
