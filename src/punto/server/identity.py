"""Staff and patrons: who they are, how they sign in, and how long a session lasts.

Names, passwords and sessions stand beside the events, never in them: an event knows a person by an opaque id. Of a
password only its Argon2 hash is stored, of a token only its SHA-256.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from punto.server.refused import Refused
from punto.server.tables.stream_follower import Clock
from punto.shoe.secret import Hidden
from punto.store import people as sql
from punto.store.protocol import Store
from punto.store.records import StoreError
from punto.table.roles import Role

MINUTE = 60_000
HOUR = 60 * MINUTE
FAILURES_BEFORE_LOCK = 5
LOCKED = 15 * MINUTE
IDLE = 12 * HOUR
LONGEST_SESSION = 7 * 24 * HOUR
SEEN_EVERY = MINUTE
"""How often a session's last use is stored, instead of at every request."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 200
LONGEST_NAME = 64
VERIFIED_AT_ONCE = 2
"""A verification takes 64 MB and half a core for a moment: a flood of sign-ins waits, and the tables go on."""

T = TypeVar("T")

_ID_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


class BadPerson(Refused):
    """What was asked about a person cannot be done; the case says why."""

    def __init__(self, case: str, **values: object) -> None:
        super().__init__("cannot-be", case=case, **values)


class SignInRefused(Refused):
    """A sign-in that fails. It does not say which of the reasons it was, and so not who is known here."""

    def __init__(self, case: str) -> None:
        super().__init__("cannot-be", case=case)


class Duty(StrEnum):
    """What a person does in the house: a role at tables, or a duty without commands at a table."""

    PATRON = Role.PATRON.value
    DEALER = Role.DEALER.value
    PIT_SUPERVISOR = Role.PIT_SUPERVISOR.value
    PIT_MANAGER = Role.PIT_MANAGER.value
    ASSISTANT_CASINO_MANAGER = Role.ASSISTANT_CASINO_MANAGER.value
    GAMING_SHIFT_MANAGER = Role.GAMING_SHIFT_MANAGER.value
    CASHIER = "Cashier"
    AUDITOR = "Auditor"
    DEVICE = "Device"
    """A card-reading dealing device, which signs in by its token only."""

    @property
    def role(self) -> Role | None:
        """The position at a table, if the duty has one."""
        return _ROLES.get(self)


_ROLES = {role.value: role for role in Role}


@dataclass(frozen=True, slots=True)
class Person:
    """A person: an opaque id, and the name they sign in with and are shown by."""

    id: str
    name: str
    duty: Duty
    active: bool


@dataclass(frozen=True, slots=True)
class Session:
    """A valid session."""

    person: Person
    made_at: int
    last_seen: int
    expires_at: int | None
    """Moves on while the session is used; a device's session does not end."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What a sign-in needs of a person."""

    id: str
    password: str | None = field(repr=False)
    generation: int


class _Password(Hidden):
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
        return _compared(self._value.decode("utf-8", "surrogatepass").strip()) == _compared(name)

    def __repr__(self) -> str:
        return "<password>"


class _Passwords:
    """Hashes and verifies passwords, a few at a time, outside the event loop."""

    def __init__(self, hasher: PasswordHasher) -> None:
        self._hasher = hasher
        # A thread pool, not a semaphore: a verification goes on when its client has gone away.
        self._threads = ThreadPoolExecutor(VERIFIED_AT_ONCE, thread_name_prefix="punto-password")
        self._decoy = hasher.hash(secrets.token_urlsafe(32))

    async def hash(self, password: _Password) -> str:
        return await self._in_turn(lambda: self._hasher.hash(password.disclose()))

    async def verified(self, stored: str | None, password: _Password) -> str | None:
        """Return the hash to store from now on if the password is right; takes as long where there is no hash."""
        return await self._in_turn(lambda: self._verified(stored, password))

    def _verified(self, stored: str | None, password: _Password) -> str | None:
        try:
            self._hasher.verify(stored or self._decoy, password.disclose())
        except (VerifyMismatchError, InvalidHashError):
            return None
        if stored and self._hasher.check_needs_rehash(stored):
            return self._hasher.hash(password.disclose())
        return stored

    async def _in_turn(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


class People:
    """The people in a store. Any number of processes may keep the same ones."""

    def __init__(self, store: Store, clock: Clock, hasher: PasswordHasher | None = None) -> None:
        self._store, self._clock = store, clock
        self._passwords = _Passwords(hasher or PasswordHasher())

    # --- who they are ----------------------------------------------------------------------------------------------

    async def add(self, name: str, duty: Duty) -> Person:
        """Add a person, who cannot sign in yet: that takes a link, a password or, for a device, a token."""
        proper = _proper(name)
        if proper is None:
            raise BadPerson("name-length", most=LONGEST_NAME)
        person = Person(_new_id(), proper, duty, active=True)
        values = person.id, person.name, _compared(proper), duty.value, self._clock()
        if not await self._store.ask(sql.ADD, *values):
            raise BadPerson("name-taken")
        return person

    async def find(self, person_id: str) -> Person | None:
        if not (person_id.isascii() and person_id.isalnum()):
            return None
        rows = await self._store.ask(f"{sql.PERSON} where id = $1", person_id)
        return _person(*rows[0]) if rows else None

    async def find_by_name(self, name: str) -> Person | None:
        proper = _proper(name)
        rows = await self._store.ask(f"{sql.PERSON} where compared = $1", _compared(proper)) if proper else []
        return _person(*rows[0]) if rows else None

    async def everybody(self) -> list[Person]:
        """Return all people, active or not, by name."""
        return sorted(
            (_person(*row) for row in await self._store.ask(sql.PERSON)), key=lambda each: _compared(each.name)
        )

    async def not_patrons(self) -> list[Person]:
        """Return all who are no patrons, active or not: of patrons there may be very many."""
        rows = await self._store.ask(f"{sql.PERSON} where duty <> $1", Duty.PATRON.value)
        return sorted((_person(*row) for row in rows), key=lambda each: _compared(each.name))

    async def set_active(self, person_id: str, active: bool) -> Person:
        """Activate or deactivate a person. Sessions and links end in either case."""
        await self._require(person_id)
        ((*about,),) = await self._store.ask(sql.SET_ACTIVE, active, person_id)
        return _person(*about)

    async def set_password(self, person_id: str, password: str, keep: str | None = None) -> None:
        """Replace a password. All sessions and links end, except the session of one token."""
        typed, kept = _Password(password), None if keep is None else _digest(keep)
        del password, keep  # some logs show the local variables of a failed call
        person = await self._require(person_id)
        if person.duty is Duty.DEVICE:
            raise BadPerson("device-has-no-password")
        if not SHORTEST_PASSWORD <= typed.length <= LONGEST_PASSWORD:
            raise BadPerson("password-length", fewest=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
        if typed.is_name(person.name):
            raise BadPerson("password-is-name")
        ((generation,),) = await self._store.ask(sql.SET_PASSWORD, await self._passwords.hash(typed), person_id)
        if kept:
            await self._store.ask(sql.KEEP_SESSION, generation, kept, person_id)

    # --- signing in ------------------------------------------------------------------------------------------------

    async def sign_in(self, name: str, password: str) -> str:
        """Start a session and return its token. Five wrong passwords in a row lock the name for 15 minutes.

        An unknown name, a wrong password, none at all, a lock, a person who is not active: each is refused in the same
        words, after a verification and a write.
        """
        typed = _Password(password)
        del password
        known = await self._known(name)
        verified = await self._passwords.verified(known.password if known else None, typed)
        now = self._clock()
        # Whether the person is active and not locked is checked last: others may have tried meanwhile.
        if known and verified and await self._store.ask(sql.LET_IN, verified, known.id, known.generation, now):
            return await self._begin(known.id, known.generation)
        if known:
            await self._store.ask(sql.COUNT_FAILURE, now, FAILURES_BEFORE_LOCK, now + LOCKED, known.id)
        else:
            await self._store.ask(sql.COUNT_NOBODYS)
        raise SignInRefused("wrong-password")

    async def make_link(self, person_id: str, valid_ms: int) -> str:
        """Make a link that signs a person in once, and return its token."""
        person = await self._require(person_id)
        if person.duty is Duty.DEVICE:
            raise BadPerson("device-has-no-link")
        token, now = _new_token(), self._clock()
        if not await self._store.ask(sql.MAKE_LINK, _digest(token), now, now + valid_ms, person_id):
            raise BadPerson("person-not-active")
        return token

    async def use_link(self, token: str) -> str:
        """Start a session by a link and return its token. A link works once, also for two requests at one moment."""
        digest = _digest(token)
        del token
        used = await self._store.ask(sql.USE_LINK, self._clock(), digest)
        if not used:
            raise SignInRefused("link-used")
        return await self._begin(*used[0])

    async def device_token(self, person_id: str) -> str:
        """Return a new token for a device; the one before ends."""
        person = await self._require(person_id)
        if person.duty is not Duty.DEVICE:
            raise BadPerson("token-for-device-only")
        token = _new_token()
        if not await self._store.ask(sql.DEVICE, _digest(token), self._clock(), person_id):
            raise BadPerson("device-not-active")
        return token

    # --- being signed in -------------------------------------------------------------------------------------------

    async def session(self, token: str) -> Session | None:
        """Return the session of a token, if it is valid, and extend it by 12 hours, to 7 days in all at most."""
        digest, now = _digest(token), self._clock()
        del token
        rows = await self._store.ask(sql.SESSION, digest, now)
        if not rows:
            return None
        *about, made_at, last_seen, expires_at = rows[0]
        if now - last_seen >= SEEN_EVERY:
            last_seen = now
            expires_at = None if expires_at is None else _expires(made_at, now)
            await self._store.ask(sql.SEEN, last_seen, expires_at, digest)
        return Session(_person(*about), made_at, last_seen, expires_at)

    async def sign_out(self, token: str) -> None:
        """End the session of a token, if there is one."""
        digest = _digest(token)
        del token
        await self._store.ask(sql.SIGN_OUT, digest)

    async def _begin(self, person_id: str, generation: int) -> str:
        token, now = _new_token(), self._clock()
        begun = self._store.ask(sql.BEGIN, _digest(token), person_id, generation, now, _expires(now, now))
        await asyncio.gather(begun, self._purge(now))
        return token

    async def _purge(self, now: int) -> None:
        """Delete what has ended. If that fails, the next sign-in does it."""
        for statement in (sql.PURGE_SESSIONS, sql.PURGE_LINKS):
            with suppress(StoreError):
                await self._store.ask(statement, now)

    async def _known(self, name: str) -> _Known | None:
        proper = _proper(name)
        rows = await self._store.ask(sql.KNOWN, _compared(proper or ""))
        return _Known(*rows[0]) if rows else None

    async def _require(self, person_id: str) -> Person:
        person = await self.find(person_id)
        if person is None:
            raise BadPerson("no-such-person")
        return person


def _person(person_id: str, name: str, duty: str, active: object) -> Person:
    return Person(person_id, name, Duty(duty), bool(active))


def _proper(name: str) -> str | None:
    """Return a name as it is stored, or None if it cannot be one: no invisible characters, no look-alike spaces."""
    if len(name) > LONGEST_NAME:
        return None
    proper = " ".join(unicodedata.normalize("NFKC", name).split())
    return proper if 1 <= len(proper) <= LONGEST_NAME and proper.isprintable() else None


def _compared(name: str) -> str:
    """Return a name as names are compared: here, because each database folds case in its own way."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _new_id() -> str:
    return "p" + "".join(secrets.choice(_ID_LETTERS) for _ in range(10))


def _new_token() -> str:
    return secrets.token_urlsafe(32)


def _digest(token: str) -> str:
    """Return what is stored of a token. With 256 random bits it cannot be found by trying."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _expires(made_at: int, now: int) -> int:
    return min(now + IDLE, made_at + LONGEST_SESSION)
