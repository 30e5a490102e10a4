"""Read a pay table as it is printed: each ratio with the words that stand by it. It may be typed, pasted or scanned."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from punto.rules.rulebook import Rulebook
from punto.texts import Language, name_of, text

_NUMBER = r"\d{1,3}(?:,\d{3})+|\d{1,6}(?:\.\d{1,6})?"
_NOISE = re.compile(r"[|*_\"“”„«»•·…—–]+|\.{2,}|(?<=\s)[-=]+(?=\s|$)|^[-=#>\s]+")
_IN_BRACKETS = re.compile(r"\s*\(([^)]*)\)")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class PrintedPay:
    """A ratio on paper, and the words by which a reader knows what it is for."""

    line: int
    words: str
    heading: str
    """The words of the last line above it without a ratio."""
    pays: Fraction
    """The net ratio to the stake; 0 for a push."""


def names_like_ratios(book: Rulebook) -> tuple[str, ...]:
    """Return the names of a game in which a ratio seems to stand, such as "by 6 to 8"."""
    names = {(kind, name) for kind, name in _names(book)}
    said = {name_of(kind, name, language) for kind, name in names for language in Language}
    return tuple(
        sorted((each for each in said if _ratio().search(each) and not _ratio().fullmatch(each)), key=len, reverse=True)
    )


def _names(book: Rulebook) -> Iterator[tuple[str, str]]:
    for wager in book.wagers:
        yield "wager", wager.name
        yield from (("outcome", line.outcome) for line in wager.lines)


def printed_pays(content: str, names: tuple[str, ...] = ()) -> tuple[PrintedPay, ...]:
    """Return every ratio of a text with its words, line by line; empty if there is none.

    What stands in one of the names is no ratio.
    """
    found: list[PrintedPay] = []
    heading = ""
    for number, raw in enumerate(content.splitlines(), start=1):
        # Full-width digits and colons become plain ones, and a tab a space.
        line = " ".join(_NOISE.sub(" ", unicodedata.normalize("NFKC", raw)).split())
        pays = list(_of_line(number, line, heading, names))
        found += pays
        if not pays and _LETTER.search(line):
            heading = line
    return tuple(found)


def _of_line(number: int, line: str, heading: str, names: tuple[str, ...]) -> Iterator[PrintedPay]:
    share = _commission().search(line)
    kept = 1 - Fraction(share[1] or share[2]) / 100 if share else Fraction(1)
    plain = _commission().sub(" ", line)
    named = [span for name in names for span in re.finditer(re.escape(name), plain, re.IGNORECASE)]
    matches = [
        each
        for each in _ratio().finditer(plain)
        if _value(each) is not None and not any(_overlap(each, span) for span in named)
    ]
    words, end = "", 0
    for at, match in enumerate(matches):
        before = plain[end : match.start()].strip(" ,;:/(-")
        inside = _IN_BRACKETS.match(plain, match.end())
        end = inside.end() if inside else match.end()
        if not before and not at:
            stop = matches[1].start() if len(matches) > 1 else len(plain)
            before = plain[end:stop].strip(" ,;:/()-")
            end = stop
        # Several ratios in a row are for the same words: Tiger 12 to 1 / 20 to 1.
        words = before or words
        value = _value(match)
        assert value is not None
        told = " ".join(filter(None, (words, inside[1] if inside else "")))
        yield PrintedPay(number, told, heading, value * kept)


def _overlap(one: re.Match[str], other: re.Match[str]) -> bool:
    return one.start() < other.end() and other.start() < one.end()


@cache
def _ratio() -> re.Pattern[str]:
    """Return the pattern of a ratio, in the words of every language."""
    to, included, reverse, even, push, times = (
        "|".join(_whole(each) for language in Language for each in _words(key, language))
        for key in ("to", "for", "reverse", "even", "push", "times")
    )
    return re.compile(
        rf"(?P<above>{_NUMBER})\s*(?:(?P<to>{to}|:|/)|(?P<for>{included})|(?P<reverse>{reverse}))\s*(?P<below>{_NUMBER})"
        rf"|(?P<times>{_NUMBER})\s*(?:{times}|x\b)|(?P<percent>{_NUMBER})\s*%|(?P<even>{even})|(?P<push>{push})",
        re.IGNORECASE,
    )


@cache
def _commission() -> re.Pattern[str]:
    words = "|".join(re.escape(each) for language in Language for each in _words("commission", language))
    return re.compile(
        rf"\(?(?:\w+\s+)?(\d+(?:\.\d+)?)\s*%\s*(?:{words})\)?|\(?(?:{words})\s*(\d+(?:\.\d+)?)\s*%\)?", re.IGNORECASE
    )


def _whole(word: str) -> str:
    """Return the pattern of a word that is no part of another one; Chinese words stand side by side."""
    return (
        rf"(?<![a-z]){re.escape(word)}(?![a-z])"
        if word.isascii() and word.replace(" ", "").isalpha()
        else re.escape(word)
    )


def _words(key: str, language: Language) -> list[str]:
    # The longest first, so that no word hides a longer one.
    return sorted(text("dossier", f"felt.word.{key}", language).split(","), key=len, reverse=True)


def _value(match: re.Match[str]) -> Fraction | None:
    """Return the net ratio; None for what is none, such as 5 to 0."""
    if match["even"] or match["push"]:
        return Fraction(1 if match["even"] else 0)
    if match["times"] or match["percent"]:
        return _number(match["times"]) if match["times"] else _number(match["percent"]) / 100
    above, below = _number(match["above"]), _number(match["below"])
    if match["reverse"] and not (below == 1 and above > 2):
        above, below = below, above
    if not below:
        return None
    # "35 for 1" hands back 35 with the stake among them.
    pays = above / below - 1 if match["for"] else above / below
    return pays if pays >= 0 else None


def _number(digits: str) -> Fraction:
    return Fraction(digits.replace(",", ""))
