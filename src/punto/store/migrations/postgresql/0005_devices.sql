-- Tokens of devices. Of a token only its SHA-256 is kept. One that was replaced stays, so that its later use is noticed.
create table device_token (
    token text primary key,
    device text not null references person,
    generation integer not null,
    made_at bigint not null,
    expires_at bigint not null,
    replaced_at bigint  -- null for the newest of a device
);

create index device_tokens_of on device_token (device);
create unique index one_newest_token on device_token (device) where replaced_at is null;

insert into device_token (token, device, generation, made_at, expires_at)
    select token, person, generation, made_at, made_at + 2592000000 from session where expires_at is null;
delete from session where expires_at is null;
