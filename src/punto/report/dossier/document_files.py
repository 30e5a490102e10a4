"""The same document as Markdown, as a page that needs nothing else, and on paper."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from punto.report.dossier.document import Document
from punto.report.rendering import breakable, html_page
from punto.texts import Language

_HERE = Path(__file__).parent
_CHINESE_FONTS = ("Noto Serif CJK SC", "Noto Sans CJK SC", "Source Han Serif SC", "Source Han Sans SC", "Songti SC")
_CLAUSE_INDENT = "  "
_LONG_NAME = re.compile(r"[\w/:.]{24,}")
"""Names of files and tests, which break after a sign rather than inside a word."""


def html(document: Document) -> str:
    """Return the document as one HTML page that needs nothing else."""
    return html_page(_HERE / "document.html.jinja", document.told())


def pdf(document: Document) -> bytes:
    """Return the document as a PDF; the same document gives the same bytes."""
    import typst

    told = _breakable(document.told())
    made: bytes = typst.compile(str(_HERE / "document.typ"), sys_inputs={"sheet": json.dumps(told)})
    return made


@cache
def prints(language: Language) -> bool:
    """Return whether this computer has the letters of a language: without them a PDF would show empty boxes."""
    import typst

    return language is not Language.CHINESE or not {*_CHINESE_FONTS}.isdisjoint(typst.Fonts().families())


def markdown(document: Document) -> str:
    """Return the document as Markdown."""
    told = document.told()
    parts = [f"# {_plain(told['title'])}", *map(_plain, told["under"])]
    if told["facts"]:
        parts.append("\n".join(f"- {_plain(name)}: {_plain(value)}" for name, value in told["facts"]))
    if told["contents"]:
        parts.append("\n".join(f"- {_plain(each)}" for each in told["contents"]))
    clauses: list[str] = []
    for block in told["blocks"]:
        if block["kind"] == "clause":
            clauses.append(f"{_CLAUSE_INDENT * block['depth']}- **{block['number']}** {_clause(block)}")
            continue
        if clauses:
            parts.append("\n".join(clauses))
            clauses = []
        parts += _MARKDOWN[block["kind"]](block)
    return "\n\n".join([*parts, *(["\n".join(clauses)] if clauses else []), f"*{_plain(told['foot'])}*"]) + "\n"


def _clause(block: Mapping[str, Any]) -> str:
    about = [*block["readings"], *([block["mark"]] if block["mark"] else [])]
    return _plain(block["words"]) + (f" *({_plain(', '.join(about))})*" if about else "")


def _grid(block: Mapping[str, Any]) -> Iterator[str]:
    if block["caption"]:
        yield f"**{_plain(block['caption'])}**"
    ruler = ["--:" if at in block["right"] else "---" for at in range(len(block["columns"]))]
    lines = [[_cell(each) for each in line] for line in (block["columns"], *block["rows"])]
    yield "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], ruler, *lines[1:]))


def _card(block: Mapping[str, Any]) -> Iterator[str]:
    yield f"### {_plain(block['title'])}"
    yield _plain(block["about"])
    yield "\n".join(f"{at}. **{_plain(who)}** {_plain(what)}" for at, (who, what) in enumerate(block["steps"], 1))


_MARKDOWN: dict[str, Callable[[Mapping[str, Any]], Iterator[str]]] = {
    "heading": lambda block: iter([f"{'#' * block['level']} {_plain(block['words'])}"]),
    "paragraph": lambda block: iter([_plain(block["words"])]),
    "grid": _grid,
    "picture": lambda block: iter(
        [f"### {_plain(block['title'])}", *map(_plain, block["words"]), _plain(block["caption"])]
    ),
    "card": _card,
    "signature": lambda block: iter([f"{_plain(block['words'])}: ____________________"]),
}


def _plain(words: str) -> str:
    """Return words that Markdown takes for nothing but words."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", " ".join(words.split()))


def _cell(words: str) -> str:
    return _plain(words) or " "


def _broken_at_signs(name: re.Match[str]) -> str:
    return re.sub(r"(?<=[_/:])(?=\w)", "\u200b", name[0])


def _breakable(told: Any) -> Any:
    """Return the texts with places to break words that no line could hold; drawings are not texts."""
    if isinstance(told, str):
        return breakable(_LONG_NAME.sub(_broken_at_signs, told))
    if isinstance(told, Mapping):
        return {name: each if name == "svg" else _breakable(each) for name, each in told.items()}
    return [_breakable(each) for each in told] if isinstance(told, list | tuple) else told
