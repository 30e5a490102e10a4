"""``punto pays``: what a wager would do with other pays, and the pays nearest to a target house edge."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import DATA, about, add_output, output_files, print_json, write, write_frame
from punto.cli.study.rules import GAME_HELP, game_named
from punto.cli.study.shoe_arguments import add_shoe_arguments, shoe_json, shoe_of
from punto.cli.study.simulate import wager_of
from punto.lab.pay_tables import (
    Allowed,
    Pays,
    PayTableSearchResult,
    PayTableStudy,
    compare_pay_tables,
    find_pay_tables,
)
from punto.report.rendering import deviation, pays_or_push, percent
from punto.rules import Rulebook, Unlawful

_MOST_TABLES = 1_000
_FOR_A_SEARCH = ("allow", "monotone", "whole", "at_least", "at_most", "most")


def pays(parser: ArgumentParser) -> Run:
    """Print pay tables."""
    parser.epilog = 'For example: punto pays tiger --wager Tiger --try "12,25" --try "10,30"'
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--wager", required=True, help="the wager whose pays are compared")
    tried = "other pays to compare: a ratio for each winning line in order, or OUTCOME=RATIO, separated by commas"
    parser.add_argument("--try", metavar="PAYS", action="append", default=[], dest="tried", help=f"{tried}; repeatable")
    parser.add_argument("--target", metavar="EDGE", help="find the pays nearest to this house edge, such as 8%%")
    allow = 'ratios to choose from, such as "two-card 6=8..15", "win=20,22,25" or "win=8..15 step 1/2"; repeatable'
    parser.add_argument("--allow", metavar="OUTCOME=RATIOS", action="append", default=[], help=allow)
    parser.add_argument("--monotone", action="store_true", help="only pays by which a rarer win pays no less")
    parser.add_argument("--whole", action="store_true", help="only whole ratios")
    parser.add_argument("--at-least", metavar="EDGE", help="only pays with at least this house edge")
    parser.add_argument("--at-most", metavar="EDGE", help="only pays with at most this house edge")
    parser.add_argument("--most", type=whole_number, help="how many pay tables to find (default 20)")
    add_output(parser, "write the figures to a .csv or .parquet file; may be repeated")
    add_shoe_arguments(parser, mid_round=False)
    return _run


def _run(arguments: Namespace) -> None:
    book = game_named(arguments.game)
    files = output_files(arguments.output, DATA)
    _expect_one_question(arguments)
    wager = wager_of(book, arguments)
    try:
        found = _studied(book, wager, arguments)
    except Unlawful as error:
        raise BadInput(book.cite(error)) from None
    except ValueError as error:
        raise BadInput(str(error)) from None
    told = _as_json(found, arguments)
    if files:
        frame, source = found.to_frame(), {name: value for name, value in told.items() if name != "pay_tables"}
        write({path: lambda file: write_frame(frame, file, source) for path in files})
    if arguments.json:
        print_json(told)
    elif isinstance(found, PayTableSearchResult):
        _show_search(found)
    else:
        _show_comparison(found)


def _expect_one_question(arguments: Namespace) -> None:
    """Refuse a comparison and a search at once, and options of a search without one."""
    if arguments.target is not None:
        if arguments.tried:
            raise BadInput("--try compares pays and --target searches for them: ask one at a time")
        if not arguments.allow:
            raise BadInput('--target needs the ratios to choose from, such as --allow "win=8..15"')
        if arguments.most is not None and not 1 <= arguments.most <= _MOST_TABLES:
            raise BadInput(f"--most: expected 1 to {_MOST_TABLES:,}, not {arguments.most}")
        return
    for name in _FOR_A_SEARCH:
        if getattr(arguments, name) not in (None, False, []):
            raise BadInput(f"--{name.replace('_', '-')} belongs to a search: it needs --target")


def _studied(book: Rulebook, wager: str, arguments: Namespace) -> PayTableStudy:
    shoe = shoe_of(book, arguments)
    if arguments.target is None:
        return compare_pay_tables(book, wager, [_tried(each) for each in arguments.tried], shoe)
    allowed: dict[str, Allowed] = {}
    for each in arguments.allow:
        outcome, equals, ratios = each.rpartition("=")
        if not equals or not outcome.strip() or outcome.strip().casefold() in allowed:
            raise BadInput(f"--allow {each!r}: expected OUTCOME=RATIOS, once for each outcome")
        allowed[outcome.strip().casefold()] = ratios
    return find_pay_tables(
        book,
        wager,
        arguments.target,
        allowed,
        shoe,
        20 if arguments.most is None else arguments.most,
        monotone=arguments.monotone,
        whole=arguments.whole,
        at_least=arguments.at_least,
        at_most=arguments.at_most,
    )


def _tried(text: str) -> Pays:
    """Return a pay table: ratios in order, or by outcome if every one is named."""
    parts = [part.rpartition("=") for part in text.split(",")]
    if not any(equals for _, equals, _ in parts):
        return [ratio for _, _, ratio in parts]
    named = {outcome.strip().casefold(): ratio for outcome, _, ratio in parts if outcome.strip()}
    if len(named) < len(parts):
        raise BadInput(f"--try {text!r}: expected OUTCOME=RATIO for each outcome, or ratios alone")
    return named


def _as_json(found: PayTableStudy, arguments: Namespace) -> dict[str, object]:
    told = found.to_dict()
    del told["composition"]  # told as other commands do: only of a shoe from a file
    return about(found.book) | shoe_json(found.shoe, arguments, mid_round=False) | told


def _title(found: PayTableStudy) -> str:
    return f"{found.book.title}, {found.wager}, {len(found.shoe):,} cards"


def _show_comparison(found: PayTableStudy) -> None:
    from punto.cli import terminal

    figures = ("Pays", "Chance", "Share of return", "House edge", "Wins", "Deviation")
    table = terminal.table(("Pay table", "Outcome", *figures), _title(found), right=figures)
    for number, each in enumerate(found):
        name = "the game's own" if each.book is found.book else f"variant {number}"
        summary = (percent(each.house_edge), percent(each.hit_frequency), f"{deviation(each.variance):.4f}")
        lines = each.lines
        for at, line in enumerate(lines):
            pays = pays_or_push(line.pays) if line.result else "returned"
            columns = (name if at == 0 else "", line.outcome, pays, percent(line.probability), percent(line.share))
            table.add_row(*columns, *(summary if at == 0 else ("", "", "")), end_section=at == len(lines) - 1)
    terminal.print_whole(table)
    _say("Share of return: of all that is handed back, stakes included. Figures are exact; --json gives them whole.")


def _show_search(found: PayTableSearchResult) -> None:
    from punto.cli import terminal

    if not found.tables:
        _say(f"None of {found.combinations:,} pay tables meets these conditions.")
        return
    outcomes = tuple(found[0].pays)
    figures = ("House edge", "From target", "Deviation")
    heading = f"{_title(found)}: nearest to {percent(found.target)} of {found.combinations:,} pay tables"
    table = terminal.table((*outcomes, *figures), heading, right=(*outcomes, *figures))
    for each in found:
        away = percent(each.house_edge - found.target)
        edges = (percent(each.house_edge), away if away.startswith("-") else f"+{away}")
        table.add_row(*map(pays_or_push, each.pays.values()), *edges, f"{deviation(each.variance):.4f}")
    terminal.print_whole(table)
    _say(f"Wins {percent(found[0].hit_frequency)} of rounds. Figures are exact; --json gives them whole.")


def _say(sentence: str) -> None:
    from punto.cli import terminal

    terminal.console.print(sentence, style="dim", soft_wrap=True)
