"""A document as values: headings, clauses, tables, pictures and cards. ``document_files`` writes it in each format."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from punto.texts import Language, text, texts_under


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a document."""

    words: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; ``soft`` ones explain and do not rule."""

    words: str
    soft: bool = False


@dataclass(frozen=True, slots=True)
class NumberedClause:
    """A clause of a rules document under its number."""

    number: str
    words: str
    mark: str = ""
    """Where a borrowed clause comes from."""
    readings: tuple[str, ...] = ()
    """The readings that bear on it, such as R1."""

    @property
    def depth(self) -> int:
        """How deep the clause is nested, from 0 for clauses such as the first of a chapter."""
        return max(0, self.number.count(".") - 1)


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of texts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    """The columns that hold figures."""
    wide: tuple[int, ...] = ()
    """The columns that take what room is left; the first if none is named."""
    caption: str = ""
    small: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as SVG under a title, with sentences about it."""

    title: str
    words: tuple[str, ...]
    svg: str
    caption: str


@dataclass(frozen=True, slots=True)
class CardOfSteps:
    """A card for a person's pocket: what has happened, who begins, and what follows, step by step."""

    title: str
    about: str
    steps: tuple[tuple[str, str], ...]
    """Each step: who takes it, by which clause where there is one, with a colon; and what to do."""


@dataclass(frozen=True, slots=True)
class SignatureLine:
    """A place to sign, under what the person signs for."""

    words: str


Block = Heading | Paragraph | NumberedClause | PrintedTable | Picture | CardOfSteps | SignatureLine
_KINDS = {
    Heading: "heading",
    Paragraph: "paragraph",
    NumberedClause: "clause",
    PrintedTable: "grid",
    Picture: "picture",
    CardOfSteps: "card",
    SignatureLine: "signature",
}


@dataclass(frozen=True, slots=True)
class Document:
    """A document in one language."""

    title: str
    language: Language
    foot: str
    """What stands at the foot of every page: which game, which file, which program."""
    under: tuple[str, ...] = ()
    """Lines under the title."""
    facts: tuple[tuple[str, str], ...] = ()
    blocks: tuple[Block, ...] = ()
    contents: tuple[str, ...] = ()
    """The chapters, listed in front."""
    form: str = "sheet"
    """How it is laid out: ``sheet``, ``rules`` or ``card``."""

    def told(self) -> dict[str, Any]:
        """Return the document as templates read it."""
        names = ("title", "foot", "under", "facts", "contents", "form")
        told = {name: getattr(self, name) for name in names} | {"language": self.language.value}
        blocks = [_told(block, after) for block, after in pairwise((*self.blocks, None)) if block]
        return told | {"say": texts_under("dossier", "page", self.language), "blocks": blocks}


def _told(block: Block, after: Block | None) -> dict[str, Any]:
    told = {name: getattr(block, name) for name in block.__dataclass_fields__}
    if isinstance(block, NumberedClause):
        # A clause stays on the page of the table that belongs to it.
        told |= {"depth": block.depth, "kept": isinstance(after, PrintedTable | Paragraph)}
    if isinstance(block, PrintedTable):
        told["wide"] = block.wide or (0,)
    return told | {"kind": _KINDS[type(block)]}


def say(key: str, language: Language, /, **values: object) -> str:
    """Return a text of the dossier."""
    return text("dossier", key, language, **values)
