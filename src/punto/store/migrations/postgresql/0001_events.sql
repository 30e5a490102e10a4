-- Events only ever come in: nothing updates or deletes them.
create table event (
    stream text not null,
    number bigint not null check (number > 0),
    name text not null,
    version integer not null,
    at bigint not null,
    by text not null,
    position text not null,
    body bytea not null,
    hash bytea not null,
    primary key (stream, number)
);

create table answer (
    actor text not null,
    key text not null,
    digest bytea not null,
    stream text not null,
    first bigint not null,
    last bigint not null,
    primary key (actor, key)
);

create table snapshot (
    stream text primary key,
    number bigint not null,
    hash bytea not null,
    code text not null,
    body bytea not null
);

create function events_stay() returns trigger language plpgsql as $$
begin
    raise exception 'events are not changed or deleted';
end $$;
create trigger event_stays before update or delete or truncate on event execute function events_stay();
