"""Pictures of simulations: returns beside exact odds, bankrolls under a staking plan, returns by true count."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from punto.lab.counting import Counting
from punto.lab.staking import Staking
from punto.odds import Odds
from punto.report.plots.odds_plots import COLOURS, new_figure, save
from punto.simulate import Simulation

_MOST_COUNTS = 40
_FEWEST = 200
"""True counts seen in fewer rounds than this are left out."""


def plot_simulation(found: Simulation, exact: Odds, file: Path) -> None:
    """Plot how many standard errors each wager's return lies from the exact one."""
    figure = new_figure(f"{found.book.title}: {found.rounds:,} simulated rounds beside the exact odds", height=3.5)
    panel = figure.subplots()
    names = [each.wager.name for each in found.wagers]
    scores = [each.z_score(exact[each.wager.name].expected_return) for each in found.wagers]
    panel.axhspan(-2, 2, color=COLOURS[2], alpha=0.12, label="19 of 20 lie here")
    panel.axhline(0, color="black", linewidth=0.8)
    panel.errorbar(names, scores, yerr=1, fmt="o", color=COLOURS[0], capsize=4, label="return, ± one standard error")
    panel.set_ylabel("standard errors from exact")
    panel.set_ylim(min(-4.0, *(score - 1.5 for score in scores)), max(4.0, *(score + 1.5 for score in scores)))
    panel.tick_params(axis="x", labelsize=8, rotation=20)
    panel.legend(fontsize=8, loc="upper right", frameon=False)
    save(figure, file)


def plot_staking(found: Staking, plan: str, file: Path) -> None:
    """Plot the bankrolls that were followed, and how all sessions ended."""
    title = f"{found.book.title}, {found.wager}, {plan}: {len(found.sessions):,} sessions from {found.bankroll} units"
    figure = new_figure(title, height=4.2)
    paths, ends = figure.subplots(1, 2, width_ratios=[3, 1], sharey=True)
    for session in found.sessions:
        if session.path:
            colour = COLOURS[1] if session.uncovered else COLOURS[0]
            paths.plot([found.bankroll, *map(float, session.path)], color=colour, alpha=0.25, linewidth=0.7)
    paths.axhline(found.bankroll, color="black", linewidth=0.8)
    paths.set_xlabel("rounds; red: the next stake was not covered")
    paths.set_ylabel("units")
    ends.hist([float(session.final) for session in found.sessions], bins=40, orientation="horizontal", color=COLOURS[0])
    ends.set_xlabel("sessions that end there")
    save(figure, file)


def _gathered(found: Counting) -> dict[int, tuple[int, Fraction]]:
    """Return true counts in at most about forty groups, without those hardly ever seen."""
    width = max(1, (max(found.by_true_count) - min(found.by_true_count)) // _MOST_COUNTS)
    gathered: dict[int, tuple[int, Fraction]] = {}
    for count, (number, won) in found.by_true_count.items():
        at = count // width * width
        before = gathered.get(at, (0, Fraction(0)))
        gathered[at] = before[0] + number, before[1] + won
    return {count: each for count, each in gathered.items() if each[0] >= _FEWEST}


def plot_counting(found: Counting, file: Path) -> None:
    """Plot what a unit returns at each true count, with error bars of two standard errors, and how often it occurs."""
    title = f"{found.book.title}, {found.wager}: return by true count, {found.shoes:,} shoes"
    figure = new_figure(title, height=4.6)
    returns, often = figure.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    shown = _gathered(found)
    counts = list(shown)
    width = min((after - one for one, after in pairwise(counts)), default=1)
    spread = found.deviation_per_round
    values = [float(won / number) * 100 for number, won in shown.values()]
    errors = [2 * spread / number**0.5 * 100 for number, _ in shown.values()]
    returns.errorbar(counts, values, yerr=errors, fmt="o", markersize=3, color=COLOURS[0], capsize=2)
    returns.axhline(0, color="black", linewidth=0.8)
    returns.set_ylabel("return, %")
    often.bar(
        counts,
        [float(Fraction(number, found.rounds)) * 100 for number, _ in shown.values()],
        0.9 * width,
        color=COLOURS[0],
    )
    often.set_ylabel("rounds, %")
    often.set_xlabel("true count before the round, rounded down")
    for panel in (returns, often):
        panel.axvline(float(found.trigger), color=COLOURS[1], linewidth=1, linestyle="--")
    save(figure, file)
