"""Pictures of odds: house edge by number of decks, and effects of removal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punto.odds import Odds
from punto.odds.removal import RemovalEffects

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#d98e04", "#6c4ab6", "#00838f", "#8d5524", "#7a7a7a")


def plot_house_edges(by_decks: Sequence[tuple[int, Odds]], file: Path) -> None:
    """Plot house edge by number of decks, a panel for each wager: their scales differ by an order of magnitude."""
    book = by_decks[0][1].book
    figure, panels = _panels(len(book.wagers), f"{book.title}: house edge by number of decks")
    decks = [number for number, _ in by_decks]
    for number, (panel, wager) in enumerate(zip(panels, book.wagers, strict=False)):
        edges = [float(odds[wager.name].house_edge * 100) for _, odds in by_decks]
        panel.plot(decks, edges, marker="o", color=COLOURS[number % len(COLOURS)])
        panel.set_title(wager.name, fontsize=10, loc="left")
        panel.set_xticks(decks)
        panel.set_ylabel("%", fontsize=8)
        panel.ticklabel_format(useOffset=False)
        panel.margins(y=0.25)
    for panel in panels[-2:]:
        panel.set_xlabel("decks")
    save(figure, file)


def plot_removal(found: Odds, effects: RemovalEffects, file: Path) -> None:
    """Plot effects of removal as bars, a panel for each wager, a bar for each rank (or card, where suits matter)."""
    title = f"{found.book.title}, {found.cards} cards: change of return when one card is gone"
    ranks_only = len(effects.by_rank()) < len(effects)
    figure, panels = _panels(len(found.wagers), title, columns=2 if ranks_only else 1)
    for panel, each in zip(panels, found.wagers, strict=False):
        name = each.wager.name
        shown = effects.of_wager(name).by_rank()
        labels = [str(card) if len(shown) == len(effects) else card.rank.value for card in shown]
        changes = [float(changed[name] * 100) for changed in shown.values()]
        panel.bar(labels, changes, color=[COLOURS[0] if change >= 0 else COLOURS[1] for change in changes])
        panel.axhline(0, color="black", linewidth=0.8)
        panel.set_title(name, fontsize=10, loc="left")
        panel.set_ylabel("percentage points", fontsize=8)
        panel.tick_params(axis="x", labelsize=8 if len(shown) < len(effects) else 6)
    save(figure, file)


def new_figure(title: str, height: float) -> Figure:
    """Return an empty figure of the usual width and the given height in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, height), layout="constrained")
    figure.suptitle(title, fontsize=12, x=0.01, ha="left")
    return figure


def _panels(count: int, title: str, columns: int = 2) -> tuple[Figure, list[Any]]:
    rows = math.ceil(count / columns)
    figure = new_figure(title, height=1.2 + 1.9 * rows)
    panels = list(figure.subplots(rows, columns, squeeze=False).flat)
    for panel in panels:
        panel.grid(axis="y", linewidth=0.4)
        panel.tick_params(labelsize=8)
        panel.spines[["top", "right"]].set_visible(False)
    for unused in panels[count:]:
        unused.set_visible(False)
    return figure, panels[:count]


def save(figure: Figure, file: Path) -> None:
    """Write the figure, in the format its file name says."""
    from matplotlib import rc_context

    # Texts stay texts in SVG, and no date is written, so that the same odds give the same file.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "punto"}):
        date = {"Date": None} if file.suffix == ".svg" else {"CreationDate": None} if file.suffix == ".pdf" else None
        figure.savefig(file, metadata=date)
