"""A program as a wheel has it: files with a manifest, which the system's own tool writes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from punto.store.trust.program_files import MANIFEST


def list_files(folder: Path) -> None:
    """Write the manifest of a folder with ``sha256sum``, which shares no code with the check."""
    (folder / MANIFEST).unlink(missing_ok=True)
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    names = sorted(path.as_posix() for path in found if "__pycache__" not in path.parts)
    done = subprocess.run(["sha256sum", *names], cwd=folder, capture_output=True, check=True)
    (folder / MANIFEST).write_bytes(done.stdout)


def make_program(folder: Path) -> Path:
    """Make a program of three files with its manifest."""
    (folder / "rules").mkdir(parents=True)
    (folder / "engine.py").write_text("PAYS = 8\n")
    (folder / "rules" / "game.toml").write_text("pays = 8\n")
    (folder / "page.js").write_text("show()\n")
    list_files(folder)
    return folder


def change(folder: Path) -> None:
    """Change one byte of the game of such a program."""
    file = folder / "rules" / "game.toml"
    file.write_bytes(file.read_bytes().replace(b"8", b"9"))
