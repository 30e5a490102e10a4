"""Significant events as files: JSON and CSV for other programs, and text to read."""

from __future__ import annotations

import csv
from io import StringIO

from msgspec import Struct

from punto.report.paper.letterhead import Letterhead
from punto.report.shift.shift_csv import plain
from punto.report.significant.kinds import Values
from punto.report.significant.search import SignificantEvent
from punto.store.house_settings import HouseSettings
from punto.store.round_events import time_of
from punto.texts import Language, name_of, text

COLUMNS = (
    *("property", "time", "time_utc", "kind", "event", "table", "round", "by", "name", "position"),
    *("about", "about_name", "before", "after", "reason", "told", "stream", "number"),
)


class SignificantReport(Struct, frozen=True):
    """The significant events of a span of time, the newest first."""

    house: HouseSettings
    since: int | None
    """None begins with the log."""
    until: int
    made: int
    events: tuple[SignificantEvent, ...]
    cut_off: bool = False
    """Whether there are more, which are left out: the oldest."""


def significant_csv(report: SignificantReport) -> str:
    """Return the report as CSV, with a line of names first; one without activity says so."""
    made, paper = StringIO(), Letterhead(report.house, Language.ENGLISH)
    lines = csv.writer(made, lineterminator="\r\n")
    lines.writerow(COLUMNS)
    if not report.events:
        lines.writerow([report.house.property_name, *[""] * (len(COLUMNS) - 2), "no activity"])
    for each in report.events:
        same = {name: getattr(each, name) for name in COLUMNS if name in each.__struct_fields__}
        line = same | {
            "property": report.house.property_name,
            "time": paper.time(each.at),
            "time_utc": time_of(each.at),
            "kind": each.kind.value,
            "before": _pairs(each.before),
            "after": _pairs(each.after),
        }
        lines.writerow([plain("" if line[name] is None else line[name]) for name in COLUMNS])
    return made.getvalue()


def _pairs(values: Values) -> str:
    return "; ".join(f"{name}={value}" for name, value in values.items())


def significant_text(report: SignificantReport, language: Language) -> str:
    """Return the report as text: who owns it, its span, and a line for each event."""
    paper = Letterhead(report.house, language)
    since = paper.with_zone(report.since) if report.since else text("reports", "significant.beginning", language)
    head = [
        *([report.house.property_name] if report.house.property_name else []),
        text("reports", "significant.title", language),
        text("reports", "significant.span", language, since=since, until=paper.with_zone(report.until)),
        text("reports", "significant.made", language, made=paper.with_zone(report.made)),
    ]
    if not report.events:
        head.append(text("reports", "significant.none", language))
    elif report.cut_off:
        head.append(text("reports", "significant.cut_off", language))
    return "\n".join([*head, "", *(_line(each, paper, language) for each in report.events)]) + "\n"


def _line(each: SignificantEvent, paper: Letterhead, language: Language) -> str:
    kind, who = name_of("significant", each.kind.value, language), each.name or each.by
    parts = [paper.time(each.at), kind, each.table or "–", paper.name(who), each.told, _changed(each, language)]
    return "  ".join(part for part in [*parts, each.reason] if part)


def _changed(each: SignificantEvent, language: Language) -> str:
    names = [*dict.fromkeys((*each.before, *each.after))]
    return "; ".join(
        f"{_name(name, language)} {each.before.get(name, '–')} → {each.after.get(name, '–')}" for name in names
    )


def _name(value: str, language: Language) -> str:
    """Return what a value is called; that of a wager's limits is followed by the wager."""
    name, _, wager = value.partition(" ")
    return " ".join([name_of("value", name, language), *([name_of("wager", wager, language)] if wager else [])])
