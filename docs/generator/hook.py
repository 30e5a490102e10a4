"""MkDocs hook: add the generated pages, and point links to files outside docs at their pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files, InclusionLevel

from generator import sources
from generator.pages import made


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages, then the sources that any page links to."""
    for address, text in made():
        files.append(File.generated(config, address, content=text))
    linked: set[str] = set()
    for each in list(files):
        if each.src_uri.endswith(".md"):
            text = each.content_string if each.generated_by else Path(each.abs_src_path or "").read_text("utf-8")
            linked |= sources.linked(text, each.src_uri)
    for path in sorted({one for each in linked for one in sources.within(each)}):
        page = File.generated(config, sources.address(path), content=sources.shown(path))
        page.inclusion = InclusionLevel.NOT_IN_NAV
        files.append(page)
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Point links to files outside docs at the pages of those files."""
    return sources.redirected(markdown, page.file.src_uri)
