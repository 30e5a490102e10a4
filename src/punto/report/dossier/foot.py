"""What every page of a dossier says at its foot: which game, in which text, by which program."""

from __future__ import annotations

from punto import __version__
from punto.rules.rulebook import Rulebook

_SHOWN = 16


def foot_of(book: Rulebook) -> str:
    """Return the foot of every page."""
    version = f", version {book.version}" if book.version else ""
    return f"{book.key}{version} · SHA-256 {book.digest[:_SHOWN]} · Punto {__version__}"
