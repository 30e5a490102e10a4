"""Findings: what an audit finds wrong, as codes with values. The sentences are in ``texts``, under ``found.``."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from enum import StrEnum

from punto.texts import Language, catalogue, text


class Kind(StrEnum):
    """What kind of thing is wrong."""

    ALTERED = "altered"
    """An event is not what was stored."""
    MISSING = "missing"
    """An event is not there, but a later one is."""
    GONE = "gone"
    """The end of a stream is not there, or all of it."""
    REWRITTEN = "rewritten"
    """A log was rewritten after its head was noted."""
    UNREADABLE = "unreadable"
    UNSIGNED = "unsigned"
    """A head was not signed by the house."""
    STRANGER = "stranger"
    """There is a stream that the house did not create."""
    NOT_ERASED = "not-erased"
    """What was erased is still there."""
    BOOKS = "books"
    """Rounds, money or accounts differ from what is recomputed."""


_KINDS = {
    "altered": Kind.ALTERED,
    "answer-differs": Kind.ALTERED,
    "checkpoint-differs": Kind.ALTERED,
    "checkpoint-not-signed": Kind.UNSIGNED,
    "damaged": Kind.UNREADABLE,
    "file-fault": Kind.UNREADABLE,
    "gone": Kind.GONE,
    "gone-up-to": Kind.GONE,
    "head-not-signed": Kind.UNSIGNED,
    "head-other-key": Kind.UNSIGNED,
    "log-behind-published": Kind.GONE,
    "log-behind-witness": Kind.GONE,
    "log-differs": Kind.ALTERED,
    "log-gone": Kind.GONE,
    "log-leaf-differs": Kind.ALTERED,
    "log-leaf-missing": Kind.MISSING,
    "log-left-out": Kind.MISSING,
    "log-not-as-witnessed": Kind.REWRITTEN,
    "log-not-published": Kind.UNSIGNED,
    "log-not-sealed": Kind.STRANGER,
    "log-not-signed": Kind.UNSIGNED,
    "log-not-witnessed": Kind.STRANGER,
    "log-other-key": Kind.UNSIGNED,
    "log-published-otherwise": Kind.REWRITTEN,
    "log-tile-differs": Kind.ALTERED,
    "missing": Kind.MISSING,
    "name-altered": Kind.ALTERED,
    "name-missing": Kind.MISSING,
    "name-not-erased": Kind.NOT_ERASED,
    "no-key": Kind.UNSIGNED,
    "point-not-signed": Kind.UNSIGNED,
    "receipt-extra": Kind.ALTERED,
    "receipt-missing": Kind.MISSING,
    "receipt-wrong": Kind.ALTERED,
    "rewritten": Kind.REWRITTEN,
    "snapshot-not-signed": Kind.UNSIGNED,
    "unknown-table": Kind.STRANGER,
    "unreadable": Kind.UNREADABLE,
    "words-altered": Kind.ALTERED,
    "words-missing": Kind.MISSING,
    "words-not-erased": Kind.NOT_ERASED,
}
"""The kinds of codes that are not about rounds or books."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong: where, and what as a code with values."""

    stream: str
    number: int | None
    """The event; None where the finding is about the whole stream."""
    code: str
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        return _KINDS.get(self.code, Kind.BOOKS)

    def sentence(self, language: Language = Language.ENGLISH) -> str:
        """Return what was found in words, without the place."""
        return text("findings", f"found.{self.code}", language, **self.values)

    def line(self, language: Language = Language.ENGLISH) -> str:
        """Return the place and what was found."""
        place = self.stream
        if self.number is not None:
            place = text("findings", "place", language, stream=self.stream, event=self.number)
        return text("findings", "line", language, place=place, sentence=self.sentence(language))


def finding(stream: str, number: int | None, code: str, **values: object) -> Finding:
    """Make a finding by its code, which must be in the catalogue."""
    assert f"found.{code}" in catalogue("findings"), code
    return Finding(stream, number, code, {name: _plain(value) for name, value in values.items()})


def _plain(value: object) -> object:
    """Return a value that JSON has too; sets and mappings are of areas of the layout."""
    if isinstance(value, Mapping):
        return [f"{area_name(area)}: {amount}" for area, amount in sorted(value.items())]
    if isinstance(value, Set):
        return sorted(map(area_name, value))
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value if isinstance(value, int | str | None) else str(value)


def area_name(area: tuple[str, int, str]) -> str:
    """Return the name of an area of the layout: patron, position and wager."""
    return " ".join(map(str, area))
