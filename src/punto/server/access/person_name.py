"""Names of people in any script: in which form they are stored, and how they are compared and searched for."""

from __future__ import annotations

import re
import unicodedata

LONGEST_NAME = 64
LONGEST_LINE = 300

_JOINERS = "\u200c\u200d"
"""Invisible, but part of the spelling of names in Persian, Sinhala, Malayalam and other scripts."""
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Count as letters, and show nothing."""
_VARIANTS = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""What tells spellings of one name apart, and nothing that people compare."""
_JOINED = re.compile(f"[{_JOINERS}]")


def proper_name(name: str) -> str | None:
    """Return a name in the form it is stored in, or None if it cannot be one.

    A name has at least one letter or digit, and nothing invisible: no control characters, none that change the
    direction of writing, and no spaces other than the plain one.
    """
    if len(name) > LONGEST_NAME:
        return None
    proper = " ".join(unicodedata.normalize("NFC", name).split())
    long = max(len(proper), len(unicodedata.normalize("NFKC", proper)))
    return proper if long <= LONGEST_NAME and _is_visible(proper) and any(map(str.isalnum, proper)) else None


def proper_line(text: str) -> str | None:
    """Return an address or a reason in the form it is stored in, or None if it cannot be one."""
    proper = " ".join(unicodedata.normalize("NFC", text[: LONGEST_LINE + 1]).split())
    return proper if 1 <= len(proper) <= LONGEST_LINE and _is_visible(proper) else None


def folded(name: str) -> str:
    """Return a name as names are compared: here, because each database folds case in its own way."""
    plain = _VARIANTS.sub("", unicodedata.normalize("NFKC", name))
    return unicodedata.normalize("NFKC", plain.casefold())


def _is_visible(proper: str) -> bool:
    if not _FILLERS.isdisjoint(proper):
        return False
    joined = all(_is_in_a_word(proper, found.start()) for found in _JOINED.finditer(proper))
    return joined and _JOINED.sub("", proper).isprintable()


def _is_in_a_word(text: str, at: int) -> bool:
    """Whether a joiner stands between letters of a script that joins them: not Latin, where it would only hide."""
    around = text[at - 1 : at] + text[at + 1 : at + 2]
    joins = [unicodedata.category(each)[0] in "LM" and not each.isascii() for each in around]
    return len(joins) == 2 and all(joins)
