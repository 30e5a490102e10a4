"""``punto counting``: what counting cards gains on a wager, and whether a house need worry."""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from fractions import Fraction
from pathlib import Path

from punto.cli.main import BadInput, Run, interrupted, whole_number
from punto.cli.output import PICTURES, add_output, output_files, print_json, write
from punto.cli.study.rules import GAME_HELP, game_named
from punto.cli.study.shoe_arguments import shoe_json
from punto.cli.study.simulate import MOST_WORKERS, add_dealing_arguments, progress, shoes_of, wager_of
from punto.lab.counts.count_system import CountStakes, CountSystem, CountTrigger, parse_number
from punto.lab.counts.count_tally import CountEstimate
from punto.lab.counts.counting import HANDS_PER_HOUR, Counting
from punto.lab.counts.counting import counting as count
from punto.odds import effects_of_removal
from punto.report.rendering import decimal, percent
from punto.rules import Rulebook
from punto.simulate import BY_FIRST_CARD, Shoes

BY_REMOVAL = "removal"
_REMOVAL_SCALE = 10_000
"""Tags by removal are shown in hundredths of a percent, and kept ten thousand times as fine."""


def counting(parser: ArgumentParser) -> Run:
    """Count cards."""
    parser.epilog = "For example: punto counting baccarat --wager Tie --tags removal --trigger 50 --shoes 10000"
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--wager", required=True, help="the wager that is made when the count calls for it")
    tags = "the tag of each rank or card, such as A:-1,4:2,6h:3/2, others 0"
    exact = f"{BY_REMOVAL} for the exact effects of removal in hundredths of a percent"
    parser.add_argument("--tags", required=True, help=f"{tags}; or {exact}")
    parser.add_argument("--trigger", type=_number, required=True, help="the true count from which on to wager")
    parser.add_argument(
        "--running", action="store_true", help="let --trigger be a running count, for unbalanced counts"
    )
    initial = "the initial running count, for each deck of the shoe (default 0)"
    parser.add_argument("--initial", type=_number, default=Fraction(0), metavar="COUNT", help=initial)
    _add_second_count(parser)
    step = "stake one unit more for each STEP of the count above the trigger (default: always one unit)"
    parser.add_argument("--step", type=_number, help=step)
    parser.add_argument("--most", type=whole_number, metavar="UNITS", help="the largest stake, with --step")
    hour = f"rounds dealt in an hour (default {HANDS_PER_HOUR})"
    parser.add_argument("--hands-per-hour", type=whole_number, default=HANDS_PER_HOUR, metavar="N", help=hour)
    unseen = f"let the counter miss the first card, which --burn {BY_FIRST_CARD} exposes"
    parser.add_argument("--burn-card-unseen", action="store_true", help=unseen)
    add_output(parser, "draw the return by count and penetration in a .svg, .png or .pdf file; may be repeated")
    add_dealing_arguments(parser)
    parser.add_argument("--workers", type=whole_number, help="threads (default: one per processor)")
    return _run


def _add_second_count(parser: ArgumentParser) -> None:
    parser.add_argument("--co-tags", metavar="TAGS", help="the tags of a second count, kept beside the first")
    initial = "its initial running count, for each deck of the shoe (default 0)"
    parser.add_argument("--co-initial", type=_number, metavar="COUNT", help=initial)
    parser.add_argument("--co-trigger", type=_number, metavar="COUNT", help="what it has to reach as well")
    parser.add_argument("--co-running", action="store_true", help="let --co-trigger be a running count")
    weight = "add this multiple of the second count to the first, before it is compared with --trigger"
    parser.add_argument("--co-weight", type=_number, metavar="WEIGHT", help=weight)


def _number(text: str) -> Fraction:
    try:
        return parse_number(text, "")
    except ValueError as error:
        raise ArgumentTypeError(str(error).removeprefix(": ")) from None


def _run(arguments: Namespace) -> None:
    book = game_named(arguments.game)
    wager = wager_of(book, arguments)
    pictures = output_files(arguments.output, PICTURES)
    shoes = shoes_of(book, arguments)
    if arguments.workers is not None and not 1 <= arguments.workers <= MOST_WORKERS:
        raise BadInput(f"--workers: expected 1 to {MOST_WORKERS}, not {arguments.workers}")
    if arguments.burn_card_unseen and shoes.burn != BY_FIRST_CARD:
        raise BadInput(f"--burn-card-unseen: a first card is exposed only with --burn {BY_FIRST_CARD}")
    system, trigger, stakes = _system(book, wager, shoes, arguments), _trigger(arguments), _stakes(arguments)
    with progress(arguments.shoes, "counting") as tell:
        try:
            found = count(
                book,
                wager,
                system,
                trigger,
                arguments.shoes,
                arguments.seed,
                shoes,
                tell,
                stakes,
                arguments.workers,
                arguments.hands_per_hour,
                not arguments.burn_card_unseen,
            )
        except ValueError as error:
            raise BadInput(str(error)) from None
    if not found.rounds:
        if found.partial:
            interrupted("interrupted before any shoe was finished")
        raise BadInput("no round can be dealt from such shoes")
    _tell(found, pictures, arguments)
    if found.partial:
        interrupted()


def _tell(found: Counting, pictures: list[Path], arguments: Namespace) -> None:
    if pictures:
        from punto.report.plots.study_plots import plot_counting

        write({picture: lambda file: plot_counting(found, file) for picture in pictures})
    if arguments.json:
        print_json(found.to_dict() | shoe_json(found.shoe.cards, arguments, mid_round=False))
    else:
        _show(found)


def _system(book: Rulebook, wager: str, shoes: Shoes, arguments: Namespace) -> CountSystem:
    """Return the count the arguments ask for."""
    second = None
    if arguments.co_tags is not None:
        second = _count_of("--co-tags", arguments.co_tags, arguments.co_initial or Fraction(0))
    else:
        for option in ("co_initial", "co_trigger", "co_weight"):
            if getattr(arguments, option) is not None:
                raise BadInput(f"--{option.replace('_', '-')}: there is no second count without --co-tags")
    if arguments.tags == BY_REMOVAL:
        effects = effects_of_removal(book, shoes.cards)
        finest = _REMOVAL_SCALE * _REMOVAL_SCALE
        tags = {card: Fraction(round(each[wager] * finest), _REMOVAL_SCALE) for card, each in effects.items()}
        return CountSystem(tags, arguments.initial, second)
    return _count_of("--tags", arguments.tags, arguments.initial, second)


def _count_of(option: str, tags: str, initial: Fraction, second: CountSystem | None = None) -> CountSystem:
    try:
        return CountSystem(tags, initial, second)
    except ValueError as error:
        raise BadInput(f"{option}: {error}") from None


def _trigger(arguments: Namespace) -> CountTrigger:
    """Return when to wager; raise ``BadInput`` if a second count would not be looked at."""
    if arguments.co_tags is not None and arguments.co_trigger is None and arguments.co_weight is None:
        raise BadInput("--co-tags: expected --co-trigger or --co-weight as well, or the second count does nothing")
    if arguments.co_running and arguments.co_trigger is None:
        raise BadInput("--co-running: there is no --co-trigger")
    weights = Fraction(1), Fraction(arguments.co_weight or 0)
    kinds = {True: CountTrigger.running, False: CountTrigger.true}
    try:
        trigger = kinds[arguments.running](arguments.trigger, weights)
        if arguments.co_trigger is not None:
            trigger &= kinds[arguments.co_running](arguments.co_trigger, (0, 1))
    except ValueError as error:
        raise BadInput(f"--co-weight: {error}") from None
    return trigger


def _stakes(arguments: Namespace) -> CountStakes:
    if (arguments.step is None) != (arguments.most is None):
        raise BadInput("--step and --most go together: by what the stake rises, and how far")
    try:
        return CountStakes(arguments.step, 1 if arguments.most is None else arguments.most)
    except ValueError as error:
        raise BadInput(f"--step, --most: {error}") from None


def _ahead(found: Counting) -> str:
    """Return after how many shoes five counters in six have gained, if that can be said."""
    gain, bounds = found.gain_per_shoe, found.shoes_to_one_deviation_bounds
    if not found.wagered or gain.sign < 0:
        return "never: there is no gain"
    if not bounds:
        return "unknown: the gain is not distinguishable from 0"
    return f"{found.shoes_to_one_deviation:,.0f}, from {bounds[0]:,.0f} to {bounds[1]:,.0f}"


def _show(found: Counting) -> None:
    from punto.cli import terminal

    title = f"{found.book.title}, {found.wager}: counting through {found.shoes:,} shoes, {found.rounds:,} rounds"
    terminal.console.print(title, style="bold", soft_wrap=True)
    whole = found.figures
    lines = {
        "wagers": f"{found.trigger.describe()}, {found.stakes.describe()}",
        "rounds with a wager": f"{found.wagered:,}, {_percentage(found.frequency)}",
        "return of a unit staked": _percentage(found.return_per_unit),
        "gain per 100 hands": _units(found.gain_per_100_hands),
        f"gain per hour of {found.hands_per_hour}": _units(found.gain_per_hour),
        "gain per shoe": f"{_units(found.gain_per_shoe)}, deviation {found.deviation_per_shoe:.4f}",
        "rounds per shoe": _plain(whole.rounds_per_shoe),
        "wagers per shoe": _plain(whole.wagers_per_shoe),
        "index per hand": _plain(found.index_per_hand),
        "index per shoe": _plain(found.index_per_shoe),
        "shoes until 5 in 6 gain": _ahead(found),
    }
    width = 2 + max(map(len, lines))
    for name, words in lines.items():
        terminal.console.print(f"{name:{width}}{words}", soft_wrap=True)
    _show_penetration(found)
    if found.partial:
        terminal.print_partial()
    told = "±: one standard error, shoes being independent. Index: gain over deviation, in thousandths."
    terminal.console.print(told, style="dim", soft_wrap=True)


def _show_penetration(found: Counting) -> None:
    from punto.cli import terminal

    figures = ("Rounds", "Wagers", "Share of rounds", "Return of a unit staked", "Gain per 100 hands")
    table = terminal.table(("Shoe dealt", *figures), right=figures)
    for decile, each in found.by_decile.items():
        part = f"{10 * decile} to {10 * decile + 10}%"
        share, gain = _percentage(each.frequency), _plain(each.gain_per_hand.times(100))
        returned = _percentage(each.return_per_unit) if each.staked else ""
        table.add_row(part, f"{each.rounds:,}", f"{each.wagered:,}", share, returned, gain)
    terminal.print_whole(table)


def _percentage(found: CountEstimate) -> str:
    if math.isnan(found.standard_error):
        return percent(Fraction(found.value))
    return f"{percent(Fraction(found.value))} ± {percent(Fraction(found.standard_error))}"


def _plain(found: CountEstimate) -> str:
    value = decimal(Fraction(found.value), 4)
    return value if math.isnan(found.standard_error) else f"{value} ± {decimal(Fraction(found.standard_error), 4)}"


def _units(found: CountEstimate) -> str:
    return f"{_plain(found)} units"
