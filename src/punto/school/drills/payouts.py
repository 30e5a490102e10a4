"""The drill on payouts: the result of a wager and what is paid, on every line of every wager of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from punto.cards import DECK, Card, Rank
from punto.rules.coup import Coup, Unlawful
from punto.rules.rulebook import Line, Result, Rulebook, Wager
from punto.rules.settlement import pay, settle
from punto.rules.table_of_play import Hand, next_card
from punto.school.chip_rack import laid_out, stake
from punto.school.phrases import Money, Named, Phrase, phrase
from punto.school.question import AnswerKind, Ask, Drill, DrillQuestion, Option, QuestionPart, Remark, Scene
from punto.school.seeded_chance import Lot
from punto.table.default_settings import practice_setting
from punto.table.event import Returned

_MOST_DEALS = 100_000
PATRON = "Ann"


def subjects(book: Rulebook) -> tuple[tuple[str, ...], ...]:
    """Return every line of every wager, and every wager's loss."""
    return tuple((name(wager, line),) for wager in book.wagers for line in wager.outcomes)


def name(wager: Wager, line: Line) -> str:
    """Return the name of a line."""
    return f"{wager.name}/{line.outcome}"


def line_named(book: Rulebook, subject: str) -> tuple[Wager, Line]:
    """Return the wager and the line of a name."""
    return next((w, line) for w in book.wagers for line in w.outcomes if name(w, line) == subject)


def question(book: Rulebook, subject: str, lot: Lot) -> DrillQuestion:
    """Return a question about a coup that this line settles, and what the Dealer pays."""
    wager, line = line_named(book, subject)
    coup = dealt_for(wager, line, lot)
    placed = Returned(PATRON, 1, wager.name, stake(practice_setting(book).limits[wager.name], lot))
    scene = scene_of(coup, placed)
    return DrillQuestion(book, Drill.PAYOUTS, subject, tuple(_moments(wager, line, scene)), scene)


def scene_of(coup: Coup, *placed: Returned) -> Scene:
    """Return a coup with wagers on the layout, waiting to be settled."""
    lies = tuple(
        phrase(
            "lies",
            patron=each.patron,
            wager=Named("wager", each.wager),
            amount=Money(each.amount),
            chips=laid_out(each.amount),
        )
        for each in placed
    )
    return Scene(lies, {Hand.PLAYER: coup.player, Hand.BANKER: coup.banker}, placed)


def _moments(wager: Wager, line: Line, scene: Scene) -> Iterator[QuestionPart]:
    """Yield what is asked; no explanation gives away a later answer."""
    (placed,) = scene.wagers
    payment, clauses = pay(placed.amount, line), (line.clause,)
    told = {"wager": Named("wager", wager.name), "outcome": line.outcome, "stake": Money(placed.amount)}
    options = tuple(Option(each.value, phrase(f"option-{each.value}")) for each in Result)
    ask = Ask(phrase("ask-result", wager=told["wager"]), AnswerKind.CHOICE, options)
    yield QuestionPart(ask, scene, line.result.value, phrase(f"why-is-{line.result.value}", **told), clauses)
    back = {"winnings": Money(payment.winnings), "returned": Money(payment.returned)}
    mistaken = {}
    if line.result is Result.WIN:
        yield winnings_asked(line, scene, why_paid(wager, line, placed.amount), clauses)
        mistaken = {payment.winnings: phrase("remark-without-stake")}
    handed, why = phrase("ask-returned", patron=placed.patron), phrase(f"why-{line.result.value}", **told, **back)
    yield amount_asked(handed, scene, payment.returned, why, clauses, mistaken)


def winnings_asked(line: Line, scene: Scene, why: Phrase, clauses: tuple[str, ...]) -> QuestionPart:
    """Ask what is paid on the first wager; including the stake or the commission is a known mistake."""
    placed = scene.wagers[0]
    payment = pay(placed.amount, line)
    mistaken = {payment.returned: phrase("remark-with-stake")}
    if payment.commission:
        mistaken[payment.winnings + payment.commission] = phrase("remark-commission-left")
    words = phrase("ask-winnings", patron=placed.patron)
    return amount_asked(words, scene, payment.winnings, why, clauses, mistaken)


def amount_asked(
    words: Phrase,
    scene: Scene,
    right: int,
    why: Phrase,
    clauses: tuple[str, ...],
    mistaken: Mapping[int, Phrase] | None = None,
) -> QuestionPart:
    """Ask for an amount, named or laid out in chips; some wrong amounts get a remark."""
    why = phrase("in-chips", why=why, chips=laid_out(right)) if right else why
    known = mistaken or {}
    return QuestionPart(
        Ask(words, AnswerKind.AMOUNT), scene, str(right), why, clauses, lambda said: Remark(known.get(int(said)))
    )


def why_paid(wager: Wager, line: Line, amount: int) -> Phrase:
    """Return what a line that wins pays on a stake: the ratio, and the commission kept back."""
    payment = pay(amount, line)
    told = {"wager": Named("wager", wager.name), "outcome": line.outcome, "stake": Money(amount), "line": line}
    kept = {"commission": Money(payment.commission)} if line.commission else {}
    return phrase("why-paid-less-commission" if kept else "why-paid", **told, **kept, winnings=Money(payment.winnings))


# --- coups -----------------------------------------------------------------------------------------------------------


def dealt_for(wager: Wager, line: Line, lot: Lot) -> Coup:
    """Return a coup that this line of the wager settles."""
    for _ in range(_MOST_DEALS):
        coup = _dealt(lot)
        if settle(wager, coup) is line:
            return coup
    raise Unlawful(f"no coup was found that ends {wager.name} with {line.outcome!r}: it is too rare to be practised")


def _dealt(lot: Lot) -> Coup:
    """Return a coup; pairs, fours and diamonds are more frequent than in a shoe, as wagers are on them."""
    player = _first_two(lot)
    banker = player if lot.once_in(6) else _first_two(lot)
    cards = [player[0], banker[0], player[1], banker[1]]
    values = [[card.point_value for card in hand] for hand in (player, banker)]
    while hand := next_card(*values):
        card = lot.pick(DECK)
        cards.append(card)
        values[0 if hand is Hand.PLAYER else 1].append(card.point_value)
    return Coup.deal(cards)


def _first_two(lot: Lot) -> tuple[Card, Card]:
    first = lot.pick(DECK)
    if lot.once_in(6):
        first = Card(Rank.FOUR, first.suit)
    match lot.below(4):
        case 0:
            return first, Card(first.rank, lot.pick(DECK).suit)
        case 1:
            return first, first
        case _:
            return first, lot.pick(DECK)
