"""Reading a game's file: what is wrong with it is told with file, key and what was expected; nothing half-loads."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from punto import APPROVED, Coup, GameFileError, Rulebook, load, settle
from punto.rules.conditions import FEATURES
from punto.rules.game_file import read_game, refuse_unreachable_lines

GOOD = """
key = "lucky-six"
title = "Lucky Six"
version = "1"
effective = 2026-01-31
decks = { min = 6, max = 8 }
differential = ["Player", "Lucky 6"]

[[layout]]
name = "A"
clause = "1"
positions = { min = 1, max = 7 }
languages = ["en"]

[[wager]]
name = "Player"
clause = "1"
lines = [
  { when = { winner = "player" }, pays = "1 to 1", clause = "2" },
  { when = { winner = "tie" }, pays = "push", clause = "2" },
]

[[wager]]
name = "Lucky 6"
clause = "1"
area = "1"

[[wager.lines]]
outcome = "three cards"
when = { winner = "banker", banker_total = 6, banker_cards = 3 }
pays = "20 to 1"
clause = "2"

[[wager.lines]]
outcome = "two cards"
when = { winner = "banker", banker_total = [6], banker_cards = 2 }
pays = "12 to 1"
clause = "2"  # the last

[clauses]
"1" = { provision = "available-wagers", by = "data", text = "Two wagers." }
"2" = { provision = "settlement", by = "data", text = "What they pay." }
"""


def read(text: str) -> Rulebook:
    book = read_game(text.encode(), "lucky.toml", reserved=APPROVED)
    refuse_unreachable_lines(book, "lucky.toml")
    return book


def test_a_game_of_ones_own_settles(tmp_path: Path) -> None:
    path = tmp_path / "lucky.toml"
    path.write_text(GOOD)
    for game in (path, str(path)):
        book = load(game)
        assert settle(book.wager("Lucky 6"), Coup.deal("2s Ah 3d Ad Ks 4c")).pays == 20
        assert book.decks.fewest == 6
        assert book.differential == ("Player", "Lucky 6")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('key = "lucky-six"', 'key = "Lucky Six"', "key: expected lower-case words joined by hyphens"),
        ('key = "lucky-six"', 'key = "tiger"', "key: tiger is the key of an approved game"),
        ('key = "lucky-six"', "", "key: expected lower-case words joined by hyphens, such as lucky-six, found nothing"),
        ('title = "Lucky Six"', "title = 6", "title: expected a text, found 6"),
        ('title = "Lucky Six"', 'title = "  "', "title: expected a text"),
        ('title = "Lucky Six"', 'tittle = "Lucky Six"', "title: expected a text, found nothing"),
        ("effective = 2026-01-31", 'effective = "soon"', 'effective: expected a date, found "soon"'),
        ("effective = 2026-01-31", "efective = 2026-01-31", "efective: unknown key; did you mean effective?"),
        ("min = 6, max = 8", "min = 6, max = 5", "decks.max: expected a whole number 6 to 100, found 5"),
        ("min = 6, max = 8", "min = 0, max = 8", "decks.min: expected a whole number 1 to 100, found 0"),
        ("min = 6, max = 8", "min = true, max = 8", "decks.min: expected a whole number 1 to 100, found true"),
        ("min = 6, max = 8", "min = 6.5, max = 8", "decks.min: expected a whole number 1 to 100, found 6.5"),
        ("min = 6, max = 8", "min = 6, max = 8, most = 9", "decks.most: unknown key; known here: min, max"),
        ("decks = { min = 6, max = 8 }", "decks = 8", "decks: expected a table, found 8"),
        ("decks = { min = 6, max = 8 }", "", "decks: expected a table, found nothing"),
        ('"Player", "Lucky 6"]', '"Player", "Banker"]', "differential: expected the names of two wagers of this game"),
        ('languages = ["en"]', 'languages = "en"', 'layout[1].languages: expected a list of texts, found "en"'),
        ('name = "Lucky 6"', 'name = "PLAYER"', "wager[2].name: there is already a wager named PLAYER"),
        ('area = "1"', 'area = "3"', 'wager[2].area: expected the number of a clause in this file, found "3"'),
        (
            'clause = "2"  # the last',
            "",
            "wager[2].lines[2].clause: expected a text, found nothing",
        ),
        (
            'clause = "2"  # the last',
            'clause = "9"',
            "wager[2].lines[2].clause: expected the number of a clause in",
        ),
        ('pays = "12 to 1"', 'pays = "12:1"', "wager[2].lines[2].pays: expected a ratio such as"),
        ('pays = "12 to 1"', 'pays = "0 to 1"', "wager[2].lines[2].pays: expected a ratio such as"),
        ('pays = "12 to 1"', 'pays = "12 to 0"', "wager[2].lines[2].pays: expected a ratio such as"),
        ('pays = "12 to 1"', "pays = 12", "wager[2].lines[2].pays: expected a ratio such as"),
        (
            'pays = "12 to 1"',
            'pays = "12 to 1"\ncommission = "5%"',
            'commission: expected a ratio such as "0.05 to 1", found "5%"',
        ),
        ("banker_total = [6]", "banker_total = 10", "wager[2].lines[2].when.banker_total: expected one of 0, 1, 2, 3"),
        ("banker_total = [6]", "banker_total = []", "when.banker_total: expected one of 0, 1, 2, 3"),
        ("banker_total = [6]", 'banker_total = "6"', "when.banker_total: expected one of 0, 1, 2, 3"),
        ("banker_total = [6]", "banker_totl = 6", "when.banker_totl: unknown key; did you mean banker_total?"),
        ('winner = "banker", banker_total = [6]', 'winner = "bank"', "winner: expected one of player, banker, tie"),
        ('when = { winner = "tie" }', "when = {}", "wager[1].lines[2].when: expected at least one condition"),
        (
            'when = { winner = "tie" }',
            "when = { any = [] }",
            "wager[1].lines[2].when.any: expected at least one condition",
        ),
        ('when = { winner = "tie" }', "when = { not = 3 }", "when.not: expected a table, found 3"),
        ('when = { winner = "tie" }', "when = { pairs = true }", "pairs: expected one of 0, 1, 2, or a list of them"),
        ('when = { winner = "tie" }', "when = { player_pair = 1 }", "player_pair: expected one of true, false"),
        ('outcome = "two cards"', 'outcome = "three cards"', 'expected an outcome of its own: "three cards" is taken'),
        ('outcome = "two cards"', 'outcome = "lose"', 'expected an outcome of its own: "lose" is taken'),
        (
            'provision = "settlement"',
            'provision = "setlement"',
            'unknown provision "setlement"; did you mean settlement?',
        ),
        ('provision = "settlement"', 'provision = "available-wagers"', "already the provision of clause 1"),
        (
            'by = "data", text = "What',
            'by = "magic", text = "What',
            "by: expected one of data, enforced, attested, house",
        ),
        ('"2" = {', '"2.x" = {', 'clauses."2.x": expected a clause number such as 4.1'),
        ('"2" = {', '"1" = {', "not a TOML file"),
        ("[clauses]", "[clauses", "not a TOML file"),
        ('"2" = {', "2.1 = {", "clauses.2: put the number of the clause in quotes"),
        ('"2" = {', '"2٣" = {', "expected a clause number such as 4.1"),
        ('clause = "2"  # the last', "clause = 2.2", "wager[2].lines[2].clause: expected a text, found 2.2"),
        ('pays = "12 to 1"', 'pays = "٣ to 1"', "pays: expected a ratio such as"),
        ('pays = "12 to 1"', f'pays = "{"9" * 5000} to 1"', "pays: expected a ratio such as"),
        (
            'pays = "12 to 1"',
            'pays = "-2 to 1"',
            "pays: expected no loss: a wager loses its stake where no line holds, and",
        ),
        ('pays = "12 to 1"', 'pays = "push"\ncommission = "0.05 to 1"', "commission: expected none on a push"),
        ('outcome = "two cards"', 'outcome = "Three Cards"', '"Three Cards" is taken'),
        ('outcome = "two cards"', 'outcome = "VOID"', '"VOID" is taken'),
        ('outcome = "two cards"', 'outcome = "push"', 'expected another name for a line that is a win, found "push"'),
        ('name = "Lucky 6"', 'name = "Lucky 6 "', "wager[2].name: expected a text"),
        ('name = "Lucky 6"', 'name = "Lucky\\n6"', "wager[2].name: expected a text"),
        ('name = "Lucky 6"', 'name = "\\u001b[31m"', "wager[2].name: expected a text"),
        ('name = "Lucky 6"', 'name = "Lucky=6"', "wager[2].name: expected a name without ="),
        ('"Player", "Lucky 6"]', '"Player", "Player"]', "differential: expected the names of two wagers"),
        ('when = { winner = "tie" }', 'when = { winner = "tie", any = [] }', "any: expected at least one condition"),
        ("min = 6, max = 8", f"min = 6, max = {'9' * 5000}", "not a TOML file"),
        ("min = 6, max = 8", f"min = 6, max = 0x{'f' * 5000}", "decks.max: expected a whole number"),
        ('when = { winner = "tie" }', "when = { " + "not.not.not.not.not." * 1000 + 'winner = "tie" }', "deep"),
        ('title = "Lucky Six"', "title = " + "[" * 400 + "]" * 400, "title: expected a text, found a list"),
        ("[clauses]", '[[layout]]\nname = "A"\nclause = "1"\n\n[clauses]', "there is already a layout named A"),
    ],
)
def test_a_fault_is_told_with_file_key_and_what_was_expected(old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1, "the fault must go in one place"
    with pytest.raises(GameFileError) as refused:
        read(GOOD.replace(old, new))
    assert str(refused.value).startswith("lucky.toml: ")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        # Banker cannot win with a pair of fives on two cards and still have six.
        ("banker_total = [6], banker_cards = 2", "banker_total = 6, banker_pair_rank = '5', cards = 4", "two cards"),
        # The line before it takes all there is.
        ("banker_total = 6, banker_cards = 3", "banker_total = 6", "two cards"),
        # A Player pair of fours is a natural: Player cannot end on seven.
        ('winner = "tie"', "player_pair_rank = '4', player_total = 7", "push"),
        # A tie has no margin.
        ('winner = "tie"', 'winner = "tie", margin = [1, 2]', "push"),
    ],
)
def test_a_line_that_no_coup_reaches_is_refused(old: str, new: str, line: str) -> None:
    with pytest.raises(GameFileError, match="is never reached") as refused:
        read(GOOD.replace(old, new))
    assert f'"{line}"' in str(refused.value)
    assert ".lines[2]" in str(refused.value)


def test_what_is_reachable_depends_on_the_decks() -> None:
    """Two fours of diamonds need two decks."""
    suited = GOOD.replace('winner = "tie"', "player_pair_rank = '4', player_suit = 'd'")
    read(suited.replace("min = 6, max = 8", "min = 1, max = 2"))
    with pytest.raises(GameFileError, match="is never reached"):
        read(suited.replace("min = 6, max = 8", "min = 1, max = 1"))


def test_approved_games_have_no_unreachable_line(book: Rulebook) -> None:
    refuse_unreachable_lines(book, book.key)


def test_files_that_are_not_there_or_not_games_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="cannot be read: No such file"):
        load(tmp_path / "none.toml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(GameFileError, match="cannot be read: Is a directory"):
        load(tmp_path / "folder.toml")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GameFileError, match="not a TOML file"):
        load(binary)
    with pytest.raises(GameFileError, match="cannot be read"):
        load("nul\0.toml")
    marked = tmp_path / "MARKED.TOML"
    marked.write_text("\ufeff" + GOOD, "utf-8")
    assert load(marked).key == "lucky-six"
    with pytest.raises(GameFileError, match="did you mean tiger\\?"):
        load("tigr")
    with pytest.raises(GameFileError, match="expected one of baccarat, tiger"):
        load("roulette")


def test_ratios_are_exact() -> None:
    text = GOOD.replace('"20 to 1"', '"0.95 to 1"').replace('"12 to 1"', '"3 to 2"')
    lines = read(text).wager("Lucky 6").lines
    assert [line.pays for line in lines] == [Fraction(19, 20), Fraction(3, 2)]


@pytest.mark.parametrize("feature", FEATURES)
def test_every_value_of_every_condition_is_reached_by_some_coup(feature: str) -> None:
    lines = [
        f"{{ outcome = '{value}', when = {{ {feature} = {_toml(value)} }}, pays = '1 to 1', clause = '2' }}"
        for value in FEATURES[feature].values
    ]
    wager = f"[[wager]]\nname = 'Each'\nclause = '1'\nlines = [{', '.join(lines)}]\n\n"
    book = read(GOOD.replace("[clauses]", f"{wager}[clauses]"))
    assert len(book.wager("Each").lines) == len(FEATURES[feature].values)


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("banker_total = 6, banker_cards = 3", "banker_total = 6", 'is taken by the line "three cards" before it'),
        ('winner = "tie"', 'winner = "tie", margin = [1, 2]', "no coup meets its condition"),
    ],
)
def test_a_line_that_is_never_reached_is_told_with_the_reason(old: str, new: str, why: str) -> None:
    with pytest.raises(GameFileError, match=f"{why}$"):
        read(GOOD.replace(old, new))


def test_a_line_that_two_lines_shadow_together_is_told_so() -> None:
    lines = [("a", 'winner = "player"'), ("b", 'winner = "banker"'), ("c", "margin = [1, 2]")]
    tables = [f"{{ outcome = '{name}', when = {{ {when} }}, pays = '1 to 1', clause = '2' }}" for name, when in lines]
    wager = f"[[wager]]\nname = 'Each'\nclause = '1'\nlines = [{', '.join(tables)}]\n\n"
    with pytest.raises(GameFileError, match=r'"c" of Each is never reached: .* taken by one of the lines before it$'):
        read(GOOD.replace("[clauses]", f"{wager}[clauses]"))
