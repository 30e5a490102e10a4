"""Play a script: every step is a command to a table, and every failed expectation is reported with its line."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import Any

from msgspec.structs import asdict

from punto.notation.actions import AMOUNT, HAND, WAGER, actor, cents, command
from punto.notation.command_words import money
from punto.notation.heading import NOBODY, dealer_signed_on, setting
from punto.notation.script import Expectation, NotationError, Script, ScriptGame, ScriptStep
from punto.rules.game_library import load
from punto.rules.provisions import PROVISIONS
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.event import Circumstances, Event, Irregularity, Settled
from punto.table.evolve import EVENTS, evolve
from punto.table.irregularities.cards_taken import SetAside
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.withdrawal import WithdrawalHold
from punto.table.money import money_fields
from punto.table.play.chips import BuyIn
from punto.table.play.duty import SignOn
from punto.table.play.second_person import standing_acts
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import OpenTable
from punto.table.refusal import Refusal
from punto.table.roles import Role
from punto.table.setting_checks import chosen_by
from punto.table.table import Table
from punto.texts import name_of


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that did not hold, or a step that was unexpectedly refused."""

    line: int
    sentence: str


class Player:
    """Plays a script for one of its games."""

    def __init__(self, script: Script, run: ScriptGame) -> None:
        self.script, self.clauses = script, run.clauses
        self.book: Rulebook = load(run.game)
        self.table = Table(self.book)
        self.log: list[Event] = []
        self.failures: list[Failure] = []
        self._answer: tuple[Event, ...] | Refusal = ()
        self._set_aside = SetAside()

    def play(self) -> list[Failure]:
        """Set up the table and take the steps in turn."""
        self._set_up()
        for step in self.script.steps:
            self._take(step)
        return self.failures

    def _set_up(self) -> None:
        first = self.script.heading[0][0] if self.script.heading else 1
        try:
            set_up, float_, pieces = setting(self.script, self.book)
        except NotationError as error:
            raise error if str(error).startswith("line ") else NotationError(f"line {first}: {error}") from None
        opener = chosen_by(self.book, set_up.method)
        self._must(first, OpenTable(actor(opener.value), set_up, float_, pieces))
        if dealer_signed_on(self.script):
            self._must(first, SignOn(actor(Role.DEALER.value)))
        cashier = opener if set_up.sign_on and self.table.on_duty is None else Role.DEALER
        for line, name, amount in self.script.patrons:
            try:
                bought = cents(amount)
            except NotationError as error:
                raise NotationError(f"line {line}: {error}") from None
            self._must(line, BuyIn(actor(cashier.value), name, bought))

    def _must(self, line: int, given: Command) -> None:
        if isinstance(self._give(given), Refusal):
            assert isinstance(self._answer, Refusal)
            raise NotationError(f"line {line}: {self._answer.sentence(self.book)}")

    def _give(self, given: Command) -> tuple[Event, ...] | Refusal:
        self._answer = decide(self.table, self._set_aside.complete(self.table, given))
        if not isinstance(self._answer, Refusal):
            self._set_aside.learn(self.table, given)
            for event in self._answer:
                self.table = evolve(self.table, event)
                self.log.append(event)
        return self._answer

    def _take(self, step: ScriptStep) -> None:
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
                try:
                    problem = check(self, *match.groups())
                except ValueError as error:
                    raise NotationError(f"line {expectation.line}: {error}") from None
                if problem:
                    self._fail(expectation.line, problem)
                return
        raise NotationError(f"line {expectation.line}: nothing of the kind can be expected: {expectation.words!r}")

    # --- expectations ----------------------------------------------------------------------------------------------

    def _refused(self, code: str, clause: str | None, against: str | None) -> str | None:
        if unknown := set((against or "").split()) - set(PROVISIONS):
            raise NotationError(f"there is no provision {min(unknown)}")
        if not isinstance(self._answer, Refusal):
            return f"expected the refusal {code}, but it was done"
        found, cited = self._answer.code, self._answer.clause(self.book)
        if found != code:
            return f"expected the refusal {code}, found {found}: {self._answer.sentence(self.book)}"
        if clause and not self._is_clause(clause, cited):
            return f"expected clause {clause}, found {cited or 'none'}"
        return None

    def _is_clause(self, written: str, found: object) -> bool:
        """Return whether a clause is the one written; "the clause" is any of those the heading names for this game."""
        return found in self.clauses if written == "the clause" else str(found) == written

    def _event(self, name: str, described: str) -> str | None:
        happened = () if isinstance(self._answer, Refusal) else self._answer
        wanted = [word.partition("=") for word in shlex.split(described)]
        self._must_be_known(name, [key for key, _, _ in wanted])
        for event in happened:
            if type(event).__name__ == name and all(self._has(event, key, value) for key, _, value in wanted):
                return None
        shown = ", ".join(self._shown(event) for event in happened)
        return f"expected {name} {described}".rstrip() + f", found {shown or 'nothing'}"

    @staticmethod
    def _must_be_known(name: str, keys: list[str] | tuple[()] = ()) -> None:
        """Raise ``NotationError`` for an unknown event or field: an expectation about it could never fail."""
        kind = EVENTS.get(name)
        if kind is None:
            raise NotationError(f"there is no event {name}")
        known = set(kind.__struct_fields__)
        if issubclass(kind, Irregularity):
            known |= set(Circumstances.__struct_fields__)
        if unknown := set(keys) - known:
            raise NotationError(f"{name} has no {min(unknown)}")

    def _has(self, event: Event, key: str, value: str) -> bool:
        circumstances = getattr(event, "circumstances", None)
        found: Any = getattr(event, key, getattr(circumstances, key, None))
        if key == "matter":  # what the table refers itself has a code, and is written in words all the same
            found = found or name_of("said", getattr(event, "case", None) or "")
        if key == "clause":
            return self._is_clause(value, found)
        return found == cents(value) if key in money_fields(type(event)) and value != "None" else str(found) == value

    @staticmethod
    def _shown(event: Event) -> str:
        parts = (f"{name}={value}" for name, value in asdict(event).items() if name != "circumstances")
        return f"{type(event).__name__} {' '.join(parts)}"

    def _no_event(self, name: str) -> str | None:
        self._must_be_known(name)
        happened = () if isinstance(self._answer, Refusal) else self._answer
        return f"did not expect {name}" if name in {type(event).__name__ for event in happened} else None

    def _chips(self, patron: str, amount: str) -> str | None:
        if patron not in self.table.chips:
            return f"there is no patron {patron} at the table"
        found = self.table.chips[patron]
        return None if found == cents(amount) else f"expected {patron} to have {amount}, found {money(found)}"

    def _settled(
        self, patron: str, wager: str, at: str | None, result: str, returned: str, clause: str | None
    ) -> str | None:
        for each in self._settlements():
            if (each.patron, each.wager) == (patron, wager) and (at is None or each.position == int(at)):
                found = (each.result.value if each.result else "returned", each.returned)
                if found != (result, cents(returned)):
                    return f"expected {result} and {returned} back, found {found[0]} and {money(found[1])}"
                if clause and not self._is_clause(clause, each.limit_clause or each.clause):
                    return f"expected clause {clause}, found {each.limit_clause or each.clause}"
                return None
        return f"{patron} had nothing settled on {wager} by this"

    def _settlements(self) -> list[Settled]:
        """Return the wagers that the step settled or resettled."""
        found: list[Settled] = []
        for event in () if isinstance(self._answer, Refusal) else self._answer:
            match event:
                case RoundSettled(wagers=wagers):
                    found += wagers
                case RoundCorrected() | OverlookedWagerSettled():
                    found += [each.after for each in event.corrections]
        return found

    @property
    def pending(self) -> frozenset[str]:
        """The patrons who are asked whether they withdraw."""
        hold = self.table.hold
        return hold.pending if isinstance(hold, WithdrawalHold) else frozenset()

    @property
    def deadline(self) -> object:
        """When the open window ends."""
        window = self.table.window
        return "none" if window is None or window.deadline is None else window.deadline

    def _plain(self, what: str, found: object, expected: str) -> str | None:
        return None if str(found) == expected else f"expected {what} {expected}, found {found}"

    def _cards(self, hand: str, cards: str) -> str | None:
        found = " ".join(str(place.card) if place.card else "?" for place in self.table.round.hands[Hand(hand)])
        return self._plain(f"the {hand} hand", found, cards)


_CLAUSE = r"(?: by (the clause|[\d.]+))?"
_CHECKS: list[tuple[str, Any]] = [
    (rf"refused ([a-z-]+){_CLAUSE}(?: against ([a-z0-9 -]+))?", Player._refused),
    (rf"(\w+) has {AMOUNT}", Player._chips),
    (
        rf"(\w+) owes {AMOUNT}",
        lambda p, who, owed: p._plain(f"{who} to owe", money(p.table.owed.get(who, 0)), money(cents(owed))),
    ),
    (rf"settled (\w+) {WAGER}(?: at ([0-9]+))? (win|lose|push|returned) returned {AMOUNT}{_CLAUSE}", Player._settled),
    (rf"float {AMOUNT}", lambda p, amount: p._plain("float", money(p.table.float_), money(cents(amount)))),
    (r"phase ([a-z]+)", lambda player, phase: player._plain("phase", player.table.phase.value, phase)),
    (r"asked ([\w ]+)", lambda p, names: p._plain("those asked", " ".join(sorted(p.pending)), names)),
    (r"deadline (\d+|none)", lambda player, at: player._plain("deadline", player.deadline, at)),
    (r"on duty (\w+)", lambda player, name: player._plain("on duty", player.table.on_duty or NOBODY, name)),
    (r"(\d+) acts? waits?", lambda p, n: p._plain("acts that wait", len(standing_acts(p.table)), n)),
    (r"no hold", lambda player: player._plain("hold", player.table.hold, "None")),
    (r"hold ([a-z-]+)", lambda p, name: p._plain("hold", p.table.hold and p.table.hold.provision, name)),
    (rf"{HAND} ([\w? ]+)", Player._cards),
    (r"no ([A-Z]\w+)", Player._no_event),
    (r"([A-Z][a-zA-Z]+) ?((?:\w+=.+)?)", Player._event),
]
"""Each expectation as a pattern, and its check, which returns what is wrong or None."""


def run(script: Script) -> dict[str, list[Failure]]:
    """Play the script once for each of its games; return what failed in each."""
    for each in script.runs:
        if unknown := [clause for clause in each.clauses if clause not in load(each.game).clauses]:
            raise NotationError(f"{each.game} has no clause {unknown[0]}")
    return {each.game: Player(script, each).play() for each in script.runs}
