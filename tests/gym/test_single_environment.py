"""The Gymnasium environment, by Gymnasium's own checks and by its books."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import punto.gym
from punto import APPROVED, Coup, load, odds, settle


@pytest.mark.parametrize("game", APPROVED)
def test_gymnasium_finds_nothing_wrong(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # That a bankroll has no upper end is so, and the one thing it remarks on.
        warnings.filterwarnings("ignore", message=".*Box observation space.*infinity.*")
        check_env(gymnasium.make("punto/Baccarat-v0", game=game, render_mode="ansi").unwrapped)


def test_a_shoe_is_played_to_the_cutting_card_and_every_unit_is_accounted_for() -> None:
    env = gymnasium.make("punto/Baccarat-v0", game="tiger", stakes=(0, 2), render_mode="ansi")
    observation, _ = env.reset(seed=4)
    book, bankroll, over = load("tiger"), Fraction(1000), False
    rounds = 0
    while not over:
        before = observation
        observation, reward, gone, over, info = env.step([1] * len(book.wagers))
        assert not gone
        rounds += 1
        coup = env.unwrapped.coup  # type: ignore[attr-defined]
        assert isinstance(coup, Coup)
        gain = sum(2 * settle(wager, coup).pays for wager in book.wagers)
        bankroll += gain
        assert reward == float(gain)
        assert info["outcomes"] == {wager.name: settle(wager, coup).outcome for wager in book.wagers}
        taken = before["unexposed"].sum() - observation["unexposed"].sum()
        assert taken == len(coup.player) + len(coup.banker)
    assert observation["bankroll"][0] == float(bankroll)
    assert observation["unexposed"].sum() <= 14
    assert 60 < rounds < 90
    assert "Player" in str(env.render())


def test_what_the_bankroll_does_not_cover_is_not_placed() -> None:
    env = punto.gym.Baccarat("baccarat", stakes=(0, 7), bankroll=10)
    env.reset(seed=1)
    *_, info = env.step([1, 1, 0, 0, 1])
    assert info["refused"] == [load("baccarat").wagers[1].name, load("baccarat").wagers[4].name]


def test_a_seed_deals_the_same_shoe_and_nonsense_is_refused() -> None:
    one, other = (punto.gym.Baccarat("fabulous-4", decks=6) for _ in range(2))
    for env in (one, other):
        env.reset(seed=9)
    stakes = [1] * len(one.book.wagers)
    assert [one.step(stakes)[1] for _ in range(30)] == [other.step(stakes)[1] for _ in range(30)]
    with pytest.raises(ValueError, match="expected a bankroll above zero"):
        punto.gym.Baccarat(bankroll=0)
    for action in ([-1] * 7, [9] * 7, [1], [0.7] * 7, ["1"] * 7):
        with pytest.raises(ValueError, match="expected an action"):
            one.step(action)
    with pytest.raises(ValueError, match="reset first"):
        punto.gym.Baccarat().step([0] * 5)


def test_money_is_exact_to_the_end_of_the_shoe() -> None:
    """A bankroll in floating point once kept a trace of what was gone."""
    env = punto.gym.Baccarat(stakes=(0, 1), bankroll=1)
    banker = [wager.name for wager in env.book.wagers].index("Banker")
    action = [int(at == banker) for at in range(5)]
    for seed in range(150, 170):
        env.reset(seed=seed)
        gone = over = False
        while not (gone or over):
            observation, _, gone, over, _ = env.step(action)
        assert gone == (env.bankroll == 0) == (not over)
        assert env.bankroll.denominator in (1, 2, 4, 5, 10, 20)
        assert observation["bankroll"][0] == float(env.bankroll) >= 0


def test_the_first_card_says_how_many_are_burnt_and_is_no_longer_unexposed() -> None:
    env = punto.gym.Baccarat(burn="first-card", cut=300)
    observation, _ = env.reset(seed=3)
    assert sorted(observation["unexposed"].tolist()) == [7, *[8] * 51]
    over, rounds = False, 0
    while not over:
        observation, *_, over, _ = env.step([0] * 5)
        rounds += 1
    shown = 416 - observation["unexposed"].sum()
    assert observation["round"] == rounds
    assert 116 - 11 < shown <= 116 + 6
    values = punto.gym.Baccarat(observe="values", burn=10)
    assert values.reset(seed=3)[0]["unexposed"].tolist() == [128, *[32] * 9]


def test_amounts_are_staked_as_they_are_and_a_void_round_is_told() -> None:
    env = punto.gym.Baccarat(load("baccarat"), amounts=500, burn=410, cut=0, render_mode="ansi")
    env.reset(seed=6)
    over, outcomes = False, {}
    assert "nothing dealt yet" in str(env.render())
    while not over:
        _, reward, _, over, info = env.step([300, 0, 0, 0, 0])
        outcomes = info["outcomes"]
        assert reward in (-300, 0, 300)
    assert set(outcomes.values()) == {"void"}  # six cards are enough for one round alone
    assert env.coup is None
    assert env.render() == f"void: the cards ran out; {float(env.bankroll):g} units"
    env.reset()
    with pytest.raises(ValueError, match="expected an action"):
        env.step([501, 0, 0, 0, 0])


def test_the_exact_expected_return_of_the_next_round_is_told() -> None:
    env = punto.gym.Baccarat("dragon-tiger", expected=True)
    _, info = env.reset(seed=1)
    exact = {each.wager.name: float(each.expected_return) for each in odds(env.book, 8).wagers}
    assert info["expected"] == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_goes_on_alike_into_the_next_shoe(make: Callable[[Any], Any]) -> None:
    env = gymnasium.make("punto/Baccarat-v0", game="tiger", cut=390)
    env.reset(seed=8)
    env.step([1] * 8)
    other = make(env)
    for each in (env, other):
        each.reset()
    assert env.np_random.bit_generator.state == other.np_random.bit_generator.state
    assert [env.step([1] * 8)[1] for _ in range(4)] == [other.step([1] * 8)[1] for _ in range(4)]
