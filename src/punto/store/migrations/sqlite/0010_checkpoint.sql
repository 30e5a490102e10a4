-- Tables as they were when a shoe ended or they were closed, with the rounds since the checkpoint before: found in the
-- events and kept so that no report has to read everything before it. They can be made again from the events.
create table checkpoint (
    stream text not null,
    number integer not null,  -- the last event that is in it
    earliest integer not null,  -- the earliest time of any event since the checkpoint before
    latest integer not null,  -- the latest time of any event up to it
    round integer not null,  -- the last round opened by then
    marks integer not null,  -- which kinds of rounds are in it: 1 irregular, 2 void, 4 corrected
    hash blob not null,  -- of the event
    code text not null,  -- a digest of the code that made the state
    game text not null,  -- the digest of the game's file
    summary blob not null,  -- books and rounds
    state_digest blob not null,
    signature text not null,
    state blob not null,
    primary key (stream, number)
) strict;

create index checkpoint_by_time on checkpoint (stream, latest, number);

create index checkpoint_by_round on checkpoint (stream, round, number);

-- Which patrons played in the rounds of a checkpoint.
create table checkpoint_patron (
    stream text not null,
    patron text not null,
    number integer not null,
    primary key (stream, patron, number)
) strict, without rowid;

-- Rounds of an earlier checkpoint about which a later one tells more.
create table checkpoint_amends (
    stream text not null,
    round integer not null,
    number integer not null,  -- of the later one
    about integer not null,  -- of the one that has the round
    primary key (stream, round, number)
) strict, without rowid;

create index checkpoint_amended on checkpoint_amends (stream, about);
