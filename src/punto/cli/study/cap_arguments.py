"""Arguments for a cap on what a table pays in one round, and the figures under it."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace

from punto.cli.main import BadInput
from punto.odds.payout_caps import CappedWager, alone_under_cap, under_cap
from punto.report.rendering import money
from punto.rules import Rulebook
from punto.rules.caller_input import Shoe
from punto.rules.deal_counts import CardsSeen

_AMOUNT = re.compile(r"(\d{1,12})(?:\.(\d\d?))?", re.ASCII)


def add_cap_arguments(parser: ArgumentParser) -> None:
    """Add ``--cap`` and ``--stake``."""
    cap = "the most a table pays in winnings in one round: also print the edges under it, for --stake"
    parser.add_argument("--cap", metavar="AMOUNT", help=cap)
    stake = (
        "with --cap, what lies on each wager alone, as AMOUNT; or, as NAME=AMOUNT, on a wager that shares the cap with "
        "the others named so; may be repeated"
    )
    parser.add_argument("--stake", metavar="[NAME=]AMOUNT", action="append", default=[], help=stake)


def cents(text: str, option: str) -> int:
    """Return an amount of the command line in cents."""
    match = _AMOUNT.fullmatch(text.strip())
    amount = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0")) if match else 0
    if not amount:
        raise BadInput(f"{option} {text!r}: expected an amount above zero in whole cents, such as 100 or 2.50")
    return amount


def capped_wagers(book: Rulebook, arguments: Namespace, shoe: Shoe, seen: CardsSeen) -> tuple[CappedWager, ...]:
    """Return the wagers under the cap that the arguments ask for; none if they ask for no cap."""
    if arguments.cap is None:
        if arguments.stake:
            raise BadInput("--stake goes with --cap: without a cap an edge is the same for every stake")
        return ()
    if not arguments.stake:
        raise BadInput("--cap goes with --stake: the edge under a cap depends on what lies there")
    cap = cents(arguments.cap, "--cap")
    if len(arguments.stake) == 1 and "=" not in arguments.stake[0]:
        return alone_under_cap(book, cap, cents(arguments.stake[0], "--stake"), shoe, seen)
    stakes: dict[str, int] = {}
    for text in arguments.stake:
        name, equals, amount = text.partition("=")
        if not equals:
            raise BadInput(f'--stake {text!r}: where several are given expected NAME=AMOUNT, such as "Tie=100"')
        wager = book.wager(name).name
        if wager in stakes:
            raise BadInput(f"--stake: {wager} is named twice")
        stakes[wager] = cents(amount, "--stake")
    return under_cap(book, cap, stakes, shoe, seen)


def cap_json(arguments: Namespace, wagers: tuple[CappedWager, ...]) -> dict[str, object]:
    """Return the figures under a cap for JSON: nothing without one."""
    if not wagers:
        return {}
    return {"cap": {"cents": cents(arguments.cap, "--cap"), "wagers": [each.to_dict() for each in wagers]}}


def cap_title(arguments: Namespace) -> str:
    """Return the cap in words."""
    return f"at most {money(cents(arguments.cap, '--cap'))} paid in winnings a round"
