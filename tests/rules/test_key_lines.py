"""A mistake in a game's file is told with its line, however the file is laid out."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from support.command import punto as command

from punto import GameFileError, load, loads
from punto.rules.game_library import APPROVED, LIBRARY, file_as_written
from punto.rules.library.key_lines import key_of_line, line_of_key

TEXT = '''# a comment with "a quote" and [[wager]]
key = "mine"  # = [
title = """
Two lines, with [ and { and #
"""
decks.min = 6
list = [
  1, # ]
  [2, 3],
]

[[wager]]
name = 'X # ]'

[[wager.lines]]
pays = "1"
when = { any = [{ margin = 1 },
  { sum = 2, not = { cards = 4 } }] }
[[wager.lines]]
[wager.lines.when]
margin = 2

[[wager]]
name = "Y"
lines = [
  { pays = "1" },

  { pays = "2" }, ]
[clauses]
"4.1" = { text = "a" }
[clauses."4.2"]
text = "b"
'''
PLACES = {
    "key": 2,
    "title": 3,
    "decks.min": 6,
    "decks.max": 6,
    "list": 7,
    "list[2]": 9,
    "wager[1]": 12,
    "wager[1].name": 13,
    "wager[1].clause": 12,
    "wager[1].lines[1]": 15,
    "wager[1].lines[1].when.any[1].margin": 17,
    "wager[1].lines[1].when.any[2].not.cards": 18,
    "wager[1].lines[2]": 19,
    "wager[1].lines[2].when.margin": 21,
    "wager[2].lines[2].pays": 28,
    'clauses."4.1".text': 30,
    'clauses."4.2".by': 31,
    "layout": None,
}
OWN = """
key = "mine"
title = "Mine"
extends = "baccarat"

[[wager]]
name = "Red"
clause = "7.1"
lines = [
  { outcome = "red", when = { every_card_colour = "red" }, pays = "20 to 1", clause = "7.2" },
  { outcome = "hearts", when = { every_card_suit = "h" }, pays = "99 to 1", clause = "7.2" },
]

[clauses]
"7.1" = { provision = "wager", by = "data", text = "Red wins." }
"7.2" = { provision = "settlement", by = "data", text = "It pays." }
"""


@pytest.mark.parametrize(("key", "line"), PLACES.items())
def test_a_key_stands_on_a_line(key: str, line: int | None) -> None:
    assert line_of_key(TEXT, key) == line


def test_lines_are_found_under_headers_and_in_lists() -> None:
    assert [key_of_line(TEXT, "X # ]", at) for at in range(3)] == ["wager[1].lines[1]", "wager[1].lines[2]", None]
    assert key_of_line(TEXT, "Y", 1) == "wager[2].lines[2]"
    assert key_of_line(TEXT, "Z", 0) is None


@pytest.mark.parametrize("name", [*LIBRARY, *APPROVED])
def test_every_line_of_a_file_has_its_place(name: str) -> None:
    text = file_as_written(name).decode()
    rows = text.splitlines()
    for wager in load(name).wagers:
        for at, line in enumerate(wager.lines):
            key = key_of_line(text, wager.name, at)
            if key is None:
                assert f'name = "{wager.name}"' not in text
            else:
                row = rows[(line_of_key(text, key) or 0) - 1]
                assert line.outcome in ("win", "lose", "push") or f'"{line.outcome}"' in row


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("every_card_suit", "every_card_suite", "line 11: wager[1].lines[2].when.every_card_suite: unknown key"),
        ('"99 to 1"', '"99:1"', "line 11: wager[1].lines[2].pays: expected a ratio"),
        ('by = "data", text = "It', 'by = "date", text = "It', 'line 16: clauses."7.2".by: expected one of'),
        ('title = "Mine"\n', "", "the game's text: title: expected a text, found nothing"),
        ('clause = "7.1"\n', "", "line 6: wager[1].clause: expected a text, found nothing"),
        ("extends", "exports", "the game's text: line"),
        ("99 to 1", "99 to 1", 'line 11: wager[1].lines[2]: the line "hearts" of Red is never reached: every coup'),
    ],
)
def test_mistakes_are_told_with_their_line(old: str, new: str, told: str) -> None:
    with pytest.raises(GameFileError) as refused:
        loads(OWN.replace(old, new, 1))
    if told.endswith("text: line"):
        assert str(refused.value).startswith("the game's text: ")
    else:
        assert told in str(refused.value)


def test_the_check_tells_the_line_of_the_file_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(OWN.replace("every_card_suit", "every_card_suite"), "utf-8")
    code, out, err = command("check", str(file))
    assert (code, out) == (2, "")
    assert err.startswith(f"punto: {file}: line 11: wager[1].lines[2].when.every_card_suite: unknown key")


@pytest.mark.parametrize("seed", range(30))
def test_no_file_is_too_odd_to_look_for_a_line(seed: int) -> None:
    """Any text has lines of keys or none: looking for one never fails."""
    random = Random(seed)
    text = "".join(random.choices(["[", "]", "{", "}", "=", ".", ",", '"', "'", "\n", "#", "a", "b ", '"""'], k=60))
    line = line_of_key(text, "a.b[1]")
    assert line is None or 1 <= line <= text.count("\n") + 1


def test_a_long_message_repeats_little_of_the_file() -> None:
    for old in ('clause = "7.1"', 'provision = "wager"', '"red", when', 'extends = "baccarat"'):
        word = old.split('"')[1]
        with pytest.raises(GameFileError) as refused:
            loads(OWN.replace(old, old.replace(word, "x" * 5000), 1).replace('"hearts"', '"' + "x" * 5000 + '"'))
        assert len(str(refused.value)) < 600, old
