"""Pages for files outside docs that other pages link to."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from generator.markdown import page

ROOT = Path(__file__).parents[2]
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".ts": "typescript", ".c": "c", ".sh": "sh"}
_LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]+)(#[^)]*)?\)")


def outside(target: str, at: str) -> str | None:
    """Return a linked file's path in the project if it is outside docs; ``at`` is the page with the link."""
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(at), target))
    return None if path.startswith("docs/") else path


def linked(markdown: str, at: str) -> set[str]:
    """Return all files and folders outside docs that a page links to."""
    return {path for match in _LINK.finditer(markdown) if (path := outside(match[1], at))}


def redirected(markdown: str, at: str) -> str:
    """Return the page with such links pointing at the pages of those files."""

    def led(match: re.Match[str]) -> str:
        path = outside(match[1], at)
        if path is None:
            return match[0]
        return f"]({posixpath.relpath(address(path), posixpath.dirname(at) or '.')})"

    return _LINK.sub(led, markdown)


def address(path: str) -> str:
    """Return the address of a file's or folder's page."""
    return f"source/{path}.md"


def shown(path: str) -> str:
    """Return the page of a file, or of a folder and its files."""
    place = ROOT / path
    unsearched = "---\nsearch: { exclude: true }\n---"
    if place.is_dir():
        files = sorted(each.name for each in place.iterdir() if each.is_file())
        name = posixpath.basename(path)
        return page(unsearched, f"# {path}", "\n".join(f"- [{each}]({name}/{each}.md)" for each in files))
    language = LANGUAGES.get(place.suffix, "text")
    return page(unsearched, f"# {path}", f"````{language}\n{place.read_text('utf-8')}````")


def within(path: str) -> set[str]:
    """Return a file, or a folder and its files."""
    place = ROOT / path
    files = {f"{path}/{each.name}" for each in place.iterdir() if each.is_file()} if place.is_dir() else set()
    return {path, *files}
