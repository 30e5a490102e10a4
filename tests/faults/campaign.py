"""Faults by design: a house, its disk, its network and its people simulated in one process, each run from a seed.

    python -m faults.campaign --seeds 1000 --seed 0 [--planted BUG] [--lying] [--processes 2]

A run plays at least 200 commands while servers are killed, the power fails, disks fill, syncs fail, connections are
cut. In the end nothing that was acknowledged or shown is lost, nothing was done twice, every card is the shoe's, the
books balance and an audit finds nothing. A seed that fails always fails in the same way: its last steps are printed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from time import process_time

from faults.planted import PLANTED
from faults.simulation import Ran, Simulation

SHOWN = 240
"""Letters of a step that are printed."""


def run(seed: int, planted: str | None = None, lying: bool = False) -> tuple[Ran, float]:
    """Run one seed; return also the seconds of processor it took."""
    began = process_time()
    ran = Simulation(seed, planted, lying).run()
    return ran, process_time() - began


def all_runs(seeds: range, planted: str | None, lying: bool, processes: int) -> Iterator[tuple[Ran, float]]:
    """Run seeds, in several processes if asked to."""
    work = partial(run, planted=planted, lying=lying)
    if processes == 1:
        yield from map(work, seeds)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(work, seeds, chunksize=5)


def main() -> None:
    parser = ArgumentParser(prog="faults", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seeds", type=int, default=100, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="the first")
    parser.add_argument("--planted", choices=[name for name in PLANTED if name], help="a bug to be found")
    parser.add_argument("--lying", action="store_true", help="a disk whose sync does nothing, to be found")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    seeds = range(asked.seed, asked.seed + asked.seeds)
    failed, commands, seconds, troubles = [], 0, 0.0, Counter[str]()
    for ran, took in all_runs(seeds, asked.planted, asked.lying, asked.processes):
        commands, seconds, troubles = commands + ran.commands, seconds + took, troubles + ran.troubles
        if ran.findings:
            failed.append(ran.seed)
            _tell(ran)
            if asked.planted or asked.lying:
                break
    done = f"{len(seeds)} seeds" if not failed else f"seeds {seeds[0]} to {max(seeds[0], failed[-1])} at least"
    told = ", ".join(f"{number} {kind}" for kind, number in sorted(troubles.items()))
    print(f"{done}: {commands} commands, {seconds:.0f} s of processor; {told}")  # noqa: T201
    print(f"{len(failed)} failed{': ' + ', '.join(map(str, failed)) if failed else ''}")  # noqa: T201
    sys.exit(bool(failed) is not bool(asked.planted or asked.lying))


def _tell(ran: Ran) -> None:
    print(f"seed {ran.seed}, digest {ran.digest[:16]}:")  # noqa: T201
    for step in ran.last_steps:
        print(f"    {step[:SHOWN]}")  # noqa: T201
    for finding in ran.findings:
        print(f"  FOUND {finding[:2000]}")  # noqa: T201


if __name__ == "__main__":
    main()
