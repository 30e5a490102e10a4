"""Attacks: one client does its worst, and another plays on. How long does the other wait?

    python -m chaos.attack [--seconds 8] [--json]

A patron buys in again and again over their socket, first in quiet, then under each attack of ``chaos.attacker``. The
median under attack should stay below twice that in quiet, and nothing should wait for a second.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, sleep
from typing import Any

import psutil  # type: ignore[import-untyped]
from chaos.attacker import KINDS
from support.live import Live, Someone, hear, say, serving
from support.playing import House

TESTS = Path(__file__).parents[1]
EACH = 0.02
"""Seconds between two commands of the patron."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How a patron fared, in milliseconds, and what it cost the server."""

    attack: str
    commands: int
    median: float
    longest: float
    quiet: float
    """The greater median of the quiet before and after."""
    server_share: float
    """Of a core, during the attack."""
    server_mb: float
    done: dict[str, int]
    """What the attacker got done."""

    @property
    def ratio(self) -> float:
        return self.median / self.quiet


def waits(patron: Someone, table: str, seconds: float) -> list[float]:
    """Return how long each command of a patron waited for its answer, in milliseconds."""
    taken, ends = [], monotonic() + seconds
    with patron.socket() as socket:
        while monotonic() < ends:
            began = perf_counter()
            say(socket, "BuyIn", table=table, id=1, patron=patron.id, amount=100)
            hear(socket, "done")
            taken.append(1000 * (perf_counter() - began))
            sleep(EACH)
    return taken


def attacked(live: Live, patron: Someone, table: str, kind: str, seconds: float) -> Measured:
    """Measure a patron in quiet, under an attack, and in quiet again."""
    port, server = live.address.rpartition(":")[2], psutil.Process(live.process.pid)
    before = median(waits(patron, table, seconds / 2))
    command = [sys.executable, "-m", "chaos.attacker", kind, port, table, str(seconds + 1)]
    attacker = subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE)
    try:
        sleep(1)
        began, spent = monotonic(), sum(server.cpu_times()[:2])
        taken = waits(patron, table, seconds)
        share = (sum(server.cpu_times()[:2]) - spent) / (monotonic() - began)
        megabytes = server.memory_info().rss / 1e6
        told, _ = attacker.communicate(timeout=60)
    finally:
        attacker.kill()
        attacker.wait()
    after = median(waits(patron, table, seconds / 2))
    return Measured(
        kind, len(taken), median(taken), max(taken), max(before, after), share, megabytes, json.loads(told)
    )  # fmt: skip


def attack_all(folder: Path, seconds: float, kinds: tuple[str, ...] = tuple(KINDS)) -> list[Measured]:
    """Start a server, and measure a patron under each attack in turn."""
    database = str(folder / "punto.db")
    with serving(database, folder) as live:
        house = House(live, database)
        (patron,) = house.patrons(1)
        table = house.table()
        return [attacked(live, patron, table, kind, seconds) for kind in kinds]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = attack_all(Path(folder), arguments.seconds)
    for each in found:
        _tell(each, arguments.json)
    sys.exit(any(each.ratio > 2 or each.longest > 1000 for each in found))


def _tell(each: Measured, as_json: bool) -> None:
    if as_json:
        print(json.dumps({**asdict(each), "ratio": each.ratio}))  # noqa: T201
        return
    figures: dict[str, Any] = {
        "quiet": f"{each.quiet:.1f} ms",
        "attacked": f"{each.median:.1f} ms",
        "longest": f"{each.longest:.0f} ms",
        "server": f"{each.server_share:.0%} of a core, {each.server_mb:.0f} MB",
    }
    print(f"{each.attack:10}", *(f"{name} {value};" for name, value in figures.items()), each.done)  # noqa: T201


if __name__ == "__main__":
    main()
