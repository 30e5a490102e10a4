"""The requirements of a standard, each in our own words, with how it is met and the tests that show it.

One file per standard, such as ``gli-19.toml``. A section number stands there and nowhere else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


class Status(StrEnum):
    """How Punto stands to a requirement."""

    MET = "met"
    """A test fails if it is not so."""
    PARTLY = "partly"
    NOT = "not"
    OPERATOR = "operator"
    """It binds the operator; the entry says what Punto gives them for it."""
    NOT_APPLICABLE = "n/a"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement: what it asks for, and what is there."""

    section: str
    asks: str
    status: Status
    how: str
    """How it is met; what Punto gives the operator; why it does not apply."""
    gap: str
    """What is missing, and why; empty where nothing is."""
    tests: tuple[str, ...]
    """As ``file::function``; one of the pages by its title, and a script by its file."""
    shown: str
    """The command or page that shows it."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that a standard sets, and in which section."""

    value: Fraction
    section: str


@dataclass(frozen=True, slots=True)
class Standard:
    """A standard with its requirements, in the order of their sections."""

    key: str
    title: str
    edition: str
    about: str
    """What of it is listed here, and what is left out."""
    chapters: Mapping[str, str]
    """The title of each chapter by the sign that its sections begin with."""
    figures: Mapping[str, Figure]
    requirements: tuple[Requirement, ...]

    def counts(self) -> dict[str, int]:
        """Return how many requirements have each status."""
        kinds = [each.status for each in self.requirements]
        return {status.value: kinds.count(status) for status in Status}


def standards() -> tuple[str, ...]:
    """Return the keys of all standards."""
    return tuple(sorted(each.stem for each in _HERE.glob("*.toml")))


@cache
def standard(key: str) -> Standard:
    """Return a standard by its key; raise ``KeyError`` for another one."""
    if key not in standards():
        raise KeyError(key)
    content = tomllib.loads((_HERE / f"{key}.toml").read_text("utf-8"))
    return Standard(
        key=key,
        title=content["title"],
        edition=content["edition"],
        about=content["about"],
        chapters=content["chapters"],
        figures={
            name: Figure(Fraction(each["value"]), each["section"]) for name, each in content.get("figures", {}).items()
        },
        requirements=tuple(
            Requirement(
                section=each["section"],
                asks=each["asks"],
                status=Status(each["status"]),
                how=each.get("how", ""),
                gap=each.get("gap", ""),
                tests=tuple(each.get("tests", ())),
                shown=each.get("shown", ""),
            )
            for each in content["requirement"]
        ),
    )
