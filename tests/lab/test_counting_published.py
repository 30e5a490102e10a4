"""Published counts of side wagers, counted again. Sources stand in docs/simulation.md.

Figures of Jacobson are for eight decks, a burn by the first card, which is seen, and the cutting card 14 cards from the
end: the round in which it shows is followed by one more, unless it shows in front of a round, which then is the last.
That is ``cut=15, rounds_after=1`` here. Shackleford's are for 16 cards, no round after, the first card not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from punto import Composition, CountSystem, CountTrigger, Rulebook, Shoes, load, loads, odds
from punto.lab.counts.count_tally import CountEstimate
from punto.lab.counts.counting import Counting, counting

JACOBSON = Shoes(Composition.of_decks(8), 15, "first-card", 1)
SHACKLEFORD = Shoes(Composition.of_decks(8), 16, "first-card", 0)
FEW, MANY = 16_384, 2_000_000


def tags(*by_value: int) -> CountSystem:
    """Tags in the order of the studies: ace to nine, then all cards worth ten."""
    named = dict(zip("A23456789", by_value, strict=False))
    return CountSystem(named | dict.fromkeys("TJQK", by_value[9]))


UNBALANCED = tags(1, 0, 0, -1, -1, -1, -1, 2, 2, 0).tags
PANDA_BESIDE = CountSystem("6:1,7:1,Q:1,K:1,3:-1,8:-3")


@dataclass(frozen=True)
class Published:
    """A published count, with the figures that its study gives and half a unit of their last digit."""

    wager: str
    system: CountSystem
    trigger: int | CountTrigger
    figures: dict[str, tuple[float, float]]
    dealt: Shoes = JACOBSON
    burn_card_seen: bool = True


def _jacobson(
    frequency: float, edge: float, per_100: float, last: float, index: float
) -> dict[str, tuple[float, float]]:
    """Figures as his summaries give them, with half a unit of the last digit of percentages."""
    found = {"frequency": (frequency, last), "return_per_unit": (edge, last), "gain_per_100_hands": (per_100, 0.005)}
    return found | ({"index_per_hand": (index, 0.005)} if index else {})


STUDIES = {
    "Big Tiger": Published(
        "Big Tiger", tags(0, 0, -1, -1, -1, -2, 1, 2, 2, 0), 8, _jacobson(0.03536, 0.07227, 0.256, 0.000005, 2.08)
    ),
    "88 89 98 99": Published(
        "88 89 98 99", tags(1, 1, 0, 0, 0, 0, 0, -3, -3, 1), 4, _jacobson(0.1361, 0.0891, 1.213, 0.00005, 7.62)
    ),
    "9 over 7": Published(
        "9 over 7", tags(0, 1, 1, 1, 1, 1, -5, 1, -5, 1), 6, _jacobson(0.1433, 0.1085, 1.56, 0.00005, 0)
    ),
    "Bad Beat": Published(
        "Bad Beat", tags(0, 1, 1, 1, 1, 1, 1, -5, -5, 1), 6, _jacobson(0.1431, 0.1054, 1.51, 0.00005, 0)
    ),
    "Dragon 7": Published("Dragon 7", tags(0, 0, 0, -1, -1, -1, -1, 2, 2, 0), 4, {"gain_per_shoe": (0.597, 0.0005)}),
    "Panda 8": Published("Panda 8", tags(1, 1, -2, -2, -2, -1, -1, -2, 4, 1), 11, {"gain_per_shoe": (0.237, 0.0005)}),
    "Lucky 6, level 1": Published(
        "Lucky 6",
        tags(0, 0, 0, 0, 0, -3, 1, 1, 1, 0),
        7,
        {
            "frequency": (0.0309, 0.00005),
            "return_per_unit": (0.0627, 0.00005),
            "gain_per_hand": (0.0019, 0.00005),
            "gain_per_shoe": (0.155, 0.0005),
            "rounds_per_shoe": (80.1, 0.05),
        },
        SHACKLEFORD,
        burn_card_seen=False,
    ),
    "Lucky 6, level 2": Published(
        "Lucky 6",
        tags(-1, -1, -4, -1, -1, -18, 13, 12, 9, -2),
        48,
        {
            "frequency": (0.0413, 0.00005),
            "return_per_unit": (0.0700, 0.00005),
            "gain_per_hand": (0.0029, 0.00005),
            "gain_per_shoe": (0.23, 0.005),
            "rounds_per_shoe": (80.1, 0.05),
        },
        SHACKLEFORD,
        burn_card_seen=False,
    ),
    "Dragon 7, unbalanced": Published(
        "Dragon 7", CountSystem(UNBALANCED, -4), CountTrigger.running(1), {"gain_per_shoe": (0.52, 0.005)}, SHACKLEFORD
    ),
    "Panda 8 beside Dragon 7": Published(
        "Panda 8",
        CountSystem(UNBALANCED, 0, PANDA_BESIDE),
        CountTrigger.running(35, weights=(1, 1)),
        {"gain_per_shoe": (0.134, 0.0005), "wagers_per_shoe": (3.6, 0.05)},
        SHACKLEFORD,
    ),
}


@cache
def _game(wager: str) -> Rulebook:
    if wager == "Big Tiger":
        return load("tiger")
    return loads(Path(__file__).with_name("published.toml").read_text("utf-8"))


def _counted(study: Published, shoes: int) -> Counting:
    return counting(
        _game(study.wager),
        study.wager,
        study.system,
        study.trigger,
        shoes,
        seed=21,
        shoe=study.dealt,
        burn_card_seen=study.burn_card_seen,
    )


def _figure(found: Counting, name: str) -> CountEstimate:
    figure: CountEstimate = getattr(found if hasattr(found, name) else found.figures, name)
    return figure


def _far_off(study: Published, found: Counting) -> dict[str, str]:
    """The figures that differ from the published ones by more than four standard errors and their rounding."""
    far = {}
    for name, (published, rounding) in study.figures.items():
        figure = _figure(found, name)
        if abs(float(figure.value) - published) > 4 * figure.standard_error + rounding:
            far[name] = f"{figure} for {published}"
    return far


@pytest.mark.parametrize("name", STUDIES)
def test_a_published_count_gives_what_its_study_found(name: str) -> None:
    assert _far_off(STUDIES[name], _counted(STUDIES[name], FEW)) == {}


@pytest.mark.long
@pytest.mark.parametrize("name", STUDIES)
def test_a_published_count_gives_it_also_in_many_shoes(name: str) -> None:
    assert _far_off(STUDIES[name], _counted(STUDIES[name], MANY)) == {}


def test_the_first_card_and_the_cards_burnt_make_the_difference() -> None:
    """Divided by the cards left in the shoe, as before, Lucky 6 came to wagers in 3.87% of the hands."""
    study = STUDIES["Lucky 6, level 1"]
    with_card = counting(_game("Lucky 6"), "Lucky 6", study.system, study.trigger, FEW, seed=21, shoe=study.dealt)
    without = _counted(study, FEW)
    assert 0.029 < without.frequency.value < with_card.frequency.value < 0.033


@pytest.mark.parametrize(
    ("wager", "edge", "variance"),
    [
        ("Dragon 7", "7.6113%", 6.0849**2),
        ("Panda 8", "10.1876%", None),
        ("Banker", "1.0183%", None),
        ("Lucky 6", "11.6985%", None),
        ("88 89 98 99", "7.3724%", 18.594),
        ("9 over 7", "8.1032%", None),
        ("Bad Beat", "8.4585%", None),
        ("Big Tiger", "15.2533%", 42.503),
    ],
)
def test_the_published_wagers_have_their_published_edges(wager: str, edge: str, variance: float | None) -> None:
    exact = odds(_game(wager), 8)[wager]
    assert f"{float(exact.house_edge):.4%}" == edge
    if variance:
        assert float(exact.variance) == pytest.approx(variance, abs=0.001)
