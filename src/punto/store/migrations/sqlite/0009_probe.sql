-- What a server writes to find out whether it can store anything.
create table probe (id integer primary key, number integer not null);
