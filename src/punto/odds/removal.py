"""Effects of removal: how much each wager's return changes when one card is gone from the shoe."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from punto.cards import Card, Composition
from punto.odds.exact import wager_odds
from punto.rules.conditions import Sees
from punto.rules.rulebook import Rulebook, Wager

Effects = dict[Card, dict[str, Fraction]]
"""For each card the change of each wager's return, by the wager's name."""

_RANKS = Sees.PLAYER_RANKS | Sees.BANKER_RANKS
_SUITS = Sees.PLAYER_SUITS | Sees.BANKER_SUITS


def effects_of_removal(book: Rulebook, shoe: Composition | int = 8) -> Effects:
    """Return the exact change of every wager's return when one card is gone, for each card the shoe holds.

    >>> from punto import load
    >>> effects = effects_of_removal(load("baccarat"), 8)
    >>> max(effects, key=lambda card: effects[card]["Tie"]).rank.value     # the removal that helps the Tie most
    '8'
    """
    cards = book.shoe(shoe) if isinstance(shoe, int) else shoe
    effects: Effects = {card: {} for card in cards.counts()}
    for wager in book.wagers:
        before = wager_odds(wager, cards).expected_return
        changes: dict[Hashable, Fraction] = {}
        for card, changed in effects.items():
            kind = _as_the_wager_sees_it(wager, card)
            if kind not in changes:
                changes[kind] = wager_odds(wager, cards.without([card])).expected_return - before
            changed[wager.name] = changes[kind]
    return effects


def _as_the_wager_sees_it(wager: Wager, card: Card) -> Hashable:
    """Return a key that is the same for cards the wager cannot tell apart: they have the same effect on it."""
    if wager.sees & _SUITS:
        return card
    return card.rank if wager.sees & _RANKS else card.point_value


def by_rank(effects: Effects) -> Effects:
    """Return one card per rank where no wager tells suits apart; otherwise all cards unchanged."""
    ranks: Effects = {}
    for card, changes in effects.items():
        shown = next((each for each in ranks if each.rank is card.rank), None)
        if shown is None:
            ranks[card] = changes
        elif ranks[shown] != changes:
            return effects
    return ranks
