"""Side bets of the field that are in no file of the library, written from docs/adding-a-game.md alone.

Published figures are from wizardofodds.com, with all digits given; so are the names.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from punto import Composition, GameFileError, Rulebook, load, loads
from punto.odds import wager_odds

FILE = """
key = "field"
title = "Field"
extends = "baccarat"

[[wager]]
name = "Bet"
clause = "7.1"
lines = [
{lines}
]

[clauses]
"7.1" = {{ provision = "wager", by = "data", text = "As the lines say." }}
"7.2" = {{ provision = "settlement", by = "data", text = "As the lines say." }}
"""
KING_QUEEN = '{ player_first_rank = "K", player_second_rank = "Q" }'
QUEEN_KING = '{ player_first_rank = "Q", player_second_rank = "K" }'
ROYAL = f"any = [{KING_QUEEN}, {QUEEN_KING}]"
OF_9 = "any = [{ player_total = 9, player_cards = 3 }, { banker_total = 9, banker_cards = 3 }]"
OF_6 = "any = [{ player_total = 6, player_cards = 3 }, { banker_total = 6, banker_cards = 3 }]"
LOST_7 = 'banker_total = 7, banker_cards = 3, winner = ["player", "tie"]'
LOST_6 = 'player_total = 6, player_cards = 3, winner = ["banker", "tie"]'
CHEST = (
    'any = [{ winner = "banker", banker_total = 7, banker_cards = 3 }, '
    '{ winner = "player", player_total = 8, player_cards = 3 }, '
    "{ player_total = 9, player_cards = 3 }, { banker_total = 9, banker_cards = 3 }, "
    "{ player_total = 7, banker_total = 7, cards = [4, 6] }]"
)
EITHER_8 = "any = [{ player_total = 8 }, { banker_total = 8 }]"
HEART_8 = '{ player_first_rank = "8", player_first_suit = "h" }'
SECOND_8 = '{ player_second_rank = "8", player_second_suit = "h" }'
DRAWN_8 = '{ player_third_rank = "8", player_third_suit = "h" }'
Lines = list[tuple[str, str]]

# The lines: condition and ratio. The house edge in percent as published, or None where we found none.
BETS: dict[str, tuple[Lines, str | None]] = {
    "Lucky Bonus": ([('winner = "banker", banker_total = 6', "18 to 1")], "-2.34"),
    "Super 6 at 12": ([('winner = "banker", banker_total = 6', "12 to 1")], "29.98"),
    "three-card six": ([(f"{OF_6}, player_total = 6, margin = 0, cards = 6", "100 to 1"), (OF_6, "8 to 1")], "13.37"),
    "Player three-card win": ([('winner = "player", player_cards = 3', "4 to 1")], "5.6860"),
    "Banker three-card win": ([('winner = "banker", banker_cards = 3', "5 to 1")], "8.3044"),
    "Quik": ([("sum = 0", "50 to 1"), ("sum = 18", "25 to 1"), ("sum = [1, 2, 3, 15, 16, 17]", "1 to 1")], "8.155"),
    "Majestic Match": ([(f"player_suited = true, {ROYAL}", "25 to 1"), ("player_suited = true", "2.5 to 1")], "6.4597"),
    "Player total 9": ([("player_total = 9", "5.5 to 1")], "13.1036"),
    "Player total 4": ([("player_total = 4", "9.5 to 1")], "21.9755"),
    "Banker total 6": ([("banker_total = 6", "5.5 to 1")], "21.3008"),
    "Golden 8": ([('winner = "player", player_total = 8, player_cards = 3', "25 to 1")], "10.19"),
    "Heavenly 9": ([(f"{OF_9}, player_total = 9, banker_total = 9, cards = 6", "75 to 1"), (OF_9, "10 to 1")], None),
    "Blazing 7s": (
        [
            ("player_total = 7, banker_total = 7, cards = 6", "200 to 1"),
            ("player_total = 7, banker_total = 7, cards = 4", "50 to 1"),
        ],
        None,
    ),
    "Ox 6": (
        [
            ('winner = "player", player_total = 6, player_cards = 3', "40 to 1"),
        ],
        None,
    ),
    "Bellagio Match": (
        [
            ("most_player_cards_of_one_rank = 3", "75 to 1"),
        ],
        None,
    ),
    "natural by a margin": (
        [
            ('winner = "player", natural = true, margin = 9', "9 to 1"),
            ('winner = "player", natural = true, margin = 5', "5 to 1"),
        ],
        None,
    ),
    "colour pair": (
        [
            ("player_pair = true, player_suited = true", "25 to 1"),
            ("player_pair = true, player_one_colour = true", "12 to 1"),
            ("player_pair = true", "5 to 1"),
        ],
        None,
    ),
    "third card a heart": (
        [
            ('player_third_suit = "h"', "6 to 1"),
        ],
        None,
    ),
    "3 that draws to 8": (
        [
            ("player_initial_total = 3, player_total = 8, player_cards = 3", "90 to 1"),
        ],
        None,
    ),
    "highest card 5": (
        [
            ("any_card_value = 5, not = { any_card_value = [6, 7, 8, 9] }", "10 to 1"),
        ],
        None,
    ),
    "sevens counted": (
        [
            ('number_of = { cards = "both", rank = "7", times = [3, 4, 5, 6] }', "60 to 1"),
        ],
        None,
    ),
    "Cover All": (
        [
            (CHEST, "6 to 1"),
        ],
        None,
    ),
    "Kill": (
        [
            (f"any = [{{ {LOST_7} }}, {{ {LOST_6} }}]", "30 to 1"),
        ],
        None,
    ),
    "Lucky 8": (
        [
            ("player_total = 8, banker_total = 8", "25 to 1"),
            (EITHER_8, "2 to 1"),
        ],
        None,
    ),
    "fixed multiplier of the eight of hearts": (
        [
            (f'winner = "player", any = [{HEART_8}, {SECOND_8}, {DRAWN_8}]', "5 to 1"),
            ('winner = "player"', "1 to 2"),
        ],
        None,
    ),
}
COMBINATIONS = {
    ("Quik", 0): 28_979_901_420_544,
    ("Quik", 1): 55_146_054_060_032,
    ("Quik", 2): 839_502_186_734_592,
    ("Golden 8", 0): 172_660_763_262_976,
    ("Player three-card win", 0): 942_837_427_226_624,
    ("Banker three-card win", 0): 763_885_033_768_960,
    ("Player total 9", 0): 668_220_074_600_448,
    ("Player total 4", 0): 371_426_030_979_072,
    ("Banker total 6", 0): 605_184_530_090_752,
}
"""Published deals of six cards from eight decks that end on a line."""
FIRST_CARDS = {
    ("Majestic Match", 0): (256, 86_320),
    ("Majestic Match", 1): (21_168, 86_320),
}
"""Published sets of Player's first two cards, of all such sets."""
CARDS_OF_A_ROUND = {4: "0.378868", 5: "0.303444", 6: "0.317687"}
"""Published chances of the bets "4-5-6", whose published returns are rounded from them."""


def field(lines: Lines) -> Rulebook:
    rows = (
        f'{{ outcome = "line {at}", when = {{ {when} }}, pays = "{pays}", clause = "7.2" }},'
        for at, (when, pays) in enumerate(lines)
    )
    return loads(FILE.format(lines="\n".join(rows)))


@pytest.mark.parametrize("bet", BETS)
def test_a_bet_of_the_field_can_be_written(bet: str) -> None:
    lines, edge = BETS[bet]
    found = wager_odds(field(lines).wager("Bet"), Composition.of_decks(8))
    assert all(found.outcomes[at].deals for at in range(len(lines)))
    if edge is not None:
        assert f"{float(found.house_edge * 100):.{len(edge.partition('.')[2])}f}" == edge


@pytest.mark.parametrize(("bet", "at"), COMBINATIONS)
def test_combinations_are_as_published(bet: str, at: int) -> None:
    found = wager_odds(field(BETS[bet][0]).wager("Bet"), Composition.of_decks(8))
    assert found.outcomes[at].deals == COMBINATIONS[bet, at]


@pytest.mark.parametrize(("bet", "at"), FIRST_CARDS)
def test_first_cards_are_as_published(bet: str, at: int) -> None:
    found = wager_odds(field(BETS[bet][0]).wager("Bet"), Composition.of_decks(8))
    assert found.outcomes[at].probability == Fraction(*FIRST_CARDS[bet, at])


RANKS = "A23456789TJQK"
RUNS = [[(RANKS + "A")[at : at + 4][each] for each in range(4)] for at in range(11)]
PLACES = [f"{hand}_{card}_rank" for hand in ("player", "banker") for card in ("first", "second")]


def any_of(conditions: list[str]) -> str:
    return "any = [" + ", ".join(f"{{ {each} }}" for each in conditions) + "]"


def run(ranks: list[str]) -> str:
    return "all = [" + ", ".join(f'{{ any_initial_card_rank = "{each}" }}' for each in ranks) + "]"


def pair_of(ranks: str) -> str:
    """Two of the first four cards are of this rank, and no two others are alike."""
    return any_of([f'{one} = "{rank}", {other} = "{rank}"' for rank in ranks for one, other in combinations(PLACES, 2)])


ONE_SUIT = "most_initial_cards_of_one_suit = 4"
ALIKE = "most_initial_cards_of_one_rank"
JACKPOT: list[tuple[str, str, int]] = [
    (f"{run(RUNS[-1])}, {ONE_SUIT}", "250 to 1", 16_384),
    (f"{ALIKE} = 4", "75 to 1", 467_480),
    (f"{any_of([run(each) for each in RUNS])}, {ONE_SUIT}", "50 to 1", 163_840),
    (f"{ALIKE} = 3", "15 to 1", 24_760_320),
    (ONE_SUIT, "10 to 1", 17_929_088),
    (any_of([run(each) for each in RUNS]), "5 to 1", 11_354_112),
    (
        f"{ALIKE} = 2, {any_of([f'every_initial_card_rank = {list(two)}' for two in combinations(RANKS, 2)])}",
        "4 to 1",
        18_944_640,
    ),
    (pair_of("A"), "2 to 1", 33_048_576),
    (pair_of("TJQK"), "push", 132_194_304),
]
"""The bet "Jackpot Baccarat": the poker hand that the first four cards make, with the published numbers of hands."""


@pytest.mark.long
def test_the_poker_hand_of_the_first_four_cards_is_counted_as_published() -> None:
    found = wager_odds(field([(when, pays) for when, pays, _ in JACKPOT]).wager("Bet"), Composition.of_decks(8))
    hands = comb(416, 4)
    assert [each.probability for each in found.outcomes[:-1]] == [Fraction(count, hands) for _, _, count in JACKPOT]
    assert f"{float(found.house_edge):.6f}" == "0.158026"


def test_the_chances_of_four_five_and_six_cards_are_as_published() -> None:
    for cards, chance in CARDS_OF_A_ROUND.items():
        found = wager_odds(field([(f"cards = {cards}", "2 to 1")]).wager("Bet"), Composition.of_decks(8))
        assert f"{float(found.outcomes[0].probability):.6f}" == chance


def test_dragon_bonus_has_the_published_edges_by_decks_and_deals_of_banker() -> None:
    game = load("dragon-bonus")
    for decks, player, banker in ((4, "2.70", "9.42"), (6, "2.67", "9.39"), (8, "2.65", "9.37")):
        cards = Composition.of_decks(decks)
        edges = [wager_odds(game.wager(name), cards).house_edge for name in ("Player Bonus", "Banker Bonus")]
        assert [f"{float(100 * each):.2f}" for each in edges] == [player, banker]
    found = wager_odds(game.wager("Banker Bonus"), Composition.of_decks(8))
    deals = {each.outcome: each.deals for each in found.outcomes}
    assert (deals["by 9"], deals["by 8"], deals["by 7"]) == (15_390_342_909_952, 28_305_092_784_128, 79_517_099_278_336)
    assert (deals["by 6"], deals["by 5"]) == (119_200_072_366_080, 157_275_882_332_160)
    assert (deals["by 4"], deals["natural win"]) == (201_147_167_287_296, 812_685_054_124_032)


@pytest.mark.parametrize(
    ("when", "pays", "told"),
    [
        ('winner = "player", margin = 9', "-9 to 1", "pays: expected no loss: a wager loses its stake where no line"),
        (
            'winner = "tie"',
            "half back",
            'pays: expected a ratio such as "8 to 1" or "0.95 to 1", or "push", found "half',
        ),
        (
            'winner = "tie"',
            "jackpot",
            'pays: expected a ratio such as "8 to 1" or "0.95 to 1", or "push", found "jackp',
        ),
        ('winner = "tie"', "100.00", 'pays: expected a ratio such as "8 to 1" or "0.95 to 1", or "push", found "100.0'),
        ('winner = "tie", random = 5', "2 to 1", "when.random: unknown key"),
        ('previous_winner = "tie"', "2 to 1", "when.previous_winner: unknown key"),
        (
            'player_suit = ["h", "d"]',
            "2 to 1",
            "player_suit: expected one suit. Write player_suited_in if both cards are",
        ),
    ],
)
def test_what_a_file_cannot_say_is_refused_with_a_sentence(when: str, pays: str, told: str) -> None:
    with pytest.raises(GameFileError) as refused:
        field([(when, pays)])
    assert str(refused.value).startswith("the game's text: line 10: wager[1].lines[1].")
    assert told in str(refused.value)
