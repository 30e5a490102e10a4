"""``punto known``: the exact value of knowing some of the next six cards before wagering."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from punto.cli.main import BadInput, Run
from punto.cli.output import DATA, about, add_output, output_files, print_json, write, write_frame
from punto.cli.study.rules import GAME_HELP, game_named
from punto.cli.study.shoe_arguments import add_shoe_arguments, shoe_json, shoe_of
from punto.lab.card_partition import NAMED
from punto.lab.known_cards import EVERY, KnownCardsStudy, known_cards
from punto.report.rendering import percent
from punto.rules import Unlawful

_MOST_SHOWN = 1000
"""The most observations that are printed for people."""


def known(parser: ArgumentParser) -> Run:
    """Print the value of known cards."""
    parser.epilog = 'For example: punto known baccarat --positions 1,2,3,4 --by 6789 --wagers "Player,Banker,Tie"'
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    positions = (
        "the known cards, as they leave the shoe: 1 and 3 are Player's first two, 2 and 4 Banker's, "
        "5 and 6 the next two whichever hand takes them, such as 5 or 1,2,3,4"
    )
    parser.add_argument("--positions", type=_positions, required=True, help=positions)
    by = f"what is known of a card: its {', '.join(NAMED)}, or its class, such as 6789 or A23/TJQK (default value)"
    parser.add_argument("--by", metavar="CLASSES", default="value", help=by)
    wagers = f"the wagers considered, such as Player,Banker,Tie, or {EVERY} (default those on Player and Banker)"
    parser.add_argument("--wagers", metavar="WAGERS", help=wagers)
    parser.add_argument("--must-wager", action="store_true", help="wager in every round, even if every wager loses")
    parser.add_argument("--summary", action="store_true", help="leave out the single observations")
    add_output(parser, "write every observation and wager to a .csv or .parquet file; may be repeated")
    add_shoe_arguments(parser, mid_round=False)
    return _run


def _positions(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[1-6](,[1-6])*", text.replace(" ", "")):
        raise ArgumentTypeError(f"expected positions 1 to 6 such as 5 or 1,2,3,4, found {text!r}")
    return tuple(map(int, text.replace(" ", "").split(",")))


def _run(arguments: Namespace) -> None:
    book = game_named(arguments.game)
    files = output_files(arguments.output, DATA)
    wagers = arguments.wagers
    if wagers is not None and wagers.strip().casefold() != EVERY:
        wagers = [name.strip() for name in wagers.split(",")]
    try:
        shoe = shoe_of(book, arguments)
        found = known_cards(book, arguments.positions, shoe, arguments.by, wagers, arguments.must_wager)
    except Unlawful as error:
        raise BadInput(book.cite(error)) from None
    except ValueError as error:
        raise BadInput(str(error)) from None
    source = about(book) | shoe_json(shoe, arguments, mid_round=False)
    if files:
        frame, about_file = found.to_frame(), found.to_dict(observations=False) | source
        write({path: lambda file: write_frame(frame, file, about_file) for path in files})
    if arguments.json:
        print_json(source | found.to_dict(observations=not arguments.summary))
        return
    _show_title(found)
    if not arguments.summary:
        _show_observations(found)
    _show_wagers(found)
    _show_value(found)


def _show_title(found: KnownCardsStudy) -> None:
    from punto.cli import terminal

    noun = "card" if len(found.positions) == 1 else "cards"
    known = f"{noun} {', '.join(map(str, found.positions))} known by {found.partition.name}"
    terminal.console.print(f"{found.book.title}, {found.cards:,} cards, {known}", style="bold", soft_wrap=True)


def _show_observations(found: KnownCardsStudy) -> None:
    from punto.cli import terminal

    if len(found) > _MOST_SHOWN:
        many = f"{len(found):,} observations, too many to print; --json gives them"
        terminal.console.print(many, soft_wrap=True)
        return
    table = terminal.table(("Known", "Probability", "Best wager", "Return"), right=("Probability", "Return"))
    for each in found.values():
        best = each.wager or "sit out"
        table.add_row(" ".join(each.classes), percent(each.probability), best, percent(each.expected_return))
    terminal.print_whole(table)


def _show_wagers(found: KnownCardsStudy) -> None:
    from punto.cli import terminal

    figures = ("Return", "Favourable", "Return then", "Value alone", "Best")
    table = terminal.table(("Wager", *figures), right=figures)
    for each in found.wagers:
        good = each.return_when_favourable
        then = "" if good is None else percent(good)
        shares = (percent(each.favourable), then, percent(each.value), percent(each.chosen))
        table.add_row(each.wager, percent(each.expected_return), *shares)
    terminal.print_whole(table)


def _show_value(found: KnownCardsStudy) -> None:
    from punto.cli import terminal

    choice = "wagering in every round" if found.must_wager else f"sitting out {percent(found.sat_out)} of rounds"
    blind = f"{percent(found.without_knowledge)} without the knowledge"
    terminal.console.print(f"value: {percent(found.value)} of a unit a round, {choice}; {blind}", soft_wrap=True)
    terminal.console.print("Figures are exact fractions, shown rounded; --json gives them whole.", style="dim")
