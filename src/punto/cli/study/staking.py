"""``punto staking``: how a bankroll fares when one wager is played by a staking plan."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import cast

from punto.cli.main import BadInput, Run, interrupted, whole_number
from punto.cli.output import PICTURES, add_output, output_files, print_json, write
from punto.cli.study.rules import GAME_HELP, game_named
from punto.cli.study.shoe_arguments import shoe_json
from punto.cli.study.simulate import MOST_WORKERS, add_dealing_arguments, progress, shoes_of, wager_of
from punto.data_frames import error_of
from punto.lab.bankrolls.bankroll_answers import exact_session
from punto.lab.bankrolls.staking import PLANS, Plan, Staking, Terms
from punto.lab.bankrolls.staking import staking as play
from punto.report.rendering import decimal, percent
from punto.simulate.simulation import processors

_SHARES = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))


def staking(parser: ArgumentParser) -> Run:
    """Play a plan."""
    parser.epilog = "For example: punto staking baccarat --plan martingale --wager Banker --bankroll 100"
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    plans = f"{', '.join(PLANS)}, or module:function, a custom function from a PlanInput to units"
    parser.add_argument("--plan", default="flat", help=plans)
    parser.add_argument("--wager", required=True, help="the wager that is played")
    parser.add_argument("--sessions", type=whole_number, default=1000, help="how many sessions (default 1000)")
    parser.add_argument("--bankroll", type=whole_number, default=100, help="units at the start (default 100)")
    parser.add_argument("--minimum", type=whole_number, default=1, help="the least stake, in units (default 1)")
    parser.add_argument("--maximum", type=whole_number, default=1000, help="the most, in units (default 1000)")
    parser.add_argument("--rounds", type=whole_number, default=600, help="rounds in a session (default 600)")
    parser.add_argument("--workers", type=whole_number, help="processes (default: one per processor)")
    add_output(parser, "draw bankrolls and how they end in a .svg, .png or .pdf file; may be repeated")
    add_dealing_arguments(parser, shoes=False)
    return _run


def _run(arguments: Namespace) -> None:
    book = game_named(arguments.game)
    wager = wager_of(book, arguments)
    pictures = output_files(arguments.output, PICTURES)
    if arguments.workers is not None and not 1 <= arguments.workers <= MOST_WORKERS:
        raise BadInput(f"--workers: expected 1 to {MOST_WORKERS}, not {arguments.workers}")
    plan, shoes, workers = _plan(arguments.plan), shoes_of(book, arguments), arguments.workers or processors()
    try:
        terms = Terms(arguments.bankroll, arguments.minimum, arguments.maximum, arguments.rounds)
        with progress(arguments.sessions, "playing", "sessions") as tell:
            found = play(
                book, wager, plan, arguments.sessions, terms, arguments.seed, shoes, workers=workers, progress=tell
            )
    except ValueError as error:
        raise BadInput(str(error)) from None
    if pictures:
        from punto.report.plots.study_plots import plot_staking

        write({picture: lambda file: plot_staking(found, arguments.plan, file) for picture in pictures})
    if arguments.json:
        told = {"plan": arguments.plan, **shoe_json(found.shoe.cards, arguments, mid_round=False)}
        print_json(found.to_dict() | told)
    else:
        _show(found, arguments.plan)
    if found.partial:
        interrupted()


def _plan(name: str) -> Plan:
    """Return a plan by its name, or a function by its module and name."""
    if name in PLANS:
        return PLANS[name]
    module, colon, function = name.partition(":")
    if not colon:
        raise BadInput(f"--plan: expected {', '.join(PLANS)} or module:function, found {name!r}")
    sys.path.insert(0, str(Path.cwd()))  # where people keep their own plans
    try:
        plan = getattr(import_module(module), function)
    except (Exception, SystemExit) as error:
        raise BadInput(f"--plan {name}: {type(error).__name__}: {error}") from None
    if not callable(plan):
        raise BadInput(f"--plan {name}: expected a function")
    return cast(Plan, plan)


def _show(found: Staking, plan: str) -> None:
    from punto.cli import terminal

    title = f"{found.book.title}, {found.wager}, {plan}: {len(found.sessions):,} sessions from {found.bankroll} units"
    figures, computed = _figures(found), _computed(found)
    heads = ("Simulated", "± error", *(("Exact",) if computed else ()))
    shown = terminal.table(("In a session", *heads), title, right=heads)
    for name, (figure, error) in figures.items():
        shown.add_row(name, figure, error, *((computed.get(name, ""),) if computed else ()))
    terminal.print_whole(shown)
    heads = tuple(f"{int(share * 100)}%" for share in _SHARES)
    table = terminal.table(("Below this lie", *heads), right=heads)
    for name, of in (
        ("final bankroll", lambda each: each.final),
        ("deepest fall", lambda each: each.drawdown),
        ("rounds", lambda each: Fraction(each.rounds)),
    ):
        table.add_row(name, *(decimal(found.quantile(of, share)) for share in _SHARES))
    terminal.print_whole(table)
    if found.partial:
        terminal.print_partial()
    terminal.console.print("Exact: for independent rounds, each from a full shoe.", style="dim")


def _figures(found: Staking) -> dict[str, tuple[str, str]]:
    """Return every share and average with its standard error, as texts."""
    return {
        "next stake not covered": (
            percent(found.uncovered_probability),
            _share(found.uncovered_standard_error),
        ),
        "less left than one stake": (percent(found.ruin_probability), _share(found.ruin_standard_error)),
        "ahead at the end": (percent(found.ahead), _share(found.ahead_standard_error)),
        "result on average, units": (decimal(found.mean_result), error_of(found.mean_result_standard_error, 2)),
        "rounds on average": (decimal(found.mean_rounds), error_of(found.mean_rounds_standard_error, 2)),
        "lost of every unit staked": (
            percent(found.lost_per_unit_staked),
            _share(found.lost_standard_error),
        ),
    }


def _share(error: float | None) -> str:
    return error_of(error, share=True)


def _computed(found: Staking) -> dict[str, str]:
    """Return the exact figures there are, as texts, under the same names."""
    edge = {"lost of every unit staked": percent(found.odds.house_edge)}
    session = exact_session(found)
    if session is None:
        return edge
    return edge | {
        "next stake not covered": f"{float(session.uncovered):.4%}",
        "less left than one stake": f"{float(session.ruin):.4%}",
        "ahead at the end": f"{float(session.ahead):.4%}",
        "result on average, units": f"{float(session.mean_result) * found.terms.minimum:,.2f}",
        "rounds on average": f"{float(session.mean_rounds):,.2f}",
    }
