"""Files outside docs that a page links to: on the site each has a page of its own."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from making.markdown import page

ROOT = Path(__file__).parents[2]
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".ts": "typescript", ".c": "c", ".sh": "sh"}
_LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]+)(#[^)]*)?\)")


def outside(target: str, at: str) -> str | None:
    """The path of a linked file within the project, if it lies outside docs; ``at`` is the page with the link."""
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(at), target))
    return None if path.startswith("docs/") else path


def linked(markdown: str, at: str) -> set[str]:
    """All files and folders outside docs that a page links to."""
    return {path for match in _LINK.finditer(markdown) if (path := outside(match[1], at))}


def redirected(markdown: str, at: str) -> str:
    """The page with such links led to the pages of those files."""

    def led(match: re.Match[str]) -> str:
        path = outside(match[1], at)
        if path is None:
            return match[0]
        return f"]({posixpath.relpath(address(path), posixpath.dirname(at) or '.')})"

    return _LINK.sub(led, markdown)


def address(path: str) -> str:
    """Where the page of a file or folder stands."""
    return f"source/{path}.md"


def shown(path: str) -> str:
    """The page of a file, or of a folder with what is in it."""
    place = ROOT / path
    unsearched = "---\nsearch: { exclude: true }\n---"
    if place.is_dir():
        files = sorted(each.name for each in place.iterdir() if each.is_file())
        name = posixpath.basename(path)
        return page(unsearched, f"# {path}", "\n".join(f"- [{each}]({name}/{each}.md)" for each in files))
    language = LANGUAGES.get(place.suffix, "text")
    return page(unsearched, f"# {path}", f"````{language}\n{place.read_text('utf-8')}````")


def within(path: str) -> set[str]:
    """A file, or a folder with its files."""
    place = ROOT / path
    files = {f"{path}/{each.name}" for each in place.iterdir() if each.is_file()} if place.is_dir() else set()
    return {path, *files}
