"""``punto odds``: the exact odds of every wager, from any shoe and at any point of a round."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from punto.cli.main import BadInput, Run
from punto.cli.output import DATA, PICTURES, about, add_output, output_files, print_json, write, write_frame
from punto.cli.study.cap_arguments import add_cap_arguments, cap_json, cap_title, capped_wagers
from punto.cli.study.rules import GAME_HELP, game_named
from punto.cli.study.shoe_arguments import add_shoe_arguments, cards_dealt, shoe_json, shoe_of
from punto.odds import Odds, RemovalEffects, WagerOdds, effects_of_removal
from punto.odds import odds as exact_odds
from punto.odds.edge_checks import checks_of
from punto.odds.payout_caps import CappedWager
from punto.report.rendering import deviation, fraction, money, pays_or_push, percent
from punto.rules import Rulebook, Unlawful

if TYPE_CHECKING:
    import polars


def odds(parser: ArgumentParser) -> Run:
    """Print the odds."""
    parser.epilog = 'For example: punto odds tiger --decks 6 --dealt "P:4h,7d B:Ks"'
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    add_shoe_arguments(parser)
    removal = "how each wager's return changes when one card is gone from the shoe"
    parser.add_argument("--removal", action="store_true", help=removal)
    add_cap_arguments(parser)
    out = (
        "write the figures to a .csv or .parquet file, or draw them in a .svg, .png or .pdf file: the house edge by "
        "number of decks or, with --removal, the effects of removal; may be repeated"
    )
    add_output(parser, out)
    return _run


def _run(arguments: Namespace) -> None:
    book = game_named(arguments.game)
    if arguments.removal and arguments.dealt:
        raise BadInput("--removal is about a shoe between rounds: it does not go with --dealt")
    files = output_files(arguments.output, (*DATA, *PICTURES))
    if _pictures(files) and not arguments.removal and _about_one_shoe(arguments):
        raise BadInput(
            "a picture shows the house edge of full shoes of every size: "
            "without --removal it does not go with --decks, --shoe, --seen or --dealt"
        )
    try:
        shoe = shoe_of(book, arguments)
        found = exact_odds(book, shoe, cards_dealt(arguments))
        effects = effects_of_removal(book, shoe) if arguments.removal else None
        capped = capped_wagers(book, arguments, shoe, cards_dealt(arguments))
    except Unlawful as error:
        raise BadInput(book.cite(error)) from None
    told = shoe_json(shoe, arguments)
    write({path: _maker(path, found, effects, {**about(book), **told, "deals": found.deals}) for path in files})
    if arguments.json:
        print_json(_as_json(found, effects, told) | cap_json(arguments, capped))
    elif effects:
        _show_removal(found, effects)
    else:
        _show(found)
    if capped and not arguments.json:
        _show_capped(cap_title(arguments), capped)


def _about_one_shoe(arguments: Namespace) -> bool:
    """Return whether the arguments name particular cards."""
    return arguments.decks is not None or arguments.shoe is not None or bool(arguments.seen or arguments.dealt)


def _pictures(files: list[Path]) -> list[Path]:
    return [file for file in files if file.suffix.lower() in PICTURES]


def _maker(
    path: Path, found: Odds, effects: RemovalEffects | None, source: dict[str, object]
) -> Callable[[Path], object]:
    if _pictures([path]):
        return lambda file: _plot(file, found, effects)
    frame = effects.to_frame() if effects else _with_former_names(found.to_frame())
    return lambda file: write_frame(frame, file, source)


def _with_former_names(frame: polars.DataFrame) -> polars.DataFrame:
    """Return the figures also under the names that files had before."""
    return frame.with_columns(**{"return": "expected_return", "return_rounded": "expected_return_rounded"})


def _plot(file: Path, found: Odds, effects: RemovalEffects | None) -> None:
    from punto.report.plots.odds_plots import plot_house_edges, plot_removal

    if effects:
        plot_removal(found, effects, file)
    else:
        plot_house_edges(_every_shoe(found.book), file)


def _every_shoe(book: Rulebook) -> list[tuple[int, Odds]]:
    return [(decks, exact_odds(book, decks)) for decks in range(book.decks.fewest, book.decks.most + 1)]


def _as_json(found: Odds, effects: RemovalEffects | None, shoe: dict[str, object]) -> dict[str, object]:
    return {
        **about(found.book),
        **shoe,
        "deals": found.deals,
        "wagers": [_wager_json(each) for each in found.wagers],
        "checks": [each.to_dict() for each in checks_of(found)],
        **({"removal": effects.to_dict()["removal"]} if effects else {}),
    }


def _wager_json(each: WagerOdds) -> dict[str, object]:
    return each.to_dict() | {"return": fraction(each.expected_return)}  # as it was called before


def _show(found: Odds) -> None:
    from punto.cli import terminal

    figures = ("Pays", "Chance", "House edge", "Wins", "Deviation")
    title = f"{found.book.title}, {found.cards:,} cards not exposed"
    table = terminal.table(("Wager", "Outcome", *figures), title, right=figures)
    for each in found.wagers:
        summary = (percent(each.house_edge), percent(each.hit_frequency), f"{deviation(each.variance):.4f}")
        for number, one in enumerate(each.outcomes):
            first = number == 0
            chance = percent(one.probability)
            pays = pays_or_push(one.pays) if one.result else "returned"
            columns = (each.wager.name if first else "", one.outcome, pays, chance)
            table.add_row(*columns, *(summary if first else ("", "", "")), end_section=one is each.outcomes[-1])
    terminal.print_whole(table)
    terminal.console.print("Chances are exact fractions, shown rounded; --json gives them whole.", style="dim")


def _show_capped(title: str, wagers: tuple[CappedWager, ...]) -> None:
    from punto.cli import terminal

    figures = ("Stake", "House edge", "Under the cap", "Capped")
    table = terminal.table(("Wager", *figures), title, right=figures)
    for each in wagers:
        edges = (percent(-each.uncapped_return), percent(each.house_edge), percent(each.capped))
        table.add_row(each.wager.name, money(each.stake), *edges)
    terminal.print_whole(table)


def _show_removal(found: Odds, effects: RemovalEffects) -> None:
    from punto.cli import terminal

    shown = effects.by_rank()
    names = tuple(each.wager.name for each in found.wagers)
    title = f"{found.book.title}, {found.cards:,} cards: change of return in percentage points when one card is gone"
    table = terminal.table(("Card", *names), title, right=names)
    for card, changes in shown.items():
        label = card.rank.value if len(shown) < len(effects) else str(card)
        table.add_row(label, *(percent(changes[name]).removesuffix("%") for name in names))
    terminal.print_whole(table)
