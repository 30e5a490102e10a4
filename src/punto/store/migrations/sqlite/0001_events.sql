-- Events only ever come in: nothing updates or deletes them.
create table event (
    stream text not null,
    number integer not null check (number > 0),
    name text not null,
    version integer not null,
    at integer not null,
    by text not null,
    position text not null,
    body blob not null,
    hash blob not null,
    primary key (stream, number)
) strict, without rowid;

create table answer (
    actor text not null,
    key text not null,
    digest blob not null,
    stream text not null,
    first integer not null,
    last integer not null,
    primary key (actor, key)
) strict, without rowid;

create table snapshot (
    stream text primary key,
    number integer not null,
    hash blob not null,
    code text not null,
    body blob not null
) strict, without rowid;

create trigger event_stays before update on event begin select raise(abort, 'events are not changed'); end;
create trigger event_is_kept before delete on event begin select raise(abort, 'events are not deleted'); end;
