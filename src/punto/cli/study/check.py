"""``punto check``: what a designer should know about a game before anyone deals it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from punto.cli.main import Run
from punto.cli.output import about, print_json
from punto.cli.study.rules import GAME_HELP
from punto.design import GameFinding, Severity
from punto.design import check as check_game
from punto.rules import Rulebook
from punto.rules.game_library import load_to_check
from punto.texts import Language, text

CANNOT_BE_DEALT = 2
"""The status after errors; warnings alone end with 0."""


def check(parser: ArgumentParser) -> Run:
    """Print the findings, errors first."""
    parser.epilog = "For example: punto check my-game.toml"
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--language", choices=[each.value for each in Language], default="en", help="en or zh")

    def run(arguments: Namespace) -> None:
        language = Language(arguments.language)
        book, file = load_to_check(arguments.game)
        found = check_game(book, file=file)
        if arguments.json:
            print_json({**about(book), "findings": [each.to_dict(language) for each in found]})
        else:
            _show(book, found, language)
        if any(each.severity is Severity.ERROR for each in found):
            sys.exit(CANNOT_BE_DEALT)

    return run


def _show(book: Rulebook, found: tuple[GameFinding, ...], language: Language) -> None:
    from rich.text import Text

    from punto.cli import terminal

    for each in found:
        kind = text("checks", each.severity.value, language)
        terminal.console.print(Text(f"{kind}: ", "bold") + Text(each.place(language) + each.sentence(language)))
    if not found:
        terminal.console.print(Text(text("checks", "nothing", language, title=book.title)))
