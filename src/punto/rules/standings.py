"""Which wagers are already won, lost or pushed, whatever the unexposed cards turn out to be (reading R10)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from punto.cards import Composition
from punto.rules.caller_input import Game, Shoe, game_of, seen_of, unexposed_cards
from punto.rules.deal_counts import CardsSeen
from punto.rules.possible_lines import Possible, possible_lines
from punto.rules.rulebook import Result, Wager


class Standing(StrEnum):
    """The standing of a wager in the middle of a round."""

    WON = "won"
    LOST = "lost"
    PUSHED = "pushed"
    OPEN = "open"


_STANDING = {Result.WIN: Standing.WON, Result.LOSE: Standing.LOST, Result.PUSH: Standing.PUSHED}


def standings(game: Game, seen: CardsSeen, shoe: Shoe = 8) -> dict[str, Standing]:
    """Return how each wager of a game stands, from the exposed cards and all others: in the shoe or face down.

    ``shoe`` is a number of decks, from which only the exposed cards are missing, or the cards not yet exposed.

    >>> standings("tiger", CardsSeen(player="4h 4d"), 8)["Tiger Pair"].value
    'won'
    """
    book, seen = game_of(game), seen_of(seen)
    return standings_of(book.wagers, seen, unexposed_cards(book, shoe, seen))


def standings_of(wagers: Sequence[Wager], seen: CardsSeen, unexposed: Composition) -> dict[str, Standing]:
    """Return how each of the wagers stands."""
    return {name: _standing(possible) for name, possible in possible_lines(wagers, seen, unexposed).items()}


def _standing(possible: Possible) -> Standing:
    """Decided only if every completion gives one result; a completion that voids the round decides nothing."""
    results = {line.result for line in possible.lines}
    return _STANDING[results.pop()] if len(results) == 1 and not possible.void else Standing.OPEN
