"""Confidential values, which do not show what they hold, and the secret of a sealed shoe."""

from __future__ import annotations

import hmac
import secrets
from typing import NoReturn, Self

from punto.shoe.encoding import MOST_DECKS, NEWEST, Format, ShoeError, check_decks, secret_size

_SIZES = frozenset(secret_size(version, decks) for version in Format for decks in range(1, MOST_DECKS + 1))


class Hidden:
    """A value that does not show what it holds. It prints as a name only, cannot be pickled, and copies to itself.

    Not a dataclass: those expose their fields to any caller, such as ``asdict`` or a JSON encoder.
    """

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __getstate__(self) -> NoReturn:
        raise TypeError(f"{self!r} is not to be stored or sent")

    def __reduce__(self) -> NoReturn:
        self.__getstate__()


class Secret(Hidden):
    """The bytes that, with the cut, decide a sealed shoe's order. Known only to the house until the shoe ends."""

    __slots__ = ("_value",)

    def __init__(self, value: bytes) -> None:
        if type(value) is not bytes or len(value) not in _SIZES:
            del value  # some logs show the local variables of a failed call
            raise ShoeError("a shoe's secret is two words of 16 bits for every card but one")
        self._value = value

    def disclose(self) -> bytes:
        """Return the bytes: to be encrypted and stored, or published when the shoe has ended."""
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._value, other._value)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<secret of a shoe>"


def new_secret(decks: int) -> Secret:
    """Return a fresh secret from the operating system, the only source of randomness in this package."""
    check_decks(decks)
    return Secret(secrets.token_bytes(secret_size(NEWEST, decks)))
