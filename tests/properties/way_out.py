"""A search for a true way out: from a state of random play, lawful and truthful commands that end the round.

Nothing is reported that has not happened and nothing attested that is not so: what was reported on the way to the state
is taken as true, cards are any that the shoe can still hold, and patrons may answer as they like. A round may end by
its settlement or by a void that a rule provides for, and not by a decision of the Gaming Shift Manager (6.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from punto.cards import Card
from punto.rules.table_of_play import Hand
from punto.table.command import Command, Report
from punto.table.decide import COMMANDS, decide
from punto.table.evolve import replay
from punto.table.guidance.next_step import NextStep
from punto.table.guidance.next_steps import next_steps
from punto.table.irregularities.cards_taken import CardsTakenHold
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.round import IN_ROUND
from punto.table.table import Table

MOST = 400
"""How many commands are tried before the search gives up."""
BY_DISCRETION = ("DecideReferral", "DecideReset")
"""Decisions that may void a round under 6.1."""
NOT_NEEDED = (
    "LimitLoss",
    "EndShoe",
    "PermitSqueeze",
    "GiveDevice",
    "PlaceWager",
    "SignOff",
    "DropAct",
    "CorrectAnswer",
)
"""Steps that lead to no end."""
PLAY = ("AnswerWithdrawal", "DrawCard", "ExposeCard")
"""Acts of patrons that play waits for, and that staff record."""


def way_out(table: Table, random: Random) -> list[Command] | None:
    """Return commands that end the round, the likeliest first at each state; None if none was found."""
    done: list[Command] = []
    tried = 0
    states = [(table, _truthful(table, random))]
    while states and tried < MOST:
        now, commands = states[-1]
        command = next(commands, None)
        if command is None:
            states.pop()
            del done[len(states) - 1 :]
            continue
        tried += 1
        answer = decide(now, command)
        if isinstance(answer, Refusal):
            continue
        after = replay(now, answer)
        done.append(command)
        if after.phase not in IN_ROUND and not after.holds:
            return done
        states.append((after, _truthful(after, random)))
    return None


def _truthful(table: Table, random: Random) -> Iterator[Command]:
    """Yield what can be done now and is true, what play waits for first."""
    steps = [each for each in next_steps(table) if each.role is not Role.PATRON and each.command not in NOT_NEEDED]
    for step in sorted(steps, key=lambda each: (not each.must and each.command not in PLAY, random.random())):
        if step.command in BY_DISCRETION and step.values.get("void"):
            continue
        for _ in range(3 if step.keyed else 1):
            yield _filled(table, step, random)


def _filled(table: Table, step: NextStep, random: Random) -> Command:
    kind = COMMANDS[step.command]
    values: dict[str, Any] = dict(step.values)
    values |= _true_values(table, step, random)
    if issubclass(kind, Report):
        values.setdefault("reason", "it was so")
    return kind(_person(table, step), **values)


def _person(table: Table, step: NextStep) -> Actor:
    """Return who takes the step: the Dealer on duty or a superior, and for what waits for a second person another."""
    if step.command == "ConfirmAct":
        return Actor("another", step.role)
    if step.role is not Role.DEALER or step.command == "SignOn" or not table.set_up.sign_on:
        return Actor(step.role.value, step.role)
    supervisor = Actor(Role.PIT_SUPERVISOR.value, Role.PIT_SUPERVISOR)
    return Actor(table.on_duty, Role.DEALER) if table.on_duty else supervisor


def _true_values(table: Table, step: NextStep, random: Random) -> dict[str, Any]:
    """Return what the person fills in."""
    areas = [area for area in table.round.stakes if area[2] == step.values.get("wager", area[2])]
    patron, position, wager = random.choice(areas) if areas else (next(iter(table.chips), ""), 1, "")
    lies = table.round.stakes[patron, position, wager].amount if areas else 0
    values: dict[str, Callable[[], Any]] = {
        "patron": lambda: patron,
        "position": lambda: position,
        "wager": lambda: wager,
        "amount": lambda: lies if random.random() < 0.6 else random.randint(1, max(1, lies // 100)) * 100,
        "hand": lambda: random.choice(list(Hand)),
        "card": lambda: _cards(table, 1, random)[0],
        "wagers": lambda: (),
        "order": lambda: table.round.order_asked,
        "shoe": lambda: f"shoe {table.steps}",
    }
    asked = {*step.keyed, *(["card"] if step.command == "ExposeCard" else [])}
    filled = {name: values[name]() for name in asked if name in values}
    if isinstance(table.hold, CardsTakenHold) and "lacking" in asked:
        taken = sum(place.card is None for place in table.round.hands[table.hold.hand])
        filled["lacking"] = _cards(table, taken + len(table.out), random)
        filled["set_aside"] = filled["lacking"][: len(table.out)]
    return filled


def _cards(table: Table, number: int, random: Random) -> tuple[Card, ...]:
    """Return cards that the shoe can still hold."""
    assert table.shoe
    left = table.shoe.unexposed.counts()
    return tuple(random.sample(list(left), number, counts=list(left.values())))
