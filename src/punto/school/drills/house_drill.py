"""The drill on the house's own irregularities: what went wrong at its tables, without names.

A case is an event of a table's log with the table before it and after it. Patrons get the names of practice; what
people wrote about it is left out, and so are cases that cannot be told without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from punto.rules.table_of_play import Hand
from punto.school.consequences import followed_by, what_follows
from punto.school.drills.irregularity_drill import apart, clauses_of, position_named
from punto.school.phrases import Money, Named, Phrase, phrase
from punto.school.question import AnswerKind, Ask, Drill, DrillQuestion, Option, QuestionPart, Scene
from punto.school.scenarios import CASES, TOLD_ALIKE
from punto.school.seeded_chance import Lot
from punto.table.event import Irregularity, Returned
from punto.table.guidance.next_steps import next_steps
from punto.table.irregularities.absent_patron import HandlerAbsent
from punto.table.irregularities.cards_taken import CardsTaken
from punto.table.irregularities.device_moved import DeviceMoved
from punto.table.irregularities.device_reset import DeviceReset
from punto.table.irregularities.face_up import FaceUpCardFound
from punto.table.irregularities.late_wagers import LateWagerRefused, LateWithdrawalNoted, WagerFound
from punto.table.irregularities.misdealt_cards import CardMisplaced
from punto.table.irregularities.power_failure import PowerFailed
from punto.table.irregularities.void import VoidAsked
from punto.table.irregularities.wrong_patron import HandWronglyPassed
from punto.table.play.unread_card import ReaderFailed
from punto.table.procedures import Procedure, can_happen, of_game
from punto.table.roles import Role
from punto.table.table import Table

_OPTIONS = 4
_NAMES = ("Ann", "Bob", "Cho", "Dee", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon", "Kim", "Lou")


@dataclass(frozen=True, slots=True)
class HouseCase:
    """Something that went wrong at a table of the house: the event, and the table before it and after it."""

    event: Irregularity
    before: Table
    after: Table


class _Names:
    """The names of practice in place of those of patrons, in the order in which they are met."""

    def __init__(self, table: Table) -> None:
        people = dict.fromkeys([*(each.patron for each in table.round.layout), *sorted(table.chips)])
        self._known = {patron: self._name(at) for at, patron in enumerate(people)}

    @staticmethod
    def _name(at: int) -> str:
        return _NAMES[at % len(_NAMES)] + (f" {at // len(_NAMES) + 1}" if at >= len(_NAMES) else "")

    def __getitem__(self, patron: str) -> str:
        return self._known.setdefault(patron, self._name(len(self._known)))


Told = tuple[str, Phrase]
"""The key of the procedure, and the story."""


def _area(event: Any, names: _Names) -> dict[str, object]:
    return {"patron": names[event.patron], "position": event.position, "wager": Named("wager", event.wager)}


def _hand(event: Any, names: _Names) -> dict[str, object]:
    return {"patron": names[event.patron], "hand": Named("hand", Hand(event.hand).value)}


def _late(case: HouseCase, event: LateWagerRefused, names: _Names) -> Told:
    raised = (event.patron, event.position, event.wager) in case.before.round.stakes
    words = "trouble-late-raise" if raised else "trouble-late-wager"
    return "late-wager", phrase(words, **_area(event, names), amount=Money(event.amount))


def _found(case: HouseCase, event: WagerFound, names: _Names) -> Told:
    limits = case.before.set_up.limits[event.wager]
    amounts = {"amount": event.amount, "minimum": limits.minimum, "maximum": limits.maximum}
    told = {name: Money(amount) for name, amount in amounts.items()}
    return "wager-found", phrase("trouble-wager-found", **_area(event, names), **told)


def _voiding(_: HouseCase, event: VoidAsked, __: _Names) -> Told | None:
    told = event.provision in ("wrong-cards", "foreign-cards", "order-altered", "insufficient-cards")
    return (event.provision, phrase(f"trouble-{event.provision}")) if told else None


def _misread(case: HouseCase, event: ReaderFailed, _: _Names) -> Told | None:
    where = {"hand": Named("hand", event.hand.value), "place": Named("place", str(event.place))}
    if event.misread:
        shown = case.before.round.hands[event.hand][event.place].card
        told = phrase("trouble-reader-misread", **where, keyed=shown, card=event.card)
        return ("reader-misread", told) if shown and event.card else None
    if event.card is None:
        return "reader-missed-face-down", phrase("trouble-reader-missed-face-down", **where)
    return "reader-missed", phrase("trouble-reader-missed", **where, card=event.card)


def _misplaced(_: HouseCase, event: CardMisplaced, __: _Names) -> Told:
    return "misplaced", phrase("trouble-misplaced", hand=Named("hand", event.hand.value))


def _reset(_: HouseCase, event: DeviceReset, __: _Names) -> Told | None:
    words = "trouble-reset-seen" if event.cards_seen else "trouble-reset"
    return None if event.only_recorded else ("device-reset", phrase(words))


def _by_itself(told: Callable[[Any], Told | None]) -> Callable[[HouseCase, Any, _Names], Told | None]:
    """Return how an event is told that needs neither the table nor names."""
    return lambda _, event, __: told(event)


_STORIES: Mapping[type[Irregularity], Callable[[HouseCase, Any, _Names], Told | None]] = {
    LateWagerRefused: _late,
    LateWithdrawalNoted: lambda _, event, names: (
        "late-withdrawal",
        phrase("trouble-late-withdrawal", **_area(event, names)),
    ),
    WagerFound: _found,
    FaceUpCardFound: lambda *_: ("card-face-up", phrase("trouble-face-up")),
    CardMisplaced: _misplaced,
    HandWronglyPassed: lambda _, event, names: ("wrong-pass", phrase("trouble-wrong-pass", **_hand(event, names))),
    HandlerAbsent: lambda _, event, names: ("handler-absent", phrase("trouble-absent", **_hand(event, names))),
    CardsTaken: lambda _, event, names: ("cards-taken", phrase("trouble-cards-taken", **_hand(event, names))),
    DeviceMoved: lambda *_: ("device-moved-exposed", phrase("trouble-device-exposed")),
    DeviceReset: _reset,
    PowerFailed: lambda *_: ("power-failure", phrase("trouble-power")),
    ReaderFailed: _misread,
    VoidAsked: _voiding,
    **{kind: _by_itself(told) for kind, told in TOLD_ALIKE.items()},
}
"""How each kind of event is told, without what people wrote about it."""
TOLD = frozenset(kind.__name__ for kind in _STORIES)
"""The names of the events that may become a case."""


def question(case: HouseCase, lot: Lot) -> DrillQuestion | None:
    """Return the question that a case makes; None if it cannot be told without words that people wrote."""
    names = _Names(case.before)
    story = _STORIES[type(case.event)](case, case.event, names)
    procedure = next((each for each in of_game(case.before.book) if story and each.key == story[0]), None)
    if story is None or procedure is None or case.before.setting is None or case.before.holds:
        return None
    scene = _scene(case.before, names, story[1])
    parts = [_what(case, procedure, scene, lot), _follows(case, scene, lot)]
    parts += _decides(case, scene)
    return DrillQuestion(case.before.book, Drill.HOUSE, procedure.key, tuple(parts), scene)


def _scene(table: Table, names: _Names, story: Phrase) -> Scene:
    hands = {hand: tuple(place.card for place in places) for hand, places in table.round.hands.items()}
    wagers = tuple(Returned(names[each.patron], each.position, each.wager, each.amount) for each in table.round.layout)
    return Scene((phrase(f"phase-{table.phase}"), story), hands, wagers)


def _chosen(
    words: Phrase, options: Iterable[Option], scene: Scene, right: str, why: Phrase, clauses: tuple[str, ...]
) -> QuestionPart:
    return QuestionPart(Ask(words, AnswerKind.CHOICE, tuple(options)), scene, right, why, clauses)


def _what(case: HouseCase, procedure: Procedure, scene: Scene, lot: Lot) -> QuestionPart:
    book = case.before.book
    others = [each for each in of_game(book) if each.key in CASES and apart(each, procedure) and each.key != "referral"]
    likely = [each for each in others if can_happen(each, case.before)]
    rest = [each for each in others if each not in likely]
    offered = lot.shuffled([procedure, *[*lot.shuffled(likely), *lot.shuffled(rest)][: _OPTIONS - 1]])
    options = (Option(each.key, phrase("plainly", what=each.words)) for each in offered)
    why = phrase("why-what", what=procedure.words)
    return _chosen(phrase("ask-what"), options, scene, procedure.key, why, clauses_of([case.event]))


def _follows(case: HouseCase, scene: Scene, lot: Lot) -> QuestionPart:
    follows = what_follows(case.after, [case.event])
    offered = lot.shuffled([follows, *lot.shuffled(followed_by(follows))[: _OPTIONS - 1]])
    options = (Option(each, phrase(f"follows-{each}")) for each in offered)
    why = phrase("why-follows", what=phrase(f"follows-{follows}"))
    return _chosen(phrase("ask-follows"), options, scene, follows, why, clauses_of([case.event]))


def _decides(case: HouseCase, scene: Scene) -> list[QuestionPart]:
    """Ask who decides, where play waits for a decision of a position above the Dealer."""
    step = next((each for each in next_steps(case.after) if each.must), None)
    if not case.after.hold or step is None or step.role in (Role.DEALER, Role.PATRON):
        return []
    options = (Option(each.value, phrase("plainly", what=position_named(each))) for each in Role)
    why = phrase("why-who", role=position_named(step.role))
    clauses = (step.clause,) if step.clause else ()
    return [_chosen(phrase("ask-who-decides"), options, scene, step.role.value, why, clauses)]
