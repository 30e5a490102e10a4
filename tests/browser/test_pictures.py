"""The pictures that the README shows are those that are taken for it, and small."""

from __future__ import annotations

import re
from pathlib import Path

from pictures import LARGEST, PICTURES

ROOT = Path(__file__).parents[2]


def test_the_readme_shows_the_pictures_that_are_kept() -> None:
    shown = set(re.findall(r"docs/pictures/([\w-]+)\.png", (ROOT / "README.md").read_text("utf-8")))
    kept = {file.stem: file.stat().st_size for file in (ROOT / "docs" / "pictures").iterdir()}
    assert shown == kept.keys() == {name for each in PICTURES for name in each.best}
    assert max(kept.values()) <= LARGEST
