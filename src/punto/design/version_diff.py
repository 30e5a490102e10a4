"""What changed between two versions of a game: in its clauses, in what its wagers pay, and in figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from punto.formatting import pays_or_push
from punto.odds.exact import wager_odds
from punto.rules.rulebook import Line, Rulebook, Wager


class Subject(StrEnum):
    """What a change is about."""

    GAME = "game"
    CLAUSE = "clause"
    WAGER = "wager"
    LINE = "line"
    CONDITION = "condition"
    """When a line holds; beside it stands what it paid and pays."""
    HOUSE_EDGE = "house-edge"


@dataclass(frozen=True, slots=True)
class VersionChange:
    """One difference: what it is about, and how it was and is; None where there was or is nothing."""

    subject: Subject
    name: str
    """The number of a clause, the name of a wager, or what of the game."""
    outcome: str | None
    old: str | Fraction | None
    new: str | Fraction | None


def changes(old: Rulebook, new: Rulebook) -> tuple[VersionChange, ...]:
    """Return what differs between two versions of a game; edges are those of the usual number of decks of each.

    >>> from punto import load
    >>> found = changes(load("tiger"), load("tiger-no-commission"))
    >>> [each.name for each in found if each.subject is Subject.HOUSE_EDGE]
    ['Banker']
    """
    return (*_of_game(old, new), *_of_clauses(old, new), *_of_wagers(old, new))


def _changed(
    subject: Subject, name: str, old: str | Fraction | None, new: str | Fraction | None, outcome: str | None = None
) -> Iterator[VersionChange]:
    if old != new:
        yield VersionChange(subject, name, outcome, old, new)


_PARTS = ("title", "version", "effective", "decks", "methods", "layouts", "round_of_play", "hlga", "differential")


def _of_game(old: Rulebook, new: Rulebook) -> Iterator[VersionChange]:
    for name in _PARTS:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield from _changed(Subject.GAME, name, _told(before), _told(after))


def _told(value: object) -> str | None:
    """Return a setting of a game as text; parts of the game by their names."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return ", ".join(str(getattr(each, "name", each)) for each in value)
    fewest, most = getattr(value, "fewest", None), getattr(value, "most", None)
    return f"{fewest} to {most}" if most else str(value)


def _of_clauses(old: Rulebook, new: Rulebook) -> Iterator[VersionChange]:
    for number in dict.fromkeys((*old.clauses, *new.clauses)):
        before, after = old.clauses.get(number), new.clauses.get(number)
        yield from _changed(Subject.CLAUSE, number, before.text if before else None, after.text if after else None)


def _of_wagers(old: Rulebook, new: Rulebook) -> Iterator[VersionChange]:
    before, after = ({wager.name: wager for wager in book.wagers} for book in (old, new))
    for name in dict.fromkeys((*before, *after)):
        one, other = before.get(name), after.get(name)
        if one and other and one.lines == other.lines and old.usual_decks == new.usual_decks:
            continue
        if not one or not other:
            yield from _changed(Subject.WAGER, name, one.clause if one else None, other.clause if other else None)
        lines = [{line.outcome: line for line in wager.lines} if wager else {} for wager in (one, other)]
        for outcome in dict.fromkeys((*lines[0], *lines[1])):
            was, now = lines[0].get(outcome), lines[1].get(outcome)
            yield from _changed(Subject.LINE, name, _paid(was), _paid(now), outcome)
            if was and now and was.when != now.when:
                yield VersionChange(Subject.CONDITION, name, outcome, _paid(was), _paid(now))
        yield from _changed(Subject.HOUSE_EDGE, name, _edge(one, old), _edge(other, new))


def _edge(wager: Wager | None, book: Rulebook) -> Fraction | None:
    return wager_odds(wager, book.shoe(book.usual_decks)).house_edge if wager else None


def _paid(line: Line | None) -> str | None:
    return pays_or_push(line.pays) if line else None
