"""``punto best-count``: the tags and the trigger with which counting gains most on a wager."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from fractions import Fraction

from punto.cli.main import BadInput, Run, interrupted, whole_number
from punto.cli.output import about, print_json
from punto.cli.study.rules import GAME_HELP, game_named
from punto.cli.study.shoe_arguments import shoe_json
from punto.cli.study.simulate import MOST_WORKERS, add_dealing_arguments, progress, shoes_of, wager_of
from punto.data_frames import error_of
from punto.formatting import decimal
from punto.lab.counts.best_counts import BestCountStudy, CountResult, shown_figures, tags_by_rank
from punto.lab.counts.best_counts import best_count as search
from punto.lab.counts.count_search import RANKS, CountRule

LEVELS = (1, 2, 3, 4)
_AGAINST = re.compile(r"(?P<tags>[^@]+)@(?P<trigger>-?[0-9]{1,6}(\.[0-9]{1,4})?)")


def best_count(parser: ArgumentParser) -> Run:
    """Find the best count."""
    parser.epilog = 'For example: punto best-count tiger --wager "Small Tiger" --level 3'
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--wager", required=True, help="the wager that is counted for")
    parser.add_argument("--level", type=whole_number, choices=LEVELS, required=True, help="the largest tag")
    parser.add_argument("--balanced", action="store_true", help="only tags that sum up to nothing over a shoe")
    parser.add_argument("--running", action="store_true", help="a trigger on the running count, without division")
    against = "another count to measure on the same shoes, as tags and true count, such as 4:-1,8:2@4; may be repeated"
    parser.add_argument("--against", metavar="COUNT", action="append", default=[], help=against)
    parser.add_argument("--shoes", type=whole_number, default=10_000, help="shoes to measure on (default 10000)")
    searched = "other shoes, to search on (default 4000)"
    parser.add_argument("--search-shoes", type=whole_number, default=4_000, help=searched)
    parser.add_argument("--workers", type=whole_number, help="threads (default: one for each processor)")
    add_dealing_arguments(parser, shoes=False)
    return _run


def _run(arguments: Namespace) -> None:
    book = game_named(arguments.game)
    wager = wager_of(book, arguments)
    dealt = shoes_of(book, arguments)
    if arguments.workers is not None and not 1 <= arguments.workers <= MOST_WORKERS:
        raise BadInput(f"--workers: expected 1 to {MOST_WORKERS}, not {arguments.workers}")
    others = {each: _count(each) for each in arguments.against}
    with progress(arguments.shoes + arguments.search_shoes, "dealing") as tell:
        try:
            found = search(
                book, wager, arguments.level, arguments.shoes, arguments.seed, dealt, arguments.search_shoes,
                arguments.balanced, not arguments.running, others, tell, arguments.workers,
            )  # fmt: skip
        except ValueError as error:
            raise BadInput(str(error)) from None
        except KeyboardInterrupt:
            interrupted("interrupted before any count was measured: nothing is finished")
    if arguments.json:
        shoe = shoe_json(found.shoe.cards, arguments, mid_round=False)
        print_json(about(book) | shoe | found.to_dict())
    else:
        _show(found)
    if found.partial:
        interrupted()


def _count(text: str) -> CountRule:
    """Parse ``4:-1,8:2@4``."""
    parsed = _AGAINST.fullmatch(text.strip())
    if not parsed:
        raise BadInput(f"--against: expected tags and a true count, such as 4:-1,8:2@4, found {text!r}")
    pairs = [part.partition(":") for part in parsed["tags"].split(",")]
    names = [name.strip().upper() for name, _, _ in pairs]
    if wrong := next((part for part in pairs if not re.fullmatch(r" *[+-]?[0-9]{1,3} *", part[2])), None):
        raise BadInput(f"--against: expected a rank and its tag, such as 4:-1, found {''.join(wrong)!r}")
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise BadInput(f"--against: {repeated} has two tags")
    try:
        tags = tags_by_rank({name: int(tag) for name, (_, _, tag) in zip(names, pairs, strict=True)})
    except ValueError as error:
        raise BadInput(f"--against: {error}") from None
    return CountRule(tags, Fraction(parsed["trigger"]))


def _show(study: BestCountStudy) -> None:
    from punto.cli import terminal

    found = study.found
    title = f"{study.book.title}, {study.wager}: the best count of level {study.level}"
    terminal.console.print(title, style="bold", soft_wrap=True)
    shown = terminal.table(("", *(rank.value for rank in RANKS)), right=tuple(rank.value for rank in RANKS))
    shown.add_row("tag", *(f"{tag:+d}" if tag else "0" for tag in found.rule.tags))
    effects = (decimal(effect * 10_000, 1) for effect in study.effects)
    shown.add_row("effect of removal, 0.01%", *effects)
    terminal.print_whole(shown)
    terminal.console.print(_called(found), soft_wrap=True)
    figures = ("Trigger", "Wagers", "Edge", "Units in 100 hands", "± error", "Of perfect play", "Correlation")
    table = terminal.table(("Count", *figures), right=figures)
    for each in (*study.counts, study.perfect):
        table.add_row(each.name, *shown_figures(each))
    terminal.print_whole(table)
    if study.partial:
        terminal.print_partial()
    for each in study.counts[1:]:
        if each.ahead:
            more = "more" if each.ahead > 0 else "less"
            told = f"{abs(each.ahead):.4f} ± {error_of(each.ahead_error)} units in 100 hands {more} than: {each.name}"
            terminal.console.print(f"The count found gains {told}", soft_wrap=True)
    shoes = f"Measured on {study.shoes:,} shoes, found on {study.search_shoes:,} others among {study.tried:,} counts"
    terminal.console.print(f"{shoes}; there it gained {study.searched_per_100_hands:.4f}.", style="dim", soft_wrap=True)


def _called(found: CountResult) -> str:
    """Return in words when the count calls for a wager."""
    rule = found.rule
    if rule.trigger is None:
        return "No trigger gained anything: there is never a wager."
    count = f"{decimal(rule.trigger)} in the true count" if rule.divided else f"a running count of {rule.trigger}"
    begun = f"begin at {rule.initial}, " if rule.initial else ""
    return f"To count: {begun}add the tag of every card seen, wager from {count} on."
