"""Figures for whoever keeps the server running. To count something costs next to nothing; to read it may cost more."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds."""


class Figures:
    """What has been counted since the server began."""

    def __init__(self) -> None:
        self.commands: Counter[tuple[str, str]] = Counter()
        """By name and what came of them."""
        self.sign_ins: Counter[str] = Counter()
        """By what came of them."""
        self.behind = 0
        self._took = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0

    def done(self, command: str, answer: str, seconds: float) -> None:
        """A command was carried out."""
        self.commands[command, answer] += 1
        self._took[bisect_left(BOUNDS, seconds)] += 1
        self._seconds += seconds

    def refused(self, command: str) -> None:
        self.commands[command, "refused"] += 1

    def metrics(self, sockets: int, tables: int, held: int) -> Iterable[Metric]:
        """All figures, as Prometheus knows them."""
        commands = CounterMetricFamily(
            "punto_commands", "Commands, by name and what came of them.", labels=("command", "answer")
        )
        for labels, count in self.commands.items():
            commands.add_metric(labels, count)
        sign_ins = CounterMetricFamily("punto_sign_ins", "Attempts to sign in.", labels=("answer",))
        for answer, count in self.sign_ins.items():
            sign_ins.add_metric((answer,), count)
        seconds = HistogramMetricFamily("punto_command_seconds", "From a command's arrival until it is stored.")
        names = [*map(str, BOUNDS), "+Inf"]
        seconds.add_metric((), list(zip(names, accumulate(self._took), strict=True)), self._seconds)
        return (
            commands,
            sign_ins,
            seconds,
            CounterMetricFamily("punto_watchers_behind", "Watchers too slow for every event.", self.behind),
            GaugeMetricFamily("punto_sockets", "Connections that are open.", sockets),
            GaugeMetricFamily("punto_tables", "Tables that are served.", tables),
            GaugeMetricFamily("punto_tables_held", "Tables at which play is held.", held),
        )


FIGURES = Figures()


class _Collector:
    def __init__(self, collect: Callable[[], Iterable[Metric]]) -> None:
        self.collect = collect


def exposition(sockets: int, tables: int, held: int) -> tuple[bytes, str]:
    """All figures as Prometheus reads them, and the type of that text."""
    registry = CollectorRegistry()
    registry.register(_Collector(lambda: FIGURES.metrics(sockets, tables, held)))
    return generate_latest(registry), CONTENT_TYPE_LATEST
