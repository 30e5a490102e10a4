"""The tables of requirements of standards: counts, and each with how it is met and the tests that show it."""

from __future__ import annotations

from generator.markdown import page, table
from punto.evidence.standards.requirements import Requirement, Standard, Status, standard, standards

STATUSES = [each.value for each in Status]


def counts() -> str:
    """Return how many requirements of each standard have which status."""
    known = [standard(key) for key in standards()]
    rows = [(f"`{each.key}`", f"{each.title}, {each.edition}", *each.counts().values()) for each in known]
    return table(("standard", "", *STATUSES), rows, right=STATUSES) + "\n"


def shown() -> str:
    """Return all requirements, by standard and chapter."""
    return page(*(part for key in standards() for part in _standard(standard(key)))) + "\n"


def _standard(known: Standard) -> list[str]:
    parts = [f"## {known.title}", f"{known.edition}. {known.about}"]
    for sign, title in known.chapters.items():
        rows = [_row(each) for each in known.requirements if each.section.startswith(sign)]
        parts += [f"### {sign} {title}", table(("section", "asks for", "status", "how", "shown by"), rows)]
    return parts


def _row(each: Requirement) -> tuple[str, ...]:
    how = [each.how, f"**Missing:** {each.gap}" if each.gap else ""]
    by = [each.shown, *(f"`{test}`" for test in each.tests)]
    return (each.section, each.asks, each.status.value, "<br>".join(filter(None, how)), "<br>".join(filter(None, by)))
