"""A second reading of the rules: deals one coup and settles every wager of the five games.

This module exists to disagree with the package when the package is wrong. It therefore shares no code
and no table with it, and prefers a plain ``if`` that can be held against the rules to anything shorter.
Amounts are fractions, so that 0.95 to 1 is exactly 19/20 and never a rounded float.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

Settlement = tuple[str, Fraction]

LOSE: Settlement = ("lose", Fraction(-1))
PUSH: Settlement = ("push", Fraction(0))


@cache  # building a fraction is slow, and there are few of them
def win(pays: int, to: int = 1) -> Settlement:
    return ("win", Fraction(pays, to))


# --- cards and dealing -----------------------------------------------------------------------------


def value(card: str) -> int:
    rank = card[0]
    if rank == "A":
        return 1
    if rank in "TJQK":
        return 0
    return int(rank)


def total(cards: Sequence[str]) -> int:
    return sum(value(card) for card in cards) % 10


def play(cards: Iterable[str]) -> tuple[list[str], list[str], list[str]]:
    """Deal one coup: the player's cards, the banker's cards, and all cards used in dealing order."""
    stream = iter(cards)
    used = [next(stream) for _ in range(4)]
    player = [used[0], used[2]]
    banker = [used[1], used[3]]

    if total(player) >= 8 or total(banker) >= 8:
        return player, banker, used

    # The banker's decision rests on the two-card total, and on the card the player drew, if any.
    player_third: str | None = None
    if total(player) <= 5:
        player_third = next(stream)
        player.append(player_third)
        used.append(player_third)

    if banker_draws(total(banker), player_third):
        banker_third = next(stream)
        banker.append(banker_third)
        used.append(banker_third)

    return player, banker, used


def banker_draws(banker_total: int, player_third: str | None) -> bool:
    """Whether the banker takes a third card in a coup without a natural."""
    if player_third is None:
        return banker_total <= 5
    drawn = value(player_third)
    if banker_total <= 2:
        return True
    if banker_total == 3:
        return drawn != 8
    if banker_total == 4:
        return drawn in (2, 3, 4, 5, 6, 7)
    if banker_total == 5:
        return drawn in (4, 5, 6, 7)
    if banker_total == 6:
        return drawn in (6, 7)
    return False


# --- what happened ---------------------------------------------------------------------------------


class Coup(NamedTuple):
    player: list[str]
    banker: list[str]
    player_total: int
    banker_total: int

    @property
    def tie(self) -> bool:
        return self.player_total == self.banker_total

    @property
    def player_wins(self) -> bool:
        return self.player_total > self.banker_total

    @property
    def banker_wins(self) -> bool:
        return self.banker_total > self.player_total


def has_pair(hand: list[str]) -> bool:
    # Only the initial two cards count, and ranks must match: ten-king is worth 0-0 but is no pair.
    return hand[0][0] == hand[1][0]


# --- wagers settled alike in more than one game ----------------------------------------------------


def player_even_money(coup: Coup) -> Settlement:
    if coup.tie:
        return PUSH
    if coup.player_wins:
        return win(1)
    return LOSE


def banker_with_commission(coup: Coup) -> Settlement:
    if coup.tie:
        return PUSH
    if coup.banker_wins:
        return win(95, 100)
    return LOSE


def banker_half_on_six(coup: Coup) -> Settlement:
    if coup.tie:
        return PUSH
    if coup.banker_wins:
        if coup.banker_total == 6:
            return win(1, 2)
        return win(1)
    return LOSE


def tie(coup: Coup) -> Settlement:
    if coup.tie:
        return win(8)
    return LOSE


def tiger(coup: Coup) -> Settlement:
    if coup.banker_wins and coup.banker_total == 6:
        if len(coup.banker) == 2:
            return win(12)
        return win(20)
    return LOSE


def small_tiger(coup: Coup) -> Settlement:
    if coup.banker_wins and coup.banker_total == 6 and len(coup.banker) == 2:
        return win(22)
    return LOSE


def big_tiger(coup: Coup) -> Settlement:
    if coup.banker_wins and coup.banker_total == 6 and len(coup.banker) == 3:
        return win(50)
    return LOSE


def tiger_tie(coup: Coup) -> Settlement:
    if coup.player_total == 6 and coup.banker_total == 6:
        return win(35)
    return LOSE


def tiger_pair(coup: Coup) -> Settlement:
    # Best line first: a twin is also a double, and a double also holds a single, but only one pays.
    if has_pair(coup.player) and has_pair(coup.banker):
        if coup.player[0][0] == coup.banker[0][0]:
            return win(100)
        return win(20)
    if has_pair(coup.player) or has_pair(coup.banker):
        return win(4)
    return LOSE


# --- Baccarat --------------------------------------------------------------------------------------


def baccarat_pair(hand: list[str]) -> Settlement:
    if has_pair(hand):
        return win(11)
    return LOSE


def settle_baccarat(coup: Coup) -> dict[str, Settlement]:
    return {
        "Player": player_even_money(coup),
        "Banker": banker_with_commission(coup),
        "Tie": tie(coup),
        "Player Pair": baccarat_pair(coup.player),
        "Banker Pair": baccarat_pair(coup.banker),
    }


# --- Tiger and Tiger No Commission -----------------------------------------------------------------


def settle_tiger(coup: Coup) -> dict[str, Settlement]:
    return {
        "Player": player_even_money(coup),
        "Banker": banker_with_commission(coup),
        "Tie": tie(coup),
        "Tiger": tiger(coup),
        "Small Tiger": small_tiger(coup),
        "Big Tiger": big_tiger(coup),
        "Tiger Pair": tiger_pair(coup),
        "Tiger Tie": tiger_tie(coup),
    }


def settle_tiger_no_commission(coup: Coup) -> dict[str, Settlement]:
    return settle_tiger(coup) | {"Banker": banker_half_on_six(coup)}


# --- Dragon Tiger ----------------------------------------------------------------------------------


def dragon_tiger(coup: Coup) -> Settlement:
    if coup.player_total == 7 and coup.banker_total == 6:
        if len(coup.player) == 3 and len(coup.banker) == 3:
            return win(100)
        if len(coup.player) == 2 and len(coup.banker) == 2:
            return win(30)
        return win(40)
    return LOSE


def small_dragon(coup: Coup) -> Settlement:
    if coup.player_wins and coup.player_total == 7 and len(coup.player) == 2:
        return win(15)
    return LOSE


def big_dragon(coup: Coup) -> Settlement:
    if coup.player_wins and coup.player_total == 7 and len(coup.player) == 3:
        return win(30)
    return LOSE


def settle_dragon_tiger(coup: Coup) -> dict[str, Settlement]:
    return {
        "Player": player_even_money(coup),
        "Banker": banker_half_on_six(coup),
        "Tie": tie(coup),
        "Dragon Tiger": dragon_tiger(coup),
        "Small Dragon": small_dragon(coup),
        "Big Dragon": big_dragon(coup),
        "Small Tiger": small_tiger(coup),
        "Big Tiger": big_tiger(coup),
    }


# --- Fabulous 4 ------------------------------------------------------------------------------------


def fabulous_player(coup: Coup) -> Settlement:
    if coup.tie:
        return PUSH
    if coup.player_wins:
        if coup.player_total == 4:
            return win(1, 2)
        if coup.player_total == 1:
            return win(2)
        return win(1)
    return LOSE


def fabulous_banker(coup: Coup) -> Settlement:
    if coup.tie:
        return PUSH
    if coup.banker_wins:
        if coup.banker_total == 4:
            return PUSH
        if coup.banker_total == 1:
            return win(2)
        return win(1)
    return LOSE


def player_fabulous_4(coup: Coup) -> Settlement:
    if coup.player_wins and coup.player_total == 4:
        return win(50)
    return LOSE


def banker_fabulous_4(coup: Coup) -> Settlement:
    if coup.banker_wins and coup.banker_total == 4:
        return win(25)
    return LOSE


def precious_pair(hand: list[str]) -> Settlement:
    if not has_pair(hand):
        return LOSE
    both_diamonds = hand[0][1] == "d" and hand[1][1] == "d"
    if hand[0][0] == "4":
        if both_diamonds:
            return win(30)
        return win(15)
    if both_diamonds:
        return win(12)
    return win(9)


def settle_fabulous_4(coup: Coup) -> dict[str, Settlement]:
    return {
        "Player": fabulous_player(coup),
        "Banker": fabulous_banker(coup),
        "Tie": tie(coup),
        "Player Fabulous 4": player_fabulous_4(coup),
        "Banker Fabulous 4": banker_fabulous_4(coup),
        "Player Precious Pair": precious_pair(coup.player),
        "Banker Precious Pair": precious_pair(coup.banker),
    }


# --- all games -------------------------------------------------------------------------------------


def settle(game: str, player: list[str], banker: list[str]) -> dict[str, Settlement]:
    """Every wager of the game: "win", "lose" or "push", and the net gain on a stake of one."""
    coup = Coup(player, banker, total(player), total(banker))
    if game == "baccarat":
        return settle_baccarat(coup)
    if game == "tiger":
        return settle_tiger(coup)
    if game == "tiger-no-commission":
        return settle_tiger_no_commission(coup)
    if game == "dragon-tiger":
        return settle_dragon_tiger(coup)
    if game == "fabulous-4":
        return settle_fabulous_4(coup)
    raise ValueError(f"unknown game: {game!r}")
