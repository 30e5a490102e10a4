"""Staking plans and card counting: against plain reckoning round by round."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from reference import slow_dealer
from support.command import punto, refused, run_json

from punto import load, odds, settle
from punto.cards import DECK, Rank
from punto.lab.counting import counting
from punto.lab.staking import PLANS, PlanInput, Terms, staking
from punto.simulate import Shoes

WIN, LOSS, PUSH = 20, -20, 0


def _stakes(plan: str, *gains: int) -> list[int]:
    """What a plan stakes, one round after the other."""
    play, staked = PlanInput(parts=20, bankroll_parts=2000), []
    for gain in (*gains, 0):
        staked.append(PLANS[plan](play))
        play.last_stake, play.last_gain = staked[-1], gain
    return staked


@pytest.mark.parametrize(
    ("plan", "gains", "stakes"),
    [
        ("flat", [LOSS, WIN, PUSH], [1, 1, 1, 1]),
        ("martingale", [LOSS, LOSS, PUSH, LOSS, WIN, PUSH], [1, 2, 4, 4, 8, 1, 1]),
        ("d-alembert", [LOSS, LOSS, WIN, PUSH, WIN, WIN], [1, 2, 3, 2, 2, 1, 1]),
        ("fibonacci", [LOSS, LOSS, LOSS, LOSS, PUSH, WIN, WIN, WIN], [1, 1, 2, 3, 5, 5, 2, 1, 1]),
        ("paroli", [WIN, PUSH, WIN, WIN, WIN, LOSS], [1, 2, 2, 4, 1, 2, 1]),
    ],
)
def test_plans_stake_what_they_say(plan: str, gains: list[int], stakes: list[int]) -> None:
    assert _stakes(plan, *gains) == stakes


def test_sessions_are_the_shoes_round_by_round() -> None:
    """The first sessions again, dealt slowly and reckoned in fractions."""
    book, terms = load("baccarat"), Terms(bankroll=12, minimum=2, maximum=6, longest=40)
    found = staking(book, "Banker", PLANS["martingale"], 30, terms, seed=8)
    wager = book.wager("Banker")
    gains = (
        settle(wager, coup).pays
        for shoe in slow_dealer.shoes(8, 40, slow_dealer.in_order(book.shoe(8).counts()), 14, 0)
        for coup in slow_dealer.rounds(shoe, 14, 0, 0)
        if coup
    )
    for session in found.sessions:
        bankroll, path, last, uncovered = Fraction(12), list[Fraction](), (0, Fraction(0)), False
        while len(path) < 40:
            units, gain = last
            units = 2 * units if units and gain < 0 else units if units and gain == 0 else 1
            stake = min(6, 2 * units)
            if stake > bankroll:
                uncovered = True
                break
            last = units, next(gains)
            bankroll += stake * last[1]
            path.append(bankroll)
        assert session.path == tuple(path)
        assert (session.final, session.uncovered, session.rounds) == (bankroll, uncovered, len(path))
        assert session.ruined == (bankroll < 2)
        peaks = [max([Fraction(12), *path[: at + 1]]) for at in range(len(path))]
        assert session.drawdown == max((peak - each for peak, each in zip(peaks, path, strict=True)), default=0)
        assert session.lowest == min([Fraction(12), *path])


@pytest.mark.long
def test_whatever_the_plan_the_house_keeps_its_edge() -> None:
    book = load("tiger")
    edge = odds(book)["Player"].house_edge
    for plan in PLANS.values():
        found = staking(book, "Player", plan, 400, Terms(bankroll=10**6, longest=500), seed=1, followed=0)
        assert found.ruin_probability == 0
        assert abs(found.lost_per_unit_staked - edge) < Fraction(1, 50)
        assert found.mean_rounds == 500


def test_a_count_is_what_counting_by_hand_gives() -> None:
    book, tags = load("tiger"), {card: {Rank.SIX: -1, Rank.ACE: 1}.get(card.rank, 0) for card in DECK}
    found = counting(book, "Tiger", tags, Fraction(1, 2), 40, seed=6)
    wager, wagered, gain, rounds, squares = book.wager("Tiger"), 0, Fraction(0), 0, Fraction(0)
    by_count: dict[int, list[Fraction]] = {}
    for shoe in slow_dealer.shoes(6, 40, slow_dealer.in_order(book.shoe(8).counts()), 14, 0):
        running, place, of_shoe = 0, 0, Fraction(0)
        for coup in slow_dealer.rounds(shoe, 14, 0, 0):
            assert coup
            true = Fraction(running * 52, 416 - place)
            pays = settle(wager, coup).pays
            by_count.setdefault(true.__floor__(), []).append(pays)
            if true >= Fraction(1, 2):
                wagered += 1
                of_shoe += pays
            cards = coup.in_dealing_order()
            running, place, rounds = running + sum(tags[card] for card in cards), place + len(cards), rounds + 1
        gain += of_shoe
        squares += of_shoe**2
    assert wagered > 50
    assert (found.rounds, found.wagered, found.gain, found.squares_of_shoes) == (rounds, wagered, gain, squares)
    assert found.by_true_count == {count: (len(each), sum(each)) for count, each in sorted(by_count.items())}
    assert found.frequency == Fraction(wagered, rounds)


def test_a_count_without_tags_wagers_always_or_never() -> None:
    book = load("baccarat")
    always, never = (counting(book, "Tie", {}, trigger, 50, dealt=Shoes.of(book, 6)) for trigger in (0, 1))
    assert always.wagered == always.rounds
    assert never.wagered == never.gain == 0
    assert never.desirability == 0
    assert never.shoes_to_one_deviation is None


@pytest.mark.long
def test_the_staking_command_tells_and_draws(tmp_path: Path) -> None:
    picture = tmp_path / "bankrolls.svg"
    arguments = ("staking", "tiger", "--wager", "Banker", "--plan", "paroli", "--sessions", "50", "--rounds", "80")
    told = run_json(*arguments, "-o", str(picture))
    assert (told["sessions"], told["plan"], told["bankroll"]) == (50, "paroli", 100)
    assert [each["share"] for each in told["quantiles"]] == ["1/20", "1/4", "1/2", "3/4", "19/20"]
    assert "sessions that end there" in picture.read_text("utf-8")
    code, out, _ = punto(*arguments)
    assert code == 0
    assert "lost of every unit staked" in out


def test_a_plan_of_ones_own_is_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plans = """
import sys
def never(play): return 0
def nonsense(play): return 1.5
def less(play): return -1
def fails(play): raise KeyError("what")
def cheats(play):
    play.bankroll_parts = 10**9
    return 1
nothing = None
"""
    (tmp_path / "my_plans.py").write_text(plans)
    (tmp_path / "leaves.py").write_text("import sys; sys.exit(0)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    arguments = ("staking", "tiger", "--wager", "tie", "--sessions", "3", "--plan")
    told = run_json(*arguments, "my_plans:never")
    assert (told["mean_result"], told["mean_rounds"]) == ("0/1", "600/1")
    assert Fraction(run_json(*arguments, "my_plans:cheats")["mean_result"]) < 10**6
    assert "the plan fails in round 1: TypeError" in refused(*arguments, "my_plans:nonsense")
    assert "the plan wants to stake -1 units in round 1: 0 sits it out" in refused(*arguments, "my_plans:less")
    assert "the plan fails in round 1: KeyError: 'what'" in refused(*arguments, "my_plans:fails")
    assert "expected a function" in refused(*arguments, "my_plans:nothing")
    assert "AttributeError" in refused(*arguments, "my_plans:none")
    assert "SystemExit" in refused(*arguments, "leaves:plan")


def test_the_counting_command_tells_and_draws(tmp_path: Path) -> None:
    picture = tmp_path / "count.svg"
    arguments = ("counting", "baccarat", "--wager", "Tie", "--trigger", "1/2", "--shoes", "60")
    told = run_json(*arguments, "--tags", "removal", "-o", str(picture))
    assert told["rounds"] > 4000
    assert sum(each["rounds"] for each in told["by_true_count"]) == told["rounds"]
    assert "true count" in picture.read_text("utf-8")
    code, out, _ = punto(*arguments, "--tags", "A:1,10:-1,4h:3")
    assert code == 0
    assert "desirability" in out
    code, out, _ = punto("counting", "tiger", "--wager", "Tiger", "--tags", "A:0", "--trigger", "5", "--shoes", "2")
    assert "never: there is no gain" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("staking tiger --wager Lucky", "--wager: Tiger Baccarat has no wager 'Lucky'; it has Player, Banker"),
        ("staking tiger --wager Tie --burn 415", "no round can be dealt"),
        ("counting tiger --wager Tie --tags A:1 --trigger 1e99 --shoes 1", "expected a number such as 3"),
        ("counting tiger --wager Tie --tags A:1,A:2 --trigger 1 --shoes 1", "--tags: A has two tags"),
        ("counting tiger --wager Tie --tags A:1 --trigger 1 --shoes 1 --burn 410", "no round can be dealt"),
        ("staking tiger --wager Tie --plan hope", "--plan: expected flat, martingale"),
        ("staking tiger --wager Tie --plan no_such_module:plan", "--plan no_such_module:plan: ModuleNotFoundError"),
        ("staking tiger --wager Tie --bankroll 0", "expected a bankroll that covers the minimum"),
        ("staking tiger --wager Tie --minimum 5 --maximum 4", "expected limits from 1 unit up"),
        ("staking tiger --wager Tie --sessions 0", "expected at least one session"),
        ("staking tiger --wager Tie -o a.txt", "expected a file name that ends in .svg"),
        ("counting tiger --wager Tie --tags A --trigger 1 --shoes 1", "--tags: expected a rank or card and its tag"),
        ("counting tiger --wager Tie --tags Zz:1 --trigger 1 --shoes 1", "'Zz' is not a card"),
        ("counting tiger --wager Tie --tags A:1 --trigger high --shoes 1", "expected a number such as 3"),
        ("counting tiger --wager Tie --tags A:1 --trigger 1 --shoes 0", "--shoes: expected a number above zero"),
        ("counting tiger --wager Lucky --tags A:1 --trigger 1 --shoes 1", "has no wager 'Lucky'"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: str, sentence: str) -> None:
    assert sentence in refused(*arguments.split())


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


def test_a_plan_moves_in_units_of_the_least_stake() -> None:
    found = staking(load("baccarat"), "Player", PLANS["paroli"], 5, Terms(1000, 10, 1000, 25), followed=5)
    moves = {abs(after - before) for each in found.sessions for before, after in pairwise((Fraction(1000), *each.path))}
    assert moves <= {Fraction(0), Fraction(10), Fraction(20), Fraction(40)}
    assert max(moves) > 10


def test_a_bankroll_gone_in_the_last_round_is_ruin() -> None:
    found = staking(load("baccarat"), "Player", PLANS["flat"], 400, Terms(bankroll=1, longest=1))
    assert found.uncovered_probability == 0
    assert Fraction(2, 5) < found.ruin_probability < Fraction(1, 2)
