"""Input and output: JSON on standard output, files that are written whole or not at all."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING

from punto.cli.main import BadInput, either
from punto.data_frames import provenance, software
from punto.rules.rulebook import Rulebook

if TYPE_CHECKING:
    import polars

_LONGEST = 1 << 26
"""The longest text a command reads, in characters."""


def print_json(content: object) -> None:
    """Print a machine-readable answer."""
    signs = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    print(json.dumps(content, indent=2, ensure_ascii=not signs))  # noqa: T201


SOFTWARE = software()
"""What made an answer, in every answer about figures."""


def about(book: Rulebook) -> dict[str, object]:
    """Return what every answer about a game begins with: which game, in which text, read by which version of Punto."""
    return provenance(book)


DATA = (".csv", ".parquet")
"""The allowed endings of a file of figures."""
METADATA = "punto"
"""The key of a Parquet file's metadata, as in files of rounds."""


def write_frame(frame: polars.DataFrame, file: Path, source: Mapping[str, object]) -> None:
    """Write figures to a file, with what says where they come from.

    That stands in columns of every row, after the figures, and in the metadata of a Parquet file: CSV has no place for
    any.
    """
    import polars

    told = {
        name: _in_a_cell(value)
        for name, value in source.items()
        if name not in frame.columns and "{" not in json.dumps(value)  # no objects
    }
    whole = frame.with_columns(**{name: polars.lit(value) for name, value in told.items()})
    if file.suffix.lower() == ".parquet":
        whole.write_parquet(file, metadata={METADATA: json.dumps(source, ensure_ascii=False)})
    else:
        whole.write_csv(file)


def _in_a_cell(value: object) -> object:
    if value is None or isinstance(value, str | bool | float) or (isinstance(value, int) and abs(value) < 2**63):
        return value
    return json.dumps(value, ensure_ascii=False)


PICTURES = (".svg", ".png", ".pdf")
"""The allowed endings of a picture's file."""


def input_text(file: str) -> str:
    """Return the text of a file, or of standard input for -."""
    try:
        if file == "-":
            if sys.stdin is None:
                raise BadInput("-: there is no standard input")
            return _within_reason(file, sys.stdin)
        with Path(file).open(encoding="utf-8-sig") as text:
            return _within_reason(file, text)
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}: not a text in UTF-8: {error}") from None


def _within_reason(file: str, text: IO[str]) -> str:
    """Return the whole text, unless it exceeds the limit."""
    found = text.read(_LONGEST + 1)
    if len(found) > _LONGEST:
        raise BadInput(f"{file}: too long: at most {_LONGEST:,} characters are read")
    return found


def output_file(text: str, suffixes: tuple[str, ...]) -> Path:
    """Return the path of a file to be written; raise ``BadInput`` if its ending is not one of the formats."""
    path = Path(text)
    if path.suffix.lower() not in suffixes:
        raise BadInput(f"{text}: expected a file name that ends in {either(suffixes)}")
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise BadInput(f"{text}: cannot be written there")
    return path


def add_output(parser: ArgumentParser, help_: str) -> None:
    """Add the option for files to write; it may be repeated, and the ending of a name says what is written to it."""
    parser.add_argument("-o", "--output", metavar="FILE", action="append", default=[], help=help_)


def output_files(names: Sequence[str], suffixes: tuple[str, ...]) -> list[Path]:
    """Return the files to be written; raise ``BadInput`` for a name that does not fit, before anything is written."""
    return [output_file(name, suffixes) for name in names]


def write(files: Mapping[Path, Callable[[Path], object]]) -> None:
    """Write files to temporary places and then move them, so that a failure leaves none of them half-written."""
    with ExitStack() as folders:
        made: dict[Path, Path] = {}
        for path, make in files.items():
            try:
                folder = folders.enter_context(tempfile.TemporaryDirectory(dir=path.parent, prefix=".punto-"))
                made[path] = Path(folder) / path.name
                make(made[path])
            except OSError as error:
                raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
        for path, done in made.items():
            done.replace(path)
