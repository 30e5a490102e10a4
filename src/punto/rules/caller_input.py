"""What a caller may give where a game, a shoe or exposed cards are expected; anything else is refused in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from punto.cards import Cards, Composition
from punto.given_values import as_whole
from punto.rules.deal_counts import CardsSeen
from punto.rules.game_library import load
from punto.rules.rulebook import Rulebook, Wager

_Stake = TypeVar("_Stake")

Game = Rulebook | str | Path
"""A game as a caller may give it: its rulebook, the key of an approved one, or the path of a file."""
Shoe = Cards | int
"""The unexposed cards as a caller may give them: a number of decks, or the cards."""


def game_of(given: Game) -> Rulebook:
    """Return the rulebook of a game.

    >>> game_of("tiger") is game_of(load("tiger"))
    True
    >>> game_of(8)
    Traceback (most recent call last):
    TypeError: expected a game: a rulebook, a key such as tiger, or the path of a file; found 8
    """
    return given if isinstance(given, Rulebook) else load(given)


def wagers_of(book: Rulebook, names: Sequence[str] | None) -> tuple[Wager, ...]:
    """Return the wagers of these names, all if none is given, in the order of the game and each once."""
    given: object = names
    if names is None:
        return book.wagers
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise TypeError(f"expected a list of wagers, not {given!r}")
    asked = {book.wager(name).name for name in names}
    if not asked:
        raise ValueError("expected at least one wager")
    return tuple(each for each in book.wagers if each.name in asked)


def wager_of(given: Wager) -> Wager:
    """Return a wager; refuse the name of one, which means nothing without its game."""
    if not isinstance(given, Wager):
        raise TypeError(f'expected a wager of a game, such as load("tiger").wager("Tiger"), found {given!r}')
    return given


def seen_of(given: CardsSeen) -> CardsSeen:
    """Return the exposed cards of a round; refuse cards without their hands."""
    if not isinstance(given, CardsSeen):
        raise TypeError(f'expected the exposed cards by hand, such as CardsSeen(player="4h 7d"), found {given!r}')
    return given


def stakes_of(given: Mapping[str, _Stake]) -> Mapping[str, _Stake]:
    """Return stakes by the names of wagers; refuse anything that is no mapping of names."""
    stakes: object = given
    if not isinstance(stakes, Mapping):
        raise TypeError(f"expected stakes by the names of wagers, as {{'Player': 1}}, not {stakes!r}")
    for name in stakes:
        if not isinstance(name, str):
            raise TypeError(f"expected the name of a wager, not {name!r}")
    return given


def unexposed_cards(book: Rulebook, shoe: Shoe, seen: CardsSeen) -> Composition:
    """Return the cards not yet exposed: of a number of decks all but those seen, otherwise the cards as given."""
    if isinstance(shoe, Composition):
        return shoe
    decks = as_whole(shoe)
    if decks is not None:
        return book.shoe(decks).without(seen.cards)
    if not isinstance(shoe, Iterable):
        raise TypeError(f"expected a number of decks or the cards of a shoe, found {shoe!r}")
    return Composition(shoe)
