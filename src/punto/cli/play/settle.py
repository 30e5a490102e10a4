"""``punto settle``: how a coup settles every wager of a game."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from punto.cards import CardError, parse_cards
from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import about, print_json
from punto.cli.study.rules import GAME_HELP
from punto.data_frames import exact
from punto.report.rendering import money, ratio
from punto.rules import Coup, Line, Payment, Result, Rulebook, Unlawful, Wager, load, pay
from punto.rules import settle as settle_wager
from punto.rules.settlement import shares

if TYPE_CHECKING:
    from rich.text import Text


@dataclass(frozen=True, slots=True)
class _Settled:
    """A wager and the line that settled it; the payment if an amount was given."""

    wager: Wager
    line: Line
    payment: Payment | None
    capped: int = 0
    """What a cap keeps back of what the line pays."""


def settle(parser: ArgumentParser) -> Run:
    """Settle a coup."""
    parser.epilog = 'For example: punto settle tiger 2s 3h 5d 3d --wager "Tiger Pair=10"'
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    order = "in dealing order: Player, Banker, Player, Banker, then third cards"
    parser.add_argument("cards", metavar="CARD", nargs="+", help=f"the cards {order}, such as 4h Td Ks 2c")
    amounts = "settle an amount on a wager; may be repeated"
    parser.add_argument("--wager", action="append", metavar="NAME=AMOUNT", default=[], help=amounts)
    cap = "the most a table pays in winnings in one round on the wagers given: those that win share it"
    parser.add_argument("--cap", metavar="AMOUNT", help=cap)
    parser.add_argument("--decks", type=whole_number, help="how many decks are in use (default 8)")
    return _run


def _run(arguments: Namespace) -> None:
    book = load(arguments.game)
    decks = book.usual_decks if arguments.decks is None else arguments.decks
    try:
        coup = _coup(book, arguments.cards, decks)
        settled = _under_cap(_settled(book, coup, arguments.wager), arguments.cap)
    except Unlawful as error:
        raise BadInput(book.cite(error)) from None
    if arguments.json:
        print_json(_as_json(book, decks, coup, settled))
    else:
        _show(coup, settled)


def _coup(book: Rulebook, words: list[str], decks: int) -> Coup:
    """Return the coup; its cards must be in the shoe, and the Table of Play must deal them."""
    shoe = book.shoe(decks)
    cards = parse_cards(" ".join(words))
    try:
        shoe.without(cards)
    except CardError:
        card = next(card for card in cards if cards.count(card) > shoe.count(card))
        held = "once" if decks == 1 else f"{decks} times"
        sentence = f"{card} appears {cards.count(card)} times, but the shoe holds it {held}"
        raise Unlawful(sentence, "decks") from None
    return Coup.deal(cards)


def _settled(book: Rulebook, coup: Coup, wagers: list[str]) -> list[_Settled]:
    if not wagers:
        return [_Settled(wager, settle_wager(wager, coup), None) for wager in book.wagers]
    settled = []
    for text in wagers:
        wager, stake = _placed(book, text)
        line = settle_wager(wager, coup)
        settled.append(_Settled(wager, line, pay(stake, line)))
    return settled


def _under_cap(settled: list[_Settled], cap: str | None) -> list[_Settled]:
    """Return the wagers with what a cap leaves those that win; they share it in the order given (R86)."""
    if cap is None:
        return settled
    from punto.cli.study.cap_arguments import cents

    payments = [each.payment for each in settled if each.payment]
    if not payments:
        raise BadInput("--cap goes with --wager: a cap is shared by amounts")
    for each in settled:
        if any(line.commission for line in each.wager.lines):
            raise BadInput(f"--cap: {each.wager.name} cannot be capped, because commission is kept of what it wins")
    paid = shares(cents(cap, "--cap"), [payment.winnings for payment in payments])
    return [
        replace(each, payment=_paid_only(payment, winnings), capped=payment.winnings - winnings)
        for each, payment, winnings in zip(settled, payments, paid, strict=True)
    ]


def _paid_only(payment: Payment, winnings: int) -> Payment:
    return payment._replace(winnings=winnings, returned=payment.returned - payment.winnings + winnings)


def _placed(book: Rulebook, text: str) -> tuple[Wager, int]:
    """Parse ``Player=100`` or ``Tiger Pair=2.50`` into the wager and its amount in cents."""
    name, equals, amount = (part.strip() for part in text.partition("="))
    if not equals:
        raise BadInput(f'--wager {text!r}: expected NAME=AMOUNT, such as "Player=100"')
    wager = book.wager(name)
    match = re.fullmatch(r"(-?)(\d{1,15})(?:\.(\d\d?))?", amount, re.ASCII)
    if not match:
        raise BadInput(f"--wager {text!r}: expected an amount in whole cents, such as 100 or 2.50")
    placed = int(match[2]) * 100 + int((match[3] or "").ljust(2, "0"))
    if match[1] or not placed:
        raise Unlawful(f"--wager {text!r}: a wager is an amount above zero", "limits")
    return wager, placed


def _as_json(book: Rulebook, decks: int, coup: Coup, settled: list[_Settled]) -> dict[str, object]:
    return {
        **about(book),
        "decks": decks,
        "cards": [str(card) for card in coup.in_dealing_order()],
        "player": {"cards": [str(card) for card in coup.player], "total": coup.player_total},
        "banker": {"cards": [str(card) for card in coup.banker], "total": coup.banker_total},
        "winner": coup.winner.value,
        "wagers": [
            {
                "wager": each.wager.name,
                "outcome": each.line.outcome,
                "result": each.line.result.value,
                **exact(pays=each.line.pays),
                "clause": each.line.clause,
                "amount": money(each.payment.stake) if each.payment else None,
                "returned": money(each.payment.returned) if each.payment else None,
                "cents": each.payment._asdict() if each.payment else None,
                **({"capped": each.capped} if each.capped else {}),
            }
            for each in settled
        ],
    }


def _show(coup: Coup, settled: list[_Settled]) -> None:
    from rich.text import Text

    from punto.cli import terminal

    hands = (("Player", coup.player, coup.player_total), ("Banker", coup.banker, coup.banker_total))
    for name, cards, total in hands:
        terminal.console.print(Text(f"{name}  {total}  ") + terminal.cards(cards))
    winner = coup.winner.capitalize()
    terminal.console.print(Text(winner if winner == "Tie" else f"{winner} wins", "bold"))
    amounts = ("Amount", "Commission", "Returned") if settled[0].payment else ()
    table = terminal.table(("Wager", "Result", "Outcome", "Pays", "Clause", *amounts), right=("Pays", *amounts))
    for each in settled:
        table.add_row(*_row(each))
    terminal.print_whole(table)


_RESULT_STYLE = {Result.WIN: "green", Result.LOSE: "dim", Result.PUSH: "yellow"}


def _row(each: _Settled) -> list[str | Text]:
    from rich.text import Text

    line, payment = each.line, each.payment
    outcome = "" if line.outcome == line.result else line.outcome
    pays = ratio(line.pays) if line.result is Result.WIN else ""
    row: list[str | Text] = [each.wager.name, Text(line.result, _RESULT_STYLE[line.result]), outcome, pays, line.clause]
    if payment:
        commission = money(payment.commission) if payment.commission else ""
        row += [money(payment.stake), commission, money(payment.returned)]
    return row
