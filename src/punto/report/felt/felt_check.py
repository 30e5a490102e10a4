"""Compare a printed pay table with a game, line by line, with the house edge that it would have as printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from punto.cards import Composition
from punto.odds import wager_odds
from punto.report.felt.named_lines import (
    LEAST_SCORE,
    GameWords,
    Target,
    meant_wagers,
    misspelt,
    score,
    words_of_game,
)
from punto.report.felt.printed_lines import PrintedPay, names_like_ratios, printed_pays
from punto.rules.rulebook import Line, Result, Rulebook, Wager

_IN_FULL = 2
"""A wager named in full scores this much."""
_SECOND_CHOICE = 0.4
"""Words whose best line is taken are for another only if they fit it nearly as well."""
_BY_HEADING = 0.1
"""Words that need their heading to be understood count a little less than those that do not."""


class FeltVerdict(StrEnum):
    """What came of a printed line, or of a line of the game."""

    EQUAL = "equal"
    DIFFERS = "differs"
    MISSPELT = "misspelt"
    MISSING = "missing"
    EXTRA = "extra"
    PUSH_NOT_PRINTED = "push-not-printed"
    """Felts rarely print that a wager is returned: this is told, and is no difference."""

    @property
    def is_difference(self) -> bool:
        """Whether the felt must not be printed as it is."""
        return self not in (FeltVerdict.EQUAL, FeltVerdict.PUSH_NOT_PRINTED)


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """A line of the felt, of the game, or of both."""

    verdict: FeltVerdict
    wager: Wager | None
    """The wager it is about; the nearest one for an extra line, if any is near."""
    line: Line | None
    printed: PrintedPay | None = None
    misspelt: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FeltCheck:
    """The whole comparison, and the edges of the wagers that it changes."""

    book: Rulebook
    decks: int
    lines: tuple[ComparedLine, ...]
    edges: dict[str, tuple[Fraction, Fraction]]
    """By wager that is printed otherwise: the house edge of the game, and the one it would have as printed."""

    @property
    def is_equal(self) -> bool:
        """Whether the felt says what the game pays."""
        return not any(each.verdict.is_difference for each in self.lines)


def check_felt(book: Rulebook, content: str, decks: int | None = None) -> FeltCheck:
    """Compare a printed pay table with a game; raise ``ValueError`` if the text has no pay ratio at all."""
    printed = printed_pays(content, names_like_ratios(book))
    if not printed:
        raise ValueError('no pay ratio in the text: expected lines such as "Tiger Tie 35 to 1"')
    chosen = book.usual_decks if decks is None else decks
    shoe, names = book.shoe(chosen), words_of_game(book)
    matched = _matched(names, _entries(names, printed))
    lines = (*_printed(names, matched), *_not_printed(book, matched))
    return FeltCheck(book, chosen, lines, _edges(lines, shoe))


Entry = tuple[PrintedPay, str | None]
"""A printed ratio, and the wager it is for where the words name several."""
Matched = list[tuple[PrintedPay, Target | None, Target | None]]
"""Each printed ratio with the line it is for, and with the nearest one."""


def _entries(names: GameWords, printed: tuple[PrintedPay, ...]) -> list[Entry]:
    found: list[Entry] = []
    for each in printed:
        together = meant_wagers(names, each.words) or (
            meant_wagers(names, each.heading) if not _alone(names, each) else ()
        )
        found += [(each, wager) for wager in together] or [(each, None)]
    return found


def _alone(names: GameWords, printed: PrintedPay) -> bool:
    """Return whether the words name a line of one wager without their heading."""
    scores = [(round(score(names, target, printed.words), 2), target[0].name) for target in names.targets]
    best, _ = max(scores)
    return best > _IN_FULL and len({name for found, name in scores if found == best}) == 1


def _matched(names: GameWords, entries: list[Entry]) -> Matched:
    """Give each printed ratio the line that its words name best; a line is given once.

    Words that fit several lines of a wager equally well go to the one that pays what is printed.
    """
    ranked = sorted(
        (
            (-round(found, 2), printed.pays != target[1].pays, at, number, target)
            for at, (printed, wager) in enumerate(entries)
            for number, target in enumerate(names.targets)
            if wager in (None, target[0].name) and (found := _score(names, target, printed, wager)) >= LEAST_SCORE
        ),
        key=lambda each: each[:4],
    )
    given: dict[int, Target] = {}
    nearest: dict[int, tuple[float, Target]] = {}
    for lacking, _, at, _, target in ranked:
        best, _ = nearest.setdefault(at, (lacking, target))
        if at not in given and target not in given.values() and lacking - best <= _SECOND_CHOICE:
            given[at] = target
    return [
        (printed, given.get(at), nearest[at][1] if at in nearest else None) for at, (printed, _) in enumerate(entries)
    ]


def _score(names: GameWords, target: Target, printed: PrintedPay, wager: str | None) -> float:
    if wager:
        # The words name this wager among others: only the outcome is left to find.
        return _IN_FULL + score(names, target, f"{printed.heading} {printed.words}")
    with_heading = score(names, target, f"{printed.heading} {printed.words}") - _BY_HEADING
    return max(score(names, target, printed.words), with_heading)


def _printed(names: GameWords, matched: Matched) -> Iterator[ComparedLine]:
    given = {target for _, target, _ in matched if target}
    for printed, target, nearest in matched:
        if target is None and nearest and nearest in given and printed.pays == nearest[1].pays:
            target = nearest  # printed twice, and alike
        if target is None:
            wager, line = nearest or (None, None)
            yield ComparedLine(FeltVerdict.EXTRA, wager, line, printed)
            continue
        wrong = misspelt(names, target, printed.words)
        same = printed.pays == target[1].pays
        verdict = FeltVerdict.DIFFERS if not same else FeltVerdict.MISSPELT if wrong else FeltVerdict.EQUAL
        yield ComparedLine(verdict, *target, printed, wrong)


def _not_printed(book: Rulebook, matched: Matched) -> Iterator[ComparedLine]:
    given = {target for _, target, _ in matched if target}
    for wager in book.wagers:
        for line in wager.lines:
            if (wager, line) not in given:
                push = line.result is Result.PUSH
                yield ComparedLine(FeltVerdict.PUSH_NOT_PRINTED if push else FeltVerdict.MISSING, wager, line)


def _edges(lines: tuple[ComparedLine, ...], shoe: Composition) -> dict[str, tuple[Fraction, Fraction]]:
    """Return the edges of wagers with another ratio than the game's: all that is printed of a wager counts together."""
    changed: dict[Wager, dict[str, Fraction]] = {}
    for each in lines:
        if each.verdict is FeltVerdict.DIFFERS and each.wager and each.line and each.printed:
            changed.setdefault(each.wager, {})[each.line.outcome] = each.printed.pays
    return {
        wager.name: (wager_odds(wager, shoe).house_edge, wager_odds(_paying(wager, pays), shoe).house_edge)
        for wager, pays in changed.items()
    }


def _paying(wager: Wager, pays: dict[str, Fraction]) -> Wager:
    return replace(wager, lines=tuple(replace(line, pays=pays.get(line.outcome, line.pays)) for line in wager.lines))
