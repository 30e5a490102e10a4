"""The way into ``punto``: the list of commands, and one line on standard error for whatever is wrong with the input.

Each command lives in a module of its own that is imported only when it is called, so that every command starts at once.
For the same reason arguments are read by argparse: the larger libraries for it take longer to import than to settle a
coup.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NoReturn

from punto import CardError, GameFileError, Unlawful, __version__

BAD_INPUT = 2

COMMANDS = {
    "games": ("punto.cli.rules", "the approved games"),
    "rules": ("punto.cli.rules", "every clause of a game, and how it is carried out"),
    "readings": ("punto.cli.rules", "where the documents are unclear: the reading taken, and why"),
    "odds": ("punto.cli.odds", "the exact odds of every wager, from any shoe and at any point of a round"),
    "report": ("punto.cli.report", "sheets to keep and to file: the PAR sheet of a game"),
    "settle": ("punto.cli.settle", "what a coup does to every wager of a game"),
    "bench": ("punto.cli.bench", "how fast things are on this machine"),
}
"""Each command with the module it lives in. The module has a function of that name: it is given a parser, adds the
command's arguments, and answers with what to run."""

Run = Callable[[Namespace], None]


class BadInput(ValueError):
    """What was typed cannot be used; the sentence says what and where."""


class Parser(ArgumentParser):
    """An argument parser that tells its errors in one line and leaves it to ``main`` to print them."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; bad input gets one line and exit code 2, and nothing is written."""
    try:
        _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except (BadInput, CardError, GameFileError, Unlawful) as error:
        print(f"punto: {' '.join(str(error).split())}", file=sys.stderr)  # noqa: T201
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever was reading has seen enough, as in: punto rules tiger | head
        sys.stdout = None
        sys.exit(0)


def _run(arguments: list[str]) -> None:
    width = max(map(len, COMMANDS)) + 2
    listed = "\n".join(f"  {name:{width}}{help_}" for name, (_, help_) in COMMANDS.items())
    top = Parser(
        prog="punto",
        usage="punto COMMAND ...",
        description="Baccarat conducted exactly as a regulator approved it.",
        epilog=f"commands:\n{listed}\n\npunto COMMAND --help says more about one.",
        formatter_class=RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"punto {__version__}")
    if not arguments:
        top.print_help()
    elif arguments[0].startswith("-"):
        top.parse_args(arguments)
    else:
        _command(arguments[0])(arguments[1:])


def _command(name: str) -> Callable[[list[str]], None]:
    if name not in COMMANDS:
        raise BadInput(f"there is no command {name!r}; commands are {', '.join(COMMANDS)}")
    module, help_ = COMMANDS[name]
    parser = Parser(prog=f"punto {name}", description=f"{help_[0].upper()}{help_[1:]}.")
    run: Run = getattr(import_module(module), name)(parser)
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    return lambda arguments: run(parser.parse_intermixed_args(arguments))
