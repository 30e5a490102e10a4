"""What cannot be written: the contrary of a rule that no command can express, because the engine works it out.

Where the contrary can be written, a script shows it refused: ``expect refused CODE against PROVISION``.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from punto import Composition, Hand, Rulebook
from punto.cards import Card, Rank
from punto.notation import NotationError, parse
from punto.notation.script_player import Player
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.evolve import evolve
from punto.table.irregularities.correction import CorrectRound
from punto.table.irregularities.void import VoidAsked
from punto.table.play.dealing import AnnounceOutcome, CardDrawn, DrawCard, OutcomeAnnounced
from punto.table.play.settlement import RoundSettled, SettleRound
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role

DEALER = Actor("Sam", Role.DEALER)
GIVEN = {"by", "patron", "at", "in_round", "in_window", "expires", "noticed_by", "note", "reason"}
"""What many commands may say: who, for whom, when, for which round, until when, and why."""
CLOSED = "Dealer: place your bets\nAnn: wager Player 100 at 1\nDealer: no more bets\n"
ENDED = "Dealer: outcome\nDealer: settle\n"


def _says(command: type[Command]) -> set[str]:
    return set(command.__struct_fields__) - GIVEN


def _commands(base: type[Command] = Command) -> Iterator[type[Command]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _commands(kind)


def _played(book: Rulebook, steps: str, heading: str = "") -> Player:
    script = parse(f"for {book.key}\n{heading}\npatron Ann 1000\npatron Bob 1000\nDealer: load shoe one\n{steps}")
    player = Player(script, script.runs[0])
    assert player.play() == []
    return player


def _cards(player: str, banker: str) -> str:
    """Return the steps that draw and expose two cards for each hand."""
    hands = (("player", player), ("banker", banker))
    exposed = [f"Dealer: expose {hand} {at} {card}\n" for hand, two in hands for at, card in enumerate(two.split(), 1)]
    return "Dealer: draw (4 times)\n" + "".join(exposed)


def _settled(player: Player) -> list[tuple[str, str | None, int]]:
    wagers = [each for event in player.log if isinstance(event, RoundSettled) for each in event.wagers]
    return [(each.wager, each.result and each.result.value, each.returned) for each in wagers]


@pytest.mark.refuses("decks")
def test_a_shoe_has_four_to_ten_decks_and_no_joker(book: Rulebook) -> None:
    for decks in (3, 11):
        with pytest.raises(NotationError, match=f"{decks} decks"):
            _played(book, CLOSED, f"decks {decks}")
    for joker in ("Joker", "JK", "*"):
        with pytest.raises(ValueError, match="card"):
            Card.parse(joker)
    assert not {rank for rank in Rank if "jok" in rank.name.casefold()}


@pytest.mark.refuses("side-wagers-alone", "available-wagers")
def test_no_wager_depends_on_another(book: Rulebook) -> None:
    """Nobody can make one wager a condition of another: each is taken alone, and all of them together."""
    for wager in book.wagers:
        _played(book, f"Dealer: place your bets\nAnn: wager {wager.name} 10 at 1\nDealer: no more bets\n")
    placed = "".join(f"Ann: wager {wager.name} 10 at 1\n" for wager in book.wagers)
    assert len(_played(book, f"Dealer: place your bets\n{placed}").table.round.stakes) == len(book.wagers)


@pytest.mark.refuses("two-hands")
def test_a_third_hand_cannot_be_named(book: Rulebook) -> None:
    assert [hand.value for hand in Hand] == ["player", "banker"]
    with pytest.raises(NotationError, match="unknown action"):
        _played(book, "Dealer: expose dragon 1 4h\n")


@pytest.mark.refuses("player-cards", "banker-cards", "four-cards")
def test_the_dealer_cannot_say_where_a_card_goes(book: Rulebook) -> None:
    """The first card is Player's, the second Banker's and so on; a card that lies elsewhere is reported as such."""
    assert _says(DrawCard) == set()
    with pytest.raises(NotationError, match="unknown action"):
        _played(book, f"{CLOSED}Dealer: draw to banker\n")
    log = _played(book, f"{CLOSED}Dealer: draw (4 times)\n").log
    drawn = [(event.hand, event.place) for event in log if isinstance(event, CardDrawn)]
    assert drawn == [(Hand.PLAYER, 0), (Hand.BANKER, 0), (Hand.PLAYER, 1), (Hand.BANKER, 1)]


@pytest.mark.refuses("winning-hand")
@pytest.mark.parametrize(
    ("player", "banker", "winner"),
    [
        ("9s Ks", "8h Kh", "player"),
        ("6s Ks", "7h Kh", "banker"),
        ("8s Ks", "5h 3h", "tie"),
        ("Ts 7s", "6h Kh", "player"),
    ],
)
def test_the_dealer_cannot_say_who_won(book: Rulebook, player: str, banker: str, winner: str) -> None:
    assert _says(AnnounceOutcome) == set()
    log = _played(book, f"{CLOSED}{_cards(player, banker)}{ENDED}").log
    assert [event.winner for event in log if isinstance(event, OutcomeAnnounced)] == [winner]


@pytest.mark.refuses("display")
def test_nobody_can_say_an_outcome(book: Rulebook) -> None:
    """What a display shows cannot become the outcome: a correction names cards, and nothing else names a winner."""
    assert book.clause_of("display")
    assert _says(CorrectRound) == {"round", "player", "banker"}
    for kind in _commands():
        assert _says(kind).isdisjoint({"winner", "outcome", "total", "mark", "display"}), kind.__name__


@pytest.mark.refuses("under-minimum", "over-maximum", "limits-settled")
def test_the_dealer_cannot_say_what_is_paid(book: Rulebook) -> None:
    """No command names what a wager wins or loses, so nothing but the rules on limits decides it."""
    assert book.clause_of("limits-settled")
    assert _says(SettleRound) == set()
    for kind in _commands():
        assert _says(kind).isdisjoint({"paid", "returned", "won", "lost", "result", "settled"}), kind.__name__


@pytest.mark.refuses("under-minimum", "limits-settled")
def test_a_wager_under_the_minimum_is_settled_one_time_only(book: Rulebook) -> None:
    """The first wins, the second comes back though it won too, and what the first won is left as it is."""
    one = f"{CLOSED}Dealer: found Ann Tie 2 at 1\n{_cards('8s Ks', '5h 3h')}{ENDED}"
    player = _played(book, one + one, "limits 5-1000")
    assert [each for each in _settled(player) if each[0] == "Tie"] == [("Tie", "win", 18_00), ("Tie", None, 2_00)]


@pytest.mark.refuses("over-maximum")
@pytest.mark.parametrize(("cards", "returned"), [(("9s Ks", "8h Kh"), 700_00), (("8s Ks", "9h Kh"), 100_00)])
def test_only_the_maximum_of_a_wager_is_settled(book: Rulebook, cards: tuple[str, str], returned: int) -> None:
    steps = f"Dealer: place your bets\nDealer: no more bets\nDealer: found Ann Player 400 at 1\n{_cards(*cards)}{ENDED}"
    assert [each[2] for each in _settled(_played(book, steps, "limits 5-300"))] == [returned]


@pytest.mark.refuses("insufficient-cards")
def test_a_round_without_cards_cannot_be_finished(book: Rulebook) -> None:
    table = _played(book, CLOSED + _cards("2s 3d", "Ah Ad")).table
    assert table.shoe
    table = table.changed(shoe=replace(table.shoe, unexposed=Composition(()), size=table.shoe.drawn))
    asked = decide(table, DrawCard(DEALER))
    assert isinstance(asked, tuple)
    assert isinstance(asked[0], VoidAsked)
    held = evolve(table, asked[0])
    for command in (DrawCard(DEALER), AnnounceOutcome(DEALER), SettleRound(DEALER)):
        assert isinstance(decide(held, command), Refusal)
