"""Known cards and wagers on single cards: every order of a tiny shoe settled one by one, full shoes by their mean."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import permutations

import pytest
from support.command import refused

from punto import Coup, Unlawful, load, odds, settle
from punto.cards import Composition, parse_cards
from punto.lab.known_cards import known_cards

CARDS = parse_cards("Kh Kd Qh 9h 4s 4d 2c")


def _every_order(game: str, wager: str, positions: tuple[int, ...], by: str) -> dict[tuple[str, ...], Fraction]:
    """Return the mean gain by what is seen, from all orders of six cards."""
    book, sums = load(game), defaultdict[tuple[str, ...], list[Fraction]](list)
    for order in permutations(CARDS, 6):
        coup = next(coup for cards in (4, 5, 6) if (coup := _dealt(order[:cards])))
        seen = tuple(getattr(order[at - 1], by).value for at in positions)
        sums[seen].append(settle(book.wager(wager), coup).pays)
    return {seen: sum(gains, Fraction(0)) / len(gains) for seen, gains in sums.items()}


def _dealt(cards: tuple[object, ...]) -> Coup | None:
    try:
        return Coup.deal(" ".join(map(str, cards)))
    except Unlawful:
        return None


@pytest.mark.parametrize(
    ("game", "wager", "positions", "by"),
    [
        ("royal-match", "Player Royal", (1,), "rank"),
        ("royal-match", "Banker Royal", (4,), "suit"),
        ("royal-match", "Player Royal", (1, 3), "rank"),
        ("red-black", "All Red", (2,), "suit"),
        ("red-black", "Third Heart", (1, 4), "suit"),
    ],
)
def test_the_value_is_that_of_every_order_of_a_tiny_shoe(
    game: str, wager: str, positions: tuple[int, ...], by: str
) -> None:
    study = known_cards(load(game), positions, Composition(CARDS), by, wager)
    told = {seen: each.returns[wager] for seen, each in study.items()}
    assert told == _every_order(game, wager, positions, by)
    assert len(set(told.values())) > 1


def test_beside_others_each_wager_keeps_its_own_figures() -> None:
    book = load("royal-match")
    study = known_cards(book, 1, 8, "rank", ("Player", "Player Royal"))
    exact = odds(book, 8)
    for each in study.wagers:
        assert each.expected_return == exact[each.wager].expected_return
    assert study["K"].returns["Player"] == known_cards(book, 1, 8, "rank", "Player")["K"].returns["Player"]
    assert study["K"].wager == "Player Royal"
    assert study["5"].returns["Player Royal"] == -1


def test_what_is_not_counted_is_refused_with_the_reason() -> None:
    for positions in ((5,), (1, 6), (1, 2, 3)):
        with pytest.raises(ValueError, match="Player Royal asks for single cards: its value is counted for one or two"):
            known_cards(load("royal-match"), positions, 8, "rank", "Player Royal")
    told = refused("lab", "royal-match", "--shoes", "10", "-o", "never-made")
    assert "Player Royal asks for single cards, which perfect play and counts do not follow" in told
    assert "punto odds --removal" in told
