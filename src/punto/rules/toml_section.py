"""Read a TOML file table by table, so that every error names the file, the key and what was expected."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")
_MOST_NAMED = 24
_LONGEST_SHOWN = 200
"""Characters of a text that an error repeats."""


class GameFileError(ValueError):
    """A game file that cannot be used; the message names the file, the key and what was expected there."""

    def __init__(self, message: str, where: str = "", reason: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.where, self.reason, self.line = where, reason, line
        """The key alone, such as wager[3].lines[2].pays, the sentence without file and key, and the line; where known.
        """


class _Decimal:
    """A number with a decimal point, which no key accepts: ratios are strings, so that they stay exact."""

    def __init__(self, text: str) -> None:
        self.text = text


def parse_toml(content: bytes, file: str) -> dict[str, Any]:
    """Return the content of a TOML file."""
    try:
        return tomllib.loads(content.decode("utf-8-sig"), parse_float=_Decimal)
    except (ValueError, RecursionError) as error:
        reason = f"not a TOML file: {'nested too deeply' if isinstance(error, RecursionError) else error}"
        raise GameFileError(f"{file}: {reason}", reason=reason) from None


class Section:
    """One table of the file. Reading a key removes it, so whatever is left at the end is unknown."""

    def __init__(self, file: str, where: str, content: object) -> None:
        self._file, self._where = file, where
        self._left: dict[str, object] = {}
        self._asked: list[str] = []
        if not isinstance(content, dict):
            self._wrong("a table", content)
        self._left = dict(content)

    def refuse(self, sentence: str, key: str | None = None) -> NoReturn:
        where = self._path(key)
        raise GameFileError(f"{self._file}: {where or 'the file'}: {sentence}", where, sentence)

    def take(self, key: str, expected: str, read: Callable[[object], T | None], words: Iterable[str] = ()) -> T:
        """Return the value of a required key; ``read`` returns None for a value it cannot use, and ``words`` are those
        that may have been meant.
        """
        found = self._pop(key)
        value = None if found is None else read(found)
        if value is None:
            self._wrong(expected, found, key, words)
        return value

    def maybe(self, key: str, expected: str, read: Callable[[object], T | None], words: Iterable[str] = ()) -> T | None:
        """Return the value of an optional key, or None."""
        return self.take(key, expected, read, words) if key in self else None

    def present(self, keys: Iterable[str]) -> list[str]:
        """Return which of these optional keys the table has, in their order."""
        keys = list(keys)
        self._asked += keys
        return [key for key in keys if key in self._left]

    def __contains__(self, key: str) -> bool:
        self._asked.append(key)
        return key in self._left

    def listed(self, key: str) -> list[object]:
        """Return what an optional key lists, without reading it; empty if it is no list."""
        found = self._left.get(key)
        return found if isinstance(found, list) else []

    def text_of(self, key: str) -> str:
        """Return the text of a key, without reading it; empty if it is no text."""
        found = self._left.get(key)
        return found if isinstance(found, str) else ""

    def text(self, key: str) -> str:
        return self.take(key, "a text", as_text)

    def whole(self, key: str, least: int, most: int) -> int:
        return self.take(
            key,
            f"a whole number {least} to {most}",
            lambda found: found if type(found) is int and least <= found <= most else None,
        )

    def yes_no(self, key: str) -> bool:
        return self.take(key, "true or false", lambda found: found if isinstance(found, bool) else None)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return an optional list of strings."""
        return self.maybe(key, "a list of texts", _as_texts) or ()

    def one_of(self, key: str, options: Iterable[str]) -> str:
        allowed = [str(option) for option in options]
        return self.take(
            key, "one of " + ", ".join(allowed), lambda found: str(found) if found in allowed else None, allowed
        )

    def section(self, key: str) -> Section:
        return Section(self._file, self._path(key), self._pop(key))

    def maybe_section(self, key: str) -> Section | None:
        return self.section(key) if key in self else None

    def sections(self, key: str) -> list[Section]:
        """Return an optional list of tables."""
        found = self._pop(key)
        if not isinstance(found, list | None):
            self._wrong("a list of tables", found, key)
        return [Section(self._file, self._path(f"{key}[{at}]"), item) for at, item in enumerate(found or (), start=1)]

    def named_sections(self) -> list[tuple[str, Section]]:
        """Return all that is left of a table whose keys are names: each name with its table."""
        left, self._left = self._left, {}
        return [(name, Section(self._file, self._path(f'"{name}"'), content)) for name, content in left.items()]

    def has_only_numbers(self) -> bool:
        """Return whether all keys are digits, as when a clause number was written without quotes."""
        return bool(self._left) and all(key.isdecimal() for key in self._left)

    def end(self) -> None:
        """Raise ``GameFileError`` for keys that were never read: a misspelt key would otherwise be a silent default."""
        for key in self._left:
            near = get_close_matches(key, self._asked, n=1)
            known = list(dict.fromkeys(self._asked))
            shown = ", ".join(known[:_MOST_NAMED]) + (", ..." if len(known) > _MOST_NAMED else "")
            self.refuse(f"unknown key; {f'did you mean {near[0]}?' if near else f'known here: {shown}'}", key)

    def _pop(self, key: str) -> object:
        return self._left.pop(key) if key in self else None

    def _path(self, key: str | None) -> str:
        return ".".join(part for part in (self._where, key) if part)

    def _wrong(self, expected: str, found: object, key: str | None = None, words: Iterable[str] = ()) -> NoReturn:
        given = [each for each in (found if isinstance(found, list) else [found]) if isinstance(each, str)]
        near = [word for each in given if each not in words for word in get_close_matches(each, list(words), n=1)]
        hint = f"; did you mean {near[0]}?" if near else ""
        self.refuse(f"expected {expected}, found {'nothing' if found is None else as_toml_text(found)}{hint}", key)


def as_text(found: object) -> str | None:
    """Return a printable one-line string without surrounding spaces; None for anything else."""
    usable = isinstance(found, str) and found and found.isprintable() and found == found.strip()
    return found if isinstance(found, str) and usable else None


def matching(pattern: str) -> Callable[[object], str | None]:
    """Return a reader for strings that the whole pattern matches."""
    return lambda found: found if isinstance(found, str) and re.fullmatch(pattern, found, re.ASCII) else None


def _as_texts(found: object) -> tuple[str, ...] | None:
    texts = [as_text(item) for item in found] if isinstance(found, list) else [None]
    return tuple(text for text in texts if text) if all(texts) else None


def as_toml_text(found: object) -> str:
    """Return a value as the author of the file would have written it, shortened."""
    match found:
        case bool():
            return str(found).lower()
        case str():
            return f'"{found}"' if len(found) <= _LONGEST_SHOWN else f'"{found[:_LONGEST_SHOWN]}..."'
        case dict():
            return "a table"
        case list():
            return "a list"
        case int():
            return str(found) if abs(found) < 10**18 else "an enormous number"
        case _Decimal():
            return found.text[:20]
        case _:
            return str(found)
