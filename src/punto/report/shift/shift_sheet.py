"""A shift or gaming-day report in words: what the page shows and ``shift.typ`` prints, as texts in one language."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import msgspec
from msgspec import Struct

from punto.report.paper.letterhead import Letterhead, grouped, printed
from punto.report.paper.slip_sheet import number_of
from punto.report.rendering import breakable, percent
from punto.report.shift.decisions import DecisionTold, SlipTold
from punto.report.shift.duties_and_debts import DebtTold, DutyTold
from punto.report.shift.made import Figures, Made, OpeningShown, TableMade, WagerTurned
from punto.report.shift.shift_report import ByClause, IrregularityTold, ShiftReport
from punto.table.money import Pieces
from punto.texts import Language, fill, name_of, texts_under

_HERE = Path(__file__).parent


Line = tuple[str, ...]
"""The cells of a line, in the order of the columns."""


class OpeningSheet(Struct, frozen=True):
    """One opening of a table: when and by whom it was opened and closed, its figures, and what was counted."""

    opened: Line
    closed: Line
    figures: Line
    play: Line
    """Voids and corrections."""
    variance: str
    counted: str
    counted_at_opening: str


class TableSheet(Struct, frozen=True):
    """One table: its figures, each of its openings, and what was turned over on each wager."""

    table: str
    game: str
    open: bool
    figures: Line
    openings: tuple[OpeningSheet, ...]
    wagers: tuple[Line, ...]


class ClauseSheet(Struct, frozen=True):
    """The irregularities that rest on one clause."""

    game: str
    clause: str
    text: str
    lines: tuple[Line, ...]


class ShiftSheet(Struct, frozen=True):
    """All that a report says, as texts, under the headings in ``texts``."""

    texts: dict[str, str]
    property: str
    currency: str
    zone: str
    language: str
    title: str
    day: str
    span: str
    made: str
    activity: bool
    tables: tuple[TableSheet, ...]
    idle: tuple[Line, ...]
    being_counted: str
    total: Line
    reconciled: Line
    wagers: tuple[Line, ...]
    duties: tuple[Line, ...]
    debts: tuple[Line, ...]
    slips: tuple[Line, ...]
    decisions: tuple[Line, ...]
    irregularities: tuple[ClauseSheet, ...]


def shift_pdf(report: ShiftReport, language: Language = Language.ENGLISH) -> bytes:
    """Return the report as a PDF; sentences in it are in the language the report was made in."""
    return printed(_HERE / "shift.typ", msgspec.to_builtins(shift_sheet(report, language)))


def shift_sheet(report: ShiftReport, language: Language) -> ShiftSheet:
    """Return all that the report says, as texts."""
    return _Sheet(report, language).texts_of()


class _Sheet:
    """One report in one language."""

    def __init__(self, report: ShiftReport, language: Language) -> None:
        self._report, self._language = report, language
        self._texts, self._paper = texts_under("reports", "shift", language), Letterhead(report.house, language)

    def texts_of(self) -> ShiftSheet:
        report, texts, paper = self._report, self._texts, self._paper
        span = {"start": paper.with_zone(report.start), "end": paper.with_zone(report.end)}
        counted = ", ".join(map(breakable, report.being_counted))
        day = fill(texts["day"], {"day": report.day}) if report.day else ""
        return ShiftSheet(
            texts=texts,
            **paper.head(),
            title=texts["day_title"] if report.day else texts["title"],
            day=day,
            span=fill(texts["span"], span),
            made=self._made(),
            activity=report.activity,
            tables=tuple(map(self._table, report.tables)),
            idle=tuple((breakable(each.table), name_of("game", each.title, self._language)) for each in report.idle),
            being_counted=fill(texts["being_counted"], {"tables": counted}) if counted else "",
            total=_figures(report.total),
            reconciled=tuple(map(grouped, _reconciled(report.total))),
            wagers=tuple(map(self._wager, report.total.wagers)),
            duties=tuple(map(self._duty, report.duties)),
            debts=tuple(map(_debt, report.debts)),
            slips=tuple(map(self._slip, report.slips)),
            decisions=tuple(map(self._decision, report.decisions)),
            irregularities=tuple(map(self._clause, report.irregularities)),
        )

    def _made(self) -> str:
        report, texts = self._report, self._texts
        if report.made_at is None:
            return fill(texts["made"], {"software": report.software})
        return fill(texts["made_at"], {"software": report.software, "time": self._paper.with_zone(report.made_at)})

    # --- tables ----------------------------------------------------------------------------------------------------

    def _table(self, table: TableMade) -> TableSheet:
        return TableSheet(
            table=breakable(table.table),
            game=name_of("game", table.title, self._language),
            open=table.open,
            figures=_figures(table.made),
            openings=tuple(map(self._opening, table.openings)),
            wagers=tuple(map(self._wager, table.made.wagers)),
        )

    def _opening(self, opening: OpeningShown) -> OpeningSheet:
        texts, made = self._texts, opening.made
        opened = texts["before"] if opening.opened is None else self._paper.minute(opening.opened)
        closed = texts["still"] if opening.closed is None else self._paper.minute(opening.closed)
        variance = "–" if opening.closed is None or made is None else grouped(made.count_difference)
        return OpeningSheet(
            opened=(opened, self._paper.name(opening.opened_by or "")),
            closed=(closed, self._paper.name(opening.closed_by or "")),
            figures=_figures(made) if made else _moved(opening.figures),
            play=(f"{made.void:,}", f"{made.corrected:,}") if made else (),
            variance=variance,
            counted=_counted(opening.pieces),
            counted_at_opening=_counted(opening.opening_pieces),
        )

    def _wager(self, turned: WagerTurned) -> Line:
        return (
            name_of("wager", turned.wager, self._language),
            f"{turned.wagers:,}",
            grouped(turned.turnover),
            grouped(turned.won),
            grouped(turned.theoretical),
            percent(Fraction(turned.won, turned.turnover), 2) if turned.turnover else "–",
        )

    # --- people and decisions --------------------------------------------------------------------------------------

    def _duty(self, duty: DutyTold) -> Line:
        since = self._texts["duty_before"] if duty.since is None else self._paper.minute(duty.since)
        until = self._texts["duty_still"] if duty.until is None else self._paper.minute(duty.until)
        return (breakable(duty.table), self._paper.name(duty.name or duty.dealer), since, until)

    def _slip(self, slip: SlipTold) -> Line:
        kind, state = self._texts[f"slip_{slip.kind.value}"], self._texts[f"slip_{slip.state.value}"]
        when, people = self._paper.time(slip.at), map(self._paper.name, (slip.asked_by, slip.ended_by))
        return (number_of(slip.number), when, kind, breakable(slip.table), grouped(slip.amount), *people, state)

    def _decision(self, told: DecisionTold) -> Line:
        who = self._person(told.name or told.by, told.position)
        more = [told.told]
        if told.reason:
            more.append(fill(self._texts["reason"], {"reason": told.reason}))
        if told.second_person:
            more.append(fill(self._texts["second_person"], {"who": told.second_person}))
        kind, number = self._texts[f"kind_{told.kind.value}"], "" if told.round is None else str(told.round)
        what = breakable("; ".join(more))
        return (self._paper.time(told.at), breakable(told.table), kind, number, what, breakable(who))

    def _person(self, name: str, position: str) -> str:
        said = name_of("duty", position, self._language)
        return said if name == position else f"{name}, {said}"

    def _clause(self, group: ByClause) -> ClauseSheet:
        return ClauseSheet(
            game=name_of("game", group.title, self._language),
            clause=group.clause or "",
            text=group.text,
            lines=tuple(map(self._irregularity, group.irregularities)),
        )

    def _irregularity(self, told: IrregularityTold) -> Line:
        texts, language = self._texts, self._language
        who = self._person(told.name or told.authorised_by, told.position)
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
        return (self._paper.time(told.at), breakable(told.table), number, what, breakable(who))


def _reconciled(made: Made) -> tuple[int, int, int, int]:
    return made.won, -made.claims, made.count_difference, made.figures.win


def _figures(made: Made) -> Line:
    """Return the figures in the order of the columns."""
    told = made.figures
    more = [grouped(made.theoretical), grouped(told.commission), f"{made.rounds:,}", grouped(made.turnover)]
    return (*_moved(told), told.hold_percent or "–", *more)


def _moved(told: Figures) -> Line:
    moved = map(grouped, (told.opening, told.fills, told.drop, told.credits, told.closing))
    return (*moved, f"{'+' if told.win > 0 else ''}{grouped(told.win)}")


def _debt(debt: DebtTold) -> Line:
    return (
        breakable(debt.table),
        breakable(debt.name or debt.patron),
        *map(grouped, (debt.left, debt.paid, debt.owed)),
    )


def _counted(pieces: Iterable[Pieces]) -> str:
    return ", ".join(f"{grouped(each.value)} × {each.number:,}" for each in pieces if each.number)
