"""A house that went back in time ends whatever is under way: from every state that random play reaches."""

from __future__ import annotations

import pytest
from properties.random_play import RandomPlay

from punto.audit.recomputation import recompute
from punto.rules.game_library import APPROVED, game_file
from punto.server.running.resumption import CARDS_KNOWN
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.irregularities.referral import DecideReferral, Refer
from punto.table.play.second_person import ConfirmAct
from punto.table.play.shoes import ShoeEnded
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.table import Table

ONE, OTHER = (Actor(name, Role.GAMING_SHIFT_MANAGER) for name in ("one", "other"))
STEPS = (Refer(ONE, matter="lost", reason="lost"), DecideReferral(ONE, void=True, uncovered="none", reason="lost"))


def given(table: Table, command: Command, log: list[Event]) -> Table:
    """Carry out a command, with a second person where the table asks for one."""
    waiting = len(table.proposed)
    for each in (command, ConfirmAct(OTHER)):
        decision = decide(table, each)
        assert not isinstance(decision, Refusal), (type(each).__name__, decision)
        for event in decision:
            table = evolve(table, event)
        log += decision
        if len(table.proposed) <= waiting:
            break
    return table


@pytest.mark.parametrize("game", APPROVED)
def test_a_round_in_any_state_can_be_void_its_shoe_ended_and_the_auditor_agrees(game: str) -> None:
    for seed in range(2):
        play = RandomPlay(game, seed)
        for number in range(12):
            play.play(5 + 7 * number % 11)
            table, log = play.table, list(play.log)
            for command in STEPS if table.phase is not Phase.IDLE else ():
                table = given(table, command, log)
            assert table.phase is Phase.IDLE
            if table.shoe:
                log.append(ended := ShoeEnded(table.shoe.name, CARDS_KNOWN))
                table = evolve(table, ended)
            assert recompute(log, game_file(game)).findings == [], (seed, number)
