-- Who may sign in. Names stand here and nowhere else: events know people by their ids.
create table person (
    id text primary key,
    name text not null,
    compared text not null unique,  -- the name as names are compared, without regard to capitals
    duty text not null,
    password text,  -- its Argon2 hash; null as long as none has been set
    failures integer not null default 0,
    locked_until bigint not null default 0,
    refused_at bigint not null default 0,
    active boolean not null default true,
    generation integer not null default 0,  -- sessions and links of an earlier one count no more
    made_at bigint not null
);

-- Of the token only its SHA-256 is kept: who reads the database cannot sign in with what is found there.
create table session (
    token text primary key,
    person text not null references person,
    generation integer not null,
    made_at bigint not null,
    last_seen bigint not null,
    expires_at bigint  -- null for a device: until it gets another token
);

create index session_of on session (person);
create unique index one_token_to_a_device on session (person) where expires_at is null;

create table link (
    token text primary key,
    person text not null references person,
    generation integer not null,
    made_at bigint not null,
    expires_at bigint not null,
    used_at bigint
);

-- Refused sign-ins of names nobody has: counting them takes as long as counting somebody's, so that time tells nothing.
create table nobody (
    refused bigint not null
);
insert into nobody values (0);
