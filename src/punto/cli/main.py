"""The entry point of ``punto``: the list of commands, and one line on standard error for any error in the input.

Each command's module is imported only when it is called, so that every command starts fast. For the same reason
arguments are read by argparse: larger libraries take longer to import than settling a coup takes.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from argparse import Action, ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn, TextIO

from punto import CardError, GameFileError, Unlawful, __version__

BAD_INPUT = 2
INTERRUPTED = 128 + 2
"""The exit code a shell reports for a program ended by SIGINT. Every interrupted command ends with it, whatever it
could finish.
"""
READER_LEFT = 128 + 13
"""The exit code a shell reports for a program ended by SIGPIPE."""

COMMANDS = {
    "games": ("punto.cli.study.rules", "the approved games"),
    "rules": ("punto.cli.study.rules", "every clause of a game, and how it is carried out"),
    "readings": ("punto.cli.study.rules", "where the documents are unclear: the reading taken, and why"),
    "check": ("punto.cli.study.check", "what a designer should know about a game: odd figures, lines never reached"),
    "odds": ("punto.cli.study.odds", "the exact odds of every wager, from any shoe and at any point of a round"),
    "pays": ("punto.cli.study.pay_tables", "a wager with other pays, and the pays nearest to a target house edge"),
    "report par": ("punto.cli.evidence.report", "the PAR sheet of a game, as a test lab files it"),
    "report shift": ("punto.cli.evidence.report", "what every table made in a span of time"),
    "report significant": (
        "punto.cli.evidence.significant",
        "sign-ins, changes, voids, large wagers and what else is significant",
    ),
    "report returns": ("punto.cli.evidence.report", "actual return of each wager against theory, with bounds"),
    "report ratings": ("punto.cli.evidence.report", "how long patrons played, and what they were to lose"),
    "simulate": ("punto.cli.study.simulate", "shoes dealt by the million, compared with the exact odds"),
    "staking": ("punto.cli.study.staking", "how a bankroll fares by a staking plan"),
    "bankroll": ("punto.cli.study.bankroll", "exact results, risk of ruin and Kelly stakes of flat stakes"),
    "counting": ("punto.cli.study.counting", "what counting cards gains on a wager"),
    "best-count": ("punto.cli.study.best_counts", "the tags and the trigger that gain most on a wager"),
    "known": ("punto.cli.study.known", "the exact value of knowing some of the next six cards"),
    "lab": ("punto.cli.study.lab", "what every wager can lose to perfect play, and what protects it: a study in files"),
    "dossier": ("punto.cli.study.dossier", "everything that is filed for a game's approval, in a folder"),
    "felt-check": ("punto.cli.study.felt_check", "a pay table from a felt or rack card, compared with the rulebook"),
    "settle": ("punto.cli.play.settle", "how a coup settles every wager of a game"),
    "audit": ("punto.cli.evidence.audit", "check a database: every event, every round, every balance"),
    "heads": ("punto.cli.evidence.audit", "export signed heads of a database, to be kept elsewhere"),
    "log": ("punto.cli.evidence.witness", "show the log of a database: its key and its last checkpoint"),
    "witness": ("punto.cli.evidence.witness", "keep and cosign the checkpoints of logs, apart from their houses"),
    "replay": ("punto.cli.evidence.replay", "show a round as it happened, with who acted and by which clause"),
    "export": ("punto.cli.evidence.export", "the dispute packet of a round, for checking outside the house"),
    "verify-packet": ("punto.cli.evidence.verify_packet", "check a dispute packet offline: every proof, all it tells"),
    "backup": ("punto.cli.house.backup", "copy a database while it is served"),
    "resume": ("punto.cli.house.resume", "accept a database that went back in time, by name"),
    "verify-self": ("punto.cli.house.verify_self", "compare the program's own files with what was built"),
    "verify-shoe": (
        "punto.cli.evidence.verify_shoe",
        "check the published record of a shoe, every commitment and every card",
    ),
    "rng-evidence": ("punto.cli.evidence.rng_evidence", "test shoes for randomness: computed ones, or those of a log"),
    "conform": (
        "punto.cli.evidence.conform",
        "technical standards: each requirement, how it is met, and the tests",
    ),
    "design": ("punto.cli.study.design_page", "write a game's file on a page, with its exact figures as you type"),
    "serve": ("punto.cli.house.serve", "the table server"),
    "link": ("punto.cli.house.link", "a new sign-in link for a person who has lost theirs"),
    "people": ("punto.cli.house.people", "the people of a house: their names, ids and duties"),
    "rename": ("punto.cli.house.people", "give a person another name"),
    "erase": ("punto.cli.house.people", "erase a person's name, or what was written in an event, for good"),
    "play": ("punto.cli.play.play", "a table in the terminal"),
    "school": ("punto.cli.play.school", "drills for dealers, graded by clause, with a score sheet"),
    "run": ("punto.cli.play.run", "play rounds written in Punto's notation and check what they expect"),
    "bench": ("punto.cli.bench.bench", "benchmarks on this machine"),
    "completion": ("punto.cli.completion", "the script that lets a shell complete punto's commands"),
}
"""Each command with its module. The module has a function of that name: it takes a parser, adds the command's
arguments, and returns the function to run.
"""
GROUPS = {"report": "sheets to keep and to file"}
"""The first words of commands that have two."""

Run = Callable[[Namespace], None]


class BadInput(ValueError):
    """Invalid input; the message says what and where."""


class _GivenOnce(Action):
    """An option that takes one value: given twice it is refused, since one of the two would be lost."""

    _given = False

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None) -> None:
        if option is not None and self._given:
            parser.error(f"{option}: given twice, and it takes one value")
        self._given = option is not None
        setattr(namespace, self.dest, values)


class Parser(ArgumentParser):
    """An argument parser that reports an error in one line and leaves it to ``main`` to print it."""

    def __init__(self, **settings: Any) -> None:
        # An abbreviation that works today would mean something else when an option is added.
        super().__init__(allow_abbrev=False, **settings)
        for name in (None, "store"):
            self.register("action", name, _GivenOnce)

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; invalid input gets one line and exit code 2, an interrupt exit code 130."""
    _prepare_output()
    try:
        try:
            _run(list(sys.argv[1:] if arguments is None else arguments))
        finally:
            sys.stdout.flush()
    except (BadInput, CardError, GameFileError, Unlawful) as error:
        _end(BAD_INPUT, str(error))
    except KeyboardInterrupt as stop:
        _end(INTERRUPTED, *(map(str, stop.args) if stop.args else ("interrupted",)))
    except BrokenPipeError:
        # The reader has closed the pipe, as in: punto rules tiger | head. Unfinished output is not a success.
        _discard(sys.stdout)
        sys.exit(READER_LEFT)
    except OSError as error:
        _discard(sys.stdout)
        _end(BAD_INPUT, f"the answer cannot be written: {error.strerror}")


def interrupted(sentence: str = "interrupted: the answer covers what was finished") -> NoReturn:
    """End an interrupted command with the exit code of all interrupted commands.

    A long command calls it last: it catches the interrupt, prints what is finished marked as partial (``partial`` in
    JSON, a line below a table), and says on standard error what is missing.
    """
    raise KeyboardInterrupt(sentence)


def _prepare_output() -> None:
    """Make printing work anywhere: on a terminal without the suit symbols, and with output closed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _discard(stream: TextIO) -> None:
    """Keep the interpreter from retrying at exit what cannot be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _end(code: int, *sentences: str) -> NoReturn:
    """Print each sentence as one line on standard error, whatever it quotes, and exit."""
    try:
        for sentence in sentences:
            note(sentence)
    except OSError:
        _discard(sys.stderr)
    sys.exit(code)


def note(sentence: str) -> None:
    """Print one line on standard error, beside the answer."""
    line = "".join(sign if sign.isprintable() else "?" for sign in " ".join(sentence.split()))
    print(f"punto: {line}", file=sys.stderr, flush=True)  # noqa: T201


def _run(arguments: list[str]) -> None:
    top = _list("punto", "Baccarat conducted exactly as a regulator approved it.", COMMANDS)
    top.add_argument("--version", action="version", version=f"punto {__version__}")
    if not arguments:
        top.print_help()
    elif arguments[0].startswith("-"):
        _parse(top, arguments)
    elif (group := arguments[0]) in GROUPS:
        _run_of_group(group, arguments[1:])
    else:
        _command(arguments[0])(arguments[1:])


def _run_of_group(group: str, arguments: list[str]) -> None:
    kinds = [name for name in COMMANDS if name.startswith(f"{group} ")]
    if not arguments or arguments[0].startswith("-"):
        _parse(_list(f"punto {group}", f"{GROUPS[group].capitalize()}.", kinds), arguments or ["--help"])
    elif (name := f"{group} {arguments[0]}") in kinds:
        _command(name)(arguments[1:])
    else:
        known = either([name.removeprefix(f"{group} ") for name in kinds])
        raise BadInput(f"{arguments[0]}: expected {known} after punto {group}")


def either(words: Sequence[str]) -> str:
    """Return a choice as people write it: a, b or c."""
    *first, last = words
    return " or ".join([", ".join(first), last] if first else [last])


def _list(program: str, description: str, names: Iterable[str]) -> Parser:
    """Return a parser whose help lists commands."""
    width = max(map(len, COMMANDS)) + 2
    listed = "\n".join(f"  {name:{width}}{COMMANDS[name][1]}" for name in names)
    return Parser(
        prog=program,
        usage=f"{program} COMMAND ...",
        description=description,
        epilog=f"commands:\n{listed}\n\npunto COMMAND --help says more about one.",
        formatter_class=RawDescriptionHelpFormatter,
    )


def _command(name: str) -> Callable[[list[str]], None]:
    if name not in COMMANDS:
        near = get_close_matches(name.casefold(), [*COMMANDS, *GROUPS], n=1)
        hint = f"did you mean {near[0]}?" if near else f"commands are {', '.join(COMMANDS)}"
        raise BadInput(f"there is no command {name!r}; {hint}")
    _, help_ = COMMANDS[name]
    parser = Parser(prog=f"punto {name}", description=f"{help_[0].upper()}{help_[1:]}.")
    run = add_arguments(name, parser)
    return lambda arguments: run(_parse(parser, arguments))


def add_arguments(name: str, parser: ArgumentParser) -> Run:
    """Give a parser the arguments of a command; return the function to run with them."""
    run: Run = getattr(import_module(COMMANDS[name][0]), name.replace("-", "_").replace(" ", "_"))(parser)
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    return run


def _parse(parser: Parser, arguments: list[str]) -> Namespace:
    # Some versions of argparse make a list of "--wager=--" instead of a string.
    if unclear := next((each for each in arguments if each.endswith("=--")), None):
        raise BadInput(f"{unclear}: expected a value after =")
    try:
        return parser.parse_intermixed_args(arguments)
    except SystemExit:
        sys.stdout.flush()
        raise


def whole_number(text: str) -> int:
    """Argument type: a number in plain digits."""
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise ArgumentTypeError(f"expected a whole number of at most nine digits, found {text!r}")
    return int(text)


MOST_SEED = 2**64


def seed_number(text: str) -> int:
    """Argument type: a seed, any whole number up to 2 to the power of 64, above or below zero."""
    if not re.fullmatch(r"-?[0-9]{1,20}", text) or abs(int(text)) > MOST_SEED:
        raise ArgumentTypeError(f"expected a whole number up to {MOST_SEED}, found {text!r}")
    return int(text)


def web_address(text: str) -> str:
    """Argument type: the address at which a browser opens a server."""
    from urllib.parse import urlsplit

    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path:
        raise ArgumentTypeError(f"expected an address such as https://tables.example, found {text!r}")
    return text
