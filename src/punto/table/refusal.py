"""Refusals: what a table answers to a command it does not carry out. Codes are stable; sentences are in ``texts``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from punto.rules.rulebook import Rulebook
from punto.texts import Language, catalogue, fill, name_of


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command is not carried out: a stable code with typed values, and the provision it rests on, if any."""

    code: str
    provision: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    case: str | None = None
    """Which of several reasons it is, for a code that has several: ``bad-setting`` because of ``decks``."""

    @property
    def text_key(self) -> str:
        """The key of its sentence in the catalogue of refusals."""
        return f"{self.code}.{self.case}" if self.case else self.code

    def clause(self, book: Rulebook) -> str | None:
        """Return the clause of this game that it rests on."""
        return book.clause_of(self.provision) if self.provision else None

    def sentence(self, book: Rulebook | None = None, language: Language = Language.ENGLISH) -> str:
        """Return the refusal as a sentence, with its clause where there is one."""
        values = {
            "game": book.title if book else "",
            "subject": name_of("provision", self.provision, language) if self.provision else "",
            **self.values,
        }
        sentence = fill(catalogue("refusals", language)[self.text_key], values, language)
        clause = self.clause(book) if book else None
        return f"{sentence} ({book.title} {clause})" if book and clause else sentence


def refuse(code: str, provision: str | None = None, *, case: str | None = None, **values: object) -> Refusal:
    """Make a refusal by its code, which must be in the catalogue."""
    refusal = Refusal(code, provision, values, case)
    assert refusal.text_key in catalogue("refusals"), refusal.text_key
    return refusal
