"""How a cut was conducted: when it began, when its list was closed and by whom, and who had not answered by then.

This is the house's word, kept in its log, and no part of the digests: a patron who was left out knows it. It shows how
often the house began a cut, and whether it gave patrons their time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from punto.rules.toml_section import Section, as_text

LATEST = 2**53
"""Milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """The conduct of one cut. Times are in milliseconds since 1970."""

    began: int
    due: int | None = None
    """When the time to commit was over."""
    closed: int | None = None
    """When the list was closed; None if it never was."""
    closed_by: str = ""
    position: str = ""
    """Of the person who closed it."""
    absent: int = 0
    """Patrons with chips at the table who were neither in the list nor had declined when it was closed."""
    left_out: tuple[str, ...] = ()
    """Their ids; older records only count them."""
    declined: int = 0
    reveal_due: int | None = None
    """When the time to reveal was over."""
    spoiled: int | None = None
    """When the cut was given up for another."""
    spoiled_by: str = ""

    @property
    def is_early(self) -> bool:
        """Whether the list was closed before the time to commit was over."""
        return self.closed is not None and self.due is not None and self.closed < self.due

    @property
    def is_fair(self) -> bool:
        """Whether everyone at the table answered or had the time to, and those in the list had the time to reveal."""
        return not self.is_given_up_early and not (self.is_early and self.absent)

    @property
    def is_given_up_early(self) -> bool:
        """Whether the cut was given up before the time to reveal was over."""
        return self.spoiled is not None and self.reveal_due is not None and self.spoiled < self.reveal_due

    @property
    def seconds(self) -> int:
        """How long the list was open."""
        return 0 if self.closed is None else max(0, self.closed - self.began) // 1000


def conduct_as_json(conduct: Conduct) -> dict[str, Any]:
    """Return the conduct as a record holds it."""
    told = {name: getattr(conduct, name) for name in Conduct.__slots__}
    return {name: value for name, value in told.items() if value not in (None, "", ())}


def read_conduct(section: Section) -> Conduct:
    """Parse the conduct of a cut."""
    conduct = Conduct(
        began=section.whole("began", 0, LATEST),
        due=_time(section, "due"),
        closed=_time(section, "closed"),
        closed_by=_word(section, "closed_by"),
        position=_word(section, "position"),
        absent=section.whole("absent", 0, LATEST),
        left_out=section.texts("left_out"),
        declined=section.whole("declined", 0, LATEST),
        reveal_due=_time(section, "reveal_due"),
        spoiled=_time(section, "spoiled"),
        spoiled_by=_word(section, "spoiled_by"),
    )
    section.end()
    return conduct


def _time(section: Section, key: str) -> int | None:
    return section.whole(key, 0, LATEST) if key in section else None


def _word(section: Section, key: str) -> str:
    return section.maybe(key, "a text", as_text) or ""
