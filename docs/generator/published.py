"""Published figures of side wagers beside those counted here, from eight decks. The tests compare every digit."""

from __future__ import annotations

from math import sqrt

from generator.markdown import page, table
from punto import WagerOdds, effects_of_removal, load, odds
from punto.formatting import decimal, percent

EDGES = (
    ("ez-baccarat", "Dragon 7", "7.6113"),
    ("ez-baccarat", "Panda 8", "10.1876"),
    ("ez-baccarat", "Banker", "1.0183"),
    ("super-6", "Super 6", "13.82"),
    ("dragon-bonus", "Player Bonus", "2.6517"),
    ("dragon-bonus", "Banker Bonus", "9.3731"),
    ("perfect-pairs", "Perfect Pair", "6.6235"),
    ("sum-of-totals", "Sum", "8.155"),
    ("big-small", "Big", "4.35"),
    ("big-small", "Small", "5.283"),
    ("point-bets", "88 89 98 99", "7.372"),
    ("point-bets", "3 Giving 8", "8.682"),
    ("point-bets", "9 over 7", "8.103"),
    ("bad-beat", "Bad Beat", "8.46"),
)
"""Game, wager and house edge in percent. Bad Beat is published as 8.459, and is exactly below 8.4585."""
VARIANCES = (("point-bets", "88 89 98 99", "18.594"), ("point-bets", "3 Giving 8", "182.715"))
DRAGON_7 = {"deviation": "6.0849", "hits": "2.2534"}
LUCKY_6 = "-.000611 -.000329 -.000323 -.001131 -.000393 -.000278 -.005386 +.003907 +.003537 +.002838"
"""Effects of removing a card of each value from 0 to 9 on Lucky 6 at 23 and 12 to 1."""


def shown() -> str:
    """Return the tables of the page: single figures, and the effects of removal of Lucky 6."""
    rows = [
        (game, wager, "house edge", f"{each}%", percent(_odds(game, wager).house_edge)) for game, wager, each in EDGES
    ]
    rows += [
        (game, wager, "variance", each, decimal(_odds(game, wager).variance, 4)) for game, wager, each in VARIANCES
    ]
    dragon = _odds("ez-baccarat", "Dragon 7")
    rows += [
        ("ez-baccarat", "Dragon 7", "deviation", DRAGON_7["deviation"], f"{sqrt(dragon.variance):.5f}"),
        ("ez-baccarat", "Dragon 7", "hits", f"{DRAGON_7['hits']}%", percent(dragon.hit_frequency, 5)),
    ]
    figures = table(("game", "wager", "figure", "published", "Punto"), rows, right=("published", "Punto"))
    return page(figures, "One card of a value gone, Lucky 6 at 23 and 12 to 1:", _effects())


def _odds(game: str, wager: str) -> WagerOdds:
    return odds(load(game), 8)[wager]


def _effects() -> str:
    exact = effects_of_removal("lucky-6", 8)
    columns = [str(value) for value in range(10)]
    counted = [f"{float(exact[f'{rank}s']['Lucky 6']):+.7f}" for rank in "KA23456789"]
    published = [f"{float(each):+.6f}" for each in LUCKY_6.split()]
    return table(("", *columns), [("published", *published), ("Punto", *counted)], right=columns)
