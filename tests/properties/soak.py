"""A soak of random play: all games in turn, for so many seconds."""

from __future__ import annotations

import sys
from time import monotonic

from properties.random_play import RandomPlay

from punto import APPROVED


def main() -> None:
    """Play all games in turn for so many seconds, from a first seed on, and say what was done."""
    until, seed, commands, events, rounds = monotonic() + float(sys.argv[1]), int(sys.argv[2]), 0, 0, 0
    while monotonic() < until:
        for game in APPROVED:
            play = RandomPlay(game, seed)
            play.play(20_000)
            commands, events, rounds = commands + 20_000, events + len(play.log), rounds + play.table.round_number
        seed += 1
        print(f"seed {seed}: {commands:,} commands, {events:,} events, {rounds:,} rounds, all in order", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
