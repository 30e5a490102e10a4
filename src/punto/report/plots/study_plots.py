"""Pictures of simulations: returns beside exact odds, bankrolls under a staking plan, returns by true count."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import isnan
from pathlib import Path
from typing import Any

from punto.lab.bankrolls.staking import Staking
from punto.lab.counts.count_tally import CountEstimate, CountFigures
from punto.lab.counts.counting import Counting
from punto.odds import Odds
from punto.report.plots.odds_plots import COLOURS, new_figure, save
from punto.simulate import Simulation

_MOST_COUNTS = 40
_FEWEST = 200
"""Counts seen in fewer rounds than this are left out."""


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


def _gathered(found: Counting) -> dict[int, CountFigures]:
    """Return the figures by count in at most about forty groups, without those hardly ever seen."""
    counts = found.by_count
    width = max(1, (max(counts) - min(counts)) // _MOST_COUNTS)
    gathered: dict[int, CountFigures] = {}
    for count, figures in counts.items():
        at = count // width * width
        before = gathered.get(at)
        gathered[at] = replace(figures, moments=before.moments + figures.moments) if before else figures
    return {count: each for count, each in gathered.items() if each.rounds >= _FEWEST}


def plot_counting(found: Counting, file: Path) -> None:
    """Plot what a unit returns at each count and how often that count occurs, and what the count wins by penetration;
    error bars of two standard errors.
    """
    title = f"{found.book.title}, {found.wager}: return by count, {found.shoes:,} shoes"
    figure = new_figure(title, height=6.2)
    returns, often, won = figure.subplots(3, 1, height_ratios=[2, 1, 1])
    shown, first = _gathered(found), found.trigger.first
    counts = list(shown)
    width = min((after - one for one, after in pairwise(counts)), default=1)
    _error_bars(returns, counts, [each.return_of_round for each in shown.values()])
    returns.set_ylabel("return, %")
    returns.sharex(often)
    shares = [100 * each.rounds / found.rounds for each in shown.values()]
    often.bar(counts, shares, 0.9 * width, color=COLOURS[0])
    often.set_ylabel("rounds, %")
    often.set_xlabel(f"{'running' if first.running else 'true'} count before the round, rounded down")
    for panel in (returns, often):
        panel.axvline(float(first.at_least), color=COLOURS[1], linewidth=1, linestyle="--")
    deciles = found.by_decile
    _error_bars(won, [10 * each + 5 for each in deciles], [each.gain_per_hand for each in deciles.values()])
    won.set_ylabel("units won\nper 100 hands", fontsize=8)
    won.set_xlabel("share of the shoe dealt before the round, %")
    save(figure, file)


def _error_bars(panel: Any, places: list[int], found: list[CountEstimate]) -> None:
    """Draw estimates as percentages, with bars of two standard errors where the error is known."""
    values = [100 * float(each.value) for each in found]
    errors = [0.0 if isnan(each.standard_error) else 200 * each.standard_error for each in found]
    panel.errorbar(places, values, yerr=errors, fmt="o", markersize=3, color=COLOURS[0], capsize=2)
    panel.axhline(0, color="black", linewidth=0.8)
