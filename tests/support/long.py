"""Parameters of which ``make test`` tries some, and ``make test-all`` the others too."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest


def others_long(values: Iterable[Any]) -> list[Any]:
    """Return values for ``parametrize``, all but the first of them marked as long."""
    first, *others = values
    return [first, *(_long(each) for each in others)]


def some_long(values: Iterable[Any], long: Container[Any]) -> list[Any]:
    """Return values for ``parametrize``, those in ``long`` marked as long."""
    return [_long(each) if each in long else each for each in values]


def _long(value: Any) -> Any:
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=pytest.mark.long)
