"""PAR sheets: a game's odds as a test lab files them, as PDF or HTML. Both are made from the same figures."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from punto import __version__
from punto.odds import Chance, Odds, WagerOdds, literal_pair_return
from punto.report.rendering import deviation, fraction, html_page, pays_or_push, percent
from punto.rules.conditions import Sees
from punto.rules.readings import readings_in_force
from punto.rules.rulebook import Rulebook
from punto.texts import fill, text, texts_under

ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
"""Numbers of rounds for which the sheet gives confidence bands."""

_TWO_SIDED_95_PERCENT = 1.959964

_HERE = Path(__file__).parent


def par_sheet(found: Odds, decks: int, rounds: tuple[int, ...] = ROUNDS) -> dict[str, Any]:
    """Return all that a PAR sheet says, as texts."""
    book = found.book
    return {
        "title": book.title,
        "game": book.key,
        "version": book.version or text("reports", "par.none_given"),
        "effective": _effective(book),
        "dated": book.effective is not None,
        "digest": book.digest,
        "software": f"Punto {__version__}",
        "decks": str(decks),
        "cards": f"{found.cards:,}",
        "deals": f"{found.deals:,}",
        "decks_clause": book.clause_of("decks") or "",
        "wagers": [_wager(each) for each in found.wagers],
        "rounds": [f"{number:,}" for number in rounds],
        "bands": [_bands(each, rounds) for each in found.wagers],
        "readings": [
            {
                "number": f"R{reading.number}",
                "reading": reading.reading,
                "why": reading.why,
                "clauses": ", ".join(reading.clauses(book)),
            }
            for reading in readings_in_force(book)
        ],
        "literal": _literal(book, decks),
    }


def _effective(book: Rulebook) -> str:
    if book.effective is None:
        return text("reports", "par.none_given")
    time = f", {book.effective:%H:%M}" if isinstance(book.effective, datetime) else ""
    return f"{book.effective.day} {book.effective:%B %Y}{time}"


def _wager(each: WagerOdds) -> dict[str, Any]:
    return {
        "name": each.wager.name,
        "clause": each.wager.clause,
        "rows": [_row(chance) for chance in each.chances],
        "return": percent(each.expected_return, 6),
        "return_exact": fraction(each.expected_return),
        "house_edge": percent(each.house_edge, 6),
        "variance": f"{float(each.variance):.6f}",
        "deviation": f"{deviation(each.variance):.6f}",
        "hit": percent(each.hit_frequency, 6),
        "push": percent(each.push_frequency, 6),
    }


def _row(chance: Chance) -> dict[str, str]:
    return {
        "outcome": chance.outcome,
        "pays": pays_or_push(chance.pays) if chance.result else text("reports", "par.returned"),
        "clause": chance.clause or "",
        "deals": f"{chance.deals:,}",
        "probability": percent(chance.probability, 6),
        "contribution": percent(chance.probability * chance.pays, 6),
    }


def _bands(each: WagerOdds, rounds: tuple[int, ...]) -> dict[str, Any]:
    """Return the range that 95 of 100 runs of each length fall in, by the normal approximation."""
    mean, spread = float(each.expected_return), deviation(each.variance)
    halves = [_TWO_SIDED_95_PERCENT * spread / number**0.5 for number in rounds]
    return {
        "name": each.wager.name,
        "ranges": [_range(100 * (mean - half), 100 * (mean + half)) for half in halves],
    }


def _literal(book: Rulebook, decks: int) -> str:
    """Return the figure behind reading R1, for games with wagers on a pair in one hand."""
    wagers = [wager for wager in book.wagers if wager.sees in (Sees.PLAYER_RANKS, Sees.BANKER_RANKS)]
    if not wagers or not book.clause_of("pair"):
        return ""
    gain = literal_pair_return(wagers[0], book.shoe(decks))
    names = text("reports", "par.and").join(wager.name for wager in wagers)
    return text("reports", "par.literal", wagers=names, gain=percent(gain))


def _range(low: float, high: float) -> str:
    return text("reports", "par.range", low=f"{low:+.3f}", high=f"{high:+.3f}")


def _texts(sheet: dict[str, Any]) -> dict[str, str]:
    """Return the texts of the templates, those about the whole sheet with their blanks filled."""
    facts = {
        "title": {"title": sheet["title"]},
        "rules_line": {"version": sheet["version"], "effective": sheet["effective"]},
        "shoe_line": {"decks": sheet["decks"], "cards": sheet["cards"], "clause": sheet["decks_clause"]},
        "deals_line": {"deals": sheet["deals"]},
    }
    texts = texts_under("reports", "par")
    if not sheet["dated"]:
        texts["rules_line"] = texts["rules_line_undated"]
    return texts | {code: fill(texts[code], values) for code, values in facts.items()}


def write_html(sheet: dict[str, Any], file: Path) -> None:
    """Write the sheet as one HTML page that needs nothing else."""
    file.write_text(html_page(_HERE / "par.html.jinja", {**sheet, "texts": _texts(sheet)}), "utf-8")


def write_pdf(sheet: dict[str, Any], file: Path) -> None:
    """Write the sheet as a PDF."""
    import typst

    typst.compile(
        str(_HERE / "par.typ"), output=str(file), sys_inputs={"sheet": json.dumps({**sheet, "texts": _texts(sheet)})}
    )
