"""A shift report on paper: what ``shift.typ`` prints, as texts in one language, and the PDF."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from punto.report.rendering import breakable, money, percent
from punto.report.shift.duties_and_debts import DebtTold, DutyTold
from punto.report.shift.shift_report import (
    ByClause,
    Figures,
    IrregularityTold,
    Made,
    OpeningShown,
    ShiftReport,
    TableMade,
)
from punto.store.round_events import time_of
from punto.texts import Language, fill, name_of, texts_under

_HERE = Path(__file__).parent


def shift_pdf(report: ShiftReport, language: Language = Language.ENGLISH) -> bytes:
    """Return the report as a PDF; sentences in it are in the language the report was made in."""
    import typst

    # Everything goes in as data, so that a note that a person wrote is never taken for a command.
    content = {"sheet": json.dumps(sheet(report, language))}
    made: bytes = typst.compile(str(_HERE / "shift.typ"), sys_inputs=content)
    return made


def sheet(report: ShiftReport, language: Language) -> dict[str, Any]:
    """Return all that the document says, as texts."""
    texts = texts_under("reports", "shift", language)
    span = fill(texts["span"], {"start": _minute(report.start), "end": _minute(report.end)})
    several = any(len(each.openings) > 1 or not _is_whole(each.openings[0]) for each in report.tables)
    return {
        "texts": texts,
        "language": language.value,
        "span": span,
        "made": fill(texts["made"], {"software": report.software}),
        "tables": [_table(each, language) for each in report.tables],
        "total": _figures(report.total),
        "reconciled": [_grouped(each) for each in _reconciled(report.total)],
        "wagers": _wagers(report, language),
        "openings": [_opening(each, one, texts) for each in report.tables for one in each.openings] if several else [],
        "duties": [_duty(each, texts) for each in report.duties],
        "debts": [_debt(each) for each in report.debts],
        "irregularities": [_clause(each, language) for each in report.irregularities],
    }


def _minute(at: int) -> str:
    return time_of(at)[:16]


def _is_whole(opening: OpeningShown) -> bool:
    """Return whether the table was open through the whole span, so that its opening needs no line."""
    return opening.opened is None and opening.closed is None


def _reconciled(made: Made) -> tuple[int, int, int, int]:
    return made.won, -made.claims, made.count_difference, made.figures.win


def _table(table: TableMade, language: Language) -> dict[str, Any]:
    title = name_of("game", table.title, language)
    return {"table": breakable(table.table), "game": title, "open": table.open, "figures": _figures(table.made)}


def _figures(made: Made) -> list[str]:
    """Return the figures in the order of the columns."""
    told = made.figures
    moved = _moved(told)
    return [*moved, told.hold_percent or "–", _grouped(told.commission), f"{made.rounds:,}", _grouped(made.turnover)]


def _moved(told: Figures) -> list[str]:
    return [_grouped(each) for each in (told.opening, told.fills, told.drop, told.credits, told.closing, told.win)]


def _grouped(cents: int) -> str:
    """Return an amount with grouped digits: 1,234,567.00."""
    whole, _, places = money(abs(cents)).partition(".")
    return f"{'−' if cents < 0 else ''}{int(whole):,}.{places}"


def _wagers(report: ShiftReport, language: Language) -> list[list[str]]:
    return [
        [
            name_of("wager", each.wager, language),
            f"{each.wagers:,}",
            _grouped(each.turnover),
            _grouped(each.won),
            percent(Fraction(each.won, each.turnover), 2) if each.turnover else "–",
        ]
        for each in report.total.wagers
    ]


def _opening(table: TableMade, opening: OpeningShown, texts: dict[str, str]) -> list[str]:
    opened = texts["before"] if opening.opened is None else f"{texts['opened']} {_minute(opening.opened)}"
    closed = texts["still"] if opening.closed is None else f"{texts['closed']} {_minute(opening.closed)}"
    return [breakable(table.table), opened, closed, *_moved(opening.figures)]


def _duty(duty: DutyTold, texts: dict[str, str]) -> list[str]:
    since = texts["duty_before"] if duty.since is None else _minute(duty.since)
    until = texts["duty_still"] if duty.until is None else _minute(duty.until)
    return [breakable(duty.table), breakable(duty.name or duty.dealer), since, until]


def _debt(debt: DebtTold) -> list[str]:
    return [
        breakable(debt.table),
        breakable(debt.name or debt.patron),
        *map(_grouped, (debt.left, debt.paid, debt.owed)),
    ]


def _clause(group: ByClause, language: Language) -> dict[str, Any]:
    return {
        "game": name_of("game", group.title, language),
        "clause": group.clause or "",
        "text": group.text,
        "lines": [_irregularity(each, language) for each in group.irregularities],
    }


def _irregularity(told: IrregularityTold, language: Language) -> list[str]:
    texts = texts_under("reports", "shift", language)
    who, position = told.name or told.authorised_by, name_of("duty", told.position, language)
    who = position if who == told.position else f"{who}, {position}"
    if told.acting_in:
        roles = ", ".join(name_of("duty", each, language) for each in told.acting_in)
        who += f", {fill(texts['acting'], {'roles': roles})}"
    more = [told.told]
    if told.noticed_by and told.noticed_by not in (told.authorised_by, told.name):
        more.append(fill(texts["noticed"], {"who": told.noticed_by}))
    if told.note:
        more.append(fill(texts["note"], {"note": told.note}))
    if told.reason:
        more.append(fill(texts["reason"], {"reason": told.reason}))
    if told.second_person:
        more.append(fill(texts["second_person"], {"who": told.second_person}))
    number = "" if told.round is None else str(told.round)
    return [time_of(told.at)[5:19], breakable(told.table), number, breakable("; ".join(more)), breakable(who)]
