"""Alerts of the pit as significant events: one mechanism finds both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from punto.formatting import money
from punto.report.significant.kinds import SignificantKind, Values
from punto.report.significant.search import Raised
from punto.server.pit.alerts import AlertKind
from punto.texts import Language, name_of, text

_KINDS = {
    AlertKind.WAGER: SignificantKind.LARGE_WAGER,
    AlertKind.WIN: SignificantKind.LARGE_WIN,
    AlertKind.DEVIATION: SignificantKind.DEVIATION,
    AlertKind.HOLD: SignificantKind.ALERT,
    AlertKind.DIFFERENTIAL: SignificantKind.ALERT,
    AlertKind.COUNT: SignificantKind.ALERT,
    AlertKind.REPEATS: SignificantKind.ALERT,
}
"""The alerts that are significant; what was refused to a device is an event, and a call of the pit is no matter."""
MONEY = frozenset({"amount", "allowed", "apart", "counted", "expected", "difference", "won", "low", "high"})
"""Values of alerts that are amounts, in cents."""
RaisedAt = dict[tuple[str, int], list[Raised]]
"""Alerts by table and the number of the event that raised them."""


def raised_at(alerts: Iterable[tuple[str, AlertKind, int, Mapping[str, str | int]]], language: Language) -> RaisedAt:
    """Return alerts, given by table, kind, number and values, by what raised them."""
    found: RaisedAt = {}
    for table, kind, number, values in alerts:
        if kind in _KINDS:
            told: Values = {"alert": kind.value, **values}
            found.setdefault((table, number), []).append(Raised(_KINDS[kind], told, _words(kind, values, language)))
    return found


def _words(kind: AlertKind, values: Mapping[str, str | int], language: Language) -> str:
    return text(
        "pages", f"alert.{kind.value}", language, **{name: _said(name, each, language) for name, each in values.items()}
    )


def _said(name: str, value: str | int, language: Language) -> str:
    if isinstance(value, int) and name in MONEY:
        return money(value, grouped=True)
    return name_of(name, str(value), language) if name in ("wager", "provision") else str(value)
