"""``punto simulate``: deal shoes by the million and compare the results with the exact odds."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from time import perf_counter, time

from punto.cli.main import BadInput, Run, interrupted, seed_number, whole_number
from punto.cli.output import PICTURES, about, add_output, output_files, print_json, write
from punto.cli.study.rules import GAME_HELP, game_named
from punto.cli.study.shoe_arguments import add_shoe_arguments, shoe_json, shoe_of
from punto.data_frames import error_of
from punto.odds import Odds, odds
from punto.report.rendering import fraction, percent
from punto.rules import Rulebook
from punto.simulate import BY_FIRST_CARD, Shoes, Simulation, WagerResult
from punto.simulate import simulate as deal

_LOADED = time()
MOST_WORKERS = 1024
_ROUNDS = ".parquet"
"""The ending of a file that holds every round."""


def simulate(parser: ArgumentParser) -> Run:
    """Deal shoes."""
    parser.epilog = "For example: punto simulate tiger --shoes 1000000 --decks 6 --seed 7"
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    add_dealing_arguments(parser)
    parser.add_argument("--workers", type=whole_number, help="threads, or processors of a cluster (default: all)")
    parser.add_argument("--on", choices=("threads", "ray"), default="threads", help="where (default threads)")
    out = (
        "write every round to a .parquet file, or draw simulated returns beside exact ones in a .svg, .png or .pdf "
        "file; may be repeated"
    )
    add_output(parser, out)
    parser.add_argument("--timing", action="store_true", help="print the time spent dealing on standard error")
    return _run


def add_dealing_arguments(parser: ArgumentParser, shoes: bool = True) -> None:
    """Add arguments for commands that deal shoes: a given number, or as many as needed."""
    if shoes:
        parser.add_argument("--shoes", type=whole_number, required=True, help="how many shoes to deal")
    else:
        parser.set_defaults(shoes=1)
    add_shoe_arguments(parser, mid_round=False)
    parser.add_argument("--cut", type=whole_number, help="how many cards lie behind the cutting card (default 14)")
    burn = f"cards set aside at the start, or {BY_FIRST_CARD} for as many as the first card says (default 0)"
    parser.add_argument("--burn", type=_burn, default=0, help=burn)
    after = "rounds after the one in which the cutting card shows (default 0)"
    parser.add_argument("--rounds-after", type=whole_number, default=0, help=after)
    parser.add_argument("--seed", type=seed_number, default=0, help="the same seed deals the same shoes (default 0)")


def _burn(text: str) -> int | str:
    if text == BY_FIRST_CARD:
        return text
    try:
        return whole_number(text)
    except ArgumentTypeError:
        raise ArgumentTypeError(f"expected a whole number or {BY_FIRST_CARD}, found {text!r}") from None


def shoes_of(book: Rulebook, arguments: Namespace) -> Shoes:
    """Return the shoes the arguments ask for."""
    if arguments.shoes < 1:
        raise BadInput(f"--shoes: expected a number above zero, not {arguments.shoes}")
    cards = shoe_of(book, arguments)
    cut = min(14, len(cards) - 1) if arguments.cut is None else arguments.cut
    try:
        return Shoes(cards, cut, arguments.burn, arguments.rounds_after)
    except ValueError as error:
        raise BadInput(str(error)) from None


def wager_of(book: Rulebook, arguments: Namespace) -> str:
    """Return the name of the wager, ignoring case."""
    names = {wager.name.casefold(): wager.name for wager in book.wagers}
    name = names.get(arguments.wager.casefold())
    if name is None:
        raise BadInput(f"--wager: {book.title} has no wager {arguments.wager!r}; it has {', '.join(names.values())}")
    return name


def _run(arguments: Namespace) -> None:
    book = game_named(arguments.game)
    shoes = shoes_of(book, arguments)
    if arguments.workers is not None and not 1 <= arguments.workers <= MOST_WORKERS:
        raise BadInput(f"--workers: expected 1 to {MOST_WORKERS}, not {arguments.workers}")
    files = output_files(arguments.output, (_ROUNDS, *PICTURES))
    tables = [file for file in files if file.suffix.lower() == _ROUNDS]
    for file in tables:
        _write_rounds(file, book, shoes, arguments)
    found = _simulated(book, shoes, arguments)
    if not found.rounds:
        if found.partial:
            interrupted("interrupted before any shoe was finished")
        raise BadInput("no round can be dealt from such shoes")
    exact = odds(book, shoes.cards)
    _draw(found, exact, [file for file in files if file not in tables])
    if arguments.json:
        print_json(_as_json(found, exact, arguments))
    else:
        _show(found, exact)
    if arguments.timing:
        _tell_timing(found, arguments.workers)
    if found.partial:
        interrupted()


def _draw(found: Simulation, exact: Odds, pictures: list[Path]) -> None:
    if pictures:
        from punto.report.plots.study_plots import plot_simulation

        write({picture: lambda file: plot_simulation(found, exact, file) for picture in pictures})


def _simulated(book: Rulebook, shoes: Shoes, arguments: Namespace) -> Simulation:
    with progress(arguments.shoes, "dealing") as tell:
        try:
            return deal(book, arguments.shoes, arguments.seed, shoes, arguments.workers, arguments.on, tell)
        except ImportError as error:
            raise BadInput(str(error)) from None


def _write_rounds(file: Path, book: Rulebook, shoes: Shoes, arguments: Namespace) -> None:
    from punto.simulate.round_file import write_rounds

    with progress(arguments.shoes, "writing") as tell:
        try:
            write({file: lambda made: write_rounds(made, book, arguments.shoes, arguments.seed, shoes, tell)})
        except KeyboardInterrupt:
            interrupted(f"{file}: interrupted, and not written: it would lack rounds")
        except ValueError as error:
            raise BadInput(str(error)) from None


@contextmanager
def progress(shoes: int, doing: str, counted: str = "shoes") -> Iterator[Callable[[int, int], None] | None]:
    """Yield a progress callback for a bar on standard error if that is a terminal; otherwise None."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    start = perf_counter()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=shoes, rate="")

        def tell(done: int, rounds: int) -> None:
            rate = rounds / (perf_counter() - start) / 1e6
            bar.update(task, completed=done, rate=f"{done:,} {counted}, {rate:,.1f} million rounds a second")

        yield tell


def _as_json(found: Simulation, exact: Odds, arguments: Namespace) -> dict[str, object]:
    return {
        **about(found.book),
        **found.to_dict(),
        **shoe_json(found.shoe.cards, arguments, mid_round=False),
        "wagers": [
            each.to_dict()
            | {
                "exact": {name: value for name, value in exact[each.wager.name].to_dict().items() if name in _EXACT},
                "z": _z_score(found, each, exact),
                "return": fraction(each.mean_return),  # as it was called before
            }
            for each in found.wagers
        ],
    }


_EXACT = ("expected_return", "expected_return_rounded", "house_edge", "house_edge_rounded")


def _ran_out(found: Simulation) -> bool:
    return any(one.result is None for one in found.wagers[0].outcomes)


def _z_score(found: Simulation, each: WagerResult, exact: Odds) -> float | None:
    """Return the standard errors between the simulated return and the exact one, if they can be compared."""
    if _ran_out(found) or not each.variance:
        return None
    return each.z_score(exact[each.wager.name].expected_return)


def _show(found: Simulation, exact: Odds) -> None:
    from punto.cli import terminal

    figures = ("Count", "Share", "House edge", "± error", "Exact", "z")
    title = f"{found.book.title}, {found.rounds:,} rounds from {found.shoes:,} shoes, seed {found.seed}"
    table = terminal.table(("Wager", "Outcome", *figures), title, right=figures)
    for each in found.wagers:
        expected = exact[each.wager.name]
        score = _z_score(found, each, exact)
        z = "" if score is None else f"{score:.2f}"
        error = error_of(each.standard_error, share=True)
        summary = (percent(each.house_edge), error, percent(expected.house_edge), z)
        for number, one in enumerate(each.outcomes):
            first = number == 0
            counted = (f"{one.count:,}", percent(Fraction(one.count, found.rounds)))
            columns = (each.wager.name if first else "", one.outcome, *counted)
            table.add_row(*columns, *(summary if first else ("",) * 4), end_section=one is each.outcomes[-1])
    terminal.print_whole(table)
    if found.partial:
        terminal.print_partial()
    told = "z: how many standard errors the simulated return lies above the exact one."
    if _ran_out(found):
        told = "Some rounds ran out of cards; the exact edge is that of a full round, so no z is given."
    terminal.console.print(told, style="dim")


def _process_began() -> float:
    """Return when this process began by the system's account; elsewhere, when this module was loaded."""
    try:
        ticks = float(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        booted = time() - float(Path("/proc/uptime").read_text().split()[0])
        return booted + ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return _LOADED


def _tell_timing(found: Simulation, workers: int | None) -> None:
    from punto.simulate.simulation import processors

    dealing = found.kernel_seconds / (workers or processors())
    whole = time() - _process_began()
    rate = found.rounds / found.kernel_seconds / 1e6
    spent = f"dealing {dealing:.2f} s, {rate:.1f} million rounds a second and worker"
    print(f"{spent}; everything else {whole - dealing:.2f} s", file=sys.stderr)  # noqa: T201
