"""The seal of a shoe: what the house publishes when it loads one, and cannot take back."""

from __future__ import annotations

from dataclasses import dataclass

from punto.shoe.encoding import NEWEST, Format, ShoeError, check_decks, check_name, digest, secret_size
from punto.shoe.secret import Secret


@dataclass(frozen=True, slots=True)
class Seal:
    """The public description of a loaded shoe: its name, its decks, and the commitment to its secret."""

    shoe: str
    """Unique name, such as "table 3, shoe 17". Numbered consecutively, so that a missing shoe is noticed."""
    decks: int
    commitment: bytes
    version: Format = NEWEST


def seal(secret: Secret, shoe: str, decks: int, version: Format = NEWEST) -> Seal:
    """Seal a shoe: publish this before taking any patron's commitment."""
    check_name("shoe", shoe)
    check_decks(decks)
    size, held = secret_size(version, decks), len(secret.disclose())
    if held != size:
        raise ShoeError(f"a secret of {held} bytes does not fit: for {decks} decks {version} takes {size} bytes")
    return Seal(shoe, decks, commitment(version, secret.disclose(), shoe, decks), version)


def check_secret(secret: Secret, sealed: Seal) -> None:
    """Raise ``ShoeError`` for a secret that is not the one that was sealed."""
    fits = len(secret.disclose()) == secret_size(sealed.version, sealed.decks)
    if not fits or seal(secret, sealed.shoe, sealed.decks, sealed.version) != sealed:
        raise ShoeError(f"this is not the secret that shoe {sealed.shoe!r} was sealed with")


def commitment(version: Format, secret: bytes, shoe: str, decks: int) -> bytes:
    """Return the value that binds the house to its secret without revealing it."""
    return digest(version, "commitment", secret, shoe, str(decks))
