"""The alert that a win is far from theory: raised once in an opening of each wager, by the house's own bound."""

from __future__ import annotations

from fractions import Fraction
from itertools import count

from msgspec.structs import replace

from punto import load
from punto.rules.rulebook import Result
from punto.server.pit.alerts import LOOKED_EACH, Alert, AlertKind, TableWatch, theory_of
from punto.server.running.lifecycle import practice_setting
from punto.store.house_settings import HouseSettings
from punto.store.records import EventRecord
from punto.table.event import Event, Settled
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableOpened

BOOK = load("baccarat")
STAKE = 10_000


class Watched:
    """A table whose rounds all have one wager on Player, watched with a bound in standard deviations."""

    def __init__(self, deviations: int = 4) -> None:
        self.watch = TableWatch(BOOK, lambda _: HouseSettings(alert_deviations=deviations, alert_win=0))
        self._numbers = count(1)
        self.open()

    def open(self) -> None:
        setting = practice_setting(BOOK, betting_seconds=None)
        self._take(TableOpened(BOOK.key, BOOK.digest, setting, 1_000_000))

    def settle(self, rounds: int, won: bool) -> None:
        for _ in range(rounds):
            returned = 2 * STAKE if won else 0
            result = Result.WIN if won else Result.LOSE
            wager = ("Ann", 1, "Player", STAKE, STAKE, result, "", Fraction(1), returned // 2, 0, returned, "", None)
            self._take(RoundSettled(1, (Settled(*wager),)))

    def _take(self, event: Event) -> None:
        number = next(self._numbers)
        self.watch.take_in([replace(EventRecord.of(event, number, "dealer", "Dealer"), number=number)])

    @property
    def alerts(self) -> list[Alert]:
        return [each for each in self.watch.alerts if each.kind is AlertKind.DEVIATION]


def test_a_run_that_no_chance_explains_is_told_with_the_bounds() -> None:
    table = Watched()
    table.settle(LOOKED_EACH, won=True)
    assert table.alerts == [], "ten wins in a row happen"
    table.settle(3 * LOOKED_EACH, won=True)
    (alert,) = table.alerts
    won, rounds, low = (int(alert.values[name]) for name in ("won", "rounds", "low"))
    assert alert.values["wager"] == "Player"
    assert won == -rounds * STAKE < low
    assert alert.values["expected"] == round(rounds * STAKE * theory_of(BOOK)["Player"].edge)


def test_it_is_raised_once_in_an_opening() -> None:
    table = Watched()
    table.settle(80, won=False)
    assert len(table.alerts) == 1
    table.open()
    table.settle(80, won=False)
    assert len(table.alerts) == 2


def test_a_win_near_theory_is_nothing_to_say() -> None:
    table = Watched()
    for _ in range(60):
        table.settle(1, won=True)
        table.settle(1, won=False)
    assert table.alerts == []


def test_the_bound_is_the_houses() -> None:
    table, nobody = Watched(deviations=12), Watched(deviations=0)
    for each in (table, nobody):
        each.settle(60, won=True)
    assert table.alerts == [], "60 wins in a row are 8.2 deviations"
    assert nobody.alerts == []
    table.settle(120, won=True)
    assert len(table.alerts) == 1
