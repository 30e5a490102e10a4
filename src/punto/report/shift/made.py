"""What tables made and played, as a report tells it: amounts in cents, times in milliseconds since 1970."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from punto.books.shift_totals import Play
from punto.books.table_results import Results
from punto.report.rendering import percent
from punto.report.shift.theoretical_win import Expected
from punto.table.money import Pieces


class Figures(Struct, frozen=True):
    """What came to a table and went from it; win = closing + drop + credits - opening - fills, hold = win / drop."""

    opening: int
    """What the tray held at the beginning, its commission included."""
    fills: int
    credits: int
    drop: int
    taken_away: int
    """Chips that patrons carried to the cage."""
    closing: int
    """What was counted at closing or, while a table is open, what the books say its tray holds."""
    commission: int
    win: int
    hold: Fraction | None
    """None where nothing was dropped."""
    hold_percent: str | None


class WagerTurned(Struct, frozen=True):
    """One wager of the layout: how often it was settled, for how much, and what the house won on it."""

    wager: str
    wagers: int
    turnover: int
    won: int
    theoretical: int = 0
    """What the house wins on that turnover by the exact odds of its game, to the nearest cent."""


class OpeningShown(Struct, frozen=True):
    """One time a table was open; None stands where it was open before the span, or still is after it."""

    opened: int | None
    closed: int | None
    figures: Figures
    opened_by: str | None = None
    """Name of the person who opened it, or their id."""
    closed_by: str | None = None
    made: Made | None = None
    """What was made and played in this opening alone."""
    pieces: tuple[Pieces, ...] = ()
    """The chips counted at closing, by denomination."""
    opening_pieces: tuple[Pieces, ...] = ()
    """The chips counted at opening, by denomination."""


class Made(Struct, frozen=True):
    """What was made and played. Won on wagers, less claims, and the count difference are the win."""

    figures: Figures
    rounds: int
    void: int
    corrected: int
    turnover: int
    won: int
    claims: int
    """What patrons were left owing after corrections, less what was paid in chips at the table."""
    count_difference: int
    wagers: tuple[WagerTurned, ...]
    theoretical: int = 0
    """What the house wins on the turnover by exact odds, to the nearest cent."""


class TableMade(Struct, frozen=True):
    """One table in the span."""

    table: str
    game: str
    title: str
    open: bool
    """Whether it was open when the span ended."""
    openings: tuple[OpeningShown, ...]
    made: Made


def figures(results: Results) -> Figures:
    """Return the figures of the books as the report shows them."""
    hold = results.hold
    return Figures(
        opening=results.opening,
        fills=results.fills,
        credits=results.credits,
        drop=results.drop,
        taken_away=results.taken_away,
        closing=results.closing,
        commission=results.commission,
        win=results.win,
        hold=hold,
        hold_percent=None if hold is None else percent(hold, 2),
    )


def results_of(shown: Figures) -> Results:
    moved = (shown.opening, shown.fills, shown.credits, shown.drop, shown.taken_away, shown.closing, shown.commission)
    return Results(*moved)


def made_of(results: Results, plays: Iterable[Play], expected: Expected) -> Made:
    plays = list(plays)
    wagers, turnover, won = Counter[str](), Counter[str](), Counter[str]()
    for play in plays:
        wagers.update(play.wagers)
        turnover.update(play.turnover)
        won.update(play.won)
    return Made(
        figures=figures(results),
        rounds=sum(play.rounds for play in plays),
        void=sum(play.void for play in plays),
        corrected=sum(play.corrected for play in plays),
        turnover=turnover.total(),
        won=won.total(),
        claims=sum(play.claims for play in plays),
        count_difference=sum(play.count_difference for play in plays),
        wagers=tuple(
            WagerTurned(name, wagers[name], turnover[name], won[name], round(expected.get(name, 0)))
            for name in sorted(turnover)
        ),
        theoretical=round(sum(expected.values(), Fraction())),
    )
