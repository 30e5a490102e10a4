"""Evidence of randomness as texts, and the files of its folder: JSON, plots and paper."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from punto.evidence.randomness.card_sample import CardSample
from punto.report.plots.randomness_plots import plot_p_values, plot_positions, riffle_table
from punto.report.rendering import breakable
from punto.texts import text

_HERE = Path(__file__).parent
PLOTS = ("p_values", "positions")
_CLEAR = 1e-6


def write_evidence(told: Mapping[str, Any], sample: CardSample, folder: Path) -> None:
    """Write all files of the evidence into a folder that exists."""
    (folder / "rng.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
    plot_p_values(told, folder / "p_values.svg")
    plot_positions(sample, folder / "positions.svg")
    write_pdf(told, folder, folder / "rng.pdf")


def write_pdf(told: Mapping[str, Any], plots: Path, file: Path) -> None:
    """Write the evidence as a PDF; ``plots`` is the folder with its plots."""
    import typst

    drawn = {name: (plots / f"{name}.svg").read_text("utf-8") for name in PLOTS}
    sheet = json.dumps({**randomness_sheet(told), "drawn": drawn})
    typst.compile(str(_HERE / "randomness.typ"), output=str(file), sys_inputs={"sheet": sheet})


def randomness_sheet(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return all that the paper says, as texts."""
    return {
        "title": _say("title"),
        "software": told["software"],
        "verdict": verdict(told),
        "found": bool(told["failed"]),
        "facts": _facts(told),
        "tests_heading": _say("tests"),
        "tests_note": _say("tests_note", tests=told["tests_made"], level=f"{told['level']:.0%}"),
        "columns": [_say(f"column.{each}") for each in ("test", "asks", "statistic", "counted", "p", "adjusted")],
        "tests": [_row(each) for each in told["tests"]],
        "p_values": _say("plot.p_values"),
        "positions": _say("plot.positions"),
        "riffles": _riffles(told),
        "limits_heading": _say("limits"),
        "limits": [_say(f"limit.{each}") for each in ("power", "secret", "order", "log")],
    }


def _say(code: str, **values: object) -> str:
    return text("randomness", code, **values)


def verdict(told: Mapping[str, Any]) -> str:
    """Return the outcome in one sentence."""
    facts = {"shoes": f"{told['shoes']:,}", "tests": told["tests_made"], "failed": len(told["failed"])}
    if not told["shoes"]:
        return _say("verdict.nothing")
    if told["failed"]:
        return _say("verdict.found", names=", ".join(_say(f"test.{each}") for each in told["failed"]), **facts)
    return _say("verdict.few" if told["tests_made"] < len(told["tests"]) else "verdict.clear", **facts)


def _facts(told: Mapping[str, Any]) -> list[list[str]]:
    operator = breakable(told["operator"]) or _say("fact.not_named")
    source = _say(f"source.{told['source']}", seed=told["seed"], tables=", ".join(told["tables"]) or "–")
    interval = _say("fact.span", first=told["from"], last=told["to"]) if told["from"] else _say("fact.none")
    shoes = _say("fact.shoes_line", shoes=f"{told['shoes']:,}", decks=told["decks"], cards=f"{told['cards_seen']:,}")
    lines = (
        ("operator", operator),
        ("source", breakable(source)),
        ("interval", interval),
        ("shoes", shoes),
        ("made", told["made"]),
        ("software", told["software"]),
    )
    return [[_say(f"fact.{code}"), value] for code, value in lines]


def _row(each: Mapping[str, Any]) -> dict[str, Any]:
    few = each["p"] is None
    shown = "–" if each["statistic"] is None else f"{each['statistic']:,.2f}"
    degrees = f" ({each['degrees']:,.0f})" if each["degrees"] and each["statistic"] is not None else ""
    return {
        "cells": [
            _say(f"test.{each['test']}"),
            _say(f"asks.{each['test']}"),
            shown + degrees,
            f"{each['counted']:,}",
            _say("few", needs=f"{each['needs_shoes']:,}") if few else probability(each["p"]),
            "–" if few else probability(each["adjusted_p"]),
        ],
        "failed": each["failed"],
    }


def probability(p: float) -> str:
    """Return a p-value in three places, or as a bound."""
    return f"{p:.3f}" if p >= 0.0005 else f"{p:.1e}" if p >= _CLEAR else "< 0.000001"


def _riffles(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = []
    for start in ("played", "new") if told["riffles"] else ():
        numbers, rows = riffle_table(told["riffles"], start)
        found.append(
            {
                "heading": _say(f"riffles.{start}"),
                "note": _say("riffles.note"),
                "columns": [_say("riffles.passes"), *(_say("riffles.shoes", shoes=f"{each:,}") for each in numbers)],
                "rows": [[str(passes), *(str(each) if each else "–" for each in counts)] for passes, counts in rows],
            }
        )
    return found
