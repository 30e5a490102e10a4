"""A second factor: a code that an app on the person's own phone makes every half minute (TOTP, RFC 6238).

The secret is stored encrypted with the house's key. No code is taken twice. Recovery codes stand in for a lost phone,
once each; of them only digests are stored.
"""

from __future__ import annotations

import binascii
import secrets
from base64 import b32encode, urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from urllib.parse import quote

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from punto.server.access.identity import BadPerson, People, Person, Session
from punto.server.access.sign_in_limits import SignInLimits
from punto.server.tables.stream_follower import Clock
from punto.store import people as sql
from punto.store.events.people_events import RecoveryCodeUsed, SecondFactorSet, SessionUnlocked, stored_digest
from punto.store.protocol import Store
from punto.store.records import Change, Unchanged
from punto.store.trust.keys import BadKey, Keys
from punto.table.event import Event

DIGITS = 6
STEP = 30
"""Seconds that a code lasts."""
STEPS_OFF = 1
"""How many steps the clock of a phone may be off."""
SECRET_BYTES = 20
RECOVERY_CODES, RECOVERY_BYTES = 8, 10


@dataclass(frozen=True, slots=True)
class FactorOffer:
    """A secret for a new second factor, which nothing is stored of until a code made with it is shown."""

    key: str
    """The secret, as an app takes it."""
    address: str
    """The same as an address that apps open."""
    sealed: str
    """The same, encrypted for the server to be sent back with the code."""


class SecondFactors:
    """The second factors of the people in a store."""

    def __init__(self, store: Store, keys: Keys, clock: Clock, people: People, limits: SignInLimits) -> None:
        self._store, self._keys, self._clock, self._people, self._limits = store, keys, clock, people, limits

    def offer(self, person: Person) -> FactorOffer:
        """Return a new secret for a person."""
        secret = secrets.token_bytes(SECRET_BYTES)
        key = b32encode(secret).decode()
        address = f"otpauth://totp/Punto:{quote(person.name)}?secret={key}&issuer=Punto&digits={DIGITS}&period={STEP}"
        return FactorOffer(
            key, address, urlsafe_b64encode(self._keys.encrypt(secret, _about(person, "offer"))).decode()
        )

    async def set_up(self, token: str, session: Session, sealed: str, code: str) -> tuple[str, ...]:
        """Set up the offered secret, if the code is made with it; return recovery codes, which are shown once."""
        person = session.person
        if session.person.has_factor:
            raise BadPerson("second-factor-set")
        try:
            secret = self._keys.decrypt(urlsafe_b64decode(sealed), _about(person, "offer"))
        except (BadKey, binascii.Error, ValueError):
            raise BadPerson("second-factor-offer") from None
        step = self._step_of(secret, code, after=0)
        stored = self._keys.encrypt(secret, _about(person, "factor"))
        codes = tuple(_recovery_code() for _ in range(RECOVERY_CODES))
        await self._store.ask(sql.ERASE_RECOVERY, person.id)
        changes = [Change(sql.ADD_RECOVERY, (person.id, _recovery_digest(person, each))) for each in codes]
        event = SecondFactorSet(person.id, stored_digest(stored))
        change = Change(sql.SET_FACTOR, (stored, step, person.id))
        await self._people.finish_sign_in(token, session, [event], change, *changes)
        return codes

    async def show(self, token: str, session: Session, code: str, address: str) -> None:
        """Complete a sign-in by a code, or by a recovery code; raise ``BadPerson`` if it is wrong or was used.

        A session that is locked is opened again by it.
        """
        person, typed = session.person, "".join(code.split()).upper()
        recovery = len(typed) != DIGITS
        with self._limits.trying_code(address, person.id, recovery, wrong=BadPerson):
            await self._take(token, session, typed, recovery)

    async def _take(self, token: str, session: Session, typed: str, recovery: bool) -> None:
        person = session.person
        ((sealed, last),) = await self._store.ask(sql.FACTOR, person.id)
        events: list[Event] = []
        if not recovery:
            secret = self._keys.decrypt(sealed, _about(person, "factor"))
            change = Change(sql.TAKE_STEP, (self._step_of(secret, typed, last), person.id))
        else:
            ((left,),) = await self._store.ask(sql.COUNT_RECOVERY, person.id)
            change = Change(sql.TAKE_RECOVERY, (person.id, _recovery_digest(person, typed)))
            events.append(RecoveryCodeUsed(person.id, left - 1))
        changes = [change]
        if session.is_locked:
            events.append(SessionUnlocked(person.id, second_factor=True))
            changes.append(Change(sql.UNLOCK, (self._clock(), session.token, person.id)))
        try:
            await self._people.finish_sign_in(token, session, events, *changes)
        except Unchanged:
            raise BadPerson("wrong-code") from None

    async def recovery_left(self, person: Person) -> int:
        """Return how many recovery codes a person has left."""
        ((left,),) = await self._store.ask(sql.COUNT_RECOVERY, person.id)
        return int(left)

    def _step_of(self, secret: bytes, code: str, after: int) -> int:
        """Return the step that a code was made for; one at or before the last step taken is a replay."""
        totp, now = TOTP(secret, DIGITS, SHA1(), STEP), self._clock() // 1000 // STEP
        typed = "".join(code.split()).encode()
        for step in range(max(now - STEPS_OFF, after + 1), now + STEPS_OFF + 1):
            if compare_digest(totp.generate(step * STEP), typed):
                return step
        raise BadPerson("wrong-code")


def _about(person: Person, purpose: str) -> bytes:
    return f"second factor {purpose} {person.id}".encode()


def _recovery_code() -> str:
    letters = b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode()
    return "-".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def _recovery_digest(person: Person, code: str) -> str:
    """Return what is stored of a recovery code. With 80 random bits it cannot be found by trying."""
    return sha256(f"{person.id} {code.replace('-', '').upper()}".encode("utf-8", "surrogatepass")).hexdigest()
