"""A Hypothesis state machine: any command by anybody, between steps that move a round on.

What random play checks at every event is checked here too; a failure is shrunk to the shortest way there.
"""

from __future__ import annotations

from random import Random
from typing import Any, get_type_hints

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from properties.random_play import PATRONS, STAFF, RandomPlay
from support.long import others_long

from punto import APPROVED, load
from punto.cards import DECK
from punto.rules.table_of_play import Hand
from punto.table.command import Command
from punto.table.evolve import replay
from punto.table.irregularities.cards_taken import STEPS
from punto.table.play.table_management import OpenTable
from punto.table.registry import DECISIONS
from punto.table.roles import Actor, Role
from punto.table.settings import Limits
from punto.table.table import Table

WAGERS = sorted({wager.name for game in APPROVED for wager in load(game).wagers})
people = st.sampled_from([*STAFF.values(), *(Actor(patron, Role.PATRON) for patron in (*PATRONS, "Stranger"))])
words = st.sampled_from(["", "Kim", "camera 4", "two\nlines", "[brackets]"])
amounts = st.sampled_from([-100, 0, 50, 100, 500, 700, 2_000, 60_000, 10**9])
cards = st.sampled_from(DECK)
areas = st.tuples(st.integers(0, 9), st.sampled_from(WAGERS))
PROVISIONS = ["wrong-cards", "foreign-cards", "order-altered", "insufficient-cards", "method-c-placed", "tie", *STEPS]

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "by": people,
    "at": st.none() | st.integers(0, 100_000),
    "in_round": st.none() | st.integers(0, 3),
    "in_window": st.none() | st.integers(0, 30),
    "expires": st.none() | st.integers(0, 100_000),
    "noticed_by": words,
    "note": words,
    "reason": words,
    "act": st.none() | st.integers(-1, 30),
    "dealer": words,
    "owed_at": st.sampled_from(["", "T2", "two words"]),
    "paid_at": st.sampled_from(["", "cage", "T2"]),
    "uncovered": words,
    "covered_by": st.sampled_from(["", *PROVISIONS, "none"]),
    "whole": st.booleans(),
    "burned": st.booleans(),
    "patrons": st.lists(st.sampled_from([*PATRONS, "Stranger"]), max_size=2).map(tuple),
    "amount": amounts,
    "counted": amounts,
    "patron": st.sampled_from([*PATRONS, "Stranger", "Dealer", "two words"]),
    "person": st.sampled_from([each.id for each in STAFF.values()]),
    "role": st.sampled_from(list(Role)),
    "until": st.none() | st.integers(0, 100_000),
    "limits": st.dictionaries(st.sampled_from(WAGERS), st.builds(Limits, amounts, amounts), max_size=2),
    "limit": st.none() | amounts,
    "method": st.sampled_from("ABCD"),
    "capacity": st.integers(-1, 4),
    "shoe": words,
    "matter": words,
    "position": st.integers(-1, 15),
    "wager": st.sampled_from(WAGERS),
    "wagers": st.none() | st.lists(areas, max_size=3).map(tuple),
    "hand": st.sampled_from(list(Hand)),
    "place": st.integers(-1, 3),
    "card": cards,
    "turned_by": st.none() | st.sampled_from(PATRONS),
    "provision": st.sampled_from(PROVISIONS),
    "void": st.booleans(),
    "order_known": st.booleans(),
    "altered": st.booleans(),
    "count": st.integers(-1, 7),
    "order": st.lists(st.integers(0, 8), max_size=3).map(tuple),
    "lacking": st.lists(cards, max_size=5).map(tuple),
    "set_aside": st.lists(cards, max_size=3).map(tuple),
    "round": st.none() | st.integers(-1, 4),
    "player": st.lists(cards, max_size=4).map(tuple),
    "banker": st.lists(cards, max_size=4).map(tuple),
}
"""What a field of a command may hold, sense or nonsense; any other field holds anything of its type."""


def commands(kind: type[Command]) -> st.SearchStrategy[Command]:
    hints = get_type_hints(kind)
    return st.builds(kind, **{name: FIELDS.get(name, st.from_type(hints[name])) for name in kind.__struct_fields__})


KINDS = [kind for kind in DECISIONS if kind is not OpenTable]
any_command = st.sampled_from(KINDS).flatmap(commands)


class AnyTable(RuleBasedStateMachine):
    """One table, to which anything is said."""

    play: RandomPlay

    @initialize(game=st.sampled_from(APPROVED), seed=st.integers(0, 1000))
    def sit_down(self, game: str, seed: int) -> None:
        self.play = RandomPlay(game, seed)

    @rule(seed=st.integers(0, 1000), count=st.integers(1, 30))
    def move_on(self, seed: int, count: int) -> None:
        self.play.random = Random(seed)
        self.play.play(count)

    @rule(command=any_command)
    def say(self, command: Command) -> None:
        self.play.give(command)

    @rule(commands=st.lists(any_command, min_size=5, max_size=20))
    def say_much(self, commands: list[Command]) -> None:
        for command in commands:
            self.play.give(command)

    def teardown(self) -> None:
        if hasattr(self, "play"):
            assert replay(Table(self.play.book), self.play.log) == self.play.table


@pytest.mark.parametrize("examples", others_long((30, 300)))
def test_whatever_is_said_to_a_table_it_stays_in_order(examples: int) -> None:
    run_state_machine_as_test(
        AnyTable,
        settings=settings(max_examples=examples, stateful_step_count=30, suppress_health_check=list(HealthCheck)),
    )
