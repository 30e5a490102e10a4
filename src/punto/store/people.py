"""Statements about people, sessions and sign-in links: rows that stand beside the events, never in them."""

from __future__ import annotations

PERSON = "select id, name, duty, active from person"
"""All people; a condition may follow."""
ADD = """
    insert into person (id, name, compared, duty, made_at) values ($1, $2, $3, $4, $5)
    on conflict (compared) do nothing returning id
"""
"""Add a person, unless the name is taken."""
SET_ACTIVE = """
    update person set active = $1, generation = generation + 1 where id = $2 returning id, name, duty, active
"""
"""Activate or deactivate a person: the new generation ends sessions and links."""
SET_PASSWORD = """
    update person set password = $1, failures = 0, locked_until = 0, generation = generation + 1
    where id = $2 returning generation
"""
"""Store the hash of a password: the new generation ends sessions and links."""
KEEP_SESSION = "update session set generation = $1 where token = $2 and person = $3 and generation = $1 - 1"
"""Let one session outlast a change of the password."""
KNOWN = "select id, password, generation from person where compared = $1"
"""What a sign-in needs of a person."""
LET_IN = """
    update person set failures = 0, locked_until = 0, password = $1
    where id = $2 and generation = $3 and active and locked_until <= $4 returning id
"""
"""Reset the failures of a person who is active and not locked."""
COUNT_FAILURE = """
    update person set
    failures = case when locked_until > $1 then failures when failures + 1 >= $2 then 0 else failures + 1 end,
    locked_until = case when locked_until <= $1 and failures + 1 >= $2 then $3 else locked_until end,
    refused_at = $1 where id = $4
"""
"""Count a wrong password, and lock the person after too many."""
COUNT_NOBODYS = "update nobody set refused = refused + 1"
"""Count a failure for an unknown name: it takes as long as one for a known name."""
BEGIN = """
    insert into session (token, person, generation, made_at, last_seen, expires_at) values ($1, $2, $3, $4, $4, $5)
"""
"""Begin a session."""
SESSION = """
    select person.id, person.name, person.duty, person.active, session.made_at, session.last_seen, session.expires_at
    from session join person on person.id = session.person and person.generation = session.generation
    where session.token = $1 and person.active and (session.expires_at is null or session.expires_at > $2)
"""
"""The session of a token, if it is valid."""
SEEN = "update session set last_seen = $1, expires_at = $2 where token = $3 and last_seen < $1"
"""Extend a session."""
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
DEVICE = """
    insert into session (token, person, generation, made_at, last_seen)
    select $1, id, generation, $2, $2 from person where id = $3 and active
    on conflict (person) where expires_at is null do update set token = excluded.token,
    generation = excluded.generation, made_at = excluded.made_at, last_seen = excluded.last_seen returning person
"""
"""Give a device a new token in place of the old one."""
PURGE_SESSIONS = """
    delete from session where expires_at <= $1
    or generation < (select generation from person where person.id = session.person)
"""
"""Delete sessions that have ended."""
PURGE_LINKS = "delete from link where expires_at <= $1"
"""Delete links that have expired."""
SIGN_OUT = "delete from session where token = $1"
"""End a session."""
