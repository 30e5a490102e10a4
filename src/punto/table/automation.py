"""Automation, step by step: the Dealer's next command, where the house has it given by itself.

The automaton is a Dealer and no more: it waits while play is held, and for whatever is another person's to do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum

from punto.cards import Card
from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card
from punto.table.commands import (
    AnnounceOutcome,
    ChooseFirstHand,
    Command,
    DrawCard,
    ExposeCard,
    OpenBets,
    SettleRound,
)
from punto.table.roles import Actor, Role
from punto.table.state import Phase, Table


class Step(StrEnum):
    """What may be done by itself."""

    ANNOUNCE = "announce"
    DRAW = "draw"
    EXPOSE = "expose"
    SETTLE = "settle"


EVERYTHING = frozenset(Step)
AUTOMATON = Actor("automaton", Role.DEALER)


def next_command(table: Table, steps: Collection[Step], card_at: Callable[[int], Card | None]) -> Command | None:
    """The Dealer's next command among the steps that are automatic; None if a person has to act.

    When to close the betting is for a clock or a person to say. ``card_at`` tells a card by its number, and is asked
    only for the card that is exposed now.
    """
    if table.hold:
        return None
    if table.phase is Phase.IDLE:
        return OpenBets(AUTOMATON) if table.shoe and Step.ANNOUNCE in steps else None
    if table.phase is Phase.OUTCOME:
        return SettleRound(AUTOMATON) if Step.SETTLE in steps else None
    if table.phase in (Phase.CLOSED, Phase.DEALING):
        return _deal_on(table, steps, card_at)
    return None


def _deal_on(table: Table, steps: Collection[Step], card_at: Callable[[int], Card | None]) -> Command | None:
    draw = DrawCard(AUTOMATON) if Step.DRAW in steps and table.device is None else None
    if table.drawn < len(INITIAL_DEAL):
        return draw
    if not table.all_exposed:
        return _expose(table, card_at) if Step.EXPOSE in steps else None
    if table.set_up.method == "C" and "method-c-placed" not in table.attested:
        return None  # that cards are laid in their places is for a person to say
    if next_card(table.values(Hand.PLAYER), table.values(Hand.BANKER)):
        return draw
    return AnnounceOutcome(AUTOMATON) if Step.ANNOUNCE in steps else None


def _expose(table: Table, card_at: Callable[[int], Card | None]) -> Command | None:
    """The next card nobody else has in his hands, Player's first."""
    if table.set_up.method == "A" and table.first_hand is None:
        return ChooseFirstHand(AUTOMATON, Hand.PLAYER)
    first = table.first_hand or Hand.PLAYER
    for hand in (first, first.other):
        for number, place in enumerate(table.hands[hand]):
            if place.card is None:
                held = hand in table.handlers
                return None if held else ExposeCard(AUTOMATON, hand, number, card_at(place.index))
    return None
