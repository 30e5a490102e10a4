"""``punto bankroll``: what becomes of a bankroll with the same stakes in every round, computed, not simulated."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from fractions import Fraction

from punto.cards import Composition
from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import DATA, add_output, output_files, print_json, write, write_frame
from punto.cli.study.rules import GAME_HELP, game_named
from punto.cli.study.shoe_arguments import add_shoe_arguments, shoe_json, shoe_of
from punto.lab.bankrolls.bankroll import Bankroll
from punto.lab.bankrolls.bankroll import bankroll as study
from punto.lab.bankrolls.bankroll_answers import SHARES, WORST
from punto.odds.portfolio import Portfolio, portfolio
from punto.report.rendering import decimal, percent
from punto.rules import Rulebook, Unlawful

_FIGURES = ("distribution", "session", "ruin_for_ever", "kelly")
"""Parts of the answer that are not in a file of results."""
ASSUMED = (
    "Rounds are taken as independent, each from this shoe; punto staking simulates shoes, where they are not quite."
)


def bankroll(parser: ArgumentParser) -> Run:
    """Compute a bankroll."""
    parser.epilog = 'For example: punto bankroll tiger --wager "Small Tiger" --bankroll 100 --rounds 600'
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    wager = "the wager that is played, or several with their stakes: --wager Player=2 --wager Tie=1/2"
    parser.add_argument("--wager", action="append", required=True, metavar="WAGER[=UNITS]", help=wager)
    parser.add_argument("--bankroll", type=whole_number, default=100, help="units at the start (default 100)")
    parser.add_argument("--rounds", type=whole_number, default=600, help="how many rounds (default 600)")
    parser.add_argument("--target", type=whole_number, help="units at which play stops (default: none)")
    add_output(parser, "write the distribution of results to a .csv or .parquet file; may be repeated")
    add_shoe_arguments(parser, mid_round=False)
    return _run


def _run(arguments: Namespace) -> None:
    book = game_named(arguments.game)
    shoe, files = shoe_of(book, arguments), output_files(arguments.output, DATA)
    stakes = _portfolio(book, arguments.wager, shoe)
    try:
        found = study(stakes, arguments.bankroll, arguments.rounds, arguments.target)
    except ValueError as error:
        raise BadInput(str(error)) from None
    told = found.to_dict() | shoe_json(shoe, arguments, mid_round=False)
    source = {name: value for name, value in told.items() if name not in _FIGURES}
    write({file: lambda made: write_frame(found.to_frame(), made, source) for file in files})
    if arguments.json:
        print_json(told)
    else:
        _show(found, stakes)


def _portfolio(book: Rulebook, wagers: list[str], shoe: Composition) -> Portfolio:
    """Return the stakes that the arguments name, a unit where they name none."""
    stakes: dict[str, Fraction] = {}
    for text in wagers:
        name, equals, units = text.partition("=")
        if equals and not re.fullmatch(r"[0-9]{1,9}([./][0-9]{1,9})?", units):
            raise BadInput(f"--wager {text!r}: expected units such as 2 or 1/2 after =")
        try:
            wager = book.wager(name).name
            if wager in stakes:
                raise BadInput(f"--wager: {wager} is named twice")
            stakes[wager] = Fraction(units or 1)
        except Unlawful as error:
            raise BadInput(f"--wager: {error}") from None
        except ZeroDivisionError:
            raise BadInput(f"--wager {text!r}: expected units such as 2 or 1/2 after =") from None
    try:
        return portfolio(book, stakes, shoe)
    except Unlawful as error:
        raise BadInput(book.cite(error)) from None
    except ValueError as error:
        raise BadInput(f"--wager: {error}") from None


def _show(found: Bankroll, stakes: Portfolio) -> None:
    from punto.cli import terminal

    played = ", ".join(f"{decimal(units)} on {name}" for name, units in stakes.stakes)
    title = f"{stakes.book.title}, {found.rounds:,} rounds with {played}, {stakes.cards:,} cards"
    terminal.console.print(title, style="bold", soft_wrap=True)
    result, session = found.result, found.session
    target = "" if found.target is None else f", before {decimal(found.target, 0)} are reached"
    lines = {
        "house edge": percent(stakes.house_edge),
        "result on average": f"{decimal(result.mean)} units, deviation {result.deviation:,.2f}",
        "ahead, level, behind": ", ".join(f"{float(each):.4%}" for each in (result.ahead, result.level, result.behind)),
        "worst 5% on average": f"{float(result.expected_shortfall(WORST)):,.2f} units",
        f"ruin from {decimal(found.units, 0)} units": f"{float(session.ruin):.4%} in these rounds{target}",
        "ruin without a last round": f"{float(found.for_ever.probability):.4%}{target}",
        "rounds played on average": f"{float(session.mean_rounds):,.2f}",
        "Kelly stake": f"{found.kelly.fraction:.4%} of the bankroll" if found.kelly.high else "none: there is no edge",
    }
    if found.target is not None:
        lines["target reached"] = f"{float(session.reached):.4%} in these rounds"
    for name, words in lines.items():
        terminal.console.print(f"{name:28}{words}", soft_wrap=True)
    heads = [f"{int(share * 100)}%" for share in SHARES]
    table = terminal.table(("At or below this lie", *heads), right=heads)
    table.add_row("result of all rounds", *(decimal(result.quantile(share)) for share in SHARES))
    table.add_row("bankroll in the end", *(decimal(session.quantile(share)) for share in SHARES))
    terminal.print_whole(table)
    off = max(result.error_bound, session.error_bound)
    terminal.console.print(f"{ASSUMED} Probabilities are within {off:.0e}.", style="dim", soft_wrap=True)
