"""Staff and patrons: who they are, how they sign in, and how long a session lasts.

Names, passwords and sessions stand beside the events, never in them: an event knows a person by an opaque id. Of a
password only its Argon2 hash is stored, of a token only its SHA-256.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from argon2 import PasswordHasher

from punto.server.access.idle_sessions import IdleSessions
from punto.server.access.passwords import LONGEST_PASSWORD, SHORTEST_PASSWORD, PasswordCheck, TypedPassword
from punto.server.access.person_name import LONGEST_LINE, LONGEST_NAME, folded, proper_line, proper_name
from punto.server.refused import Refused
from punto.server.tables.stream_follower import Clock
from punto.store import people as sql
from punto.store.events.house_events import PersonAllowed, PersonErased, PersonNamed, PersonSignedIn
from punto.store.events.people_events import LinkMade, PasswordSet, PersonSignedOut, SessionUnlocked, stored_digest
from punto.store.house import SYSTEM, record
from punto.store.protocol import Store
from punto.store.records import Change, StoreError, Unchanged
from punto.store.words import keep
from punto.table.event import Event
from punto.table.roles import Role

MINUTE = 60_000
HOUR = 60 * MINUTE
IDLE = 12 * HOUR
LONGEST_SESSION = 7 * 24 * HOUR
SEEN_EVERY = MINUTE
"""How often a session's last use is stored, instead of at every request."""
Giver = tuple[str, str]
"""The id and the position of the person who changes something about people."""
Recording = Callable[[Sequence[Event], int, Giver, Sequence[Change]], Awaitable[None]]
"""Stores events of the house and the changes they tell of, all or nothing."""

_ID_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_ID = re.compile("p[a-z2-7]{10}")


class BadPerson(Refused):
    """What was asked about a person cannot be done; the case says why."""

    def __init__(self, case: str, **values: object) -> None:
        super().__init__("cannot-be", case=case, **values)


class SignInRefused(Refused):
    """A sign-in that fails. It does not say which of the reasons it was, and so not who is known here."""

    def __init__(self, case: str, person: str = "") -> None:
        super().__init__("cannot-be", case=case)
        self.person = person
        """Under whose name it was tried, if under someone's; for the log, and never told to the client."""


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
    DESIGNER = "Designer"
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
    has_factor: bool = False
    """Whether they have a second factor."""

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
    by_link: bool = False
    """Whether it began by a link and not by a password."""
    passed: bool = False
    """Whether the second factor was shown."""
    token: str = ""
    """The digest of its token."""
    locks: bool = False
    """Whether it is locked when nothing is given in it: one of staff."""
    active_at: int = 0
    """When something was last stored to have been given in it."""
    is_locked: bool = False


@dataclass(frozen=True, slots=True)
class _Known:
    """What a sign-in needs of a person."""

    id: str
    duty: str
    password: str | None = field(repr=False)
    generation: int
    factor: bytes | None = field(default=None, repr=False)


class People:
    """The people in a store. Any number of processes may keep the same ones."""

    def __init__(self, store: Store, clock: Clock, hasher: PasswordHasher | None = None) -> None:
        self._store, self._clock = store, clock
        self._passwords = PasswordCheck(hasher or PasswordHasher())
        self.requires_factor: Callable[[Duty], bool] = lambda _: False
        """Whether the house asks people of a duty for a second factor."""
        self._recording: Recording = partial(record, store)
        self.idle = IdleSessions(store, clock)

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
            adding = Change(sql.ADD, (*named, compared, duty.value, where, guest, now))
            with suppress(Unchanged):
                await record(self._store, [PersonNamed(person_id, duty.value, kept.digest)], now, by, [adding])
                return Person(person_id, proper, duty, True, guest, compared, where)
        raise BadPerson("name-taken")

    async def rename(self, person_id: str, name: str, by: Giver = SYSTEM, sign_in: str | None = None) -> Person:
        """Give a person another name, which they sign in with from now on. Their sessions go on."""
        person, proper = await self._require_name(person_id), _proper(name)
        kept, before = keep(proper), (await self._store.names([person_id]))[person_id].digest
        named = PersonNamed(person_id, person.duty.value, kept.digest, before)
        for compared in _sign_in_names(person_id, person.duty, proper, sign_in, person.guest):
            renaming = Change(sql.RENAME, (proper, folded(proper), kept.salt, compared, person_id))
            with suppress(Unchanged):
                await record(self._store, [named], self._clock(), by, [renaming])
                await self._store.scrub()
                return await self._require(person_id)
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

    async def erase(self, person_id: str, reason: str, by: Giver, recording: Recording | None = None) -> Person:
        """Erase the name and the address of a person for good; the log knows them by their id alone.

        If the process ends before all of it is done, it can be asked for again. ``recording`` is as for ``set_active``.
        """
        person, now = await self._require(person_id), self._clock()
        erasing = Change(sql.ERASE, (False, now, person_id))
        if not person.erased:
            await (recording or self._recording)([PersonErased(person_id, reason)], now, by, [erasing])
        for statement in (sql.ERASE_SESSIONS, sql.ERASE_LINKS, sql.ERASE_NOTICES, sql.ERASE_RECOVERY):
            await self._store.ask(statement, person_id)
        await self._store.scrub()
        return await self._require(person_id)

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

    async def set_active(
        self, person_id: str, active: bool, by: Giver = SYSTEM, recording: Recording | None = None
    ) -> Person:
        """Activate or deactivate a person. Sessions and links end in either case, and what one asked lapses.

        ``recording`` stores it together with what follows from it, such as that a patron's wagers stop.
        """
        person = await self._require_name(person_id)
        await self._store.ask(sql.DROP_REQUESTS_BY, person_id)  # first: what was left would come back with the person
        allowed, change = PersonAllowed(person_id, active, person.active), Change(sql.SET_ACTIVE, (active, person_id))
        with suppress(Unchanged):  # erased meanwhile
            await (recording or self._recording)([allowed], self._clock(), by, [change])
        return await self._require_name(person_id)

    async def is_password(self, person_id: str, password: str, address: str = "") -> bool:
        """Tell whether this is a person's password."""
        typed = TypedPassword(password)
        del password
        known = await self._known_by_id(person_id)
        return bool(await self._passwords.verified(known.password if known else None, typed, address))

    async def has_password(self, person_id: str) -> bool:
        """Tell whether a person has chosen a password."""
        known = await self._known_by_id(person_id)
        return known is not None and known.password is not None

    async def set_password(self, person_id: str, password: str, keep: str | None = None) -> None:
        """Replace a password. All sessions and links end, except the session of one token."""
        typed, kept = TypedPassword(password), None if keep is None else token_digest(keep)
        del password, keep  # some logs show the local variables of a failed call
        person = await self._require(person_id)
        if person.duty is Duty.DEVICE:
            raise BadPerson("device-has-no-password")
        if not SHORTEST_PASSWORD <= typed.length <= LONGEST_PASSWORD:
            raise BadPerson("password-length", fewest=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
        if typed.is_name(person.name):
            raise BadPerson("password-is-name")
        known, hashed = await self._known_by_id(person_id), await self._passwords.hash(typed, person_id)
        before = (known.password if known else None) or ""
        event = PasswordSet(person_id, stored_digest(hashed), stored_digest(before))
        change = Change(sql.SET_PASSWORD, (hashed, person_id, before))
        try:
            await record(self._store, [event], self._clock(), (person_id, person.duty.value), [change])
        except Unchanged:
            raise BadPerson("password-changed-meanwhile") from None
        if kept:
            await self._store.ask(sql.KEEP_SESSION, kept, person_id)

    # --- signing in ------------------------------------------------------------------------------------------------

    async def sign_in(self, name: str, password: str, address: str = "") -> str:
        """Start a session and return its token.

        An unknown name, a wrong password, none at all, a person who is not active: each is refused in the same words,
        after a verification, for which addresses take turns. How often one may try is not decided here
        (``sign_in_limits``).
        """
        typed = TypedPassword(password)
        del password
        known = await self._known(name)
        verified = await self._passwords.verified(known.password if known else None, typed, address)
        if known is None or not verified:
            raise SignInRefused("wrong-password", known.id if known else "")
        try:
            if verified != known.password:
                await self._keep_stronger_hash(known, verified)
            return await self._begin(known, by_link=False)
        except Unchanged:  # the person is not active, or their password was changed meanwhile
            raise SignInRefused("wrong-password", known.id) from None

    async def _keep_stronger_hash(self, known: _Known, hashed: str) -> None:
        event = PasswordSet(known.id, stored_digest(hashed), stored_digest(known.password), rehashed=True)
        change = Change(sql.REHASH, (hashed, known.id, known.generation, known.password))
        with suppress(Unchanged):  # another sign-in did it meanwhile
            await record(self._store, [event], self._clock(), SYSTEM, [change])

    async def make_link(
        self, person_id: str, valid_ms: int, by: Giver = SYSTEM, asked_by: str = "", *also: Change
    ) -> str:
        """Make a link that signs a person in once, and return its token.

        A person who has signed in before is told of it at the next sign-in. ``asked_by`` asked for it, where that
        takes a second person.
        """
        person = await self._require(person_id)
        if person.duty is Duty.DEVICE:
            raise BadPerson("device-has-no-link")
        token, now = _new_token(), self._clock()
        changes = [*also, Change(sql.MAKE_LINK, (token_digest(token), now, now + valid_ms, person_id))]
        ((entered, _),) = await self._store.ask(sql.HAS_ENTERED, person_id)
        if entered:
            changes.append(Change(sql.TELL_OF_LINK, (person_id, now, by[0], asked_by)))
        try:
            await record(self._store, [LinkMade(person_id, valid_ms, asked_by)], now, by, changes)
        except Unchanged:
            raise BadPerson("person-not-active") from None
        return token

    async def use_link(self, token: str) -> str:
        """Start a session by a link and return its token. A link works once, also for two requests at one moment."""
        digest = token_digest(token)
        del token
        used = await self._store.ask(sql.USE_LINK, self._clock(), digest)
        known = await self._known_by_id(used[0][0]) if used else None
        if known is None:
            raise SignInRefused("link-used")
        try:
            return await self._begin(known, by_link=True)
        except Unchanged:  # the person may not sign in any more
            raise SignInRefused("link-used", known.id) from None

    # --- being signed in -------------------------------------------------------------------------------------------

    async def session(self, token: str) -> Session | None:
        """Return the session of a token, if it is valid, and extend it by 12 hours, to 7 days in all at most.

        One whose person has yet to show a second factor, or to set one up, is not: see ``unfinished``. Nor is one that
        is locked: see ``locked``.
        """
        digest = token_digest(token)
        del token  # some logs show the local variables of a failed call
        session = await self._session(digest)
        return session if session and self._is_complete(session) and not session.is_locked else None

    async def locked(self, token: str) -> Session | None:
        """Return the session of a token if it is valid but locked, since nothing was given in it for some minutes."""
        digest = token_digest(token)
        del token
        session = await self._session(digest)
        return session if session and self._is_complete(session) and session.is_locked else None

    async def unlock(self, session: Session) -> None:
        """Open a locked session again, of a person who has shown their password."""
        person = session.person
        opening = [Change(sql.UNLOCK, (self._clock(), session.token, person.id))]
        with suppress(Unchanged):  # it has ended meanwhile
            await record(self._store, [SessionUnlocked(person.id)], self._clock(), person.giver, opening)

    async def unfinished(self, token: str) -> Session | None:
        """Return the session of a token if only the second factor is missing, or has yet to be set up."""
        digest = token_digest(token)
        del token
        session = await self._session(digest)
        return None if session and self._is_complete(session) else session

    def _is_complete(self, session: Session) -> bool:
        return self.is_complete(session.person.duty, session.person.has_factor, session.passed)

    def is_complete(self, duty: Duty, has_factor: bool, passed: bool) -> bool:
        """Tell whether a session of a person needs no second factor, or has seen it."""
        return passed or not (has_factor or self.requires_factor(duty))

    async def _session(self, digest: str) -> Session | None:
        now = self._clock()
        rows = await self._store.ask(sql.SESSION, digest, now)
        if not rows:
            return None
        *about, made_at, last_seen, expires_at, by_link, passed, active_at = rows[0]
        person = _person(*about)
        locks = person.duty not in (Duty.PATRON, Duty.DEVICE)
        is_locked = locks and self.idle.is_locked(digest, active_at)
        if now - last_seen >= SEEN_EVERY and not is_locked:
            last_seen = now
            expires_at = None if expires_at is None else _expires(made_at, now)
            await self._store.ask(sql.SEEN, last_seen, expires_at, digest)
        return Session(
            person, made_at, last_seen, expires_at, bool(by_link), bool(passed), digest, locks, active_at, is_locked
        )  # fmt: skip

    async def sign_out(self, token: str) -> None:
        """End the session of a token, if there is one."""
        digest = token_digest(token)
        del token
        if session := await self._session(digest):
            about = session.person.id, session.person.duty.value
            with suppress(Unchanged):
                await record(
                    self._store, [PersonSignedOut(about[0])], self._clock(), about, [Change(sql.SIGN_OUT, (digest,))]
                )

    async def finish_sign_in(self, token: str, session: Session, events: Sequence[Event], *more: Change) -> None:
        """Complete a session in which the second factor was shown or set up, with what follows from that."""
        digest, person, now = token_digest(token), session.person, self._clock()
        del token
        told, changes = list(events), [*more, Change(sql.PASS, (True, digest, person.id))]
        if not self._is_complete(session):
            told.append(PersonSignedIn(person.id, session.by_link, second_factor=True))
            changes.append(Change(sql.ENTER, (now, person.id)))
        await record(self._store, told, now, (person.id, person.duty.value), changes)

    async def link_notices(self, person_id: str) -> list[tuple[int, str, str]]:
        """Return the links that were made for a person since they last looked: when, by whom, at whose request."""
        return [(at, by, asked_by) for at, by, asked_by in await self._store.ask(sql.LINK_NOTICES, person_id)]

    async def forget_notices(self, person_id: str, up_to: int) -> None:
        """Forget the notices that a person has seen."""
        await self._store.ask(sql.NOTICES_SEEN, person_id, up_to)

    async def _begin(self, known: _Known, by_link: bool) -> str:
        """Begin a session and return its token; raise ``Unchanged`` if the person may not have one any more."""
        token, now, duty = _new_token(), self._clock(), Duty(known.duty)
        about = token_digest(token), now, _expires(now, now), by_link, known.id, known.generation
        if self.is_complete(duty, known.factor is not None, passed=False):
            changes = Change(sql.BEGIN, about), Change(sql.ENTER, (now, known.id))
            signed_in = PersonSignedIn(known.id, by_link)
            await record(self._store, [signed_in], now, (known.id, known.duty), changes)
        elif not await self._store.ask(sql.BEGIN, *about):  # they are in once the second factor is shown
            raise Unchanged(sql.BEGIN)
        await self._purge(now)
        return token

    async def _purge(self, now: int) -> None:
        """Delete what has ended. If that fails, the next sign-in does it."""
        for statement in (sql.PURGE_SESSIONS, sql.PURGE_LINKS, sql.PURGE_REQUESTS):
            with suppress(StoreError):
                await self._store.ask(statement, now)

    async def _known(self, name: str) -> _Known | None:
        rows = await self._store.ask(sql.KNOWN, folded(proper_name(name) or ""))
        return _Known(*rows[0]) if rows else None

    async def _known_by_id(self, person_id: str) -> _Known | None:
        rows = await self._store.ask(sql.KNOWN_BY_ID, person_id)
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
    has_factor: object,
) -> Person:
    return Person(
        person_id, name, Duty(duty), bool(active), bool(guest), sign_in, address, erased is not None, bool(has_factor)
    )


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


def token_digest(token: str) -> str:
    """Return what is stored of a token. With 256 random bits it cannot be found by trying."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _expires(made_at: int, now: int) -> int:
    return min(now + IDLE, made_at + LONGEST_SESSION)
