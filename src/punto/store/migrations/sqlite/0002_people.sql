-- Who may sign in. Names stand here and nowhere else: events know people by their ids.
create table person (
    id text primary key,
    name text not null,
    compared text not null unique,  -- the name as names are compared, without regard to capitals
    duty text not null,
    password text,  -- its Argon2 hash; null as long as none has been set
    failures integer not null default 0,
    locked_until integer not null default 0,
    refused_at integer not null default 0,
    active integer not null default 1 check (active in (0, 1)),
    generation integer not null default 0,  -- sessions and links of an earlier one count no more
    made_at integer not null
) strict, without rowid;

-- Of the token only its SHA-256 is kept: who reads the database cannot sign in with what is found there.
create table session (
    token text primary key,
    person text not null references person,
    generation integer not null,
    made_at integer not null,
    last_seen integer not null,
    expires_at integer  -- null for a device: until it gets another token
) strict, without rowid;

create index session_of on session (person);
create unique index one_token_to_a_device on session (person) where expires_at is null;

create table link (
    token text primary key,
    person text not null references person,
    generation integer not null,
    made_at integer not null,
    expires_at integer not null,
    used_at integer
) strict, without rowid;

-- Refused sign-ins of names nobody has: counting them takes as long as counting somebody's, so that time tells nothing.
create table nobody (
    refused integer not null
) strict;
insert into nobody values (0);
