"""One transcript for each game, event by event: what changes in it has to be meant.

To take up a change that is meant: PUNTO_WRITE_TRANSCRIPTS=1 make test, and read the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from msgspec.structs import asdict

from punto import APPROVED
from punto.books.ledger import Ledger
from punto.notation import parse
from punto.notation.script_player import Player
from punto.table.event import Event

TESTS = Path(__file__).parents[1]
TRANSCRIPTS = TESTS / "golden" / "transcripts"
SCRIPT = parse((TESTS / "scripts" / "transcript.round").read_text("utf-8"))


def _line(number: int, event: Event) -> str:
    parts = " ".join(f"{name}={value}" for name, value in asdict(event).items() if name != "setting")
    return f"{number} {type(event).__name__} {parts}".rstrip()


@pytest.mark.parametrize("game", APPROVED)
def test_the_transcript_is_as_it_was(game: str) -> None:
    run = next(each for each in SCRIPT.runs if each.game == game)
    player = Player(SCRIPT, run)
    player.play()
    lines = [_line(number, event) for number, event in enumerate(player.log, start=1)]
    balances = Ledger(player.log).balances
    by_name = sorted((str(account), amount) for account, amount in balances.items())
    lines += [f"balance {account} {amount}" for account, amount in by_name]
    file = TRANSCRIPTS / f"{game}.txt"
    if os.environ.get("PUNTO_WRITE_TRANSCRIPTS"):
        file.write_text("\n".join(lines) + "\n", "utf-8")
    assert _without_digest(file.read_text("utf-8")) == _without_digest("\n".join(lines) + "\n")


def _without_digest(transcript: str) -> list[str]:
    """Return the lines without the digest of the game's file, which changes with its wording."""
    return re.sub(r" digest=[0-9a-f]{64}", "", transcript).splitlines()


def test_every_game_has_a_transcript() -> None:
    assert sorted(file.stem for file in TRANSCRIPTS.glob("*.txt")) == sorted(APPROVED)


def test_cards_not_yet_exposed_leave_no_trace() -> None:
    """Two rounds that differ only in a card not yet exposed have the same log up to its exposure."""
    text = (TESTS / "scripts" / "transcript.round").read_text("utf-8")
    other = parse(text.replace("expose banker 3 4c", "expose banker 3 9h"))
    one, two = Player(SCRIPT, SCRIPT.runs[0]), Player(other, other.runs[0])
    one.play()
    two.play()
    differing = next(number for number, pair in enumerate(zip(one.log, two.log, strict=False)) if pair[0] != pair[1])
    assert type(one.log[differing]).__name__ == "CardExposed"
    assert one.log[:differing] == two.log[:differing]
