"""Run the suite part by part and print what each part took: ``python tests/support/suite.py test``.

A part is a target of the Makefile. Parts that do not need each other run side by side, in queues that keep two cores
busy: the browser's tests wait more than they work. It needs nothing but Python: ``make setup`` is its first part.

A few tests that fail are run once more, alone. One that passes then depends on how busy the machine is: a fault of the
test, or of what it tests. The suite passes, and its last lines name the test.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from time import monotonic

ROOT = Path(__file__).parents[2]
STEPS: dict[str, Sequence[Sequence[str]]] = {
    "setup": [["setup", "programs"]],
    "test": [["tests"], ["browser-tests"], ["types", "lint", "docs", "script-tests"]],
    "long": [["long-tests"], ["long-browser-tests"]],
}
"""Steps follow one another; each has queues that run side by side, and the parts of a queue follow one another."""
SUITES = {"test": ["setup", "test"], "test-all": ["setup", "test", "long"]}
PASSED = re.compile(r"(?:^|[ ,=])(\d+) passed|^\S* ?pass (\d+)$", re.MULTILINE)
"""How pytest and node say how many tests passed."""
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
"""How pytest names each test that failed."""
MOST_AGAIN = 5
"""Failures of a part that are tried again: where more fail, something is wrong that no test can help."""
AGAIN = "AGAIN=--last-failed --last-failed-no-failures=none"
LEFT_OUT = "left out: "
_printing = Lock()


@dataclass(frozen=True)
class Outcome:
    """What one part took, and what it said."""

    part: str
    code: int
    wall: float
    processor: float
    output: str
    unsteady: tuple[str, ...] = ()
    """Tests that failed beside everything else and passed alone."""

    @property
    def tests(self) -> int:
        return sum(int(pytest or node) for pytest, node in PASSED.findall(self.output))

    @property
    def failed(self) -> tuple[str, ...]:
        """The tests that failed."""
        return tuple(dict.fromkeys(FAILED.findall(self.output)))

    @property
    def left_out(self) -> list[str]:
        return [line for line in self.output.splitlines() if line.startswith(LEFT_OUT)]


def run(part: str, live: bool, *options: str) -> Outcome:
    """Run a part; print its output as it comes if ``live``, else all of it at the end."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    command = [os.environ.get("MAKE", "make"), "--no-print-directory", part, *options]
    began, output = monotonic(), ""
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        output += line
        if live:
            say(line)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if not live:
        say(f"--- {part}\n{output}")
    return Outcome(part, process.returncode, monotonic() - began, used.ru_utime + used.ru_stime, output)


def say(text: str) -> None:
    with _printing:
        sys.stdout.write(text)
        sys.stdout.flush()


def run_queue(parts: Sequence[str], live: bool) -> list[Outcome]:
    return [run(part, live) for part in parts]


def run_step(queues: Sequence[Sequence[str]]) -> list[Outcome]:
    with ThreadPoolExecutor(len(queues)) as pool:
        running = [pool.submit(run_queue, parts, at == 0) for at, parts in enumerate(queues)]
    return [tried_again(outcome) for queue in running for outcome in queue.result()]


def tried_again(first: Outcome) -> Outcome:
    """Return the outcome of a part with the few tests that failed in it run once more, alone."""
    if not first.code or not 0 < len(first.failed) <= MOST_AGAIN:
        return first
    say(f"\n--- {first.part}: what failed, alone\n")
    again = run(first.part, True, AGAIN)
    wall, processor = first.wall + again.wall, first.processor + again.processor
    unsteady = () if again.code else first.failed
    return replace(again, wall=wall, processor=processor, output=first.output + again.output, unsteady=unsteady)


def table(outcomes: Sequence[Outcome], wall: float) -> str:
    """Return the times by part, with the whole in the last line."""
    rows = [("part", "seconds", "processor", "tests", "")]
    rows += [
        (each.part, f"{each.wall:.0f}", f"{each.processor:.0f}", str(each.tests or ""), "FAILED" if each.code else "")
        for each in outcomes
    ]
    processor, tests = sum(each.processor for each in outcomes), sum(each.tests for each in outcomes)
    rows.append(("all", f"{wall:.0f}", f"{processor:.0f}", str(tests), ""))
    return "".join(f"{a:20}{b:>8}{c:>11}{d:>7}  {e}".rstrip() + "\n" for a, b, c, d, e in rows)


def main(suite: str) -> int:
    began, outcomes = monotonic(), list[Outcome]()
    for step in SUITES[suite]:
        outcomes += run_step(STEPS[step])
        if any(each.code for each in outcomes):
            break
    say("\n" + table(outcomes, monotonic() - began))
    for line in dict.fromkeys(line for each in outcomes for line in each.left_out):
        say(f"{line}\n")
    for test in (test for each in outcomes for test in each.unsteady):
        say(f"unsteady: {test} failed beside the others and passed alone; mend it\n")
    return int(any(each.code for each in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
