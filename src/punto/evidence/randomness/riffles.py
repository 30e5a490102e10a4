"""A bad shuffler: riffles as Gilbert, Shannon and Reeds describe them, and how cards come to a shuffler."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from punto.cards import DECK
from punto.evidence.randomness.shoe_source import Orders
from punto.rules.table_of_play import Hand, next_card

Pile = npt.NDArray[np.int16]
BEHIND_THE_CUT = 14


def riffle(pile: Pile, passes: int, chance: np.random.Generator) -> Pile:
    """Return the pile after so many riffles: cut at a binomial place, then cards fall from either packet in proportion
    to what is left of it. Every way to interleave the packets is then equally likely.
    """
    for _ in range(passes):
        upper = (
            chance.random(len(pile)) < 0.5
        )  # for each place of the result, whether a card of the upper packet is there
        cut = int(np.count_nonzero(upper))
        mixed = np.empty_like(pile)
        mixed[upper], mixed[~upper] = pile[:cut], pile[cut:]
        pile = mixed
    return pile


def collected(order: Pile) -> Pile:
    """Return how the cards of a shoe lie after play: round by round, the Player's then the Banker's, then the rest."""
    values = [DECK[card % len(DECK)].point_value for card in order.tolist()]
    pile: list[int] = []
    at, stop = 0, len(order) - BEHIND_THE_CUT
    while at < stop:
        hands: dict[Hand, list[int]] = {Hand.PLAYER: [at, at + 2], Hand.BANKER: [at + 1, at + 3]}
        at += 4
        while drawn := next_card(*([values[place] for place in hand] for hand in hands.values())):
            hands[drawn].append(at)
            at += 1
        pile += [*hands[Hand.PLAYER], *hands[Hand.BANKER]]
    return order[[*pile, *range(at, len(order))]]


def riffled_shoes(shoes: int, decks: int, passes: int, seed: int, *, new_decks: bool = False) -> Orders:
    """Return shoes from a shuffler that riffles: each from the pile that the one before left, or from new decks.

    The first pile is in random order, as a shoe that was shuffled well and played.
    """
    chance = np.random.default_rng(seed)
    new = np.arange(len(DECK) * decks, dtype=np.int16)
    order, found = chance.permutation(new), []
    for _ in range(shoes):
        order = riffle(new if new_decks else collected(order), passes, chance)
        found.append(order)
    return np.array(found)
