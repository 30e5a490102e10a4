"""``punto counting``: what counting cards gains on a wager, and whether a house need worry."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from fractions import Fraction

from punto.cards import DECK, Card, Rank
from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import PICTURES, output_file, print_json, write
from punto.cli.rules import GAME_HELP
from punto.cli.simulate import add_dealing_arguments, progress, shoes_of
from punto.odds import effects_of_removal
from punto.report.texts import decimal, fraction, percent
from punto.rules import Rulebook, load
from punto.simulate.counting import Counting
from punto.simulate.counting import counting as count

BY_REMOVAL = "removal"
_REMOVAL_SCALE = 10_000


def counting(parser: ArgumentParser) -> Run:
    """Count cards."""
    parser.epilog = 'For example: punto counting tiger --wager "Tiger Pair" --tags A:1,6:-2 --trigger 3 --shoes 10000'
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--wager", required=True, help="the wager that is made when the count calls for it")
    tags = "the tag of each rank or card, such as A:-1,4:2,6h:3, others 0"
    exact = f"{BY_REMOVAL} for the exact effects of removal in hundredths of a percent"
    parser.add_argument("--tags", required=True, help=f"{tags}; or {exact}")
    parser.add_argument("--trigger", type=_number, required=True, help="the true count from which on to wager")
    parser.add_argument("--plot", metavar="FILE", help="draw the return by true count (.svg, .png, .pdf)")
    add_dealing_arguments(parser)
    return _run


def _number(text: str) -> Fraction:
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ArgumentTypeError(f"expected a number such as 3, 2.5 or 5/2, found {text!r}") from None
    if abs(value) > 10**9 or value.denominator > 10**6:
        raise ArgumentTypeError(f"expected a number of sensible size, found {text!r}")
    return value


def _run(arguments: Namespace) -> None:
    book = load(arguments.game)
    if arguments.wager not in {wager.name for wager in book.wagers}:
        raise BadInput(f"--wager: {book.title} has no wager {arguments.wager!r}")
    picture = None if arguments.plot is None else output_file(arguments.plot, PICTURES)
    shoes = shoes_of(book, arguments)
    tags = _tags(book, arguments)
    with progress(arguments.shoes, "counting") as tell:
        found = count(book, arguments.wager, tags, arguments.trigger, arguments.shoes, arguments.seed, shoes, tell)
    if picture:
        from punto.report.studies import plot_counting

        write({picture: lambda file: plot_counting(found, file)})
    if arguments.json:
        print_json(_as_json(found, arguments))
    else:
        _show(found)


def _tags(book: Rulebook, arguments: Namespace) -> dict[Card, int]:
    if arguments.tags == BY_REMOVAL:
        effects = effects_of_removal(book, shoes_of(book, arguments).cards)
        return {card: round(changes[arguments.wager] * _REMOVAL_SCALE) for card, changes in effects.items()}
    tags: dict[Card, int] = {}
    ranks = {rank.value: rank for rank in Rank} | {"10": Rank.TEN}
    for part in arguments.tags.split(","):
        name, _, tag = part.strip().partition(":")
        try:
            value = whole_number(tag)
        except ArgumentTypeError:
            raise BadInput(f"--tags: expected a rank or card and its tag, such as A:-1, found {part!r}") from None
        if rank := ranks.get(name.upper()):
            tags |= {card: value for card in DECK if card.rank is rank}
        else:
            tags[Card.parse(name)] = value
    return tags


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
        "shoes_to_be_ahead": found.shoes_to_be_ahead,
        "by_true_count": [
            {"true_count": each, "rounds": rounds, "return": fraction(won / rounds)}
            for each, (rounds, won) in found.by_true_count.items()
        ],
    }


def _show(found: Counting) -> None:
    from punto.cli import show

    title = f"{found.book.title}, {found.wager}: counting through {found.shoes:,} shoes, {found.rounds:,} rounds"
    show.console.print(title, style="bold", soft_wrap=True)
    ahead = found.shoes_to_be_ahead
    error = f" ± {percent(Fraction(found.standard_error))}" if found.wagered else ""
    lines = {
        f"wagers, from {decimal(found.trigger)} on": f"{found.wagered:,}, {percent(found.frequency)} of the rounds",
        "return of a wager": percent(found.return_per_wager) + error,
        "gain of a shoe": f"{decimal(found.gain_per_shoe, 4)} units, deviation {found.deviation_per_shoe:.4f}",
        "desirability": f"{found.desirability:.2f} (gain over deviation of a shoe, in thousandths)",
        "shoes to be surely ahead": f"{ahead:,.0f}" if ahead else "never: there is no gain",
    }
    for name, words in lines.items():
        show.console.print(f"{name:28}{words}", soft_wrap=True)
