"""Protection studies as texts: the same sections for a page and for paper, made from a study as JSON has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor, log10
from typing import Any

from punto.data_frames import error_of
from punto.formatting import decimal, money, percent
from punto.texts import text

Told = Mapping[str, Any]
"""A study as ``ProtectionStudy.to_dict`` tells it, or as ``study.json`` keeps it."""

RANKS = "A23456789TJQK"
PLOTS = ("gains", "frequencies", "shoes")
_HIGHEST_SHOWN = 1_000_000_00
"""Limits above this are not told in figures: no table has them."""
_SMALLEST_SHOWN = 0.0001
"""Gains below this would be rounded to nothing, which they are not."""


def study_sheet(told: Told) -> dict[str, Any]:
    """Return all that a page or a paper says: title, inputs, and sections with tables, notes and plots."""
    return {
        "title": text("studies", "title", title=told["title"]),
        "game": told["title"],
        "software": told["software"],
        "digest": told["digest"],
        "inputs": _inputs(told),
        "sections": [
            _verdicts(told),
            _perfect_play(told),
            _cuts(told),
            _limits(told),
            _over_shoes(told),
            _decks(told),
            _known_cards(told),
            _removal(told),
        ],
        "method_heading": text("studies", "section.limitations"),
        "method": [text("studies", f"method.{code}") for code in ("exact", "sampled", "tails", "bound", "loss")],
        "inputs_heading": text("studies", "section.inputs"),
        "captions": {name: text("studies", f"plot.{name}") for name in PLOTS},
    }


def _inputs(told: Told) -> list[tuple[str, str]]:
    version = "game_line" if told["version"] else "game_line_unversioned"
    given = {each: told[each] for each in ("game", "version", "decks", "cut", "seed")} | _amounts(told)
    counts = {each: f"{told[each]:,}" for each in ("cards", "shoes", "rounds")}
    lines = {"game": version, "shoe": "shoe_line", "dealt": "dealt_line", "amounts": "amounts_line"}
    rows = [
        (text("studies", f"input.{each}"), text("studies", f"input.{line}", **given, **counts))
        for each, line in lines.items()
    ]
    software = (text("studies", "input.software"), told["software"])
    return [*rows, software, (text("studies", "input.game_file"), f"SHA-256 {told['digest']}")]


def _section(
    code: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    plots: Sequence[str] = (),
    sentences: Sequence[str] = (),
    values: Mapping[str, object] = {},
) -> dict[str, Any]:
    """Return one section; the first column holds names and the others figures."""
    return {
        "heading": text("studies", f"section.{code}"),
        "note": text("studies", f"section.{code}_note", **values),
        "columns": [text("studies", "column.wager"), *columns],
        "rows": rows,
        "sentences": list(sentences),
        "plots": list(plots),
    }


def _column(code: str, **values: object) -> str:
    return text("studies", f"column.{code}", **values)


def _share(value: float, places: int = 2) -> str:
    return percent(Fraction(value), places)


def _limit(cents: int | None) -> str:
    if cents is None:
        return text("studies", "limit.none")
    if cents > _HIGHEST_SHOWN:
        return text("studies", "limit.above", limit=f"{_HIGHEST_SHOWN // 100:,}")
    return money(cents, grouped=True)


def _thresholds(told: Told) -> dict[str, object]:
    return {
        "watch": decimal(Fraction(told["thresholds"]["watch"])),
        "exposed": decimal(Fraction(told["thresholds"]["exposed"])),
        "confidence": _share(told["confidence"], 1),
        **_amounts(told),
    }


def _amounts(told: Told) -> dict[str, object]:
    return {"stake": told["stake_cents"], "most_loss": told["most_loss_cents"]}


def _verdicts(told: Told) -> dict[str, Any]:
    values = _thresholds(told)
    rows, sentences = [], []
    for each in told["wagers"]:
        cut = each["cut_needed"]
        needed = text("studies", "cut.none") if cut is None else text("studies", "cut.kept", cut=cut)
        bound = error_of(each["bound_per_100_hands"])
        verdict = text("studies", f"verdict.{each['verdict']}")
        edge = percent(Fraction(each["house_edge"]), 4)
        rows.append((each["wager"], edge, bound, verdict, _limit(each["cuts"][0]["limit_cents"]), needed))
        sentences.append(text("studies", f"sentence.{each['verdict']}", wager=each["wager"], bound=bound, **values))
    columns = [_column(code) for code in ("house_edge", "bound", "verdict", "limit", "cut")]
    return _section("verdicts", columns, rows, values=values, sentences=sentences)


def with_error(found: Told, name: str) -> str:
    """Return a sampled figure with its standard error, in as many places as that takes."""
    value, error = found[name], found[f"{name}_error"]
    places = max(4, 1 - floor(log10(error))) if error else 4
    return f"{value:.{places}f} ± {error_of(error, places)}"


def _perfect_play(told: Told) -> dict[str, Any]:
    rows = []
    for each in told["wagers"]:
        found = each["perfect_play"]
        rows.append(
            (
                each["wager"],
                f"{each['deviation']:.4f}",
                _share(found["frequency"], 3),
                _share(found["edge"], 2) if found["favourable"] else text("studies", "figure.never"),
                with_error(found, "per_100_hands"),
                with_error(found, "per_shoe"),
                f"{found['per_hour']:.4f}",
                f"{found['index']:.3f}",
            )
        )
    codes = ("deviation", "favourable", "edge", "per_100", "per_shoe", "per_hour", "index")
    return _section("perfect", [_column(code) for code in codes], rows)


def _depths(told: Told) -> list[str]:
    return [str(cut["behind"]) for cut in told["wagers"][0]["cuts"]]


def _cuts(told: Told) -> dict[str, Any]:
    rows = [(each["wager"], *(_gain(cut) for cut in each["cuts"])) for each in told["wagers"]]
    return _section("cuts", _depths(told), rows, plots=("gains", "frequencies"))


def _gain(cut: Told) -> str:
    if not cut["favourable"]:
        return text("studies", "figure.never")
    return f"{cut['per_shoe']:.4f}" if cut["per_shoe"] >= _SMALLEST_SHOWN else f"<{_SMALLEST_SHOWN}"


def _limits(told: Told) -> dict[str, Any]:
    rows = [(each["wager"], *(_limit(cut["limit_cents"]) for cut in each["cuts"])) for each in told["wagers"]]
    return _section("limits", _depths(told), rows, values=_amounts(told))


def shares_told(told: Told) -> list[Fraction]:
    """Return the shares of shoes whose gain so many shoes can tell: at least one shoe has to lie beyond each."""
    shares = [Fraction(found["share"]) for found in told["wagers"][0]["quantiles"]]
    return [share for share in shares if told["shoes"] * (1 - share) >= 1]


def _over_shoes(told: Told) -> dict[str, Any]:
    shares = shares_told(told)
    columns = [_column("share", share=f"{float(share * 100):g}%") for share in shares]
    rows = [
        (each["wager"], *(f"{found['gain']:.2f}" for found in each["quantiles"] if Fraction(found["share"]) in shares))
        for each in told["wagers"]
    ]
    return _section("shoes", columns, rows, plots=("shoes",))


def _decks(told: Told) -> dict[str, Any]:
    decks = [found["decks"] for found in told["wagers"][0]["decks"]]
    columns = [_column("edge_decks", decks=each) for each in decks] + [_column("gain_decks", decks=e) for e in decks]
    rows = [
        (
            each["wager"],
            *(percent(Fraction(found["house_edge"]), 4) for found in each["decks"]),
            *(with_error(found, "per_shoe") for found in each["decks"]),
        )
        for each in told["wagers"]
    ]
    return _section("decks", columns, rows)


def _known_cards(told: Told) -> dict[str, Any]:
    columns = [_column("position", position=each["position"]) for each in told["known_cards"]]
    rows = [(each["wager"], *map(_value, each["known_cards"])) for each in told["wagers"]]
    best = (text("studies", "row.best"), *map(_value, told["known_cards"]))
    return _section("known", columns, [*rows, best])


def _value(found: Told) -> str:
    value = Fraction(found["value"])
    return percent(value, 3) if value else text("studies", "figure.never")


def _removal(told: Told) -> dict[str, Any]:
    rows = [(each["wager"], *(_change(each["removal"], rank) for rank in RANKS)) for each in told["wagers"]]
    return _section("removal", ["10" if rank == "T" else rank for rank in RANKS], rows)


def _change(removal: Sequence[Told], rank: str) -> str:
    """Return the effect of a rank; the lowest and the highest of its suits where a wager names a suit."""
    changes = sorted({Fraction(found["change"]) * 100 for found in removal if found["card"].startswith(rank)})
    low, high = (f"{decimal(change, 3)}" for change in (changes[0], changes[-1]))
    return low if low == high else text("studies", "figure.range", low=low, high=high)
