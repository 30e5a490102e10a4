"""The pictures that README and docs show are those that are taken for them, and small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.pictures import LARGEST, PICTURES

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_the_pages_show_the_pictures_that_are_kept() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {name for page in pages for name in re.findall(r"pictures/([\w-]+)\.png", page.read_text("utf-8"))}
    kept = {file.stem: file.stat().st_size for file in (ROOT / "docs" / "pictures").iterdir()}
    assert shown == kept.keys() == {name for each in PICTURES for name in each.best}
    assert max(kept.values()) <= LARGEST
