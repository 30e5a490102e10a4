"""Passwords: in which form they are hashed, and how they are verified, one at a time."""

from __future__ import annotations

import unicodedata
from base64 import b64encode
from secrets import token_bytes

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from argon2.low_level import ARGON2_VERSION

from punto.server.access.fair_turns import FairTurns
from punto.server.access.person_name import folded
from punto.shoe.secret import Hidden

SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 200


class TypedPassword(Hidden):
    """A typed password in the form it is hashed in; one that is too long counts as empty."""

    __slots__ = ("_value", "length")

    def __init__(self, typed: str) -> None:
        self.length = len(typed)
        normal = unicodedata.normalize("NFKC", typed) if len(typed) <= LONGEST_PASSWORD else ""
        # Half a character, as JSON may bring it, must not raise an error that quotes the whole.
        self._value = normal.encode("utf-8", "surrogatepass")

    def disclose(self) -> bytes:
        return self._value

    def is_name(self, name: str) -> bool:
        return folded(self._value.decode("utf-8", "surrogatepass").strip()) == folded(name)

    def __repr__(self) -> str:
        return "<password>"


class PasswordCheck:
    """Hashes and verifies passwords outside the event loop, one at a time and senders in turn.

    A verification takes 64 MB and a core for a moment: a flood of sign-ins waits, and the tables go on.
    """

    def __init__(self, hasher: PasswordHasher) -> None:
        self._hasher = hasher
        self.turns = FairTurns("punto-password")
        self._decoy = _hash_of_nothing(hasher)

    async def hash(self, password: TypedPassword, sender: str) -> str:
        return await self.turns.run(sender, lambda: self._hasher.hash(password.disclose()))

    async def verified(self, stored: str | None, password: TypedPassword, sender: str) -> str | None:
        """Return the hash to store from now on if the password is right; takes as long where there is no hash."""
        return await self.turns.run(sender, lambda: self._verified(stored, password))

    def _verified(self, stored: str | None, password: TypedPassword) -> str | None:
        try:
            self._hasher.verify(stored or self._decoy, password.disclose())
        except (VerifyMismatchError, InvalidHashError):
            return None
        if stored and self._hasher.check_needs_rehash(stored):
            return self._hasher.hash(password.disclose())
        return stored


def _hash_of_nothing(hasher: PasswordHasher) -> str:
    """Return random bytes in the form of a hash: no password fits, and to find that out takes as long as with any.

    A real hash would take a good part of the time in which a server starts.
    """
    salt, digest = (
        b64encode(token_bytes(length)).decode().rstrip("=") for length in (hasher.salt_len, hasher.hash_len)
    )
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2{hasher.type.name.lower()}$v={ARGON2_VERSION}${costs}${salt}${digest}"
