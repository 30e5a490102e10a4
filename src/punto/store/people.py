"""Statements about people, sessions and sign-in links: rows that stand beside the events, never in them."""

from __future__ import annotations

_SHOWN = "id, name, duty, active, guest, compared, address, erased_at"
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
    active = $1, erased_at = $2, generation = generation + 1 where id = $3 returning {_SHOWN}
"""
"""Erase a name and an address: the new generation ends sessions and links."""
ERASE_SESSIONS = "delete from session where person = $1"
"""Delete the sessions of a person whose name is erased."""
ERASE_LINKS = "delete from link where person = $1"
"""Delete the links of a person whose name is erased."""
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
    select person.id, person.name, person.duty, person.active, person.guest, person.compared, person.address,
    person.erased_at, session.made_at, session.last_seen, session.expires_at
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
PURGE_SESSIONS = """
    delete from session where expires_at <= $1
    or generation < (select generation from person where person.id = session.person)
"""
"""Delete sessions that have ended."""
PURGE_LINKS = "delete from link where expires_at <= $1"
"""Delete links that have expired."""
SIGN_OUT = "delete from session where token = $1"
"""End a session."""
