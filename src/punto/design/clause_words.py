"""Compare what the clauses of a game say with what its file has: ratios, wagers, clauses, and what they borrow.

A file that borrows keeps the words of the approved game where its own data differ from it; those words are found here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from punto.formatting import ratio
from punto.rules.coup import Winner
from punto.rules.game_library import origins_of
from punto.rules.rulebook import Clause, Line, Range, Result, Rulebook, Wager

_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)+(?![\d.]*\d)(?! to 1)")
"""A clause that a clause names; a ratio is none."""
_RATIO = re.compile(r"(\d+(?:\.\d+)?) to ([1-9]\d*)")
_USUAL = (1, 2)
"""What a ratio is to, as a rule: "wins by 6 to 8" is no ratio."""
_LISTS = "available-wagers", "side-wagers-alone"
_HANDS = {Winner.PLAYER, Winner.BANKER}

PaidLine = tuple[Wager, Line]


@dataclass(frozen=True, slots=True)
class WordsFinding:
    """Where the words of a clause and the file differ: a code, the clauses it is about, and what is said of them."""

    code: str
    clauses: tuple[str, ...]
    values: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    """The key of the file that the words contradict; empty if there is none."""


def words_findings(book: Rulebook) -> tuple[WordsFinding, ...]:
    """Return every place where the words of the clauses do not fit the game."""
    return (
        *_ratios(book),
        *_left_out(book),
        *_named(book),
        *_lists(book),
        *_areas(book),
        *_borrowed_data(book),
        *_wagers(book),
    )


def questioned(book: Rulebook) -> frozenset[str]:
    """Return the clauses whose words are in question."""
    return frozenset(clause for each in words_findings(book) for clause in each.clauses)


def in_order(clauses: Iterable[Clause]) -> list[Clause]:
    """Return clauses by their numbers."""
    return sorted(clauses, key=lambda clause: [int(part) for part in clause.number.split(".")])


# --- ratios ---


def stated_by(book: Rulebook, clause: str) -> tuple[PaidLine, ...]:
    """Return the lines that a clause states, if a wager wins by one of them: a clause of pushes alone says it all."""
    lines = tuple((wager, line) for wager in book.wagers for line in wager.lines if line.clause == clause)
    return lines if any(line.result is Result.WIN for _, line in lines) else ()


def _ratios(book: Rulebook) -> Iterator[WordsFinding]:
    """Yield the ratios that words of a settlement clause have and no line that cites it, and the other way round."""
    for clause in in_order(book.clauses_of("settlement")):
        if not (lines := stated_by(book, clause.number)):
            continue
        named = {Fraction(above) / int(below): int(below) for above, below in _RATIO.findall(clause.text)}
        paying: dict[Fraction, list[str]] = {}
        for wager, line in lines:
            if line.pays:
                paying.setdefault(line.pays, []).append(f"{wager.name} ({line.outcome})")
        stray = {pays for pays, below in named.items() if below in _USUAL and pays not in paying}
        for pays in sorted(stray | paying.keys() - named.keys()):
            told = {"ratio": ratio(pays)}
            if pays in stray:
                yield WordsFinding("ratio-in-words", (clause.number,), told)
            else:
                yield WordsFinding("ratio-in-lines", (clause.number,), told | {"lines": "; ".join(paying[pays])})


# --- what was left out, and what was added ---


def _left_out(book: Rulebook) -> Iterator[WordsFinding]:
    """Yield the clauses that are about a wager alone that the game has left out."""
    for wager in _missing(book):
        if clauses := _about_alone(book, wager):
            yield WordsFinding("clauses-of-left-out", clauses, {"name": wager.name}, "without")


def _named(book: Rulebook) -> Iterator[WordsFinding]:
    """Yield the other clauses that name a clause or a wager that the game has left out."""
    base, _ = origins_of(book)
    gone = base.clauses.keys() - book.clauses.keys() if base else set()
    alone = {wager.name: _about_alone(book, wager) for wager in _missing(book)}
    named = _names({each.name for each in book.wagers} | alone.keys())
    for clause in in_order(book.clauses.values()):
        for number in dict.fromkeys(_NUMBER.findall(clause.text)):
            if number in gone:
                yield WordsFinding("names-no-clause", (clause.number,), {"name": number})
        for name in dict.fromkeys(named.findall(clause.text)):
            if clause.number not in alone.get(name, (clause.number,)):
                yield WordsFinding("names-left-out", (clause.number,), {"name": name})


def _names(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds wagers by name, the longest first: Tiger Tie is not Tiger."""
    return re.compile("|".join(rf"\b{re.escape(each)}\b" for each in sorted(names, key=len, reverse=True)) or "(?!)")


def _missing(book: Rulebook) -> tuple[Wager, ...]:
    base, _ = origins_of(book)
    own = {each.name for each in book.wagers}
    return tuple(each for each in base.wagers if each.name not in own) if base else ()


def _about_alone(book: Rulebook, wager: Wager) -> tuple[str, ...]:
    """Return the borrowed clauses that are about a wager that was left out, and about no wager that is there.

    Player and Banker are hands too, so that a clause that names them may still be about another wager alone.
    """
    base, shared = origins_of(book)
    assert base
    cited = {number for each in book.wagers for number in _cited(each)}
    named = _names(each.name for each in base.wagers)
    hands = {each.name for each in base.wagers if each.on in _HANDS}
    there = {each.name for each in book.wagers} - hands
    found = []
    for clause in in_order(book.clauses.values()):
        if clause.number in cited or clause.number not in shared or clause.provision in _LISTS:
            continue
        names = set(named.findall(clause.text))
        if (wager.name in names or shared[clause.number].number in (wager.clause, wager.area)) and not names & there:
            found.append(clause.number)
    return tuple(found)


def _cited(wager: Wager) -> Iterator[str]:
    yield from (wager.clause, *([wager.area] if wager.area else []), *(line.clause for line in wager.lines))


def _added(book: Rulebook) -> tuple[Wager, ...]:
    base, _ = origins_of(book)
    known = {wager.name for wager in base.wagers} if base else set()
    return tuple(wager for wager in book.wagers if wager.name not in known) if base else ()


def _lists(book: Rulebook) -> Iterator[WordsFinding]:
    """Yield the wagers that a game adds and that its lists of wagers do not name."""
    _, shared = origins_of(book)
    available, alone = _LISTS
    for clause in book.clauses_of(available):
        for wager in _added(book):
            if wager.name not in clause.text:
                yield WordsFinding("not-available", (clause.number,), {"name": wager.name})
    for clause in book.clauses_of(alone):
        for wager in _added(book):
            if clause.number in shared and wager.on not in _HANDS and wager.name not in clause.text:
                yield WordsFinding("not-alone", (clause.number,), {"name": wager.name})


def _areas(book: Rulebook) -> Iterator[WordsFinding]:
    """Yield the wagers that a game adds and to which no clause gives a playing area, where the others have one."""
    base, _ = origins_of(book)
    if base is None or not all(each.area for each in base.wagers):
        return
    layouts = tuple(each.number for each in book.clauses_of("layouts"))
    for wager in _added(book):
        if wager.area is None:
            yield WordsFinding("no-area", layouts, {"name": wager.name})
        elif wager.name not in book.clauses[wager.area].text:
            yield WordsFinding("area-unnamed", (wager.area,), {"name": wager.name})


# --- what borrowed words state ---


def _range(found: Range | None) -> str:
    return "" if found is None else f"{found.fewest}" if found.fewest == found.most else f"{found.fewest}–{found.most}"


def _layouts(book: Rulebook) -> tuple[str, ...]:
    told = ((each.name, _range(each.positions), "+".join(each.languages)) for each in book.layouts)
    return tuple(f"{name} ({', '.join(filter(None, facts))})" for name, *facts in told)


def _methods(book: Rulebook) -> tuple[str, ...]:
    return tuple(each.name for each in book.methods)


def _commissions(book: Rulebook) -> tuple[str, ...]:
    return tuple(dict.fromkeys(w.name for w in book.wagers for line in w.lines if line.commission))


_STATED: tuple[tuple[str, str, Callable[[Rulebook], tuple[str, ...]]], ...] = (
    ("decks", "decks", lambda book: (_range(book.decks),)),
    ("hlga", "hlga", lambda book: book.hlga),
    ("layouts", "layout", _layouts),
    ("methods", "method", _methods),
    ("differential", "differential", lambda book: book.differential or ()),
    ("commission", "wager", _commissions),
    ("commencement", "round_of_play", lambda book: (book.round_of_play.commencement,) if book.round_of_play else ()),
    ("closing", "round_of_play", lambda book: (book.round_of_play.closing,) if book.round_of_play else ()),
    ("round-of-play", "round_of_play", lambda book: book.round_of_play.concludes_with if book.round_of_play else ()),
)
"""The provision whose clause states something of the file, the key of the file, and what the file has."""


def _borrowed_data(book: Rulebook) -> Iterator[WordsFinding]:
    """Yield the borrowed clauses that state what the approved game has where the file has something else."""
    base, shared = origins_of(book)
    if base is None:
        return
    for provision, key, told in _STATED:
        there, here = told(base), told(book)
        stated = tuple(each.number for each in book.clauses_of(provision) if each.number in shared)
        if set(there) == set(here) or not stated:
            continue
        before, now = ([each for each in one if each not in other] for one, other in ((there, here), (here, there)))
        values = {"about": provision, "base": base.title, "before": "; ".join(before), "now": "; ".join(now)}
        code = "borrowed-differs" if before and now else "borrowed-has-more" if before else "borrowed-has-less"
        yield WordsFinding(code, stated, values, key)


def _wagers(book: Rulebook) -> Iterator[WordsFinding]:
    """Yield the wagers that end otherwise than in the approved game while a clause that says how is borrowed."""
    base, shared = origins_of(book)
    if base is None:
        return
    there = {each.name: each for each in base.wagers}
    for wager in book.wagers:
        other = there.get(wager.name)
        if other is None:
            continue
        known = [(line.when, line.result) for line in other.lines]
        new = [line for line in wager.lines if (line.when, line.result) not in known]
        # A wager on a hand is defined by which hand wins, whatever else its lines say.
        cited = [line.clause for line in new] + ([wager.clause] if new and wager.on not in _HANDS else [])
        if clauses := tuple(sorted({each for each in cited if each in shared})):
            yield WordsFinding("borrowed-wager", clauses, {"base": base.title, "name": wager.name}, "wager")
