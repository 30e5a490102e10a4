"""Pictures of protection studies: gain and favourable hands by cut depth, and gains over shoes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from punto.report.plots.odds_plots import COLOURS, new_figure, save
from punto.report.protection.study_sheet import shares_told
from punto.texts import text

_MARKS = "osD^vP*X"
_LEAST_GAIN, _LEAST_SHARE = 1e-4, 1e-3
"""What lies below is left out of the pictures: units in a shoe, and percent of hands."""


def plot_gains(told: Mapping[str, Any], file: Path) -> None:
    """Plot units gained in a shoe by cut depth, with error bars of two standard errors, and the loss accepted."""
    figure, panel = _by_cut(told, "gains")
    for number, each in enumerate(told["wagers"]):
        cuts = [cut for cut in each["cuts"] if cut["per_shoe"] > _LEAST_GAIN]
        values = [cut["per_shoe"] for cut in cuts]
        # A bar that reached zero would run off a logarithmic scale.
        upper = [2 * (cut["per_shoe_error"] or 0.0) for cut in cuts]
        lower = [min(error, 0.9 * cut["per_shoe"]) for error, cut in zip(upper, cuts, strict=True)]
        at = [cut["behind"] for cut in cuts]
        panel.errorbar(at, values, yerr=(lower, upper), capsize=2, **_line(number, each["wager"]))
    accepted = told["most_loss_cents"] / told["stake_cents"]
    if not any(cut["per_shoe"] > _LEAST_GAIN for each in told["wagers"] for cut in each["cuts"]):
        panel.set_ylim(_LEAST_GAIN, 10 * accepted)  # one line alone has no scale
    panel.axhline(accepted, color="black", linewidth=0.8, linestyle="--", label=f"accepted: {accepted:g}")
    panel.set_ylabel("units in a shoe")
    panel.set_ylim(bottom=_LEAST_GAIN)
    panel.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    save(figure, file)


def plot_frequencies(told: Mapping[str, Any], file: Path) -> None:
    """Plot the share of hands in which each wager is favourable, by cut depth."""
    figure, panel = _by_cut(told, "frequencies")
    for number, each in enumerate(told["wagers"]):
        cuts = [cut for cut in each["cuts"] if 100 * cut["frequency"] > _LEAST_SHARE]
        panel.plot(
            [cut["behind"] for cut in cuts],
            [100 * cut["frequency"] for cut in cuts],
            **_line(number, each["wager"]),
        )
    panel.set_ylabel("% of hands")
    panel.set_ylim(bottom=_LEAST_SHARE)
    panel.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    save(figure, file)


def plot_shoes(told: Mapping[str, Any], file: Path) -> None:
    """Plot the expected gain that each share of shoes does not exceed, a group of bars for each wager."""
    figure = new_figure(_title(told, "shoes"), height=3.6)
    panel = figure.subplots()
    shares = shares_told(told)
    width = 0.8 / max(len(shares), 1)
    for number, share in enumerate(shares):
        places = [at + width * (number - (len(shares) - 1) / 2) for at in range(len(told["wagers"]))]
        gains = [each["quantiles"][number]["gain"] for each in told["wagers"]]
        shade = 0.25 + 0.75 * number / max(len(shares) - 1, 1)
        panel.bar(places, gains, width, color=COLOURS[0], alpha=shade, label=f"{float(share * 100):g}% of shoes")
    panel.set_xticks(range(len(told["wagers"])), [each["wager"] for each in told["wagers"]])
    panel.tick_params(axis="x", labelsize=8, rotation=20)
    panel.set_ylabel("units in a shoe, at most")
    panel.grid(axis="y", linewidth=0.4)
    panel.spines[["top", "right"]].set_visible(False)
    panel.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    save(figure, file)


def _title(told: Mapping[str, Any], name: str) -> str:
    return f"{told['title']}: {text('studies', f'plot.{name}')}"


def _line(number: int, name: str) -> dict[str, Any]:
    mark, colour = _MARKS[number % len(_MARKS)], COLOURS[number % len(COLOURS)]
    return {"marker": mark, "markersize": 4, "linewidth": 1.2, "color": colour, "label": name}


def _by_cut(told: Mapping[str, Any], name: str) -> tuple[Any, Any]:
    figure = new_figure(_title(told, name), height=4.2)
    panel = figure.subplots()
    panel.set_yscale("log")
    depths = [cut["behind"] for cut in told["wagers"][0]["cuts"]]
    panel.set_xticks(depths, [str(depth) for depth in depths])
    panel.tick_params(labelsize=8)
    panel.set_xlabel("cards behind the cutting card")
    panel.grid(linewidth=0.4)
    panel.spines[["top", "right"]].set_visible(False)
    return figure, panel
