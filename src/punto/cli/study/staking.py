"""``punto staking``: how a bankroll fares when one wager is played by a staking plan."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import cast

from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import PICTURES, add_output, output_files, print_json, write
from punto.cli.study.rules import GAME_HELP
from punto.cli.study.simulate import add_dealing_arguments, shoes_of, wager_of
from punto.lab.staking import PLANS, Plan, Staking, Terms
from punto.lab.staking import staking as play
from punto.report.rendering import decimal, fraction, percent
from punto.rules import load

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
    add_output(parser, "draw bankrolls and how they end in a .svg, .png or .pdf file; may be repeated")
    add_dealing_arguments(parser, shoes=False)
    return _run


def _run(arguments: Namespace) -> None:
    book = load(arguments.game)
    wager = wager_of(book, arguments)
    pictures = output_files(arguments.output, PICTURES)
    plan, shoes = _plan(arguments.plan), shoes_of(book, arguments)
    try:
        terms = Terms(arguments.bankroll, arguments.minimum, arguments.maximum, arguments.rounds)
        found = play(book, wager, plan, arguments.sessions, terms, arguments.seed, shoes)
    except ValueError as error:
        raise BadInput(str(error)) from None
    if pictures:
        from punto.report.plots.study_plots import plot_staking

        write({picture: lambda file: plot_staking(found, arguments.plan, file) for picture in pictures})
    if arguments.json:
        print_json(_as_json(found, arguments))
    else:
        _show(found, arguments.plan)


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


def _as_json(found: Staking, arguments: Namespace) -> dict[str, object]:
    return {
        "game": found.book.key,
        "wager": found.wager,
        "plan": arguments.plan,
        "seed": arguments.seed,
        "sessions": len(found.sessions),
        "bankroll": found.bankroll,
        "uncovered_probability": fraction(found.uncovered_probability),
        "ruin_probability": fraction(found.ruin_probability),
        "ruin_standard_error": found.ruin_standard_error,
        "ahead": fraction(found.ahead),
        "mean_result": fraction(found.mean_result),
        "mean_rounds": fraction(found.mean_rounds),
        "lost_per_unit_staked": fraction(found.lost_per_unit_staked),
        "quantiles": [
            {
                "share": fraction(share),
                "final": fraction(found.quantile(lambda each: each.final, share)),
                "drawdown": fraction(found.quantile(lambda each: each.drawdown, share)),
                "rounds": fraction(found.quantile(lambda each: Fraction(each.rounds), share)),
            }
            for share in _SHARES
        ],
    }


def _show(found: Staking, plan: str) -> None:
    from punto.cli import terminal

    title = f"{found.book.title}, {found.wager}, {plan}: {len(found.sessions):,} sessions from {found.bankroll} units"
    terminal.console.print(title, style="bold", soft_wrap=True)
    error = f"± {percent(Fraction(found.ruin_standard_error))}"
    lines = {
        "next stake not covered": percent(found.uncovered_probability),
        "less left than one stake": f"{percent(found.ruin_probability)} {error}",
        "ahead at the end": percent(found.ahead),
        "result on average": f"{decimal(found.mean_result)} units",
        "rounds on average": decimal(found.mean_rounds),
        "lost of every unit staked": percent(found.lost_per_unit_staked),
    }
    for name, words in lines.items():
        terminal.console.print(f"{name:28}{words}")
    heads = [f"{int(share * 100)}%" for share in _SHARES]
    table = terminal.table(("Below this lie", *heads), right=heads)
    for name, of in (
        ("final bankroll", lambda each: each.final),
        ("deepest fall", lambda each: each.drawdown),
        ("rounds", lambda each: Fraction(each.rounds)),
    ):
        table.add_row(name, *(decimal(found.quantile(of, share)) for share in _SHARES))
    terminal.print_whole(table)
