"""The seal of a shoe: what the house publishes when it loads one, and cannot take back."""

from __future__ import annotations

from dataclasses import dataclass

from punto.shoe.encoding import ShoeError, check_decks, check_name, digest
from punto.shoe.secret import Secret


@dataclass(frozen=True, slots=True)
class Seal:
    """A loaded shoe as everybody sees it: its name, its decks, and the commitment to its secret."""

    shoe: str
    """Names this shoe and no other, such as "table 3, shoe 17". Numbered in turn, so that a missing shoe is noticed."""
    decks: int
    commitment: bytes


def seal(secret: Secret, shoe: str, decks: int) -> Seal:
    """Seal a shoe: publish this before taking any patron's commitment."""
    check_name("shoe", shoe)
    check_decks(decks)
    return Seal(shoe, decks, commitment(secret.disclose(), shoe, decks))


def check_secret(secret: Secret, sealed: Seal) -> None:
    """Refuse a secret that is not the one that was sealed."""
    if seal(secret, sealed.shoe, sealed.decks) != sealed:
        raise ShoeError(f"this is not the secret that shoe {sealed.shoe!r} was sealed with")


def commitment(secret: bytes, shoe: str, decks: int) -> bytes:
    """What binds the house to its secret without telling it."""
    return digest("commitment", secret, shoe, str(decks))
