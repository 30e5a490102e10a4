-- How far the house has verified each stream, signed with its key.
create table verified_point (
    stream text primary key,
    number integer not null,
    hash blob not null,
    signature text not null
) strict, without rowid;

-- A snapshot is signed too; one from before this has no signature and is dropped.
alter table snapshot add column game text not null default '';  -- the digest of the game's file
alter table snapshot add column signature text not null default '';
