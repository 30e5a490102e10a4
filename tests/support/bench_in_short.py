"""``punto bench`` in short: all it does is done, but once and with few. What it measures so means nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from unittest.mock import patch

from punto.cli.bench import bench
from punto.cli.main import main as punto

FEW: dict[str, tuple[str, dict[str, object]]] = {
    "history": ("punto.cli.bench.history_bench", {"EVENTS": 3_000, "TIMES": 2, "TABLES": 2, "TURNS": 1}),
    "processes": (
        "punto.cli.bench.processes_bench",
        {"TABLES": 4, "SEATS": 4, "PROCESSES": 2, "WATCHERS": 3, "WARM_UP": 0.05, "SECONDS": 0.2},
    ),
    "tables": ("punto.cli.bench.many_tables_bench", {"TABLES": 3, "RESTS_FOR": 0.1}),
    "sealing": (
        "punto.cli.bench.sealing_bench",
        {"TABLES": 2, "SEATS": 3, "WARM_UP": 0.1, "SECONDS": 0.3, "TURNS": 2, "CATCHES_UP": 0.5, "BEGINS": 1.0},
    ),
    "simulate": ("punto.simulate.benchmark", {"_TIMES": 1, "_CHUNKS_FOR_EACH": 1}),
    "server": (
        "punto.cli.bench.server_bench",
        {
            "TABLES": 2,
            "SEATS": 3,
            "WATCHERS": 5,
            "WARM_UP": 0.1,
            "SECONDS": 0.3,
            "APPENDING": 0.3,
            "TURNS": 1,
            "RATES": (50,),
            "ARRIVING": 0.3,
            "ARRIVAL_TURNS": 1,
            "FAN_OUTS": 3,
        },
    ),
}
_best = bench._best


def _once(work: Callable[[], object], _times: int) -> float:
    return _best(work, 1)


@contextmanager
def few(what: str) -> Iterator[None]:
    """Have a bench do everything once and with few, for as long as it takes."""
    with ExitStack() as patches:
        module, values = FEW.get(what, ("punto.cli.bench.bench", {}))
        for name, value in values.items():
            patches.enter_context(patch.object(import_module(module), name, value))
        patches.enter_context(patch.multiple(bench, _best=_once, _SIMULATIONS=1))
        yield


def main() -> None:
    """What the arguments ask for."""
    with few(sys.argv[1]):
        punto(["bench", *sys.argv[1:]])
