-- What a later checkpoint tells about a round: 1 irregular, 2 void, 4 corrected; 7 where it was not noted.
alter table checkpoint_amends add column marks bigint not null default 7;
