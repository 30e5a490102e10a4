"""``punto counting``: what it tells, in words, in JSON and in pictures, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import pytest
from support.command import punto, refused, run, run_json

TIGER = ("counting", "tiger", "--wager", "Big Tiger", "--tags", "3:-1,4:-1,5:-1,6:-2,7:1,8:2,9:2", "--trigger", "8")


def test_the_counting_command_tells_and_draws(tmp_path: Path) -> None:
    picture = tmp_path / "count.svg"
    arguments = ("counting", "baccarat", "--wager", "Tie", "--trigger", "1/2", "--shoes", "60")
    told = run_json(*arguments, "--tags", "removal", "-o", str(picture))
    assert told["rounds"] > 4000
    assert sum(each["rounds"] for each in told["by_true_count"]) == told["rounds"]
    assert sum(each["rounds"] for each in told["by_penetration"]) == told["rounds"]
    assert "true count" in picture.read_text("utf-8")
    out = run(*arguments, "--tags", "A:1,10:-1,4h:3")
    for line in ("index per hand", "index per shoe", "gain per 100 hands", "gain per hour of 70", "90 to 100%"):
        assert line in out
    out = run("counting", "tiger", "--wager", "Tiger", "--tags", "A:0", "--trigger", "5", "--shoes", "2")
    assert "never: there is no gain" in out


def test_a_number_of_shoes_is_told_with_bounds_or_not_at_all() -> None:
    assert "unknown: the gain is not distinguishable from 0" in run(*TIGER, "--shoes", "300", "--seed", "1")
    told = run_json(*TIGER, "--shoes", "300", "--seed", "1")
    assert told["shoes_to_one_deviation_bounds"] is None
    tie = ("counting", "tiger", "--wager", "Tie", "--tags", "A:0", "--trigger", "0", "--shoes", "300")
    assert "never: there is no gain" in run(*tie)


def test_every_estimate_has_its_error_and_bounds() -> None:
    told = run_json(*TIGER, "--shoes", "400", "--burn", "first-card", "--hands-per-hour", "150")
    estimates = told["estimates"]
    assert set(estimates) == {
        *("frequency", "return_per_wager", "return_per_unit", "gain_per_hand", "gain_per_100_hands", "gain_per_shoe"),
        *("gain_per_hour", "index_per_hand", "index_per_shoe", "rounds_per_shoe", "wagers_per_shoe"),
    }
    known = [each["return_of_unit"] for each in told["by_true_count"] if each["rounds"] > 300]
    assert len(known) > 5
    for each in [*estimates.values(), *known]:
        assert each["low"] <= each["value"] <= each["high"]
        assert each["standard_error"] >= 0
    assert Fraction(estimates["gain_per_hour"]["exact"]) == 150 * Fraction(estimates["gain_per_hand"]["exact"])
    assert told["frequency"] == estimates["frequency"]["exact"]
    settings = told["settings"]
    assert (settings["burn"], settings["burn_card_seen"], settings["cards"], settings["cut"]) == (
        "first-card",
        True,
        416,
        14,
    )
    assert settings["tags"] == "3:-1,4:-1,5:-1,6:-2,7:1,8:2,9:2"
    assert settings["conditions"] == [{"at_least": "8/1", "count": "true", "weights": ["1/1", "0/1"]}]


def test_unbalanced_counts_co_counts_and_stakes_have_options() -> None:
    dragon = ("counting", "tiger", "--wager", "Tiger", "--tags", "A:1,6:-1,8:2,9:2", "--shoes", "50", "--seed", "4")
    running = run_json(*dragon, "--running", "--initial", "-4", "--trigger", "-10")
    assert running["by_true_count"] == []
    assert sum(each["rounds"] for each in running["by_running_count"]) == running["rounds"]
    assert running["settings"]["initial"] == "-4/1"
    first = min(each["running_count"] for each in running["by_running_count"])
    assert first <= -32  # eight decks begin there
    beside = ("--co-tags", "8:-3,K:1/2", "--co-initial", "1")
    both = run_json(*dragon, "--trigger", "2", *beside, "--co-trigger", "4", "--co-running")
    alone = run_json(*dragon, "--trigger", "2")
    assert 0 < both["wagered"] < alone["wagered"]
    assert both["settings"]["conditions"][1] == {"at_least": "4/1", "count": "running", "weights": ["0/1", "1/1"]}
    mixed = run_json(*dragon, "--trigger", "2", *beside, "--co-weight", "1/2")
    assert mixed["settings"]["conditions"] == [{"at_least": "2/1", "count": "true", "weights": ["1/1", "1/2"]}]
    rising = run_json(*dragon, "--trigger", "2", "--step", "1/2", "--most", "6")
    assert rising["wagered"] == alone["wagered"]
    staked = [sum(each["staked"] for each in told["by_true_count"]) for told in (alone, rising)]
    assert alone["wagered"] == staked[0] < staked[1] <= 6 * staked[0]
    assert "1 to 6 units, one more for each 1/2" in run(*dragon, "--trigger", "2", "--step", "1/2", "--most", "6")


def test_the_exposed_first_card_may_be_missed() -> None:
    arguments = ("counting", "tiger", "--wager", "Tie", "--tags", "8:1", "--trigger", "1", "--shoes", "100")
    seen, unseen = (run_json(*arguments, "--burn", "first-card", *more) for more in ((), ("--burn-card-unseen",)))
    assert seen["rounds"] == unseen["rounds"]
    assert seen["wagered"] != unseen["wagered"]


REFUSED = {
    "--tags A:1 --trigger 1e99": "expected a number such as 3",
    "--tags A:1,A:2 --trigger 1": "--tags: A has two tags",
    "--tags A:1 --trigger 1 --burn 410": "no round can be dealt",
    "--tags A --trigger 1": "--tags: expected a rank or card and its tag",
    "--tags A:1.5e3 --trigger 1": "--tags: expected a rank or card and its tag",
    "--tags Zz:1 --trigger 1": "--tags: 'Zz' is not a card",
    "--tags A:1 --trigger high": "expected a number such as 3",
    "--tags A:1 --trigger 1 --workers 0": "--workers: expected 1 to 1024",
    "--tags A:1 --trigger 1 --hands-per-hour 0": "expected a number of hands an hour above zero",
    "--tags A:1 --trigger 1 --step 1": "--step and --most go together",
    "--tags A:1 --trigger 1 --most 4": "--step and --most go together",
    "--tags A:1 --trigger 1 --step 0 --most 4": "expected a step of the count above 0",
    "--tags A:1 --trigger 1 --step 1 --most 9999": "expected a largest stake of 1 to 1,000 units",
    "--tags A:1 --trigger 1 --co-trigger 2": "--co-trigger: there is no second count without --co-tags",
    "--tags A:1 --trigger 1 --co-weight 2": "--co-weight: there is no second count without --co-tags",
    "--tags A:1 --trigger 1 --co-initial 2": "--co-initial: there is no second count without --co-tags",
    "--tags A:1 --trigger 1 --co-tags 8:1": "--co-tags: expected --co-trigger or --co-weight as well",
    "--tags A:1 --trigger 1 --co-tags 8 --co-trigger 1": "--co-tags: expected a rank or card and its tag",
    "--tags A:1 --trigger 1 --co-running": "--co-running: there is no --co-trigger",
    "--tags A:1 --trigger 1 --co-tags 8:1 --co-weight 0": "a second count that the trigger does not look at",
    "--tags A:1 --trigger 1 --burn-card-unseen": "a first card is exposed only with --burn first-card",
}


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED.items())
def test_bad_input_gets_a_sentence(arguments: str, sentence: str) -> None:
    assert sentence in refused("counting", "tiger", "--wager", "Tie", "--shoes", "1", *arguments.split())


def test_shoes_and_wager_are_checked() -> None:
    arguments = ("counting", "tiger", "--tags", "A:1", "--trigger", "1")
    assert "--shoes: expected a number above zero" in refused(*arguments, "--wager", "Tie", "--shoes", "0")
    assert "has no wager 'Lucky'" in refused(*arguments, "--wager", "Lucky", "--shoes", "1")


def test_the_effects_of_removal_are_taken_exactly() -> None:
    """Rounded to whole tags they would not add up to nothing over a deck, and the count would drift."""
    arguments = ("counting", "baccarat", "--tags", "removal", "--trigger", "1", "--shoes", "1500", "--wager")
    shares = [float(Fraction(run_json(*arguments, wager)["frequency"])) for wager in ("Banker", "Player")]
    assert all(0.15 < share < 0.35 for share in shares)


def test_a_tag_of_a_card_goes_before_that_of_its_rank() -> None:
    arguments = ("counting", "tiger", "--wager", "Tie", "--trigger", "1", "--shoes", "40", "--tags")
    one, other = (run_json(*arguments, tags) for tags in ("As:3,A:-1", "A:-1,As:3"))
    assert one == other


def test_huge_tags_and_triggers_do_not_overflow() -> None:
    arguments = ("counting", "baccarat", "--wager", "Banker", "--shoes", "20")
    told = run_json(*arguments, "--tags", "A:100000000,K:-100000000", "--trigger", "999999999.999999")
    assert told["wagered"] == 0
    told = run_json(*arguments, "--tags", "A:999999999,K:-999999999", "--trigger=-999999999/7")
    assert 0 < told["wagered"] < told["rounds"]


@contextmanager
def _interrupting(*_: object) -> Iterator[Callable[[int, int], None]]:
    """A progress bar that is met by Ctrl-C as soon as something is finished."""

    def stop(_shoes: int, rounds: int) -> None:
        if rounds:
            raise KeyboardInterrupt

    yield stop


@pytest.mark.long
def test_an_interruption_gives_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.cli.study.counting.progress", _interrupting)
    endless = (*TIGER, "--shoes", "999999999", "--workers", "2")
    code, out, _ = punto(*endless, "--json")
    told = json.loads(out)
    assert (code, told["partial"]) == (130, True)
    assert 0 < told["shoes"] < 999_999_999
    assert 0.03 < told["estimates"]["frequency"]["value"] < 0.045
    code, out, _ = punto(*endless)
    assert code == 130
    assert "Interrupted: this is what was finished." in out


def test_words_of_an_answer_fit_a_terminal() -> None:
    code, out, _ = punto(*TIGER, "--shoes", "100")
    assert code == 0
    assert all(len(line) <= 100 for line in out.splitlines())
