"""Four tables on one page for a while, measured in a real Chromium: rounds, animations, long tasks and memory.

``make four-tables SECONDS=300`` plays fast automatic tables with a bet on each in every round, and prints the figures.
Tasks are measured by the time the page's thread worked on them: what else the machine does is not counted.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from support.chromium import launched
from support.live import Live, new_patrons, open_table, serving
from support.page_watch import Patron, browsing

from punto import APPROVED
from punto.server.access.identity import Duty

TABLES = tuple(f"f{number}" for number in range(1, 5))
PACE = "8"
FIRST = 50
"""Rounds at each table after which memory is measured first: until then roads and lists of rounds fill up."""
EVERY = 25
"""Rounds after which it is measured again."""
TRACED = 20.0
"""Seconds of a trace, in which each table plays several rounds."""
STEPS = ("announce", "draw", "expose", "settle")
COMPOSITED = {"transform", "opacity"}
"""What a browser can animate without laying out or painting again."""

WATCH = """() => {
  const watched = window.watched = { rounds: {}, animated: {} };
  const panes = () => [...document.querySelector("punto-tables").shadowRoot.querySelectorAll("punto-pane")];
  const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap((each) =>
    each.shadowRoot ? roots(each.shadowRoot) : [])];
  const NOT_ANIMATED = new Set(["offset", "easing", "composite", "computedOffset"]);
  const note = (animation) => {
    for (const frame of animation.effect.getKeyframes())
      for (const name of Object.keys(frame))
        if (!NOT_ANIMATED.has(name)) watched.animated[name] = (watched.animated[name] ?? 0) + 1;
  };
  for (const pane of panes())
    pane.updated = () => {
      const seen = watched.rounds[pane.seat.table] ??= [];
      const { round, outcome } = pane.state.shown;
      if (outcome && seen.at(-1) !== round) seen.push(round);
    };
  setInterval(() => {
    for (const { seat, state, shadowRoot } of panes()) {
      if (seat.open && !seat.mine.length && !state.waiting.size)
        shadowRoot.querySelector("punto-areas").shadowRoot.querySelector(".main button").click();
    }
  }, 100);
  setInterval(() => {
    for (const root of roots(document)) for (const each of root.getAnimations()) note(each);
  }, 333);
}"""


@dataclass(frozen=True, slots=True)
class Memory:
    """What the page holds after garbage was collected."""

    heap: int
    nodes: int
    listeners: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What a run came to."""

    seconds: float
    rounds: dict[str, int]
    missed: dict[str, list[int]]
    animated: dict[str, int]
    longest: list[float]
    """Milliseconds of the longest tasks of the page's main thread while it was traced, the longest first."""
    memory: list[Memory]
    """First and then again every so many rounds."""

    @property
    def early(self) -> Memory:
        return self.memory[0]

    @property
    def late(self) -> Memory:
        return self.memory[-1]


@contextmanager
def fast_tables(folder: Path) -> Iterator[tuple[Live, Any]]:
    """A house with four automatic tables of different games that wait one second for bets, and a patron at each."""
    with serving(str(folder / "punto.db"), folder, "--pace", PACE) as live:
        manager = live.enter(Duty.GAMING_SHIFT_MANAGER)
        (patron,) = new_patrons(live, live.enter(Duty.CASHIER), 1, 1_000_000_000)
        for table, game in zip(TABLES, APPROVED, strict=False):
            method = None if game == "fabulous-4" else "B"
            open_table(manager, table, game, "sealed", method, STEPS, betting_seconds=1)
            patron.done(table, "BuyIn", patron=patron.id, amount=100_000_000)
        yield live, patron


def memory_of(page: Any) -> Memory:
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    for _ in range(3):
        devtools.send("HeapProfiler.collectGarbage")
    metrics = {each["name"]: int(each["value"]) for each in devtools.send("Performance.getMetrics")["metrics"]}
    devtools.detach()
    return Memory(metrics["JSHeapUsedSize"], metrics["Nodes"], metrics["JSEventListeners"])


def rounds_seen(page: Any) -> dict[str, list[int]]:
    seen: dict[str, list[int]] = page.evaluate("watched.rounds")
    return seen


def wait_for_rounds(page: Any, number: int, seconds: float) -> None:
    """Wait until so many rounds were seen at each table, or the time is up."""
    ends = monotonic() + seconds
    while monotonic() < ends:
        seen = rounds_seen(page)
        if len(seen) == len(TABLES) and min(map(len, seen.values())) >= number:
            return
        page.wait_for_timeout(500)


def memories(page: Any, first: int, rounds: int, ends: float) -> list[Memory]:
    """Measure the memory after the first rounds, then every so many, until there were enough or the time is up."""
    taken, number = [], first
    while True:
        wait_for_rounds(page, number, ends - monotonic())
        taken.append(memory_of(page))
        if number >= rounds or monotonic() >= ends:
            return taken
        number = min(number + EVERY, rounds)


def longest_tasks(page: Any, seconds: float) -> list[float]:
    """Trace the page for a while; return how many milliseconds its main thread worked on its longest tasks."""
    browser = page.context.browser
    browser.start_tracing(page=page, categories=["disabled-by-default-devtools.timeline"])
    page.wait_for_timeout(1000 * seconds)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    main = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    tasks = [each for each in events if each["name"] == "RunTask" and (each["pid"], each["tid"]) in main]
    return sorted((each["tdur"] / 1000 for each in tasks if "tdur" in each), reverse=True)[:10]


def watch(patron: Patron, seconds: float, first: int = FIRST, rounds: int = 1_000_000) -> Figures:
    """Watch four tables with a bet on each, for so long or so many rounds."""
    page, began = patron.page, monotonic()
    patron.open(f"/tables?show={','.join(TABLES)}")
    page.wait_for_selector("punto-pane >> nth=3 >> punto-areas .main")
    page.evaluate(WATCH)
    longest = longest_tasks(page, TRACED)
    memory = memories(page, first, rounds, began + seconds)
    watched = page.evaluate("watched")
    missed = {table: sorted(set(range(seen[0], seen[-1] + 1)) - set(seen)) for table, seen in watched["rounds"].items()}
    return Figures(
        seconds=round(monotonic() - began, 1),
        rounds={table: len(seen) for table, seen in watched["rounds"].items()},
        missed={table: lost for table, lost in missed.items() if lost},
        animated=watched["animated"],
        longest=longest,
        memory=memory,
    )


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 300
    with (
        TemporaryDirectory() as folder,
        launched() as browser,
        fast_tables(Path(folder)) as (live, patron),
        browsing(browser, live, patron, screen={"width": 1440, "height": 900}, motion="no-preference") as watcher,
    ):
        figures = watch(watcher, seconds)
    sys.stdout.write(json.dumps(asdict(figures), indent=1) + "\n")


if __name__ == "__main__":
    main()
