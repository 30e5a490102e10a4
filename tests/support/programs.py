"""Programs that some tests need: find them, and install them where that is possible.

``python -m support.programs`` installs what is missing: with apt for root, else a browser into Playwright's cache.
CHROMIUM names the browser; ``none`` means that there is none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
CACHES = ("~/.cache/ms-playwright", "~/Library/Caches/ms-playwright")
CACHED = ("chromium-*/chrome-*/chrome", "chromium_headless_shell-*/chrome-*/*headless*shell", "chromium-*/**/Chromium")
PACKAGES = {"chromium": "chromium", "a Chinese font": "fonts-noto-cjk", "zsh": "zsh", "fish": "fish"}
SECONDS = 120
"""A download that takes longer is given up."""


def find_chromium() -> str | None:
    """Return the path of a browser that is here, or None."""
    if named := os.environ.get("CHROMIUM"):
        return None if named == "none" else named
    installed = next(filter(None, map(shutil.which, NAMES)), None)
    return installed or next((path for path in MAC if Path(path).exists()), None) or _cached()


def _cached() -> str | None:
    folders = [os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or "", *CACHES]
    places = (Path(folder).expanduser() for folder in folders if folder)
    return next((str(found) for place in places for form in CACHED for found in sorted(place.glob(form))), None)


def install() -> None:
    """Install what is missing, where that is possible."""
    missing = [name for name in PACKAGES if not _find(name)]
    if os.environ.get("CHROMIUM"):
        missing = [name for name in missing if name != "chromium"]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        _try("apt-get", "update", "-qq")
        for name in missing:
            _try("apt-get", "install", "-qq", "--yes", PACKAGES[name])
    if "chromium" in missing and not find_chromium():
        _try(sys.executable, "-m", "playwright", "install", "chromium")


def _find(name: str) -> str | None:
    if name == "chromium":
        return find_chromium()
    return _chinese_font() if name == "a Chinese font" else shutil.which(name)


def _chinese_font() -> str | None:
    if not shutil.which("fc-list"):
        return None
    return subprocess.run(["fc-list", ":lang=zh", "file"], capture_output=True, text=True, check=False).stdout or None


def _try(*command: str) -> None:
    """Run a command for a while; the tests say what is missing if it fails."""
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(command, timeout=SECONDS, check=False, capture_output=True)


if __name__ == "__main__":
    install()
