"""Former editions of the approved games' files: only their wording differed, and their tables find today's game.

When a game's file changes after a release: copy the released file to ``golden/games/KEY.DIGEST.toml``, the digest cut
to twelve digits, and list its digest in ``former_editions.toml``. If more than wording has changed, this fails: then it
is another game, and the tables that play the former one must be closed first.
"""

from __future__ import annotations

from dataclasses import fields
from hashlib import sha256
from pathlib import Path

import pytest

from punto import APPROVED, Rulebook, load
from punto.rules.game_file import read_game
from punto.rules.game_library import by_digest, game_file
from punto.rules.rulebook import Line, Wager

FORMER = sorted((Path(__file__).parents[1] / "golden" / "games").glob("*.toml"))
WORDING = {"clauses", "digest", "former"}
"""The fields of a rulebook that may differ; of the clauses the numbers may not."""


def _plain(value: object) -> object:
    """Return a rule as plain values: lines are compared by what they say, though each line is unique."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, Wager | Line):
        return tuple(_plain(getattr(value, field.name)) for field in fields(value))
    return value


def _of_play(book: Rulebook) -> dict[str, object]:
    """Return all that decides play, by name."""
    rules = {field.name: _plain(getattr(book, field.name)) for field in fields(book) if field.name not in WORDING}
    return rules | {"clauses": list(book.clauses)}


def test_every_listed_edition_is_kept() -> None:
    kept = {sha256(file.read_bytes()).hexdigest(): file.name for file in FORMER}
    listed = {digest: f"{key}.{digest[:12]}.toml" for key in APPROVED for digest in load(key).former}
    assert listed == kept
    assert listed


@pytest.mark.parametrize("file", FORMER, ids=lambda file: str(file.stem))
def test_a_former_edition_has_the_same_rules_of_play(file: Path) -> None:
    former = read_game(file.read_bytes(), file.name)
    assert _of_play(former) == _of_play(load(former.key))


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("8 to 1", "9 to 1"),
        ('winner = "tie"', 'winner = "player"'),
        ("max = 10", "max = 9"),
        ('clause = "3.11"\n', 'clause = "3.12"\n'),
        ('"6.3" = {', '"6.4" = {'),
        ("hlga_only = true", "hlga_only = false"),
    ],
)
def test_a_change_of_more_than_wording_is_noticed(was: str, now: str) -> None:
    content = game_file("baccarat").decode()
    assert was in content
    assert _of_play(read_game(content.replace(was, now).encode(), "changed")) != _of_play(load("baccarat"))


def test_tables_of_a_former_edition_find_todays_game() -> None:
    books = [load(key) for key in APPROVED]
    found = by_digest(books)
    assert all(found[digest] is book for book in books for digest in (book.digest, *book.former))


def test_the_game_whose_file_it_is_comes_before_one_that_was_it() -> None:
    baccarat, tiger = load("baccarat"), load("tiger")
    posing = read_game(game_file("baccarat").replace(b'key = "baccarat"', b'key = "posing"'), "posing")
    object.__setattr__(posing, "former", (tiger.digest, baccarat.digest))
    assert by_digest([posing, tiger])[tiger.digest] is tiger
    assert by_digest([tiger, posing])[tiger.digest] is tiger
