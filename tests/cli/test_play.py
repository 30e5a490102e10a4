"""``punto play``, as typed at a terminal."""

from __future__ import annotations

import io

import pytest
from support.command import punto, refused

from punto import APPROVED, load


def _typed(monkeypatch: pytest.MonkeyPatch, lines: str, *arguments: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    code, out, err = punto("play", *arguments)
    assert (code, err) == (0, "")
    return out


@pytest.mark.parametrize("game", APPROVED)
def test_a_round_on_every_wager_of_every_game(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wagers = load(game).wagers
    lines = ", ".join(f"{wager.name.lower()} 10" for wager in wagers) + "\ndeal\nroads\nquit\n"
    out = _typed(monkeypatch, lines, game, "--seed", "3")
    for wager in wagers:
        assert f" {wager.name} " in out
    assert "Clause" in out
    assert "You: " in out


def test_a_seed_gives_the_same_game_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "player 100\ndeal\nbanker 50, tie 5\ndeal\nquit\n"
    games = [_typed(monkeypatch, lines, "tiger", "--seed", seed) for seed in ("7", "7", "8")]
    assert games[0] == games[1] != games[2]
    assert "Player  3   K♠ 5♣ 8♥" in games[0]
    assert "practice shoe, seed 7" in games[0]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("player", "expected a wager and an amount, such as player 100, not 'player'"),
        ("player -5", "expected a wager and an amount"),
        ("player ten", "expected a wager and an amount"),
        ("player 9999999999", "expected a wager and an amount"),
        ("deal 5", "Baccarat has no wager deal (Baccarat 3.5)"),
        ("lucky 10", "Baccarat has no wager lucky (Baccarat 3.5)"),
        ("player 1", "Minimum bet on Player is 5.00 (Baccarat 3.5.1)"),
        ("player 6000", "Maximum bet on Player is 5,000.00 (Baccarat 3.5.1)"),
        ("player 2000", "You has 1,000.00, not 2,000.00"),
        ("player 10.50", "stakes come in steps of 1.00, and 10.50 is none"),
        ("rules 9.9", "Baccarat has no clause '9.9'"),
        ("rules late-wager", "5.4 Unless these rules say otherwise"),
        ("help", "several at once: player 100, tie 10"),
        ("limits", "5.00 to 5000.00"),
        ("odds", "house edge 1.0579%"),
    ],
)
def test_whatever_is_typed_gets_a_sentence(typed: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = _typed(monkeypatch, f"{typed}\nquit\n", "baccarat", "--seed", "1")
    assert sentence in out
    assert "You: 1000.00 to take home" in out


def test_several_patrons_take_turns_and_input_may_end_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    out = _typed(monkeypatch, "player 100\ndone\nbanker 100\ndeal\n", "--patrons", "Ann,Bob", "--seed", "2")
    assert out.count("Ann [") >= 3
    assert "Bob: " in out


def test_whoever_has_most_on_a_hand_squeezes_its_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "player 100\ndone\nplayer 50, banker 50\ndeal\n" + "\n" * 12 + "quit\n"
    out = _typed(monkeypatch, typed, "--seed", "2", "--squeeze", "--patrons", "Ann,Bob")
    assert out.count("Ann, lift the edge of a Player card") >= 2
    assert out.count("Bob, lift the edge of a Banker card") >= 2
    assert "Bob, lift the edge of a Player card" not in out


def test_without_a_wager_on_a_hand_the_dealer_turns_its_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    out = _typed(monkeypatch, "tie 100\ndeal\nquit\n", "--seed", "2", "--squeeze")
    assert "lifts the edge" not in out
    assert "Clause" in out


def test_the_scoreboard_has_all_five_roads(monkeypatch: pytest.MonkeyPatch) -> None:
    out = _typed(monkeypatch, "roads\n" + "deal\n" * 40 + "roads\nquit\n", "--seed", "5")
    assert "no round of this shoe has been settled yet" in out
    for words in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig", "next Banker", "40 rounds:"):
        assert words in out


def test_a_whole_shoe_is_played_and_the_next_one_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    out = _typed(monkeypatch, "deal\n" * 100 + "quit\n", "--seed", "4")
    assert "The cutting card: this is the last round of the shoe." in out
    assert "A new shoe: practice 4/2" in out


def test_arguments_that_make_no_table_get_one_line() -> None:
    assert "expected different names" in refused("play", "--patrons", "Ann,Ann")
    assert "expected different names" in refused("play", "--patrons", "")
    assert "has no JSON form" in refused("play", "--json")
    assert "--chips: expected 5.00 to" in refused("play", "--chips", "0")
    assert "there is no game 'poker'" in refused("play", "poker")
    assert "has no layout to play on" in refused("play", "tests/rules/mixed.toml")


def test_whoever_leaves_takes_his_wagers_with_him(monkeypatch: pytest.MonkeyPatch) -> None:
    out = _typed(monkeypatch, "player 100, tie 10.5\nquit\n", "--seed", "1")
    assert "on the layout: Player 100.00\n" in out
    assert "You: 1000.00 to take home" in out


def test_quitting_while_squeezing_plays_the_round_out(monkeypatch: pytest.MonkeyPatch) -> None:
    out = _typed(monkeypatch, "player 100\ndeal\n\nquit\n", "--seed", "2", "--squeeze")
    assert "Clause" in out
    assert "Banker wins" in out
    assert "You: 900.00 to take home" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--patrons", "Dealer"), "--patrons: “Dealer” cannot be the name of a patron"),
        (("--patrons", "Ann,Ann"), "--patrons: expected different names"),
        (("--chips", "1"), "--chips: expected 5.00 to 10000000.00"),
        (("fabulous-4", "--squeeze"), "--squeeze: by the rules of Fabulous 4 Baccarat only the Dealer"),
    ],
)
def test_a_table_that_cannot_be_played_at_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused("play", *arguments)


def test_many_rich_patrons_can_all_be_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ",".join(f"P{number}" for number in range(14))
    out = _typed(monkeypatch, "player 5000\ndone\n" * 14, "--patrons", names, "--chips", "10000000", "--seed", "1")
    assert out.count("to take home") == 14


def test_input_that_is_closed_is_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    code, out, err = punto("play", "--seed", "1")
    assert (code, err) == (0, "")
    assert "to take home" in out
