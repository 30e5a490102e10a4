"""``punto bench``: speed on this machine. Compare figures of one run with each other, not with those of other runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from punto.cli.bench.figures import Figures
from punto.cli.main import BadInput, Run, interrupted, whole_number
from punto.cli.output import print_json
from punto.rules import APPROVED, CardsSeen, Coup, load, settle
from punto.rules.standings import standings_of

_SIMULATIONS = 9
_STATES = 2_000
_MOST_WORKERS = 256


def bench(parser: ArgumentParser) -> Run:
    """Run a benchmark."""
    kinds = {
        "odds": _odds,
        "lab": _lab,
        "rules": _rules,
        "simulate": _simulate,
        "table": _table,
        "server": _server,
        "history": _history,
        "processes": _processes,
        "tables": _tables,
        "sealing": _sealing,
    }
    parser.add_argument("what", metavar="WHAT", choices=kinds, help=" or ".join(kinds))
    yardstick = "a C program that does the same work and prints its figure, built and run for comparison"
    parser.add_argument("--yardstick", metavar="FILE.c", help=yardstick)
    parser.add_argument("--workers", type=whole_number, default=1, help="threads to simulate with (default 1)")
    parser.add_argument(
        "--database", metavar="URL", help="a PostgreSQL server, in which a database is made and dropped"
    )

    def run(arguments: Namespace) -> None:
        try:
            figures, partial = kinds[arguments.what](arguments), False
        except KeyboardInterrupt:
            # Half a benchmark is none: its figures are the best of several runs, taken in turns.
            figures, partial = {}, True
        if arguments.json:
            print_json(figures | {"partial": partial})
        for name, figure in {} if arguments.json else figures.items():
            shown = f"{figure:.4g}" if isinstance(figure, float) else figure
            print(f"{name:40} {shown}")  # noqa: T201
        if partial:
            interrupted("interrupted: no figure is finished")

    return run


def _best(work: Callable[[], object], times: int) -> float:
    """Return the seconds of the fastest of ``times`` runs."""

    def once() -> float:
        start = perf_counter()
        work()
        return perf_counter() - start

    return min(once() for _ in range(times))


def _command(*arguments: str) -> Callable[[], object]:
    program = [sys.executable, "-c", "from punto.cli.main import main; main()", *arguments]
    return lambda: subprocess.run(program, check=True, stdout=subprocess.DEVNULL)


def _odds(arguments: Namespace) -> Figures:
    from punto.odds import odds
    from punto.odds.compiled_counts import compiled
    from punto.rules.deal_counts import by_value
    from punto.rules.ending_counts import count_endings

    values = by_value(load("tiger").shoe(8))
    count = compiled()
    count(values)
    figures: Figures = {
        "work": "exact counts of all endings (totals and numbers of cards) of whole coups from one shoe of eight decks",
        "microseconds_per_shoe": 1e6 * _best(lambda: count(values), 3000),
        "plain_microseconds_per_shoe": 1e6 * _best(lambda: count_endings(values), 30),
    }
    if arguments.yardstick:
        with _yardstick(Path(arguments.yardstick), r"(\d+(?:\.\d+)?) us\b") as measured:
            figures["yardstick_microseconds"] = yardstick = measured()
        # Once more right after it, so that both ran on an equally busy machine.
        ours = min(1e6 * _best(lambda: count(values), 3000), float(str(figures["microseconds_per_shoe"])))
        figures["microseconds_per_shoe"], figures["ratio_to_yardstick"] = ours, ours / yardstick
    for key in APPROVED:
        book = load(key)
        shoes = iter([book.shoe(8).without([card]) for card in book.shoe(8).counts()])
        figures[f"odds_milliseconds_{key}"] = 1e3 * _best(lambda book=book, shoes=shoes: odds(book, next(shoes)), 20)  # type: ignore[misc]
    everything = "import punto; [punto.odds(punto.load(key), n) for key in punto.APPROVED for n in range(4, 11)]"
    program = [sys.executable, "-c", everything]
    figures["all_games_all_decks_cold_seconds"] = _best(lambda: subprocess.run(program, check=True), 3)
    figures["command_seconds"] = _best(_command("odds", "tiger"), 5)
    return figures


def _lab(arguments: Namespace) -> Figures:
    """Count the exact returns of all wagers of Tiger Baccarat from one state of a shoe; step the environment."""
    import numpy as np

    from punto.cards import DECK
    from punto.odds.batch_odds import whole_gains

    book, rows = load("tiger"), np.full((_STATES, len(DECK)), 8, np.int64)
    whole_gains(book.wagers, rows)
    figures: Figures = {"work": "exact returns of all eight wagers of Tiger Baccarat from one state of eight decks"}

    def microseconds() -> float:
        return 1e6 * _best(lambda: whole_gains(book.wagers, rows), 50) / _STATES

    ours = microseconds()
    if arguments.yardstick:
        # In turns, so that both run on an equally busy machine.
        with _yardstick(Path(arguments.yardstick), r"(\d+(?:\.\d+)?) us\b") as measured:
            turns = [(measured(), microseconds()) for _ in range(_SIMULATIONS)]
        ours = min(ours, *(mine for _, mine in turns))
        figures["yardstick_microseconds"] = min(theirs for theirs, _ in turns)
        figures["ratio_to_yardstick"] = sorted(theirs / mine for theirs, mine in turns)[len(turns) // 2]
    figures["microseconds_per_state"] = ours
    figures["states_per_second"] = 1e6 / ours
    return figures | _environment()


def _environment() -> Figures:
    """Steps of the vectorised environment beside the loops it is made of; nothing where Gymnasium is not installed."""
    try:
        from punto.gym.step_rates import measure
    except ImportError:
        return {}
    rates = measure("tiger")
    names = ("vector_steps_per_second", "bare_rounds_per_second", "vector_to_bare", "single_steps_per_second")
    return {name: getattr(rates, name) for name in names}


@contextmanager
def _yardstick(source: Path, pattern: str) -> Iterator[Callable[[], float]]:
    """Build a C program; each call runs it and returns the figure it prints."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise BadInput("--yardstick needs a C compiler, and there is none")
    with tempfile.TemporaryDirectory(prefix="punto-") as folder:
        program = Path(folder) / "yardstick"
        built = subprocess.run(
            [compiler, "-O3", "-march=native", "-o", str(program), str(source)], capture_output=True, check=False
        )
        if built.returncode:
            raise BadInput(f"{source}: cannot be compiled")

        def measured() -> float:
            done = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=600)
            found = re.search(pattern, done.stdout)
            if done.returncode or found is None or not float(found[1]):
                raise BadInput(f"{source}: fails, or prints no figure of the kind")
            return float(found[1])

        yield measured


def _simulate(arguments: Namespace) -> Figures:
    """Deal shoes of eight decks, counting everything that settles every wager of all five games at once."""
    from punto.simulate.benchmark import Dealing

    if not 1 <= arguments.workers <= _MOST_WORKERS:
        raise BadInput(f"--workers: expected 1 to {_MOST_WORKERS}, not {arguments.workers}")
    dealing = Dealing([load(key) for key in APPROVED], arguments.workers)
    figures: Figures = {"work": dealing.work, "counted": dealing.counted, "workers": arguments.workers}
    if not arguments.yardstick:
        return figures | dealing.figures(_SIMULATIONS)
    with _yardstick(Path(arguments.yardstick), r"(\d+(?:\.\d+)?) M/s") as measured:
        # In turns, so that both run on an equally busy machine.
        ratios, best = [], 0.0
        for _ in range(_SIMULATIONS):
            rate, yardstick = dealing.rounds_per_second(), 1e6 * measured()
            best = max(best, rate)
            ratios.append(rate / yardstick)
    ratio = sorted(ratios)[len(ratios) // 2]
    return figures | {"rounds_per_second": best, "ratio_to_yardstick": ratio, "ratios": ratios}


def _rules(arguments: Namespace) -> Figures:
    if arguments.yardstick:
        raise BadInput("--yardstick does not go with rules")
    words = ["2s", "Ah", "3d", "Ad", "Ks", "4c"]
    coup = Coup.deal(" ".join(words))
    cards, outcome = coup.in_dealing_order(), coup.outcome_class
    figures: Figures = {
        "work": f"settling {' '.join(words)}; what is decided after one card",
        "empty_process_seconds": _best(lambda: subprocess.run([sys.executable, "-c", ""], check=True), 9),
        "settle_command_seconds": _best(_command("settle", "tiger", *words), 9),
        "settle_command_json_seconds": _best(_command("settle", "tiger", *words, "--json"), 9),
        "deal_microseconds": 1e6 * _best(lambda: Coup.deal(cards), 2000),
    }
    for key in APPROVED:
        book = load(key)
        seen = CardsSeen(cards[:1])
        rest = book.shoe(8).without(seen.cards)
        settle_all = lambda book=book: [settle(wager, outcome) for wager in book.wagers]  # noqa: E731
        figures[f"settle_microseconds_{key}"] = 1e6 * _best(settle_all, 2000)
        stand = lambda book=book, seen=seen, rest=rest: standings_of(book.wagers, seen, rest)  # noqa: E731
        figures[f"decided_milliseconds_{key}"] = 1e3 * _best(stand, 5)
    return figures


def _table(arguments: Namespace) -> Figures:
    """Play nine-position rounds with 27 wagers repeatedly, in memory."""
    if arguments.yardstick:
        raise BadInput("--yardstick does not go with table")
    from punto.cli.bench.table_bench import BusyTable

    busy = BusyTable()
    rounds = 200
    seconds = _best(lambda: busy.play(rounds), 5)
    return {
        "work": "rounds of Baccarat by Method B, nine positions: 27 wagers placed, cards drawn and exposed one by one, "
        "outcome announced, all wagers settled; decide and evolve for every command",
        "rounds_per_second": rounds / seconds,
        "commands_per_round": busy.commands / busy.table.round_number,
        "events_per_round": busy.table.steps / busy.table.round_number,
    }


def _history(_: Namespace) -> Figures:
    from punto.cli.bench.history_bench import measure

    return measure()


def _server(_: Namespace) -> Figures:
    from punto.cli.bench.server_bench import measure

    return measure()


def _processes(arguments: Namespace) -> Figures:
    if not arguments.database:
        raise BadInput("processes: needs --database, the address of a PostgreSQL server")
    from punto.cli.bench.processes_bench import measure

    return measure(arguments.database)


def _tables(arguments: Namespace) -> Figures:
    from punto.cli.bench.many_tables_bench import measure

    return measure(arguments.database)


def _sealing(_: Namespace) -> Figures:
    from punto.cli.bench.sealing_bench import measure

    return measure()
