"""The drill on commission: how much is kept back from a wager on a hand, what is paid, and what the table collects."""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.rulebook import Line, Result, Rulebook, Wager
from punto.rules.settlement import pay
from punto.school.chip_rack import stake
from punto.school.drills.payouts import (
    PATRON,
    amount_asked,
    dealt_for,
    line_named,
    name,
    scene_of,
    why_paid,
    winnings_asked,
)
from punto.school.phrases import Money, Named, Phrase, phrase
from punto.school.question import Drill, DrillQuestion, QuestionPart, Scene, cited
from punto.school.seeded_chance import Lot
from punto.table.default_settings import on_the_hands, practice_setting
from punto.table.event import Returned

COLLECTED, UNEVEN = "collected", "uneven"
_PATRONS = (PATRON, "Bob", "Cho")


def subjects(book: Rulebook) -> tuple[tuple[str, ...], ...]:
    """Return every win of the wagers on a hand; where one has commission, several wagers at once; and odd amounts."""
    wins = [
        (wager, line)
        for wager in map(book.wager, on_the_hands(book))
        for line in wager.lines
        if line.result is Result.WIN
    ]
    several = [f"{COLLECTED}/{name(*each)}" for each in wins if each[1].commission]
    uneven = [f"{UNEVEN}/{name(*each)}" for each in wins if each[1].pays.denominator > 1]
    return tuple((subject,) for subject in (*(name(*each) for each in wins), *several, *uneven))


def question(book: Rulebook, subject: str, lot: Lot) -> DrillQuestion:
    """Return a question about a win on a hand: what is paid and what is kept back."""
    kind, _, rest = subject.partition("/")
    wager, line = line_named(book, rest if kind in (COLLECTED, UNEVEN) else subject)
    coup = dealt_for(wager, line, lot)
    limits = practice_setting(book).limits[wager.name]
    amounts = [stake(limits, lot) for _ in (_PATRONS if kind == COLLECTED else _PATRONS[:1])]
    if kind == UNEVEN:
        amounts = [_uneven(line, amounts[0], lot)]
    at_table = enumerate(zip(_PATRONS, amounts, strict=False), start=1)
    scene = scene_of(coup, *(Returned(patron, at, wager.name, amount) for at, (patron, amount) in at_table))
    clauses = tuple(dict.fromkeys((line.clause, *cited(book, "commission"))))
    asked = _of_several if kind == COLLECTED else _of_one
    return DrillQuestion(book, Drill.COMMISSION, subject, tuple(asked(wager, line, scene, clauses)), scene)


def _uneven(line: Line, amount: int, lot: Lot) -> int:
    """Return a stake that does not pay out in whole cents, as may be found on the layout."""
    while (amount * line.pays).denominator == 1:
        amount += lot.between(1, 99)
    return amount


def _of_one(wager: Wager, line: Line, scene: Scene, clauses: tuple[str, ...]) -> Iterator[QuestionPart]:
    amount, named = scene.wagers[0].amount, Named("wager", wager.name)
    commission = pay(amount, line).commission
    words = phrase("ask-commission", wager=named, stake=Money(amount))
    kept = {"wager": named, "stake": Money(amount), "commission": Money(commission)}
    why = phrase("why-commission" if line.commission else "why-no-commission", **kept)
    yield amount_asked(words, scene, commission, _rounded(why, line, amount), clauses)
    yield winnings_asked(line, scene, _rounded(why_paid(wager, line, amount), line, amount), clauses)


def _of_several(wager: Wager, line: Line, scene: Scene, clauses: tuple[str, ...]) -> Iterator[QuestionPart]:
    payments = [pay(each.amount, line) for each in scene.wagers]
    for asked, parts in (
        (phrase("ask-collected", wager=Named("wager", wager.name)), [each.commission for each in payments]),
        (phrase("ask-paid-in-all", wager=Named("wager", wager.name)), [each.winnings for each in payments]),
    ):
        why = phrase("why-in-all", each=tuple(map(Money, parts)), total=Money(sum(parts)), line=line)
        yield amount_asked(asked, scene, sum(parts), why, clauses)


def _rounded(why: Phrase, line: Line, amount: int) -> Phrase:
    return why if (amount * line.pays).denominator == 1 else phrase("why-rounded", why=why)
