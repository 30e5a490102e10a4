"""One table as a state machine: ``decide`` answers a command with events or a refusal, ``evolve`` takes an event in."""
