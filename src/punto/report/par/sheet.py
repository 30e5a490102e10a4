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
        "version": book.version or "none given",
        "effective": _effective(book),
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
        return "none given"
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
        "pays": pays_or_push(chance.pays) if chance.result else "returned",
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
        "ranges": [f"{100 * (mean - half):+.3f} to {100 * (mean + half):+.3f}" for half in halves],
    }


def _literal(book: Rulebook, decks: int) -> str:
    """Return the figure behind reading R1, for games with wagers on a pair in one hand."""
    wagers = [wager for wager in book.wagers if wager.sees in (Sees.PLAYER_RANKS, Sees.BANKER_RANKS)]
    if not wagers or not book.clause_of("pair"):
        return ""
    gain = literal_pair_return(wagers[0], book.shoe(decks))
    names = " and ".join(wager.name for wager in wagers)
    return f"R1 in figures: with a ten pairing with any face card, {names} would return {percent(gain)} to the patron."


def write_html(sheet: dict[str, Any], file: Path) -> None:
    """Write the sheet as one HTML page that needs nothing else."""
    file.write_text(html_page(_HERE / "par.html.jinja", sheet), "utf-8")


def write_pdf(sheet: dict[str, Any], file: Path) -> None:
    """Write the sheet as a PDF."""
    import typst

    typst.compile(str(_HERE / "par.typ"), output=str(file), sys_inputs={"sheet": json.dumps(sheet)})
