"""What wagers pay, line by line, in words: for rules, rack cards and layouts, all from the game's lines."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from punto.design.clause_words import PaidLine
from punto.formatting import ratio_parts
from punto.report.dossier.document import PrintedTable, say
from punto.rules.rulebook import Line, Result, Wager
from punto.texts import Language, name_of


def wager_name(wager: Wager, language: Language) -> str:
    """Return what a wager is called in a language; its own name if the catalogues have none."""
    return name_of("wager", wager.name, language)


def outcome_name(line: Line, language: Language) -> str:
    """Return what an outcome is called in a language."""
    return name_of("outcome", line.outcome, language)


def line_name(wager: Wager, line: Line, language: Language) -> str:
    """Return what a line is called on paper: the wager alone where it can win in one way only."""
    wins = [each for each in wager.lines if each.result is Result.WIN]
    if wins == [line]:
        return wager_name(wager, language)
    return say("pays.line", language, wager=wager_name(wager, language), outcome=outcome_name(line, language))


def pays(ratio: Fraction, language: Language) -> str:
    """Return a pay ratio, or a push, in words."""
    if ratio == 0:
        return say("pays.push", language)
    above, below = ratio_parts(ratio)
    return say("pays.to", language, above=above, below=below)


def paid(line: Line, language: Language) -> str:
    """Return what a line pays, with the commission that is already taken off."""
    if not line.commission:
        return pays(line.pays, language)
    return say("pays.net", language, pays=pays(line.pays, language), commission=pays(line.commission, language))


def pay_grid(lines: Iterable[PaidLine], language: Language) -> PrintedTable:
    """Return the pay table of some lines."""
    rows = tuple((line_name(wager, line, language), paid(line, language)) for wager, line in lines)
    return PrintedTable((say("pays.winning_wager", language), say("pays.pays", language)), rows, right=(1,))
