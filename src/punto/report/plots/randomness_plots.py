"""Pictures of randomness: p-values, cards by position, and what betrays a shuffler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from punto.evidence.randomness.card_positions import position_counts
from punto.evidence.randomness.card_sample import KINDS, CardSample
from punto.report.plots.odds_plots import COLOURS, new_figure, save
from punto.texts import text

_LEAST = 1e-16
"""Smaller p-values are drawn as this."""


def plot_p_values(told: Mapping[str, Any], file: Path) -> None:
    """Plot the p-value of every test on a logarithmic scale, with the level below which one fails by itself."""
    made = [each for each in told["tests"] if each["p"] is not None]
    figure = new_figure("", height=1.2 + 0.2 * len(made))
    panel = figure.subplots()
    values = [max(each["p"], _LEAST) for each in made]
    colours = [COLOURS[1] if each["failed"] else COLOURS[0] for each in made]
    panel.scatter(values, range(len(made)), c=colours, s=18)
    panel.set_yticks(range(len(made)), [text("randomness", f"test.{each['test']}") for each in made], fontsize=8)
    panel.axvline(told["level"] / max(len(made), 1), color="black", linewidth=0.8, linestyle="--")
    panel.set_xscale("log")
    panel.set_xlim(min([*values, 1e-5]) / 3, 2)
    panel.invert_yaxis()
    panel.set_xlabel(text("randomness", "plot.p_axis"), fontsize=8)
    panel.grid(axis="x", linewidth=0.4)
    panel.spines[["top", "right"]].set_visible(False)
    save(figure, file)


def plot_positions(sample: CardSample, file: Path) -> None:
    """Plot how far each card's count at each position is from even, in standard deviations."""
    counts = position_counts(sample)
    shoes = np.maximum(counts.sum(axis=0), 1)
    away = (counts - shoes / KINDS) / np.sqrt(shoes * (KINDS - 1)) * KINDS
    figure = new_figure("", height=3.2)
    panel = figure.subplots()
    drawn = panel.imshow(away, aspect="auto", cmap="RdBu_r", vmin=-5, vmax=5, interpolation="nearest")
    panel.set_yticks([6, 19, 32, 45], ["♠", "♥", "♣", "♦"])
    panel.set_xlabel(text("randomness", "plot.position_axis"), fontsize=8)
    panel.tick_params(labelsize=8)
    figure.colorbar(drawn, ax=panel, label=text("randomness", "plot.deviations"))
    save(figure, file)


def riffle_table(found: Sequence[Mapping[str, Any]], start: str) -> tuple[list[int], list[tuple[int, list[int]]]]:
    """Return the numbers of shoes, and by passes how many tests failed in each."""
    rows = [each for each in found if each["start"] == start]
    numbers = sorted({each["shoes"] for each in rows})
    passes = sorted({each["passes"] for each in rows})
    failed = {(each["passes"], each["shoes"]): len(each["failed"]) for each in rows}
    return numbers, [(count, [failed[count, number] for number in numbers]) for count in passes]
