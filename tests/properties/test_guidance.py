"""What the staff are told to do next can be done: at every moment of random play, by the person it names."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from properties.random_play import STAFF, RandomPlay
from support.long import others_long

from punto import APPROVED
from punto.cards import DECK
from punto.rules.table_of_play import Hand
from punto.table.command import Command, Report
from punto.table.decide import COMMANDS, decide
from punto.table.guidance.next_step import NextStep
from punto.table.guidance.next_steps import next_steps, to_settle
from punto.table.irregularities.cards_taken import CardsTakenHold
from punto.table.irregularities.differential import DifferentialHold, differential
from punto.table.irregularities.referral import ReferralHold
from punto.table.irregularities.relaid_cards import faces_dealt
from punto.table.play.settlement import RoundSettled, SettleRound
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.table import Table
from punto.table.views import public, staff

FITTING = {"over-maximum", "under-minimum", "not-enough-chips", "off-step", "own-limit"}
"""A person who places or takes back wagers may find that the amount they chose does not fit."""


class GuidedPlay(RandomPlay):
    """Random play in which every suggestion is tried at every step, and nothing of it is kept."""

    def __init__(self, game: str, seed: int) -> None:
        super().__init__(game, seed)
        self.trouble = 0.15
        self.reached = set[str]()

    def _check(self) -> None:
        super()._check()
        table = self.table
        steps = next_steps(table)
        assert steps, "nobody knows what comes next"
        assert steps[0].must
        for step in steps:
            self._try(table, step)
        assert staff(table).next == steps
        self._check_view(table)

    def _try(self, table: Table, step: NextStep) -> None:
        if step.command == "OpenTable":
            return
        self.reached.add(step.command)
        command = self._filled(table, step)
        answer = decide(table, command)
        code = answer.code if isinstance(answer, Refusal) else None
        short = step.command in ("OrderReturn", "OrderCoup") and code == "not-enough-float"
        assert code is None or short or ("amount" in step.keyed and code in FITTING), (step, answer)
        if step.clause and step.provision:
            assert step.clause in table.book.clauses
        if code is None and not table.acting and step.role is not Role.PATRON and self._dealer_may(table, step):
            self._only_those(table, step, command)

    @staticmethod
    def _dealer_may(table: Table, step: NextStep) -> bool:
        """Whether who may is a matter of position alone, and not of who is on duty or who proposed an act."""
        on_duty = not table.set_up.sign_on or table.on_duty == STAFF[Role.DEALER].id
        return on_duty and step.command != "ConfirmAct"

    def _only_those(self, table: Table, step: NextStep, command: Command) -> None:
        """The positions it names may, and the others may not."""
        for role, actor in STAFF.items():
            answer = decide(table, replace(command, by=actor))
            refused = isinstance(answer, Refusal) and answer.code == "not-yours"
            assert refused == (role not in step.by), (role, step)

    def _filled(self, table: Table, step: NextStep) -> Command:
        values: dict[str, Any] = dict(step.values)
        if step.command in ("OrderReturn", "OrderCoup", "OrderCard", "OrderRelaying"):
            values |= _measure(table, step.command)
        if step.command == "CorrectAnswer" and step.patron:
            values["wagers"] = _another_answer(table, step.patron)
        for name in (each for each in step.keyed if each not in values):
            values[name] = self._fill(table, name, values)
        if step.command == "ExposeCard" and not step.keyed:  # the server fills it in
            values["card"] = self._fill(table, "card", values)
        if step.command == "BurnCards" and not step.keyed and table.set_up.burn and table.set_up.burn.exposes_first:
            values["first"] = self._fill(table, "card", values)
        if step.role is Role.PATRON:
            assert step.patron
            actor = Actor(step.patron, Role.PATRON)
        else:
            actor = self._actor(table, step)
        if issubclass(COMMANDS[step.command], Report):
            values["reason"] = "seen"
        return COMMANDS[step.command](actor, **values)

    @staticmethod
    def _actor(table: Table, step: NextStep) -> Actor:
        """A person of the position: the Dealer on duty, a superior if there is none, a second person for what waits."""
        if step.command == "ConfirmAct":
            return Actor("another", step.role)
        role = step.role
        assert role is not Role.PATRON
        if role is not Role.DEALER or step.command == "SignOn" or not table.set_up.sign_on:
            return STAFF[role]
        return Actor(table.on_duty, Role.DEALER) if table.on_duty else STAFF[Role.PIT_SUPERVISOR]

    def _fill(self, table: Table, name: str, values: dict[str, Any]) -> Any:
        areas = [area for area in table.round.stakes if area[2] == values.get("wager", area[2])]
        patron, position, wager = areas[0] if areas else (next(iter(table.chips), ""), 1, table.book.wagers[0].name)
        simple: dict[str, Any] = {
            "shoe": "another shoe",
            "patron": patron,
            "position": position,
            "wager": wager,
            "amount": table.round.stakes[areas[0]].amount if areas else 500,
            "hand": Hand.BANKER,
            "card": next(iter(table.shoe.unexposed.counts()), DECK[0]) if table.shoe else None,
            "first": DECK[0],
            "wagers": (),
            "order": table.round.together,
            "uncovered": "no rule is about it",
            "reason": "a mistake",
        }
        if name in simple:
            return simple[name]
        hold, shoe = table.hold, table.shoe
        assert isinstance(hold, CardsTakenHold)
        assert shoe
        taken = len(hold.places)
        unexposed = [card for card, number in shoe.unexposed.counts().items() for _ in range(number)]
        return tuple(unexposed[: len(table.out) + (taken if name == "lacking" else 0)])

    def _check_view(self, table: Table) -> None:
        seen, shown, apart = public(table), to_settle(table), differential(table)
        if isinstance(table.hold, DifferentialHold):
            assert apart
            assert apart.excess
            assert (apart.higher, apart.lower) == (table.hold.higher, table.hold.lower)
        assert (seen.offer is not None) == bool(seen.asked)
        if seen.offer:
            assert set(seen.asked) <= {each.patron for each in seen.offer.wagers}
        if not shown:
            return
        assert table.phase is Phase.OUTCOME
        answer = decide(table, SettleRound(STAFF[Role.DEALER]))
        if not isinstance(answer, Refusal):
            (settled,) = (each for each in answer if isinstance(each, RoundSettled))
            assert sorted(settled.wagers, key=repr) == sorted(shown.wagers, key=repr)
            staked = sum(each.stake for each in shown.wagers)
            assert shown.collected + shown.handed_back <= staked
            assert sum(each.returned for each in shown.wagers) == staked - shown.collected + shown.paid


def _measure(table: Table, command: str) -> dict[str, Any]:
    """Return what fits a measure: a wager or the cards of the round in question, a card as it lies."""
    assert isinstance(table.hold, ReferralHold)
    if command == "OrderCard":
        exposed = ((hand, at, each.card) for hand in Hand for at, each in enumerate(table.round.hands[hand]))
        return dict(zip(("hand", "place", "card"), next(each for each in exposed if each[2]), strict=True))
    if command == "OrderRelaying":
        return {"order": tuple(faces_dealt(table.round).values())}
    record = table.history.get(table.hold.round or 0)
    if command == "OrderCoup":
        assert record
        return {"player": record.player, "banker": record.banker}
    areas = [(each.patron, each.position, each.wager) for each in record.wagers] if record else [*table.round.stakes]
    return dict(zip(("patron", "position", "wager"), areas[0], strict=True))


def _another_answer(table: Table, patron: str) -> tuple[tuple[int, str], ...]:
    """What a patron may have answered, and the record does not say."""
    answer, stakes = table.round.answers[patron], table.round.stakes
    return () if answer.withdrawn else tuple(area for area in answer.offered if (patron, *area) in stakes)


def _values(command: Command) -> list[Any]:
    return [getattr(command, name) for name in command.__struct_fields__ if name not in Report.__struct_fields__]


@pytest.mark.parametrize("seeds", others_long([range(1, 2), range(2, 5)]))
@pytest.mark.parametrize("game", APPROVED)
def test_every_step_suggested_is_carried_out_by_whom_it_names(game: str, seeds: range) -> None:
    reached = set[str]()
    for seed in seeds:
        play = GuidedPlay(game, 700 + seed)
        play.play(1_500)
        reached |= play.reached
    assert {"OpenBets", "CloseBets", "DrawCard", "ExposeCard", "AnnounceOutcome", "SettleRound"} <= reached
    if len(seeds) > 1:  # rare in a single play
        assert {"ConfirmVoid", "DismissVoid", "DecideReferral"} <= reached
