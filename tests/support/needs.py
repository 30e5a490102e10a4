"""What a test needs that a machine may not have. Such tests are left out, and one line at the end says why."""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

HOW_TO_GET = {
    "Chromium": "install it, run `.venv/bin/playwright install chromium`, or set CHROMIUM to the program",
    "fish": "install fish, for example with `apt-get install fish`",
    "zsh": "install zsh, for example with `apt-get install zsh`",
    "the documentation's site": "run `make docs`",
    "a font with Chinese characters": "install one, for example with `apt-get install fonts-noto-cjk`",
    "a C compiler": "install cc, for example with `apt-get install gcc`",
}
_PREFIX = "needs "


def need(what: str, program: str | None) -> str:
    """Return the path of a program, or leave the test out."""
    if program is None:
        pytest.skip(f"{_PREFIX}{what}")
    return program


def need_program(name: str, what: str | None = None) -> str:
    """Return the path of a program on the PATH, or leave the test out."""
    return need(what or name, shutil.which(name))


def need_chinese_font() -> None:
    """Leave the test out where paper cannot show Chinese: a character without a font comes out as none."""
    import typst
    from support.pdf_text import pdf_text

    shown = pdf_text(typst.compile("牌".encode()))
    need("a font with Chinese characters", shown if "牌" in shown else None)


def left_out(skipped: list[pytest.TestReport]) -> list[str]:
    """Return a line for each thing that tests needed and did not find, with the way to get it."""
    reasons = (report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple))
    needed = Counter(
        reason.removeprefix("Skipped: ").removeprefix(_PREFIX) for reason in reasons if f"Skipped: {_PREFIX}" in reason
    )
    return [
        f"left out: {times} tests that need {what}; to run them, {HOW_TO_GET[what]}"
        for what, times in sorted(needed.items())
    ]
