-- What patrons played, found in the events and kept so that it need not be looked for again. It can be rebuilt from them.
create table play_line (
    patron text not null,
    stream text not null,
    number integer not null,  -- of the event
    at integer not null,
    kind text not null,
    round integer not null,
    first integer not null,  -- the event that opened the round; 0 where it is about none
    staked integer not null,
    net integer not null,
    balance integer not null,  -- what the patron has at the table after it
    change integer not null,
    primary key (patron, stream, number)
) strict, without rowid;

create table play_session (
    patron text not null,
    began integer not null,
    stream text not null,
    first integer not null,  -- of its lines: the number of an event
    last integer not null,
    ended integer not null,
    rounds integer not null,
    staked integer not null,
    net integer not null,
    bought integer not null,
    cashed integer not null,
    balance integer not null,
    over integer not null,  -- 1 once the patron has taken everything away
    primary key (patron, began, stream, first)
) strict, without rowid;

create index play_session_at on play_session (patron, stream, first);

create table play_mark (
    stream text primary key,
    number integer not null,  -- everything up to this event is found
    opened integer not null,  -- the event that opened the last round, and when
    opened_at integer not null
) strict, without rowid;

-- What a patron has chosen for themself.
create table patron_choice (
    patron text primary key,
    reality_check integer not null  -- minutes; 0 for none
) strict, without rowid;
