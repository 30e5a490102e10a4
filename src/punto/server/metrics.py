"""Figures for whoever keeps the server running."""

from __future__ import annotations

from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

REGISTRY = CollectorRegistry()
COMMANDS = Counter(
    "punto_commands", "Commands, by name and what came of them.", ("command", "answer"), registry=REGISTRY
)
SECONDS = Histogram(
    "punto_command_seconds",
    "How long a command took, from its arrival until it was stored.",
    registry=REGISTRY,
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
SOCKETS = Gauge("punto_sockets", "Connections that are open.", registry=REGISTRY)
TABLES = Gauge("punto_tables", "Tables that are served.", registry=REGISTRY)
HOLDS = Gauge("punto_tables_held", "Tables at which play is held.", registry=REGISTRY)
BEHIND = Counter("punto_watchers_behind", "Watchers who were too slow and were shown a table anew.", registry=REGISTRY)
SIGN_INS = Counter("punto_sign_ins", "Attempts to sign in, by what came of them.", ("answer",), registry=REGISTRY)


@cache
def counted(command: str, answer: str) -> Counter:
    """The counter of a command with this answer."""
    return COMMANDS.labels(command, answer)


def exposition() -> tuple[bytes, str]:
    """All figures as Prometheus reads them, and the type of that text."""
    return generate_latest(REGISTRY), CONTENT_TYPE_LATEST
