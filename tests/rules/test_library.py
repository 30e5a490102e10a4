"""The library of known games: published figures to the last digit given, every order of small shoes, and borrowing."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from random import Random
from time import process_time

import pytest
from generator.published import DRAGON_7, EDGES, LUCKY_6, VARIANCES
from reference import brute_force, second_settlement
from reference.condition_reading import holds
from support.command import punto as command

from punto import CardsSeen, Composition, Coup, GameFileError, effects_of_removal, load, loads, odds, settle, simulate
from punto.cards import DECK
from punto.odds import wager_odds
from punto.rules.game_library import LIBRARY, game_file

SEED = 20261118

PLAYER_BONUS = {
    "by 9": 18_409_431_764_992,
    "by 8": 34_097_645_543_424,
    "by 7": 89_590_261_473_280,
    "by 6": 141_238_897_317_888,
    "by 5": 166_169_165_987_840,
    "by 4": 186_780_352_174_080,
    "natural win": 812_685_054_124_032,
    "natural tie": 89_325_908_267_520,
}
"""Published deals of eight decks that end each way."""


def rounded(value: Fraction, like: str) -> Fraction:
    places = len(like.partition(".")[2])
    return Fraction(round(value * 10**places), 10**places)


@pytest.mark.parametrize(("game", "wager", "edge"), EDGES)
def test_edges_are_as_published(game: str, wager: str, edge: str) -> None:
    found = wager_odds(load(game).wager(wager), Composition.of_decks(8))
    assert rounded(found.house_edge * 100, edge) == Fraction(edge)


@pytest.mark.parametrize(("game", "wager", "variance"), VARIANCES)
def test_variances_are_as_published(game: str, wager: str, variance: str) -> None:
    assert rounded(wager_odds(load(game).wager(wager), Composition.of_decks(8)).variance, variance) == Fraction(
        variance
    )


def test_dragon_7_has_the_published_deviation_and_hits() -> None:
    found = wager_odds(load("ez-baccarat").wager("Dragon 7"), Composition.of_decks(8))
    half = Fraction("0.00005")
    assert (
        (Fraction(DRAGON_7["deviation"]) - half) ** 2 <= found.variance < (Fraction(DRAGON_7["deviation"]) + half) ** 2
    )
    assert rounded(found.hit_frequency * 100, DRAGON_7["hits"]) == Fraction(DRAGON_7["hits"])


def test_dragon_bonus_has_the_published_numbers_of_deals() -> None:
    found = wager_odds(load("dragon-bonus").wager("Player Bonus"), Composition.of_decks(8))
    assert {each.outcome: each.deals for each in found.outcomes if each.outcome != "lose"} == PLAYER_BONUS


def test_lucky_6_has_the_published_effects_of_removal() -> None:
    effects = effects_of_removal("lucky-6", 8).of_wager("Lucky 6")
    for rank, published in zip("KA23456789", LUCKY_6.split(), strict=True):
        assert rounded(effects[f"{rank}s"]["Lucky 6"], published) == Fraction(published), rank


@pytest.mark.parametrize("game", LIBRARY)
def test_every_wager_settles_as_a_second_reading_of_its_lines_says(game: str) -> None:
    random, book = Random(f"{SEED} {game}"), load(game)
    lines = {each["name"]: each["lines"] for each in tomllib.loads(game_file(game).decode())["wager"]}
    for _ in range(60):
        player, banker, used = second_settlement.play(str(card) for card in random.choices(DECK, k=6))
        coup = Coup.deal(" ".join(used))
        for wager in book.wagers:
            paid = next((each["pays"] for each in lines[wager.name] if holds(each["when"], player, banker)), None)
            assert settle(wager, coup).pays == _ratio(paid), (wager.name, used)


def _ratio(pays: str | None) -> Fraction:
    if pays is None:
        return Fraction(-1)
    above, _, below = pays.partition(" to ")
    return Fraction(0) if pays == "push" else Fraction(above) / int(below)


def compare_with_every_order(game: str, random: Random, most: int = 7) -> None:
    book = load(game)
    few = random.choices(random.sample(DECK, random.randint(3, 7)), k=random.randint(4, most))
    met = brute_force.outcomes(book, CardsSeen(), few)
    for name, found in odds(book, Composition(few)).items():
        shares = {each.outcome: each.probability for each in found.outcomes if each.probability}
        assert shares == {key: Fraction(count, met[name].total()) for key, count in met[name].items()}, (name, few)


@pytest.mark.parametrize("game", LIBRARY)
def test_odds_are_those_of_every_order_of_a_few_cards(game: str) -> None:
    compare_with_every_order(game, Random(f"{SEED} few {game}"), most=5)


@pytest.mark.long
@pytest.mark.parametrize("game", LIBRARY)
@pytest.mark.parametrize("seed", range(6))
def test_odds_are_those_of_every_order_of_small_shoes(game: str, seed: int) -> None:
    compare_with_every_order(game, Random(f"{SEED} {game} {seed}"))


@pytest.mark.long
@pytest.mark.parametrize("game", LIBRARY)
def test_simulation_is_within_four_standard_errors(game: str) -> None:
    expected, found = odds(game, 8), simulate(game, 10_000, seed=SEED)
    for name, each in found.items():
        assert abs(each.z_score(expected[name].expected_return)) < 4, name


@pytest.mark.long
@pytest.mark.parametrize("game", LIBRARY)
def test_every_file_loads_in_less_than_a_second(game: str) -> None:
    began = process_time()
    loads(game_file(game).decode())
    assert process_time() - began < 1


# --- borrowing ---

NEW = """
key = "mine"
title = "Mine"
extends = "tiger"
without = ["Tiger Tie", "1.1.15", "2.2.8"]

[[wager]]
name = "Red"
clause = "7.1"
lines = [{ when = { every_card_colour = "red" }, pays = "24 to 1", clause = "7.2" }]

[clauses]
"3.5" = { provision = "available-wagers", by = "enforced", text = "Other wagers." }
"7.1" = { provision = "wager", by = "data", text = "Red wins if all cards are red." }
"7.2" = { provision = "settlement", by = "data", text = "Red pays 24 to 1." }
"""


def test_a_file_borrows_what_it_does_not_say() -> None:
    book, tiger = loads(NEW), load("tiger")
    assert [each.name for each in book.wagers] == [
        *(each.name for each in tiger.wagers if each.name != "Tiger Tie"),
        "Red",
    ]
    assert (book.methods, book.round_of_play, book.layouts) == (tiger.methods, tiger.round_of_play, tiger.layouts)
    assert book.clauses.keys() == (tiger.clauses.keys() - {"1.1.15", "2.2.8"}) | {"7.1", "7.2"}
    borrowed = {number: clause.origin for number, clause in book.clauses.items() if clause.origin}
    assert borrowed == {number: f"tiger {number}" for number in borrowed}
    assert book.clauses.keys() - borrowed.keys() == {"3.5", "7.1", "7.2"}
    assert book.clauses["5.8"].text == tiger.clauses["5.8"].text
    assert (book.version, book.effective) == (None, None)


def test_what_is_stored_is_the_whole_game(tmp_path: Path) -> None:
    """The digest covers what is borrowed too: a later edition of the approved game is another game."""
    file = tmp_path / "mine.toml"
    file.write_text(NEW, "utf-8")
    whole = game_file(file)
    assert b"extends" not in whole
    assert loads(whole.decode()).digest == load(file).digest == loads(NEW).digest
    assert game_file(file) == whole


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('extends = "tiger"', 'extends = "tigr"', "extends: expected one of baccarat, dragon-tiger, fabulous-4, tiger"),
        ('extends = "tiger"', 'extends = "tigr"', 'found "tigr"; did you mean tiger?'),
        (
            '"Tiger Tie", ',
            '"Tiger Tye", ',
            'a list of clauses and wagers of tiger, found "Tiger Tye"; did you mean Tiger Tie?',
        ),
        ('"1.1.15", ', '"4.1", ', "without: clause 4.1 of tiger is needed by what is borrowed"),
        ("every_card_colour", "every_card_color", "wager[1].lines[1].when.every_card_color: unknown key; did you mean"),
        ('clause = "7.1"', 'clause = "7.3"', "wager[1].clause: expected the number of a clause in this file"),
        ('key = "mine"', "", "key: expected lower-case words"),
        ('"7.1" = { provision = "wager"', '"7.1" = { provision = "tie"', "already the provision of clause"),
    ],
)
def test_mistakes_are_told_where_they_stand_in_the_file(old: str, new: str, message: str) -> None:
    assert old in NEW
    with pytest.raises(GameFileError) as refused:
        loads(NEW.replace(old, new, 1))
    assert message in str(refused.value)


def test_the_commands_take_a_known_game_by_its_key() -> None:
    code, out, err = command("rules", "ez-baccarat", "3.1")
    assert (code, err) == (0, "")
    assert "baccarat 3.1" in out
    code, out, _ = command("settle", "ez-baccarat", "4h 2d 3s 5c", "--wager", "Banker=10", "--wager", "Panda 8=1")
    assert code == 0
    assert command("odds", "ez-bacarat")[2].endswith("did you mean ez-baccarat?\n")
