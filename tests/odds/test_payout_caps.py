"""Returns under a cap on what a table pays, against every deal of a tiny shoe settled by a table."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import ceil

import pytest

from punto import Coup, Unlawful, load, odds, pay, settle
from punto.cards import Composition, parse_cards
from punto.odds.payout_caps import alone_under_cap, under_cap
from punto.rules.settlement import shares

CARDS = "4h 4s Kd Kc 9h 9c 5d"


@pytest.mark.parametrize(
    ("cap", "stakes"),
    [
        (500_00, {"Tie": 100_00}),
        (500_01, {"Tie": 100_00, "Tiger Tie": 33_00}),
        (700_00, {"Tie": 50_00, "Tiger Pair": 99_00, "Tiger Tie": 1_00}),
    ],
)
def test_the_return_is_that_of_every_deal_of_a_tiny_shoe(cap: int, stakes: dict[str, int]) -> None:
    """Deal every order of seven cards, and pay by the proportions written out as fractions."""
    book = load("tiger")
    gained, capped, deals = Counter[str](), Counter[str](), 0
    for order in permutations(CARDS.split(), 6):
        coup = _dealt(order)
        deals += 1
        lines = {name: settle(book.wager(name), coup) for name in stakes}
        due = {name: stakes[name] * line.pays for name, line in lines.items() if line.pays > 0}
        part = min(Fraction(1), Fraction(cap, ceil(sum(due.values()) or 1)))
        whole = {name: int(each * part) for name, each in due.items()}
        rest = sorted(due, key=lambda name: whole[name] - due[name] * part)
        if part < 1:
            for name in rest[: cap - sum(whole.values())]:
                whole[name] += 1
        for name, line in lines.items():
            gained[name] += whole[name] if name in due else -stakes[name] if line.pays == -1 else 0
            capped[name] += name in due and whole[name] < due[name]
    found = under_cap(book, cap, stakes, Composition(parse_cards(CARDS)))
    for each in found:
        name = each.wager.name
        assert each.expected_return == Fraction(gained[name], deals * stakes[name])
        assert each.capped == Fraction(capped[name], deals)
    assert any(capped.values())


def _dealt(order: tuple[str, ...]) -> Coup:
    for cards in (4, 5, 6):
        try:
            return Coup.deal(" ".join(order[:cards]))
        except Unlawful:
            continue
    raise AssertionError(order)


def test_a_cap_that_is_not_reached_changes_nothing() -> None:
    exact = odds("tiger", 8)
    for each in alone_under_cap("tiger", 100_000_00, 100_00):
        assert each.expected_return == each.uncapped_return == exact[each.wager.name].expected_return
        assert each.capped == 0


def test_a_cap_costs_a_wager_what_its_best_line_pays_over_it() -> None:
    """Tie at 8 to 1 with 1000 staked and 5000 paid at most returns as at 5 to 1."""
    tie = next(each for each in alone_under_cap("tiger", 5_000_00, 1_000_00) if each.wager.name == "Tie")
    assert tie.house_edge == 1 - 6 * odds("tiger", 8)["Tie"].hit_frequency
    assert tie.capped == odds("tiger", 8)["Tie"].hit_frequency


def test_wagers_with_commission_and_amounts_of_nothing_are_refused() -> None:
    assert "Banker" not in {each.wager.name for each in alone_under_cap("tiger", 100, 100)}
    with pytest.raises(Unlawful):
        under_cap("tiger", 100_00, {"Banker": 100})
    with pytest.raises(ValueError, match="above zero"):
        under_cap("tiger", 0, {"Tie": 100})
    with pytest.raises(ValueError, match="at least one wager"):
        under_cap("tiger", 100, {})
    with pytest.raises(TypeError, match="expected stakes by the names of wagers"):
        under_cap("tiger", 100, None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a whole number of cents, not True"):
        under_cap("tiger", True, {"Tie": 100})
    with pytest.raises(TypeError):
        under_cap("tiger", 100, {"Tie": Fraction(1, 2)})  # type: ignore[dict-item]


def test_shares_add_up_and_follow_the_proportions() -> None:
    for cap in (1, 99, 100, 101, 7919):
        for due in ([7, 7, 7], [1, 2, 3, 5], [10**9, 1], [50, 0, 51]):
            paid = shares(cap, due)
            assert sum(paid) == min(cap, sum(due))
            for one, owed in zip(paid, due, strict=True):
                assert 0 <= one <= owed
                assert abs(one - Fraction(owed * min(cap, sum(due)), sum(due))) < 1
    assert pay(100, load("tiger").wager("Tie").lines[0]).winnings == 800
