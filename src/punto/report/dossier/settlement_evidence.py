"""Settlement evidence: for every way every wager can end, an example coup, a stake, what is paid, and the clause."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from punto.formatting import money, pays_or_push
from punto.odds import Odds
from punto.report.dossier.document import Block, Document, Heading, Paragraph, PrintedTable, say
from punto.report.dossier.example_coups import example_coups
from punto.report.dossier.foot import foot_of
from punto.report.rendering import percent
from punto.rules.coup import Coup
from punto.rules.rulebook import Line, Rulebook, Wager
from punto.rules.settlement import pay
from punto.texts import Language

STAKE = 100_00
_ENGLISH = Language.ENGLISH
_COLUMNS = ("outcome", "player", "banker", "pays", "clause", "winnings", "commission", "returned", "probability")
_FIGURES = (3, 5, 6, 7, 8)


def settlement_evidence(found: Odds) -> Document:
    """Return every outcome of every wager with an example; outcomes that no deal of the shoe reaches are not there."""
    book = found.book
    return Document(
        title=say("evidence.title", _ENGLISH, game=book.title),
        language=_ENGLISH,
        foot=foot_of(book),
        blocks=tuple(_blocks(found)),
    )


def evidence_csv(found: Odds) -> str:
    """Return the same for programs: one row for each outcome, amounts in whole cents."""
    names = ("wager", *_COLUMNS[:5], "stake_cents", *(f"{each}_cents" for each in _COLUMNS[5:8]), "cards")
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    for wager, line, coup in _examples(found.book):
        payment = pay(STAKE, line)
        shown = (line.outcome, _cards(coup.player), _cards(coup.banker), pays_or_push(line.pays), line.clause)
        amounts = (payment.stake, payment.winnings, payment.commission, payment.returned)
        writer.writerow((wager.name, *shown, *amounts, _cards(coup.in_dealing_order())))
    return file.getvalue()


def _examples(book: Rulebook) -> Iterator[tuple[Wager, Line, Coup]]:
    coups = example_coups(book)
    for wager in book.wagers:
        for line in wager.outcomes:
            if coup := coups.get((wager.name, line.outcome)):
                yield wager, line, coup


def _blocks(found: Odds) -> Iterator[Block]:
    yield Paragraph(say("evidence.note", _ENGLISH, stake=STAKE), soft=True)
    examples = list(_examples(found.book))
    for wager in found.book.wagers:
        yield Heading(say("evidence.wager", _ENGLISH, wager=wager.name, clause=wager.clause), level=3)
        chances = {each.outcome: each.probability for each in found[wager.name].outcomes}
        rows = [(*_row(line, coup), percent(chances[line.outcome])) for each, line, coup in examples if each is wager]
        columns = tuple(say(f"evidence.{each}", _ENGLISH) for each in _COLUMNS)
        yield PrintedTable(columns, tuple(rows), right=_FIGURES, small=True)
        shown = {line.outcome for each, line, _ in examples if each is wager}
        for missing in [line.outcome for line in wager.outcomes if line.outcome not in shown]:
            yield Paragraph(say("evidence.missing", _ENGLISH, outcome=missing))


def _row(line: Line, coup: Coup) -> tuple[str, ...]:
    payment = pay(STAKE, line)
    hands = (
        say("evidence.hand", _ENGLISH, cards=_cards(cards), total=total)
        for cards, total in ((coup.player, coup.player_total), (coup.banker, coup.banker_total))
    )
    amounts = (payment.winnings, payment.commission, payment.returned)
    return (line.outcome, *hands, pays_or_push(line.pays), line.clause, *map(money, amounts))


def _cards(cards: tuple[object, ...]) -> str:
    return " ".join(map(str, cards))
