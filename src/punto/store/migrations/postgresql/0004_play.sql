-- What patrons played, found in the events and kept so that it need not be looked for again. It can be rebuilt from them.
create table play_line (
    patron text not null,
    stream text not null,
    number bigint not null,  -- of the event
    at bigint not null,
    kind text not null,
    round bigint not null,
    first bigint not null,  -- the event that opened the round; 0 where it is about none
    staked bigint not null,
    net bigint not null,
    balance bigint not null,  -- what the patron has at the table after it
    change bigint not null,
    primary key (patron, stream, number)
);

create table play_session (
    patron text not null,
    began bigint not null,
    stream text not null,
    first bigint not null,  -- of its lines: the number of an event
    last bigint not null,
    ended bigint not null,
    rounds bigint not null,
    staked bigint not null,
    net bigint not null,
    bought bigint not null,
    cashed bigint not null,
    balance bigint not null,
    over bigint not null,  -- 1 once the patron has taken everything away
    primary key (patron, began, stream, first)
);

create index play_session_at on play_session (patron, stream, first);

create table play_mark (
    stream text primary key,
    number bigint not null,  -- everything up to this event is found
    opened bigint not null,  -- the event that opened the last round, and when
    opened_at bigint not null
);

-- What a patron has chosen for themself.
create table patron_choice (
    patron text primary key,
    reality_check bigint not null  -- minutes; 0 for none
);
