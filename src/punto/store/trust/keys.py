"""The house's keys: one to sign heads, one to encrypt secrets. They are kept outside the database.

Both are derived from one master key of 32 bytes, in a file that only its owner may read or in the environment. The
database without the key allows neither to sign for the house nor to learn an undealt card.
"""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Mapping
from pathlib import Path
from secrets import token_bytes

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from punto.shoe.secret import Hidden

ENVIRONMENT = "PUNTO_KEY"
_HEADING = "punto-key-1"
_SIZE = 32
_NONCE = 12


class BadKey(ValueError):
    """A key that is missing, cannot be read, or is not the one that was used; the message never holds it."""


class Keys(Hidden):
    """The keys of a house."""

    __slots__ = ("_cipher", "_logging", "_marking", "_signing")

    def __init__(self, master: bytes) -> None:
        if len(master) != _SIZE:
            raise BadKey(f"a key has {_SIZE} bytes")
        self._signing = Ed25519PrivateKey.from_private_bytes(_derived(master, b"sign"))
        self._cipher = AESGCM(_derived(master, b"encrypt"))
        self._marking = hmac.new(_derived(master, b"mark"), digestmod="sha256")
        """Begun with the key; a copy goes on with a message, in half the time of a new one."""
        self._logging = _derived(master, b"log")

    def __repr__(self) -> str:
        return f"<keys {self.public_key[:8]}>"

    @property
    def public_key(self) -> str:
        """The key that checks a signature, in hexadecimal digits."""
        return self._signing.public_key().public_bytes_raw().hex()

    def sign(self, message: bytes) -> str:
        return self._signing.sign(message).hex()

    def authenticate(self, message: bytes) -> bytes:
        """Return a code of 16 bytes that only the holder of the key can make: much cheaper than a signature."""
        code = self._marking.copy()
        code.update(message)
        return code.digest()[:16]

    def log_secret(self, origin: str) -> bytes:
        """Return the secret from which the salts of a log's leaves come."""
        return hmac.digest(self._logging, origin.encode(), "sha256")

    def encrypt(self, secret: bytes, about: bytes) -> bytes:
        """Encrypt a secret, bound to what it is about."""
        nonce = token_bytes(_NONCE)
        return nonce + self._cipher.encrypt(nonce, secret, about)

    def decrypt(self, sealed: bytes, about: bytes) -> bytes:
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], about)
        except (InvalidTag, ValueError):
            raise BadKey("what is stored cannot be read with this key") from None


def _derived(master: bytes, purpose: bytes) -> bytes:
    return HKDF(SHA256(), _SIZE, salt=None, info=b"punto " + purpose).derive(master)


def is_signed(public_key: str, message: bytes, signature: str) -> bool:
    """Whether the owner of the key has signed the message."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def make_keys(file: Path) -> Keys:
    """Make a key in a new file that only its owner may read; never overwrite a file."""
    master = token_bytes(_SIZE)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise BadKey(f"{file}: no key can be put there: {error.strerror}") from None
    with os.fdopen(handle, "w") as opened:
        opened.write(f"{_HEADING} {master.hex()}\n")
        opened.flush()
        os.fsync(opened.fileno())
    return Keys(master)


def load_keys(file: Path, environment: Mapping[str, str] | None = None) -> Keys:
    """Load the key from the environment if it is there, and otherwise from its file."""
    told = (os.environ if environment is None else environment).get(ENVIRONMENT)
    if told is not None:
        return Keys(_read(told, ENVIRONMENT))
    try:
        text = file.read_text("ascii")
    except FileNotFoundError:
        raise BadKey(f"{file}: there is no key; bring back the one this database was made with") from None
    except OSError as error:
        raise BadKey(f"{file}: the key cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadKey(f"{file}: this is no key") from None
    if file.stat().st_mode & 0o077:
        raise BadKey(f"{file}: others can read the key; chmod 600 it")
    return Keys(_read(text, str(file)))


def _read(text: str, where: str) -> bytes:
    match = re.fullmatch(rf"\s*(?:{_HEADING} )?([0-9a-f]{{{2 * _SIZE}}})\s*", text)
    if not match:
        raise BadKey(f"{where}: this is no key: expected {_HEADING} and {2 * _SIZE} hexadecimal digits")
    return bytes.fromhex(match[1])
