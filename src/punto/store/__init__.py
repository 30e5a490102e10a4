"""The append-only log: events in streams, hashed one to the next, on SQLite or PostgreSQL."""
