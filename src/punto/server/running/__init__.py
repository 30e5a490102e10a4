"""The running server: its start and end, background work, its log, its measures and limits."""
