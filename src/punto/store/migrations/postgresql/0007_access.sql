-- How people sign in: who made their links, and a second factor. Wrong passwords are counted by the server that is
-- asked, for each address; the columns failures, locked_until and refused_at and the table nobody are no longer used.
alter table person add column entered_at bigint;  -- when the person last signed in
alter table person add column factor bytea;  -- the secret of the second factor, encrypted with the house's key
alter table person add column factor_step bigint not null default 0;  -- of the last code: none is taken twice
alter table session add column passed boolean not null default false;  -- the second factor
alter table session add column by_link boolean not null default false;  -- whether it began by a link

-- The codes that stand in for a lost second factor, each once; of each only its digest is kept.
create table recovery (
    person text not null references person,
    code text not null,
    primary key (person, code)
);

-- What one person asks about another, and a second person has yet to confirm.
create table request (
    id text primary key,
    what text not null,
    person text not null references person,
    asked_by text not null,
    asked_at bigint not null,
    expires_at bigint not null
);

-- Links that were made for a person who had signed in before; they are told at their next sign-in.
create table link_notice (
    person text not null references person,
    made_at bigint not null,
    made_by text not null,
    asked_by text not null,
    primary key (person, made_at, made_by)
);
