"""Reads the golden settlement tables and tells which row of a table a coup falls under.

The tables are written by hand, one row per line of the rules: wager | when | result | clause. The rows
of a wager must divide all coups among themselves, which `verdict` checks on every coup it is shown.
Any phrase in the `when` column has to be one of `PHRASES`, so that a misspelt row cannot pass unseen.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

TABLES = Path(__file__).parents[1] / "golden" / "settlement"

# Stands for "none of the other rows of this wager", so it needs no predicate of its own.
OTHERWISE = "any other outcome"


@dataclass(frozen=True)
class Row:
    wager: str
    when: str
    result: str  # "win", "lose" or "push"
    pays: Fraction  # net gain on a stake of one
    clause: str


class Facts(NamedTuple):
    """All that a phrase may ask about a coup. On a tie the totals are equal and there is no winner."""

    winner: str  # "player", "banker" or ""
    winning_total: int
    losing_total: int
    winning_cards: int
    losing_cards: int
    player_pair: str  # rank of the pair in the first two cards, or ""
    banker_pair: str
    player_diamonds: bool  # the first two cards are both diamonds
    banker_diamonds: bool


Predicate = Callable[[Facts], bool]


# --- facts -----------------------------------------------------------------------------------------

VALUES = {rank: value for value, rank in enumerate("A23456789", start=1)} | dict.fromkeys("TJQK", 0)


def facts(player: Sequence[str], banker: Sequence[str]) -> Facts:
    """What the phrases need to know about a coup; work it out once and use it for all wagers."""
    player_total = sum(VALUES[card[0]] for card in player) % 10
    banker_total = sum(VALUES[card[0]] for card in banker) % 10
    pairs = (_pair(player), _pair(banker), _diamonds(player), _diamonds(banker))
    if player_total > banker_total:
        return Facts("player", player_total, banker_total, len(player), len(banker), *pairs)
    winner = "banker" if banker_total > player_total else ""
    return Facts(winner, banker_total, player_total, len(banker), len(player), *pairs)


def _pair(hand: Sequence[str]) -> str:
    return hand[0][0] if hand[0][0] == hand[1][0] else ""


def _diamonds(hand: Sequence[str]) -> bool:
    return hand[0][1] == hand[1][1] == "d"


# --- phrases ---------------------------------------------------------------------------------------


def _wins(hand: str) -> Predicate:
    return lambda coup: coup.winner == hand


def _wins_on(hand: str, points: str) -> Predicate:
    wanted = int(points)
    return lambda coup: coup.winner == hand and coup.winning_total == wanted


def _wins_on_with(hand: str, points: str, cards: str) -> Predicate:
    wanted = (int(points), int(cards))
    return lambda coup: coup.winner == hand and (coup.winning_total, coup.winning_cards) == wanted


def _wins_on_other(hand: str, *points: str) -> Predicate:
    unwanted = frozenset(map(int, points))
    return lambda coup: coup.winner == hand and coup.winning_total not in unwanted


def _wins_over(hand: str, winning: str, losing: str, cards: tuple[int, int]) -> Predicate:
    """`cards` are the numbers of cards of the two hands, the smaller first, whichever hand has which."""
    wanted = (int(winning), int(losing))
    return lambda coup: (
        coup.winner == hand
        and (coup.winning_total, coup.losing_total) == wanted
        and cards == (min(coup.winning_cards, coup.losing_cards), max(coup.winning_cards, coup.losing_cards))
    )


def _wins_over_each(hand: str, winning: str, losing: str, cards: str) -> Predicate:
    return _wins_over(hand, winning, losing, (int(cards), int(cards)))


def _wins_over_mixed(hand: str, winning: str, losing: str) -> Predicate:
    return _wins_over(hand, winning, losing, (2, 3))


def _tie() -> Predicate:
    return lambda coup: not coup.winner


def _no_tie() -> Predicate:
    return lambda coup: bool(coup.winner)


def _tie_on(points: str) -> Predicate:
    wanted = int(points)
    return lambda coup: not coup.winner and coup.winning_total == wanted


def _has_pair(hand: str) -> Predicate:
    if hand == "player":
        return lambda coup: bool(coup.player_pair)
    return lambda coup: bool(coup.banker_pair)


def _no_pair(hand: str) -> Predicate:
    if hand == "player":
        return lambda coup: not coup.player_pair
    return lambda coup: not coup.banker_pair


def _one_pair() -> Predicate:
    return lambda coup: bool(coup.player_pair) != bool(coup.banker_pair)


def _two_pairs() -> Predicate:
    return lambda coup: "" != coup.player_pair != coup.banker_pair != ""


def _twin_pairs() -> Predicate:
    return lambda coup: "" != coup.player_pair == coup.banker_pair


def _neither_pair() -> Predicate:
    return lambda coup: not coup.player_pair and not coup.banker_pair


def _precious(hand: str, fours: bool, diamonds: bool) -> Predicate:
    if hand == "player":
        return lambda coup: (
            bool(coup.player_pair) and (coup.player_pair == "4") == fours and coup.player_diamonds == diamonds
        )
    return lambda coup: (
        bool(coup.banker_pair) and (coup.banker_pair == "4") == fours and coup.banker_diamonds == diamonds
    )


HAND = "(player|banker)"
N = "([0-9])"

PHRASES: list[tuple[str, Callable[..., Predicate]]] = [
    ("tie", _tie),
    ("no tie", _no_tie),
    (f"tie on {N}", _tie_on),
    (f"{HAND} wins", _wins),
    (f"{HAND} wins on {N}", _wins_on),
    (f"{HAND} wins on {N} with ([23]) cards", _wins_on_with),
    (f"{HAND} wins on any total but {N}", _wins_on_other),
    (f"{HAND} wins on any total but {N} or {N}", _wins_on_other),
    (f"{HAND} wins {N} over {N}, each hand with ([23]) cards", _wins_over_each),
    (f"{HAND} wins {N} over {N}, one hand with 3 cards and one with 2", _wins_over_mixed),
    (f"{HAND} pair", _has_pair),
    (f"no {HAND} pair", _no_pair),
    ("neither hand has a pair", _neither_pair),
    ("exactly one hand has a pair", _one_pair),
    ("both hands have a pair, of different ranks", _two_pairs),
    ("both hands have a pair, of the same rank", _twin_pairs),
    (f"{HAND} pair of diamond 4s", lambda hand: _precious(hand, fours=True, diamonds=True)),
    (f"{HAND} pair of 4s, not both diamonds", lambda hand: _precious(hand, fours=True, diamonds=False)),
    (f"{HAND} pair of diamonds, not 4s", lambda hand: _precious(hand, fours=False, diamonds=True)),
    (f"{HAND} pair, neither 4s nor both diamonds", lambda hand: _precious(hand, fours=False, diamonds=False)),
]


def _predicate(phrase: str) -> Predicate:
    for pattern, make in PHRASES:
        match = re.fullmatch(pattern, phrase)
        if match:
            return make(*match.groups())
    raise ValueError(f"unknown phrase: {phrase!r}")


# --- tables ----------------------------------------------------------------------------------------


def _result(text: str) -> tuple[str, Fraction]:
    if text == "push":
        return "push", Fraction(0)
    if text == "lose":
        return "lose", Fraction(-1)
    match = re.fullmatch(r"(\d+(?:\.\d+)?) to (\d+)", text)
    if not match:
        raise ValueError(f"unknown result: {text!r}")
    return "win", Fraction(match[1]) / Fraction(match[2])


def _row(line: str) -> Row:
    fields = line.split(" | ")
    if len(fields) != 4:
        raise ValueError(f"expected wager | when | result | clause: {line!r}")
    wager, when, result, clause = (field.strip() for field in fields)
    if not re.fullmatch(r"\d+(\.\d+)+", clause):
        raise ValueError(f"not the number of a clause: {clause!r}")
    if when != OTHERWISE:
        _predicate(when)  # an unknown phrase should fail here, not when the first coup is judged
    return Row(wager, when, *_result(result), clause)


@cache
def rows(game: str) -> dict[str, list[Row]]:
    """The rows of every wager of the game, in the order of the file."""
    table: dict[str, list[Row]] = {}
    for line in (TABLES / f"{game}.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            row = _row(line)
            table.setdefault(row.wager, []).append(row)
    return table


@cache
def _compiled(game: str) -> dict[str, tuple[list[tuple[Predicate, Row]], list[Row]]]:
    """For every wager its rows with their predicates, and apart from them its "otherwise" rows."""
    return {
        wager: (
            [(_predicate(row.when), row) for row in wager_rows if row.when != OTHERWISE],
            [row for row in wager_rows if row.when == OTHERWISE],
        )
        for wager, wager_rows in rows(game).items()
    }


def verdict(game: str, wager: str, coup: Facts) -> Row:
    """The one row of the wager which the coup falls under."""
    conditional, otherwise = _compiled(game)[wager]
    matches = [row for predicate, row in conditional if predicate(coup)] or otherwise
    if len(matches) != 1:
        raise AssertionError(f"{game}, {wager}: {len(matches)} rows match {coup}: {matches}")
    return matches[0]
