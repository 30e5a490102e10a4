"""Bankrolls a second, plain way: every sequence of outcomes, hitting times, full linear equations, dice.

Chances are plain lists of (gain, probability). Nothing is shared with the package.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import NamedTuple

Chances = list[tuple[Fraction, Fraction]]


class Ends(NamedTuple):
    """How sessions end."""

    ruin: Fraction
    uncovered: Fraction
    """Ruin with rounds left."""
    reached: Fraction
    mean_rounds: Fraction
    finals: dict[Fraction, Fraction]


def results(chances: Chances, rounds: int) -> dict[Fraction, Fraction]:
    """The distribution of the sum of the gains, from every sequence of outcomes."""
    found: dict[Fraction, Fraction] = {}
    for sequence in product(chances, repeat=rounds):
        total, probability = Fraction(0), Fraction(1)
        for gain, chance in sequence:
            total, probability = total + gain, probability * chance
        found[total] = found.get(total, Fraction(0)) + probability
    return found


def session(chances: Chances, bankroll: Fraction, rounds: int, stake: Fraction, target: Fraction | None = None) -> Ends:
    """How a session ends, from every sequence of outcomes; outcomes after the end are of no matter."""
    ruin = uncovered = reached = length = Fraction(0)
    finals: dict[Fraction, Fraction] = {}
    for sequence in product(chances, repeat=rounds):
        held, played, probability = bankroll, 0, Fraction(1)
        for gain, chance in sequence:
            probability *= chance
            if held >= stake and not (target is not None and held >= target):
                held, played = held + gain, played + 1
        finals[held] = finals.get(held, Fraction(0)) + probability
        length += played * probability
        if held < stake:
            ruin += probability
            uncovered += probability if played < rounds else 0
        elif target is not None and held >= target:
            reached += probability
    return Ends(ruin, uncovered, reached, length, finals)


def ruin_by_hitting_times(chances: Chances, bankroll: int, rounds: int) -> Fraction:
    """The risk of ruin in a number of rounds of whole gains, the lowest of them -1.

    By Kemperman's formula the walk is first at 0 after n rounds with bankroll / n times the probability of being there.
    """
    at: dict[int, Fraction] = {bankroll: Fraction(1)}
    risk = Fraction(0)
    for number in range(1, rounds + 1):
        following: dict[int, Fraction] = {}
        for place, probability in at.items():
            for gain, chance in chances:
                moved = place + int(gain)
                following[moved] = following.get(moved, Fraction(0)) + probability * chance
        at = following
        risk += Fraction(bankroll, number) * at.get(0, Fraction(0))
    return risk


def ruin_before(chances: Chances, bankroll: Fraction, stake: Fraction, target: Fraction) -> Fraction:
    """The risk of ruin before a target: an equation for every bankroll in between, all of them solved."""
    unit = Fraction(1, 20)
    states = [stake + unit * number for number in range(int((target - stake) / unit))]
    number_of = {state: number for number, state in enumerate(states)}
    rows = []
    for state in states:
        row = [Fraction(0)] * (len(states) + 1)
        row[number_of[state]] += 1
        for gain, chance in chances:
            if state + gain < stake:
                row[-1] += chance
            elif state + gain < target:
                row[number_of[state + gain]] -= chance
        rows.append(row)
    for at in range(len(states)):
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(len(states)):
            if other != at and (factor := rows[other][at]):
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return rows[number_of[bankroll]][-1]


def played(chances: Chances, bankroll: int, rounds: int, sessions: int, seed: int) -> tuple[float, float]:
    """The share of sessions that are ruined, and the mean result, with dice."""
    dice = random.Random(seed)
    gains, weights = [float(gain) for gain, _ in chances], [float(chance) for _, chance in chances]
    ruined, won = 0, 0.0
    for _ in range(sessions):
        held = float(bankroll)
        for gain in dice.choices(gains, weights, k=rounds):
            if held < 1 - 1e-9:
                break
            held += gain
        ruined += held < 1 - 1e-9
        won += held - bankroll
    return ruined / sessions, won / sessions


def slope(chances: Chances, share: Fraction) -> Fraction:
    """How the expected logarithm of a bankroll changes with the share of it that is staked."""
    return sum((chance * gain / (1 + share * gain) for gain, chance in chances), Fraction(0))


def combined(joint: dict[tuple[Fraction, ...], Fraction], stakes: list[Fraction]) -> dict[Fraction, Fraction]:
    """The distribution of a combined stake, from the joint distribution of its wagers."""
    found: dict[Fraction, Fraction] = {}
    for gains, chance in joint.items():
        gained = sum((gain * stake for gain, stake in zip(gains, stakes, strict=True)), Fraction(0))
        found[gained] = found.get(gained, Fraction(0)) + chance
    return found
