"""Staking plans played through simulated shoes: how a bankroll fares on one wager, within the table's limits.

A session begins with a bankroll and ends after a number of rounds, or when the bankroll does not cover the next stake.
The plan chooses the stake in units from what happened so far; the house edge stays the same. Beside the simulated
figures stand exact ones where there are any: all of them for flat stakes, and what the house keeps for every plan.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from punto.data_frames import data_frame, error_of
from punto.data_frames import exact as exact_figures
from punto.formatting import decimal, percent
from punto.given_values import callback, number_above_zero, whole_number
from punto.lab.bankrolls.flat_session import FlatSession, flat_session
from punto.notebook import Markup, table
from punto.odds import WagerOdds, wager_odds
from punto.rules.caller_input import Game, game_of
from punto.rules.rulebook import Rulebook, Wager
from punto.simulate.round_sequences import rounds
from punto.simulate.shoe_makeup import Shoes
from punto.simulate.simulation import processors

if TYPE_CHECKING:
    import polars


@dataclass(slots=True)
class PlanInput:
    """What a plan knows when it chooses the units to stake."""

    parts: int
    """How many parts make a unit, so that every bankroll is a whole number of them."""
    bankroll_parts: int
    last_stake: int = 0
    """In units; 0 before the first round and after a round sat out."""
    last_gain: int = 0
    """The gain of a unit in the last round, in parts: above zero on a win, zero on a push, below on a loss."""
    rounds: int = 0
    memory: dict[str, Any] = field(default_factory=dict)
    """Free for the plan's own use."""

    @property
    def bankroll(self) -> Fraction:
        """In units, before this round."""
        return Fraction(self.bankroll_parts, self.parts)

    @property
    def won(self) -> bool:
        return self.last_stake > 0 and self.last_gain > 0

    @property
    def lost(self) -> bool:
        return self.last_stake > 0 and self.last_gain < 0


Plan = Callable[[PlanInput], int]
"""A staking plan: returns the units to stake next; 0 sits a round out."""


def flat(_: PlanInput) -> int:
    """Always stake one unit."""
    return 1


def martingale(play: PlanInput) -> int:
    """Double the stake after a loss; one unit after a win."""
    return 2 * play.last_stake if play.lost else play.last_stake if not play.won and play.last_stake else 1


def d_alembert(play: PlanInput) -> int:
    """Stake a unit more after a loss, a unit less after a win."""
    change = 1 if play.lost else -1 if play.won else 0
    return max(1, (play.last_stake or 1) + change)


def fibonacci(play: PlanInput) -> int:
    """Move along 1, 1, 2, 3, 5, ...: one step forward after a loss, two back after a win."""
    step = play.memory.get("step", 0) + (1 if play.lost else -2 if play.won else 0)
    play.memory["step"] = step = max(0, step)
    units, following = 1, 1
    for _ in range(step):
        units, following = following, units + following
    return units


def paroli(play: PlanInput) -> int:
    """Double the stake after a win, for at most three wins in a row; one unit after a loss."""
    row = play.memory.get("row", 0)
    row = (row + 1) % 3 if play.won else 0 if play.lost else row
    play.memory["row"] = row
    return int(2**row)


PLANS: dict[str, Plan] = {
    "flat": flat,
    "martingale": martingale,
    "d-alembert": d_alembert,
    "fibonacci": fibonacci,
    "paroli": paroli,
}


@dataclass(frozen=True, slots=True)
class StakingSession:
    """The course of one session; amounts in units."""

    rounds: int
    final: Fraction
    lowest: Fraction
    drawdown: Fraction
    """The deepest fall from the highest bankroll so far."""
    staked: int
    uncovered: bool
    """Whether it ended because the bankroll did not cover the next stake."""
    ruined: bool
    """Whether less than the minimum stake was left."""
    path: tuple[Fraction, ...]
    """The bankroll after each round, for the sessions that were followed."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms on which a plan is played; amounts in chips. The minimum stake is the plan's unit."""

    bankroll: int = 100
    minimum: int = 1
    maximum: int = 1000
    longest: int = 600
    """The most rounds in a session."""

    def __post_init__(self) -> None:
        for name in ("bankroll", "minimum", "maximum", "longest"):
            object.__setattr__(self, name, whole_number(getattr(self, name), name))
        if not 1 <= self.minimum <= self.maximum:
            raise ValueError(f"expected limits from 1 unit up, not {self.minimum} to {self.maximum}")
        if self.bankroll < self.minimum or self.longest < 1:
            raise ValueError("expected a bankroll that covers the minimum, and at least one round")


@dataclass(frozen=True)
class Staking:
    """The outcome of many sessions of a plan.

    A standard error belongs to each share and average; it is None where sessions are too few, or too much alike, to
    estimate it. It counts sessions as independent: those that share a shoe are so weakly dependent that this makes no
    difference.
    """

    book: Rulebook
    wager: str
    bankroll: int
    longest: int
    sessions: tuple[StakingSession, ...]
    plan: Plan
    terms: Terms
    shoe: Shoes
    partial: bool = False
    """Whether it was interrupted before all sessions were played."""
    seed: int = 0
    """The seed of the shoes."""

    @property
    def ruin_probability(self) -> Fraction:
        """The share of sessions that ended with less than the minimum stake."""
        return Fraction(sum(each.ruined for each in self.sessions), len(self.sessions))

    @property
    def ruin_standard_error(self) -> float | None:
        """The standard error of the probability of ruin."""
        return self._error_of_a_share(self.ruin_probability)

    @property
    def uncovered_probability(self) -> Fraction:
        """The share of sessions that ended because the plan's next stake was not covered."""
        return Fraction(sum(each.uncovered for each in self.sessions), len(self.sessions))

    @property
    def uncovered_standard_error(self) -> float | None:
        """The standard error of the probability that a stake is not covered."""
        return self._error_of_a_share(self.uncovered_probability)

    @property
    def ahead(self) -> Fraction:
        """The share of sessions that ended with more than they began."""
        return Fraction(sum(each.final > self.bankroll for each in self.sessions), len(self.sessions))

    @property
    def ahead_standard_error(self) -> float | None:
        """The standard error of the probability to end ahead."""
        return self._error_of_a_share(self.ahead)

    @property
    def mean_result(self) -> Fraction:
        """The average gain of a session, in units."""
        return sum((each.final - self.bankroll for each in self.sessions), Fraction(0)) / len(self.sessions)

    @property
    def mean_result_standard_error(self) -> float | None:
        """The standard error of the average gain of a session."""
        mean = self.mean_result + self.bankroll
        return self._error_of_a_mean(each.final - mean for each in self.sessions)

    @property
    def mean_rounds(self) -> Fraction:
        """The average length of a session."""
        return Fraction(sum(each.rounds for each in self.sessions), len(self.sessions))

    @property
    def mean_rounds_standard_error(self) -> float | None:
        """The standard error of the average length of a session."""
        mean = self.mean_rounds
        return self._error_of_a_mean(each.rounds - mean for each in self.sessions)

    @property
    def staked(self) -> int:
        """The units staked in all sessions."""
        return sum(each.staked for each in self.sessions)

    @property
    def lost_per_unit_staked(self) -> Fraction:
        """The share of all stakes that the house kept: about its edge, whatever the plan."""
        return -self.mean_result * len(self.sessions) / self.staked if self.staked else Fraction(0)

    @property
    def lost_standard_error(self) -> float | None:
        """The standard error of the share of all stakes that the house kept."""
        if not self.staked:
            return None
        lost, start = self.lost_per_unit_staked, self.bankroll
        over = self._error_of_a_mean(start - each.final - lost * each.staked for each in self.sessions)
        return None if over is None else over * len(self.sessions) / self.staked

    def _error_of_a_share(self, share: Fraction) -> float | None:
        return math.sqrt(share * (1 - share) / len(self.sessions)) if len(self.sessions) > 1 else None

    def _error_of_a_mean(self, deviations: Iterable[Fraction]) -> float | None:
        return math.sqrt(math.fsum(float(each) ** 2 for each in deviations)) / len(self.sessions) or None

    @property
    def odds(self) -> WagerOdds:
        """The exact odds of the wager in the first round of a shoe."""
        return wager_odds(self.book.wager(self.wager), self.shoe.cards)

    @cached_property
    def exact(self) -> FlatSession | None:
        """The same figures computed, for independent rounds of flat stakes; None for any other plan.

        A unit there is the minimum stake here.
        """
        if self.plan is not flat:
            return None
        return flat_session(self.odds, self.in_stakes, self.longest)

    @property
    def in_stakes(self) -> Fraction:
        """The bankroll in minimum stakes, without what is less than the smallest payment."""
        parts = self.book.wager(self.wager).parts
        return Fraction(self.bankroll * parts // self.terms.minimum, parts)

    @property
    def plan_name(self) -> str:
        """The name of the plan, or where its function is."""
        known = next((name for name, plan in PLANS.items() if plan is self.plan), None)
        return known or f"{self.plan.__module__}:{getattr(self.plan, '__qualname__', type(self.plan).__name__)}"

    def to_dict(self) -> dict[str, object]:
        """Return all figures ready for JSON, with the keys of ``punto staking --json``."""
        from punto.lab.bankrolls.bankroll_answers import staking_answer

        return staking_answer(self)

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each session."""
        about = {"game": self.book.key, "wager": self.wager, "plan": self.plan_name, "seed": str(self.seed)}
        return data_frame(
            [
                {
                    **about,
                    "session": number,
                    "rounds": each.rounds,
                    **exact_figures(final=each.final, lowest=each.lowest, drawdown=each.drawdown),
                    "staked": each.staked,
                    "uncovered": each.uncovered,
                    "ruined": each.ruined,
                }
                for number, each in enumerate(self.sessions, start=1)
            ]
        )

    def quantile(self, of: Callable[[StakingSession], Fraction], share: Fraction) -> Fraction:
        """Return the value below which this share of the sessions lies."""
        values = sorted(map(of, self.sessions))
        return values[min(len(values) - 1, int(share * len(values)))]

    def __repr__(self) -> str:
        ended = f"mean result {decimal(self.mean_result)}, ruin {percent(self.ruin_probability, 2)}"
        partial = ", partial" if self.partial else ""
        return f"<Staking on {self.wager!r} of {self.book.key!r}: {len(self.sessions)} sessions, {ended}{partial}>"

    def _repr_html_(self) -> Markup:
        played = f"{len(self.sessions):,} sessions of at most {self.longest:,} rounds"
        stopped = ", stopped before the end" if self.partial else ""
        caption = f"{self.book.title}, {self.wager}: {played} from {self.bankroll:,} units{stopped}"
        rows = [
            ("mean result", f"{decimal(self.mean_result)} units", error_of(self.mean_result_standard_error, 2)),
            ("mean length", f"{decimal(self.mean_rounds)} rounds", error_of(self.mean_rounds_standard_error, 2)),
            ("ahead", percent(self.ahead, 2), _share(self.ahead_standard_error)),
            ("ruined", percent(self.ruin_probability, 2), _share(self.ruin_standard_error)),
            (
                "next stake not covered",
                percent(self.uncovered_probability, 2),
                error_of(self.uncovered_standard_error, 2, share=True),
            ),
            (
                "lost per unit staked",
                percent(self.lost_per_unit_staked),
                error_of(self.lost_standard_error, share=True),
            ),
        ]
        return table(caption, ("Sessions", "Figure", "± error"), rows, figures=("Figure", "± error"))


def _share(error: float | None, places: int = 2) -> str:
    return error_of(error, places, share=True)


SESSIONS_IN_A_CHUNK = 200
"""Sessions that are played in turn through the same shoes; every chunk has shoes of its own."""

Progress = Callable[[int, int], None]
"""Callback that receives the sessions and rounds played so far."""


def staking(
    game: Game,
    wager: str,
    plan: Plan | str,
    sessions: int,
    terms: Terms | None = None,
    seed: int = 0,
    shoe: Shoes | None = None,
    followed: int = 100,
    workers: int | None = 1,
    progress: Progress | None = None,
) -> Staking:
    """Play ``sessions`` sessions of a plan, a function or the name of one in ``PLANS``, through the shoes of the seed.

    The path of the first ``followed`` sessions is recorded. ``workers`` is the number of processes, None for one per
    processor; the answer does not depend on it. An interrupt returns the sessions that are finished, marked partial.

    >>> from punto import load
    >>> staking(load("baccarat"), "Banker", "martingale", 20, seed=3)
    <Staking on 'Banker' of 'baccarat': 20 sessions, mean result 7.35, ruin 0.00%>
    """
    book = game_of(game)
    if not isinstance(wager, str):
        raise TypeError(f"expected the name of a wager, not {wager!r}")
    sessions, followed = whole_number(sessions, "sessions"), whole_number(followed, "followed")
    if sessions < 1:
        raise ValueError(f"expected at least one session, not {sessions}")
    workers = processors() if workers is None else whole_number(workers, "workers")
    number_above_zero(workers, "workers")
    seed = whole_number(seed, "seed")
    callback(progress, "progress")
    terms, shoe, found = _given(terms, Terms, Terms()), _given(shoe, Shoes, Shoes.of(book)), book.wager(wager)
    job = _Job(book, found, _named_plan(plan), terms, seed, shoe, sessions, followed)
    if next(rounds(book, 100, seed, shoe), None) is None:
        raise ValueError("no round can be dealt from such shoes")
    played, partial = _played(job, workers, progress or (lambda _sessions, _rounds: None))
    return Staking(book, found.name, terms.bankroll, terms.longest, played, job.plan, terms, shoe, partial, seed)


def _given(value: Any, kind: type, default: Any) -> Any:
    """Return a value of a kind, or the default for None."""
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}, not {value!r}")
    return default if value is None else value


def _named_plan(plan: object) -> Plan:
    """Return a plan by its name, or the function that it is."""
    if isinstance(plan, str):
        if plan not in PLANS:
            raise ValueError(f"there is no plan {plan!r}; plans are {', '.join(PLANS)}")
        return PLANS[plan]
    if not callable(plan):
        raise TypeError(f"expected a plan: a function, or one of {', '.join(PLANS)}; not {plan!r}")
    return plan


@dataclass(frozen=True, slots=True)
class _Job:
    """All that decides how sessions are played."""

    book: Rulebook
    wager: Wager
    plan: Plan
    terms: Terms
    seed: int
    shoe: Shoes
    sessions: int
    followed: int

    @property
    def chunks(self) -> int:
        return -(-self.sessions // SESSIONS_IN_A_CHUNK)

    def play(self, chunk: int) -> Iterator[StakingSession]:
        """Yield the sessions of a chunk."""
        gains, parts = self._gains(chunk), self.wager.parts
        first = chunk * SESSIONS_IN_A_CHUNK
        for number in range(first, min(first + SESSIONS_IN_A_CHUNK, self.sessions)):
            yield _session(self.plan, self.terms, parts, gains, number < self.followed)

    def _gains(self, chunk: int) -> Iterator[int]:
        """Yield the gain of a unit, round after round, for as many shoes as needed."""
        mixed = blake2b(f"punto staking {self.seed} {chunk}".encode(), digest_size=16).digest()
        seed = int.from_bytes(mixed) if chunk else self.seed
        for block in rounds(self.book, _NO_END, seed, self.shoe):
            yield from block.returns(self.wager)[0].tolist()


_NO_END = 2**40
"""More shoes than any study plays."""


def _played(job: _Job, workers: int, progress: Progress) -> tuple[tuple[StakingSession, ...], bool]:
    """Play a job; return the sessions that are finished, without a gap, and whether it was interrupted.

    Sessions are kept in order, so that those ruined early are not the ones that are finished first.
    """
    played: list[StakingSession] = []
    length = 0
    try:
        for done in _in_processes(job, workers) if min(workers, job.chunks) > 1 else _one_by_one(job):
            played += done
            length += sum(each.rounds for each in done)
            progress(len(played), length)
    except KeyboardInterrupt:
        if not played:
            raise
        return tuple(played), True
    return tuple(played), False


def _one_by_one(job: _Job) -> Iterator[list[StakingSession]]:
    return ([session] for chunk in range(job.chunks) for session in job.play(chunk))


_forked: _Job | None = None
"""What a process of a pool plays. It inherits that: a game and a plan need not be sent to it."""


def _in_processes(job: _Job, workers: int) -> Iterator[list[StakingSession]]:
    """Yield the sessions of every chunk, in order, played by forked processes."""
    import multiprocessing
    import warnings

    if "fork" not in multiprocessing.get_all_start_methods():
        yield from _one_by_one(job)
        return
    with warnings.catch_warnings():
        # The processes use none of the threads, such as that of a progress bar, that the warning is about.
        warnings.simplefilter("ignore", DeprecationWarning)
        pool = multiprocessing.get_context("fork").Pool(min(workers, job.chunks), _begin, (job,))
    with pool:
        yield from pool.imap(_play_forked, range(job.chunks))


def _begin(job: _Job) -> None:
    """Prepare a forked process; interrupts are left to the process that started it."""
    import signal

    global _forked
    _forked = job
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_forked(chunk: int) -> list[StakingSession]:
    assert _forked
    return list(_forked.play(chunk))


def _session(plan: Plan, terms: Terms, parts: int, gains: Iterator[int], follow: bool) -> StakingSession:
    """Play one session, computed in parts of a unit."""
    play = PlanInput(parts, terms.bankroll * parts)
    highest = lowest = play.bankroll_parts
    drawdown = staked = 0
    uncovered, path = False, []
    while play.rounds < terms.longest:
        units = _asked(plan, play)
        stake = min(units * terms.minimum, terms.maximum)
        if stake * parts > play.bankroll_parts:
            uncovered = True
            break
        play.last_stake, play.last_gain = units, next(gains)
        play.bankroll_parts += stake * play.last_gain
        play.rounds += 1
        staked += stake
        highest, lowest = max(highest, play.bankroll_parts), min(lowest, play.bankroll_parts)
        drawdown = max(drawdown, highest - play.bankroll_parts)
        if follow:
            path.append(play.bankroll)
    final, low, fall = (Fraction(each, parts) for each in (play.bankroll_parts, lowest, drawdown))
    ruined = play.bankroll_parts < terms.minimum * parts
    return StakingSession(play.rounds, final, low, fall, staked, uncovered, ruined, tuple(path))


class BadPlan(ValueError):
    """A plan that does not return a number of units."""


def _asked(plan: Plan, play: PlanInput) -> int:
    """Return the units a plan wants to stake; the plan gets a copy of the play, which shares only its memory."""
    known = replace(play)
    try:
        wanted = whole_number(plan(known), "units")
    except Exception as error:
        raise BadPlan(f"the plan fails in round {play.rounds + 1}: {type(error).__name__}: {error}") from error
    if wanted < 0:
        raise BadPlan(f"the plan wants to stake {wanted} units in round {play.rounds + 1}: 0 sits it out")
    return wanted
