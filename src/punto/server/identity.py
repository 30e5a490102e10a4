"""People of the house and its patrons: who they are, how they sign in, and how long a sign-in holds.

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
"""That somebody is still there is written this often, and not at each thing he does."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 200
LONGEST_NAME = 64
VERIFIED_AT_ONCE = 2
"""A verification takes 64 MB and half a core for a moment: a flood of sign-ins waits, and the tables go on."""

T = TypeVar("T")

_ID_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"

_PERSON = "select id, name, duty, active from person"
_ADD = """
    insert into person (id, name, compared, duty, made_at) values ($1, $2, $3, $4, $5)
    on conflict (compared) do nothing returning id
"""
_SET_ACTIVE = """
    update person set active = $1, generation = generation + 1 where id = $2 returning id, name, duty, active
"""
_SET_PASSWORD = """
    update person set password = $1, failures = 0, locked_until = 0, generation = generation + 1
    where id = $2 returning generation
"""
_KEEP_SESSION = "update session set generation = $1 where token = $2 and person = $3 and generation = $1 - 1"
_KNOWN = "select id, password, generation from person where compared = $1"
_LET_IN = """
    update person set failures = 0, locked_until = 0, password = $1
    where id = $2 and generation = $3 and active and locked_until <= $4 returning id
"""
_COUNT_FAILURE = """
    update person set
    failures = case when locked_until > $1 then failures when failures + 1 >= $2 then 0 else failures + 1 end,
    locked_until = case when locked_until <= $1 and failures + 1 >= $2 then $3 else locked_until end,
    refused_at = $1 where id = $4
"""
_COUNT_NOBODYS = "update nobody set refused = refused + 1"
_BEGIN = """
    insert into session (token, person, generation, made_at, last_seen, expires_at) values ($1, $2, $3, $4, $4, $5)
"""
_SESSION = """
    select person.id, person.name, person.duty, person.active, session.made_at, session.last_seen, session.expires_at
    from session join person on person.id = session.person and person.generation = session.generation
    where session.token = $1 and person.active and (session.expires_at is null or session.expires_at > $2)
"""
_SEEN = "update session set last_seen = $1, expires_at = $2 where token = $3 and last_seen < $1"
_MAKE_LINK = """
    insert into link (token, person, generation, made_at, expires_at)
    select $1, id, generation, $2, $3 from person where id = $4 and active returning person
"""
_USE_LINK = """
    update link set used_at = $1 where token = $2 and used_at is null and expires_at > $1 and exists (
        select 1 from person where person.id = link.person and person.active and person.generation = link.generation)
    returning person, generation
"""
_DEVICE = """
    insert into session (token, person, generation, made_at, last_seen)
    select $1, id, generation, $2, $2 from person where id = $3 and active
    on conflict (person) where expires_at is null do update set token = excluded.token,
    generation = excluded.generation, made_at = excluded.made_at, last_seen = excluded.last_seen returning person
"""
_PURGE_SESSIONS = """
    delete from session where expires_at <= $1
    or generation < (select generation from person where person.id = session.person)
"""
_PURGE_LINKS = "delete from link where expires_at <= $1"


class BadPerson(Refused):
    """What was asked about a person cannot be done; the case says why."""

    def __init__(self, case: str, **values: object) -> None:
        super().__init__("cannot-be", case=case, **values)


class SignInRefused(Refused):
    """A sign-in that fails. It does not say which of the reasons it was, and so not who is known here."""

    def __init__(self, case: str) -> None:
        super().__init__("cannot-be", case=case)


class Duty(StrEnum):
    """What a person is in the house: whatever one can be at a table, or somebody who gives no commands at one."""

    PATRON = Role.PATRON.value
    DEALER = Role.DEALER.value
    PIT_SUPERVISOR = Role.PIT_SUPERVISOR.value
    PIT_MANAGER = Role.PIT_MANAGER.value
    ASSISTANT_CASINO_MANAGER = Role.ASSISTANT_CASINO_MANAGER.value
    GAMING_SHIFT_MANAGER = Role.GAMING_SHIFT_MANAGER.value
    CASHIER = "Cashier"
    AUDITOR = "Auditor"
    DEVICE = "Device"
    """A dealing device that reads cards. It signs in by its token only."""

    @property
    def role(self) -> Role | None:
        """The position at a table, if the duty has one."""
        return _ROLES.get(self)


_ROLES = {role.value: role for role in Role}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody known here, by an id that says nothing, and the name to sign in with and to be shown."""

    id: str
    name: str
    duty: Duty
    active: bool


@dataclass(frozen=True, slots=True)
class Session:
    """A sign-in that holds."""

    person: Person
    made_at: int
    last_seen: int
    expires_at: int | None
    """Moves on while the person is there; a device's does not end."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is stored about somebody who wants to sign in."""

    id: str
    password: str | None = field(repr=False)
    generation: int


class _Password(Hidden):
    """A password as it was typed, in the form it is hashed in. One that is too long is like none: none is so long."""

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
    """Hashes and verifies passwords, a few at a time and not in the thread that serves the tables."""

    def __init__(self, hasher: PasswordHasher) -> None:
        self._hasher = hasher
        # Threads of their own, not a semaphore: a verification goes on when whoever asked for it has gone away.
        self._threads = ThreadPoolExecutor(VERIFIED_AT_ONCE, thread_name_prefix="punto-password")
        self._nobodys = hasher.hash(secrets.token_urlsafe(32))

    async def hash(self, password: _Password) -> str:
        return await self._in_turn(lambda: self._hasher.hash(password.disclose()))

    async def verified(self, stored: str | None, password: _Password) -> str | None:
        """The hash to store from now on, if the password is right. Takes its time where there is none to compare."""
        return await self._in_turn(lambda: self._verified(stored, password))

    def _verified(self, stored: str | None, password: _Password) -> str | None:
        try:
            self._hasher.verify(stored or self._nobodys, password.disclose())
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
        """Somebody new, who cannot sign in yet: that takes a link, a password or, for a device, a token."""
        proper = _proper(name)
        if proper is None:
            raise BadPerson("name-length", most=LONGEST_NAME)
        person = Person(_new_id(), proper, duty, active=True)
        values = person.id, person.name, _compared(proper), duty.value, self._clock()
        if not await self._store.ask(_ADD, *values):
            raise BadPerson("name-taken")
        return person

    async def find(self, person_id: str) -> Person | None:
        if not (person_id.isascii() and person_id.isalnum()):
            return None
        rows = await self._store.ask(f"{_PERSON} where id = $1", person_id)
        return _person(*rows[0]) if rows else None

    async def find_by_name(self, name: str) -> Person | None:
        proper = _proper(name)
        rows = await self._store.ask(f"{_PERSON} where compared = $1", _compared(proper)) if proper else []
        return _person(*rows[0]) if rows else None

    async def everybody(self) -> list[Person]:
        """All people, active or not, by name."""
        return sorted((_person(*row) for row in await self._store.ask(_PERSON)), key=lambda each: _compared(each.name))

    async def not_patrons(self) -> list[Person]:
        """Everybody of the house itself, active or not: of patrons there may be very many."""
        rows = await self._store.ask(f"{_PERSON} where duty <> $1", Duty.PATRON.value)
        return sorted((_person(*row) for row in rows), key=lambda each: _compared(each.name))

    async def set_active(self, person_id: str, active: bool) -> Person:
        """Let somebody in again, or no more. Sessions and links end in either case."""
        await self._somebody(person_id)
        ((*about,),) = await self._store.ask(_SET_ACTIVE, active, person_id)
        return _person(*about)

    async def set_password(self, person_id: str, password: str, keep: str | None = None) -> None:
        """A password, in the place of the one before. All sessions and links end, but for the session of one token."""
        typed, kept = _Password(password), None if keep is None else _digest(keep)
        del password, keep  # some logs show the local variables of a failed call
        person = await self._somebody(person_id)
        if person.duty is Duty.DEVICE:
            raise BadPerson("device-has-no-password")
        if not SHORTEST_PASSWORD <= typed.length <= LONGEST_PASSWORD:
            raise BadPerson("password-length", fewest=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
        if typed.is_name(person.name):
            raise BadPerson("password-is-name")
        ((generation,),) = await self._store.ask(_SET_PASSWORD, await self._passwords.hash(typed), person_id)
        if kept:
            await self._store.ask(_KEEP_SESSION, generation, kept, person_id)

    # --- signing in ------------------------------------------------------------------------------------------------

    async def sign_in(self, name: str, password: str) -> str:
        """The token of a new session. After five wrong passwords in a row nobody gets in for a quarter of an hour.

        A name nobody has, a wrong password, none at all, a lock, somebody no longer active: each is refused in the
        same words, after a verification and a write.
        """
        typed = _Password(password)
        del password
        known = await self._known(name)
        verified = await self._passwords.verified(known.password if known else None, typed)
        now = self._clock()
        # Whether he is active and not locked is asked now, and not before: much may have been tried meanwhile.
        if known and verified and await self._store.ask(_LET_IN, verified, known.id, known.generation, now):
            return await self._begin(known.id, known.generation)
        if known:
            await self._store.ask(_COUNT_FAILURE, now, FAILURES_BEFORE_LOCK, now + LOCKED, known.id)
        else:
            await self._store.ask(_COUNT_NOBODYS)
        raise SignInRefused("wrong-password")

    async def make_link(self, person_id: str, valid_ms: int) -> str:
        """The token of a link by which somebody signs in, once."""
        person = await self._somebody(person_id)
        if person.duty is Duty.DEVICE:
            raise BadPerson("device-has-no-link")
        token, now = _new_token(), self._clock()
        if not await self._store.ask(_MAKE_LINK, _digest(token), now, now + valid_ms, person_id):
            raise BadPerson("person-not-active")
        return token

    async def use_link(self, token: str) -> str:
        """The token of a new session. The link is used up by it, whoever else uses it at the same moment."""
        digest = _digest(token)
        del token
        used = await self._store.ask(_USE_LINK, self._clock(), digest)
        if not used:
            raise SignInRefused("link-used")
        return await self._begin(*used[0])

    async def device_token(self, person_id: str) -> str:
        """The token of a device, which holds until the device gets another."""
        person = await self._somebody(person_id)
        if person.duty is not Duty.DEVICE:
            raise BadPerson("token-for-device-only")
        token = _new_token()
        if not await self._store.ask(_DEVICE, _digest(token), self._clock(), person_id):
            raise BadPerson("device-not-active")
        return token

    # --- being signed in -------------------------------------------------------------------------------------------

    async def session(self, token: str) -> Session | None:
        """The session of a token, if it holds. It goes on for twelve hours from now, and seven days in all at most."""
        digest, now = _digest(token), self._clock()
        del token
        rows = await self._store.ask(_SESSION, digest, now)
        if not rows:
            return None
        *about, made_at, last_seen, expires_at = rows[0]
        if now - last_seen >= SEEN_EVERY:
            last_seen = now
            expires_at = None if expires_at is None else _expires(made_at, now)
            await self._store.ask(_SEEN, last_seen, expires_at, digest)
        return Session(_person(*about), made_at, last_seen, expires_at)

    async def sign_out(self, token: str) -> None:
        """End the session of a token, if there is one."""
        digest = _digest(token)
        del token
        await self._store.ask("delete from session where token = $1", digest)

    async def _begin(self, person_id: str, generation: int) -> str:
        token, now = _new_token(), self._clock()
        begun = self._store.ask(_BEGIN, _digest(token), person_id, generation, now, _expires(now, now))
        await asyncio.gather(begun, self._purge(now))
        return token

    async def _purge(self, now: int) -> None:
        """Take away what has ended. If that fails, the next sign-in will do it."""
        for statement in (_PURGE_SESSIONS, _PURGE_LINKS):
            with suppress(StoreError):
                await self._store.ask(statement, now)

    async def _known(self, name: str) -> _Known | None:
        proper = _proper(name)
        rows = await self._store.ask(_KNOWN, _compared(proper or ""))
        return _Known(*rows[0]) if rows else None

    async def _somebody(self, person_id: str) -> Person:
        person = await self.find(person_id)
        if person is None:
            raise BadPerson("no-such-person")
        return person


def _person(person_id: str, name: str, duty: str, active: object) -> Person:
    return Person(person_id, name, Duty(duty), bool(active))


def _proper(name: str) -> str | None:
    """A name as it is kept, if it can be one: without characters that cannot be seen or look like others."""
    if len(name) > LONGEST_NAME:
        return None
    proper = " ".join(unicodedata.normalize("NFKC", name).split())
    return proper if 1 <= len(proper) <= LONGEST_NAME and proper.isprintable() else None


def _compared(name: str) -> str:
    """A name as names are compared: here and not in the database, since each of those folds capitals in its own way."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _new_id() -> str:
    return "p" + "".join(secrets.choice(_ID_LETTERS) for _ in range(10))


def _new_token() -> str:
    return secrets.token_urlsafe(32)


def _digest(token: str) -> str:
    """What is stored of a token. It has 256 bits of chance in it, so nobody gets back to it by trying."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _expires(made_at: int, now: int) -> int:
    return min(now + IDLE, made_at + LONGEST_SESSION)
