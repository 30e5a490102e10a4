"""Staking plans and card counting: against plain reckoning round by round."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
import slow_dealer
from command import punto, refused, run_json

from punto import load, odds, settle
from punto.cards import DECK, Rank
from punto.simulate import Shoes
from punto.simulate.counting import counting
from punto.simulate.staking import PLANS, Play, Terms, staking

WIN, LOSS, PUSH = 20, -20, 0


def _stakes(plan: str, *gains: int) -> list[int]:
    """What a plan stakes, one round after the other."""
    play, staked = Play(parts=20, bankroll_parts=2000), []
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
        bankroll, path, last, ruined = Fraction(12), list[Fraction](), (0, Fraction(0)), False
        while len(path) < 40:
            stake, gain = last
            wanted = 2 * stake if stake and gain < 0 else stake if stake and gain == 0 else 1
            stake = min(6, max(2, wanted))
            if stake > bankroll:
                ruined = True
                break
            last = stake, next(gains)
            bankroll += stake * last[1]
            path.append(bankroll)
        assert session.path == tuple(path)
        assert (session.final, session.ruined, session.rounds) == (bankroll, ruined, len(path))
        peaks = [max([Fraction(12), *path[: at + 1]]) for at in range(len(path))]
        assert session.drawdown == max((peak - each for peak, each in zip(peaks, path, strict=True)), default=0)
        assert session.lowest == min([Fraction(12), *path])


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
    assert never.shoes_to_be_ahead is None


def test_the_staking_command_tells_and_draws(tmp_path: Path) -> None:
    picture = tmp_path / "bankrolls.svg"
    arguments = ("staking", "tiger", "--wager", "Banker", "--plan", "paroli", "--sessions", "50", "--rounds", "80")
    told = run_json(*arguments, "--plot", str(picture))
    assert (told["sessions"], told["plan"], told["bankroll"]) == (50, "paroli", 100)
    assert [each["share"] for each in told["quantiles"]] == ["1/20", "1/4", "1/2", "3/4", "19/20"]
    assert "sessions that end there" in picture.read_text("utf-8")
    code, out, _ = punto(*arguments)
    assert code == 0
    assert "lost of every unit staked" in out


def test_a_plan_of_ones_own_is_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "my_plans.py").write_text("def never(play):\n    return 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    told = run_json("staking", "tiger", "--wager", "Tie", "--plan", "my_plans:never", "--sessions", "3")
    assert (told["mean_result"], told["mean_rounds"]) == ("0/1", "600/1")


def test_the_counting_command_tells_and_draws(tmp_path: Path) -> None:
    picture = tmp_path / "count.svg"
    arguments = ("counting", "baccarat", "--wager", "Tie", "--trigger", "1/2", "--shoes", "60")
    told = run_json(*arguments, "--tags", "removal", "--plot", str(picture))
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
        ("staking tiger --wager Lucky", "--wager: Tiger Baccarat has no wager 'Lucky'"),
        ("staking tiger --wager Tie --plan hope", "--plan: expected flat, martingale"),
        ("staking tiger --wager Tie --plan no_such_module:plan", "--plan no_such_module:plan: No module"),
        ("staking tiger --wager Tie --bankroll 0", "expected a bankroll that covers the minimum"),
        ("staking tiger --wager Tie --minimum 5 --maximum 4", "expected limits from 1 unit up"),
        ("staking tiger --wager Tie --sessions 0", "expected at least one session"),
        ("staking tiger --wager Tie --plot a.txt", "expected a file name that ends in .svg"),
        ("counting tiger --wager Tie --tags A --trigger 1 --shoes 1", "--tags: expected a rank or card and its tag"),
        ("counting tiger --wager Tie --tags Zz:1 --trigger 1 --shoes 1", "'Zz' is not a card"),
        ("counting tiger --wager Tie --tags A:1 --trigger high --shoes 1", "expected a number such as 3"),
        ("counting tiger --wager Tie --tags A:1 --trigger 1 --shoes 0", "--shoes: expected a number above zero"),
        ("counting tiger --wager Lucky --tags A:1 --trigger 1 --shoes 1", "has no wager 'Lucky'"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: str, sentence: str) -> None:
    assert sentence in refused(*arguments.split())
