"""The roads of a shoe: bead plate, big road, big eye boy, small road and cockroach pig, and its statistics."""

from punto.roads.big_road import BigRoad, Win
from punto.roads.derived_roads import AskRoad, Colour, DerivedRoad
from punto.roads.grid import ROWS, Cell, Grid
from punto.roads.round_marks import RoundMark
from punto.roads.scoreboard import Roads, roads
from punto.roads.statistics import Run, Statistics
from punto.roads.text import render

__all__ = [
    "ROWS",
    "AskRoad",
    "BigRoad",
    "Cell",
    "Colour",
    "DerivedRoad",
    "Grid",
    "Roads",
    "RoundMark",
    "Run",
    "Statistics",
    "Win",
    "render",
    "roads",
]
