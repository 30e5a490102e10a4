"""A shift or gaming-day report on paper: what ``shift.typ`` prints, as texts in one language, and the PDF."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from punto.report.paper.letterhead import Letterhead, grouped, printed
from punto.report.paper.slip_sheet import number_of
from punto.report.rendering import breakable, percent
from punto.report.shift.decisions import DecisionTold, SlipTold
from punto.report.shift.duties_and_debts import DebtTold, DutyTold
from punto.report.shift.made import Figures, Made, OpeningShown, TableMade, WagerTurned
from punto.report.shift.shift_report import ByClause, IrregularityTold, ShiftReport
from punto.texts import Language, fill, name_of, texts_under

_HERE = Path(__file__).parent


def shift_pdf(report: ShiftReport, language: Language = Language.ENGLISH) -> bytes:
    """Return the report as a PDF; sentences in it are in the language the report was made in."""
    return printed(_HERE / "shift.typ", sheet(report, language))


def sheet(report: ShiftReport, language: Language) -> dict[str, Any]:
    """Return all that the document says, as texts."""
    return _Sheet(report, language).texts_of()


class _Sheet:
    """One report in one language."""

    def __init__(self, report: ShiftReport, language: Language) -> None:
        self._report, self._language = report, language
        self._texts, self._paper = texts_under("reports", "shift", language), Letterhead(report.house, language)

    def texts_of(self) -> dict[str, Any]:
        report, texts, paper = self._report, self._texts, self._paper
        span = {"start": paper.with_zone(report.start), "end": paper.with_zone(report.end)}
        counted = ", ".join(map(breakable, report.being_counted))
        day = fill(texts["day"], {"day": report.day}) if report.day else ""
        return paper.head() | {
            "texts": texts,
            "title": texts["day_title"] if report.day else texts["title"],
            "day": day,
            "span": fill(texts["span"], span),
            "made": fill(texts["made"], {"software": report.software}),
            "activity": report.activity,
            "tables": [self._table(each) for each in report.tables],
            "idle": [[breakable(each.table), name_of("game", each.title, self._language)] for each in report.idle],
            "being_counted": fill(texts["being_counted"], {"tables": counted}) if counted else "",
            "total": _figures(report.total),
            "reconciled": [grouped(each) for each in _reconciled(report.total)],
            "wagers": [self._wager(each) for each in report.total.wagers],
            "duties": [self._duty(each) for each in report.duties],
            "debts": [_debt(each) for each in report.debts],
            "slips": [self._slip(each) for each in report.slips],
            "decisions": [self._decision(each) for each in report.decisions],
            "irregularities": [self._clause(each) for each in report.irregularities],
        }

    # --- tables ----------------------------------------------------------------------------------------------------

    def _table(self, table: TableMade) -> dict[str, Any]:
        return {
            "table": breakable(table.table),
            "game": name_of("game", table.title, self._language),
            "open": table.open,
            "figures": _figures(table.made),
            "openings": [self._opening(each) for each in table.openings],
            "wagers": [self._wager(each) for each in table.made.wagers],
        }

    def _opening(self, opening: OpeningShown) -> dict[str, Any]:
        texts, made = self._texts, opening.made
        opened = texts["before"] if opening.opened is None else self._paper.minute(opening.opened)
        closed = texts["still"] if opening.closed is None else self._paper.minute(opening.closed)
        variance = "–" if opening.closed is None or made is None else grouped(made.count_difference)
        counted = [f"{grouped(each.value)} × {each.number:,}" for each in opening.pieces if each.number]
        return {
            "opened": [opened, breakable(opening.opened_by or "")],
            "closed": [closed, breakable(opening.closed_by or "")],
            "figures": [*_figures(made)] if made else [*_moved(opening.figures)],
            "play": [f"{made.void:,}", f"{made.corrected:,}"] if made else [],
            "variance": variance,
            "counted": ", ".join(counted),
        }

    def _wager(self, turned: WagerTurned) -> list[str]:
        return [
            name_of("wager", turned.wager, self._language),
            f"{turned.wagers:,}",
            grouped(turned.turnover),
            grouped(turned.won),
            grouped(turned.theoretical),
            percent(Fraction(turned.won, turned.turnover), 2) if turned.turnover else "–",
        ]

    # --- people and decisions --------------------------------------------------------------------------------------

    def _duty(self, duty: DutyTold) -> list[str]:
        since = self._texts["duty_before"] if duty.since is None else self._paper.minute(duty.since)
        until = self._texts["duty_still"] if duty.until is None else self._paper.minute(duty.until)
        return [breakable(duty.table), breakable(duty.name or duty.dealer), since, until]

    def _slip(self, slip: SlipTold) -> list[str]:
        kind, state = self._texts[f"slip_{slip.kind.value}"], self._texts[f"slip_{slip.state.value}"]
        when, people = self._paper.time(slip.at), map(breakable, (slip.asked_by, slip.ended_by))
        return [number_of(slip.number), when, kind, breakable(slip.table), grouped(slip.amount), *people, state]

    def _decision(self, told: DecisionTold) -> list[str]:
        who = f"{told.name or told.by}, {name_of('duty', told.position, self._language)}"
        more = [told.told]
        if told.reason:
            more.append(fill(self._texts["reason"], {"reason": told.reason}))
        if told.second_person:
            more.append(fill(self._texts["second_person"], {"who": told.second_person}))
        kind, number = self._texts[f"kind_{told.kind.value}"], "" if told.round is None else str(told.round)
        what = breakable("; ".join(more))
        return [self._paper.time(told.at), breakable(told.table), kind, number, what, breakable(who)]

    def _clause(self, group: ByClause) -> dict[str, Any]:
        return {
            "game": name_of("game", group.title, self._language),
            "clause": group.clause or "",
            "text": group.text,
            "lines": [self._irregularity(each) for each in group.irregularities],
        }

    def _irregularity(self, told: IrregularityTold) -> list[str]:
        texts, language = self._texts, self._language
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
        what = breakable("; ".join(more))
        return [self._paper.time(told.at), breakable(told.table), number, what, breakable(who)]


def _reconciled(made: Made) -> tuple[int, int, int, int]:
    return made.won, -made.claims, made.count_difference, made.figures.win


def _figures(made: Made) -> list[str]:
    """Return the figures in the order of the columns."""
    told = made.figures
    more = [grouped(made.theoretical), grouped(told.commission), f"{made.rounds:,}", grouped(made.turnover)]
    return [*_moved(told), told.hold_percent or "–", *more]


def _moved(told: Figures) -> list[str]:
    return [grouped(each) for each in (told.opening, told.fills, told.drop, told.credits, told.closing, told.win)]


def _debt(debt: DebtTold) -> list[str]:
    return [
        breakable(debt.table),
        breakable(debt.name or debt.patron),
        *map(grouped, (debt.left, debt.paid, debt.owed)),
    ]
