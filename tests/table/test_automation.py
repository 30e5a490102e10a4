"""Automation: the same engine, with any of the Dealer's steps given by itself."""

from __future__ import annotations

import pytest

from punto import APPROVED, Card, Rulebook, load
from punto.notation import parse
from punto.notation.script_player import Player
from punto.shoe import practice_shoe
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.guidance.dealer_automation import EVERYTHING, Step, next_command
from punto.table.irregularities.void import ReportVoid
from punto.table.play.burn_cards import BurnCards
from punto.table.play.settlement import SettleRound
from punto.table.play.wagers import CloseBets
from punto.table.refusal import Refusal
from punto.table.roles import AUTOMATON, Actor, Role
from punto.table.round import Phase
from punto.table.settings import Device
from punto.table.table import Table

SHOE = practice_shoe(5, 8)
DEALER = Actor("Sam", Role.DEALER)
METHOD_A = [key for key in APPROVED if load(key).method("A")]


def _open(book: Rulebook, method: str = "B") -> Table:
    heading = f"method {method}\n" if book.methods else ""
    script = parse(f"for {book.key}\n{heading}patron Ann 1000\nDealer: load shoe one")
    player = Player(script, script.runs[0])
    assert player.play() == []
    return player.table


def _go_on(table: Table, steps: frozenset[Step]) -> tuple[Table, list[str]]:
    """Give the automaton's commands until a person has to act."""
    done: list[str] = []
    while len(done) < 60 and (command := next_command(table, steps, SHOE.card_at)):
        answer = decide(table, command)
        assert not isinstance(answer, Refusal), answer
        for event in answer:
            table = evolve(table, event)
        done.append(type(command).__name__)
        if isinstance(command, SettleRound):
            break
    return table, done


@pytest.mark.parametrize("method", ["A", "B"])
def test_everything_automatic_but_the_closing_of_bets(book: Rulebook, method: str) -> None:
    table, done = _go_on(_open(book, method), EVERYTHING)
    assert done == ["OpenBets"]
    table = evolve(table, _only(table, CloseBets(DEALER)))
    table, done = _go_on(table, EVERYTHING)
    assert done[:4] == ["DrawCard"] * 4
    assert done[-2:] == ["AnnounceOutcome", "SettleRound"]
    assert table.phase is Phase.IDLE
    assert len(table.marks) == 1


def _only(table: Table, command: Command) -> Event:
    answer = decide(table, command)
    assert not isinstance(answer, Refusal)
    (event,) = answer
    return event


@pytest.mark.parametrize("left_out", list(Step))
def test_a_step_left_to_a_person_is_waited_for(book: Rulebook, left_out: Step) -> None:
    table = _open(book)
    steps = EVERYTHING - {left_out}
    if left_out is Step.ANNOUNCE:
        assert next_command(table, steps, SHOE.card_at) is None
        return
    table, _ = _go_on(table, steps)
    table = evolve(table, _only(table, CloseBets(DEALER)))
    table, done = _go_on(table, steps)
    waits_in = {Step.DRAW: Phase.CLOSED, Step.EXPOSE: Phase.DEALING, Step.SETTLE: Phase.OUTCOME}
    assert table.phase is waits_in[left_out]
    missing = {Step.DRAW: "DrawCard", Step.EXPOSE: "ExposeCard", Step.SETTLE: "SettleRound"}[left_out]
    assert missing not in done


def test_the_automaton_waits_while_play_is_held(book: Rulebook) -> None:
    table, _ = _go_on(_open(book), EVERYTHING)
    table = evolve(table, _only(table, CloseBets(DEALER)))
    table = evolve(table, _only(table, ReportVoid(DEALER, "order-altered")))
    assert next_command(table, EVERYTHING, SHOE.card_at) is None


@pytest.mark.parametrize(("burn", "turned"), [("first-card", SHOE.card_at(0)), ("1", None)])
def test_the_automaton_turns_the_first_burnt_card_where_the_house_has_it_so(
    book: Rulebook, burn: str, turned: Card | None
) -> None:
    script = parse(f"for {book.key}\nburn {burn}\npatron Ann 1000\nDealer: load shoe one")
    player = Player(script, script.runs[0])
    assert player.play() == []
    assert next_command(player.table, EVERYTHING, SHOE.card_at) == BurnCards(AUTOMATON, turned)


def _dealt(game: str, device: Device) -> Table:
    """A table under Method A whose initial cards lie face down; Ann is entitled to Player, Bob to Banker."""
    script = parse(
        f"""
        for {game}
        device {device.value}
        method A
        patron Ann 1000
        patron Bob 1000
        Dealer: load shoe one
        Dealer: place your bets
        Ann: wager Player 100 at 1
        Bob: wager Banker 100 at 2
        Dealer: no more bets
        Dealer: draw (4 times)
        """
    )
    player = Player(script, script.runs[0])
    assert player.play() == []
    return player.table


@pytest.mark.parametrize("game", METHOD_A)
def test_the_automaton_passes_the_hands_of_a_sealed_shoe_to_the_patrons_entitled_to_them(game: str) -> None:
    table, done = _go_on(_dealt(game, Device.SEALED), EVERYTHING)
    assert done[:2] == ["PassHand", "PassHand"]
    assert {hand.value: patron for hand, patron in table.round.handlers.items()} == {"player": "Ann", "banker": "Bob"}


@pytest.mark.parametrize("device", [each for each in Device if each is not Device.SEALED])
@pytest.mark.parametrize("game", METHOD_A)
def test_real_cards_are_passed_by_a_person_and_never_by_the_automaton(game: str, device: Device) -> None:
    table, done = _go_on(_dealt(game, device), EVERYTHING)
    assert "PassHand" not in done
    assert not table.round.handlers
