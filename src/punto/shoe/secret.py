"""What must not be seen: values that do not show what they hold, and the secret of a sealed shoe."""

from __future__ import annotations

import hmac
import secrets
from typing import NoReturn, Self

from punto.shoe.encoding import SIZE, ShoeError


class Hidden:
    """A value that does not show what it holds. It prints as a name only, is not pickled, and its copy is itself.

    Not a dataclass: those hand out their fields to whoever asks, such as ``asdict`` or a JSON encoder.
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
    """The 32 bytes that decide a sealed shoe's order together with the cut. Known to the house until the shoe ends."""

    __slots__ = ("_value",)

    def __init__(self, value: bytes) -> None:
        if type(value) is not bytes or len(value) != SIZE:
            del value  # some logs show the local variables of a failed call
            raise ShoeError(f"a shoe's secret is {SIZE} bytes")
        self._value = value

    def disclose(self) -> bytes:
        """The bytes themselves: to be encrypted and stored, or published when the shoe has ended."""
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._value, other._value)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<secret of a shoe>"


def new_secret() -> Secret:
    """A secret nobody knows yet, from the operating system. Nothing else in this part asks anyone for chance."""
    return Secret(secrets.token_bytes(SIZE))
