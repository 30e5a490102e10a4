"""Notebook views of values: fragments of HTML and SVG that need no script and no style sheet.

Notebooks call ``_repr_html_`` or ``_repr_svg_``. Colours are set on each element because the surrounding page is not
ours, and text inherits that page's colour, so that it is legible on light and dark pages. All content is escaped, and
pictures carry a description in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

BANKER, PLAYER, TIE = "#c8322f", "#2f6fd6", "#1c8a4e"
"""The colours the pages use."""

_LINE = "1px solid #8886"
_CARD = (
    "display:inline-block;min-width:1.7em;margin:1px;padding:.1em .25em;border:1px solid #8a8a8a;border-radius:.3em;"
    "background:#fff;font-weight:600;line-height:1.4;text-align:center"
)


class Markup(str):
    """A string that is already HTML or SVG and is not escaped again."""

    __slots__ = ()


def element(name: str, *inside: str, **attributes: str | int) -> Markup:
    """Return an element with its content; underscores in attribute names become hyphens.

    >>> element("p", "1 < 2", element("br"), class_="odd")
    '<p class="odd">1 &lt; 2<br></p>'
    """
    said = "".join(f' {key.strip("_").replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    content = "".join(each if isinstance(each, Markup) else escape(each) for each in inside)
    return Markup(f"<{name}{said}>" if name == "br" else f"<{name}{said}>{content}</{name}>")


def gallery(heading: str, pictures: Mapping[str, Markup]) -> Markup:
    """Return pictures side by side as far as the page is wide, each below its name."""
    figures = (
        element("figure", element("figcaption", name), shown, style="margin:0") for name, shown in pictures.items()
    )
    row = element("div", *figures, style="display:flex;flex-wrap:wrap;gap:.7em 1.2em")
    return element("div", element("p", heading, style="margin:.3em 0;font-weight:600"), row)


def card(text: str, name: str, red: bool) -> Markup:
    """Return a card: dark on white, whatever the page around it."""
    ink = "#b3261e" if red else "#1b1b1b"
    return element("span", text, role="img", aria_label=name, style=f"{_CARD};color:{ink}")


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], figures: Iterable[str] = ()) -> Markup:
    """Return a table whose first column names its rows; the columns named in ``figures`` are right-aligned.

    A row that begins with an empty string belongs to the one above it.
    """
    right = set(figures)
    styles = [f"text-align:{'right' if head in right else 'left'};padding:.15em .6em" for head in heads]
    columns = zip(heads, styles, strict=True)
    head = (element("th", each, scope="col", style=f"{style};border-bottom:{_LINE}") for each, style in columns)
    body = (_row(row, styles) for row in rows)
    title = element("caption", caption, style="caption-side:top;text-align:left;font-weight:600;padding:.3em .6em")
    style = "border-collapse:collapse;font-variant-numeric:tabular-nums"
    return element("table", title, element("thead", element("tr", *head)), element("tbody", *body), style=style)


def _row(row: Sequence[str], styles: Sequence[str]) -> Markup:
    """Return a row, separated by a line from the row above unless it belongs to that one."""
    above = f";border-top:{_LINE}" if row[0] else ""
    cells = [element("td", cell, style=style + above) for cell, style in zip(row, styles, strict=True)]
    if row[0]:
        cells[0] = element("th", row[0], scope="row", style=f"{styles[0]}{above};font-weight:600")
    return element("tr", *cells)


def picture(width: int, height: int, name: str, words: str, *inside: str) -> Markup:
    """Return an SVG drawing with a description in words."""
    # An image cannot inherit the page's background, so it has its own.
    return element(
        "svg",
        element("title", name),
        element("desc", words),
        element("rect", width=width, height=height, fill="#fbfaf4"),
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        aria_label=f"{name}: {words}",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
    )
