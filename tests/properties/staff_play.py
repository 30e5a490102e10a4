"""Random play at tables where no patron has a device: whatever patrons say and do is recorded by staff.

Commands come from the registry, so that a new one is played without a word about it here: what comes next by the
guidance, what anyone may report, and anything at all.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from enum import Enum
from functools import cache
from random import Random
from time import monotonic
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace
from properties.random_play import PATRONS, STAFF, RandomPlay

from punto import APPROVED
from punto.cards import DECK, Card
from punto.report.event_text import event_text
from punto.rules.rulebook import Result
from punto.rules.settlement import settle
from punto.rules.standings import Standing
from punto.rules.table_of_play import Hand
from punto.table.command import Command, Meant, PatronAct, Report
from punto.table.decide import COMMANDS
from punto.table.guidance.authority import whose
from punto.table.guidance.next_step import NextStep
from punto.table.guidance.next_steps import next_steps
from punto.table.irregularities.cards_taken import STEPS, CardsTakenHold
from punto.table.irregularities.late_wagers import SettleOverlookedWager
from punto.table.irregularities.void import VoidHold
from punto.table.irregularities.withdrawal import AnswerWithdrawal, standings
from punto.table.play.dealing import outcome_of
from punto.table.play.dealing_device import ATTESTED_BY_DEALER
from punto.table.play.table_management import BeginCount, CloseTable, OpenTable
from punto.table.play.wrong_payout import ReportPayout
from punto.table.registry import DECISIONS
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.settings import Limits
from punto.table.table import Table
from punto.texts import Language

Cards = tuple[Card | None, ...]
SETTLED_AS = {Standing.WON: Result.WIN, Standing.LOST: Result.LOSE}
SAID_ELSEWHERE = {*Meant.__struct_fields__, "by", "noticed_by", "note", "reason", "slip"}
"""Fields that random play fills in by itself, or the house."""
ENDS_SHOE = ("EndShoe", "ShowCuttingCard")
PROVISIONS = ("wrong-cards", "foreign-cards", "order-altered", "insufficient-cards", *ATTESTED_BY_DEALER, *STEPS)


@cache
def fields_of(kind: type[Command]) -> tuple[tuple[str, Any], ...]:
    """Return what people say in a command: each field by name, with its type."""
    hints = hints_of(kind)
    return tuple((name, hints[name]) for name in kind.__struct_fields__ if name not in SAID_ELSEWHERE)


@cache
def hints_of(kind: type[Struct]) -> dict[str, Any]:
    """Return the types of the fields, by name."""
    return get_type_hints(kind)


KINDS = tuple(kind for kind in DECISIONS if kind not in (OpenTable, BeginCount, CloseTable))
ACTS = tuple(kind for kind in KINDS if issubclass(kind, PatronAct) or kind is AnswerWithdrawal)
REPORTS = tuple(kind for kind in KINDS if issubclass(kind, Report))
PEOPLE: dict[Role, Actor] = {actor.role: actor for actor in STAFF.values()}
DEALER = PEOPLE[Role.DEALER]


class StaffPlay(RandomPlay):
    """One table at which every command is given by a member of staff."""

    recorded = 1.0

    def __init__(self, game: str, seed: int) -> None:
        super().__init__(game, seed)
        self.kinds: Counter[str] = Counter()
        """How often each kind of event happened."""
        self.then: Table | None = None
        """The table at some moment of the round, with cards exposed."""
        self.kept = 0
        """How often a wager that stood as decided was settled so."""

    def give(self, command: Command) -> None:
        assert command.by.role is not Role.PATRON, "no patron has a device"
        known = len(self.log)
        super().give(command)
        for event in self.log[known:]:
            self.kinds[type(event).__name__] += 1
            assert self.random.random() > 0.03 or event_text(event, self.random.choice(list(Language)))

    def _check(self) -> None:
        """Check what random play checks, and that a wager decided in mid-round is settled as it stood."""
        super()._check()
        table = self.table
        if table.phase is Phase.OUTCOME and self.then:
            then, self.then = self.then, None
            if all(_grown(_cards(then, hand), _cards(table, hand)) for hand in Hand):
                self._check_decided(standings(then))
        elif table.phase is Phase.DEALING and self.random.random() < 0.02:
            # Without an exposed card nothing is decided.
            self.then = table if table.round.any_exposed else None
        elif table.phase is not Phase.DEALING:
            self.then = None

    def _check_decided(self, stood: dict[str, Standing]) -> None:
        for name, standing in stood.items():
            result = settle(self.book.wager(name), outcome_of(self.table)).result
            assert standing not in SETTLED_AS or SETTLED_AS[standing] is result, (name, standing, result)
            self.kept += standing in SETTLED_AS

    def step(self) -> None:
        dice = self.random.random()
        if people := self._people():
            command = people
        elif dice < 0.55 or self.table.phase is Phase.SHUT:
            command = self._by_either_mouth(self._sensible())
        elif dice < 0.85:
            command = self._suggested()
        elif dice < 0.92:
            command = self._reported()
        elif dice < 0.96:
            command = replace(self._made(self.random.choice(ACTS)), by=self.random.choice(list(STAFF.values())))
        else:
            command = self._anything()
        self.give(self._told(command))

    def _suggested(self) -> Command:
        """One of the steps that the guidance tells staff to take, or to record; most shoes last for several rounds."""
        ends = self.random.random() < 0.05
        suggested = (each for each in next_steps(self.table) if each.role is not Role.PATRON)
        steps = [each for each in suggested if ends or each.command not in ENDS_SHOE]
        if isinstance(self.table.hold, CardsTakenHold | VoidHold) or not steps:
            return self._by_either_mouth(self._sensible())
        step = self.random.choice(steps)
        return self.filled(step)

    def filled(self, step: NextStep) -> Command:
        """Return the command of a step, with what has to be filled in."""
        kind = COMMANDS[step.command]
        hints, values = hints_of(kind), dict[str, Any](step.values)
        for name in step.keyed:
            values[name] = self._value(name, hints[name], values)
        if step.command == "ExposeCard" and "card" not in values:
            values["card"] = self._card(0)
        if {"position", "wager", "amount"} <= set(step.keyed) | set(step.values):
            values |= self._on_layout(values)
        return kind(PEOPLE[step.role], **values)

    def _on_layout(self, values: dict[str, Any]) -> dict[str, Any]:
        """Mostly name an area where the patron's wager lies."""
        areas = [area for area in self.table.round.stakes if area[2] == values.get("wager", area[2])]
        if not areas or self.random.random() < 0.3:
            return {}
        patron, position, wager = self.random.choice(areas)
        return {"patron": patron, "position": position, "wager": wager}

    def _reported(self) -> Command:
        """Something reported or decided, by the position whose it is."""
        kind = self.random.choice(REPORTS)
        of_a_settled_round = {ReportPayout: self._payout, SettleOverlookedWager: self._overlooked}
        command = of_a_settled_round[kind]() if kind in of_a_settled_round else self._made(kind)
        return replace(command, by=PEOPLE[whose(self.table, command).role])

    def _anything(self) -> Command:
        return replace(self._made(self.random.choice(KINDS)), by=self.random.choice(list(STAFF.values())))

    def _made(self, kind: type[Command]) -> Command:
        values: dict[str, Any] = {}
        for name, hint in fields_of(kind):
            values[name] = self._value(name, hint, values)
        if {"patron", "position", "wager"} <= values.keys():
            values |= self._on_layout({})
        return kind(DEALER, **values)

    # --- values ----------------------------------------------------------------------------------------------------

    def _value(self, name: str, hint: Any, values: dict[str, Any]) -> Any:
        """Return what a person could say for a field: by its name if it has a meaning here, else by its type."""
        made = MEANT.get(name)
        return made(self, self.random) if made else self._by_type(hint, values)

    def _by_type(self, hint: Any, values: dict[str, Any]) -> Any:
        random = self.random
        if get_origin(hint) in (Union, UnionType):
            return self._by_type(random.choice(get_args(hint)), values)
        if get_origin(hint) is tuple:
            inside = get_args(hint)
            several = (inside[0],) * random.randint(0, 3) if inside[-1] is Ellipsis else inside
            return tuple(self._by_type(each, values) for each in several)
        if hint is NoneType:
            return None
        if hint is Card:
            return random.choice(DECK)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return random.choice(list(hint))
        if isinstance(hint, type) and issubclass(hint, Struct):
            return hint(*(self._by_type(each, values) for each in hints_of(hint).values()))
        plain: dict[Any, Any] = {bool: random.random() < 0.5, int: random.randint(0, 5), str: "something"}
        return plain.get(hint, 100 * random.randint(1, 20))


def _cards(table: Table, hand: Hand) -> Cards:
    return tuple(place.card for place in table.round.hands[hand])


def _grown(then: Cards, now: Cards) -> bool:
    """Return whether a hand still has the cards it had: none corrected or laid elsewhere."""
    return len(now) >= len(then) and all(each in (None, now[at]) for at, each in enumerate(then))


def _places_in_a_row(play: StaffPlay, random: Random) -> tuple[tuple[Hand, int], ...]:
    """Return where two or three cards lie that were dealt one after the other, in any order, or none."""
    round_ = play.table.round
    first, number = random.randint(0, 3), random.choice([0, 2, 2, 3])
    named = set(round_.dealt[first : first + number])
    lie = [(hand, at) for hand in Hand for at, place in enumerate(round_.hands[hand]) if place.index in named]
    return tuple(random.sample(lie, len(lie)))


def _patron(play: StaffPlay, random: Random) -> str:
    table = play.table
    return random.choice([*PATRONS, *table.round.handlers.values(), table.device or "Stranger"])


def _amount(play: StaffPlay, random: Random) -> int:
    """Return what lies somewhere on the layout, or any amount; now and then one outside the limits."""
    stakes = [each.amount for each in play.table.round.stakes.values()]
    return random.choice([*stakes, 100 * random.randint(1, 30), random.choice([250, 300, 60_000])])


MEANT: dict[str, Callable[[StaffPlay, Random], Any]] = {
    "patron": _patron,
    "person": _patron,
    "turned_by": _patron,
    "amount": _amount,
    "wager": lambda play, random: random.choice(play.book.wagers).name,
    "position": lambda play, random: random.randint(1, play.table.set_up.positions if play.table.setting else 7),
    "place": lambda _, random: random.randint(0, 2),
    "provision": lambda _, random: random.choice(PROVISIONS),
    "order": lambda play, random: tuple(random.sample(play.table.round.order_asked, len(play.table.round.order_asked))),
    "places": lambda play, random: _places_in_a_row(play, random),
    "wagers": lambda _, random: random.choice([None, (), ((1, "Tie"),)]),
    "shoe": lambda play, _: f"shoe {play.table.steps}",
    "limits": lambda play, random: {random.choice(play.book.wagers).name: Limits(500, 10_000)},
    "method": lambda _, random: random.choice("ABC"),
    "count": lambda _, random: random.randint(1, 3),
    "round": lambda play, random: random.choice([*play.table.history, play.table.round_number]),
    "until": lambda *_: None,
}
"""What people could say for fields whose names have a meaning."""


def main() -> None:
    """Play all games in turn until so many commands are given, from a first seed on, and say what was done."""
    wanted, seed, commands, kinds = int(sys.argv[1]), int(sys.argv[2]), 0, Counter[str]()
    began = monotonic()
    while commands < wanted:
        for game in APPROVED:
            play = StaffPlay(game, seed)
            play.play(20_000)
            commands, kinds = commands + 20_000, kinds + play.kinds
        seed += 1
        print(f"seed {seed}: {commands:,} commands, {monotonic() - began:.0f} s, {len(kinds)} kinds", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
