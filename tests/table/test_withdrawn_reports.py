"""Every hold has a true way out: each kind says what was there before the report that play is held for."""

from __future__ import annotations

import pytest
from properties.random_play import RandomPlay

from punto import APPROVED
from punto.table.decide import decide
from punto.table.evolve import replay
from punto.table.guidance.next_steps import next_steps
from punto.table.irregularities.withdrawn_report import WithdrawReport, withdrawn_by
from punto.table.refusal import Refusal
from punto.table.registry import HOLD_STEPS, UNDOINGS
from punto.table.roles import Actor
from punto.table.table import Table


def test_every_kind_of_hold_says_how_its_report_is_undone() -> None:
    assert UNDOINGS.keys() == HOLD_STEPS.keys()


class Withdrawing(RandomPlay):
    """Random play in which every report is withdrawn at every step, and nothing of it is kept."""

    withdrawn = 0
    refused_with = frozenset[str]()

    def _check(self) -> None:
        super()._check()
        table = self.table
        if table.hold is None:
            return
        command = WithdrawReport(Actor("any", withdrawn_by(table, table.hold)), reason="a mistake")
        answer = decide(table, command)
        named = [each for each in next_steps(table) if each.command == "WithdrawReport"]
        assert bool(named) is not isinstance(answer, Refusal)
        assert not any(each.must for each in named)
        if isinstance(answer, Refusal):
            self.refused_with |= {answer.code}
        else:
            self._is_as_before(table, replay(table, answer))
            self.withdrawn += 1

    def _is_as_before(self, before: Table, after: Table) -> None:
        """No money has moved, no card has turned, and there is a step with which play goes on."""
        assert len(after.holds) in (len(before.holds) - 1, len(before.holds))
        assert (after.chips, after.float_, after.round.stakes) == (before.chips, before.float_, before.round.stakes)
        assert after.shoe is not None or before.shoe is None
        if after.shoe and before.shoe:
            assert after.shoe.unexposed == before.shoe.unexposed
        assert any(each.must for each in next_steps(after))


@pytest.mark.parametrize("game", APPROVED)
def test_withdrawing_a_report_moves_no_money_and_leads_on(game: str) -> None:
    play = Withdrawing(game, 51)
    play.trouble = 0.25
    play.play(2_000)
    assert play.withdrawn > 20
    assert play.refused_with <= {"already-followed", "not-reported"}
