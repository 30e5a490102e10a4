"""Benchmark figures and how to repeat them: ``python -m generator.figures`` measures, on a quiet machine.

``docs/figures.json`` keeps every answer whole, with the machine it was taken on; the pages show a few of them. Given
commands as arguments, it measures only these.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from generator.markdown import table

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "figures.json"

SIMULATE = "punto bench simulate --yardstick tests/reference/dealing.c"
ODDS = "punto bench odds --yardstick tests/reference/counting.c"
TABLE = "punto bench table"
SERVER = "punto bench server"
RULES = "punto bench rules"
SERVE = "make serve"
TEST = "make test"
BENCHES = (SIMULATE, ODDS, TABLE, SERVER, RULES)

BUSY = 0.7
"""Load average above which a machine is not quiet."""

Answer = Mapping[str, Any]
FIGURES: tuple[tuple[str, str, Callable[[Answer], str]], ...] = (
    (
        "rounds simulated a second on one core, counting everything that settles the wagers of all five games",
        SIMULATE,
        lambda a: f"{a['rounds_per_second'] / 1e6:.0f} million; {a['ratio_to_yardstick']:.2f} of the same in C",
    ),
    (
        "all endings of an eight-deck shoe counted exactly",
        ODDS,
        lambda a: f"{a['microseconds_per_shoe']:.0f} µs; a plain loop in C takes {a['yardstick_microseconds']:.0f} µs",
    ),
    (
        "exact odds of every wager of the five games with 4 to 10 decks, from a cold start",
        ODDS,
        lambda a: f"{a['all_games_all_decks_cold_seconds']:.1f} s",
    ),
    (
        "rounds a second at one table with 27 wagers, in memory",
        TABLE,
        lambda a: f"{a['rounds_per_second']:,.0f}",
    ),
    (
        "wagers a second decided, stored with fsync and answered; SQLite, 900 patrons",
        SERVER,
        lambda a: (
            f"{a['wagers_per_second']:,.0f}, 99 of 100 within {a['wager_p99_ms']:.0f} ms; "
            f"a bare echo answers {a['echo_per_second']:,.0f}"
        ),
    ),
    (
        "a thousand watchers receive a wager",
        SERVER,
        lambda a: f"99 of 100 within {a['fanout_p99_ms']:.0f} ms; a bare server takes {a['bare_fanout_p99_ms']:.0f} ms",
    ),
    (
        "`punto settle`, from start to answer",
        RULES,
        lambda a: f"{a['settle_command_seconds']:.2f} s",
    ),
    (
        "from a fresh clone to the first page",
        SERVE,
        lambda a: f"{a['cold_seconds']:.0f} s; {a['warm_seconds']:.0f} s with warm caches of pip, uv and npm",
    ),
    (
        "`make test` from a fresh clone with empty caches",
        TEST,
        lambda a: f"{a['cold_seconds'] / 60:.0f} minutes",
    ),
)


def shown() -> str:
    """Return the figures as a table, each with the command that repeats it."""
    kept = json.loads(KEPT.read_text("utf-8"))
    rows = [(about, show(kept["answers"][command]), f"`{command}`") for about, command, show in FIGURES]
    return f"{table(('what', 'measured', 'repeat it with'), rows)}\nOn {kept['machine']}, {kept['date']}.\n"


def measure(commands: Sequence[str]) -> dict[str, object]:
    """Measure these commands, or all of them, one after the other."""
    if (load := os.getloadavg()[0]) > BUSY:
        sys.exit(f"the machine is busy (load {load:.1f}), which would distort the figures: try again when it is quiet")
    answers: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))["answers"]
    for command in commands or (*BENCHES, SERVE, TEST):
        print(command, file=sys.stderr)  # noqa: T201
        answers[command] = _clones(command) if command in (SERVE, TEST) else _bench(command)
    return {"machine": _machine(), "date": f"{datetime.now(UTC):%d %B %Y}".lstrip("0"), "answers": answers}


def _bench(command: str) -> Any:
    program = [str(ROOT / ".venv" / "bin" / "punto"), *shlex.split(command)[1:], "--json"]
    return json.loads(subprocess.run(program, cwd=ROOT, check=True, capture_output=True).stdout)


def _clones(command: str) -> dict[str, float]:
    """Time a command in a fresh clone with empty caches, and a server also in a second clone with warm ones."""
    with tempfile.TemporaryDirectory(prefix="punto-figures-") as folder:
        if command == TEST:
            return {"cold_seconds": _checked(Path(folder))}
        return {name: _to_first_page(Path(folder), name) for name in ("cold_seconds", "warm_seconds")}


def _cloned(folder: Path, name: str) -> tuple[Path, dict[str, str]]:
    """Return a fresh clone, and an environment whose caches are in the folder."""
    caches = {"PIP_CACHE_DIR": "pip", "UV_CACHE_DIR": "uv", "npm_config_cache": "npm"}
    environment = {**os.environ, **{each: str(folder / kept) for each, kept in caches.items()}}
    for each in ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS", "MAKELEVEL"):
        environment.pop(each, None)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / name)], check=True)
    return folder / name, environment


def _checked(folder: Path) -> float:
    """Return the seconds until every check has passed."""
    clone, environment = _cloned(folder, "checked")
    start = perf_counter()
    subprocess.run(["make", "--silent", "test"], cwd=clone, env=environment, check=True, stdout=sys.stderr)
    return perf_counter() - start


def _to_first_page(folder: Path, name: str) -> float:
    """Return the seconds from a fresh clone until the server prints its address."""
    clone, environment = _cloned(folder, name)
    start = perf_counter()
    serving = subprocess.Popen(
        ["make", "--silent", "serve", "PORT=0"],
        cwd=clone,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert serving.stdout
    told = next((line for line in serving.stdout if line.startswith("Punto serves")), None)
    seconds = perf_counter() - start
    os.killpg(serving.pid, signal.SIGTERM)
    serving.wait(30)
    assert told, "make serve did not print its address"
    return seconds


def _machine() -> str:
    """Describe this machine in a few words."""
    named = [line for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines() if line.startswith("model name")]
    processor = named[0].split(":")[1].strip() if named else platform.machine()
    return f"{os.cpu_count()} cores of {processor}, {platform.system()}, Python {platform.python_version()}"


if __name__ == "__main__":
    KEPT.write_text(json.dumps(measure(sys.argv[1:]), indent=1, ensure_ascii=False) + "\n", "utf-8")
