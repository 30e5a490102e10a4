"""A rulebook: one game as values. Tables, odds and simulations are all derived from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from difflib import get_close_matches
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from math import lcm
from types import MappingProxyType
from typing import Any, TypeVar

from punto.cards import Composition
from punto.formatting import fraction, pays_or_push
from punto.given_values import as_whole
from punto.notebook import Markup, table
from punto.pay_ratios import Ratio, read_ratio
from punto.rules.conditions import Condition, Is, Sees
from punto.rules.coup import Unlawful, Winner

_T = TypeVar("_T")


class Result(StrEnum):
    """The result of a wager when the round is settled."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


VOID = "void"
"""The result of every wager of a void round. No line of a game may have this name."""


class CarriedOut(StrEnum):
    """How Punto ensures that a clause is kept."""

    DATA = "data"
    """It fixes a value in the game file: a definition, a pay line, a layout."""
    ENFORCED = "enforced"
    """The engine allows nothing else: a test shows the contrary refused, or that it cannot be written."""
    ATTESTED = "attested"
    """A physical fact that a named person confirms: the procedure waits for it, or its failure is recorded."""
    HOUSE = "house"
    """The rules leave it to the house, which sets it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One way a wager can end, and what it pays: the net ratio to the stake, 0 for a push, -1 for a loss."""

    outcome: str
    when: Condition
    pays: Fraction
    clause: str
    commission: Fraction = Fraction(0)
    """What is withheld from the win, as a ratio to the stake; ``pays`` is what remains."""
    result: Result = field(init=False)
    """A win, a loss or a push, by what it pays."""

    def __post_init__(self) -> None:
        won_or_pushed = Result.WIN if self.pays > 0 else Result.PUSH
        object.__setattr__(self, "result", Result.LOSE if self.pays < 0 else won_or_pushed)

    def __hash__(self) -> int:
        return hash(self.outcome)  # lines are looked up often, and no wager has two of one name

    def __repr__(self) -> str:
        return f"<Line {self.outcome!r}: {self._said()}, clause {self.clause}>"

    def _repr_html_(self) -> Markup:
        row = (self.outcome, self.result.value, pays_or_push(self.pays), self.clause)
        return table("Settled", ("Outcome", "Result", "Pays", "Clause"), [row], figures=("Pays",))

    def _said(self) -> str:
        return pays_or_push(self.pays) or self.result.value


@dataclass(frozen=True)
class Wager:
    """A wager patrons may place. The first of its lines that holds decides it; if none holds, it loses."""

    name: str
    clause: str
    area: str | None
    """The clause that gives it a playing area on the layout."""
    lines: tuple[Line, ...]
    loss: Line

    @property
    def outcomes(self) -> tuple[Line, ...]:
        """Every way the wager can end, the loss last."""
        return (*self.lines, self.loss)

    def line(self, outcome: str) -> Line:
        """Return the line of that outcome, ignoring case; raise ``ValueError`` with the nearest if there is none."""
        line = next((line for line in self.lines if line.outcome.casefold() == outcome.strip().casefold()), None)
        if line is None:
            known = _nearest(outcome, [line.outcome for line in self.lines])
            raise ValueError(f"{self.name} has no paying outcome {outcome!r}; {known}")
        return line

    @cached_property
    def parts(self) -> int:
        """How many parts make a unit, so that everything the wager pays is a whole number of them."""
        return lcm(*(line.pays.denominator for line in self.outcomes))

    @cached_property
    def sees(self) -> Sees:
        """The parts of a coup its settlement depends on."""
        seen = Sees.NOTHING
        for line in self.lines:
            seen |= line.when.sees
        return seen

    @cached_property
    def on(self) -> Winner | None:
        """The outcome it is on, as Player, Banker and Tie are: when that comes, it wins; None for a side wager."""
        won = [line.when for line in self.lines if line.result is Result.WIN]
        return next((each for each in Winner if Is("winner", frozenset({each.value})) in won), None)

    def __repr__(self) -> str:
        return f"<Wager {self.name!r}: {', '.join(f'{line.outcome} {line._said()}' for line in self.lines)}>"

    def _repr_html_(self) -> Markup:
        return _lines_shown(f"{self.name}, clause {self.clause}", (self,))


def _lines_shown(caption: str, wagers: tuple[Wager, ...]) -> Markup:
    """Return a notebook table of wagers, line by line."""
    rows = [
        (wager.name if line is wager.lines[0] else "", line.outcome, pays_or_push(line.pays), line.clause)
        for wager in wagers
        for line in wager.lines
    ]
    return table(caption, ("Wager", "Outcome", "Pays", "Clause"), rows, figures=("Pays",))


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered clause of the document, restated in one line."""

    number: str
    text: str
    provision: str
    carried_out: CarriedOut
    origin: str | None = None
    """The approved game and clause that it is borrowed from, such as ``tiger 3.5``; None if it is the game's own."""


@dataclass(frozen=True, slots=True)
class Range:
    """A range of whole numbers: decks in a shoe, playing positions on a layout."""

    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class Layout:
    """An approved table layout. Without positions, their number is left to the house."""

    name: str
    clause: str
    positions: Range | None
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Method:
    """A way of conducting the round: who draws, who may handle the cards, where it is allowed and who allows it."""

    name: str
    clause: str
    draws: str
    patrons_handle_cards: bool
    squeezing: bool
    hlga_only: bool
    device: str | None
    """The kind of dealing device it needs; None if any will do."""
    chosen_by: str


@dataclass(frozen=True, slots=True)
class RoundOfPlay:
    """What opens a round, what closes the wagers, and what concludes it."""

    commencement: str
    closing: str
    concludes_with: tuple[str, ...]


@dataclass(frozen=True)
class Rulebook:
    """One game: its wagers, layouts and methods, and every clause of its document. Get one with ``load``."""

    key: str
    title: str
    version: str | None
    effective: date | None
    decks: Range
    wagers: tuple[Wager, ...]
    clauses: Mapping[str, Clause]
    layouts: tuple[Layout, ...]
    methods: tuple[Method, ...]
    round_of_play: RoundOfPlay | None
    hlga: tuple[str, ...]
    differential: tuple[str, str] | None
    digest: str
    """SHA-256 of the game file, in hexadecimal; identifies the text of the rules in force."""
    former: tuple[str, ...] = ()
    """The digests of former editions of the file, which differ in wording only: tables opened with one are played on
    with this one.
    """
    variant_of: Rulebook | None = None
    """The game that a variant made by ``with_pays`` differs from; None for a game read from a file."""

    def wager(self, name: str) -> Wager:
        """Return the wager of that name, ignoring case; raise ``Unlawful`` if the game does not have it."""
        if not isinstance(name, str):
            raise TypeError(f"expected the name of a wager, found {name!r}")
        wager = self._wagers_by_name.get(name.strip().casefold())
        if wager is None:
            names = ", ".join(wager.name for wager in self.wagers)
            raise Unlawful(f"{self.title} has no wager {name!r}; its wagers are {names}", "available-wagers")
        return wager

    def method(self, name: str | None) -> Method | None:
        """Return the method of that name; None if the game does not have it."""
        return next((method for method in self.methods if method.name == name), None)

    def clauses_of(self, provision: str) -> tuple[Clause, ...]:
        """Return the clauses that make this provision in this game; empty if the game has no such rule."""
        return self._clauses_by_provision.get(provision, ())

    def clause_of(self, provision: str) -> str | None:
        """Return the number of the clause that makes this provision; None if there is not exactly one."""
        made = self.clauses_of(provision)
        return made[0].number if len(made) == 1 else None

    def cite(self, error: Unlawful) -> str:
        """Return the sentence of a refusal, followed by the clause it rests on where this game has one."""
        given: object = error
        if not isinstance(given, Unlawful):
            raise TypeError(f"expected a refusal of the rules, as an Unlawful error is, found {given!r}")
        clause = self.clause_of(error.provision) if error.provision else None
        return f"{error} ({self.title} {clause})" if clause else str(error)

    def shoe(self, decks: int) -> Composition:
        """Return a full shoe of ``decks`` decks; raise ``Unlawful`` if the game does not allow it."""
        number = as_whole(decks)
        if number is None:
            raise TypeError(f"expected a whole number of decks, found {decks!r}")
        if not self.decks.fewest <= number <= self.decks.most:
            allowed = f"{self.decks.fewest} to {self.decks.most} decks"
            raise Unlawful(f"{self.title} is played with {allowed}, not {decks}", "decks")
        return Composition.of_decks(number)

    @property
    def usual_decks(self) -> int:
        """Eight, or the nearest number that the game allows."""
        return min(max(8, self.decks.fewest), self.decks.most)

    def table_differential(self, totals: Mapping[str, int]) -> int:
        """Return how far apart the total wagers on the two hands are, from the total on each wager."""
        if self.differential is None:
            raise Unlawful(f"{self.title} has no table differential")
        one, other = self.differential
        return abs(totals.get(one, 0) - totals.get(other, 0))

    def with_pays(self, pays: Mapping[str, Mapping[str, Ratio]]) -> Rulebook:
        """Return a variant of the game that differs in these pays alone, by wager and outcome.

        A variant is never an approved game: its key, title and digest are its own, it has no version and no date, and
        clauses that state a changed ratio say so. Pays equal to the game's own are no change; without any change the
        game itself is returned. Where a commission is withheld, the ratio before commission stays as it is.

        >>> from punto import load
        >>> load("tiger").with_pays({"Tiger": {"two-card 6": "10 to 1", "three-card 6": 25}}).wager("Tiger")
        <Wager 'Tiger': two-card 6 10 to 1, three-card 6 25 to 1>
        """
        paid = {(wager.name, line.outcome): line.pays for wager in self.wagers for line in wager.lines}
        for name, changes in _expect_mapping(pays, "wagers").items():
            if name.strip().casefold() not in self._wagers_by_name:
                known = _nearest(name, [wager.name for wager in self.wagers])
                raise ValueError(f"{self.title} has no wager {name!r}; {known}")
            wager = self.wager(name)
            for outcome, ratio in _expect_mapping(changes, f"outcomes of {wager.name}").items():
                line = wager.line(outcome)
                paid[wager.name, line.outcome] = _pays_of(line, wager, ratio)
        return _variant(self.variant_of or self, paid)

    def __hash__(self) -> int:
        return hash((self.key, self.digest))

    def __getstate__(self) -> dict[str, object]:
        """Return all that makes the game, for pickling and copying; what was derived from it is derived again."""
        return {name: dict(self.clauses) if name == "clauses" else getattr(self, name) for name in _FIELDS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"clauses": MappingProxyType(state["clauses"])})

    def __repr__(self) -> str:
        return f"<Rulebook {self.key!r}: {self._title()}>"

    def _repr_html_(self) -> Markup:
        return _lines_shown(self._title(), self.wagers)

    def _title(self) -> str:
        return f"{self.title}, version {self.version}" if self.version else self.title

    @cached_property
    def _wagers_by_name(self) -> dict[str, Wager]:
        return {wager.name.casefold(): wager for wager in self.wagers}

    @cached_property
    def _clauses_by_provision(self) -> dict[str, tuple[Clause, ...]]:
        made: dict[str, tuple[Clause, ...]] = {}
        for clause in self.clauses.values():
            made[clause.provision] = (*made.get(clause.provision, ()), clause)
        return made


_FIELDS = tuple(each.name for each in fields(Rulebook))


# --- variants ---


def _variant(base: Rulebook, paid: Mapping[tuple[str, str], Fraction]) -> Rulebook:
    """Return the game with these pays; the game itself if they are its own."""
    changed = [
        (wager, line, pays)
        for wager in base.wagers
        for line in wager.lines
        if (pays := paid[wager.name, line.outcome]) != line.pays
    ]
    if not changed:
        return base
    stated = [[wager.name, line.outcome, fraction(pays)] for wager, line, pays in changed]
    digest = sha256(json.dumps(["punto variant by pays", base.digest, stated]).encode()).hexdigest()
    lines = {
        (wager.name, line.outcome): replace(line, pays=pays, commission=_commission(line, pays))
        for wager, line, pays in changed
    }
    return replace(
        base,
        key=f"{base.key}-variant-{digest[:8]}",
        title=f"{base.title}, variant {digest[:8]} with other pays, not approved",
        version=None,
        effective=None,
        wagers=tuple(_with_lines(wager, lines) for wager in base.wagers),
        clauses=MappingProxyType(dict(base.clauses) | _restated(base, changed)),
        digest=digest,
        former=(),
        variant_of=base,
    )


def _pays_of(line: Line, wager: Wager, ratio: Ratio) -> Fraction:
    try:
        pays = read_ratio(ratio)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{wager.name}, {line.outcome}: {error}") from None
    if line.outcome.casefold() in {Result.WIN, Result.PUSH} - {Result.WIN if pays else Result.PUSH}:
        found = "a win" if pays else "a push"
        raise ValueError(f'{wager.name}: an outcome named "{line.outcome}" cannot be {found}')
    return pays


def _commission(line: Line, pays: Fraction) -> Fraction:
    """Return what is withheld when the ratio before commission stays as it is; nothing from a push."""
    return max(line.pays + line.commission - pays, Fraction(0)) if line.commission and pays else Fraction(0)


def _with_lines(wager: Wager, lines: Mapping[tuple[str, str], Line]) -> Wager:
    """Return the wager with some of its lines replaced; the wager itself if none of them is its own."""
    if not any((wager.name, line.outcome) in lines for line in wager.lines):
        return wager
    return replace(wager, lines=tuple(lines.get((wager.name, line.outcome), line) for line in wager.lines))


def _restated(base: Rulebook, changed: Iterable[tuple[Wager, Line, Fraction]]) -> dict[str, Clause]:
    """Return the clauses that state a changed ratio, each with what the variant pays instead."""
    told: dict[str, list[str]] = {}
    for wager, line, pays in changed:
        told.setdefault(line.clause, []).append(f"{wager.name}, {line.outcome}: {pays_or_push(pays)}")
    return {
        number: replace(clause, text=f"{clause.text} Not so in this variant: {'; '.join(told[number])}.")
        for number, clause in base.clauses.items()
        if number in told
    }


def _nearest(name: str, names: Iterable[str]) -> str:
    """Return a hint at the names that someone may have meant: the nearest, or all of them."""
    by_case = {each.casefold(): each for each in names}
    near = [by_case[each] for each in get_close_matches(name.strip().casefold(), by_case, n=3)]
    return f"did you mean {' or '.join(near)}?" if near else f"expected one of {', '.join(by_case.values())}"


def _expect_mapping(found: Mapping[str, _T], of: str) -> Mapping[str, _T]:
    """Return the mapping; raise ``TypeError`` for anything that does not map names."""
    given: object = found
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise TypeError(f"expected a mapping from the names of {of}, found {found!r}")
    return found
