"""A shift or gaming-day report as a table for other programs: one line per opening of a table,
and one for every table without activity.

Amounts have two places; every time is given as the clocks of the house show it and in UTC.
"""

from __future__ import annotations

import csv
from io import StringIO

from punto.report.paper.letterhead import Letterhead
from punto.report.rendering import money
from punto.report.shift.made import OpeningShown, TableMade
from punto.report.shift.shift_report import ShiftReport
from punto.store.round_events import time_of
from punto.texts import Language

COLUMNS = (
    *("property", "currency", "time_zone", "table", "game", "opened", "opened_utc", "opened_by"),
    *("closed", "closed_utc", "closed_by", "opening", "fills", "credits", "drop", "taken_away", "closing", "win"),
    *("hold_percent", "theoretical", "commission", "rounds", "void", "corrected", "turnover", "count_difference"),
    "activity",
)
_MOVED = ("opening", "fills", "credits", "drop", "taken_away", "closing", "win")


def shift_csv(report: ShiftReport) -> str:
    """Return the report as CSV, with a line of names first."""
    made = StringIO()
    lines = csv.writer(made, lineterminator="\r\n")
    lines.writerow(COLUMNS)
    paper = Letterhead(report.house, Language.ENGLISH)
    for table in report.tables:
        for opening in table.openings:
            lines.writerow(map(plain, [*_line(report, table, opening, paper), "open"]))
    for idle in report.idle:
        house = report.house
        head = [house.property_name, house.currency, house.time_zone, idle.table, idle.title]
        lines.writerow(map(plain, [*head, *[""] * (len(COLUMNS) - len(head) - 1), "no activity"]))
    return made.getvalue()


def plain(value: object) -> object:
    """Return a value that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+@\t\r") else value


def _line(report: ShiftReport, table: TableMade, opening: OpeningShown, paper: Letterhead) -> list[object]:
    house, figures, made = report.house, opening.figures, opening.made
    assert made is not None
    return [
        *(house.property_name, house.currency, house.time_zone, table.table, table.title),
        *_when(opening.opened, paper),
        opening.opened_by or "",
        *_when(opening.closed, paper),
        opening.closed_by or "",
        *(money(getattr(figures, name)) for name in _MOVED),
        figures.hold_percent or "",
        *(money(made.theoretical), money(figures.commission), made.rounds, made.void, made.corrected),
        *(money(made.turnover), "" if opening.closed is None else money(made.count_difference)),
    ]


def _when(at: int | None, paper: Letterhead) -> tuple[str, str]:
    return ("", "") if at is None else (paper.time(at), time_of(at))
