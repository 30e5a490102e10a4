"""The scoreboard of a shoe in the terminal: five roads, what the next win would add, and the counts."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from punto.cli import terminal
from punto.roads import AskRoad, Colour, Grid, Roads, RoundMark, Win, render, roads
from punto.rules.coup import Winner

_WINNER_STYLES = {Winner.BANKER: "red", Winner.PLAYER: "blue", Winner.TIE: "green"}


def print_scoreboard(marks: list[RoundMark]) -> None:
    """Print everything a display at the table shows."""
    board = roads(marks)
    for title, grid in (("Bead plate", board.bead_plate), ("Big road", board.big_road.grid)):
        _print_road(title, grid)
    for title, road in _derived(board):
        _print_road(title, road.grid, _asked(road.ask))
    counts = board.statistics
    terminal.console.print(
        f"{counts.rounds} rounds: Banker {counts.banker}, Player {counts.player}, Tie {counts.tie}; "
        f"pairs: Banker {counts.banker_pair}, Player {counts.player_pair}; naturals {counts.natural}"
    )


def _derived(board: Roads) -> list[tuple[str, Any]]:
    return [
        ("Big eye boy", board.big_eye_boy),
        ("Small road", board.small_road),
        ("Cockroach pig", board.cockroach_pig),
    ]


def _asked(ask: AskRoad) -> str:
    return f"next Banker {ask.banker}, next Player {ask.player}" if ask.banker else ""


def _print_road(title: str, grid: Grid[Any], remark: str = "") -> None:
    """Print a road, unless it is still empty."""
    if not grid.cells:
        return
    terminal.console.print(Text(title, "bold") + Text(f"   {remark}", "dim"))
    styles = {(cell.row, cell.column): _style(cell.entry) for cell in grid.cells}
    for row, line in enumerate(render(grid).splitlines(), start=1):
        shown = Text("  ")
        for column, word in enumerate(line.split(), start=1):
            style = styles.get((row, column))
            shown.append(word.ljust(_width(grid)), style or "dim")
        terminal.console.print(shown)


def _width(grid: Grid[Any]) -> int:
    return 1 + max(len(word) for word in render(grid).split())


def _style(entry: RoundMark | Win | Colour) -> str:
    if isinstance(entry, Colour):
        return entry.value
    return _WINNER_STYLES[(entry.mark if isinstance(entry, Win) else entry).winner]
