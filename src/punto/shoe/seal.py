"""The seal of a shoe: what the house publishes when it loads one, and cannot take back."""

from __future__ import annotations

from dataclasses import dataclass

from punto.shoe.encoding import ShoeError, check_decks, check_name, digest
from punto.shoe.secret import Secret


@dataclass(frozen=True, slots=True)
class Seal:
    """The public description of a loaded shoe: its name, its decks, and the commitment to its secret."""

    shoe: str
    """Unique name, such as "table 3, shoe 17". Numbered consecutively, so that a missing shoe is noticed."""
    decks: int
    commitment: bytes


def seal(secret: Secret, shoe: str, decks: int) -> Seal:
    """Seal a shoe: publish this before taking any patron's commitment."""
    check_name("shoe", shoe)
    check_decks(decks)
    return Seal(shoe, decks, commitment(secret.disclose(), shoe, decks))


def check_secret(secret: Secret, sealed: Seal) -> None:
    """Raise ``ShoeError`` for a secret that is not the one that was sealed."""
    if seal(secret, sealed.shoe, sealed.decks) != sealed:
        raise ShoeError(f"this is not the secret that shoe {sealed.shoe!r} was sealed with")


def commitment(secret: bytes, shoe: str, decks: int) -> bytes:
    """Return the value that binds the house to its secret without revealing it."""
    return digest("commitment", secret, shoe, str(decks))
