"""What people write in their own words: an event holds a salted digest, and the words stand in a table beside the log.

So words can be erased, and the chain still verifies: the hash of an event covers the digest. Without the salt, which is
erased with the words, nobody can find out by trying what they were.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, Protocol, TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from punto.shoe.encoding import pack
from punto.table.event import FREE, Event

MARK = "words:"
"""Begins the reference that stands for words in an event."""
_REFERENCE = re.compile(rf"{MARK}([0-9a-f]{{64}})")
_REFERENCE_BYTES = re.compile(_REFERENCE.pattern.encode())
_MARK_BYTES = MARK.encode()
_PERSON = re.compile(rb"\bp[a-z2-7]{10}\b")
SALT_BYTES = 16
WRITTEN = frozenset({"matter", "noticed_by", "note", "reason", "uncovered"})
"""The fields of a command in which people write; an act that waits for a second person holds the command's values."""
_FORMAT = "punto-words-1"

T = TypeVar("T")


class KeptWords(Struct, frozen=True, array_like=True):
    """Words as they are kept beside the log: their digest and, until they are erased, the salt and the words."""

    digest: str
    salt: bytes | None
    words: str | None

    @property
    def reference(self) -> str:
        """What stands for them in an event."""
        return f"{MARK}{self.digest}"

    @property
    def is_erased(self) -> bool:
        return self.salt is None or self.words is None

    @property
    def agrees(self) -> bool:
        """Whether the words are those of which the digest was stored."""
        return not self.is_erased and digest_of(self.salt or b"", self.words or "") == self.digest


class WordsReader(Protocol):
    """A store, as far as words and names are looked up in it."""

    async def words(self, digests: Collection[str]) -> dict[str, KeptWords]: ...
    async def names(self, people: Collection[str]) -> dict[str, KeptWords]: ...


def digest_of(salt: bytes, words: str) -> str:
    """Return the digest of words with their salt."""
    return sha256(pack(_FORMAT, salt, words)).hexdigest()


def keep(words: str) -> KeptWords:
    """Return words with a new salt and their digest."""
    salt = secrets.token_bytes(SALT_BYTES)
    return KeptWords(digest_of(salt, words), salt, words)


def name_kept(salt: bytes | None, name: str | None) -> KeptWords:
    """Return a person's name as words; of an erased one, and one from before digests were kept, there is no digest."""
    return KeptWords(digest_of(salt, name) if salt and name else "", salt, name)


# --- in events -------------------------------------------------------------------------------------------------------


E = TypeVar("E", bound=Event)


def put_aside(event: E, giver: str = "") -> tuple[E, tuple[KeptWords, ...]]:
    """Return the event with references in place of free words, and the words.

    The id of the giver, or of who authorised it, stays as it is. So does a reference, which an act that waited for a
    second person brings along. Any other id is words: nothing tells it from a name that was typed.
    """
    if not _places(type(event)):
        return event, ()
    kept: dict[str, KeptWords] = {}

    def refer(words: str) -> str:
        if not words or words == giver or _REFERENCE.fullmatch(words):
            return words
        if words not in kept:
            kept[words] = keep(words)
        return kept[words].reference

    return _replaced(event, refer), tuple(kept.values())


def put_all_aside(events: Sequence[Event], giver: str = "") -> tuple[list[Event], tuple[KeptWords, ...]]:
    """Like ``put_aside``, for several events."""
    if not any(map(_places, map(type, events))):
        return list(events), ()
    both = [put_aside(each, giver) for each in events]
    return [event for event, _ in both], tuple(words for _, kept in both for words in kept)


@cache
def _places(kind: type[Struct]) -> dict[str, bool]:
    """Return the fields of an event, or of a value in one, that hold free words: True for words, False for a value."""
    found: dict[str, bool] = {}
    for each in fields(kind):
        inner = [one for one in (each.type, *get_args(each.type)) if isinstance(one, type) and issubclass(one, Struct)]
        if FREE in getattr(each.type, "__metadata__", ()):
            found[each.name] = True
        elif any(map(_places, inner)):
            found[each.name] = False
    return found


def _replaced(value: Any, refer: Callable[[str], str]) -> Any:
    changed: dict[str, Any] = {}
    kind: type[Struct] = type(value)
    authorised_by = getattr(value, "authorised_by", None)
    for name, is_words in _places(kind).items():
        held = getattr(value, name)
        if isinstance(held, Mapping):
            changed[name] = {key: refer(each) if key in WRITTEN and each else each for key, each in held.items()}
        elif held is not None and held != authorised_by:
            changed[name] = refer(held) if is_words else _replaced(held, refer)
    return replace(value, **changed)


def digests_in(*data: bytes) -> set[str]:
    """Return the digests of all words that these bytes refer to."""
    return {found.decode() for each in data if _MARK_BYTES in each for found in _REFERENCE_BYTES.findall(each)}


def people_in(*data: bytes) -> set[str]:
    """Return the ids of all people that these bytes name."""
    return {found.decode() for each in data for found in _PERSON.findall(each)}


# --- as they are shown -----------------------------------------------------------------------------------------------


class KnownWords:
    """Words that have been looked up, to be shown in place of the references to them."""

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}

    async def look_up(self, store: WordsReader, *data: bytes) -> None:
        """Learn the words that these bytes refer to."""
        if wanted := digests_in(*data) - self._known.keys():
            self.learn((await store.words(wanted)).values())

    def learn(self, kept: Iterable[KeptWords]) -> None:
        for each in kept:
            self._known[each.digest] = each.words

    def forget(self, digests: Iterable[str]) -> None:
        """Forget words that have been erased."""
        for each in digests:
            self._known[each.removeprefix(MARK)] = None

    def in_json(self, data: bytes) -> bytes:
        """Return JSON with the words in place of references; the reference to erased words stays."""
        if _MARK_BYTES not in data:
            return data
        return _REFERENCE_BYTES.sub(lambda found: self._as_json(found[1].decode(), found[0]), data)

    def _as_json(self, digest: str, reference: bytes) -> bytes:
        words = self._known.get(digest)
        return reference if words is None else msgspec.json.encode(words)[1:-1]

    def in_text(self, text: str, erased: str) -> str:
        """Return a text with the words in place of references, and ``erased`` where they have been erased."""
        if MARK not in text:
            return text
        return _REFERENCE.sub(lambda found: self._known.get(found[1]) or erased, text)
