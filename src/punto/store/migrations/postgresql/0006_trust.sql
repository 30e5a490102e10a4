-- How far the house has verified each stream, signed with its key.
create table verified_point (
    stream text primary key,
    number bigint not null,
    hash bytea not null,
    signature text not null
);

-- A snapshot is signed too; one from before this has no signature and is dropped.
alter table snapshot add column game text not null default '';  -- the digest of the game's file
alter table snapshot add column signature text not null default '';
