"""The store on SQLite: one file, one writer process, a lock, and back-ups made while it is served."""
