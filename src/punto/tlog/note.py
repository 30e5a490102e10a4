"""Signed notes (C2SP signed-note): a text, and signature lines that each name their key."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ED25519, COSIGNATURE = 1, 4
"""Types of signatures: over the text, and of a witness with the time."""
MOST_BYTES = 1_000_000
MOST_SIGNATURES = 100
_ID_BYTES, _KEY_BYTES = 4, 32
_DASH = "\N{EM DASH} "

Sign = Callable[[bytes], bytes]
"""Returns the Ed25519 signature of a message."""


class BadNote(ValueError):
    """A text that is no signed note, or whose signatures do not fit; the message says why."""


def from_base64(text: str) -> bytes:
    """Decode standard base64, and nothing that is only similar to it."""
    try:
        content = b64decode(text, validate=True)
    except (BadBase64, ValueError):
        raise BadNote("expected base64") from None
    if b64encode(content).decode() != text:
        raise BadNote("expected base64")
    return content


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature line: the name of the key, its id, and the signature's bytes."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        return f"{_DASH}{self.name} {b64encode(self.key_id + self.signature).decode()}\n"


@dataclass(frozen=True, slots=True)
class Verifier:
    """A key that checks signatures, with its name and type."""

    name: str
    public_key: bytes
    kind: int = ED25519

    def __post_init__(self) -> None:
        check_key_name(self.name)
        if len(self.public_key) != _KEY_BYTES or self.kind not in (ED25519, COSIGNATURE):
            raise BadNote(f"the key of {self.name} is of no kind that is known here")

    @property
    def key_id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public_key).digest()[:_ID_BYTES]

    @property
    def text(self) -> str:
        """The key as others are given it."""
        return f"{self.name}+{self.key_id.hex()}+{b64encode(bytes([self.kind]) + self.public_key).decode()}"

    @classmethod
    def read(cls, text: str) -> Verifier:
        """Read a key; raise ``BadNote`` if it is none, or its id is of another key."""
        name, _, rest = text.strip().partition("+")
        key_id, _, material = rest.partition("+")
        content = from_base64(material)
        verifier = cls(name, content[1:], content[0] if content else 0)
        if verifier.key_id.hex() != key_id:
            raise BadNote(f"the id of the key of {name} is not its own")
        return verifier

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        """Whether the owner of the key has signed exactly this message."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public_key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True

    def made(self, each: Signature) -> bool:
        """Whether a signature names this key."""
        return (each.name, each.key_id) == (self.name, self.key_id)


def check_key_name(name: str) -> None:
    """Raise ``BadNote`` if no key can have this name."""
    if not name or "+" in name or not name.isprintable() or any(each.isspace() for each in name):
        raise BadNote(f"no key can have the name {name!r}")


@dataclass(frozen=True, slots=True)
class Note:
    """A text with its signatures; reading one checks none of them."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n{''.join(each.line for each in self.signatures)}"

    @classmethod
    def read(cls, content: str) -> Note:
        if len(content) > MOST_BYTES or any(each < " " and each != "\n" for each in content):
            raise BadNote("a note has no control characters, and is not that long")
        text, blank, lines = content.rpartition("\n\n")
        if not blank or not lines.endswith("\n") or lines.count("\n") > MOST_SIGNATURES:
            raise BadNote("a note ends with a blank line and signatures")
        return cls(f"{text}\n", read_signatures(lines))

    def with_signatures(self, more: Iterable[Signature]) -> Note:
        """Return the note with more signatures; one of the same key is replaced."""
        added = {(each.name, each.key_id): each for each in more}
        kept = [each for each in self.signatures if (each.name, each.key_id) not in added]
        return Note(self.text, (*kept, *added.values()))

    def is_signed_by(self, verifier: Verifier) -> bool:
        """Whether the key has signed the text; raise ``BadNote`` if a signature that names the key is wrong."""
        own = [each for each in self.signatures if verifier.made(each)]
        if not all(verifier.has_signed(self.text.encode(), each.signature) for each in own):
            raise BadNote(f"the signature of {verifier.name} is not of this text")
        return bool(own)


def read_signatures(lines: str) -> tuple[Signature, ...]:
    """Read signature lines, such as a witness answers with."""
    return tuple(_read_signature(line) for line in lines.removesuffix("\n").split("\n"))


def _read_signature(line: str) -> Signature:
    name, space, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not space:
        raise BadNote("expected a signature line")
    check_key_name(name)
    content = from_base64(encoded)
    if len(content) <= _ID_BYTES:
        raise BadNote("a signature is longer than the id of its key")
    return Signature(name, content[:_ID_BYTES], content[_ID_BYTES:])


def sign_note(text: str, signers: Sequence[tuple[Verifier, Sign]]) -> Note:
    """Return a text signed with keys."""
    return Note(text, tuple(Signature(key.name, key.key_id, sign(text.encode())) for key, sign in signers))
