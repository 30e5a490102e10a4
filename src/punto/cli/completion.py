"""``punto completion``: the script that lets bash, zsh or fish complete commands, options, games and wagers.

Everything is written into the script, so that the shell need not start Punto on each press of Tab.
"""

from __future__ import annotations

import shlex
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterable

from punto import __version__
from punto.cli.main import COMMANDS, GROUPS, Parser, Run, add_arguments
from punto.cli.output import print_json
from punto.rules import APPROVED, load

SHELLS = ("bash", "zsh", "fish")

_FILES = {"FILE", "FILE.c", "DATABASE", "RECORD"}
_WHERE = {
    "bash": "punto completion bash > ~/.local/share/bash-completion/completions/punto",
    "zsh": "punto completion zsh > ~/.zfunc/_punto",
    "fish": "punto completion fish > ~/.config/fish/completions/punto.fish",
}


def completion(parser: ArgumentParser) -> Run:
    """Print a completion script."""
    parser.epilog = f"For example: {_WHERE['bash']}"
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=" or ".join(SHELLS))
    return _run


def _run(arguments: Namespace) -> None:
    import shtab

    script = shtab.complete(_whole(), arguments.shell)
    if arguments.json:
        print_json({"shell": arguments.shell, "script": script})
    else:
        print(script)  # noqa: T201


def _whole() -> ArgumentParser:
    """Return all commands in one parser, each argument with its possible values."""
    top = Parser(prog="punto", description="Baccarat conducted exactly as a regulator approved it.")
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(dest="command", parser_class=Parser)
    groups = {
        name: commands.add_parser(name, help=help_).add_subparsers(dest="kind", parser_class=Parser)
        for name, help_ in GROUPS.items()
    }
    for name, (_, help_) in COMMANDS.items():
        group, _, kind = name.rpartition(" ")
        parser = (groups[group] if group else commands).add_parser(kind, help=help_)
        add_arguments(name, parser)
        for action in parser._actions:
            _say_what_may_stand_there(action)
    return top


def _say_what_may_stand_there(action: Action) -> None:
    import shtab

    if action.metavar == "GAME":
        action.complete = _game()  # type: ignore[attr-defined]
    elif action.dest == "wager":
        action.complete = _wager()  # type: ignore[attr-defined]
    elif action.metavar in _FILES:
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif action.choices:
        action.choices = tuple(action.choices)  # a mapping would be taken for commands


def _functions(name: str, bash: str, zsh: str, fish: str) -> dict[str, object]:
    """Return a function of that name in each shell, and how each calls it."""
    defined = {
        "bash": f"{name}() {{\n{bash}\n}}",
        "zsh": f"{name}() {{\n{zsh}\n}}",
        "fish": f"function {name}\n{fish}\nend",
    }
    return {"bash": name, "zsh": name, "fish": f"({name})", "preamble": defined}


def _game() -> dict[str, object]:
    """Return the completion of a game: the key of an approved one, or a file."""
    keys = " ".join(APPROVED)
    return _functions(
        "_punto_game_or_file",
        bash=f'  compgen -W "{keys}" -- "$1"\n  compgen -f -X "!*.toml" -- "$1"\n  compgen -d -- "$1"',
        zsh=f"""  _alternative "games:game:({keys})" "files:file:_files -g '*.toml'" """.rstrip(),
        fish=f"  printf '%s\\n' {keys}\n  __fish_complete_suffix .toml",
    )


def _wager() -> dict[str, object]:
    """Return the completion of a wager of any approved game. Names contain spaces, which bash does not escape."""
    names = _quoted(dict.fromkeys(wager.name for key in APPROVED for wager in load(key).wagers))
    bash = rf"""
  local name form=%q typed=${{1//[\\\"\']/}}
  [[ $1 == [\"\']* ]] && form=%s
  for name in {names}; do
    [[ $name == "$typed"* ]] && printf "$form\n" "$name"
  done"""
    return _functions(
        "_punto_wager",
        bash=bash,
        zsh=f"  local -a names\n  names=({names})\n  compadd -a names",
        fish=f"  printf '%s\\n' {names}",
    )


def _quoted(names: Iterable[str]) -> str:
    return " ".join(map(shlex.quote, names))
