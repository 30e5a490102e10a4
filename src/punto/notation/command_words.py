"""The words for each command in the notation, as ``actions`` reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from punto.table.command import Command
from punto.table.irregularities.absent_patron import ReportAbsent
from punto.table.irregularities.cards_taken import AttestCardsTaken, DetermineMissing, ReportCardsTaken
from punto.table.irregularities.correction import CorrectCard, CorrectRound
from punto.table.irregularities.device_moved import ReportDeviceMoved
from punto.table.irregularities.device_reset import DecideReset, ReportReset
from punto.table.irregularities.differential import AskForDecreases, RemoveWager
from punto.table.irregularities.drawn_together import FixOrder, ReportDrawnTogether
from punto.table.irregularities.exposed_in_error import ExposeInError
from punto.table.irregularities.face_up import ReportFaceUp
from punto.table.irregularities.late_wagers import (
    NoteLateWithdrawal,
    RecordWager,
    RefuseLateWager,
    SettleOverlookedWager,
)
from punto.table.irregularities.measures import (
    OrderCard,
    OrderCardsAside,
    OrderCoup,
    OrderNewCards,
    OrderRelaying,
    OrderReturn,
    OrderWithdrawal,
)
from punto.table.irregularities.misdealt_cards import ReconstructCards, ReportMisplaced, ReportWrongNumber
from punto.table.irregularities.power_failure import ReportPowerFailure
from punto.table.irregularities.referral import DecideReferral, Refer
from punto.table.irregularities.relaid_cards import RelayByHands, RelayByOrder
from punto.table.irregularities.void import ConfirmVoid, DismissVoid, ReportVoid
from punto.table.irregularities.withdrawal import AnswerWithdrawal, CorrectAnswer, EndWithdrawal, OfferWithdrawal
from punto.table.irregularities.withdrawn_report import WithdrawReport
from punto.table.irregularities.wrong_patron import ReportWrongPass, RetrieveHand
from punto.table.money import Pieces
from punto.table.play.appointments import AppointActing, EndActing
from punto.table.play.burn_cards import BurnCards
from punto.table.play.card_handling import ChooseFirstHand, DeclineHand, LookAtCards, PassHand, PermitSqueeze
from punto.table.play.chips import BuyIn, CashOut, Credit, Fill
from punto.table.play.dealing import AnnounceOutcome, AnnounceTotals, DrawCard, ExposeCard, ShowCuttingCard
from punto.table.play.dealing_device import (
    AcceptDevice,
    Attest,
    GiveDevice,
    GiveUpDevice,
    PermitDrawing,
    TakeBackDevice,
)
from punto.table.play.debts import PayDebt, SettleDebt
from punto.table.play.duty import AnswerCall, CallPit, SignOff, SignOn
from punto.table.play.loss_limits import LimitLoss
from punto.table.play.requests import NameSqueezer, RequestWager
from punto.table.play.second_person import ConfirmAct, DropAct
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import EndShoe, LoadShoe, ReplaceCards
from punto.table.play.table_management import (
    BeginCount,
    ChangeLimits,
    ChangeMethod,
    CloseTable,
    DropCount,
    RestrictArea,
)
from punto.table.play.unread_card import ConfirmCard, NameCard
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager, TakeBackWager
from punto.table.play.windows import TimeSqueeze, WindowElapsed
from punto.table.play.wrong_payout import ReportPayout
from punto.table.roles import Role


def money(cents: int) -> str:
    """Return an amount as people write it."""
    return f"{cents // 100}" + (f".{cents % 100:02d}" if cents % 100 else "")


def free_text(words: str) -> str:
    """Return a text as it stands in a script: in quotes, as in JSON, if it would be read as more than a text."""
    plain = words == " ".join(words.split()) and words.isprintable() and {*"[];"}.isdisjoint(words)
    if plain and not words.startswith('"') and not re.search(r" about round \d+$", words):
        return words
    # A line of a script is read with its white space put in order, so what is not one plain space is escaped.
    return re.sub(r"[^\S ]|(?<= ) ", lambda each: f"\\u{ord(each[0]):04x}", json.dumps(words, ensure_ascii=False))


def chips(amount: int, pieces: Iterable[Pieces], slip: int = 0) -> str:
    """Return an amount of chips, by denomination and by slip where it is told so."""
    counted = ", ".join(f"{each.number} of {money(each.value)}" for each in pieces)
    return money(amount) + (f" as {counted}" if counted else "") + (f" by slip {slip}" if slip else "")


def _area_words(command: Any) -> str:
    return f"{command.wager} {money(command.amount)} at {command.position}"


def _placing_words(command: PlaceWager) -> str:
    own = command.by.role is Role.PATRON
    return f"wager {_area_words(command)}" if own else f"for {command.patron} wager {_area_words(command)}"


def _limits_words(command: ChangeLimits) -> str:
    said = (f"{name} {money(each.minimum)}-{money(each.maximum)}" for name, each in command.limits.items())
    return f"limits {', '.join(said)}"


def _withdrawal_words(command: AnswerWithdrawal) -> str:
    return f"{_said_by(command, 'withdraw', 'withdraws')} {_answer_words(command)}"


def _answer_words(command: AnswerWithdrawal | CorrectAnswer) -> str:
    said = ", ".join(f"{wager} at {position}" for position, wager in command.wagers or ())
    return said or ("all" if command.wagers is None else "nothing")


def _said_by(command: Any, own: str, recorded: str) -> str:
    """Return the verb of a patron's act, or what staff write where they record it."""
    return f"{command.patron} {recorded}" if command.patron else own


def _limit_words(command: LimitLoss) -> str:
    verb = _said_by(command, "limit loss", "limits loss")
    return f"{verb} no more" if command.limit is None else f"{verb} to {money(command.limit)}"


def _taking_back_words(command: TakeBackWager) -> str:
    own = command.by.role is Role.PATRON
    return f"{'take back' if own else f'{command.patron} takes back'} {_area_words(command)}"


def _taken_words(command: ReportCardsTaken) -> str:
    by, untold = f" by {command.patron}" if command.patron else "", ", not ascertainable" if command.untold else ""
    return f"{command.hand} cards taken{by}{untold}"


def _cards(cards: Iterable[object]) -> str:
    return " ".join(map(str, cards))


def _drawn_words(command: ReportDrawnTogether) -> str:
    places = ", ".join(f"{hand} {place + 1}" for hand, place in command.places)
    return places or str(command.count)


WORDS: dict[type[Command], Callable[[Any], str]] = {
    LoadShoe: lambda each: f"load shoe {each.shoe}",
    EndShoe: lambda _: "end shoe",
    BurnCards: lambda each: "burn" + (f", first card {each.first}" if each.first else ""),
    OpenBets: lambda _: "place your bets",
    CloseBets: lambda _: "no more bets",
    WindowElapsed: lambda _: "time is up",
    PlaceWager: _placing_words,
    TakeBackWager: _taking_back_words,
    RecordWager: lambda each: f"found {each.patron} {_area_words(each)}",
    SettleOverlookedWager: lambda each: f"found {each.patron} {_area_words(each)} in round {each.round}",
    RefuseLateWager: lambda each: f"{'take off' if each.recorded else 'refuse'} late {each.patron} {_area_words(each)}",
    NoteLateWithdrawal: lambda each: f"note withdrawal {each.patron} {each.wager} at {each.position}",
    AskForDecreases: lambda _: "ask for decreases",
    RemoveWager: lambda each: f"remove {each.patron} {_area_words(each)}",
    DrawCard: lambda each: _said_by(each, "draw", "draws"),
    ShowCuttingCard: lambda each: _said_by(each, "cutting card", "draws the cutting card"),
    ChooseFirstHand: lambda each: f"{each.hand} first",
    PassHand: lambda each: f"pass {each.hand} to {each.patron}",
    TimeSqueeze: lambda each: f"set time for {each.hand}",
    DeclineHand: lambda each: f"{_said_by(each, 'decline', 'declines')} {each.hand}",
    LookAtCards: lambda each: f"{_said_by(each, 'look at', 'looks at')} {each.hand}",
    ExposeCard: lambda each: (
        f"expose {each.hand} {each.place + 1} {each.card}{f' turned by {each.turned_by}' if each.turned_by else ''}"
    ),
    AnnounceOutcome: lambda _: "outcome",
    SettleRound: lambda _: "settle",
    PermitDrawing: lambda each: f"permit {each.patron} to draw",
    GiveDevice: lambda each: f"give device to {each.patron}",
    AnnounceTotals: lambda _: "announce totals",
    AcceptDevice: lambda each: _said_by(each, "accept device", "accepts device"),
    RequestWager: lambda each: f"{_said_by(each, 'ask for', 'asks for')} {_area_words(each)}",
    NameSqueezer: lambda each: f"{_said_by(each, 'name', 'names')} {each.person} to squeeze {each.hand}",
    GiveUpDevice: lambda each: _said_by(each, "give up device", "gives up device"),
    TakeBackDevice: lambda _: "take back device",
    ChangeMethod: lambda each: f"Method {each.method}",
    RestrictArea: lambda each: (
        f"wagers per area {each.capacity}" + (f" for {each.wager} at {each.position}" if each.wager else "")
    ),
    ChangeLimits: _limits_words,
    AppointActing: lambda each: (
        f"{each.person} acts as {each.role.value}" + ("" if each.until is None else f" until {each.until}")
    ),
    EndActing: lambda each: f"{each.person} no longer acts as {each.role.value}",
    BuyIn: lambda each: f"buy in {each.patron} {money(each.amount)}",
    CashOut: lambda each: f"cash out {each.patron} {money(each.amount)}",
    PayDebt: lambda each: (
        f"{each.patron} pays debt {money(each.amount)}" + (f" of {each.owed_at}" if each.owed_at else "")
    ),
    SettleDebt: lambda each: f"{each.patron} paid debt {money(each.amount)} at {each.paid_at}",
    LimitLoss: _limit_words,
    ReportPayout: lambda each: (
        f"paid {each.patron} {money(each.amount)} for {each.wager} at {each.position} in round {each.round}"
        + (f", owing {money(each.owed)}" if each.owed else "")
    ),
    Fill: lambda each: f"fill {chips(each.amount, each.pieces, each.slip)}",
    Credit: lambda each: f"credit {chips(each.amount, each.pieces, each.slip)}",
    CloseTable: lambda each: f"close table counting {chips(each.counted, each.pieces)}",
    BeginCount: lambda _: "begin count",
    DropCount: lambda _: "drop count",
    SignOn: lambda each: f"sign on {each.dealer}".rstrip(),
    SignOff: lambda each: f"sign off {each.dealer}".rstrip(),
    CallPit: lambda _: "call the pit",
    AnswerCall: lambda _: "the pit has come",
    ConfirmAct: lambda each: "confirm act" + ("" if each.act is None else f" {each.act}"),
    DropAct: lambda each: "drop act" + ("" if each.act is None else f" {each.act}"),
    ReportVoid: lambda each: f"report {each.provision}",
    ConfirmVoid: lambda _: "confirm void",
    DismissVoid: lambda _: "not void",
    Attest: lambda each: f"attest {each.provision}",
    PermitSqueeze: lambda each: (
        f"permit {each.patron} to squeeze {each.hand}" + ("" if each.place is None else f" {each.place + 1}")
    ),
    CorrectAnswer: lambda each: f"correct answer of {each.patron} to withdraw {_answer_words(each)}",
    OfferWithdrawal: lambda _: "offer withdrawal",
    AnswerWithdrawal: _withdrawal_words,
    EndWithdrawal: lambda _: "no more answers",
    ReportPowerFailure: lambda _: "power failure",
    Refer: lambda each: (
        f"refer {free_text(each.matter)}" + ("" if each.round is None else f" about round {each.round}")
    ),
    WithdrawReport: lambda _: "withdraw report",
    OrderWithdrawal: lambda each: (
        f"order withdrawal{' all or none' if each.whole else ''}"
        + (f" for {', '.join(each.patrons)}" if each.patrons else "")
    ),
    OrderCardsAside: lambda each: f"order {'burning' if each.burned else 'setting aside'} {each.count}",
    OrderReturn: lambda each: (
        "order return of "
        + ("" if each.amount is None else f"{money(each.amount)} of ")
        + f"{each.patron} {each.wager} at {each.position}"
    ),
    OrderCard: lambda each: f"order {each.hand} {each.place + 1} to be {each.card}",
    OrderCoup: lambda each: f"order player {_cards(each.player)}, banker {_cards(each.banker)}",
    OrderRelaying: lambda each: f"order cards as {_cards(card or '?' for card in each.order)}",
    OrderNewCards: lambda _: "order new cards",
    DecideReferral: lambda each: f"decide to {'void' if each.void else 'continue'}",
    ReportDrawnTogether: lambda each: (
        f"drew {_drawn_words(each)} together, order {'known' if each.order_known else 'unknown'}"
    ),
    FixOrder: lambda each: f"order {_cards(each.order)}",
    ReportFaceUp: lambda each: "card face up in device" + (f", it is {each.card}" if each.card else ""),
    ReportAbsent: lambda each: f"{each.hand} handler absent",
    ReportDeviceMoved: lambda each: (
        "device moved, altered" if each.altered else f"device moved, exposed {_cards(each.cards)}".rstrip()
    ),
    ReplaceCards: lambda _: "replace cards",
    ReportWrongPass: lambda each: f"passed {each.hand} to {each.patron} by mistake",
    RetrieveHand: lambda each: f"retrieve {each.hand}",
    ReportMisplaced: lambda each: f"dealt to {each.hand} by mistake",
    ReconstructCards: lambda _: "reconstruct",
    RelayByOrder: lambda each: f"cards left the shoe as {_cards(card or '?' for card in each.order)}",
    RelayByHands: lambda each: f"dealt as {_cards(each.hands)}",
    ExposeInError: lambda each: f"exposed {each.hand} {each.place + 1} {each.card} in error",
    ReportReset: lambda _: "device reset",
    DecideReset: lambda each: (
        "exposed cards are void, round goes on"
        if each.cards_only
        else f"exposed cards {'are void' if each.void else 'stand'}"
    ),
    ReportWrongNumber: lambda _: "wrong number of cards",
    ReportCardsTaken: _taken_words,
    NameCard: lambda each: (
        f"reader {'misread' if each.misread else 'missed'} {each.hand} {each.place + 1}"
        + (f", it is {each.card}" if each.card else "")
    ),
    ConfirmCard: lambda _: "confirm card",
    AttestCardsTaken: lambda each: f"confirm {each.provision}",
    DetermineMissing: lambda each: f"decks lack {_cards(each.lacking)}, set aside {_cards(each.set_aside)}",
    CorrectCard: lambda each: f"correct {each.hand} {each.place + 1} to {each.card}",
    CorrectRound: lambda each: (
        f"correct round {each.round} to player {_cards(each.player)}, banker {_cards(each.banker)}"
    ),
}
"""The words for each command, as ``actions`` reads them."""
