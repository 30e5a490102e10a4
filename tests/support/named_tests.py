"""Whether a test exists that data of the project names: a function, a title in a test of the pages, or a script."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from support.sessions import ROOT


@cache
def _functions_of(file: Path) -> set[str]:
    return set(re.findall(r"^ *(?:async )?def (\w+)\(", file.read_text("utf-8"), re.MULTILINE))


def is_there(test: str) -> bool:
    """Tell whether there is such a test, as ``file::function``, ``file.ts::title``, or a script, which is played."""
    file, _, name = test.partition("::")
    path = ROOT / file
    if not path.exists():
        return False
    if path.suffix == ".ts":
        return f'test("{name}"' in path.read_text("utf-8")
    return name in _functions_of(path) if path.suffix == ".py" else path.suffix == ".round"
