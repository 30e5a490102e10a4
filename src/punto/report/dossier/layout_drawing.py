"""Layouts as drawings in SVG: a picture for the rules, and a sheet to scale with dimensions in millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from punto.formatting import ratio_parts
from punto.report.dossier.document import say
from punto.report.dossier.foot import foot_of
from punto.report.dossier.layout_plan import (
    AREA_DEPTH,
    AREA_WIDTH,
    HAND_HEIGHT,
    HAND_WIDTH,
    AreaPlan,
    LayoutPlan,
    plan_of,
)
from punto.rules.game_library import APPROVED
from punto.rules.rulebook import Layout, Rulebook, Wager
from punto.texts import Language, name_of

PAPER = (594, 420)
"""Width and height of the sheet: A2, lying."""
SCALES = (2, 5, 10, 20)
"""One to so many; the first at which the table fits is taken."""
_ROOM = (520, 312)
_FONTS = "'Libertinus Serif', 'Liberation Serif', 'Noto Serif CJK SC', serif"
_NAME, _PAYS, _NUMBER, _TITLE = 20, 13, 24, 44
_LETTER, _SQUARE_LETTER = 0.52, 1.0
"""How wide a letter is, in letter heights, on average; Chinese letters are square."""
_LAST_OF_LATIN = "\u2e80"
_TINTS = ("#eef3fa", "#fbefee", "#eef7ef", "#fdf5e3", "#f2eefa", "#e9f6f7", "#f8f0e8", "#f1f1f1")


def layout_svg(book: Rulebook, layout: Layout) -> str:
    """Return a picture of the table alone."""
    plan, margin = plan_of(book, layout), 12
    width, height = plan.width + 2 * margin, plan.depth + 2 * margin
    box = f"{-plan.half_width - margin:.1f} {-plan.dealer_side - margin:.1f} {width:.1f} {height:.1f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width / 10:.1f}mm"'
        f' height="{height / 10:.1f}mm" font-family="{_FONTS}">{"".join(_table(book, plan))}</svg>'
    )


def positions_told(layout: Layout, language: Language) -> str:
    """Return the sentence about a layout's playing positions."""
    found = layout.positions
    if found is None:
        return say("rules.positions_open", language)
    if found.fewest == found.most:
        return say("rules.position" if found.most == 1 else "rules.positions", language, most=found.most)
    return say("rules.positions_range", language, fewest=found.fewest, most=found.most)


def plan_told(book: Rulebook, language: Language) -> str:
    """Return the sentence that a drawing is a plan, and which drawing holds."""
    return say("layout.plan_of_approved" if book.key in APPROVED else "layout.plan_of_proposed", language)


def scale_of(plan: LayoutPlan) -> int:
    """Return the scale of a sheet, one to so many."""
    return next(each for each in SCALES if plan.width <= _ROOM[0] * each and plan.depth <= _ROOM[1] * each)


def layout_sheet(book: Rulebook, layout: Layout) -> str:
    """Return the drawing sheet: the table to scale, its dimensions in millimetres, a scale bar and a title block."""
    plan = plan_of(book, layout)
    scale = scale_of(plan)
    wide, high = PAPER
    left, top = wide / 2, 24 + plan.dealer_side / scale
    table = f'<g transform="translate({left:.2f} {top:.2f}) scale({1 / scale:.4f})">{"".join(_table(book, plan))}</g>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}mm" height="{high}mm"'
        f' font-family="{_FONTS}"><rect width="{wide}" height="{high}" fill="#fff"/>'
        f'<rect x="8" y="8" width="{wide - 16}" height="{high - 16}" fill="none" stroke="#222" stroke-width="0.5"/>'
        f"{table}{''.join(_dimensions(plan, scale, left, top))}{''.join(_title_block(book, plan, scale))}</svg>\n"
    )


# --- the table -------------------------------------------------------------------------------------------------------


def _table(book: Rulebook, plan: LayoutPlan) -> Iterator[str]:
    """Yield the drawing of the table in its own millimetres."""
    yield f'<path d="{_outline(plan)}" fill="#fcfdfb" stroke="#222" stroke-width="5"/>'
    wagers = {wager.name: wager for wager in book.wagers}
    tints = {name: _TINTS[at % len(_TINTS)] for at, name in enumerate(wagers)}
    for area in plan.areas:
        yield from _area(area, wagers[area.wager], tints[area.wager], plan.layout)
    for number in range(1, plan.positions + 1):
        first = next(area for area in plan.areas if area.position == number)
        x, y = _point((first.start + first.end) / 2, plan.numbers)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="22" fill="#fff" stroke="#222" stroke-width="2"/>'
        yield _text(x, y, _NUMBER, str(number))
    for hand, (x, y) in zip(("player", "banker"), plan.hands, strict=True):
        yield (
            f'<rect class="hand" x="{x:.1f}" y="{y:.1f}" width="{HAND_WIDTH}" height="{HAND_HEIGHT}" rx="8"'
            ' fill="none" stroke="#222" stroke-width="2.5"/>'
        )
        yield _text(x + HAND_WIDTH / 2, y + HAND_HEIGHT / 2, 30, _in_languages("hand", hand, plan.layout).upper())
    title = _in_languages("game", book.title, plan.layout)
    width = 2 * min(_inner(plan) - 60, plan.half_width - 40)
    yield _text(0, plan.hands[0][1] + HAND_HEIGHT + 62, _fitting(title, width, _TITLE), title)
    yield _text(0, -plan.dealer_side + 40, 24, name_of("duty", "Dealer"))


def _area(area: AreaPlan, wager: Wager, tint: str, layout: Layout) -> Iterator[str]:
    points = [
        _point(angle, radius)
        for angle, radius in (
            (area.start, area.inner),
            (area.end, area.inner),
            (area.end, area.outer),
            (area.start, area.outer),
        )
    ]
    a, b, c, d = (f"{x:.1f} {y:.1f}" for x, y in points)
    yield (
        f'<path class="area" data-position="{area.position}" data-wager="{escape(area.wager)}" d="M{a}'
        f'A{area.inner} {area.inner} 0 0 0 {b}L{c}A{area.outer} {area.outer} 0 0 1 {d}Z"'
        f' fill="{tint}" stroke="#222" stroke-width="2"/>'
    )
    middle, turned = (area.start + area.end) / 2, -math.degrees((area.start + area.end) / 2)
    name, pays = _in_languages("wager", area.wager, layout), _printed_pays(wager)
    for words, largest, across in ((name, _NAME, 0.68), (pays, _PAYS, 0.28)):
        x, y = _point(middle, area.outer - across * AREA_DEPTH)
        yield _text(x, y, _fitting(words, 0.92 * AREA_WIDTH, largest), words, turned)


def _printed_pays(wager: Wager) -> str:
    """Return what is printed on an area: every ratio that the wager pays, in the order of its lines."""
    parts = [ratio_parts(line.pays) for line in wager.lines if line.pays]
    told = [say("pays.to", Language.ENGLISH, above=above, below=below) for above, below in parts]
    return " · ".join(dict.fromkeys(told))


def _in_languages(kind: str, name: str, layout: Layout) -> str:
    """Return a name in the languages of a layout, side by side."""
    languages = [Language(each) for each in layout.languages if each in set(Language)] or [Language.ENGLISH]
    return " ".join(dict.fromkeys(name_of(kind, name, language) for language in languages))


def _outline(plan: LayoutPlan) -> str:
    x, y = _point(plan.reach, plan.edge)
    side, edge = plan.half_width, f"{plan.edge:.1f}"
    return f"M{-side:.1f} {-plan.dealer_side:.1f}H{side:.1f}L{x:.1f} {y:.1f}A{edge} {edge} 0 0 1 {-x:.1f} {y:.1f}Z"


def _inner(plan: LayoutPlan) -> float:
    return min(area.inner for area in plan.areas)


def _point(angle: float, radius: float) -> tuple[float, float]:
    """Return a point by its counter-clockwise angle from straight down, and its distance from the origin."""
    return radius * math.sin(angle), radius * math.cos(angle)


def _fitting(words: str, width: float, largest: float) -> float:
    """Return the size at which words fit a width."""
    ems = sum(_SQUARE_LETTER if letter > _LAST_OF_LATIN else _LETTER for letter in words)
    return min(largest, width / max(ems, 1))


def _text(x: float, y: float, size: float, words: str, turned: float = 0) -> str:
    turn = f' transform="rotate({turned:.2f} {x:.1f} {y:.1f})"' if turned else ""
    # The letters are put on their line by hand: not every program knows of central baselines.
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" dy="{0.34 * size:.2f}" font-size="{size:.2f}" text-anchor="middle"'
        f' fill="#111"{turn}>{escape(words)}</text>'
    )


# --- the sheet around it ---------------------------------------------------------------------------------------------


def _dimensions(plan: LayoutPlan, scale: int, left: float, top: float) -> Iterator[str]:
    """Yield dimension lines, in the sheet's millimetres; the figures are those of the table."""
    half, depth, up = plan.half_width / scale, plan.depth / scale, plan.dealer_side / scale
    bottom = top - up + depth
    yield from _dimension((left - half, bottom + 9), (left + half, bottom + 9), plan.width)
    yield from _dimension((left + half + 9, top - up), (left + half + 9, bottom), plan.depth)
    first = next(area for area in plan.areas if area.position == (plan.positions + 1) // 2)
    innermost = min((area for area in plan.areas if area.position == first.position), key=lambda area: area.inner)
    ends = [_point(angle, innermost.inner - 14) for angle in (innermost.start, innermost.end)]
    (x1, y1), (x2, y2) = [(left + x / scale, top + y / scale) for x, y in ends]
    yield from _dimension((x1, y1), (x2, y2), AREA_WIDTH)
    outermost = max((area for area in plan.areas if area.position == 1), key=lambda area: area.outer)
    ends = [_point(outermost.start - 16 / outermost.outer, r) for r in (outermost.outer, outermost.inner)]
    (x1, y1), (x2, y2) = [(left + x / scale, top + y / scale) for x, y in ends]
    yield from _dimension((x1, y1), (x2, y2), AREA_DEPTH)
    x, y = plan.hands[1]
    corner = left + (x + HAND_WIDTH) / scale, top + y / scale
    yield from _dimension((corner[0] - HAND_WIDTH / scale, corner[1] - 3), (corner[0], corner[1] - 3), HAND_WIDTH)
    low = corner[1] + HAND_HEIGHT / scale
    yield from _dimension((corner[0] + 3, corner[1]), (corner[0] + 3, low), HAND_HEIGHT)


def _dimension(start: tuple[float, float], end: tuple[float, float], size: float) -> Iterator[str]:
    """Yield a line with a tick at either end and the size beside it."""
    (x1, y1), (x2, y2) = start, end
    angle = math.atan2(y2 - y1, x2 - x1)
    across = -math.sin(angle), math.cos(angle)
    ticks = "".join(
        f"M{x - 1.5 * across[0]:.2f} {y - 1.5 * across[1]:.2f}L{x + 1.5 * across[0]:.2f} {y + 1.5 * across[1]:.2f}"
        for x, y in (start, end)
    )
    line = f"M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}{ticks}"
    yield f'<path class="dimension" d="{line}" stroke="#b03030" stroke-width="0.25" fill="none"/>'
    at = (x1 + x2) / 2 - 2.6 * across[0], (y1 + y2) / 2 - 2.6 * across[1]
    turned = math.degrees(angle)
    yield _text(at[0], at[1], 3.4, f"{size:.0f}", turned if -90 <= turned <= 90 else turned + 180)


def _title_block(book: Rulebook, plan: LayoutPlan, scale: int) -> Iterator[str]:
    wide, high = PAPER
    language, top = Language.ENGLISH, high - 42
    drawn = say("layout.positions", language, positions=plan.positions, clause=plan.layout.clause)
    yield f'<path d="M8 {top}H{wide - 8}" stroke="#222" stroke-width="0.5"/>'
    lines = (
        (10, 8, f"{book.title} · {plan.layout.name}"),
        (16.5, 4.2, f"{positions_told(plan.layout, language)} {drawn}"),
        (21.5, 4.2, say("layout.note", language, width=AREA_WIDTH, depth=AREA_DEPTH)),
        (26.5, 4.2, plan_told(book, language)),
        (31.5, 3.4, foot_of(book)),
    )
    for down, size, words in lines:
        yield f'<text x="14" y="{top + down}" font-size="{size}" fill="#111">{escape(words)}</text>'
    bar = 500 / scale
    x, y = wide - 20 - bar, top + 24
    yield _text(x + bar / 2, y - 10, 5.5, say("layout.scale", language, scale=scale))
    line = f"M{x:.2f} {y}h{bar:.2f}m{-bar:.2f} -2v4m{bar:.2f} -4v4"
    yield f'<path d="{line}" stroke="#222" stroke-width="0.4" fill="none"/>'
    yield _text(x + bar / 2, y + 4, 3.4, say("layout.bar", language))
