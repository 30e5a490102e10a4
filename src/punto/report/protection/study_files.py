"""The files of a protection study: JSON, Parquet, plots, paper and a page, all made from one study."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punto.report.plots.lab_plots import plot_frequencies, plot_gains, plot_shoes
from punto.report.protection.study_sheet import PLOTS, study_sheet

if TYPE_CHECKING:
    import polars

_HERE = Path(__file__).parent
_DRAW = dict(zip(PLOTS, (plot_gains, plot_frequencies, plot_shoes), strict=True))


def write_study(told: Mapping[str, Any], frame: polars.DataFrame, folder: Path) -> None:
    """Write all files of a study into a folder that exists."""
    write_json(told, folder / "study.json")
    inputs = {key: str(value) for key, value in told.items() if not isinstance(value, list | dict)}
    frame.write_parquet(folder / "study.parquet", metadata=inputs)
    write_plots(told, folder)
    (folder / "study.md").write_text(study_page(told), "utf-8")
    write_pdf(told, folder, folder / "study.pdf")


def write_json(told: Mapping[str, Any], file: Path) -> None:
    """Write the study as JSON."""
    file.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")


def write_plots(told: Mapping[str, Any], folder: Path, prefix: str = "") -> None:
    """Draw the plots of a study as SVG files."""
    for name, draw in _DRAW.items():
        draw(told, folder / f"{prefix}{name}.svg")


def study_page(told: Mapping[str, Any], prefix: str = "") -> str:
    """Return the study as a page in Markdown; plots are beside it, their names begin with ``prefix``."""
    sheet = study_sheet(told)
    parts = [f"# {sheet['title']}", _table(("", ""), sheet["inputs"])]
    for section in sheet["sections"]:
        parts += [f"## {section['heading']}", section["note"], _table(section["columns"], section["rows"])]
        if section["sentences"]:
            parts.append("\n".join(f"- {sentence}" for sentence in section["sentences"]))
        parts += [f"![{sheet['captions'][name]}]({prefix}{name}.svg)" for name in section["plots"]]
    parts += [f"## {sheet['method_heading']}", "\n".join(f"- {line}" for line in sheet["method"])]
    return "\n\n".join(parts) + "\n"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    aligned = ["---", *["--:" if len(columns) > 2 else "---"] * (len(columns) - 1)]
    lines = [[_cell(each) for each in line] for line in (columns, *rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], aligned, *lines[1:]))


def _cell(words: str) -> str:
    return " ".join(words.split()).replace("|", "\\|")


def write_pdf(told: Mapping[str, Any], plots: Path, file: Path) -> None:
    """Write the study as a PDF; ``plots`` is the folder with its plots."""
    import typst

    drawn = {name: (plots / f"{name}.svg").read_text("utf-8") for name in PLOTS}
    sheet = json.dumps({**study_sheet(told), "drawn": drawn})
    typst.compile(str(_HERE / "study.typ"), output=str(file), sys_inputs={"sheet": sheet})
