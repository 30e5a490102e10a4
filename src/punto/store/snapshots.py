"""The state of a table as bytes and back, to open a table without reading all its events.

A snapshot is a cache: it carries the code that made it, and is not used by any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
from msgspec.structs import asdict

import punto.cards
from punto.cards import Card, Composition
from punto.rules.rulebook import Rulebook
from punto.store.records import Snapshot, StoreError
from punto.table import registry
from punto.table.hold import Hold
from punto.table.table import Table

_HOLDS: dict[str, type[Hold]] = {kind.__name__: kind for kind in registry.HOLD_STEPS}
_NOT_KEPT = {"book"}
_WITH_PAIRS = {"stakes", "acting"}
"""Mappings whose keys are several things at once."""


_PACKAGE = Path(punto.cards.__file__).parent
STATE_CODE = ("cards.py", "roads", "rules", "table", "store/snapshots.py")
"""Where the types live that the state of a table holds, and what writes and reads them."""


@cache
def code_version() -> str:
    """Return a digest of all code that makes up the state of a table."""
    parts = [_PACKAGE / part for part in STATE_CODE]
    files = [file for part in parts for file in (sorted(part.rglob("*.py")) if part.is_dir() else [part])]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def take_snapshot(stream: str, number: int, hash_: bytes, table: Table) -> Snapshot:
    """The state of a table after so many events."""
    content = {name: _plain(name, value) for name, value in asdict(table).items()}
    for name in _NOT_KEPT:
        del content[name]
    return Snapshot(stream, number, hash_, code_version(), msgspec.msgpack.encode(content, enc_hook=_encode_other))


def from_snapshot(snapshot: Snapshot, book: Rulebook) -> Table | None:
    """Return the state, or None if other code made the snapshot; raise ``StoreError`` if it cannot be read."""
    if snapshot.code != code_version():
        return None
    try:
        content: dict[str, Any] = msgspec.msgpack.decode(snapshot.body)
        hints = _hints()
        return Table(book, **{name: _restored(name, hints[name], value) for name, value in content.items()})
    except Exception as error:  # whatever the bytes hold: a cache that cannot be read must stop nobody
        raise StoreError(f"the snapshot of {snapshot.stream} cannot be read: {error}") from None


@cache
def _hints() -> Mapping[str, Any]:
    return get_type_hints(Table)


def _plain(name: str, value: Any) -> Any:
    if name == "hold":
        return _plain_hold(value)
    return list(value.items()) if name in _WITH_PAIRS else value


def _plain_hold(hold: Hold | None) -> dict[str, Any] | None:
    if hold is None:
        return None
    kept = asdict(hold)
    if "under" in kept:
        kept["under"] = _plain_hold(kept["under"])
    return {"kind": type(hold).__name__, **kept}


def _restored(name: str, hint: Any, value: Any) -> Any:
    if name == "hold":
        return _restored_hold(value)
    if name in _WITH_PAIRS:
        key, kept = hint.__args__
        pairs = list[tuple[key, kept]]  # type: ignore[valid-type]
        return dict(msgspec.convert(value, pairs, dec_hook=_decode_other, strict=False))
    return msgspec.convert(value, hint, dec_hook=_decode_other, str_keys=True)


def _restored_hold(content: dict[str, Any] | None) -> Hold | None:
    if content is None:
        return None
    kind = _HOLDS[content.pop("kind")]
    hints = get_type_hints(kind)
    values: dict[str, Any] = {
        name: _restored_hold(value) if name == "under" else msgspec.convert(value, hints[name], dec_hook=_decode_other)
        for name, value in content.items()
    }
    return kind(**values)


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
