"""On which line of a game's file a key stands, so that a mistake is told with its line."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping

_TOKENS = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|[\n\[\]{}=,.]"
    r"|[^\s\[\]{}=,.\#\"']+",
    re.DOTALL,
)

_DEEPEST = 16
"""Parts of a key with dots that are followed; no game's file has so many."""


def line_of_key(text: str, key: str) -> int | None:
    """Return on which line, from 1, a key such as ``wager[3].lines[2].when.margin`` of a TOML file stands; the line of
    the table that lacks it if it is missing, and None if that is the whole file or the text is no TOML.
    """
    lines, key = _lines_of(text), key.replace('"', "")
    while key and key not in lines:
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return lines.get(key)


def key_of_line(text: str, wager: str, at: int) -> str | None:
    """Return the key of a line of a wager, by its place from 0; None where the file borrows the wager."""
    own = tomllib.loads(text).get("wager", [])
    number = next((number for number, each in enumerate(own, start=1) if each.get("name") == wager), None)
    key = f"wager[{number}].lines[{at + 1}]"
    return key if key in _lines_of(text) else None


def _lines_of(text: str) -> Mapping[str, int]:
    try:
        return _Reader(text).lines()
    except (IndexError, ValueError, RecursionError):  # no TOML, or lists nested as no game has them
        return {}


class _Reader:
    """Reads a file that is known to be TOML, and keeps nothing but where keys and items stand."""

    def __init__(self, text: str) -> None:
        self._tokens = list(self._numbered(text))
        self._at = 0
        self._lines: dict[str, int] = {}
        self._tables: Counter[str] = Counter()

    @staticmethod
    def _numbered(text: str) -> Iterator[tuple[str, int]]:
        line, counted = 1, 0
        for found in _TOKENS.finditer(text):
            line += text.count("\n", counted, found.start())
            counted = found.start()
            if not found[0].startswith("#"):
                yield found[0], line
        yield "", line

    def lines(self) -> dict[str, int]:
        """Return the line of every key, table and item of a list."""
        table = ""
        while token := self._sign():
            if token == "[":
                table = self._header()
            elif token == "\n":
                self._at += 1
            else:
                self._entry(table)
        return self._lines

    def _sign(self) -> str:
        return self._tokens[self._at][0]

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1][0]

    def _key(self) -> list[str]:
        """Read a key with dots, and the sign behind it."""
        parts = []
        while (token := self._take()) not in "=]":
            if token != ".":
                parts.append(token[1:-1] if token[0] in "\"'" else token)
        return parts

    def _header(self) -> str:
        line = self._tokens[self._at][1]
        self._at += 1
        listed = self._sign() == "["
        self._at += listed
        *parents, last = self._key()
        self._at += listed
        table = ""
        for part in parents[:_DEEPEST]:
            table = self._last_of(_joined(table, part))
        table = _joined(table, last)
        self._tables[table] += listed
        self._lines.setdefault(table, line)
        table = self._last_of(table)
        self._lines.setdefault(table, line)
        return table

    def _last_of(self, table: str) -> str:
        return f"{table}[{self._tables[table]}]" if self._tables[table] else table

    def _entry(self, table: str) -> None:
        line = self._tokens[self._at][1]
        for part in self._key()[:_DEEPEST]:
            table = _joined(table, part)
            self._lines.setdefault(table, line)
        self._value(table)

    def _value(self, key: str) -> None:
        opening = self._sign()
        if opening not in ("[", "{"):
            while self._sign() not in (",", "]", "}", "\n", ""):
                self._at += 1
            return
        self._at += 1
        item = 0
        while (token := self._sign()) not in ("]", "}", ""):
            if token in (",", "\n"):
                self._at += 1
            elif opening == "{":
                self._entry(key)
            else:
                item += 1
                self._lines[f"{key}[{item}]"] = self._tokens[self._at][1]
                self._value(f"{key}[{item}]")
        self._at += 1


def _joined(table: str, key: str) -> str:
    return f"{table}.{key}" if table else key
