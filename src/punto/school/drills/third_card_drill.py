"""The drill on the Table of Play: who draws, who stands, what the hands come to and who wins.

Its subjects are the rulings the Table of Play can make, found by asking it about every two hands there can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from punto.cards import DECK, Card
from punto.rules.coup import Coup, Winner, hand_total
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand, Ruling, next_card, rulings
from punto.school.phrases import Named, Phrase, phrase
from punto.school.question import AnswerKind, Ask, Drill, DrillQuestion, Option, QuestionPart, Scene, cited
from punto.school.seeded_chance import Lot

_TOTALS = range(10)
Start = tuple[int, int, int]
"""Two-card totals of Player and Banker, and the point value of the card that comes next."""


@cache
def rows() -> dict[Ruling, tuple[Start, ...]]:
    """Return every ruling the Table of Play can make, with the hands that lead to it."""
    found: dict[Ruling, list[Start]] = {}
    for player, banker, third in product(_TOTALS, repeat=3):
        for ruling in _made(player, banker, third):
            found.setdefault(ruling, []).append((player, banker, third))
    return {ruling: tuple(starts) for ruling, starts in found.items()}


def _made(player: int, banker: int, third: int) -> Iterator[Ruling]:
    """Yield the rulings of the Table of Play in a round that begins like this."""
    hands = [player, 0], [banker, 0]
    yield from rulings(*hands)
    if next_card(*hands) is Hand.PLAYER:
        hands[0].append(third)
        yield from rulings(*hands)


def name(row: Ruling) -> str:
    """Return the name of a row: which rule, on which total, against which card."""
    against = "" if row.against is None else f"-against-{row.against}"
    return f"{row.rule}-{row.hand.value}-{row.total}{against}"


@cache
def subjects() -> tuple[tuple[str, ...], ...]:
    """Return the rows in groups of which one is asked at a time; the hard groups stand twice.

    A group is one rule on one total with one answer. It is hard where the same total can also get the other answer.
    """
    groups: dict[tuple[str, Hand, int, bool], list[str]] = {}
    for row in rows():
        groups.setdefault((row.rule, row.hand, row.total, row.draws), []).append(name(row))
    hard = [rows for (*of, draws), rows in groups.items() if (*of, not draws) in groups]
    return tuple(map(tuple, (*groups.values(), *hard)))


def question(book: Rulebook, subject: str, lot: Lot) -> DrillQuestion:
    """Return a question about a round in which this row of the Table of Play applies."""
    row = next(each for each in rows() if name(each) == subject)
    coup = _coup(lot.pick(rows()[row]), lot)
    return DrillQuestion(book, Drill.TABLE_OF_PLAY, subject, tuple(_moments(book, coup)), _scene(coup, 3, 3))


def _coup(start: Start, lot: Lot) -> Coup:
    player, banker, third = start
    initial = [card for both in zip(_two(player, lot), _two(banker, lot), strict=True) for card in both]
    rest = iter([lot.pick([card for card in DECK if card.point_value == third]), lot.pick(DECK)])
    values = [[card.point_value for card in initial[hand::2]] for hand in (0, 1)]
    while hand := next_card(*values):
        card = next(rest)
        initial.append(card)
        values[0 if hand is Hand.PLAYER else 1].append(card.point_value)
    return Coup.deal(initial)


def _two(total: int, lot: Lot) -> tuple[Card, Card]:
    """Return two cards that make a total; as often pictures as in a shoe."""
    first = lot.pick(DECK)
    fitting = [card for card in DECK if (first.point_value + card.point_value) % 10 == total]
    return first, lot.pick(fitting)


def _moments(book: Rulebook, coup: Coup) -> Iterator[QuestionPart]:
    """Yield what is asked in the order of a round: totals, draw or stand, new totals, and the outcome."""
    two = [[card.point_value for card in cards[:2]] for cards in (coup.player, coup.banker)]
    for hand, cards in _hands(coup):
        yield _total(book, _scene(coup, 2, 2), hand, cards[:2])
    made = {each.hand: each for each in rulings(*two)}
    natural = next((each for each in made.values() if each.rule == "natural-ends-deal"), None)
    yield _decision(book, coup, natural or made[Hand.PLAYER])
    if natural is None:
        drawn = [card.point_value for card in coup.player]
        (banker,) = (each for each in rulings(drawn, two[1]) if each.hand is Hand.BANKER)
        yield _decision(book, coup, banker)
    for hand, cards in _hands(coup):
        if len(cards) == 3:
            yield _total(book, _scene(coup, 3, 3), hand, cards)
    yield _winner(book, coup)


def _hands(coup: Coup) -> tuple[tuple[Hand, tuple[Card, ...]], ...]:
    return (Hand.PLAYER, coup.player), (Hand.BANKER, coup.banker)


NATURAL, DRAWS, STANDS = "natural", "draws", "stands"


def _decision(book: Rulebook, coup: Coup, ruling: Ruling) -> QuestionPart:
    natural = ruling.rule == "natural-ends-deal"
    right = NATURAL if natural else DRAWS if ruling.draws else STANDS
    first = ruling.hand is Hand.PLAYER or natural
    scene = _scene(coup, 2, 2) if first else _scene(coup, 3, 2)
    words = phrase("ask-third-card", hand=Named("hand", Hand.PLAYER.value if first else Hand.BANKER.value))
    # Once Player has drawn or stood no natural is left to be seen.
    options = (NATURAL, DRAWS, STANDS) if first else (DRAWS, STANDS)
    clauses = cited(book, ruling.rule) or cited(book, "table-of-play")
    return QuestionPart(_choice(words, options), scene, right, _why(ruling, right), clauses)


def _why(ruling: Ruling, right: str) -> Phrase:
    hand = Named("hand", ruling.hand.value)
    if ruling.against is not None:
        return phrase(f"why-{right}-against", hand=hand, total=ruling.total, against=ruling.against)
    return phrase(f"why-{right}", hand=hand, total=ruling.total)


def _choice(words: Phrase, options: tuple[str, ...]) -> Ask:
    return Ask(words, AnswerKind.CHOICE, tuple(Option(each, phrase(f"option-{each}")) for each in options))


def _total(book: Rulebook, scene: Scene, hand: Hand, cards: tuple[Card, ...]) -> QuestionPart:
    named, values, total = Named("hand", hand.value), [card.point_value for card in cards], hand_total(cards)
    why = phrase("why-total", hand=named, values=" + ".join(map(str, values)), sum=sum(values), total=total)
    rule = "point-total-tens" if sum(values) >= 10 else "point-total-digit"
    clauses = cited(book, rule) or cited(book, "point-total")
    return QuestionPart(Ask(phrase("ask-total", hand=named), AnswerKind.TOTAL), scene, str(total), why, clauses)


def _winner(book: Rulebook, coup: Coup) -> QuestionPart:
    why = phrase("why-winner", player=coup.player_total, banker=coup.banker_total, winner=Named("winner", coup.winner))
    options = tuple(Option(each.value, phrase("plainly", what=Named("winner", each.value))) for each in Winner)
    tie = coup.winner is Winner.TIE
    clauses = cited(book, "tie") if tie else cited(book, "winning-hand")
    return QuestionPart(
        Ask(phrase("ask-winner"), AnswerKind.CHOICE, options), _scene(coup, 3, 3), coup.winner.value, why, clauses
    )


def _scene(coup: Coup, player: int, banker: int) -> Scene:
    """Return the first cards of each hand."""
    return Scene((), {Hand.PLAYER: coup.player[:player], Hand.BANKER: coup.banker[:banker]})
