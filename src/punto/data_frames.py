"""Exact values for other programs: text beside a rounded number, rows as data frames, counts as arrays.

A fraction is written as text, so that nothing is lost, and beside it under ``NAME_rounded`` as a number to compute
and plot with. numpy and polars are imported lazily.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from punto.formatting import fraction

if TYPE_CHECKING:
    import polars

Row = Mapping[str, object]
"""One row of a data frame, or one object of a JSON answer: values by their names."""


def exact(**values: Fraction) -> dict[str, object]:
    """Return fractions as they are written in answers: each as text, and rounded beside it.

    >>> exact(house_edge=Fraction(1, 8))
    {'house_edge': '1/8', 'house_edge_rounded': 0.125}
    """
    found: dict[str, object] = {}
    for name, value in values.items():
        found |= {name: fraction(value), f"{name}_rounded": float(value)}
    return found


def data_frame(rows: Sequence[Row]) -> polars.DataFrame:
    """Return rows as a data frame."""
    import polars

    return polars.DataFrame(rows, infer_schema_length=None)


def whole_numbers(values: Sequence[int]) -> Any:
    """Return whole numbers as an array."""
    import numpy as np

    return np.array(values, np.int64)
