"""Where answers go: JSON on standard output, and files that are written whole or not at all."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from punto.cli.main import BadInput


def print_json(content: object) -> None:
    """Print a machine-readable answer."""
    signs = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    print(json.dumps(content, indent=2, ensure_ascii=not signs))  # noqa: T201


def output_file(text: str, suffixes: tuple[str, ...]) -> Path:
    """The path of a file to be written, refused if its ending says a format that is not made."""
    path = Path(text)
    if path.suffix.lower() not in suffixes:
        raise BadInput(f"{text}: expected a file name that ends in {' or '.join(suffixes)}")
    return path


def write(path: Path, make: Callable[[Path], object]) -> None:
    """Have a file made beside its place and then put there, so that a failure leaves nothing half-written."""
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".punto-") as folder:
            made = Path(folder) / path.name
            make(made)
            made.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
