"""Parse the notation: a script is a heading, then what people say and do, with the expected outcome."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_LONGEST_LINE = 20_000
QUOTED = r'"(?:[^"\\]|\\.)*"'
"""A text in double quotes, as in JSON: for texts that hold brackets, semicolons, line ends and the like."""
_QUOTED_DEED = re.compile(rf"[a-z]+ {QUOTED}")


class NotationError(ValueError):
    """A line that cannot be read; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected of the step before it, in words."""

    line: int
    words: str

    @property
    def against(self) -> tuple[str, ...]:
        """The provisions that the refused step would have broken."""
        match = re.fullmatch(r"refused .+ against ([a-z0-9 -]+)", self.words)
        return tuple(match[1].split()) if match else ()


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """An action by a person."""

    line: int
    who: str
    action: str
    expectations: tuple[Expectation, ...]


@dataclass(frozen=True, slots=True)
class ScriptGame:
    """A game the script is for, and the clauses of that game it shows."""

    game: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """A parsed script of one or more rounds."""

    title: str
    runs: tuple[ScriptGame, ...]
    heading: tuple[tuple[int, str, str], ...]
    """The lines that set up the table: line number, key, value."""
    patrons: tuple[tuple[int, str, str], ...]
    """Who is at the table and with how much: line number, name, amount."""
    steps: tuple[ScriptStep, ...]


HEADINGS = (
    "layout",
    "positions",
    "decks",
    "device",
    "method",
    "hlga",
    "differential",
    "step",
    "limits",
    "float",
    "wagers per area",
    "confirms",
    "managers interchangeable",
    "betting seconds",
    "answer seconds",
    "squeeze seconds",
    "room",
    "sign on",
    "second person above",
    "second person seconds",
    "second person",
    "reasons required",
    "burn",
    "pays at most",
)
REPEATED = ("limits", "wagers per area", "pays at most")
"""What may be said again, for other wagers or areas."""


@dataclass
class _Reader:
    """Collects a script line by line."""

    title: str = ""
    runs: list[ScriptGame] = field(default_factory=list)
    heading: list[tuple[int, str, str]] = field(default_factory=list)
    patrons: list[tuple[int, str, str]] = field(default_factory=list)
    steps: list[ScriptStep] = field(default_factory=list)

    def take(self, number: int, line: str) -> None:
        if line.startswith("expect "):
            self._expect(number, line.removeprefix("expect "))
        elif not self.steps and _heads(line):
            self._head(number, line)
        elif match := re.fullmatch(r"(\w[^:]*): (.+)", line):
            self._act(number, match[1], match[2])
        elif self.steps:
            raise NotationError(f"line {number}: expected WHO: ACTION or expect ..., found {line!r}")
        else:
            raise NotationError(f"line {number}: expected title, for, patron, {', '.join(HEADINGS)}, found {line!r}")

    def _act(self, number: int, who: str, action: str) -> None:
        """Add a step; "(4 times)" after it, and before any details in brackets, repeats it."""
        deed, details = split_details(action)
        times = re.fullmatch(r"(.+) \(([1-9]\d?) times\)", deed)
        told = f" [{details}]" if details else ""
        step = ScriptStep(number, who, times[1] + told if times else action, ())
        self.steps += [step] * (int(times[2]) if times else 1)

    def _expect(self, number: int, words: str) -> None:
        if not self.steps:
            raise NotationError(f"line {number}: nothing has been done yet of which something could be expected")
        last = self.steps[-1]
        expectations = (*last.expectations, Expectation(number, words))
        self.steps[-1] = ScriptStep(last.line, last.who, last.action, expectations)

    def _head(self, number: int, line: str) -> None:
        key = next((key for key in HEADINGS if line == key or line.startswith(f"{key} ")), None)
        if match := re.fullmatch(r"title (.+)", line):
            self.title = match[1]
        elif match := re.fullmatch(r"for (.+)", line):
            self.runs += [_run(number, part) for part in match[1].split(",")]
            games = [run.game for run in self.runs]
            if twice := next((game for game in games if games.count(game) > 1), None):
                raise NotationError(f"line {number}: {twice} is named twice")
        elif match := re.fullmatch(r"patron (\w+) (\S+)", line):
            self.patrons.append((number, match[1], match[2]))
        elif key and key not in REPEATED and any(key == said for _, said, _ in self.heading):
            raise NotationError(f"line {number}: {key} was said before")
        elif key:
            self.heading.append((number, key, line.removeprefix(key).strip()))
        else:
            raise NotationError(f"line {number}: expected title, for, patron, {', '.join(HEADINGS)}, found {line!r}")


def split_details(action: str) -> tuple[str, str]:
    """Return what is done, and the details in brackets after it."""
    quoted = _QUOTED_DEED.match(action)
    at = action.find(" [", quoted.end() if quoted else 1)
    return (action[:at], action[at + 2 : -1]) if at > 0 and action.endswith("]") else (action, "")


def _heads(line: str) -> bool:
    return any(line == key or line.startswith(f"{key} ") for key in ("title", "for", "patron", *HEADINGS))


def _run(number: int, part: str) -> ScriptGame:
    game, *clauses = part.split() or [""]
    if not game:
        raise NotationError(f"line {number}: expected games, such as: for tiger 3.8, baccarat 3.7")
    return ScriptGame(game, tuple(clauses))


def parse(text: str) -> Script:
    """Parse a script; blank lines and lines that begin with # are ignored."""
    reader = _Reader()
    for number, line in _lines(text):
        reader.take(number, line)
    if not reader.runs:
        raise NotationError("line 1: the script does not say which game it is for")
    if not reader.steps:
        raise NotationError("line 1: nothing is done in the script")
    return Script(reader.title, tuple(reader.runs), tuple(reader.heading), tuple(reader.patrons), tuple(reader.steps))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > _LONGEST_LINE:
            raise NotationError(f"line {number}: longer than {_LONGEST_LINE} letters")
        words = " ".join(line.split())
        if words and not words.startswith("#"):
            yield number, words
