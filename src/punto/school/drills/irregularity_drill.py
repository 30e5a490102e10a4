"""The drill on irregularities: something goes wrong at a live practice table, and the learner sees it through.

Each answer is put to the table as a command. The right answers were carried out by the table, in the position that
may, and cite the clauses that its events and guidance cite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import structs

from punto.cards import DECK
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import INITIAL_DEAL
from punto.school.consequences import followed_by, handed_back, what_follows
from punto.school.drills.payouts import amount_asked
from punto.school.phrases import Money, Named, Phrase, phrase
from punto.school.practice_table import ANYBODY, Practice, acting
from punto.school.question import AnswerKind, Ask, Drill, DrillQuestion, Option, QuestionPart, Remark, Scene, cited
from punto.school.scenarios import ALIKE, CASES, Incident, setting_for
from punto.school.seeded_chance import Lot
from punto.table.command import Command
from punto.table.decide import COMMANDS
from punto.table.event import Event
from punto.table.guidance.authority import refusal_of, whose
from punto.table.guidance.next_step import NextStep
from punto.table.guidance.next_steps import next_steps
from punto.table.irregularities.cards_taken import COUNT, STEPS, AttestCardsTaken, CardsTakenHold
from punto.table.irregularities.differential import AskForDecreases, DifferentialHold, RemoveWager, differential
from punto.table.irregularities.referral import ReferralHold
from punto.table.irregularities.void import VoidHold
from punto.table.irregularities.withdrawal import AnswerWithdrawal, WithdrawalAnswered, WithdrawalHold
from punto.table.play.wagers import TakeBackWager, WagerTakenBack
from punto.table.procedures import Procedure, can_happen, of_game, procedures
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Table

_OPTIONS = 4
_ONCE_IN = 3
"""How often a decision that may go either way goes the other way."""


def subjects(book: Rulebook) -> tuple[tuple[str, ...], ...]:
    """Return every kind of irregularity that the game has a procedure for, in each way it is practised."""
    return tuple((f"{each.key}/{case.name}",) for each in of_game(book) for case in CASES.get(each.key, ()))


def question(book: Rulebook, subject: str, lot: Lot) -> DrillQuestion:
    """Something goes wrong at a practice table of this game."""
    return Course(book, subject, lot).question()


class Course:
    """An irregularity from what goes wrong to the end of the round, with what is asked on the way."""

    def __init__(self, book: Rulebook, subject: str, lot: Lot) -> None:
        self.book, self.subject, self.lot = book, subject, lot
        key, _, name = subject.partition("/")
        self.procedure: Procedure = next(each for each in of_game(book) if each.key == key)
        self.case = case = next(each for each in CASES[key] if each.name == name)
        usual = (self.procedure.provision, *self.procedure.also_with)
        self.clauses = cited(book, *case.rests_on) if case.rests_on else cited(book, *usual)
        self.no_rule = self.clauses in ((), cited(book, "referral"))
        self.practice = Practice(book, setting_for(book, self.procedure, case), lot)
        there = lot.pick(case.at)
        for _ in range(lot.between(0, 0 if case.few_decks else 2)):
            self.practice.until(lambda table: table.phase is Phase.OUTCOME)
            self.practice.on()
        self.practice.until(there)
        self.incident: Incident = case.happens(self.practice)
        self.begun = self.practice.table
        self.told = [self._where(), self.incident.told]
        self.moments: list[QuestionPart] = []

    def question(self) -> DrillQuestion:
        """Return the question; the practice table is then at the end of the round."""
        before = len(self.practice.log)
        self._what_and_who()
        self._report()
        while self._held():
            pass
        self._to_the_end(self.practice.log[before:])
        # The round stays in sight as it ended, though the table is ready for the next one.
        close = replace(self.moments[-1].scene, told=tuple(self.told))
        return DrillQuestion(self.book, Drill.IRREGULARITIES, self.subject, tuple(self.moments), close)

    def _where(self) -> Phrase:
        setting, table = self.practice.table.set_up, self.practice.table
        place = phrase("at-hlga" if setting.hlga else "at-main-floor")
        method = phrase("by-method", method=setting.method) if setting.method else phrase("by-dealer")
        device = phrase(f"device-{setting.device.value}")
        confirms, phase = position_named(setting.confirms), phrase(f"phase-{table.phase}")
        return phrase(
            "where", round=table.round_number, place=place, method=method, device=device, confirms=confirms, phase=phase
        )

    def _scene(self, table: Table | None = None) -> Scene:
        table = table or self.practice.table
        hands = {hand: tuple(place.card for place in places) for hand, places in table.round.hands.items()}
        return Scene(tuple(self.told), hands, table.round.layout, table)

    def _ask(
        self,
        words: Phrase,
        options: Iterable[Option],
        right: str,
        why: Phrase,
        clauses: tuple[str, ...],
        remark: Callable[[str], Remark],
    ) -> None:
        ask = Ask(words, AnswerKind.CHOICE, tuple(options))
        self.moments.append(QuestionPart(ask, self._scene(), right, why, clauses, remark))

    # --- what it is, and whose it is ---------------------------------------------------------------------------------

    def _what_and_who(self) -> None:
        procedure, table, clauses = self.procedure, self.practice.table, self.clauses
        others = [each for each in of_game(self.book) if each.key in CASES and apart(each, procedure)]
        if self.no_rule:  # then it is true that no rule covers it, and cannot be offered as a wrong answer
            others = [each for each in others if each.key != "referral"]
        likely = [each for each in others if can_happen(each, table)]
        chosen = [*self.lot.shuffled(likely), *self.lot.shuffled([each for each in others if each not in likely])]
        offered = self.lot.shuffled([procedure, *chosen[: _OPTIONS - 1]])
        self._ask(
            phrase("ask-what"),
            (Option(each.key, phrase("plainly", what=each.words)) for each in offered),
            procedure.key,
            phrase("why-what", what=procedure.words),
            clauses,
            self._not_that,
        )
        self._who(phrase("ask-who-reports"), self.incident.report, None, clauses)

    def _not_that(self, key: str) -> Remark:
        """Return what the table says to a wrong report."""
        procedure = next(each for each in procedures() if each.key == key)
        values: dict[str, Any] = {
            **procedure.values,
            **{each.name: self._known(each.name) for each in procedure.questions},
        }
        command = COMMANDS[procedure.command](ANYBODY, **values)
        refused = refusal_of(self.begun, command, acting(whose(self.begun, command).role))
        return Remark(phrase("remark-refused") if refused else phrase("remark-not-that", what=procedure.words), refused)

    def _known(self, name: str) -> object:
        """Return the value a wrong report would give for a field."""
        patron, position, wager = next(iter(self.begun.round.stakes), ("", 1, ""))
        otherwise: dict[str, object] = {
            "patron": patron,
            "position": position,
            "wager": wager,
            "amount": self.begun.set_up.stake_step,
            "hand": INITIAL_DEAL[0],
            "place": 0,
            "card": DECK[0],
            "count": 2,
            "order_known": True,
            "round": self.begun.round_number,
            "player": (),
            "banker": (),
            "matter": "?",
            "recorded": False,
            "owed": 0,
            "order": (),
            "hands": (),
            "untold": False,
            "cards": (),
            "places": ((INITIAL_DEAL[0], 0), (INITIAL_DEAL[1], 0)),
        }
        said = getattr(self.incident.report, name, None)
        return otherwise[name] if said is None else said

    def _who(self, words: Phrase, command: Command, doing: Phrase | None, clauses: tuple[str, ...]) -> None:
        """Ask for the lowest position that may give a command, as the table itself decides."""
        table = self.practice.table
        found = whose(table, command)
        options = tuple(Option(each.value, phrase("plainly", what=position_named(each))) for each in Role)
        role = {"role": position_named(found.role)}
        why = phrase("why-who-house", **role) if _chosen_by_house(table, command) else phrase("why-who", **role)
        cites = tuple(dict.fromkeys((*([found.clause] if found.clause else []), *clauses)))
        reason = phrase("because", why=why, doing=doing) if doing else why
        self._ask(words, options, found.role.value, reason, cites, partial(not_theirs, table, command))

    # --- what follows ------------------------------------------------------------------------------------------------

    def _report(self) -> None:
        before = self.practice.table
        events = self.practice.give(self.incident.report)
        if self.incident.after:
            events += self.practice.give(self.incident.after)
        follows = what_follows(self.practice.table, events)
        clauses = (
            self.clauses if self.case.rests_on else clauses_of(events) or cited(self.book, self.procedure.provision)
        )
        options = self.lot.shuffled([follows, *self.lot.shuffled(followed_by(follows))[: _OPTIONS - 1]])
        ask = Ask(
            phrase("ask-follows"), AnswerKind.CHOICE, tuple(Option(each, phrase(f"follows-{each}")) for each in options)
        )
        why = phrase("why-follows", what=phrase(f"follows-{follows}"))
        self.moments.append(QuestionPart(ask, self._scene(before), follows, why, clauses, lambda _: Remark()))
        self._tell(events)

    def _tell(self, events: Iterable[Event]) -> None:
        """Add what was done, and by whom; a patron's answer names the patron itself."""
        by = self.practice.by.role if self.practice.by.role is not Role.PATRON else Role.DEALER
        self.told += [
            phrase("plainly", what=each)
            if isinstance(each, WagerTakenBack | WithdrawalAnswered)
            else phrase("did", who=position_named(by), what=each)
            for each in events
        ]

    def _held(self) -> bool:
        """Ask about one thing that play waits for; return False when it waits for nothing."""
        table = self.practice.table
        steps = [each for each in next_steps(table) if each.must]
        match table.hold:
            case None:
                back = [each for each in steps if each.command == "RetrieveHand"]
                for each in back:
                    self._decided(each)
                return bool(back)
            case WithdrawalHold():
                self._answers(table.hold)
            case CardsTakenHold():
                self._step_of_cards_taken(table.hold, steps)
            case DifferentialHold():
                self._brought_together(table.hold)
            case VoidHold():
                self._decided(steps[0])
            case _:
                self._decided(steps[1] if len(steps) > 1 and self.lot.once_in(_ONCE_IN) else steps[0])
        return True

    def _decided(self, step: NextStep) -> None:
        """Ask who takes a decision, and take it. Where it may go either way, one way is chosen."""
        command = self.practice.as_suggested(step)
        clauses = (step.clause,) if step.clause else ()
        settled = isinstance(self.practice.table.hold, ReferralHold) and self.practice.table.hold.round is not None
        asked = phrase("ask-who-settled" if settled else f"ask-who-{step.command}")
        self._who(asked, structs.replace(command, by=ANYBODY), self._doing(step), clauses)
        self._tell(self.practice.give(command))

    def _doing(self, step: NextStep) -> Phrase:
        """Return a step in the words of this procedure, or of another that leads to it."""
        led_to = [each for each in procedures() if each.key == "referral"] if step.command == "DecideReferral" else []
        steps = [each for procedure in (self.procedure, *led_to) for each in procedure.steps]
        everywhere = [each for procedure in of_game(self.book) for each in procedure.steps]
        same = (each for each in (*steps, *everywhere) if each.command == step.command)
        return phrase("plainly", what=min(same, key=lambda each: each.provision != step.provision).words)

    def _answers(self, hold: WithdrawalHold) -> None:
        """Ask whether one of the wagers may be taken back, then have patrons answer in turn."""
        table = self.practice.table
        wager = self.lot.pick(table.round.layout)
        may = wager in hold.wagers
        words = phrase("ask-may-go", patron=wager.patron, wager=Named("wager", wager.wager))
        options = tuple(Option(each, phrase(f"option-{each}")) for each in ("yes", "no"))
        clauses = (hold.clause,) if hold.clause else cited(self.book, hold.provision)
        why = phrase("why-may-go" if may else "why-may-not-go", wager=Named("wager", wager.wager))
        self._ask(words, options, "yes" if may else "no", why, clauses, lambda _: Remark())
        # The first patron asked lets their wagers stand, so that there is something to settle.
        for number, patron in enumerate(sorted(hold.pending)):
            back = None if number and self.lot.once_in(_ONCE_IN) else ()
            self._tell(self.practice.give(AnswerWithdrawal(acting(Role.PATRON, patron), back)))

    def _brought_together(self, hold: DifferentialHold) -> None:
        """Ask which patrons reduce, and by how much; a part is taken back, and the rest removed."""
        table, found = self.practice.table, differential(self.practice.table)
        assert found
        named = {name: Named("wager", name) for name in (found.higher, found.lower)}
        options = tuple(Option(name, phrase("plainly", what=named[name])) for name in self.lot.shuffled(sorted(named)))
        clauses = cited(self.book, "differential-decrease")
        amounts = {name: Money(getattr(found, name)) for name in ("on_higher", "on_lower", "difference", "allowed")}
        told = {**amounts, "higher": named[found.higher], "lower": named[found.lower]}
        why = phrase("why-on-which", **told)
        self._ask(phrase("ask-on-which"), options, found.higher, why, clauses, lambda _: Remark())
        clauses = cited(self.book, "differential", hold.provision)
        asked = phrase("ask-excess", **told)
        self.moments.append(amount_asked(asked, self._scene(), found.excess, phrase("why-excess", **told), clauses))
        area = next(each for each in table.round.stakes if each[2] == found.higher)
        part = found.excess // 2
        self._tell(self.practice.give(AskForDecreases(acting(Role.DEALER))))
        self._tell(self.practice.give(TakeBackWager(acting(Role.PATRON, area[0]), *area, part)))
        rest = RemoveWager(ANYBODY, *area, found.excess - part)
        step = next(each for each in next_steps(self.practice.table) if each.command == "RemoveWager")
        self._who(phrase("ask-who-RemoveWager"), rest, self._doing(step), cited(self.book, step.provision))
        self._tell(self.practice.give(rest))

    def _step_of_cards_taken(self, hold: CardsTakenHold, steps: list[NextStep]) -> None:
        """Ask for the next of four steps; the other hand is turned when the count needs it."""
        due = STEPS[hold.done]
        turn = next((each for each in steps if each.command == "ExposeCard"), None)
        if turn and (due == COUNT or len(steps) == 1):
            self._tell(self.practice.give(self.practice.as_suggested(turn)))
            return
        step = next(each for each in steps if each.command != "ExposeCard")
        command = self.practice.as_suggested(step)
        named = {each.provision: each for each in self.procedure.steps if each.provision in STEPS}
        options = tuple(Option(name, phrase("plainly", what=named[name].words)) for name in self.lot.shuffled(STEPS))
        why = phrase("plainly", what=named[due].words)
        clauses = (step.clause,) if step.clause else ()
        self._ask(phrase("ask-step"), options, due, why, clauses, partial(_not_yet, self.practice.table))
        if hold.done == 0:
            self._who(phrase("ask-who-AttestCardsTaken"), structs.replace(command, by=ANYBODY), why, clauses)
        self._tell(self.practice.give(command))

    # --- to the end --------------------------------------------------------------------------------------------------

    def _to_the_end(self, since: list[Event]) -> None:
        """Play the round out, and ask what one patron is handed back."""
        before, number = self.begun, self.begun.round_number
        while not (back := handed_back(since, number)):
            if self.practice.table.phase is Phase.IDLE:
                return
            before, events = self.practice.table, len(self.practice.log)
            self.practice.on()
            since = self.practice.log[events:]
        patron = self.incident.patron if self.incident.patron in back else self.lot.pick(sorted(back))
        found = back[patron]
        words = phrase(found.asked, patron=patron, how=found.how)
        self.moments.append(amount_asked(words, self._scene(before), found.amount, found.why, found.clauses))


def apart(one: Procedure, other: Procedure) -> bool:
    return one is not other and not any({one.key, other.key} <= each for each in ALIKE)


def clauses_of(events: Iterable[Event]) -> tuple[str, ...]:
    """Return the clauses that events cite, each once."""
    return tuple(dict.fromkeys(clause for each in events if (clause := getattr(each, "clause", None))))


def position_named(role: Role) -> Named:
    return Named("duty", role.value)


def _chosen_by_house(table: Table, command: Command) -> bool:
    """Return whether the position depends on the house's choice, because the rules leave it open."""
    setting = table.set_up
    other = next(each for each in (Role.PIT_SUPERVISOR, Role.PIT_MANAGER) if each is not setting.confirms)
    elsewhere = table.changed(setting=structs.replace(setting, confirms=other))
    return whose(elsewhere, command).role is not whose(table, command).role


def not_theirs(table: Table, command: Command, said: str) -> Remark:
    """Return the table's refusal of a command from a position, or that a higher position is not needed."""
    refused = refusal_of(table, command, acting(Role(said)))
    return Remark(phrase("remark-refused") if refused else phrase("remark-higher"), refused)


def _not_yet(table: Table, provision: str) -> Remark:
    attempt = AttestCardsTaken(ANYBODY, provision)
    refused = refusal_of(table, attempt, acting(Role.GAMING_SHIFT_MANAGER))
    return Remark(phrase("remark-refused") if refused else None, refused)
