"""``punto settle`` as people and programs use it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from support.command import refused, run, run_json

from punto import APPROVED, Rulebook, __version__, load

BANKER_SIX = ["2s", "Ah", "3d", "Ad", "Ks", "4c"]  # Player 5, Banker 6 on three cards


def test_json_has_the_promised_shape() -> None:
    assert run_json("settle", "tiger", *BANKER_SIX, "--wager", "Tiger=10", "--wager", "Banker=100.50") == {
        "game": "tiger",
        "version": "3",
        "digest": load("tiger").digest,
        "software": f"punto {__version__}",
        "decks": 8,
        "cards": BANKER_SIX,
        "player": {"cards": ["2s", "3d", "Ks"], "total": 5},
        "banker": {"cards": ["Ah", "Ad", "4c"], "total": 6},
        "winner": "banker",
        "wagers": [
            {
                "wager": "Tiger",
                "outcome": "three-card 6",
                "result": "win",
                "pays": "20/1",
                "pays_rounded": 20.0,
                "clause": "4.3",
                "amount": "10.00",
                "returned": "210.00",
                "cents": {"stake": 1000, "winnings": 20000, "commission": 0, "returned": 21000},
            },
            {
                "wager": "Banker",
                "outcome": "win",
                "result": "win",
                "pays": "19/20",
                "pays_rounded": 0.95,
                "clause": "4.1",
                "amount": "100.50",
                "returned": "195.98",
                "cents": {"stake": 10050, "winnings": 9548, "commission": 502, "returned": 19598},
            },
        ],
    }


def test_without_amounts_every_wager_is_settled(book: Rulebook) -> None:
    answer = run_json("settle", book.key, *BANKER_SIX)
    assert [each["wager"] for each in answer["wagers"]] == [wager.name for wager in book.wagers]
    assert all(each["amount"] is None and each["returned"] is None for each in answer["wagers"])


def test_pushes_and_losses_are_told_apart() -> None:
    answer = run_json("settle", "baccarat", "9h", "9c", "Ks", "Kd")
    told = {each["wager"]: (each["result"], each["pays"], each["clause"]) for each in answer["wagers"]}
    assert told["Player"] == ("push", "0/1", "3.15.1")
    assert told["Player Pair"] == ("lose", "-1/1", "1.1.6")
    assert told["Tie"] == ("win", "8/1", "4.1")


def test_ten_may_be_written_in_two_ways_and_options_may_stand_anywhere() -> None:
    one = run_json("settle", "baccarat", "10d", "7h", "--decks", "6", "8s", "Th")
    two = run_json("settle", "baccarat", "td", "7♥", "8S", "10h", "--decks=6")
    assert one == two
    assert one["player"]["cards"] == ["Td", "8s"]


def test_people_see_suits_totals_and_clauses() -> None:
    shown = run("settle", "tiger", *BANKER_SIX, "--wager", "banker=100", "--wager", "Player=1")
    assert "2♠ 3♦ K♠" in shown
    assert "Banker wins" in shown
    for word in ("0.95 to 1", "4.1", "100.00", "5.00", "195.00", "3.16"):
        assert word in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("tiger 2s 3h 5d", "too few cards: the initial deal takes 4, not 3 (Tiger Baccarat 1.1.5)"),
        ("fabulous-4 2s 3h 5d", "(Fabulous 4 Baccarat 1.1.3)"),
        ("tiger 2s 3h 3d 3d", "Player has 5 on 2 cards, Banker 6 on 2, and Player draws (Tiger Baccarat 3.15)"),
        ("baccarat 2s 3h 3d Kd Kc", "and Banker draws (Baccarat 3.14)"),
        ("baccarat 2s 3h 7d 3d 4c", "4c is one card too many: Player has 9 on 2 cards"),
        ("dragon-tiger 2s 3h 7d 3d 4c 4d 4h", "(Dragon Tiger No Commission Baccarat 3.14)"),
        ("baccarat 2s 2s 2s 2s 2s --decks 4", "2s appears 5 times, but the shoe holds it 4 times (Baccarat 2.1)"),
        ("baccarat 9h 9c Ks Kd --decks 3", "Baccarat is played with 4 to 10 decks, not 3 (Baccarat 2.1)"),
        (
            "baccarat 9h 9c Ks Kd --decks many",
            "--decks: expected a whole number of at most nine digits, found 'many'",
        ),
        ("baccarat 9h 9c Ks Kd --wager Tiger=5", "Baccarat has no wager 'Tiger'; its wagers are Player, Banker"),
        ("baccarat 9h 9c Ks Kd --wager Tiger=5", "(Baccarat 3.5)"),
        ("baccarat 9h 9c Ks Kd --wager Tie=-5", "a wager is an amount above zero (Baccarat 3.5.1)"),
        ("baccarat 9h 9c Ks Kd --wager Tie=0", "a wager is an amount above zero (Baccarat 3.5.1)"),
        ("baccarat 9h 9c Ks Kd --wager Tie=-0.01", "a wager is an amount above zero (Baccarat 3.5.1)"),
        ("fabulous-4 9h 9c Ks Kd --wager Tie=-5", "a wager is an amount above zero"),
        ("baccarat 9h 9c Ks Kd --wager Tie=1.005", "expected an amount in whole cents"),
        ("baccarat 9h 9c Ks Kd --wager Tie=ten", "expected an amount in whole cents"),
        ("baccarat 9h 9c Ks Kd --wager Tie=", "expected an amount in whole cents"),
        ("baccarat 9h 9c Ks Kd --wager Tie=１０", "expected an amount in whole cents"),
        ("baccarat 9h 9c Ks Kd --wager Tie", "expected NAME=AMOUNT"),
        ("baccarat 9h 9c Ks Kd --wager", "argument --wager: expected one argument"),
        ("baccarat 9h 9x Ks Kd", "'9x' is not a card"),
        ("baccarat", "the following arguments are required: CARD"),
        ("", "the following arguments are required: GAME, CARD"),
        ("bacarat 9h 9c Ks Kd", "there is no game 'bacarat'; did you mean baccarat?"),
        ("./missing.toml 9h 9c Ks Kd", "./missing.toml: cannot be read: No such file or directory"),
        ("baccarat 9h 9c Ks Kd --wagers Tie=5", "unrecognized arguments: --wagers"),
    ],
)
def test_bad_input_gets_one_line_that_says_what_and_by_which_clause(arguments: str, sentence: str) -> None:
    assert sentence in refused("settle", *arguments.split())


def test_settling_imports_nothing_heavy_and_json_not_even_rich() -> None:
    """People wait for this command. ``make bench`` measures its speed; here what would make it slow is kept out."""
    heavy = {"numba", "numpy", "polars", "matplotlib", "ray", "starlette"}
    told: dict[str, set[str]] = {}
    for option in ("", "--json"):
        program = (
            "import sys, json; from punto.cli.main import main\n"
            f"main('settle tiger 2s 3h 5d 3d {option}'.split())\n"
            "print(json.dumps([name.split('.')[0] for name in sys.modules]), file=sys.stderr)"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        loaded: list[Any] = json.loads(done.stderr)
        told[option] = set(loaded)
    assert not heavy & told[""]
    assert "rich" not in told["--json"]


def test_all_games_settle_from_the_command_line() -> None:
    assert {run_json("settle", key, *BANKER_SIX)["winner"] for key in APPROVED} == {"banker"}
