-- The log of all events beside the streams: which leaves of its Merkle tree are which events, and how far it is sealed.
create table log_head (
    epoch bigint primary key,
    origin text not null,
    secret bytea not null,  -- from which the salt of each leaf comes
    size bigint not null,
    edge bytea not null,  -- the roots of the complete subtrees, from which the tree grows
    note text not null  -- the signed checkpoint; empty before the first
);

-- Consecutive events of one stream are consecutive leaves; after them come the receipts of the last of these events.
create table log_range (
    epoch bigint not null,
    first bigint not null,  -- leaf
    stream text not null,
    number bigint not null,  -- of the first event
    events bigint not null,
    receipts bigint not null,
    primary key (epoch, first)
);

create unique index log_range_of on log_range (epoch, stream, number);

-- A leaf covers the answer to the command that the event ended.
create index answer_by_event on answer (stream, last);
