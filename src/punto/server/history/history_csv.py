"""A patron's history as CSV: a line for each bet, and for money brought or taken away."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from punto.report.rendering import money
from punto.report.shift.shift_csv import plain
from punto.server.history.round_story import LinePlayed
from punto.store.round_events import time_of

COLUMNS = ("time_utc", "table", "what", "round", "bet", "seat", "stake", "result", "returned", "net", "balance")


def history_csv(lines: Iterable[tuple[str, LinePlayed]]) -> str:
    """Return lines of tables as CSV, names first; amounts have two places, and the balance is that after the line."""
    made = StringIO()
    rows = csv.writer(made, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for table, line in lines:
        for bet in _bets(line):
            about = (time_of(line.at), table, line.kind, line.round or "")
            rows.writerow(map(plain, [*about, *bet, money(line.balance)]))
    return made.getvalue()


def _bets(line: LinePlayed) -> list[tuple[object, ...]]:
    """Return bet, seat, stake, result, what was returned, and net, for each bet; one line for what is about none."""
    if line.wagers:
        return [
            (each.wager, each.position, money(each.stake), each.result or "returned", money(each.returned),
             money(each.returned - each.stake))
            for each in line.wagers
        ]  # fmt: skip
    if line.corrections:
        return [
            (each.after.wager, each.after.position, money(each.after.stake), each.after.result or "returned",
             money(each.after.returned), money(each.change))
            for each in line.corrections
        ]  # fmt: skip
    return [("", "", "", "", "", money(line.net))]
