"""``punto counting``: what counting cards gains on a wager, and whether a house need worry."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from fractions import Fraction

from punto.cards import DECK, Card, Rank
from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import PICTURES, add_output, output_files, print_json, write
from punto.cli.study.rules import GAME_HELP
from punto.cli.study.simulate import add_dealing_arguments, progress, shoes_of, wager_of
from punto.lab.counting import Counting
from punto.lab.counting import counting as count
from punto.odds import effects_of_removal
from punto.report.rendering import decimal, fraction, percent
from punto.rules import Rulebook, load
from punto.simulate import Shoes

BY_REMOVAL = "removal"
_REMOVAL_SCALE = 10_000
"""Tags by removal are shown in hundredths of a percent, and kept ten thousand times as fine."""


def counting(parser: ArgumentParser) -> Run:
    """Count cards."""
    parser.epilog = "For example: punto counting baccarat --wager Tie --tags removal --trigger 50 --shoes 10000"
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--wager", required=True, help="the wager that is made when the count calls for it")
    tags = "the tag of each rank or card, such as A:-1,4:2,6h:3, others 0"
    exact = f"{BY_REMOVAL} for the exact effects of removal in hundredths of a percent"
    parser.add_argument("--tags", required=True, help=f"{tags}; or {exact}")
    parser.add_argument("--trigger", type=_number, required=True, help="the true count from which on to wager")
    add_output(parser, "draw the return by true count in a .svg, .png or .pdf file; may be repeated")
    add_dealing_arguments(parser)
    return _run


def _number(text: str) -> Fraction:
    if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,6}|/[1-9][0-9]{0,5})?", text):
        raise ArgumentTypeError(f"expected a number such as 3, 2.5 or 5/2, found {text!r}")
    return Fraction(text)


def _run(arguments: Namespace) -> None:
    book = load(arguments.game)
    wager = wager_of(book, arguments)
    pictures = output_files(arguments.output, PICTURES)
    shoes = shoes_of(book, arguments)
    tags, scale = _tags(book, wager, shoes, arguments)
    with progress(arguments.shoes, "counting") as tell:
        try:
            counted = (arguments.shoes, arguments.seed, shoes, tell, scale)
            found = count(book, wager, tags, arguments.trigger, *counted)
        except ValueError as error:
            raise BadInput(str(error)) from None
    if not found.rounds:
        raise BadInput("no round can be dealt from such shoes")
    if pictures:
        from punto.report.plots.study_plots import plot_counting

        write({picture: lambda file: plot_counting(found, file) for picture in pictures})
    if arguments.json:
        print_json(_as_json(found, arguments))
    else:
        _show(found)


def _tags(book: Rulebook, wager: str, shoes: Shoes, arguments: Namespace) -> tuple[dict[Card, int], int]:
    """Return the tag of each card, and how many of them make one."""
    if arguments.tags == BY_REMOVAL:
        effects = effects_of_removal(book, shoes.cards)
        finest = _REMOVAL_SCALE * _REMOVAL_SCALE
        return {card: round(changes[wager] * finest) for card, changes in effects.items()}, _REMOVAL_SCALE
    tags: dict[Card, int] = {}
    named: set[str] = set()
    ranks = {rank.value: rank for rank in Rank} | {"10": Rank.TEN}
    for part in arguments.tags.split(","):
        name, _, tag = part.strip().partition(":")
        try:
            value = whole_number(tag)
        except ArgumentTypeError:
            raise BadInput(f"--tags: expected a rank or card and its tag, such as A:-1, found {part!r}") from None
        rank = ranks.get(name.upper())
        key = rank.value if rank else str(Card.parse(name))
        if key in named:
            raise BadInput(f"--tags: {key} has two tags")
        named.add(key)
        # A card's own tag takes precedence over its rank's, whichever is named first.
        own = {card for card in DECK if str(card) in named}
        cards = [card for card in DECK if card.rank is rank and card not in own] if rank else [Card.parse(name)]
        tags |= dict.fromkeys(cards, value)
    return tags, 1


def _as_json(found: Counting, arguments: Namespace) -> dict[str, object]:
    return {
        "game": found.book.key,
        "wager": found.wager,
        "trigger": fraction(found.trigger),
        "seed": arguments.seed,
        "shoes": found.shoes,
        "rounds": found.rounds,
        "wagered": found.wagered,
        "frequency": fraction(found.frequency),
        "return_per_wager": fraction(found.return_per_wager),
        "standard_error": found.standard_error if found.wagered else None,
        "gain_per_shoe": fraction(found.gain_per_shoe),
        "deviation_per_shoe": found.deviation_per_shoe,
        "desirability": found.desirability,
        "shoes_to_one_deviation": found.shoes_to_one_deviation,
        "by_true_count": [
            {"true_count": each, "rounds": rounds, "return": fraction(won / rounds)}
            for each, (rounds, won) in found.by_true_count.items()
        ],
    }


def _ahead(found: Counting) -> str:
    if found.gain_per_shoe <= 0:
        return "never: there is no gain"
    shoes = found.shoes_to_one_deviation
    return f"{shoes:,.0f}" if shoes else "unknown: in these shoes the gain was always the same"


def _show(found: Counting) -> None:
    from punto.cli import terminal

    title = f"{found.book.title}, {found.wager}: counting through {found.shoes:,} shoes, {found.rounds:,} rounds"
    terminal.console.print(title, style="bold", soft_wrap=True)
    error = f" ± {percent(Fraction(found.standard_error))}" if found.wagered else ""
    lines = {
        f"wagers, from {decimal(found.trigger)} on": f"{found.wagered:,}, {percent(found.frequency)} of the rounds",
        "return of a wager": percent(found.return_per_wager) + error,
        "gain of a shoe": f"{decimal(found.gain_per_shoe, 4)} units, deviation {found.deviation_per_shoe:.4f}",
        "desirability": f"{found.desirability:.2f} (gain over deviation of a shoe, in thousandths)",
        "shoes until 5 in 6 gain": _ahead(found),
    }
    width = 2 + max(map(len, lines))
    for name, words in lines.items():
        terminal.console.print(f"{name:{width}}{words}", soft_wrap=True)
