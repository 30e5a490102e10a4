"""Card counting: against counting card by card in plain Python, and figures with their errors."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest
from reference import slow_count, slow_dealer
from reference.slow_count import SlowRound, SlowShoes
from support.long import others_long

from punto import Composition, Shoes, Unlawful, load
from punto.cards import DECK, Card, Rank
from punto.lab.counts.count_system import CountStakes, CountSystem, CountTrigger, Tags
from punto.lab.counts.counting import Counting, counting
from punto.simulate import round_sequences
from punto.simulate.simulation import CHUNK

SHOES, SEED = 24, 6
MAIN: Tags = {"6": -1, "A": 1, "9": Fraction(1, 2), "Ks": 3}
SIDE: Tags = {Rank.EIGHT: 2, Rank.NINE: -1, Rank.KING: -1}


def _main(card: Card) -> Fraction:
    by_rank = {"6": Fraction(-1), "A": Fraction(1), "9": Fraction(1, 2)}
    return Fraction(3) if str(card) == "Ks" else by_rank.get(card.rank.value, Fraction(0))


def _side(card: Card) -> Fraction:
    return Fraction({"8": 2, "9": -1, "K": -1}.get(card.rank.value, 0))


CASES = {
    "true count": (CountSystem(MAIN), CountTrigger.true(Fraction(1, 2)), CountStakes()),
    "running count": (CountSystem(MAIN, initial=-1), CountTrigger.running(Fraction(-5, 2)), CountStakes()),
    "rising stakes": (CountSystem(MAIN), CountTrigger.true(0), CountStakes.rising(Fraction(1, 3), 5)),
    "rising running": (CountSystem(MAIN), CountTrigger.running(1), CountStakes.rising(2, 3)),
    "two counts": (
        CountSystem(MAIN, 0, CountSystem(SIDE, Fraction(1, 3))),
        CountTrigger.true(0) & CountTrigger.running(2, weights=(0, 1)),
        CountStakes(),
    ),
    "combined": (
        CountSystem(MAIN, 0, CountSystem(SIDE)),
        CountTrigger.true(Fraction(1, 4), weights=(1, Fraction(-1, 2))),
        CountStakes.rising(1, 2),
    ),
}


def _slow_stake(name: str, running: tuple[Fraction, ...], unseen: int) -> int:
    """What each case stakes, worked out again."""
    true = [count / Fraction(unseen, 52) for count in running]
    if name == "true count":
        return int(true[0] >= Fraction(1, 2))
    if name == "running count":
        return int(running[0] >= Fraction(-5, 2))
    if name == "rising stakes":
        return 0 if true[0] < 0 else min(5, 1 + math.floor(true[0] * 3))
    if name == "rising running":
        return 0 if running[0] < 1 else min(3, 1 + math.floor((running[0] - 1) / 2))
    if name == "two counts":
        return int(true[0] >= 0 and running[1] >= 2)
    mixed = true[0] - true[1] / 2 - Fraction(1, 4)
    return 0 if mixed < 0 else min(2, 1 + math.floor(mixed))


def _count_shown(name: str, each: SlowRound) -> int:
    """The count by which each case groups its rounds."""
    if name in ("running count", "rising running"):
        return math.floor(each.running[0])
    return math.floor(each.true(0) - each.true(1) / 2 if name == "combined" else each.true(0))


DEALT = {
    "no burn": SlowShoes([], 14, 0, 0),
    "by the first card": SlowShoes([], 20, "first-card", 1),
    "unseen first card": SlowShoes([], 20, "first-card", 1, burn_card_seen=False),
    "five burnt": SlowShoes([], 30, 5, 2),
    "to the last card": SlowShoes([], 0, "first-card", 5),
}


def _both(name: str, how: str) -> tuple[Counting, list[SlowRound]]:
    book, (system, trigger, stakes), dealt = load("tiger"), CASES[name], DEALT[how]
    cards = Composition.of_decks(2)
    shoes = Shoes(cards, dealt.cut, dealt.burn, dealt.after)
    found = counting(
        book, "Tiger", system, trigger, SHOES, SEED, shoes, stakes=stakes, burn_card_seen=dealt.burn_card_seen
    )
    slow = SlowShoes(slow_dealer.in_order(cards.counts()), dealt.cut, dealt.burn, dealt.after, dealt.burn_card_seen)
    begins = [system.initial * 2, *([system.second.initial * 2] if system.second else [])]
    counts = (_main, _side)[: len(begins)]
    rounds = slow_count.rounds(
        "tiger",
        "Tiger",
        slow,
        counts,
        tuple(begins),
        lambda running, unseen: _slow_stake(name, running, unseen),
        seed=SEED,
        shoes=SHOES,
    )
    return found, list(rounds)


def _per_shoe(rounds: list[SlowRound]) -> list[list[SlowRound]]:
    shoes: list[list[SlowRound]] = [[] for _ in range(SHOES)]
    for each in rounds:
        shoes[each.shoe].append(each)
    return shoes


@pytest.mark.parametrize("how", others_long(DEALT))
@pytest.mark.parametrize("name", CASES)
def test_every_round_is_counted_as_by_hand(name: str, how: str) -> None:
    found, slow = _both(name, how)
    figures = found.figures
    assert found.rounds == len(slow)
    assert figures.wagered == sum(each.stake > 0 for each in slow) > 5
    assert figures.staked == sum(each.stake for each in slow)
    assert found.gain == sum(each.stake * each.gain for each in slow)
    assert figures.gain_of_unit == sum(each.gain for each in slow)
    by_count, by_decile = defaultdict(list), defaultdict(list)
    for each in slow:
        by_count[_count_shown(name, each)].append(each)
        by_decile[each.place * 10 // 104].append(each)
    for groups, told in ((by_count, found.by_count), (by_decile, found.by_decile)):
        assert list(told) == sorted(groups)
        for key, rounds in groups.items():
            assert told[key].rounds == len(rounds)
            assert told[key].staked == sum(each.stake for each in rounds)
            assert told[key].gain == sum(each.stake * each.gain for each in rounds)
            assert told[key].gain_of_unit == sum(each.gain for each in rounds)


@pytest.mark.parametrize("name", CASES)
def test_errors_take_shoes_as_the_unit(name: str) -> None:
    """Textbook formulas over lists of shoes, and for the index the jackknife, which knows nothing of derivatives."""
    found, slow = _both(name, "by the first card")
    shoes = _per_shoe(slow)
    won = [sum((each.stake * each.gain for each in shoe), Fraction(0)) for shoe in shoes]
    rounds = [Fraction(len(shoe)) for shoe in shoes]
    wagers = [Fraction(sum(each.stake > 0 for each in shoe)) for shoe in shoes]
    staked = [Fraction(sum(each.stake for each in shoe)) for shoe in shoes]
    ratios = {
        "frequency": (wagers, rounds),
        "return_per_wager": (won, wagers),
        "return_per_unit": (won, staked),
        "gain_per_hand": (won, rounds),
    }
    for figure, (above, below) in ratios.items():
        told = getattr(found, figure)
        assert told.value == sum(above) / sum(below)
        assert told.standard_error == pytest.approx(slow_count.ratio_error(list(zip(above, below, strict=True))))
    assert found.gain_per_shoe.value == sum(won) / SHOES
    assert found.gain_per_shoe.standard_error == pytest.approx(slow_count.mean_error(won))
    assert found.deviation_per_shoe == pytest.approx(slow_count.mean_error(won) * math.sqrt(SHOES - 1))

    def index(chosen: list[SlowRound]) -> float:
        gain = sum(each.stake * each.gain for each in chosen)
        squares = sum(each.stake**2 for each in chosen)
        return 1000 * float(gain) / math.sqrt(len(chosen) * squares * found.base_variance)

    assert found.index_per_hand.value == pytest.approx(index(slow))
    assert found.index_per_hand.standard_error == pytest.approx(slow_count.left_out(slow, SHOES, index), rel=0.2)


def test_errors_of_groups_take_all_shoes_as_the_unit() -> None:
    found, slow = _both("true count", "no burn")
    for count, told in found.by_count.items():
        chosen = [[each for each in shoe if _count_shown("true count", each) == count] for shoe in _per_shoe(slow)]
        pairs = [(sum((each.gain for each in shoe), Fraction(0)), Fraction(len(shoe))) for shoe in chosen]
        error = slow_count.ratio_error(pairs)  # 0 where all gained the same: then there is none to tell
        assert told.return_of_round.standard_error == pytest.approx(error or math.nan, nan_ok=True)


def test_workers_do_not_change_the_figures() -> None:
    book, shoes = load("baccarat"), CHUNK + 500
    one, two = (
        counting(book, "Tie", "A:-1,4:2,9:1", 1, shoes, workers=workers, shoe=Shoes.of(book, 6)) for workers in (1, 2)
    )
    assert one.tally == two.tally
    assert one.shoes == shoes
    assert not one.partial


def test_an_interrupt_returns_what_is_finished() -> None:
    def stop(_shoes: int, rounds: int) -> None:
        if rounds:
            raise KeyboardInterrupt

    found = counting(load("tiger"), "Tie", "8:1", 1, 10**9, workers=2, progress=stop)
    assert found.partial
    assert "partial" in repr(found)
    assert 0 < found.shoes < 10**8
    assert found.shoes % CHUNK == 0
    assert 80 < found.figures.rounds_per_shoe.value < 84


def test_a_count_without_tags_wagers_always_or_never() -> None:
    book = load("baccarat")
    always, never = (counting(book, "Tie", {}, trigger, 50, shoe=Shoes.of(book, 6)) for trigger in (0, 1))
    assert always.wagered == always.rounds
    assert always.frequency.value == 1
    assert always.frequency.standard_error == 0
    assert never.wagered == never.gain == 0
    assert never.index_per_hand.value == never.index_per_shoe.value == 0
    assert math.isnan(never.return_per_unit.standard_error)
    assert never.shoes_to_one_deviation is None
    assert never.shoes_to_one_deviation_bounds is None


def test_gains_per_hour_and_hundred_hands_are_multiples_of_those_per_hand() -> None:
    found = counting(load("tiger"), "Tie", "8:1", 1, 200, hands_per_hour=150)
    assert found.gain_per_100_hands.value == 100 * found.gain_per_hand.value
    assert found.gain_per_hour.value == 150 * found.gain_per_hand.value
    assert found.gain_per_hour.standard_error == pytest.approx(150 * found.gain_per_hand.standard_error)
    bounds = found.gain_per_hour
    assert bounds.low < bounds.value < bounds.high


def test_a_gain_within_its_error_promises_no_number_of_shoes() -> None:
    book = load("tiger")
    few = counting(book, "Big Tiger", "3:-1,4:-1,5:-1,6:-2,7:1,8:2,9:2", 8, 300, seed=1)
    assert few.gain_per_shoe.sign == 0
    assert few.shoes_to_one_deviation is not None
    assert few.shoes_to_one_deviation_bounds is None
    # Without one ten-valued card in the shoe: a wager on every round, far in the patron's favour.
    rich = Composition([card for card in DECK if card.rank in (Rank.ACE, Rank.TWO, Rank.FOUR)] * 8)
    sure = counting(book, "Tie", {}, 0, 400, shoe=Shoes(rich))
    bounds = sure.shoes_to_one_deviation_bounds
    assert bounds is not None
    assert bounds[0] < (sure.shoes_to_one_deviation or 0) < bounds[1]


def test_the_shoes_are_those_of_earlier_editions() -> None:
    """As recorded before a row of the kernel carried the first card of the shoe."""
    found = counting(load("baccarat"), "Player Pair", "A:1,K:-1", 2, 5000)
    assert (found.rounds, found.wagered) == (410_078, 27_204)
    assert round(found.gain_per_shoe.value, 4) == Fraction("-0.5712")


MANY = Shoes(Composition.of_decks(20))


@pytest.mark.parametrize(
    ("arguments", "kind", "sentence"),
    [
        ({"shoes": 0}, ValueError, "expected a number of shoes above zero, not 0"),
        ({"shoes": 1.5}, ValueError, "expected a number of shoes above zero, not 1.5"),
        ({"workers": 0}, ValueError, "expected a number of workers above zero, not 0"),
        ({"hands_per_hour": 0}, ValueError, "expected a number of hands an hour above zero"),
        ({"seed": "7"}, ValueError, "expected a whole number as the seed, not '7'"),
        ({"trigger": 0.5}, TypeError, "the trigger: expected a whole number or a fraction, not 0.5"),
        ({"trigger": CountTrigger.true(1, (0, 1))}, ValueError, "asks for a second count, and the count system has"),
        ({"system": CountSystem("A:1", 0, CountSystem("8:1"))}, ValueError, "that the trigger does not look at"),
        ({"system": {"A": Fraction(1, 10**17)}}, ValueError, "too fine for an exact count; round them"),
        ({"stakes": CountStakes.rising(1, 1000), "shoe": MANY, "wager": "Tiger Pair"}, ValueError, "cannot be summed"),
        ({"wager": "Lucky"}, Unlawful, "has no wager 'Lucky'"),
        ({"stakes": 0}, TypeError, r"expected stakes, such as CountStakes.rising\(2, 5\), found 0"),
        ({"stakes": 5}, TypeError, r"expected stakes, such as CountStakes.rising\(2, 5\), found 5"),
        ({"burn_card_seen": "no"}, TypeError, "expected True or False as burn_card_seen, found 'no'"),
        ({"progress": "x"}, TypeError, "expected a function as progress, found 'x'"),
        ({"shoes": True}, ValueError, "expected a number of shoes above zero, not True"),
        ({"seed": True}, ValueError, "expected a whole number as the seed, not True"),
    ],
)
def test_what_cannot_be_counted_is_refused(arguments: dict[str, object], kind: type, sentence: str) -> None:
    given: dict[str, object] = {"wager": "Tie", "system": "8:1", "trigger": 1, "shoes": 1} | arguments
    with pytest.raises(kind, match=sentence):
        counting(load("tiger"), **given)  # type: ignore[arg-type]


def test_the_picture_shows_counts_and_penetration(tmp_path: Path) -> None:
    from punto.report.plots.study_plots import plot_counting

    for trigger in (CountTrigger.true(1), CountTrigger.running(2)):
        found = counting(load("baccarat"), "Tie", "8:1,A:-1", trigger, 100)
        plot_counting(found, tmp_path / "count.svg")
        text = (tmp_path / "count.svg").read_text("utf-8")
        assert ("running count" if trigger.first.running else "true count") in text
        assert "share of the shoe dealt" in text


def test_a_block_of_rounds_names_the_first_card_of_each_shoe() -> None:
    book, cards = load("tiger"), slow_dealer.in_order(Composition.of_decks(4).counts())
    dealt = Shoes(Composition.of_decks(4), 20, "first-card")
    firsts = [shoe[0] for shoe in slow_dealer.shoes(3, 40, cards, 20, 0)]
    for block in round_sequences.rounds(book, 40, 3, dealt):
        assert [DECK[card] for card in block.first] == [firsts[shoe] for shoe in block.shoe]
