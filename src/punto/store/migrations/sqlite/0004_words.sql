-- What people write in their own words. An event holds the digest; salt and words are erased together.
create table words (
    digest text primary key,
    salt blob,
    words text
) strict, without rowid;

-- Names may be shared: what is compared is the name a person signs in with, or the id of a person who has none.
alter table person add column searched text not null default '';  -- the name as it is searched for
alter table person add column salt blob;  -- of the digest of the name that the house's stream holds
alter table person add column address text;
alter table person add column guest integer not null default 0 check (guest in (0, 1));
alter table person add column erased_at integer;
update person set searched = compared;
