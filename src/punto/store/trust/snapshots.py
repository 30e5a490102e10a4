"""The state of a table as bytes and back, to open a table without reading all its events.

A snapshot is a cache: it carries a digest of the code that made it, and no other code uses it. The house signs it with
the place in the chain where it was taken; one without that signature is not used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Union, get_type_hints

import msgspec

import punto.cards
from punto.cards import Card, Composition
from punto.rules.rulebook import Rulebook
from punto.shoe.encoding import pack
from punto.store.protocol import Reader
from punto.store.records import Snapshot, StoreError
from punto.store.trust.keys import Keys, is_signed
from punto.table.registry import HOLD_STEPS
from punto.table.table import Table

_KEPT = Table.__struct_fields__[1:]
"""Everything but the rulebook, which is the same for every state of a table."""
_PACKAGE = Path(punto.cards.__file__).parent
STATE_CODE = ("cards.py", "roads", "rules", "table", "store/trust/snapshots.py")
"""Where the types live that the state of a table holds, and what writes and reads them."""


@cache
def code_version() -> str:
    """Return a digest of all code that makes up the state of a table."""
    return digest_of_code(STATE_CODE)


def digest_of_code(parts: Iterable[str]) -> str:
    """Return a digest of these files, and of all in these folders of the package."""
    places = [_PACKAGE / part for part in parts]
    files = [file for place in places for file in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def take_snapshot(stream: str, number: int, hash_: bytes, table: Table) -> Snapshot:
    """Return the state of a table after this many events."""
    state = tuple(getattr(table, name) for name in _KEPT)
    body = msgspec.msgpack.encode(state, enc_hook=_encode_other)
    return Snapshot(stream, number, hash_, code_version(), body, table.book.digest)


def sign_snapshot(keys: Keys, snapshot: Snapshot) -> Snapshot:
    """Return the snapshot with the house's signature."""
    return replace(snapshot, signature=keys.sign(snapshot_message(snapshot)))


def is_signed_snapshot(public_key: str, snapshot: Snapshot) -> bool:
    """Whether the house has signed the snapshot as it is."""
    return is_signed(public_key, snapshot_message(snapshot), snapshot.signature)


async def signed_snapshot(store: Reader, stream: str, public_key: str) -> Snapshot | None:
    """Return the snapshot of a stream, if the house has signed it as that stream's."""
    snapshot = await store.snapshot(stream)
    if snapshot is None or snapshot.stream != stream or not is_signed_snapshot(public_key, snapshot):
        return None
    return snapshot


async def is_in_the_log(store: Reader, snapshot: Snapshot) -> bool:
    """Whether the log has the event after which a snapshot was taken."""
    known = await store.read(snapshot.stream, snapshot.number - 1, 1)
    return bool(known) and (known[0].number, known[0].hash) == (snapshot.number, snapshot.hash)


def snapshot_message(snapshot: Snapshot) -> bytes:
    """Return the bytes that are signed; the body stands there by its digest."""
    place = snapshot.stream, str(snapshot.number), snapshot.hash.hex()
    return pack("punto-snapshot-1", *place, snapshot.code, snapshot.game, sha256(snapshot.body).hexdigest())


def from_snapshot(snapshot: Snapshot, book: Rulebook) -> Table | None:
    """Return the state, or None if other code made the snapshot; raise ``StoreError`` if it cannot be read."""
    if snapshot.code != code_version():
        return None
    try:
        return Table(book, *_decoder().decode(snapshot.body))
    except Exception as error:  # whatever the bytes hold: a cache that cannot be read must stop nobody
        raise StoreError(f"the snapshot of {snapshot.stream} cannot be read: {error}") from None


@cache
def _decoder() -> msgspec.msgpack.Decoder[tuple[Any, ...]]:
    hints = get_type_hints(Table)
    hints["holds"] = tuple[Union[tuple(HOLD_STEPS)], ...]  # type: ignore[misc]  # noqa: UP007
    kept: Any = tuple[tuple(hints[name] for name in _KEPT)]  # type: ignore[misc]
    return msgspec.msgpack.Decoder(kept, dec_hook=_decode_other)


def _encode_other(value: object) -> Any:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Composition):
        return {str(card): count for card, count in value.counts().items()}
    raise NotImplementedError(type(value).__name__)


def _decode_other(kind: type[Any], value: Any) -> object:
    if kind is Fraction:
        return Fraction(value)
    if kind is Composition:
        return Composition(card for name, count in value.items() for card in [Card.parse(name)] * count)
    raise NotImplementedError(kind.__name__)
