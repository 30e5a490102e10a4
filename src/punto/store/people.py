"""Statements about people, sessions and sign-in links: rows that stand beside the events, never in them."""

from __future__ import annotations

from typing import NamedTuple


class PersonRow(NamedTuple):
    """What the database has of a person's rights."""

    id: str
    duty: str
    active: bool
    password: str | None
    factor: bytes | None


class LiveSession(NamedTuple):
    """A valid session of a person."""

    token: str
    """Its digest."""
    duty: str
    has_factor: bool
    passed: bool
    last_seen: int
    active_at: int
    """When something was last given in it."""


RIGHTS = "select id, duty, active, password, factor from person"
"""What people may do, and how they sign in."""
_SHOWN = "id, name, duty, active, guest, compared, address, erased_at, factor is not null"
PERSON = f"select {_SHOWN} from person"
"""All people; a condition may follow."""
ADD = """
    insert into person (id, name, searched, salt, compared, duty, address, guest, made_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (compared) do nothing returning id
"""
"""Add a person, unless the sign-in name is taken."""
RENAME = f"""
    update person set name = $1, searched = $2, salt = $3, compared = $4
    where id = $5 and erased_at is null and not exists (select 1 from person where compared = $4 and id <> $5)
    returning {_SHOWN}
"""
"""Give a person another name, unless the sign-in name is taken."""
SET_ADDRESS = f"update person set address = $1 where id = $2 and erased_at is null returning {_SHOWN}"
"""Replace a person's address."""
REGISTER = f"update person set guest = $1 where id = $2 returning {_SHOWN}"
"""Tell a guest from a patron who is registered."""
SEARCH = f"{PERSON} where duty = $1 and searched like $2 escape '!' and active order by searched, id limit $3"
"""Find people of a duty by a part of their names."""
IS_PATRON = "select 1 from person where id = $1 and duty = $2 and active and erased_at is null"
"""Find out whether there is a patron with this id who may play."""
ERASE = f"""
    update person set name = '', searched = '', salt = null, compared = id, address = null, password = null,
    factor = null, active = $1, erased_at = $2, generation = generation + 1 where id = $3 returning {_SHOWN}
"""
"""Erase a name and an address: the new generation ends sessions and links."""
ERASE_SESSIONS = "delete from session where person = $1"
"""Delete the sessions of a person whose name is erased."""
ERASE_LINKS = "delete from link where person = $1"
"""Delete the links of a person whose name is erased."""
ERASE_NOTICES = "delete from link_notice where person = $1"
"""Delete what a person whose name is erased would be told of their links."""
ERASE_RECOVERY = "delete from recovery where person = $1"
"""Delete the recovery codes of a person whose name is erased, or whose second factor is removed."""
ERASE_WORDS = "update words set salt = null, words = null where digest = $1"
"""Erase what a person wrote in an event."""
ERASE_ANSWERS = "update answer set digest = $1 where stream = $2 and first <= $3 and last >= $3"
"""Drop the digest of the command that an event came from: it would tell whether a guess of its words is right."""
SET_ACTIVE = f"""
    update person set active = $1, generation = generation + 1
    where id = $2 and erased_at is null returning {_SHOWN}
"""
"""Activate or deactivate a person: the new generation ends sessions and links."""
SET_PASSWORD = """
    update person set password = $1, generation = generation + 1
    where id = $2 and coalesce(password, '') = $3 returning generation
"""
"""Replace the hash of a password: the new generation ends sessions and links."""
KEEP_SESSION = """
    update session set generation = generation + 1 where token = $1 and person = $2
    and generation = (select generation - 1 from person where id = $2)
"""
"""Let one session outlast a change of the password."""
_SIGNING_IN = "select id, duty, password, generation, factor from person"
KNOWN = f"{_SIGNING_IN} where compared = $1"
"""What a sign-in needs of a person."""
KNOWN_BY_ID = f"{_SIGNING_IN} where id = $1"
"""The same of the person who used a link."""
REHASH = "update person set password = $1 where id = $2 and generation = $3 and password = $4 returning id"
"""Replace the hash of the same password by a stronger one."""
BEGIN = """
    insert into session (token, person, generation, made_at, last_seen, active_at, expires_at, by_link)
    select $1, id, generation, $2, $2, $2, $3, $4 from person
    where id = $5 and generation = $6 and active returning person
"""
"""Begin a session of an active person."""
ENTER = "update person set entered_at = $1 where id = $2 returning id"
"""Keep when a person last signed in."""
SESSION = """
    select person.id, person.name, person.duty, person.active, person.guest, person.compared, person.address,
    person.erased_at, person.factor is not null,
    session.made_at, session.last_seen, session.expires_at, session.by_link, session.passed,
    coalesce(session.active_at, session.last_seen)
    from session join person on person.id = session.person and person.generation = session.generation
    where session.token = $1 and person.active and (session.expires_at is null or session.expires_at > $2)
"""
"""The session of a token, if it is valid."""
SEEN = "update session set last_seen = $1, expires_at = $2 where token = $3 and last_seen < $1"
"""Extend a session."""
ACTIVE = "update session set active_at = $1 where token = $2 and coalesce(active_at, last_seen) < $1"
"""Note when something was last given in a session."""
UNLOCK = "update session set active_at = $1 where token = $2 and person = $3 returning token"
"""Open a session again that was locked."""
MAKE_LINK = """
    insert into link (token, person, generation, made_at, expires_at)
    select $1, id, generation, $2, $3 from person where id = $4 and active returning person
"""
"""Make a sign-in link for an active person."""
USE_LINK = """
    update link set used_at = $1 where token = $2 and used_at is null and expires_at > $1 and exists (
        select 1 from person where person.id = link.person and person.active and person.generation = link.generation)
    returning person, generation
"""
"""Use a sign-in link, once."""
PURGE_SESSIONS = """
    delete from session where expires_at <= $1
    or generation < (select generation from person where person.id = session.person)
"""
"""Delete sessions that have ended."""
LIVE_SESSIONS = """
    select session.token, person.duty, person.factor is not null, session.passed, session.last_seen,
    coalesce(session.active_at, session.last_seen)
    from session join person on person.id = session.person and person.generation = session.generation
    where person.active and (session.expires_at is null or session.expires_at > {now}) and session.token {among}
"""
"""The sessions among these tokens that are valid."""
HAS_ENTERED = "select entered_at is not null, password is not null from person where id = $1"
"""Whether a person has signed in before, and whether they have a password."""
TELL_OF_LINK = """
    insert into link_notice (person, made_at, made_by, asked_by) values ($1, $2, $3, $4)
    on conflict (person, made_at, made_by) do update set asked_by = excluded.asked_by returning person
"""
"""Have a person told of a link that was made for them."""
LINK_NOTICES = "select made_at, made_by, asked_by from link_notice where person = $1 order by made_at desc limit 20"
"""The links a person has not confirmed to know of, the newest first."""
NOTICES_SEEN = "delete from link_notice where person = $1 and made_at <= $2 returning person"
"""Forget the notices that a person has seen."""
ASK_FOR = """
    insert into request (id, what, person, asked_by, asked_at, expires_at) values ($1, $2, $3, $4, $5, $6) returning id
"""
"""Keep what a second person has yet to confirm."""
REQUESTS = """
    select id, what, person, asked_by, asked_at, expires_at from request
    where expires_at > $1 and asked_by in (select id from person where active) order by asked_at
"""
"""What a second person has yet to confirm: what was asked by someone who is still active."""
TAKE_REQUEST = """
    delete from request
    where id = $1 and expires_at > $2 and asked_by in (select id from person where active) returning id
"""
"""Take a request that is confirmed now: it works once."""
DROP_REQUESTS_BY = "delete from request where asked_by = $1"
"""Drop what a person asked who is deactivated: it does not come back with them."""
DROP_REQUESTS = "delete from request where person = $1 and what = $2"
"""Drop earlier requests of the same kind about a person."""
PURGE_REQUESTS = "delete from request where expires_at <= $1"
"""Delete requests that nobody confirmed in time."""
SET_FACTOR = "update person set factor = $1, factor_step = $2 where id = $3 and factor is null returning id"
"""Store the encrypted secret of a second factor, and the step of the code that confirmed it."""
DROP_FACTOR = """
    update person set factor = null, factor_step = 0, generation = generation + 1
    where id = $1 and factor is not null returning id
"""
"""Remove a second factor: the new generation ends sessions and links."""
FACTOR = "select factor, factor_step from person where id = $1"
"""The encrypted secret of a person's second factor, and the step of the last code taken."""
TAKE_STEP = "update person set factor_step = $1 where id = $2 and factor_step < $1 returning id"
"""Take a code of a step, once."""
ADD_RECOVERY = "insert into recovery (person, code) values ($1, $2) returning person"
"""Keep the digest of a recovery code."""
TAKE_RECOVERY = "delete from recovery where person = $1 and code = $2 returning person"
"""Take a recovery code, once."""
COUNT_RECOVERY = "select count(*) from recovery where person = $1"
"""How many recovery codes a person has left."""
PASS = "update session set passed = $1 where token = $2 and person = $3 returning token"
"""Note that the second factor was shown in a session."""
PURGE_LINKS = "delete from link where expires_at <= $1"
"""Delete links that have expired."""
SIGN_OUT = "delete from session where token = $1 returning token"
"""End a session."""
