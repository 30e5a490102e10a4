"""Playing a script: every step is a command to a table, and every expectation that fails is told with its line."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, fields
from typing import Any

from punto.notation.actions import AMOUNT, HAND, WAGER, actor, cents, command
from punto.notation.script import Expectation, NotationError, Run, Script, Step
from punto.notation.write import money
from punto.rules.library import load
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.table import commands as c
from punto.table.decide import decide
from punto.table.events import Event, RoundSettled
from punto.table.evolve import evolve
from punto.table.refusals import Refusal
from punto.table.roles import Role
from punto.table.setting import Device, Limits, Setting
from punto.table.state import Table, WithdrawalHold

_AMOUNTS = {"amount", "total", "difference", "allowed", "counted", "float_", "commission", "returned", "stake"}
"""Fields of events that are amounts of money: written as people write them, kept in cents."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that did not hold, or a step that was refused without that being expected."""

    line: int
    sentence: str


class Player:
    """Plays a script for one of its games."""

    def __init__(self, script: Script, run: Run) -> None:
        self.script, self.clauses = script, run.clauses
        self.book: Rulebook = load(run.game)
        self.table = Table(self.book)
        self.log: list[Event] = []
        self.failures: list[Failure] = []
        self._answer: tuple[Event, ...] | Refusal = ()

    def play(self) -> list[Failure]:
        """Set up the table and take the steps in turn."""
        self._set_up()
        for step in self.script.steps:
            self._take(step)
        return self.failures

    def _set_up(self) -> None:
        first = self.script.heading[0][0] if self.script.heading else 1
        try:
            setting, float_ = _setting(self.script, self.book)
        except ValueError as error:
            raise NotationError(f"line {first}: the table cannot be set up like this: {error}") from None
        self._must(first, c.OpenTable(actor(Role.PIT_MANAGER.value), setting, float_))
        for line, name, amount in self.script.patrons:
            self._must(line, c.BuyIn(actor(Role.DEALER.value), name, cents(amount)))

    def _must(self, line: int, given: c.Command) -> None:
        if isinstance(self._give(given), Refusal):
            assert isinstance(self._answer, Refusal)
            raise NotationError(f"line {line}: {self._answer.sentence(self.book)}")

    def _give(self, given: c.Command) -> tuple[Event, ...] | Refusal:
        self._answer = decide(self.table, given)
        if not isinstance(self._answer, Refusal):
            for event in self._answer:
                self.table = evolve(self.table, event)
                self.log.append(event)
        return self._answer

    def _take(self, step: Step) -> None:
        answer = self._give(command(step.line, step.who, step.action))
        expected = any(each.words.startswith("refused") for each in step.expectations)
        if isinstance(answer, Refusal) and not expected:
            self._fail(step.line, f"refused: {answer.sentence(self.book)}")
        for each in step.expectations:
            self._check(each)

    def _fail(self, line: int, sentence: str) -> None:
        self.failures.append(Failure(line, sentence))

    def _check(self, expectation: Expectation) -> None:
        for pattern, check in _CHECKS:
            if match := re.fullmatch(pattern, expectation.words):
                problem = check(self, *match.groups())
                if problem:
                    self._fail(expectation.line, problem)
                return
        raise NotationError(f"line {expectation.line}: nothing of the kind can be expected: {expectation.words!r}")

    # --- what can be expected --------------------------------------------------------------------------------------

    def _refused(self, code: str, clause: str | None) -> str | None:
        if not isinstance(self._answer, Refusal):
            return f"expected the refusal {code}, but it was done"
        found, cited = self._answer.code, self._answer.clause(self.book)
        if found != code:
            return f"expected the refusal {code}, found {found}: {self._answer.sentence(self.book)}"
        if clause and not self._is_clause(clause, cited):
            return f"expected clause {clause}, found {cited or 'none'}"
        return None

    def _is_clause(self, written: str, found: object) -> bool:
        """Whether a clause is the one written; "the clause" is any of those the heading names for this game."""
        return found in self.clauses if written == "the clause" else str(found) == written

    def _event(self, name: str, described: str) -> str | None:
        happened = () if isinstance(self._answer, Refusal) else self._answer
        wanted = [word.partition("=") for word in shlex.split(described)]
        for event in happened:
            if type(event).__name__ == name and all(self._has(event, key, value) for key, _, value in wanted):
                return None
        shown = ", ".join(self._shown(event) for event in happened)
        return f"expected {name} {described}".rstrip() + f", found {shown or 'nothing'}"

    def _has(self, event: Event, key: str, value: str) -> bool:
        circumstances = getattr(event, "circumstances", None)
        found: Any = getattr(event, key, getattr(circumstances, key, None))
        if key == "clause":
            return self._is_clause(value, found)
        return found == cents(value) if key in _AMOUNTS else str(found) == value

    @staticmethod
    def _shown(event: Event) -> str:
        parts = (f"{each.name}={getattr(event, each.name)}" for each in fields(event) if each.name != "circumstances")
        return f"{type(event).__name__} {' '.join(parts)}"

    def _no_event(self, name: str) -> str | None:
        happened = () if isinstance(self._answer, Refusal) else self._answer
        return f"did not expect {name}" if name in {type(event).__name__ for event in happened} else None

    def _chips(self, patron: str, amount: str) -> str | None:
        found = self.table.chips.get(patron, 0)
        return None if found == cents(amount) else f"expected {patron} to have {amount}, found {money(found)}"

    def _settled(self, patron: str, wager: str, result: str, returned: str, clause: str | None) -> str | None:
        settled = next((event for event in reversed(self.log) if isinstance(event, RoundSettled)), None)
        for each in settled.wagers if settled else ():
            if (each.patron, each.wager) == (patron, wager):
                found = (each.result.value if each.result else "returned", each.returned)
                if found != (result, cents(returned)):
                    return f"expected {result} and {returned} back, found {found[0]} and {money(found[1])}"
                if clause and not self._is_clause(clause, each.limit_clause or each.clause):
                    return f"expected clause {clause}, found {each.limit_clause or each.clause}"
                return None
        return f"{patron} had nothing settled on {wager}"

    @property
    def pending(self) -> frozenset[str]:
        """The patrons who are asked whether they withdraw."""
        hold = self.table.hold
        return hold.pending if isinstance(hold, WithdrawalHold) else frozenset()

    @property
    def deadline(self) -> object:
        """When the window that is open ends."""
        window = self.table.window
        return "none" if window is None or window.deadline is None else window.deadline

    def _plain(self, what: str, found: object, expected: str) -> str | None:
        return None if str(found) == expected else f"expected {what} {expected}, found {found}"

    def _cards(self, hand: str, cards: str) -> str | None:
        found = " ".join(str(place.card) if place.card else "?" for place in self.table.hands[Hand(hand)])
        return self._plain(f"the {hand} hand", found, cards)


_CLAUSE = r"(?: by (the clause|[\d.]+))?"
_CHECKS: list[tuple[str, Any]] = [
    (rf"refused ([a-z-]+){_CLAUSE}", Player._refused),
    (rf"([a-zA-Z]+) has {AMOUNT}", Player._chips),
    (rf"settled (\w+) {WAGER} (win|lose|push|returned) returned {AMOUNT}{_CLAUSE}", Player._settled),
    (rf"float {AMOUNT}", lambda player, amount: player._plain("float", money(player.table.float_), amount)),
    (r"phase ([a-z]+)", lambda player, phase: player._plain("phase", player.table.phase.value, phase)),
    (r"asked ([\w ]+)", lambda p, names: p._plain("those asked", " ".join(sorted(p.pending)), names)),
    (r"deadline (\d+|none)", lambda player, at: player._plain("deadline", player.deadline, at)),
    (r"no hold", lambda player: player._plain("hold", player.table.hold, "None")),
    (r"hold ([a-z-]+)", lambda p, name: p._plain("hold", p.table.hold and p.table.hold.provision, name)),
    (rf"{HAND} ([\w? ]+)", Player._cards),
    (r"no ([A-Z]\w+)", Player._no_event),
    (r"([A-Z][a-zA-Z]+) ?((?:\w+=.+)?)", Player._event),
]
"""Each expectation as a pattern, and the check that answers what is wrong, or nothing."""


def _setting(script: Script, book: Rulebook) -> tuple[Setting, int]:
    """The table's setting from the heading; what it does not say is the plainest there is."""
    said = {key: value for _, key, value in script.heading if key != "limits"}
    layout = next((each for each in book.layouts if each.name == said.get("layout")), book.layouts[0])
    most = layout.positions.most if layout.positions else 7
    limits = {wager.name: Limits(100, 1_000_000) for wager in book.wagers}
    for line, key, value in script.heading:
        if key == "limits":
            limits |= _limits(line, value, list(limits))
    differential = said.get("differential")
    setting = Setting(
        layout=said.get("layout", layout.name),
        positions=int(said.get("positions", most)),
        limits=limits,
        stake_step=cents(said.get("step", "1")),
        decks=int(said.get("decks", "8")),
        device=Device(said.get("device", "manual")),
        method=said.get("method", "B") if book.methods else None,
        hlga="hlga" in said,
        differential=cents(differential) if differential else None,
        area_capacity=int(said.get("wagers per area", "3")),
        confirms=Role(said.get("confirms", Role.PIT_MANAGER.value)),
        managers_interchangeable="managers interchangeable" in said,
        betting_seconds=_seconds(said.get("betting seconds")),
        answer_seconds=_seconds(said.get("answer seconds")),
    )
    return setting, cents(said.get("float", "100000"))


def _seconds(said: str | None) -> int | None:
    return None if said is None else int(said)


def _limits(line: int, text: str, wagers: list[str]) -> dict[str, Limits]:
    match = re.fullmatch(rf"(?:{WAGER} )?{AMOUNT}-{AMOUNT}", text)
    if not match:
        raise NotationError(f"line {line}: expected limits such as 5-1000, or Tie 5-500")
    limits = Limits(cents(match[2]), cents(match[3]))
    return dict.fromkeys([match[1]] if match[1] else wagers, limits)


def run(script: Script) -> dict[str, list[Failure]]:
    """Play the script once for each of its games; what failed in each."""
    return {each.game: Player(script, each).play() for each in script.runs}
