"""Modules of a package as its attributes, imported when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType


def modules_of(package: str) -> Callable[[str], ModuleType]:
    """Return the ``__getattr__`` of a package: it finds the package's modules by their names.

    >>> import punto.odds
    >>> punto.odds.portfolio.__name__
    'punto.odds.portfolio'
    """

    def found(name: str) -> ModuleType:
        missing = f"module {package!r} has no attribute {name!r}"
        if name.startswith("_"):
            raise AttributeError(missing)
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
            raise AttributeError(missing) from None

    return found
