"""The vectorised environment, against a slow patron, against single environments, and against exact odds."""

from __future__ import annotations

import copy
import pickle
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from reference.slow_environment import SlowPatron

from punto import APPROVED, Coup, load, loads, odds, settle
from punto.cards import DECK, Composition
from punto.gym import Baccarat, BaccaratVector, expected_returns
from punto.gym.step_rates import measure

STAKES = (0, 1, 5, 40)
USUAL = (14, 0, 0)
SHOES: list[tuple[int, int | str, int]] = [
    USUAL,
    (300, "first-card", 0),
    (1, 350, 0),
    (60, 330, 9),
    (411, "first-card", 0),
]
"""Cut, burn and rounds after the cutting card; some run out of cards, and the last can often not be begun."""


def stakes_at_random(env: BaccaratVector, seed: int) -> Any:
    """Yield actions without end, most of them small."""
    chance = np.random.default_rng(seed)
    while True:
        yield chance.choice(len(STAKES), env.action_space.shape, p=[0.5, 0.3, 0.15, 0.05])


@pytest.mark.parametrize(
    ("game", "shoe"),
    [
        pytest.param(game, shoe, marks=[] if SHOES.index(shoe) == at else pytest.mark.long)
        for at, game in enumerate(APPROVED)
        for shoe in SHOES
    ],
    ids=str,
)
def test_every_round_is_the_slow_patrons(game: str, shoe: tuple[int, int | str, int]) -> None:
    """Cards, gains, bankrolls, refusals and ends of shoes, with bankrolls that do not always last."""
    cut, burn, after = shoe
    env = BaccaratVector(5, game, stakes=STAKES, bankroll=60, cut=cut, burn=burn, rounds_after=after)
    names = [wager.name for wager in env.book.wagers]
    patrons = [SlowPatron(game, names, 30 + row, 60, shoe) for row in range(5)]
    observed, _ = env.reset(seed=30)
    ended = [False] * 5
    for actions, _ in zip(stakes_at_random(env, 1), range(130), strict=False):
        observed, gains, terminated, truncated, info = env.step(actions)
        for row, patron in enumerate(patrons):
            assert info["_cards"][row] == (not ended[row])
            if ended[row]:
                patron.begin()
                ended[row] = False
                assert (gains[row], terminated[row], truncated[row]) == (0, False, False)
            else:
                found = patron.play([STAKES[action] for action in actions[row]])
                assert [str(DECK[card]) for card in info["cards"][row] if card >= 0] == found.cards
                assert gains[row] == float(found.gain)
                assert info["refused"][row].tolist() == found.refused
                assert (terminated[row], truncated[row]) == (found.terminated, found.truncated)
                ended[row] = found.terminated or found.truncated
            assert observed["bankroll"][row, 0] == float(patron.bankroll)
            assert observed["round"][row] == patron.rounds
            assert observed["unexposed"][row].tolist() == [patron.unexposed[str(card)] for card in DECK]


@pytest.mark.parametrize("game", APPROVED)
def test_rewards_are_what_the_rules_settle_on_the_same_cards(game: str) -> None:
    env = BaccaratVector(64, game, amounts=1000, bankroll=10**9, cut=60, burn="first-card")
    env.reset(seed=8)
    env.action_space.seed(8)
    for _ in range(12):
        actions = env.action_space.sample()
        _, gains, _, _, info = env.step(actions)
        for row in np.flatnonzero(info["_outcomes"]):
            coup = Coup.deal([DECK[card] for card in info["cards"][row] if card >= 0])
            lines = [settle(wager, coup) for wager in env.book.wagers]
            assert gains[row] == float(
                sum(int(stake) * line.pays for stake, line in zip(actions[row], lines, strict=True))
            )
            told = [names[line] for names, line in zip(env.outcome_names.values(), info["outcomes"][row], strict=True)]
            assert told == [line.outcome for line in lines]
    assert list(env.outcome_names) == [wager.name for wager in load(game).wagers]


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_it_does_what_single_environments_do_one_after_the_other(mode: AutoresetMode) -> None:
    chosen: dict[str, Any] = {"game": "tiger", "stakes": STAKES, "bankroll": 40, "cut": 380, "burn": "first-card"}
    env = BaccaratVector(6, autoreset_mode=mode, observe="values", **chosen)
    singles = SyncVectorEnv([lambda: Baccarat(observe="values", **chosen)] * 6, autoreset_mode=mode)
    assert (env.observation_space, env.action_space) == (singles.observation_space, singles.action_space)
    assert env.single_observation_space == singles.single_observation_space
    assert env.single_action_space == singles.single_action_space
    assert env.metadata["autoreset_mode"] is mode
    assert data_equivalence(env.reset(seed=3)[0], singles.reset(seed=3)[0], exact=True)
    assert env.np_random_seed == singles.np_random_seed
    final = 0
    for actions, _ in zip(stakes_at_random(env, 2), range(60), strict=False):
        *one, told = env.step(actions)
        *other, told_singly = singles.step(actions)
        assert data_equivalence(one, other, exact=True)
        assert one[0] in env.observation_space
        ended = np.flatnonzero(told.get("_final_obs", []))
        assert ended.tolist() == np.flatnonzero(told_singly.get("_final_obs", [])).tolist()
        for row in ended:
            assert data_equivalence(told["final_obs"][row], told_singly["final_obs"][row], exact=True)
            assert (told["_cards"][row], told["final_info"]["_cards"][row]) == (False, True)
        final += len(ended)
    assert (final > 6) == (mode is AutoresetMode.SAME_STEP)


def test_gymnasium_makes_it_without_a_warning_and_checks_what_it_returns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make_vec("punto/Baccarat-v0", num_envs=4, game="fabulous-4", render_mode="ansi")
    assert isinstance(env, BaccaratVector)
    first, _ = env.reset(seed=1)
    assert first in env.observation_space
    env.action_space.seed(1)
    before = copy.deepcopy(first)
    observed, gains, terminated, truncated, _ = env.step(env.action_space.sample())
    assert data_equivalence(first, before, exact=True)  # what was returned is not written over
    assert observed in env.observation_space
    assert [array.dtype for array in (gains, terminated, truncated)] == [np.float64, np.bool_, np.bool_]
    assert [array.shape for array in (gains, terminated, truncated)] == [(4,)] * 3
    told = env.render()
    assert told is not None
    assert len(told) == 4
    assert all(str(line).startswith("Player ") for line in told)
    env.close()


def test_a_seed_deals_the_same_shoes_whatever_others_do() -> None:
    """Environments 1 and 2 go broke and begin again; 0 and 3 are not disturbed, nor by the number of environments."""
    few, many = BaccaratVector(4, stakes=(0, 60), bankroll=60), BaccaratVector(9, stakes=(0, 60), bankroll=60)
    few.reset(seed=70)
    many.reset(seed=[70, 71, 72, 73, *range(5)])
    ruinous, idle = np.ones((4, 5), np.int64), np.zeros((9, 5), np.int64)
    ruinous[[0, 3]] = 0
    for _ in range(170):
        *_, told = few.step(ruinous)
        *_, told_idle = many.step(idle)
        for row in (0, 3):
            assert told["cards"][row].tolist() == told_idle["cards"][row].tolist()
    assert few.np_random_seed == (70, 71, 72, 73)
    again, _ = few.reset(seed=70)
    other, _ = few.reset()
    assert data_equivalence(again, other, exact=True)  # full shoes look alike
    first = few.step(ruinous)[-1]["cards"]
    few.reset(seed=70)
    assert (few.step(ruinous)[-1]["cards"] != first).any()


def test_without_autoreset_the_caller_resets_what_is_over() -> None:
    env = BaccaratVector(3, stakes=(0, 1), bankroll=1, autoreset_mode="Disabled")
    env.reset(seed=5)
    actions = np.array([[1, 0, 0, 0, 0], [0] * 5, [0] * 5])
    terminated = np.zeros(3, bool)
    while not terminated.any():
        _, _, terminated, truncated, _ = env.step(actions)
    assert not truncated.any()
    with pytest.raises(ValueError, match="the shoe is over in environment 0: reset it first"):
        env.step(actions)
    observed, _ = env.reset(options={"reset_mask": terminated})
    assert observed["round"][0] == 0 < observed["round"][1]
    assert observed["bankroll"].tolist() == [[1]] * 3
    env.step(actions)
    for mask in (np.zeros(3, bool), np.ones(2, bool), [0, 1, 2]):
        with pytest.raises(ValueError, match="expected a reset_mask of 3 truth values"):
            env.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_in_the_middle_of_a_shoe_goes_on_alike(make: Any) -> None:
    env = BaccaratVector(3, "tiger", cut=350, burn=4)
    env.reset(seed=2)
    actions = np.ones((3, 8), np.int64)
    for _ in range(5):
        env.step(actions)
    other = make(env)
    for _ in range(60):
        assert data_equivalence(env.step(actions), other.step(actions), exact=True)
    assert other.book is env.book


def test_expected_returns_are_the_exact_odds_of_what_is_unexposed() -> None:
    env = BaccaratVector(2, "tiger", cut=300, burn="first-card", expected=True)
    observed, info = env.reset(seed=4)
    for _ in range(3):
        assert info["_expected"].all()
        for counts, returns in zip(observed["unexposed"], info["expected"], strict=True):
            cards = Composition(card for card, count in zip(DECK, counts, strict=True) for _ in range(count))
            exact = [float(each.expected_return) for each in odds(env.book, cards).wagers]
            assert returns == pytest.approx(exact, rel=1e-12)
        observed, *_, info = env.step(np.zeros((2, 8), np.int64))


def test_no_return_is_expected_where_no_round_follows_or_burnt_cards_may_be_missing() -> None:
    env = BaccaratVector(1, burn=405, cut=1, expected=True)
    _, info = env.reset(seed=1)
    assert info["_expected"].tolist() == [True]  # eleven cards are left
    left = 11
    while left >= 6:
        *_, info = env.step(np.zeros((1, 5), np.int64))
        left -= int((info["cards"][0] >= 0).sum())
    assert info["_expected"].tolist() == [False]
    assert np.isnan(info["expected"]).all()


def test_a_round_that_cannot_begin_is_expected_to_return_nothing() -> None:
    env = BaccaratVector(1, decks=4, cut=8, rounds_after=9, expected=True)
    env.reset(seed=1)
    left = 208
    while left:
        *_, info = env.step(np.zeros((1, 5), np.int64))
        left -= int((info["cards"][0] >= 0).sum())
        if 0 < left < 4:
            assert (info["_expected"].tolist(), info["expected"].tolist()) == ([True], [[0] * 5])
            return
    pytest.fail("no round began with fewer than four cards: choose another seed")


def test_a_compiled_batch_is_used_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = ModuleType("punto.odds.batch_odds")
    batch.batch_returns = lambda book, counts: np.full((len(counts), len(book.wagers)), 0.5)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "punto.odds.batch_odds", batch)
    expected_returns.batch_function.cache_clear()
    try:
        _, info = BaccaratVector(3, expected=True).reset(seed=1)
    finally:
        expected_returns.batch_function.cache_clear()
    assert (info["expected"] == 0.5).all()


def test_nonsense_is_refused_in_a_sentence() -> None:
    env = BaccaratVector(2)
    with pytest.raises(ValueError, match="no shoe was begun: reset first"):
        env.step(np.zeros((2, 5), np.int64))
    env.reset(seed=1)
    for actions in (np.zeros((2, 4), int), np.zeros((2, 5)), np.full((2, 5), 4), np.full((2, 5), -1), "text"):
        with pytest.raises(ValueError, match="expected as actions 2 rows of 5 whole numbers from 0 to 3"):
            env.step(actions)
    for wrong, sentence in (
        ({"num_envs": 0}, "expected at least one environment, not 0"),
        ({"bankroll": 0}, "expected a bankroll above zero"),
        ({"stakes": ()}, "expected at least one stake"),
        ({"stakes": (-1, 1)}, "expected stakes of 0 to"),
        ({"amounts": -1}, "expected stakes of 0 to"),
        ({"observe": "suits"}, "expected to observe cards or values, not 'suits'"),
        ({"cut": 416}, "the cutting card lies 0 to 415 cards from the end, not 416"),
        ({"burn": "some"}, "burn first-card, or 0 to 415 cards, not some"),
        ({"decks": 99}, "is played with"),
        ({"render_mode": "bogus"}, "expected None or ansi as the render_mode, not 'bogus'"),
        ({"observe": []}, "expected to observe cards or values, not \\[\\]"),
    ):
        with pytest.raises(ValueError, match=sentence):
            BaccaratVector(**{"num_envs": 2, **wrong})  # type: ignore[arg-type]
    with pytest.raises(
        TypeError, match="expected a game: a rulebook, a key such as tiger, or the path of a file; found 8"
    ):
        BaccaratVector(2, 8)  # type: ignore[arg-type]
    for given, sentence in (
        ({"num_envs": "x"}, "num_envs: expected a whole number, not 'x'"),
        ({"stakes": None}, "expected the stakes an action chooses from"),
        ({"stakes": (1, True)}, "stakes: expected a whole number, not True"),
        ({"bankroll": "x"}, "bankroll: expected a whole number, not 'x'"),
        ({"amounts": "x"}, "amounts: expected a whole number, not 'x'"),
        ({"expected": "no"}, "expected True or False as expected, found 'no'"),
    ):
        for kind in (BaccaratVector, Baccarat):
            if kind is BaccaratVector or "num_envs" not in given:
                with pytest.raises(TypeError, match=sentence):
                    kind(**given)
    assert BaccaratVector(np.int64(2)).num_envs == 2  # type: ignore[arg-type]
    assert Baccarat(Path("docs/examples/lantern.toml")).book == load("docs/examples/lantern.toml")
    assert BaccaratVector(2).np_random == ()
    with pytest.raises(ValueError, match="expected 2 seeds, one for each environment, not 3"):
        env.reset(seed=[1, 2, 3])


JACKPOT = """
key = "jackpot"
title = "Jackpot"
decks = { min = 1, max = 8 }

[[wager]]
name = "Jackpot"
clause = "1.1"
lines = [{ outcome = "all", when = { margin = 9, cards = 6 }, pays = "10000 to 1", clause = "1.1" }]

[clauses]
"1.1" = { provision = "wager", by = "data", text = "Jackpot pays ten thousand." }
"""


def test_a_game_of_your_own_is_played_and_stakes_too_large_for_exact_money_are_refused() -> None:
    own = loads(JACKPOT)
    env = BaccaratVector(2, own, decks=1, amounts=10**8)
    observed, _ = env.reset(seed=1)
    assert observed["unexposed"].sum(axis=1).tolist() == [52, 52]
    assert env.step(np.array([[3], [1001]]))[1].tolist() == [-3, 0]  # the second is more than the bankroll
    with pytest.raises(ValueError, match="stakes of 1,000,000,000,000 units are too large to account for every part"):
        BaccaratVector(2, own, amounts=10**12)


def test_steps_are_measured_beside_a_bare_loop() -> None:
    rates = measure("tiger", num_envs=64, steps=20, times=1)
    assert (rates.game, rates.environments, rates.wagers) == ("tiger", 64, 8)
    figures = (rates.vector_steps_per_second, rates.bare_rounds_per_second, rates.single_steps_per_second)
    assert min(figures) > 1000
    assert rates.vector_to_bare == pytest.approx(figures[0] / figures[1])
