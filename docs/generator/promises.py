"""The table of promises: each with where it is said and the tests that try the contrary, from ``promises.toml``."""

from __future__ import annotations

import posixpath
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from generator.markdown import page, table

DATA = Path(__file__).parent / "promises.toml"
SUBJECTS = {
    "cards": "Cards and secrets",
    "fairness": "Fairness",
    "rules": "Rules and figures",
    "money": "Money",
    "log": "The log and the audit",
    "storing": "Storing and stopping",
    "people": "People and access",
    "limits": "Limits and time",
    "pages": "Pages and documents",
}


class Quotation(NamedTuple):
    """Words in a file, named by its path in the project."""

    file: str
    words: str


class Promise(NamedTuple):
    """What is said in one place or several, and the tests that would fail if it were not so."""

    said: list[Quotation]
    tests: list[str]


def promises() -> dict[str, list[Promise]]:
    """Return all promises by subject."""
    data = tomllib.loads(DATA.read_text("utf-8"))
    return {key: [Promise(_quoted(each["said"]), each["tests"]) for each in data[key]] for key in SUBJECTS}


def no_promises() -> list[Quotation]:
    """Return the sentences that have a strong word and promise nothing."""
    return _quoted(tomllib.loads(DATA.read_text("utf-8"))["no_promises"])


def shown() -> str:
    """Return a table for each subject."""
    columns = ("what is promised", "where", "tried by")
    parts = [(SUBJECTS[key], [_row(each) for each in known]) for key, known in promises().items()]
    return page(*(part for title, rows in parts for part in (f"## {title}", table(columns, rows)))) + "\n"


def _quoted(said: list[str]) -> list[Quotation]:
    return [Quotation(*each.split(": ", 1)) for each in said]


def _row(promise: Promise) -> tuple[str, str, str]:
    return (
        "<br>".join(f"“{_unlinked(each.words)}”" for each in promise.said),
        "<br>".join(dict.fromkeys(_place(each.file) for each in promise.said)),
        "<br>".join(f"`{each}`" for each in promise.tests),
    )


def _unlinked(words: str) -> str:
    """Return words without their links, which lead on from the page that is quoted."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)


def _place(file: str) -> str:
    """Return a link to a page of the documentation, or the name of another file."""
    name = posixpath.relpath(file, "docs")
    return f"[{name}]({name})" if file.startswith("docs/") and file.endswith(".md") else f"`{file}`"
