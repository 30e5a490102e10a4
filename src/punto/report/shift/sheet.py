"""A shift report on paper: what ``shift.typ`` prints, as texts in one language, and the PDF."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from punto.report.event_text import catalogue
from punto.report.rendering import breakable, money, percent
from punto.report.shift.report import ByClause, Figures, IrregularityTold, Made, OpeningShown, ShiftReport, TableMade
from punto.store.round_events import time_of
from punto.texts import Language

_HERE = Path(__file__).parent


@cache
def words(language: Language) -> dict[str, str]:
    """The words of the report in a language."""
    said: dict[str, dict[str, str]] = tomllib.loads((_HERE / "shift.toml").read_text("utf-8"))
    return said[language.value]


def named(kind: str, name: str, language: Language, otherwise: str | None = None) -> str:
    """What has a name in the documents, as the language calls it; by that name where it has no other."""
    return catalogue(language).get(kind, {}).get(name, otherwise or name)


def shift_pdf(report: ShiftReport, language: Language = Language.ENGLISH) -> bytes:
    """The report as a PDF; sentences in it are in the language the report was made in."""
    import typst

    # Everything goes in as data: nothing that somebody wrote in a note is taken for a command.
    content = {"sheet": json.dumps(sheet(report, language))}
    made: bytes = typst.compile(str(_HERE / "shift.typ"), sys_inputs=content)
    return made


def sheet(report: ShiftReport, language: Language) -> dict[str, Any]:
    """All that the document says, as texts."""
    say = words(language)
    span = say["span"].format(start=_minute(report.start), end=_minute(report.end))
    several = any(len(each.openings) > 1 or not _is_whole(each.openings[0]) for each in report.tables)
    return {
        "say": say,
        "language": language.value,
        "span": span,
        "made": say["made"].format(software=report.software),
        "tables": [_table(each, language) for each in report.tables],
        "total": _figures(report.total),
        "reconciled": [_grouped(each) for each in _reconciled(report.total)],
        "wagers": _wagers(report, language),
        "openings": [_opening(each, one, say) for each in report.tables for one in each.openings] if several else [],
        "irregularities": [_clause(each, language) for each in report.irregularities],
    }


def _minute(at: int) -> str:
    return time_of(at)[:16]


def _is_whole(opening: OpeningShown) -> bool:
    """Whether the table was open through the whole of the span, so that there is nothing to tell about it."""
    return opening.opened is None and opening.closed is None


def _reconciled(made: Made) -> tuple[int, int, int, int]:
    return made.won, -made.claims, made.count_difference, made.figures.win


def _table(table: TableMade, language: Language) -> dict[str, Any]:
    title = named("game", table.game, language, table.title)
    return {"table": breakable(table.table), "game": title, "open": table.open, "figures": _figures(table.made)}


def _figures(made: Made) -> list[str]:
    """In the order of the columns."""
    told = made.figures
    moved = _moved(told)
    return [*moved, told.hold_percent or "–", _grouped(told.commission), f"{made.rounds:,}", _grouped(made.turnover)]


def _moved(told: Figures) -> list[str]:
    return [_grouped(each) for each in (told.opening, told.fills, told.drop, told.credits, told.closing, told.win)]


def _grouped(cents: int) -> str:
    """An amount as people read many of them: 1,234,567.00."""
    whole, _, places = money(abs(cents)).partition(".")
    return f"{'−' if cents < 0 else ''}{int(whole):,}.{places}"


def _wagers(report: ShiftReport, language: Language) -> list[list[str]]:
    return [
        [
            named("wager", each.wager, language),
            f"{each.wagers:,}",
            _grouped(each.turnover),
            _grouped(each.won),
            percent(Fraction(each.won, each.turnover), 2) if each.turnover else "–",
        ]
        for each in report.total.wagers
    ]


def _opening(table: TableMade, opening: OpeningShown, say: dict[str, str]) -> list[str]:
    opened = say["before"] if opening.opened is None else f"{say['opened']} {_minute(opening.opened)}"
    closed = say["still"] if opening.closed is None else f"{say['closed']} {_minute(opening.closed)}"
    return [breakable(table.table), opened, closed, *_moved(opening.figures)]


def _clause(group: ByClause, language: Language) -> dict[str, Any]:
    return {
        "game": named("game", group.game, language, group.title),
        "clause": group.clause or "",
        "text": group.text,
        "lines": [_irregularity(each, language) for each in group.irregularities],
    }


def _irregularity(told: IrregularityTold, language: Language) -> list[str]:
    say = words(language)
    who, position = told.name or told.authorised_by, named("role", told.position, language)
    who = position if who == told.position else f"{who}, {position}"
    if told.acting_in:
        roles = ", ".join(named("role", each, language) for each in told.acting_in)
        who += f", {say['acting'].format(roles=roles)}"
    more = [told.told]
    if told.noticed_by and told.noticed_by not in (told.authorised_by, told.name):
        more.append(say["noticed"].format(who=told.noticed_by))
    if told.note:
        more.append(say["note"].format(note=told.note))
    number = "" if told.round is None else str(told.round)
    return [time_of(told.at)[5:19], breakable(told.table), number, breakable("; ".join(more)), breakable(who)]
