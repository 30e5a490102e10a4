"""PAR sheets: a game's odds as a test lab files them, as PDF or HTML. Both are made from the same figures."""

from __future__ import annotations

import json
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from punto import __version__
from punto.evidence.standards.requirements import Figure, standard
from punto.formatting import hour_of
from punto.lab.bankrolls.result_distribution import MOST_RESULTS, MOST_ROUNDS, distribution, results_within_reach
from punto.lab.bankrolls.round_gains import round_gains
from punto.odds import Odds, OutcomeOdds, WagerOdds, literal_pair_return
from punto.odds.edge_checks import checks_of
from punto.odds.payout_caps import CappedWager
from punto.report.rendering import deviation, fraction, html_page, money, pays_or_push, percent
from punto.rules.conditions import Sees
from punto.rules.readings import readings_in_force
from punto.rules.rulebook import Rulebook
from punto.texts import fill, text, texts_under

ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
"""Numbers of rounds for which the sheet gives confidence bands."""

_LEAST_RETURN_IN = "gli-19"
"""The standard by which a wager returns too little, unless the regulator says otherwise."""
_INSIDE = Fraction(19, 20)
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
        "low_returns": _low_returns(found),
        "capped": [],
        "rounds": [f"{number:,}" for number in rounds],
        "bands": [_bands(each, rounds) for each in found.wagers],
        "readings": [
            {
                "number": f"R{reading.number}",
                "unclear": reading.unclear,
                "reading": reading.reading,
                "why": reading.why,
                "clauses": ", ".join(reading.clauses(book)),
            }
            for reading in readings_in_force(book)
        ],
        "literal": _literal(book, decks),
    }


def capped_part(title: str, wagers: tuple[CappedWager, ...]) -> dict[str, Any]:
    """Return what the sheet says of a cap on what a table pays in a round, as texts; nothing without one."""
    if not wagers:
        return {}
    rows = [
        (
            each.wager.name,
            money(each.stake),
            percent(-each.uncapped_return, 6),
            percent(each.house_edge, 6),
            percent(each.capped, 6),
            fraction(each.expected_return),
        )
        for each in wagers
    ]
    return {"capped": rows, "cap": title}


def par_json(found: Odds, decks: int, rounds: tuple[int, ...] = ROUNDS) -> dict[str, Any]:
    """Return what a PAR sheet says for other programs: exact numbers under the keys that all answers use."""
    book = found.book
    return {
        "title": book.title,
        "effective": book.effective.isoformat() if book.effective else None,
        "decks": decks,
        "cards": found.cards,
        "deals": found.deals,
        "rounds": list(rounds),
        "wagers": [each.to_dict() for each in found.wagers],
        "checks": [each.to_dict() for each in checks_of(found)],
        "least_return": str(least_return().value),
        "least_return_rounded": float(least_return().value),
        "least_return_source": _source(),
        "below_least_return": [each.wager.name for each in below_least_return(found)],
    }


def least_return() -> Figure:
    """Return what a house-banked wager has to return in theory, and in which section of the standard."""
    return standard(_LEAST_RETURN_IN).figures["least_return"]


def below_least_return(found: Odds) -> list[WagerOdds]:
    """Return the wagers whose exact return to player is below the least."""
    return [each for each in found.wagers if 1 - each.house_edge < least_return().value]


def _source() -> str:
    return f"{standard(_LEAST_RETURN_IN).title}, {least_return().section}"


def _low_returns(found: Odds) -> list[str]:
    """Return a sentence for each wager that returns too little, or one that says that none does."""
    about = {"least": percent(least_return().value, 0), "source": _source()}
    low = [
        text("reports", "par.low_return", wager=each.wager.name, returned=percent(1 - each.house_edge, 2), **about)
        for each in below_least_return(found)
    ]
    return low or [text("reports", "par.no_low_return", **about)]


def _effective(book: Rulebook) -> str:
    if book.effective is None:
        return text("reports", "par.none_given")
    hour = f", {hour_of(book.effective)}" if isinstance(book.effective, datetime) else ""
    return f"{book.effective.day} {book.effective:%B %Y}{hour}"


def _wager(each: WagerOdds) -> dict[str, Any]:
    return {
        "name": each.wager.name,
        "clause": each.wager.clause,
        "rows": [_row(chance) for chance in each.outcomes],
        "return": percent(each.expected_return, 6),
        "return_exact": fraction(each.expected_return),
        "house_edge": percent(each.house_edge, 6),
        "variance": f"{float(each.variance):.6f}",
        "deviation": f"{deviation(each.variance):.6f}",
        "hit": percent(each.hit_frequency, 6),
        "push": percent(each.push_frequency, 6),
    }


def _row(chance: OutcomeOdds) -> dict[str, str]:
    return {
        "outcome": chance.outcome,
        "pays": pays_or_push(chance.pays) if chance.result else text("reports", "par.returned"),
        "clause": chance.clause or "",
        "deals": f"{chance.deals:,}",
        "probability": percent(chance.probability, 6),
        "contribution": percent(chance.probability * chance.pays, 6),
    }


def _bands(each: WagerOdds, rounds: tuple[int, ...]) -> dict[str, Any]:
    """Return the range that at least 95 of 100 runs of each length fall in: its ends are results that can happen."""
    return {"name": each.wager.name, "ranges": [_range(*band(each, number)) for number in rounds]}


def band(each: WagerOdds, rounds: int) -> tuple[float, float]:
    """Return the lowest and the highest return of the middle 95% of all runs, in percent of what is staked.

    They are those of the distribution after that many rounds. Where that is too wide to compute it is as good as
    normal: then they follow from mean, deviation and skewness, and stay within what can happen.
    """
    gains = round_gains(each)
    if rounds <= MOST_ROUNDS and results_within_reach(gains, rounds) <= MOST_RESULTS:
        low, high = distribution(each, rounds).band(_INSIDE)
        return float(100 * low / rounds), float(100 * high / rounds)
    mean, spread = float(gains.mean), deviation(gains.variance) / rounds**0.5
    shift = (_TWO_SIDED_95_PERCENT**2 - 1) * gains.skewness / rounds**0.5 / 6
    ends = (mean + (z + shift) * spread for z in (-_TWO_SIDED_95_PERCENT, _TWO_SIDED_95_PERCENT))
    lowest, highest = gains.lowest / gains.parts, gains.highest / gains.parts
    low_end, high_end = (100 * min(max(end, lowest), highest) for end in ends)
    return low_end, high_end


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
