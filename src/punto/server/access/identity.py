"""Staff and patrons: who they are, how they sign in, and how long a session lasts.

Names, passwords and sessions stand beside the events, never in them: an event knows a person by an opaque id. Of a
password only its Argon2 hash is stored, of a token only its SHA-256.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum

from argon2 import PasswordHasher

from punto.server.access.passwords import LONGEST_PASSWORD, SHORTEST_PASSWORD, PasswordCheck, TypedPassword
from punto.server.access.person_name import LONGEST_LINE, LONGEST_NAME, folded, proper_line, proper_name
from punto.server.refused import Refused
from punto.server.tables.stream_follower import Clock
from punto.store import people as sql
from punto.store.events.house_events import PersonAllowed, PersonErased, PersonNamed, PersonSignedIn
from punto.store.house import SYSTEM, record
from punto.store.protocol import Store
from punto.store.records import StoreError
from punto.store.words import KeptWords, keep
from punto.table.roles import Role

MINUTE = 60_000
HOUR = 60 * MINUTE
FAILURES_BEFORE_LOCK = 5
LOCKED = 15 * MINUTE
IDLE = 12 * HOUR
LONGEST_SESSION = 7 * 24 * HOUR
SEEN_EVERY = MINUTE
"""How often a session's last use is stored, instead of at every request."""
Giver = tuple[str, str]
"""The id and the position of the person who changes something about people."""

_ID_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_ID = re.compile("p[a-z2-7]{10}")


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
    """A person: an opaque id, and the name they are shown by; others may have the same name."""

    id: str
    name: str
    duty: Duty
    active: bool
    guest: bool = False
    """A patron of whom the house knows a name only, made when they bought in."""
    sign_in: str = field(default="", compare=False)
    """What they sign in with: the name, unless another person does, or the id."""
    address: str | None = None
    erased: bool = False
    """Whether name and address were erased."""

    @property
    def giver(self) -> Giver:
        """How an event names them: id and position."""
        return self.id, self.duty.value


@dataclass(frozen=True, slots=True)
class Session:
    """A valid session."""

    person: Person
    made_at: int
    last_seen: int
    expires_at: int | None
    """Moves on while the session is used; that of a device ends with its token."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What a sign-in needs of a person."""

    id: str
    password: str | None = field(repr=False)
    generation: int


class People:
    """The people in a store. Any number of processes may keep the same ones."""

    def __init__(self, store: Store, clock: Clock, hasher: PasswordHasher | None = None) -> None:
        self._store, self._clock = store, clock
        self._passwords = PasswordCheck(hasher or PasswordHasher())

    # --- who they are ----------------------------------------------------------------------------------------------

    async def add(
        self,
        name: str,
        duty: Duty,
        by: Giver = SYSTEM,
        sign_in: str | None = None,
        address: str | None = None,
        guest: bool = False,
    ) -> Person:
        """Add a person, who cannot sign in yet: that takes a link, a password or, for a device, a token.

        They sign in with their name. If another person does, a patron signs in with their id.
        """
        proper, where = _proper(name), _proper_address(address)
        person_id, kept, now = _new_id(), keep(proper), self._clock()
        named = person_id, proper, folded(proper), kept.salt
        for compared in _sign_in_names(person_id, duty, proper, sign_in, guest):
            if await self._store.ask(sql.ADD, *named, compared, duty.value, where, guest, now):
                await self._record_name(person_id, duty, kept, by)
                return Person(person_id, proper, duty, True, guest, compared, where)
        raise BadPerson("name-taken")

    async def rename(self, person_id: str, name: str, by: Giver = SYSTEM, sign_in: str | None = None) -> Person:
        """Give a person another name, which they sign in with from now on. Their sessions go on."""
        person, proper = await self._require_name(person_id), _proper(name)
        kept = keep(proper)
        for compared in _sign_in_names(person_id, person.duty, proper, sign_in, person.guest):
            if rows := await self._store.ask(sql.RENAME, proper, folded(proper), kept.salt, compared, person_id):
                await self._record_name(person_id, person.duty, kept, by)
                await self._store.scrub()
                return _person(*rows[0])
        raise BadPerson("name-taken")

    async def register(self, person: Person) -> Person:
        """Make a guest, who gets a way to sign in, a registered patron."""
        if not person.guest:
            return person
        ((*about,),) = await self._store.ask(sql.REGISTER, False, person.id)
        return _person(*about)

    async def set_address(self, person_id: str, address: str | None) -> Person:
        """Replace the address of a person, or remove it."""
        await self._require_name(person_id)
        ((*about,),) = await self._store.ask(sql.SET_ADDRESS, _proper_address(address), person_id)
        return _person(*about)

    async def erase(self, person_id: str, reason: str, by: Giver) -> Person:
        """Erase the name and the address of a person for good; the log knows them by their id alone.

        That is recorded first. If the process ends before the rest is done, it can be asked for again.
        """
        person = await self._require(person_id)
        if not person.erased:
            await record(self._store, [PersonErased(person_id, reason)], self._clock(), by)
        ((*about,),) = await self._store.ask(sql.ERASE, False, self._clock(), person_id)
        for statement in (sql.ERASE_SESSIONS, sql.ERASE_LINKS):
            await self._store.ask(statement, person_id)
        await self._store.scrub()
        return _person(*about)

    async def _record_name(self, person_id: str, duty: Duty, kept: KeptWords, by: Giver) -> None:
        """Record who is called what by a digest, so that a name that is changed in the database is noticed."""
        await record(self._store, [PersonNamed(person_id, duty.value, kept.digest)], self._clock(), by)

    async def find(self, person_id: str) -> Person | None:
        if not (person_id.isascii() and person_id.isalnum()):
            return None
        rows = await self._store.ask(f"{sql.PERSON} where id = $1", person_id)
        return _person(*rows[0]) if rows else None

    async def find_by_name(self, name: str) -> Person | None:
        """Return the person who signs in with this name."""
        proper = proper_name(name)
        rows = await self._store.ask(f"{sql.PERSON} where compared = $1", folded(proper)) if proper else []
        return _person(*rows[0]) if rows else None

    async def search(self, name: str, most: int, duty: Duty = Duty.PATRON) -> list[Person]:
        """Return active people of a duty whose names contain this, by name: several may have the same."""
        return [_person(*row) for row in await self._store.ask(sql.SEARCH, duty.value, _containing(name), most)]

    async def names(self, people: Collection[str]) -> dict[str, str]:
        """Return the names of people by their ids; one that was erased is empty."""
        return {person: kept.words or "" for person, kept in (await self._store.names(people)).items()}

    async def everybody(self, name: str = "") -> list[Person]:
        """Return all people, active or not, by name; only those whose names contain ``name``, if it is given."""
        rows = await self._store.ask(f"{sql.PERSON} where searched like $1 escape '!'", _containing(name))
        return sorted((_person(*row) for row in rows), key=lambda each: (folded(each.name), each.id))

    async def not_patrons(self) -> list[Person]:
        """Return all who are no patrons, active or not: of patrons there may be very many."""
        rows = await self._store.ask(f"{sql.PERSON} where duty <> $1", Duty.PATRON.value)
        return sorted((_person(*row) for row in rows), key=lambda each: (folded(each.name), each.id))

    async def set_active(self, person_id: str, active: bool, by: Giver = SYSTEM) -> Person:
        """Activate or deactivate a person. Sessions and links end in either case."""
        await self._require_name(person_id)
        await record(self._store, [PersonAllowed(person_id, active)], self._clock(), by)
        ((*about,),) = await self._store.ask(sql.SET_ACTIVE, active, person_id)
        return _person(*about)

    async def set_password(self, person_id: str, password: str, keep: str | None = None) -> None:
        """Replace a password. All sessions and links end, except the session of one token."""
        typed, kept = TypedPassword(password), None if keep is None else _digest(keep)
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
        typed = TypedPassword(password)
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

    async def note_sign_in(self, person: Person, by_link: bool) -> None:
        """Record that a member of the house signed in; patrons come and go, and are not recorded."""
        if person.duty is not Duty.PATRON:
            event = PersonSignedIn(person.id, by_link)
            await record(self._store, [event], self._clock(), (person.id, person.duty.value))

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
        rows = await self._store.ask(sql.KNOWN, folded(proper_name(name) or ""))
        return _Known(*rows[0]) if rows else None

    async def _require(self, person_id: str) -> Person:
        person = await self.find(person_id)
        if person is None:
            raise BadPerson("no-such-person")
        return person

    async def _require_name(self, person_id: str) -> Person:
        person = await self._require(person_id)
        if person.erased:
            raise BadPerson("person-erased")
        return person


def _person(
    person_id: str,
    name: str,
    duty: str,
    active: object,
    guest: object,
    sign_in: str,
    address: str | None,
    erased: object,
) -> Person:
    return Person(person_id, name, Duty(duty), bool(active), bool(guest), sign_in, address, erased is not None)


def _sign_in_names(person_id: str, duty: Duty, name: str, chosen: str | None, guest: bool) -> tuple[str, ...]:
    """Return what a person may sign in with, in order: what was chosen, else the name, and for a patron the id."""
    if guest:
        return (person_id,)
    wanted = folded(_proper(chosen or name))
    usual = () if _ID.fullmatch(wanted) else (wanted,)  # the id of someone, which nobody else signs in with
    return (*usual, person_id) if duty is Duty.PATRON and chosen is None else usual


def _containing(name: str) -> str:
    """Return the pattern for names that contain this."""
    part = folded(" ".join(name.split()))
    for sign in "!%_":
        part = part.replace(sign, f"!{sign}")
    return f"%{part}%"


def _proper(name: str) -> str:
    proper = proper_name(name)
    if proper is None:
        raise BadPerson("name-length", most=LONGEST_NAME)
    return proper


def _proper_address(address: str | None) -> str | None:
    proper = proper_line(address) if address else None
    if address and proper is None:
        raise BadPerson("address-length", most=LONGEST_LINE)
    return proper


def _new_id() -> str:
    return "p" + "".join(secrets.choice(_ID_LETTERS) for _ in range(10))


def _new_token() -> str:
    return secrets.token_urlsafe(32)


def _digest(token: str) -> str:
    """Return what is stored of a token. With 256 random bits it cannot be found by trying."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _expires(made_at: int, now: int) -> int:
    return min(now + IDLE, made_at + LONGEST_SESSION)
