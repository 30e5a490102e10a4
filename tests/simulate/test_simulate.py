"""The simulation against a slow dealer of its own, against exact odds, and against chance."""

from __future__ import annotations

import math
import signal
import time
from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from reference import slow_dealer

from punto import APPROVED, Composition, load, odds, parse_cards, settle, simulate
from punto.cards import DECK
from punto.rules.outcome_classes import classes_for
from punto.simulate import BY_FIRST_CARD, Shoes
from punto.simulate.kernel import LANES
from punto.simulate.lookup_tables import Tables
from punto.simulate.round_file import frame, write_rounds
from punto.simulate.round_sequences import rounds
from punto.simulate.simulation import CHUNK

MIXED = Path(__file__).parents[1] / "rules" / "mixed.toml"
GAMES: list[str | Path] = [*APPROVED, MIXED]
"""By name or file: the file is loaded by the tests that use it, not by every process that collects them."""
FEW = Composition(parse_cards("As 2h 3c 4d 5s 6h 7c 8d 9s Th Jc Qd Ks As 6d 4h 4c"))


def keys(game: str | Path) -> str:
    return Path(game).stem


@pytest.mark.parametrize("game", [*APPROVED, pytest.param(MIXED, marks=pytest.mark.long)], ids=keys)
@pytest.mark.parametrize(
    "dealt",
    [
        Shoes(Composition.of_decks(8)),
        Shoes(Composition.of_decks(4), cut=52, burn=BY_FIRST_CARD),
        Shoes(Composition.of_decks(1), cut=1, burn=3),
        Shoes(Composition.of_decks(2), cut=20, rounds_after=2),
        Shoes(FEW, cut=0),
        Shoes(FEW, cut=10, rounds_after=50),
        Shoes(Composition(parse_cards("As 2h 3c 4d 5s 6h")), cut=0),
        Shoes(Composition(parse_cards("As 2h 3c 4d 5s 6h 9d 9h")), cut=7),
    ],
    ids=["eight", "first-card", "burn", "after", "few", "all", "six", "early"],
)
def test_every_round_is_the_slow_dealers(game: str | Path, dealt: Shoes) -> None:
    """Counts of every outcome of every wager, for a number of shoes that does not fill the lanes."""
    rulebook = load(game)
    count, found = 61, Counter[tuple[str, str]]()
    played = 0
    shoes = slow_dealer.shoes(5, count, slow_dealer.in_order(dealt.cards.counts()), dealt.cut, dealt.rounds_after)
    for shoe in shoes:
        for coup in slow_dealer.rounds(shoe, dealt.cut, dealt.burn, dealt.rounds_after):
            played += 1
            for wager in rulebook.wagers:
                found[wager.name, settle(wager, coup).outcome if coup else "void"] += 1
    simulated = simulate(rulebook, count, seed=5, shoe=dealt, workers=1)
    assert simulated.rounds == played
    for each in simulated.wagers:
        assert {one.outcome: one.count for one in each.outcomes if one.count} == {
            outcome: number for (name, outcome), number in found.items() if name == each.wager.name
        }


@pytest.mark.parametrize(
    ("game", "decks"),
    [
        pytest.param(each, decks, marks=[] if decks == 8 and each != MIXED else pytest.mark.long)
        for each in GAMES
        for decks in (4, 8, 10)
        if decks <= 8 or (each != MIXED and decks <= load(each).decks.most)
    ],
    ids=lambda value: value if isinstance(value, int) else keys(value),
)
def test_returns_agree_with_exact_odds_within_four_standard_errors(game: str | Path, decks: int) -> None:
    rulebook = load(game)
    found, exact = simulate(rulebook, 60_000, seed=decks, shoe=Shoes.of(rulebook, decks)), odds(rulebook, decks)
    assert found.rounds > 2_000_000
    for each in found.wagers:
        assert abs(each.z_score(exact[each.wager.name].expected_return)) < 4, each.wager.name
        for one, chance in zip(each.outcomes, exact[each.wager.name].outcomes, strict=True):
            spread = math.sqrt(found.rounds * float(chance.probability * (1 - chance.probability)))
            assert abs(one.count - found.rounds * float(chance.probability)) < 4.5 * spread


def _too_far(counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]], free: int) -> bool:
    """Whether counts that should be equal lie further apart than one in a hundred thousand times."""
    expected = counts.mean()
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    return abs(chi_square - free) > 4.4 * math.sqrt(2 * free)


@pytest.mark.parametrize("cards", ["As 2h 3c 4d 5s 6h", "As 2h 3c 4d 5s 6h 7c", "As 2h 3c 4d 5s 6h 7c 8d 9s"])
def test_every_order_of_a_tiny_shoe_is_equally_likely(cards: str) -> None:
    """All orders of the first six cards, out of shoes whose sizes end the shuffling in different ways."""
    pile = parse_cards(cards)
    dealt = Shoes(Composition(pile), cut=len(pile) - 1, rounds_after=9)
    tables, numbers = Tables(classes_for(load("baccarat").wagers), dealt), [DECK.index(card) for card in pile]
    orders = Counter(
        bytes(dealt)
        for rows, cards in tables.record(3, 0, 600_000)
        for dealt in cards[rows[:, 1] == 0][:, : 6 if len(pile) < 9 else 3]
    )
    possible = math.perm(len(pile), 6 if len(pile) < 9 else 3)
    assert set(orders) == {bytes(each) for each in permutations(numbers, 6 if len(pile) < 9 else 3)}
    assert not _too_far(np.array(list(orders.values())), possible - 1)


def test_every_card_is_equally_likely_in_every_place() -> None:
    """Also over the shoes of one lane one after the other: nothing of a shoe is left in the next."""
    counts = np.zeros((402, 52), np.int64)
    following = np.zeros((52, 52), np.int64)
    last = None
    for block in rounds(load("tiger"), 60_000, seed=2):
        for at in range(6):
            within = block.taken > at
            np.add.at(counts, (np.minimum(block.place + at, 401)[within], block.cards[:, at][within]), 1)
        firsts = block.cards[block.number == 1][:, 0]
        before = np.concatenate([last, firsts[:-LANES]]) if last is not None else firsts[:-LANES]
        np.add.at(following, (before, firsts if last is not None else firsts[LANES:]), 1)
        last = firsts[-LANES:]
    for place in range(0, 400, 21):
        assert not _too_far(counts[place], 51), place
    assert not _too_far(following, 52 * 52 - 1)


def test_threads_do_not_change_the_answer() -> None:
    book, shoes = load("fabulous-4"), 3 * CHUNK + 1000
    one, two, five = (simulate(book, shoes, seed=9, workers=workers) for workers in (1, 2, 5))
    assert one.wagers == two.wagers == five.wagers
    assert one.shoes == shoes
    other = simulate(book, shoes, seed=10)
    assert other.wagers != one.wagers


def test_the_rounds_written_down_are_those_that_were_counted() -> None:
    for book in (load("tiger"), load(MIXED)):
        shoes = CHUNK + 700
        found, counted = Counter[tuple[str, str]](), simulate(book, shoes, seed=4)
        seen = 0
        for block in rounds(book, shoes, seed=4):
            seen += len(block)
            for wager in book.wagers:
                gains, unit = block.returns(wager)
                for gain, number in zip(*np.unique(gains, return_counts=True), strict=True):
                    found[wager.name, str(gain / unit)] += int(number)
        assert seen == counted.rounds
        for each in counted.wagers:
            by_pay = Counter[str]()
            for one in each.outcomes:
                by_pay[str(float(one.pays))] += one.count
            assert {pay: number for (name, pay), number in found.items() if name == each.wager.name} == +by_pay


def test_a_frame_of_rounds_says_what_the_cards_make() -> None:
    dealt = Shoes(Composition.of_decks(1), cut=0)
    for block in rounds(load("baccarat"), 30, seed=1, shoe=dealt):
        for row in frame(block).iter_rows(named=True):
            cards = [row[f"card_{at}"] for at in range(1, 7) if row[f"card_{at}"]]
            if row["winner"] == "void":
                assert not cards
                continue
            coup = slow_dealer.deal(list(parse_cards(" ".join(cards))))
            assert coup
            assert (row["player_total"], row["banker_total"]) == (coup.player_total, coup.banker_total)
            assert (row["player_cards"], row["banker_cards"]) == (len(coup.player), len(coup.banker))
            assert row["winner"] == coup.winner.value
            pairs = (coup.outcome_class.player_first_two.pair, coup.outcome_class.banker_first_two.pair)
            assert (row["player_pair"], row["banker_pair"]) == tuple(pair is not None for pair in pairs)
        assert frame(block)["round"].min() == 1
        assert (frame(block)["winner"] == "void").any()


def test_a_shoe_that_cannot_be_is_refused() -> None:
    full = Composition.of_decks(8)
    for made in (
        lambda: Shoes(Composition(parse_cards("As 2h"))),
        lambda: Shoes(full, cut=416),
        lambda: Shoes(full, cut=-1),
        lambda: Shoes(full, burn=416),
        lambda: Shoes(full, burn="some"),
        lambda: Shoes(full, rounds_after=-1),
        lambda: simulate(load("tiger"), 0),
        lambda: simulate(load("tiger"), 1, on="paper"),
    ):
        with pytest.raises(ValueError, match=r"."):
            made()


def test_an_interrupt_leaves_no_file_and_is_raised_once(tmp_path: Path) -> None:
    """By the callback, and as a signal while the writer is at work."""

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    def press(*_: int) -> None:
        signal.raise_signal(signal.SIGINT)

    for progress in (stop, press):
        before = signal.getsignal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            write_rounds(tmp_path / "rounds.parquet", "tiger", 3000, progress=progress)
        time.sleep(0.05)  # a second interrupt would come now
        assert signal.getsignal(signal.SIGINT) is before
        assert list(tmp_path.iterdir()) == []
    assert write_rounds(str(tmp_path / "rounds.parquet"), "tiger", 5) > 300
    assert [file.name for file in tmp_path.iterdir()] == ["rounds.parquet"]
