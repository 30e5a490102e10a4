"""Exact values for other programs: text beside a rounded number, rows as data frames, counts as arrays.

A fraction is written as text, so that nothing is lost, and beside it under ``NAME_rounded`` as a number to compute
and plot with. numpy and polars are imported lazily.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isnan
from typing import TYPE_CHECKING, Any, Protocol

from punto.formatting import fraction, percent

if TYPE_CHECKING:
    import polars

Row = Mapping[str, object]
"""One row of a data frame, or one object of a JSON answer: values by their names."""


class _Rules(Protocol):
    """The rules of a game, as far as an answer names them."""

    @property
    def key(self) -> str: ...

    @property
    def version(self) -> str | None: ...

    @property
    def digest(self) -> str: ...


def software() -> str:
    """Return the name and version of this program, as answers and files name it."""
    from punto import __version__  # lazily: the package is made of its parts

    return f"punto {__version__}"


def provenance(book: _Rules) -> dict[str, object]:
    """Return what every answer about a game begins with: which game, in which text, read by which version of Punto."""
    return {"game": book.key, "version": book.version, "digest": book.digest, "software": software()}


def exact(**values: Fraction) -> dict[str, object]:
    """Return fractions as they are written in answers: each as text, and rounded beside it.

    >>> exact(house_edge=Fraction(1, 8))
    {'house_edge': '1/8', 'house_edge_rounded': 0.125}
    """
    found: dict[str, object] = {}
    for name, value in values.items():
        found |= {name: fraction(value), f"{name}_rounded": float(value)}
    return found


UNKNOWN = "–"
"""What stands for an error that cannot be estimated, from too little data."""


def error_of(error: float | None, places: int = 4, share: bool = False) -> str:
    """Return a standard error in so many places, of a share as a percentage; a dash where it is unknown.

    >>> error_of(0.01234), error_of(0.01234, 2, share=True), error_of(None)
    ('0.0123', '1.23%', '–')
    """
    if error is None or isnan(error):
        return UNKNOWN
    return percent(Fraction(error), places) if share else f"{error:,.{places}f}"


def data_frame(rows: Sequence[Row]) -> polars.DataFrame:
    """Return rows as a data frame."""
    import polars

    return polars.DataFrame(rows, infer_schema_length=None)


def same_fields(one: object, other: object, names: Sequence[str]) -> bool:
    """Return whether two values agree in these fields, some of them arrays."""
    import numpy as np

    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def whole_numbers(values: Sequence[int]) -> Any:
    """Return whole numbers as an array."""
    import numpy as np

    return np.array(values, np.int64)
