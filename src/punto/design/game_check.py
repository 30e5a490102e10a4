"""Check a game: one list of findings for the command line, the pages and the papers that are filed.

A finding is a code with typed values; its sentence stands in ``texts`` under the subject ``checks``. An error keeps a
game from being dealt, a warning does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from punto.design.clause_words import words_findings
from punto.design.countability import PER_HUNDRED, counted_gains
from punto.design.dead_lines import dead_lines
from punto.formatting import decimal, fraction, money, pays_or_push, percent
from punto.odds.edge_checks import checks_of
from punto.odds.exact import Odds, odds
from punto.rules.caller_input import Game, Shoe, game_of
from punto.rules.library.key_lines import key_of_line, line_of_key
from punto.rules.rulebook import Result, Rulebook
from punto.texts import Language, text

LEAST_HITS = Fraction(1, 1000)
"""A wager that wins less often is one that few patrons ever see win."""
CHIPS = (500_000, 100_000, 50_000, 10_000, 2_500, 500, 100)
"""The chips a table pays with unless the caller names its own, in cents."""

Figure = Fraction | int | str | tuple[str, ...]


class Severity(StrEnum):
    """Whether a game with a finding can be dealt."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class GameFinding:
    """One thing a designer should know: what it is, about which wager and line, and the figures behind it."""

    code: str
    severity: Severity
    wager: str | None = None
    outcome: str | None = None
    """The outcome of the line it is about; None if it is about the wager or the game."""
    values: Mapping[str, Figure] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()
    """The clauses whose words it is about, if it is about words."""
    line: int | None = None
    """Where in the game's file it stands, from 1; None where the file is not at hand or borrows it."""

    def sentence(self, language: Language = Language.ENGLISH) -> str:
        """Return the finding for people to read."""
        told = {name: _said(name, value) for name, value in self.values.items()}
        return text("checks", self.code, language, wager=self.wager, outcome=self.outcome, clauses=self.clauses, **told)

    def place(self, language: Language = Language.ENGLISH) -> str:
        """Return where in the file it stands, as people write it before a sentence; empty if that is not known."""
        return "" if self.line is None else text("checks", "at-line", language, line=self.line)

    def to_dict(self, language: Language = Language.ENGLISH) -> dict[str, object]:
        """Return the finding ready for JSON: fractions as text."""
        values = {name: fraction(each) if isinstance(each, Fraction) else each for name, each in self.values.items()}
        return {
            "code": self.code,
            "severity": self.severity.value,
            "wager": self.wager,
            "outcome": self.outcome,
            "clauses": list(self.clauses),
            "line": self.line,
            "figures": values,
            "sentence": self.sentence(language),
        }


def _said(name: str, value: Figure) -> str:
    if isinstance(value, Fraction):
        if name == "pays":
            return pays_or_push(value)
        return decimal(value) if name == "gain" else percent(value)
    if isinstance(value, tuple):
        return "; ".join(value)
    return money(value, grouped=True) if name in ("chip", "stake") and isinstance(value, int) else str(value)


def check(
    game: Game,
    shoe: Shoe | None = None,
    chips: tuple[int, ...] = CHIPS,
    *,
    countable: bool = True,
    file: str | None = None,
) -> tuple[GameFinding, ...]:
    """Return what is wrong or unusual about a game, wager by wager; from a full shoe unless one is given.

    Without ``countable`` it is quick: what counting gains takes the effects of removing every card. The text of the
    game's ``file`` gives findings about its lines their place.

    >>> [(each.wager, each.code) for each in check("tiger") if each.code == "above-a-quarter"]
    [('Tiger Tie', 'above-a-quarter')]
    """
    book = game_of(game)
    found = odds(book, book.usual_decks if shoe is None else shoe)
    findings = [*_dead_lines(book, file), *_edges(found), *_rare_hits(found), *_unpayable(book, min(chips))]
    findings += _words(book, file)
    findings += _countable(book, found) if countable else ()
    order = {wager.name: at for at, wager in enumerate(book.wagers)}
    return tuple(sorted(findings, key=lambda each: order.get(each.wager or "", -1)))


def _dead_lines(book: Rulebook, file: str | None) -> Iterator[GameFinding]:
    """Yield the lines that no coup reaches; an approved game and one that was loaded to be dealt has none."""
    for each in dead_lines(book):
        values: dict[str, Figure] = {"number": each.at + 1}
        code: str = each.why
        if each.before:
            values["before"] = tuple(line.outcome for line in each.before)
        if each.coup:
            values["cards"] = " ".join(map(str, each.coup.in_dealing_order()))
            code += "-coup"
        key = None if file is None else key_of_line(file, each.wager.name, each.at)
        place = line_of_key(file, key) if file and key else None
        yield GameFinding(code, Severity.ERROR, each.wager.name, each.line.outcome, values, line=place)


def _words(book: Rulebook, file: str | None) -> Iterator[GameFinding]:
    """Yield where the words of clauses do not fit the game, at the key of the file that they contradict."""
    for each in words_findings(book):
        own = (number for number in each.clauses if not book.clauses[number].origin)
        keys = (each.key, f"{each.key}[1]", *(f"clauses.{number}" for number in own))
        place = next((at for key in keys if file and key and (at := line_of_key(file, key))), None)
        yield GameFinding(each.code, Severity.WARNING, values=each.values, clauses=each.clauses, line=place)


def _edges(found: Odds) -> Iterator[GameFinding]:
    for each in checks_of(found):
        values: dict[str, Figure] = {"house_edge": each.house_edge, "returned": 1 - each.house_edge}
        yield GameFinding(each.concern.value, Severity.WARNING, each.wager, None, values | {"cards": each.cards})


def _rare_hits(found: Odds) -> Iterator[GameFinding]:
    for each in found.wagers:
        if each.hit_frequency < LEAST_HITS:
            rounds = round(1 / each.hit_frequency) if each.hit_frequency else 0
            values: dict[str, Figure] = {"hit_frequency": each.hit_frequency, "rounds": rounds}
            yield GameFinding("rare-hits", Severity.WARNING, each.wager.name, None, values)


def _unpayable(book: Rulebook, chip: int) -> Iterator[GameFinding]:
    """Yield the lines that chips pay exactly only on a multiple of the least, and that multiple."""
    for wager in book.wagers:
        for line in wager.lines:
            if line.result is Result.WIN and line.pays.denominator > 1:
                values: dict[str, Figure] = {"pays": line.pays, "chip": chip, "stake": chip * line.pays.denominator}
                yield GameFinding("rounding", Severity.WARNING, wager.name, line.outcome, values)


def _countable(book: Rulebook, found: Odds) -> Iterator[GameFinding]:
    for name, gain in counted_gains(book, found).items():
        if gain >= PER_HUNDRED:
            yield GameFinding("countable", Severity.WARNING, name, None, {"gain": gain, "cards": found.cards})
