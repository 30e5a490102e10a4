"""Automation, step by step: the Dealer's next command, where the house lets an automaton give it.

The automaton is a Dealer and no more: it waits while play is held, and for what other people have to do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum

from punto.cards import Card
from punto.rules.table_of_play import Hand
from punto.table.command import Command
from punto.table.guidance.next_step import NextStep
from punto.table.guidance.next_steps import next_steps
from punto.table.play.burn_cards import BurnCards
from punto.table.play.card_handling import ChooseFirstHand, PassHand
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard
from punto.table.play.settlement import SettleRound
from punto.table.play.wagers import OpenBets
from punto.table.play.windows import TimeSqueeze
from punto.table.roles import AUTOMATON, Role
from punto.table.settings import Device
from punto.table.table import Table


class Step(StrEnum):
    """A step of the Dealer's that can be automatic."""

    ANNOUNCE = "announce"
    DRAW = "draw"
    EXPOSE = "expose"
    SETTLE = "settle"


EVERYTHING = frozenset(Step)
"""All steps: a table without staff."""

_DONE_IN: dict[str, Step] = {
    "BurnCards": Step.DRAW,
    "OpenBets": Step.ANNOUNCE,
    "DrawCard": Step.DRAW,
    "PassHand": Step.EXPOSE,
    "ChooseFirstHand": Step.EXPOSE,
    "ExposeCard": Step.EXPOSE,
    "AnnounceOutcome": Step.ANNOUNCE,
    "SettleRound": Step.SETTLE,
}


def next_command(table: Table, steps: Collection[Step], card_at: Callable[[int], Card | None]) -> Command | None:
    """Return the Dealer's next command among the steps that are automatic; None if a person has to act.

    When to close the betting is for a clock or a person to say. ``card_at`` tells a card by its number, and is asked
    only for the card that is exposed now.
    """
    if table.hold:
        return None
    mine = (each for each in next_steps(table) if each.must and _can_be_automatic(table, each))
    step = next(mine, None)
    if step is None or _DONE_IN[step.command] not in steps:
        return None
    if step.role is not Role.DEALER:
        return _set_time(table, step)
    if step.command == "PassHand":
        return _pass(step)
    if step.command == "ChooseFirstHand":
        return ChooseFirstHand(AUTOMATON, Hand.PLAYER)
    if step.command == "BurnCards":
        turned = table.setting is not None and table.set_up.burn is not None and table.set_up.burn.exposes_first
        return BurnCards(AUTOMATON, card_at(0) if turned else None)
    if step.command == "ExposeCard":
        return _expose(table, step, card_at)
    return _PLAIN[step.command](AUTOMATON)


_PLAIN: dict[str, type[Command]] = {kind.__name__: kind for kind in (OpenBets, DrawCard, AnnounceOutcome, SettleRound)}


def _can_be_automatic(table: Table, step: NextStep) -> bool:
    """Return whether an automaton can do it: people pass real cards, and nobody passes one to an absent patron."""
    if step.command == "PassHand":
        return table.set_up.device is Device.SEALED and step.hand not in table.round.handler_absent
    return step.command in _DONE_IN


def _pass(step: NextStep) -> Command:
    assert step.hand is not None
    assert step.patron is not None
    return PassHand(AUTOMATON, step.hand, step.patron)


def _set_time(table: Table, step: NextStep) -> Command | None:
    """Return the command that sets a time for cards that wait for a patron, if none is set (reading R85)."""
    waits = step.command == "ExposeCard" and table.set_up.device is Device.SEALED and step.hand is not None
    return TimeSqueeze(AUTOMATON, step.hand) if waits and step.hand and not table.round.squeezing else None


def ended_by(table: Table) -> Step:
    """Return the step in which the window that is open now is ended."""
    return Step.EXPOSE if table.round.squeezing and not table.hold else Step.ANNOUNCE


def _expose(table: Table, step: NextStep, card_at: Callable[[int], Card | None]) -> Command | None:
    """Return the command that exposes a card, unless a patron has it."""
    if step.patron:
        return None
    assert step.hand is not None
    assert step.place is not None
    return ExposeCard(AUTOMATON, step.hand, step.place, card_at(table.round.hands[step.hand][step.place].index))
