"""Events of the house's stream about people: what each may do, and how they sign in.

Each is stored together with the row it tells of. The audit compares the two, so that a duty, a password or a second
factor that is changed in the database is found. None of them holds a name, a password, a link or an address.
"""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct

from punto.table.event import Event


class PersonKept(Struct, frozen=True):
    """A person as the database had them."""

    person: str
    duty: str
    active: bool
    password: str = ""
    """The digest of the password's hash; empty without a password."""


class PeopleTakenOver(Event, frozen=True):
    """People of a database from before changes to them were recorded; those that come later are all recorded."""

    people: tuple[PersonKept, ...] = ()


class PasswordSet(Event, frozen=True):
    """A person chose a password. Their other sessions and links end."""

    person: str
    password: str
    """The digest of its stored hash, which has a random salt: it shows a replaced hash and helps no guess."""
    before: str = ""
    """The same of the password before; empty if it is the first."""
    rehashed: bool = False
    """Whether the same password was only hashed again, by a stronger method, when the person signed in."""


class PersonChangeAsked(Event, frozen=True):
    """A person asks for something about another person that takes a second person to confirm."""

    request: str
    what: str
    """``link``: a sign-in link; ``second-factor``: to remove a second factor."""
    person: str


class LinkMade(Event, frozen=True):
    """A sign-in link was made for a person; the actor made it, or confirmed the request of ``asked_by``."""

    person: str
    valid_ms: int
    asked_by: str = ""


class PersonSignedOut(Event, frozen=True):
    """A person ended one of their sessions."""

    person: str


class RefusedAt(Struct, frozen=True):
    """How many sign-ins under the name of a person were refused."""

    person: str
    count: int


class SessionUnlocked(Event, frozen=True):
    """A person opened a session again that was locked, since nothing had been given in it for some minutes."""

    person: str
    second_factor: bool = False
    """Whether by a second factor; else by the password."""


class SignInsRefused(Event, frozen=True):
    """Sign-ins that were refused within a time: one event for all of them, however many there were."""

    since: int
    """Milliseconds since 1970."""
    count: int
    addresses: int
    """From how many network addresses; more than a process counts are one."""
    people: tuple[RefusedAt, ...] = ()
    """The people under whose names most of them were tried."""


class SecondFactorSet(Event, frozen=True):
    """A person set up a second factor: a secret of their own that makes a new code every half minute."""

    person: str
    secret: str
    """The digest of the encrypted secret."""


class SecondFactorRemoved(Event, frozen=True):
    """A person's second factor was removed; the actor confirmed the request of ``asked_by``."""

    person: str
    asked_by: str


class RecoveryCodeUsed(Event, frozen=True):
    """A person signed in by one of the codes that stand in for a lost second factor."""

    person: str
    left: int
    """How many codes are left."""


KINDS: tuple[type[Event], ...] = (
    PeopleTakenOver,
    PasswordSet,
    PersonChangeAsked,
    LinkMade,
    PersonSignedOut,
    SessionUnlocked,
    SignInsRefused,
    SecondFactorSet,
    SecondFactorRemoved,
    RecoveryCodeUsed,
)


def stored_digest(stored: str | bytes | None) -> str:
    """Return the digest by which an event names a stored hash or an encrypted secret; empty if there is none."""
    if not stored:
        return ""
    return sha256(b"punto person " + (stored.encode() if isinstance(stored, str) else stored)).hexdigest()
