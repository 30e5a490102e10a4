"""Simulation beside exact odds: shoes dealt from a seed, and how far each figure lies from what is computed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from fractions import Fraction

from punto.data_frames import error_of
from punto.odds import Odds, WagerOdds
from punto.report.dossier.document import Block, Document, Heading, Paragraph, PrintedTable, say
from punto.report.dossier.foot import foot_of
from punto.report.rendering import percent
from punto.simulate.result import Simulation, WagerResult
from punto.texts import Language

_ENGLISH = Language.ENGLISH
MOST_Z = 4.0
"""A figure further off than so many standard errors is to be looked into."""


def simulated_rounds(dealt: Simulation, exact: Odds) -> Document:
    """Return what was dealt beside what is exact."""
    return Document(
        title=say("simulated.title", _ENGLISH, game=dealt.book.title),
        language=_ENGLISH,
        foot=foot_of(dealt.book),
        facts=(
            (say("simulated.shoes", _ENGLISH), f"{dealt.shoes:,}"),
            (say("simulated.rounds", _ENGLISH), f"{dealt.rounds:,}"),
            (say("simulated.cards", _ENGLISH), f"{len(dealt.shoe.cards):,}"),
            (say("simulated.cut", _ENGLISH), str(dealt.shoe.cut)),
            (say("simulated.seed", _ENGLISH), str(dealt.seed)),
        ),
        blocks=tuple(_blocks(dealt, exact)),
    )


def simulated_json(dealt: Simulation, exact: Odds) -> str:
    """Return the same for programs."""
    told = dealt.to_dict() | {
        "z": [{"wager": name, "of": "house_edge", "z": _z_of_edge(dealt[name], exact[name])} for name in exact]
    }
    return json.dumps(told, indent=1) + "\n"


def furthest(dealt: Simulation, exact: Odds) -> float:
    """Return the largest distance of all figures, in standard errors."""
    return max((abs(z) for name in exact for _, _, _, z in _outcomes(dealt[name], exact[name])), default=0.0)


def _blocks(dealt: Simulation, exact: Odds) -> Iterator[Block]:
    yield Paragraph(say("simulated.note", _ENGLISH, most=f"{MOST_Z:g}"), soft=True)
    yield Heading(say("simulated.edges", _ENGLISH))
    columns = ("wager", "exact_edge", "dealt_edge", "error", "z")
    yield PrintedTable(
        tuple(say(f"simulated.{each}", _ENGLISH) for each in columns),
        tuple(_edge(dealt[name], exact[name]) for name in exact),
        right=(1, 2, 3, 4),
    )
    yield Heading(say("simulated.outcomes", _ENGLISH))
    cells = ("wager", "outcome", "probability", "share", "count", "z")
    rows = tuple(
        (name, outcome, percent(chance, 5), percent(Fraction(count, dealt.rounds), 5), f"{count:,}", f"{z:+.2f}")
        for name in exact
        for outcome, chance, count, z in _outcomes(dealt[name], exact[name])
    )
    yield PrintedTable(
        tuple(say(f"simulated.{each}", _ENGLISH) for each in cells), rows, right=(2, 3, 4, 5), small=True
    )


def _edge(dealt: WagerResult, exact: WagerOdds) -> tuple[str, ...]:
    z = _z_of_edge(dealt, exact)
    error = error_of(dealt.standard_error, share=True)
    return dealt.wager.name, percent(exact.house_edge), percent(dealt.house_edge), error, f"{z:+.2f}"


def _z_of_edge(dealt: WagerResult, exact: WagerOdds) -> float:
    """Return how many standard errors the dealt house edge lies above the exact one: as far as the return below."""
    return -dealt.z_score(exact.expected_return)


def _outcomes(dealt: WagerResult, exact: WagerOdds) -> Iterator[tuple[str, Fraction, int, float]]:
    counts = {each.outcome: each.count for each in dealt.outcomes}
    for each in exact.outcomes:
        expected, count = dealt.rounds * each.probability, counts.get(each.outcome, 0)
        spread = math.sqrt(expected * (1 - each.probability))
        yield each.outcome, each.probability, count, float(count - expected) / spread if spread else 0.0
