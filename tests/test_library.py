"""Punto as a library: every public name says what it is for, is typed, and its examples run."""

from __future__ import annotations

import ast
import doctest
import inspect
import pkgutil
import pydoc
import re
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

import pytest

import punto

ROOT = Path(__file__).parents[1]
PARTS = [
    "punto",
    *(f"punto.{part}" for part in ("rules", "odds", "simulate", "roads", "table", "books", "notation", "shoe")),
]
MODULES = sorted(found.name for found in pkgutil.walk_packages(punto.__path__, "punto."))
WITH_EXAMPLES = [
    name
    for name in ("punto", *MODULES)
    if not name.endswith("__main__")
    and (spec := find_spec(name))
    and ">>>" in Path(spec.origin or "").read_text("utf-8")
]
PLAIN = {"Table.drawn", "Table.all_exposed", "Table.first_two"}
"""Which say it all by their names."""


def public(part: str) -> list[tuple[str, Any]]:
    module = import_module(part)
    return [(name, getattr(module, name)) for name in module.__all__]


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """The functions and properties that a class defines itself, for others to use."""
    for name, value in vars(kind).items():
        if name.startswith("_") or isinstance(value, Enum):
            continue
        function = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
        if inspect.isfunction(function):
            yield name, function


def functions(part: str) -> Iterator[tuple[str, Any]]:
    """Every public function of a part, and every public one of its public classes."""
    for name, value in public(part):
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value):
            yield from ((f"{name}.{member}", function) for member, function in members(value))


@pytest.mark.parametrize("part", PARTS)
def test_public_names_say_what_they_are_for(part: str) -> None:
    assert import_module(part).__doc__
    for name, value in public(part):
        if inspect.isfunction(value) or inspect.isclass(value) or isinstance(value, ModuleType):
            own = value.__doc__ and not value.__doc__.startswith(f"{name}(")  # what a dataclass makes up says nothing
            assert own, f"{part}.{name}"
    assert [name for name, function in functions(part) if not function.__doc__ and name not in PLAIN] == []


@pytest.mark.parametrize("part", PARTS)
def test_public_constants_and_aliases_are_explained(part: str) -> None:
    """A value cannot carry a docstring: a text stands below it where it is defined."""
    for name, value in public(part):
        if inspect.isfunction(value) or inspect.isclass(value) or isinstance(value, ModuleType):
            continue
        assert any(_explained(module, name) for module in MODULES if module.startswith("punto.")), f"{part}.{name}"


def _explained(module: str, name: str) -> bool:
    file = ROOT / "src" / f"{module.replace('.', '/')}.py"
    body = ast.parse(file.read_text("utf-8")).body if file.exists() else []
    for node, following in pairwise(body):
        targets = [*getattr(node, "targets", []), getattr(node, "target", None)]
        if name in [getattr(target, "id", None) for target in targets]:
            return isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
    return False


@pytest.mark.parametrize("part", PARTS)
def test_public_functions_are_typed_through_and_through(part: str) -> None:
    for name, function in functions(part):
        wanted = [each for each in inspect.signature(function).parameters if each not in ("self", "cls")]
        hints = function.__annotations__
        assert [each for each in (*wanted, "return") if each not in hints] == [], f"{part}.{name}"
    for _, value in public(part):
        if inspect.isfunction(value) and not value.__module__.startswith("punto.simulate"):
            get_type_hints(value)  # those of the simulator name types that are loaded when they are needed


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_in_docstrings_run(module: str) -> None:
    failed, tried = doctest.testmod(import_module(module), raise_on_error=False)
    assert failed == 0
    assert tried > 0


def test_examples_stay_out_of_what_the_server_says_of_itself() -> None:
    """A message is described by the docstring of its class: an example there would stand in the OpenAPI page."""
    told = subprocess.run([sys.executable, "-m", "punto.server.schema"], capture_output=True, text=True, check=True)
    assert "A card, without the deck it comes from." in told.stdout
    assert ">>>" not in told.stdout


def test_there_are_examples_where_a_reader_looks_for_them() -> None:
    for name in ("load", "settle", "pay", "odds", "wager_odds", "covariance", "effects_of_removal", "simulate"):
        assert ">>>" in (getattr(punto, name).__doc__ or ""), name


def test_a_name_that_is_not_there_is_told() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'payout'"):
        _ = punto.payout
    assert {"table", "shoe", "counting"} <= set(dir(punto))


HEAVY = ("numba", "numpy", "polars", "matplotlib", "starlette", "cryptography", "asyncio", "concurrent.futures", "xml")


def test_importing_punto_loads_nothing_heavy() -> None:
    """A program that settles a coup does not wait for a compiler, a server or a plot."""
    loaded = f"import sys, punto; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
    parts = "import sys, punto; print(*(name for name in sys.modules if name.startswith('punto.table')))"
    found = subprocess.run([sys.executable, "-c", parts], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


def test_documented_names_resolve_after_one_import() -> None:
    """In a new process, where nothing else has imported them."""
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    programs = {f"punto.{name}" for name in ("store", "server", "report", "cli")}
    names = sorted(set(re.findall(r"`(punto(?:\.[a-z_]+)+)`", page)) - programs)
    assert {"punto.lab.known_cards", "punto.odds.batch_odds", "punto.lab.counts.counting"} <= set(names)
    program = f"import punto\nfor name in {names!r}: eval(name)\nassert not hasattr(punto.lab, 'luck')"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert {"known_cards", "bankrolls"} <= set(dir(punto.lab))


def test_packages_are_called_as_the_function_of_their_name() -> None:
    """``punto.odds`` is a package and is called: every documented path below it resolves, whatever was imported."""
    import punto.odds.removal as removal
    import punto.simulate.round_sequences as round_sequences
    from punto.table import decide, evolve

    parts: Any = punto
    assert parts.odds.removal is removal
    assert parts.simulate.round_sequences is round_sequences
    assert pydoc.locate("punto.simulate.round_sequences.rounds") is round_sequences.rounds
    assert list(inspect.signature(parts.odds).parameters) == ["game", "shoe", "seen"]
    assert list(inspect.signature(parts.simulate).parameters)[:4] == ["game", "shoes", "seed", "shoe"]
    assert callable(decide)
    assert callable(evolve)
