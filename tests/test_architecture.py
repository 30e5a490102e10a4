"""The path of a command, as the architecture page tells it, is the path in the code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import punto

PACKAGE = Path(punto.__file__).parent
PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
HEADING = "## The path of a command in code"
WIRE_FORMS = {"frame": ("server/realtime/frame_protocol.py", "frame"), "row": ("store/batch.py", "event_row")}
"""Shapes that are no classes, and the functions that make them."""
MOST_SHAPES = 12


def steps() -> list[tuple[str, str, list[str]]]:
    """The file, the function and the shapes of each step."""
    part = PAGE.read_text("utf-8").split(f"{HEADING}\n", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip().strip("|").split("|") for line in part.splitlines() if line.startswith("| ")][1:]
    found = []
    for _, file, function, shapes in rows:
        (path,), (name,) = re.findall(r"`([^`]+)`", file), re.findall(r"`([^`]+)`", function)
        found.append((path, name, re.findall(r"`([^`]+)`", shapes)))
    return found


def names_in(file: Path) -> set[str]:
    """Every function and class of a file; methods with their class."""
    functions, found = (ast.FunctionDef, ast.AsyncFunctionDef), set()
    for each in ast.parse(file.read_text("utf-8")).body:
        if isinstance(each, (*functions, ast.ClassDef)):
            found.add(each.name)
        if isinstance(each, ast.ClassDef):
            found |= {f"{each.name}.{inner.name}" for inner in each.body if isinstance(inner, functions)}
    return found


def test_every_step_of_the_path_is_in_the_code() -> None:
    assert len(steps()) >= 10
    assert [(file, name) for file, name, _ in steps() if name not in names_in(PACKAGE / file)] == []


def test_a_command_has_at_most_twelve_shapes_and_each_is_in_the_code() -> None:
    shapes = {shape for _, _, several in steps() for shape in several}
    folders = ("server", "store", "table")
    classes = {name for folder in folders for file in (PACKAGE / folder).rglob("*.py") for name in names_in(file)}
    for shape in shapes:
        if shape in WIRE_FORMS:
            file, function = WIRE_FORMS[shape]
            assert function in names_in(PACKAGE / file)
        else:
            assert shape in classes, shape
    assert len(shapes) <= MOST_SHAPES, sorted(shapes)
