"""The page on JSON answers and the answers themselves: the same keys, the same types, no more and no less."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest
from support.command import punto
from support.golden_answers import Case, answer, cases
from support.json_answers import Types, command_of, documented, listed, paths

from punto.cli.main import COMMANDS

_SEARCH = ("pays", "tiger", "--wager", "Tiger", "--target", "8%", "--allow", "three-card 6=20..26")
_BANKROLL = ("bankroll", "tiger", "--wager", "Player=2", "--rounds", "5", "--bankroll", "20")
_STAKING = ("staking", "tiger", "--wager", "Tie", "--sessions", "20", "--workers", "1")
_COUNTING = ("counting", "tiger", "--wager", "Tiger", "--tags", "A:-1,4:2,9:1", "--shoes", "20", "--workers", "1")
_OF_TIE = (*_COUNTING[:3], "Tie", *_COUNTING[4:])
_BEST = ("best-count", "tiger", "--wager", "Tiger", "--level", "1", "--shoes", "20", "--search-shoes", "20")
MORE: dict[str, Case] = {
    "simulate-void": ("simulate", "tiger", "--shoes", "20", "--shoe", "{shoe}", "--cut", "0", "--seen", "As"),
    "odds-void": ("odds", "tiger", "--shoe", "{shoe}", "--dealt", "P:4d,? B:6h"),
    "odds-tiger-seen": ("odds", "tiger", "--seen", "4h", "--removal"),
    "odds-cap": ("odds", "tiger", "--cap", "500", "--stake", "100"),
    "par-cap": ("report", "par", "tiger", "--cap", "500", "--stake", "Tie=100", "--stake", "Tiger=10"),
    "odds-few": ("odds", "baccarat", "--shoe", "{few}"),
    "check": ("check", "tiger"),
    "rules-diff": ("rules", "tiger-no-commission", "--diff", "tiger"),
    "rules-borrowed": ("rules", "ez-baccarat", "3.1"),
    "check-borrowed": ("check", "super-6"),
    "check-without-version": ("check", "docs/examples/lantern.toml"),
    "par": ("report", "par", "baccarat"),
    "par-without-version": ("report", "par", "docs/examples/lantern.toml"),
    "par-tiger": ("report", "par", "tiger", "--decks", "6"),
    "known-shoe": ("known", "tiger", "--positions", "1,5", "--by", "A23/TJQK", "--shoe", "{shoe}", "--seen", "As"),
    "known-never": ("known", "tiger", "--positions", "1", "--by", "colour", "--wagers", "Tie", "--summary"),
    "pays-shoe": ("pays", "baccarat", "--wager", "Tie", "--shoe", "{few}", "--seen", "As"),
    "pays-bounds": (*_SEARCH, "--at-least", "5%", "--at-most", "20%", "--monotone"),
    "bankroll-target": (*_BANKROLL, "--wager", "Tie=1/2", "--target", "30", "--seen", "4h"),
    "bankroll-shoe": (*_BANKROLL, "--shoe", "{shoe}"),
    "bankroll-long": ("bankroll", "tiger", "--wager", "Tie"),
    "staking-flat": (*_STAKING, "--rounds", "3", "--bankroll", "2", "--burn", "first-card"),
    "staking-shoe": (*_STAKING, "--rounds", "300", "--shoe", "{shoe}", "--seen", "As", "--cut", "6"),
    "counting-running": (*_COUNTING, "--trigger", "4", "--running", "--step", "2", "--most", "5", "--seen", "4h"),
    "counting-gain": (
        *_COUNTING[:3],
        "Tie",
        *_COUNTING[4:],
        "--trigger",
        "-99",
        "--shoe",
        "{ties}",
        "--burn",
        "first-card",
    ),
    "counting-never": (*_COUNTING, "--trigger", "900", "--co-tags", "6:1", "--co-trigger", "1"),
    "counting-one": (*_COUNTING[:-3], "1", "--trigger", "1"),
    "best-count": (*_BEST, "--seen", "4h"),
    "best-count-running": (*_BEST, "--running", "--balanced"),
    "best-count-shoe": (*_BEST, "--shoe", "{shoe}", "--cut", "6", "--against", "4:-1,8:2@4"),
    "best-count-never": (*_BEST[:2], "--wager", "Player", *_BEST[4:], "--cut", "300", "--against", "4:0@4"),
    "completion": ("completion", "bash"),
    "standards": ("conform",),
    "standard": ("conform", "gli-19"),
}
"""Answers that golden cases do not show: every documented key must appear in some answer."""
STUDIES = ("counting", "staking", "known", "pays", "bankroll", "bench")
QUICK = ("baccarat", "tiger", "removal", "shoe", "cut", "run", "failing", "games", "readings")


def _cases() -> dict[str, Case]:
    golden = {name: case for name, case in cases().items() if any(word in name for word in QUICK)}
    return golden | {name: case for name, case in cases().items() if case[0] in STUDIES} | MORE


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Types]:
    """The types of every path, by command, over all cases."""
    folder = tmp_path_factory.mktemp("answers")
    few, ties = folder / "few.json", folder / "ties.json"
    few.write_text('{"As": 2, "2h": 1, "Td": 1, "9c": 1}')
    ties.write_text('{"Td": 30, "9c": 6}')
    files = {"{few}": str(few), "{ties}": str(ties)}
    found: dict[str, Types] = defaultdict(lambda: defaultdict(set))
    for case in _cases().values():
        for path, kind in paths(answer(tuple(files.get(word, word) for word in case), folder)):
            found[command_of(case)][path].add(kind)
    return found


@pytest.mark.long
def test_every_key_of_an_answer_is_documented_with_its_type(answered: dict[str, Types]) -> None:
    pages = documented()
    missing = [
        f"{command}: | `{path}` | {' or '.join(sorted(kinds))} | |"
        for command, keys in answered.items()
        for path, kinds in keys.items()
        if not kinds <= pages.get(command, {}).get(path, set())
    ]
    assert missing == []


@pytest.mark.long
def test_every_documented_key_is_in_an_answer(answered: dict[str, Types]) -> None:
    pages = documented()
    assert [f"{name}: {path}" for name in answered for path in pages[name] if path not in answered[name]] == []


def test_every_command_is_on_the_page() -> None:
    told = {name.partition(" ")[0] if name.startswith("bench") else name for name in documented()}
    assert told | listed() == set(COMMANDS)
    assert not told & listed()


def test_the_page_says_how_an_interruption_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was finished is printed, marked partial, and the code is the one of all interrupted commands."""
    from punto.simulate import simulation

    def stopped(workload: simulation.Workload, _: int, totals: simulation.CountTotals, *__: object) -> None:
        totals.add(*workload.count(0))
        totals.interrupted = True

    monkeypatch.setattr(simulation, "on_threads", stopped)
    code, out, err = punto("simulate", "tiger", "--shoes", "50000", "--json")
    told = json.loads(out)
    assert (code, told["partial"], told["shoes"]) == (130, True, 16_384)
    assert err == "punto: interrupted: the answer covers what was finished\n"
    page = Path("docs/json.md").read_text("utf-8")
    assert "exit code 130" in page
