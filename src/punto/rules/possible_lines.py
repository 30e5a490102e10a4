"""The ways a wager can still end in the middle of a round.

Exact: a line counts as possible if and only if some order of the unexposed cards reaches it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from punto.cards import CardError, Composition
from punto.rules.conditions import Sees
from punto.rules.deal_counts import LONGEST_COUP, CardsSeen, possible_outcomes
from punto.rules.hands.hand_states import counted_by_hands
from punto.rules.hands.reachable import lines_by_hands
from punto.rules.rulebook import Line, Wager
from punto.rules.settlement import settle


@dataclass(frozen=True, slots=True)
class Possible:
    """The ways one wager can still end: the lines that may yet decide it, and whether the cards may run out."""

    lines: frozenset[Line]
    void: bool


def possible_lines(wagers: Sequence[Wager], seen: CardsSeen, unexposed: Composition) -> dict[str, Possible]:
    """Return for each wager the lines that some completion of the coup reaches."""
    alike: dict[Sees, list[Wager]] = defaultdict(list)
    possible: dict[str, Possible] = {}
    for wager in wagers:
        if counted_by_hands(wager):
            possible[wager.name] = _by_hands(wager, seen, unexposed)
        else:
            alike[wager.sees].append(wager)
    for sees, group in alike.items():
        possible |= _possible(sees, group, seen, unexposed)
    return {wager.name: possible[wager.name] for wager in wagers}


def _by_hands(wager: Wager, seen: CardsSeen, unexposed: Composition) -> Possible:
    lines, void = lines_by_hands(wager, seen, unexposed)
    if not void and not lines:
        raise CardError("no lawful coup shows these cards")
    return Possible(lines, void)


def _possible(sees: Sees, wagers: list[Wager], seen: CardsSeen, unexposed: Composition) -> dict[str, Possible]:
    """Return the possible lines of wagers that read the same parts of a coup."""
    lines: dict[str, set[Line]] = {wager.name: set() for wager in wagers}
    void = False
    unmet = wagers
    for outcome in possible_outcomes(sees, seen, unexposed):
        if outcome is None:
            void = True
            continue
        for wager in unmet:
            lines[wager.name].add(settle(wager, outcome))
        unmet = [wager for wager in unmet if len(lines[wager.name]) < len(wager.outcomes)]
        if not unmet and len(unexposed) >= LONGEST_COUP:
            break  # every line has been reached, and this many cards cannot run out
    if not void and not all(lines.values()):
        raise CardError("no lawful coup shows these cards")
    return {name: Possible(frozenset(reached), void) for name, reached in lines.items()}
