"""The definitions of chapter 1, each by the data it fixes."""

from __future__ import annotations

import pytest

from punto import APPROVED, Coup, Hand, Rulebook, load, pay, settle
from punto.rules.coup import FirstTwo
from punto.rules.table_of_play import INITIAL_DEAL, next_card

# What chapter 1 of each document defines, in its order: wagers by name, everything else by its provision.
DEFINED = {
    "baccarat": """
        commission, hand, hlga, initial-deal, natural, pair, round-of-play, squeezing, differential, tie, tie-wager""",
    "tiger": """
        Big Tiger, commission, hand, hlga, initial-deal, natural, round-of-play, Small Tiger, squeezing, differential,
        tie, tie-wager, Tiger, pair, single-tiger-pair, double-tiger-pair, twin-tiger-pair, Tiger Tie""",
    "tiger-no-commission": """
        Big Tiger, hand, hlga, initial-deal, natural, round-of-play, Small Tiger, squeezing, differential, tie,
        tie-wager, Tiger, pair, single-tiger-pair, double-tiger-pair, twin-tiger-pair, Tiger Tie""",
    "dragon-tiger": """
        Big Dragon, Big Tiger, Dragon Tiger, hand, hlga, initial-deal, natural, round-of-play, Small Dragon,
        Small Tiger, squeezing, differential, tie, tie-wager""",
    "fabulous-4": """
        Banker Fabulous 4, hand, initial-deal, natural, Player Fabulous 4, precious-pair, precious-fours-of-diamonds,
        precious-fours, precious-diamonds, precious-others, point-total-meaning, round-of-play, tie""",
}


@pytest.mark.shows("definitions")
def test_chapter_one_defines_these_terms_in_this_order(book: Rulebook) -> None:
    wager_of = {wager.clause: wager.name for wager in book.wagers}
    terms = [
        wager_of[number] if clause.provision == "wager" else clause.provision
        for number, clause in book.clauses.items()
        if number.startswith("1.1.")
    ]
    assert ", ".join(terms) == " ".join(DEFINED[book.key].split())


@pytest.mark.shows("commission")
def test_commission_is_taken_from_a_winning_banker_wager_only(book: Rulebook) -> None:
    banker_wins, player_wins, tie = (Coup.deal(cards) for cards in ("2c 9h Kd Ks", "9h 2c Ks Kd", "9h 9c Ks Kd"))
    won = pay(10_000, settle(book.wager("Banker"), banker_wins))
    assert (won.winnings, won.commission, won.returned) == (9_500, 500, 19_500)
    others = [(wager, coup) for wager in book.wagers for coup in (banker_wins, player_wins, tie)]
    for wager, coup in others:
        if (wager.name, coup) != ("Banker", banker_wins):
            assert pay(10_000, settle(wager, coup)).commission == 0


@pytest.mark.parametrize("key", ["tiger-no-commission", "dragon-tiger", "fabulous-4"])
def test_games_that_do_not_define_commission_take_none(key: str) -> None:
    book = load(key)
    assert book.clause_of("commission") is None
    assert all(line.commission == 0 for wager in book.wagers for line in wager.lines)


@pytest.mark.shows("hand")
def test_a_hand_is_the_cards_of_one_side(book: Rulebook) -> None:
    coup = Coup.deal("2c Ah Kd 3s 4h 9d")
    assert book.clause_of("hand")
    assert {hand.value for hand in Hand} == {"player", "banker"}
    assert [str(card) for card in coup.player] == ["2c", "Kd", "4h"]
    assert [str(card) for card in coup.banker] == ["Ah", "3s", "9d"]


@pytest.mark.shows("hlga")
def test_the_hlga_is_two_rooms(book: Rulebook) -> None:
    assert book.hlga == ("Paiza Club", "Ruby Room")


def test_fabulous_4_knows_no_hlga() -> None:
    assert load("fabulous-4").hlga == ()


@pytest.mark.shows("initial-deal")
def test_the_initial_deal_is_two_cards_to_each_hand(book: Rulebook) -> None:
    assert book.clause_of("initial-deal")
    assert [hand.value for hand in INITIAL_DEAL] == ["player", "banker", "player", "banker"]
    assert next_card([2, 3], [4]) is Hand.BANKER  # with three cards out the initial deal is not complete
    assert next_card([2, 7], [4, 0]) is None  # with four it is, and this one needs no more


@pytest.mark.shows("natural")
def test_a_natural_is_eight_or_nine_on_two_cards_of_either_hand(book: Rulebook) -> None:
    assert book.clause_of("natural")
    for points in (8, 9):
        assert next_card([points, 0], [2, 0]) is None
        assert next_card([2, 0], [points, 0]) is None
    assert next_card([7, 0], [2, 0]) is Hand.BANKER
    assert next_card([4, 0, 4], [3, 0]) is Hand.BANKER  # eight on three cards is not a natural


@pytest.mark.shows("pair")
@pytest.mark.parametrize(
    ("first_two", "paired"),
    [
        *((cards, True) for cards in ("9s 9h", "9s 9s", "Ts Td", "Qh Qc", "As Ad")),
        *((cards, False) for cards in ("Kh Qh", "Kh Jh", "Qh Jh", "Th Kh", "Ts Jd", "9s 8s")),
    ],
)
def test_a_pair_is_two_cards_of_one_rank(book: Rulebook, first_two: str, paired: bool) -> None:
    first, second = first_two.split()
    for cards in (f"{first} 7h {second} Ac", f"7h {first} Ac {second}"):
        coup = _finish(cards)
        results = {wager.name: settle(wager, coup).result.value for wager in book.wagers if "Pair" in wager.name}
        hands = ("Player Pair", "Banker Pair") if book.key == "baccarat" else ("Tiger Pair", "Tiger Pair")
        own = hands[0] if cards.startswith(first) else hands[1]
        assert results[own] == ("win" if paired else "lose")


def test_a_third_card_neither_makes_nor_breaks_a_pair() -> None:
    wager = load("baccarat").wager("Player Pair")
    assert settle(wager, Coup.deal("2c 7h 2d Kc 3h")).result.value == "win"  # 2-2-3
    assert settle(wager, Coup.deal("2c 7h 3d Kc 3h")).result.value == "lose"  # 2-3-3


@pytest.mark.shows("single-tiger-pair", "double-tiger-pair", "twin-tiger-pair")
@pytest.mark.parametrize(
    ("cards", "outcome"),
    [
        ("9s 7h 9h Ac", "Single Tiger Pair"),
        ("7h Qs Kc Qd Ac", "Single Tiger Pair"),
        ("9s Qs 9h Qd", "Double Tiger Pair"),
        ("4s 4h 4c 4d", "Twin Tiger Pair"),
        ("9s 9s 9s 9s", "Twin Tiger Pair"),
        ("Qs Qh Qc Qd Ah 5c", "Twin Tiger Pair"),
        ("Ts Kh Tc Kd Ah 5c", "Double Tiger Pair"),
        ("Qs Kh Jc Td Ah 5c", "lose"),
    ],
)
def test_tiger_pair_is_single_double_or_twin(book: Rulebook, cards: str, outcome: str) -> None:
    assert settle(book.wager("Tiger Pair"), Coup.deal(cards)).outcome == outcome


@pytest.mark.shows(
    "precious-pair", "precious-fours-of-diamonds", "precious-fours", "precious-diamonds", "precious-others"
)
@pytest.mark.parametrize(
    ("first_two", "outcome"),
    [
        ("4d 4d", "two fours of diamonds"),
        ("4c 4c", "other pair of fours"),
        ("4h 4s", "other pair of fours"),
        ("4d 4s", "other pair of fours"),
        ("Qd Qd", "other pair of diamonds"),
        ("Qh Qh", "any other pair"),
        ("Ks Kh", "any other pair"),
        ("Kd Kh", "any other pair"),
        ("Kd Qd", "lose"),
        ("4d 5d", "lose"),
        ("Td Kd", "lose"),
    ],
)
def test_precious_pairs_look_at_their_own_hand(book: Rulebook, first_two: str, outcome: str) -> None:
    first, second = first_two.split()
    player, banker = book.wager("Player Precious Pair"), book.wager("Banker Precious Pair")
    with_player, with_banker = _finish(f"{first} 7h {second} As"), _finish(f"7h {first} As {second}")
    assert settle(player, with_player).outcome == settle(banker, with_banker).outcome == outcome
    assert settle(banker, with_player).outcome == settle(player, with_banker).outcome == "lose"


@pytest.mark.shows("round-of-play")
def test_a_round_opens_with_an_announcement_and_ends_with_settlement(book: Rulebook) -> None:
    assert book.round_of_play is not None
    assert book.round_of_play.commencement == "Place your bets, please"
    assert book.round_of_play.concludes_with == (
        "outcome announced",
        "losing wagers collected",
        "winning wagers paid",
    )


@pytest.mark.shows("squeezing")
def test_squeezing_needs_a_method_that_lets_patrons_handle_cards(book: Rulebook) -> None:
    assert {method.name: method.squeezing for method in book.methods} == {"A": True, "B": False, "C": True}
    assert all(method.patrons_handle_cards for method in book.methods if method.squeezing)
    assert [method.name for method in book.methods if method.device == "card-reading"] == ["C"]


@pytest.mark.shows("differential")
@pytest.mark.parametrize(
    ("wagered", "difference"),
    [
        ({"Player": 500, "Banker": 200}, 300),
        ({"Player": 200, "Banker": 500}, 300),
        ({"Banker": 700, "Tie": 900}, 700),
        ({}, 0),
    ],
)
def test_the_differential_is_between_player_and_banker_wagers(
    book: Rulebook, wagered: dict[str, int], difference: int
) -> None:
    assert book.table_differential(wagered) == difference


@pytest.mark.shows("tie", "tie-wager")
def test_a_tie_is_equal_final_totals_and_the_tie_wager_wins_only_then(book: Rulebook) -> None:
    tie_wager = book.wager("Tie")
    for cards, winner in [
        ("9h 9c Ks Kd", "tie"),
        ("2h 3c 3s 4d 2h", "tie"),
        ("9h 2c Ks Kd", "player"),
        ("5h 5c Ks Kd 8s", "banker"),
    ]:
        coup = Coup.deal(cards)
        assert coup.winner.value == winner
        assert (coup.player_total == coup.banker_total) is (winner == "tie")
        assert (settle(tie_wager, coup).result.value == "win") is (winner == "tie")


def test_every_approved_game_is_here() -> None:
    assert set(DEFINED) == set(APPROVED)


def _finish(initial: str) -> Coup:
    """A coup from its first four cards and whatever third cards it then needs."""
    for thirds in ("", "Ac", "Ac 2c"):
        try:
            return Coup.deal(f"{initial} {thirds}")
        except ValueError:
            continue
    raise AssertionError(f"no coup begins with {initial}")


def test_first_two_names_pair_and_suit() -> None:
    coup = _finish("4d 7h 4d 7s")
    assert FirstTwo.of(*coup.player[:2]).pair is coup.player[0].rank
    assert FirstTwo.of(*coup.player[:2]).suit is coup.player[0].suit
    assert FirstTwo.of(*coup.banker[:2]).suit is None
