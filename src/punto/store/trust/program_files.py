"""The files of the program, compared with the manifest that was made when it was built.

The manifest has the format of ``sha256sum``, so ``sha256sum -c manifest.sha256`` in the package's folder checks the
same files without any of our software. Our own check also finds files that were added.

Python may run a module from the compiled copy beside it. Such a copy is compared with its source, compiled again; this
file imports the standard library only, so that it can be run by a Python that loads nothing else of the program.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import MAGIC_NUMBER
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
"""The folder of this program."""
MANIFEST = "manifest.sha256"
_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
_CACHE = "__pycache__"
_HEADER = 16
"""Bytes before the code of a compiled file: magic number, flags, time and size of the source."""
_COMPILED = re.compile(rf"(.+)\.{re.escape(sys.implementation.cache_tag or '')}(?:\.opt-([12]))?\.pyc")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the program's files were when it was built."""

    digest: str
    """SHA-256 of the manifest itself, by which a build is known."""
    files: dict[str, str]
    """By path within the package the SHA-256 of a file."""


@dataclass(frozen=True, slots=True)
class Differences:
    """How files differ from a manifest, by path within the package."""

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.added)


def read_manifest(folder: Path = PACKAGE) -> Manifest | None:
    """Return the manifest of a build; None in a checkout, which has none. A line that is none lists no file."""
    try:
        content = (folder / MANIFEST).read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        content = b""  # one that cannot be read lists no file
    lines = map(_LINE.fullmatch, content.decode("utf-8", "replace").splitlines())
    return Manifest(sha256(content).hexdigest(), {line[2]: line[1] for line in lines if line})


def compare(manifest: Manifest, folder: Path = PACKAGE) -> Differences:
    """Compare every file of the program with the manifest; compiled copies are left to ``forged_copies``."""
    found = {path.relative_to(folder).as_posix(): path for path in _files(folder)}
    found.pop(MANIFEST, None)
    expected = manifest.files
    changed = [name for name, path in found.items() if name in expected and _digest(path) != expected[name]]
    return Differences(tuple(sorted(changed)), _less(expected, found), _less(found, expected))


def _less(some: dict[str, str] | dict[str, Path], others: dict[str, str] | dict[str, Path]) -> tuple[str, ...]:
    return tuple(sorted(some.keys() - others.keys()))


def _files(folder: Path) -> list[Path]:
    """Return all files but those that Python and Numba keep in their caches; a link counts as a file."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        links = [name for name in folders if Path(place, name).is_symlink()]
        folders[:] = [name for name in folders if name != _CACHE and name not in links]
        found += (Path(place, name) for name in (*names, *links))
    return found


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file; of one that cannot be read, something that no manifest has."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


# --- compiled copies -------------------------------------------------------------------------------------------------


def forged_copies(folder: Path = PACKAGE) -> tuple[str, ...]:
    """Return the compiled copies that this Python would run although they are not what their source compiles to."""
    found = sorted(path for path in folder.rglob(f"{_CACHE}/*.pyc") if _is_forged(path))
    return tuple(path.relative_to(folder).as_posix() for path in found)


def _is_forged(path: Path) -> bool:
    named = _COMPILED.fullmatch(path.name)
    source = path.parent.parent / f"{named[1]}.py" if named else None
    if named is None or source is None or not source.is_file():
        return False  # of another Python, or without a source: not run from there
    try:
        content = path.read_bytes()
        if not _is_run(content[:_HEADER], source):
            return False
        compiled = compile(source.read_bytes(), str(source), "exec", dont_inherit=True, optimize=int(named[2] or 0))
        return bool(marshal.loads(content[_HEADER:]) != compiled)
    except (OSError, EOFError, ValueError, TypeError, SyntaxError):
        return True  # it cannot be read, or its source is none


def _is_run(header: bytes, source: Path) -> bool:
    """Whether Python would run a copy with this header: one of another time or size is compiled again first."""
    if header[:4] != MAGIC_NUMBER:
        return False
    if header[4:8] != bytes(4):
        return True  # known by a hash instead, which Python need not check
    about = source.stat()
    known = (int(about.st_mtime) & 0xFFFFFFFF, about.st_size & 0xFFFFFFFF)
    return known == tuple(int.from_bytes(header[at : at + 4], "little") for at in (8, 12))


if __name__ == "__main__":
    sys.stdout.write("".join(f"{each}\n" for each in forged_copies(Path(sys.argv[1]))))
