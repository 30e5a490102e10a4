"""The drill on patrons without a device: what they say at the table, and how staff record it.

Whether it can be recorded now is what the table answers to the command; so is the lowest position that may.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from punto.rules.rulebook import Rulebook
from punto.school.drills.irregularity_drill import not_theirs, position_named
from punto.school.phrases import Money, Named, Phrase, phrase
from punto.school.practice_table import ANYBODY, Practice, acting
from punto.school.question import AnswerKind, Ask, Drill, DrillQuestion, Option, QuestionPart, Remark, Scene
from punto.school.seeded_chance import Lot
from punto.table.command import Command
from punto.table.default_settings import dealt_by_hand
from punto.table.guidance.authority import refusal_of, whose
from punto.table.irregularities.power_failure import ReportPowerFailure
from punto.table.irregularities.withdrawal import AnswerWithdrawal, WithdrawalHold
from punto.table.play.card_handling import DeclineHand
from punto.table.play.wagers import PlaceWager, TakeBackWager
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Table

RECORD, TOO_LATE = "record", "too-late"
_ANSWERS = (RECORD, TOO_LATE, "own-device", "pit")
_NAMED = ("both", "patron", "dealer")


@dataclass(frozen=True, slots=True)
class Said:
    """What a patron says, and the command by which staff record it."""

    words: Phrase
    command: Command


def _wager(practice: Practice) -> Said:
    limits, stakes = practice.table.set_up.limits, practice.table.round.stakes
    room = [
        each for each in practice.areas() if stakes[each].amount + limits[each[2]].minimum <= limits[each[2]].maximum
    ]
    patron, position, wager = practice.lot.pick(room)
    amount = limits[wager].minimum
    told = phrase("says-wager", patron=patron, wager=Named("wager", wager), amount=Money(amount))
    return Said(told, PlaceWager(ANYBODY, patron, position, wager, amount))


def _take_back(practice: Practice) -> Said:
    area = practice.lot.pick(practice.areas())
    patron, position, wager = area
    amount = practice.table.round.stakes[area].amount
    told = phrase("says-take-back", patron=patron, wager=Named("wager", wager), amount=Money(amount))
    return Said(told, TakeBackWager(ANYBODY, patron, position, wager, amount))


def _stands(practice: Practice) -> Said:
    """Have the power fail, which lets patrons take back their wagers, and one of them answer."""
    practice.give(ReportPowerFailure(ANYBODY))
    assert isinstance(practice.table.hold, WithdrawalHold)
    patron = practice.lot.pick(sorted(practice.table.hold.pending))
    return Said(phrase("says-stands", patron=patron), AnswerWithdrawal(ANYBODY, (), patron))


def _decline(practice: Practice) -> Said:
    hand, patron = practice.lot.pick(sorted(practice.table.round.handlers.items()))
    told = phrase("says-decline", patron=patron, hand=Named("hand", hand.value))
    return Said(told, DeclineHand(ANYBODY, hand, patron=patron))


def _in(*phases: Phase) -> Callable[[Table], bool]:
    return lambda table: table.phase in phases


@dataclass(frozen=True, slots=True)
class _Subject:
    at: Callable[[Table], bool]
    says: Callable[[Practice], Said]
    method: str | None = None
    provision: str | None = None
    """A rule that the game must have."""


_SUBJECTS: Mapping[str, _Subject] = {
    "wager": _Subject(_in(Phase.BETTING), _wager),
    "wager-late": _Subject(_in(Phase.CLOSED, Phase.DEALING), _wager),
    "take-back": _Subject(_in(Phase.BETTING), _take_back),
    "take-back-late": _Subject(_in(Phase.CLOSED, Phase.DEALING), _take_back),
    "stands": _Subject(_in(Phase.CLOSED), _stands, provision="power-failure-open"),
    "decline": _Subject(lambda table: bool(table.round.handlers), _decline, method="A"),
}


def subjects(book: Rulebook) -> tuple[tuple[str, ...], ...]:
    """Return what a patron may say in this game."""
    methods = {each.name for each in book.methods}
    return tuple(
        (name,)
        for name, each in _SUBJECTS.items()
        if each.method in (None, *methods) and (each.provision is None or book.clauses_of(each.provision))
    )


def question(book: Rulebook, subject: str, lot: Lot) -> DrillQuestion:
    """A patron without a device says something at a practice table of this game."""
    about = _SUBJECTS[subject]
    plain = dealt_by_hand(book)
    practice = Practice(book, replace(plain, method=about.method or plain.method), lot)
    practice.until(about.at)
    said = about.says(practice)
    table, dealer = practice.table, position_named(Role.DEALER)
    refused = refusal_of(table, said.command, acting(whose(table, said.command).role))
    clause = book.clause_of(refused.provision) if refused and refused.provision else None
    clauses = (clause,) if clause else ()
    layout = {hand: tuple(place.card for place in places) for hand, places in table.round.hands.items()}
    scene = Scene((phrase(f"phase-{table.phase}"), said.words), layout, table.round.layout, table)
    parts = [_what(scene, clauses, bool(refused), lambda key: _remark(key, refused is not None))]
    if not refused:
        practice.give(said.command)
        parts += [_who(scene, table, said.command), _whose_act(scene)]
    told = (*scene.told, phrase("did", who=dealer, what=practice.log[-1]) if not refused else phrase("turned-down"))
    return DrillQuestion(book, Drill.ON_BEHALF, subject, tuple(parts), Scene(told, layout, table.round.layout, table))


def _what(scene: Scene, clauses: tuple[str, ...], late: bool, remark: Callable[[str], Remark]) -> QuestionPart:
    ask = Ask(phrase("ask-said"), AnswerKind.CHOICE, tuple(Option(each, phrase(f"said-{each}")) for each in _ANSWERS))
    right = TOO_LATE if late else RECORD
    return QuestionPart(ask, scene, right, phrase(f"why-said-{right}"), clauses, remark)


def _remark(key: str, late: bool) -> Remark:
    return Remark(phrase("remark-said-late" if late and key == RECORD else "remark-said"))


def _who(scene: Scene, table: Table, command: Command) -> QuestionPart:
    found = whose(table, command)
    options = tuple(Option(each.value, phrase("plainly", what=position_named(each))) for each in Role)
    ask = Ask(phrase("ask-who-records"), AnswerKind.CHOICE, options)
    why = phrase("why-who", role=position_named(found.role))
    return QuestionPart(ask, scene, found.role.value, why, (), partial(not_theirs, table, command))


def _whose_act(scene: Scene) -> QuestionPart:
    options = tuple(Option(each, phrase(f"named-{each}")) for each in _NAMED)
    return QuestionPart(Ask(phrase("ask-named"), AnswerKind.CHOICE, options), scene, "both", phrase("why-named"), ())
