"""The Table of Play: which hand, if either, takes the next card. Third cards are decided nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Hand(StrEnum):
    """One of the two hands of a round; the person at the table is a patron."""

    PLAYER = "player"
    BANKER = "banker"

    @property
    def other(self) -> Hand:
        """The other hand."""
        return Hand.BANKER if self is Hand.PLAYER else Hand.PLAYER


INITIAL_DEAL = (Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER)
"""The hand each of the first four cards belongs to, in the order they leave the shoe."""

NATURALS = frozenset({8, 9})
"""Point totals that end the deal when either hand has one on two cards."""

PLAYER_DRAWS_ON = frozenset(range(6))

BANKER_DRAWS_ON_WHEN_PLAYER_STANDS = frozenset(range(6))

ANY_CARD = frozenset(range(10))

BANKER_DRAWS_AGAINST: tuple[frozenset[int], ...] = (
    ANY_CARD,
    ANY_CARD,
    ANY_CARD,
    ANY_CARD - {8},
    frozenset({2, 3, 4, 5, 6, 7}),
    frozenset({4, 5, 6, 7}),
    frozenset({6, 7}),
    frozenset(),
)
"""For each two-card Banker total 0 to 7, the point values of Player's third card on which Banker draws."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The Table of Play's decision about one hand on two cards: whether it draws, and by which rule."""

    rule: str
    """The provision behind it: a natural, Player's rule, or one of Banker's two."""
    hand: Hand
    total: int
    draws: bool
    against: int | None = None
    """The point value of Player's third card, where that decides."""


def point_total(values: Sequence[int]) -> int:
    """Return the point total of a hand: the right-hand digit of the sum of its point values."""
    return sum(values) % 10


def next_card(player: Sequence[int], banker: Sequence[int]) -> Hand | None:
    """Return the hand that takes the next card, from the point values dealt so far; None when the deal is over."""
    dealt = len(player) + len(banker)
    if dealt < len(INITIAL_DEAL):
        return INITIAL_DEAL[dealt]
    if len(player) == 2 and len(banker) == 2 and player_draws(point_total(player), point_total(banker)):
        return Hand.PLAYER
    third = player[2] if len(player) == 3 else None
    if len(banker) == 2 and banker_draws(point_total(player[:2]), point_total(banker), third):
        return Hand.BANKER
    return None


def player_draws(player: int, banker: int) -> bool:
    """Return whether Player takes a third card, from the two-card totals."""
    return banker not in NATURALS and player in PLAYER_DRAWS_ON


def banker_draws(player: int, banker: int, player_third: int | None) -> bool:
    """Return whether Banker takes a third card, from the two-card totals and the value of Player's third card, if
    any.
    """
    if player in NATURALS or banker in NATURALS:
        return False
    if player_third is None:
        return banker in BANKER_DRAWS_ON_WHEN_PLAYER_STANDS
    return player_third in BANKER_DRAWS_AGAINST[banker]


def rulings(player: Sequence[int], banker: Sequence[int]) -> tuple[Ruling, ...]:
    """Return the rulings that decide where the next card goes, or that there is none: one per hand.

    Empty before both hands have two cards and once Banker has a third card.
    """
    if len(player) < 2 or len(banker) != 2:
        return ()
    two_cards, total = point_total(player[:2]), point_total(banker)
    natural = [(Hand.PLAYER, two_cards), (Hand.BANKER, total)] if len(player) == 2 else []
    if ended := tuple(Ruling("natural-ends-deal", hand, has, draws=False) for hand, has in natural if has in NATURALS):
        return ended
    third = player[2] if len(player) == 3 else None
    banker_rule = "banker-after-stand" if third is None else "banker-after-draw"
    bankers = Ruling(banker_rule, Hand.BANKER, total, banker_draws(two_cards, total, third), third)
    if third is not None:
        return (bankers,)
    players = Ruling("player-draws", Hand.PLAYER, two_cards, player_draws(two_cards, total))
    return (players,) if players.draws else (players, bankers)
