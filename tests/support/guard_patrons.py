"""Simulated tables for the pit's guard: shoes of the simulator, patrons who play by habit, and counters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import numpy as np

from punto.cards import DECK
from punto.lab.pit_guard import (
    NOTHING_TO_WEIGH,
    PatronEvidence,
    RoundWeights,
    counts_of,
    weigh_round,
)
from punto.odds.batch_odds import exact_returns
from punto.rules.coup import Coup
from punto.rules.rulebook import Result, Rulebook
from punto.rules.settlement import settle
from punto.simulate.round_sequences import rounds
from punto.simulate.shoe_makeup import Shoes

CUT = 14
Stakes = dict[str, int]


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known when bets open: to all who look, and of the last two to those who count."""

    wagers: tuple[str, ...]
    round: int
    left: int
    won: frozenset[str]
    """The wagers that won in the round before."""
    pair: bool
    """Whether a hand of the round before began with a pair."""
    since: Mapping[str, int]
    """Rounds since each wager won last."""
    returns: Mapping[str, Fraction]
    weights: RoundWeights


def scenes(book: Rulebook, wagers: Sequence[str], shoes: int, seed: int) -> Iterator[Scene]:
    """Yield every round of some shoes, with the exact returns before it and what the guard weighs."""
    watched, chance = [book.wager(each) for each in wagers], np.random.default_rng(seed)
    since = dict.fromkeys(wagers, 0)
    full = book.shoe(8)
    unseen, last = full, None
    for block in rounds(book, shoes, seed, Shoes(full, cut=CUT)):
        for at in range(len(block)):
            if block.number[at] == 1:
                unseen, last = full, None
            weights = weigh_round(book, wagers, unseen, last, chance) if last else NOTHING_TO_WEIGH
            unseen = unseen.without(last.in_dealing_order()) if last else unseen
            won = {each.name for each in book.wagers if last and settle(each, last).result is Result.WIN}
            since = {each: 0 if each in won else gone + 1 for each, gone in since.items()}
            (found,) = exact_returns(watched, [counts_of(unseen)])
            returns = dict(zip(wagers, found, strict=True))
            pair = last is not None and any(one[0].rank is one[1].rank for one in (last.player, last.banker))
            number, left = int(block.number[at]), len(unseen)
            yield Scene(tuple(wagers), number, left, frozenset(won), pair, since, returns, weights)
            taken = [DECK[card] for card in block.cards[at][: int(block.taken[at])]]
            last = Coup.deal(taken) if block.ending[at] >= 0 else None


Style = Callable[[Scene, Random, "Habit"], Stakes]


@dataclass(slots=True)
class Habit:
    """What is a patron's own: the wagers they like, how often, and their mood."""

    liked: tuple[str, ...]
    often: float
    mood: int = 0
    stake: int = 10


def flat(_: Scene, __: Random, own: Habit) -> Stakes:
    return dict.fromkeys(own.liked, 10)


def at_random(_: Scene, random: Random, own: Habit) -> Stakes:
    return {each: 10 for each in own.liked if random.random() < own.often}


def streak_follower(scene: Scene, _: Random, own: Habit) -> Stakes:
    return {each: 10 for each in own.liked if scene.since[each] < 3}


def overdue(scene: Scene, _: Random, own: Habit) -> Stakes:
    return {each: 10 for each in own.liked if scene.since[each] > 25}


def banker_follower(scene: Scene, _: Random, own: Habit) -> Stakes:
    return dict.fromkeys(own.liked, 10) if "Banker" in scene.won else {}


def shoe_end(scene: Scene, random: Random, own: Habit) -> Stakes:
    return {each: 10 for each in own.liked if scene.left < 150 and random.random() < 0.8}


def pair_lover(scene: Scene, _: Random, own: Habit) -> Stakes:
    return dict.fromkeys(own.liked, 10) if scene.pair else {}


def in_runs(_: Scene, random: Random, own: Habit) -> Stakes:
    """In the mood for some ten rounds, then not for some thirty."""
    if random.random() < (0.1 if own.mood else 0.03):
        own.mood = 1 - own.mood
    return dict.fromkeys(own.liked, 10) if own.mood else {}


def chaser(scene: Scene, _: Random, own: Habit) -> Stakes:
    """Doubles after each loss, up to a limit."""
    own.stake = 10 if scene.won & set(own.liked) else min(own.stake * 2, 1280)
    return dict.fromkeys(own.liked, own.stake)


HONEST: tuple[Style, ...] = (
    flat,
    at_random,
    streak_follower,
    overdue,
    banker_follower,
    shoe_end,
    pair_lover,
    in_runs,
    chaser,
)


def counts_all(scene: Scene, _: Random, __: Habit) -> Stakes:
    """Every wager that gains, whenever it does."""
    return {each: 10 for each in scene.wagers if scene.returns[each] > 0}


def counts_one(scene: Scene, _: Random, own: Habit) -> Stakes:
    return {each: 10 for each in own.liked[:1] if scene.returns[each] > 0}


def counts_carefully(scene: Scene, random: Random, _: Habit) -> Stakes:
    """From 2 percent on, misses one in ten, and places a wager in a hundred without reason."""
    bets = {each: 0.9 if 50 * scene.returns[each] > 1 else 0.01 for each in scene.wagers}
    return {each: 10 for each, often in bets.items() if random.random() < often}


def covers_up(scene: Scene, random: Random, _: Habit) -> Stakes:
    """A small wager on everything half of the time, a large one where there is something to gain."""
    small = {each: 10 for each in scene.wagers if random.random() < 0.5}
    return small | {each: 100 for each in scene.wagers if scene.returns[each] > 0}


COUNTERS: tuple[Style, ...] = (counts_all, counts_carefully, covers_up, counts_one)


class Seated:
    """A patron at a table, followed by the guard."""

    def __init__(self, book: Rulebook, style: Style, wagers: Sequence[str], random: Random) -> None:
        self.style, self._random = style, random
        liked = random.sample(list(wagers), random.randint(1, len(wagers)))
        self._habit = Habit(tuple(liked), random.uniform(0.02, 0.9))
        self.evidence = PatronEvidence(book)
        self.highest = 1.0
        """The highest ratio at any look: the guard looks after every round."""

    def play(self, scene: Scene) -> None:
        went_for = self.evidence.place(self.style(scene, self._random, self._habit))
        self.evidence.take_in(scene.weights, went_for)
        if scene.weights.above:
            self.highest = max(self.highest, self.evidence.ratio)


def follow(seats: Sequence[Seated], table: Iterator[Scene]) -> None:
    """Have patrons play through a table."""
    for scene in table:
        for each in seats:
            each.play(scene)
