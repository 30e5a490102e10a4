"""Bounds of what the house wins on a wager: honest play leaves them as seldom as stated, whoever stakes how."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from random import Random

import pytest

from punto import odds
from punto.report.returns.return_bounds import ReturnWatch, WagerTheory, log_alarm

Staking = Callable[[Random, int, bool], int]
"""The next stake, after the last one and whether it won."""


def flat(_: Random, __: int, ___: bool) -> int:
    return 10_000


def any_stake(random: Random, _: int, __: bool) -> int:
    return random.choice((500, 10_000, 250_000))


def doubled(_: Random, last: int, won: bool) -> int:
    """Double after each loss, up to the maximum."""
    return 10_000 if won else min(2 * last, 1_280_000)


def outside(
    game: str, wager: str, staking: Staking, rounds: int, seed: int, deviations: int, pays: float = 1.0
) -> bool:
    """Play rounds by the exact odds, look after each, and tell whether the win was ever outside."""
    found, random = odds(game)[wager], Random(seed)
    watch, alarm = ReturnWatch(THEORIES[game, wager]), log_alarm(deviations, 1)
    gains = random.choices(
        [float(each.pays) for each in found.outcomes], [float(each.probability) for each in found.outcomes], k=rounds
    )
    stake, won = 10_000, True
    for gain in gains:
        stake = staking(random, stake, won)
        watch.take_in(stake, -round(stake * (gain * pays if gain > 0 else gain)))
        won = gain > 0
        if watch.is_outside(alarm):
            return True
    return False


PLAYED = (("baccarat", "Player"), ("baccarat", "Tie"), ("tiger", "Big Tiger"), ("tiger", "Tiger"))
THEORIES = {(game, wager): WagerTheory(odds(game)[wager]) for game, wager in PLAYED}


@pytest.mark.long
@pytest.mark.parametrize("staking", [flat, any_stake, doubled])
@pytest.mark.parametrize(("game", "wager"), PLAYED)
def test_honest_play_is_outside_no_more_often_than_stated(game: str, wager: str, staking: Staking) -> None:
    """At two deviations the rate is 4.55% at most, with a look after each round; a sample of 200 may be 3 off."""
    runs, rate = 200, exp(-log_alarm(2, 1))
    assert rate == pytest.approx(0.0455, rel=0.01)
    found = sum(outside(game, wager, staking, 400, 1_000 + run, 2) for run in range(runs))
    assert found <= runs * rate + 3 * (runs * rate * (1 - rate)) ** 0.5


@pytest.mark.parametrize("staking", [flat, doubled])
def test_honest_play_is_hardly_ever_outside(staking: Staking) -> None:
    assert not any(outside("baccarat", "Player", staking, 60, seed, 4) for seed in range(5))


def test_a_wager_that_pays_a_third_more_is_found() -> None:
    assert outside("baccarat", "Player", flat, 1_500, 7, 4, pays=1.35)


def test_the_bounds_are_where_the_alarm_begins() -> None:
    watch, alarm = ReturnWatch(THEORIES["tiger", "Tiger"]), log_alarm(4, 3)
    for stake in (500, 10_000, 500_000, 10_000):
        watch.take_in(stake, stake)
    low, high = watch.bounds(alarm)
    assert low < watch.expected < high
    for inside, beyond in ((low, low - 1), (high, high + 1)):
        watch.correct(inside - watch.won)
        assert not watch.is_outside(alarm)
        watch.correct(beyond - watch.won)
        assert watch.is_outside(alarm)


def test_more_wagers_and_more_deviations_take_a_rarer_win() -> None:
    assert log_alarm(4, 1) < log_alarm(4, 9) < log_alarm(5, 9) < log_alarm(24, 9) < log_alarm(25, 9) < log_alarm(100, 9)
