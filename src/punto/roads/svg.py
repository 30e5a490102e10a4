"""Roads as SVG pictures, for notebooks and files, painted as on the tables' displays."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from itertools import groupby

from punto.notebook import BANKER, PLAYER, TIE, Markup, element, picture
from punto.roads.big_road import Win
from punto.roads.derived_roads import Colour
from punto.roads.grid import ROWS, Cell, Grid
from punto.roads.round_marks import RoundMark
from punto.rules.coup import Winner

Entry = RoundMark | Win | Colour

_SIDE = 20
_FEWEST_COLUMNS = 12
_PAINT = {
    Winner.BANKER: BANKER,
    Winner.PLAYER: PLAYER,
    Winner.TIE: TIE,
    Colour.RED: BANKER,
    Colour.BLUE: PLAYER,
}


class Sign(StrEnum):
    """The shape of a derived road's entries; each of the three roads has its own."""

    RING = "ring"
    DOT = "dot"
    STROKE = "stroke"


def draw_svg(grid: Grid[Entry], name: str = "", sign: Sign = Sign.RING) -> Markup:
    """Return a road as a picture; the newest entry has a frame."""
    columns = max(_FEWEST_COLUMNS, grid.width)
    width, height = columns * _SIDE + 1, ROWS * _SIDE + 1
    down = "".join(f"M{x * _SIDE}.5 0V{height}" for x in range(columns + 1))
    across = "".join(f"M0 {y * _SIDE}.5H{width}" for y in range(ROWS + 1))
    lines = element("path", d=down + across, stroke="#c9c6b8", fill="none")
    cells = (_at(cell, *_painted(cell.entry, sign)) for cell in grid.cells)
    frame = element("rect", x=-10, y=-10, width=20, height=20, fill="none", stroke="#d98e00", stroke_width=2)
    newest = (_at(cell, frame) for cell in grid.cells[-1:])
    entries = [cell.entry for cell in grid.cells]
    return picture(width, height, name or _name(entries), in_words(entries), lines, *cells, *newest)


def in_words(entries: Iterable[Entry]) -> str:
    """Return what a road shows, run by run: Banker 3, Player 1."""
    runs = ((what, len(list(run))) for what, run in groupby(map(_what, entries)))
    return ", ".join(f"{what} {length}" for what, length in runs) or "nothing yet"


def _what(entry: Entry) -> str:
    return entry.value if isinstance(entry, Colour) else _winner(entry).capitalize()


def _winner(entry: RoundMark | Win) -> Winner:
    return entry.mark.winner if isinstance(entry, Win) else entry.winner


def _name(entries: list[Entry]) -> str:
    """Return the default name of a road: derived roads look alike."""
    first = entries[0] if entries else None
    return "Bead plate" if isinstance(first, RoundMark) else "Big road" if isinstance(first, Win) else "Road"


def _at(cell: Cell[Entry], *inside: Markup) -> Markup:
    """Return shapes drawn around the middle of a cell."""
    x, y = cell.column * _SIDE - _SIDE // 2, cell.row * _SIDE - _SIDE // 2
    return element("g", *inside, transform=f"translate({x}.5 {y}.5)")


def _painted(entry: Entry, sign: Sign) -> list[Markup]:
    if isinstance(entry, Colour):
        return [_derived(sign, _PAINT[entry])]
    paint = _PAINT[_winner(entry)]
    if isinstance(entry, RoundMark):
        letter = _letter(entry.winner.value[0].upper(), "#fff")
        return [element("circle", r=8, fill=paint), letter, *_pairs(entry)]
    ring = element("circle", r=7, fill="none", stroke=paint, stroke_width=3)
    tied = [_stroke(TIE)] if entry.ties else []
    counted = [_letter(str(entry.ties), "#0b4a2a", halo="#fbfaf4")] if entry.ties > 1 else []
    return [ring, *tied, *counted, *_pairs(entry.mark)]


def _derived(sign: Sign, paint: str) -> Markup:
    if sign is Sign.STROKE:
        return _stroke(paint)
    return element("circle", r=7, fill=paint if sign is Sign.DOT else "none", stroke=paint, stroke_width=3)


def _stroke(paint: str) -> Markup:
    return element("path", d="M-6 6L6 -6", stroke=paint, stroke_width=3, stroke_linecap="round")


def _letter(text: str, ink: str, halo: str = "none") -> Markup:
    """Return a letter, with an optional halo that sets it off from its background."""
    style = "font:700 10px system-ui,sans-serif;paint-order:stroke"
    return element("text", text, y=4, fill=ink, stroke=halo, stroke_width=4, text_anchor="middle", style=style)


def _pairs(mark: RoundMark) -> list[Markup]:
    """Return a dot for each pair: Banker's top left, Player's bottom right."""
    dots = ((mark.banker_pair, -7, "#ff8d85"), (mark.player_pair, 7, "#7fb2ff"))
    return [element("circle", cx=at, cy=at, r=3, fill=ink, stroke="#fff") for there, at, ink in dots if there]
