"""QR codes as drawings."""

from __future__ import annotations

from msgspec import Struct

QUIET = 4
"""Modules that stay white around a code."""


class Drawing(Struct, frozen=True):
    """A QR code as a path for SVG: squares of one unit, black on white."""

    size: int
    """Units from edge to edge, the white margin included."""
    path: str


def qr_code(text: str) -> Drawing:
    """Draw a text as a QR code, with the lowest error correction: it is read from screens and clean paper."""
    import segno

    matrix = segno.make(text, error="l", boost_error=False, micro=False).matrix
    path = "".join(_rows(y, bytes(row)) for y, row in enumerate(matrix, QUIET))
    return Drawing(len(matrix) + 2 * QUIET, path)


def _rows(y: int, row: bytes) -> str:
    """Draw each run of dark modules of a row as one rectangle."""
    path, x = "", 0
    while (x := row.find(1, x)) >= 0:
        end = row.find(0, x)
        width = (end if end >= 0 else len(row)) - x
        path += f"M{x + QUIET} {y}h{width}v1h-{width}z"
        x += width
    return path


def as_svg(drawing: Drawing) -> str:
    size = drawing.size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/><path d="{drawing.path}"/></svg>'
    )
