"""Which line of a game some printed words mean: the nearest, and what in them is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache

from punto.rules.rulebook import Line, Result, Rulebook, Wager
from punto.texts import Language, name_of, text

NEAR = 0.74
"""Words as alike as this are taken for one word, misspelt."""
LEAST_SCORE = 1.15
"""What is less like any line than this is for none."""
_SHORTEST_MISSPELT = 4
_LONGEST_AS_IT_IS = 3
_OWN, _FOREIGN, _FOREIGN_OUTCOME = 2.0, 0.8, 0.25
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_TOKEN = re.compile(r"[^\W_]+")

Target = tuple[Wager, Line]


@dataclass(frozen=True, slots=True)
class GameWords:
    """The words by which a game's lines are known."""

    targets: tuple[Target, ...]
    wager: dict[str, tuple[frozenset[str], ...]]
    """By wager: its words, in each language."""
    outcome: dict[Target, tuple[frozenset[str], ...]]
    wager_words: frozenset[str]
    outcome_words: frozenset[str]


def words_of_game(book: Rulebook) -> GameWords:
    """Return the words of a game's lines that can be printed: all but losses."""
    targets = tuple((wager, line) for wager in book.wagers for line in wager.lines)
    wager = {each.name: _in_languages("wager", each.name) for each in book.wagers}
    outcome = {
        (each, line): _in_languages("outcome", line.outcome) if line.outcome != Result.WIN.value else (frozenset(),)
        for each, line in targets
    }
    return GameWords(
        targets,
        wager,
        outcome,
        frozenset(word for sets in wager.values() for words in sets for word in words),
        frozenset(word for sets in outcome.values() for words in sets for word in words),
    )


def _in_languages(kind: str, name: str) -> tuple[frozenset[str], ...]:
    return tuple(dict.fromkeys(tokens(name_of(kind, name, language)) for language in Language))


@lru_cache(maxsize=4096)
def tokens(words: str) -> frozenset[str]:
    """Return what counts of some words: no small words, numbers in digits, no plurals; Chinese sign by sign."""
    found: set[str] = set()
    # What a line is not, "except a pair of fours", says nothing of what it is.
    for word in _TOKEN.findall(_exception().sub(" ", words.casefold())):
        parts = list(word) if _CHINESE.search(word) else [word]
        singular = (part.rstrip("s") if len(part) > _LONGEST_AS_IT_IS else part for part in parts)
        found.update(_numbers().get(part, part) for part in singular)
    return frozenset(found - _small())


@cache
def _exception() -> re.Pattern[str]:
    words = "|".join(re.escape(each) for language in Language for each in _listed("except", language))
    return re.compile(rf"\b(?:{words})\b.*|(?:{words})\W.*")


@cache
def _numbers() -> dict[str, str]:
    """Return the digits of numbers written out."""
    pairs = [pair.partition("=") for language in Language for pair in _listed("numbers", language)]
    return {word: digits for word, _, digits in pairs}


@cache
def _small() -> frozenset[str]:
    return frozenset(word for language in Language for word in _listed("small", language))


def meant_wagers(names: GameWords, words: str) -> tuple[str, ...]:
    """Return the wagers that a line names together, such as "Player Pair or Banker Pair"; empty unless it joins two."""
    joined = "|".join(re.escape(each) for language in Language for each in _listed("or", language))
    if not re.search(joined, words.casefold()):
        return ()
    there = tokens(words)
    named = {name: own for name, sets in names.wager.items() for own in sets if _share(own, there) == 1}
    most = [name for name, own in named.items() if not any(own < other for other in named.values())]
    return tuple(most) if len(most) > 1 else ()


def _listed(key: str, language: Language) -> list[str]:
    return text("dossier", f"felt.word.{key}", language).split(",")


def score(names: GameWords, target: Target, words: str) -> float:
    """Return how well words name a line: its wager's words most, its outcome's next, less those of other lines."""
    there = tokens(words)
    own = [(_share(each, there), each) for each in names.wager[target[0].name]]
    of_wager, wager = max(own, key=lambda each: each[0])
    told = names.outcome[target]
    of_outcome, outcome = max(((_share(each, there), each) for each in told), key=lambda each: each[0])
    every = frozenset().union(wager, outcome, *names.wager[target[0].name], *told)
    foreign = [word for word in there if not _known(word, every)]
    of_others = sum(word in names.wager_words for word in foreign)
    of_other_outcomes = sum(word in names.outcome_words and word not in names.wager_words for word in foreign)
    # A line named by its outcome alone, such as "Twin Tiger Pair", is named in full.
    alone = of_outcome if outcome and target[1].result is Result.WIN else 0
    return max(_OWN * of_wager, _OWN * alone) + of_outcome - _FOREIGN * of_others - _FOREIGN_OUTCOME * of_other_outcomes


def _share(wanted: Iterable[str], there: frozenset[str]) -> float:
    """Return which share of some words is there; all of no words is."""
    wanted = tuple(wanted)
    return sum(_known(word, there) for word in wanted) / len(wanted) if wanted else 1.0


def _known(word: str, among: frozenset[str]) -> bool:
    return word in among or any(_alike(word, each) for each in among)


@cache
def _alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _SHORTEST_MISSPELT or one.isdecimal() or other.isdecimal():
        return False
    return SequenceMatcher(None, one, other).ratio() >= NEAR


def misspelt(names: GameWords, target: Target, words: str) -> tuple[tuple[str, str], ...]:
    """Return the words that are nearly, but not quite, those of the line: each with the word that is meant."""
    own = {word for sets in (names.wager[target[0].name], names.outcome[target]) for each in sets for word in each}
    strange = sorted(tokens(words) - own - names.wager_words - names.outcome_words)
    return tuple((word, right) for word in strange for right in sorted(own) if _alike(word, right))
