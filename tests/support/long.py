"""Parameters of which ``make test`` tries the first, and ``make test-all`` the others too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def others_long(values: Iterable[Any]) -> list[Any]:
    """Return values for ``parametrize``, all but the first of them marked as long."""
    first, *others = values
    return [first, *(_long(each) for each in others)]


def _long(value: Any) -> Any:
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=pytest.mark.long)
