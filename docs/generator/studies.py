"""The protection studies of the five games: ``python -m generator.studies`` deals the shoes and writes all pages.

Each study is kept whole in ``docs/studies/GAME.json``; page and plots are made from it. Given games as arguments, it
makes only these.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from generator.markdown import table
from punto import APPROVED, load
from punto.formatting import percent
from punto.lab.study import ProtectionStudy, study_protection
from punto.report.protection.study_files import study_page, write_json, write_plots
from punto.report.protection.study_sheet import with_error
from punto.texts import text

FOLDER = Path(__file__).parents[1] / "studies"
SEED = 0


def kept(game: str) -> dict[str, Any]:
    """Return the study of a game as it is kept."""
    told: dict[str, Any] = json.loads((FOLDER / f"{game}.json").read_text("utf-8"))
    return told


def made(game: str) -> ProtectionStudy:
    """Deal the shoes of a study."""
    return study_protection(load(game), seed=SEED)


def page(told: dict[str, Any]) -> str:
    """Return the page of a study, with the command that repeats it and all its figures beside it."""
    title, _, rest = study_page(told, f"{told['game']}-").partition("\n\n")
    command = f"punto lab {told['game']} --shoes {told['shoes']} --seed {told['seed']} -o FOLDER"
    whole = f"[{told['game']}.json]({told['game']}.json)"
    how = f"`{command}` repeats this study; {whole} has every figure, exact ones whole. [How to read it](index.md)."
    return f"{title}\n\n{how}\n\n{rest}"


def shown() -> str:
    """Return the verdicts on all wagers of all games."""
    rows = []
    for game in APPROVED:
        told = kept(game)
        for number, each in enumerate(told["wagers"]):
            found, cut = each["perfect_play"], each["cut_needed"]
            rows.append(
                (
                    f"[{told['title']}]({game}.md)" if not number else "",
                    each["wager"],
                    percent(Fraction(each["house_edge"]), 2),
                    percent(Fraction(found["frequency"]), 2),
                    with_error(found, "per_100_hands"),
                    "none of these" if cut is None else cut,
                    text("studies", f"verdict.{each['verdict']}"),
                )
            )
    figures = ("house edge", "favourable", "units in 100 hands", "cut needed")
    return table(("game", "wager", *figures, "verdict"), rows, right=figures)


def main(games: Sequence[str]) -> None:
    """Write figures, plots and pages of these games, or of all."""
    for game in games or APPROVED:
        told = made(game).to_dict()
        write_json(told, FOLDER / f"{game}.json")
        write_plots(told, FOLDER, f"{game}-")
    for game in APPROVED:
        told = kept(game)
        (FOLDER / f"{game}.md").write_text(page(told), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
