"""The catalogue of what can go wrong: everything it names exists, and everything that can be reported is in it."""

from __future__ import annotations

import re
from typing import get_type_hints

import pytest
from properties.random_play import RandomPlay

from punto import APPROVED, load
from punto.cards import Card
from punto.notation import parse
from punto.notation.script_player import Player
from punto.rules.provisions import PROVISIONS
from punto.table.command import Command, Report
from punto.table.decide import COMMANDS, decide
from punto.table.procedures import CONFIRMS, Procedure, can_happen, of_game, procedures, steps_of
from punto.table.refusal import Refusal
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.settings import Device
from punto.table.table import Table

IN_THE_COURSE_OF_PLAY = {"Attest", "EndShoe"}
"""Reports that nothing has to go wrong for."""


def test_every_report_can_be_reached() -> None:
    reports = {name for name, kind in COMMANDS.items() if issubclass(kind, Report)}
    reached = {each.command for each in procedures()} | {
        step.command for each in procedures() for step in each.steps if step.command
    }
    assert reports - reached == IN_THE_COURSE_OF_PLAY


@pytest.mark.parametrize("procedure", procedures(), ids=lambda each: each.key)
def test_everything_named_exists(procedure: Procedure) -> None:
    positions = {role.value for role in Role} | {CONFIRMS}
    named = [procedure.provision, *procedure.also_with, *(step.provision for step in procedure.steps)]
    assert {name for name in named if name} <= PROVISIONS.keys()
    assert {procedure.by, *(step.by for step in procedure.steps)} <= positions
    assert {step.command for step in procedure.steps if step.command} <= COMMANDS.keys()
    assert issubclass(COMMANDS[procedure.command], Report) is not procedure.found_by_table
    assert procedure.always or any(load(game).clauses_of(procedure.provision or "") for game in APPROVED)
    asked = [each.words for each in procedure.questions]
    for words in (procedure.words, *asked, *(each.words for each in procedure.steps)):
        assert words.en.strip()
        assert re.search(r"[\u4e00-\u9fff]", words.zh)


@pytest.mark.parametrize("procedure", procedures(), ids=lambda each: each.key)
def test_a_card_is_asked_for_where_no_device_tells_it_and_the_rest_everywhere(procedure: Procedure) -> None:
    fields = get_type_hints(COMMANDS[procedure.command])
    for each in procedure.questions:
        told = fields[each.name] == Card | None and procedure.command != "NameCard"  # there the device has failed
        expected = {Device.CARD_READING} if each.name == "untold" else set(Device)
        assert set(each.devices) == ({Device.MANUAL, Device.ELECTRONIC} if told else expected), each.name


def test_keys_are_unique() -> None:
    keys = [each.key for each in procedures()]
    assert len(keys) == len(set(keys))


def test_a_game_has_the_procedures_it_has_rules_for() -> None:
    of = {game: {each.key for each in of_game(load(game))} for game in APPROVED}
    assert {"power-failure", "cards-taken", "wrong-pass", "wrong-cards"} <= of["baccarat"]
    assert {"foreign-cards", "wrong-number-of-cards"}.isdisjoint(of["baccarat"])
    assert {"foreign-cards", "wrong-number-of-cards", "drawn-together", "misplaced", "referral"} <= of["fabulous-4"]
    assert {"power-failure", "cards-taken", "wrong-pass", "wrong-cards"}.isdisjoint(of["fabulous-4"])


class CataloguedPlay(RandomPlay):
    """Random play in which whatever is carried out has to stand in the catalogue for this table at this moment."""

    found = 0

    def give(self, command: Command) -> None:
        before = self.table
        reported = {each.command for each in procedures() if not each.found_by_table}
        name = type(command).__name__
        if name in reported and not isinstance(decide(before, command), Refusal):
            fitting = [each for each in of_game(before.book) if each.command == name and _says(each, command)]
            assert any(can_happen(each, before) for each in fitting), (name, before.phase, before.hold)
            self.found += 1
        super().give(command)


DEAL_OVER = """
for baccarat
patron Ann 1000

Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Dealer: no more bets
Dealer: draw (4 times)
Dealer: expose player 1 9s
Dealer: expose player 2 Ks
Dealer: expose banker 1 2h
Dealer: expose banker 2 Kh
"""


def _says(procedure: Procedure, command: Command) -> bool:
    return all(getattr(command, name) == value for name, value in procedure.values.items())


@pytest.mark.parametrize("game", APPROVED)
def test_nothing_that_can_be_reported_is_hidden(game: str) -> None:
    play = CataloguedPlay(game, 31)
    play.trouble = 0.15
    play.play(4_000)
    assert play.found > 20


@pytest.mark.parametrize(("then", "turned"), [("", False), ("Dealer: dealt to banker by mistake\n", True)])
def test_a_card_that_no_hand_was_due_can_have_been_turned_by_mistake(then: str, turned: bool) -> None:
    script = parse(f"{DEAL_OVER}{then}")
    player = Player(script, script.runs[0])
    assert player.play() == []
    possible = {each.key for each in of_game(player.table.book) if can_happen(each, player.table)}
    assert ("exposed-in-error" in possible) is turned


def test_what_needs_something_at_the_table_cannot_have_happened_without_it() -> None:
    table = Table(load("baccarat"))
    assert not any(can_happen(each, table) for each in procedures()), "the table is shut"
    play = RandomPlay("baccarat", 5)
    while play.table.phase is not Phase.IDLE or play.table.hold or play.table.history:
        play.play(1)
    possible = {each.key for each in of_game(play.table.book) if can_happen(each, play.table)}
    assert {"referral", "power-failure"} <= possible
    assert {"late-wager", "wrong-payout", "round-corrected", "mistaken-report", "device-left"}.isdisjoint(possible)


def test_a_step_is_the_confirming_positions_only_where_the_game_has_no_rule_for_it() -> None:
    (together,) = (each for each in procedures() if each.key == "drawn-together")
    ruled = {each.command: each.by for each in steps_of(load("baccarat"), together)}
    assert ruled["FixOrder"] == Role.PIT_MANAGER.value
    assert ruled["AnswerWithdrawal"] == "patron"
    for procedure in procedures():
        for step in steps_of(load("fabulous-4"), procedure):
            has_rule = step.provision is None or load("fabulous-4").clauses_of(step.provision)
            assert has_rule or step.by == CONFIRMS, procedure.key
