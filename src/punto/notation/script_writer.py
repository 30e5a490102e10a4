"""Write rounds as a script: the commands a table carried out, which play back to the same events."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from punto.table.command import Command, Report
from punto.table.irregularities.absent_patron import ReportAbsent
from punto.table.irregularities.cards_taken import AttestCardsTaken, DetermineMissing, ReportCardsTaken
from punto.table.irregularities.correction import CorrectCard, CorrectRound
from punto.table.irregularities.device_moved import ReportDeviceMoved
from punto.table.irregularities.device_reset import DecideReset, ReportReset
from punto.table.irregularities.differential import RemoveWager
from punto.table.irregularities.drawn_together import FixOrder, ReportDrawnTogether
from punto.table.irregularities.exposed_in_error import ExposeInError
from punto.table.irregularities.face_up import ReportFaceUp
from punto.table.irregularities.late_wagers import NoteLateWithdrawal, RecordWager, RefuseLateWager
from punto.table.irregularities.misdealt_cards import ReconstructCards, ReportMisplaced, ReportWrongNumber
from punto.table.irregularities.power_failure import ReportPowerFailure
from punto.table.irregularities.referral import DecideReferral, Refer
from punto.table.irregularities.void import ConfirmVoid, DismissVoid, ReportVoid
from punto.table.irregularities.withdrawal import AnswerWithdrawal, EndWithdrawal, OfferWithdrawal
from punto.table.irregularities.wrong_patron import ReportWrongPass, RetrieveHand
from punto.table.play.appointments import AppointActing, EndActing
from punto.table.play.card_handling import ChooseFirstHand, DeclineHand, LookAtCards, PassHand, PermitSqueeze
from punto.table.play.chips import BuyIn, CashOut, Credit, Fill
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard, ShowCuttingCard
from punto.table.play.dealing_device import Attest, GiveDevice, GiveUpDevice, PermitDrawing, TakeBackDevice
from punto.table.play.loss_limits import LimitLoss
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import EndShoe, LoadShoe, ReplaceCards
from punto.table.play.table_management import ChangeLimits, ChangeMethod, CloseTable, OpenTable, RestrictArea
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager, TakeBackWager
from punto.table.play.windows import WindowElapsed
from punto.table.roles import Role
from punto.table.settings import Setting


def write(game: str, opening: OpenTable, carried_out: Iterable[Command]) -> str:
    """Return a script of the commands carried out at a table since it was opened."""
    lines = [f"for {game}", *_heading(opening.setting), f"float {money(opening.float_)}", ""]
    return "\n".join([*lines, *map(line, carried_out)]) + "\n"


def line(command: Command) -> str:
    """Return a command as its line in a script, with its details in brackets."""
    told = "; ".join(f"{name} {value}" for name, value in _told(command) if value not in (None, ""))
    words = _WORDS[type(command)](command)
    if words.endswith(" times)"):
        words += " (1 times)"  # the note is free text: keeps its end from being read as a repetition
    return f"{_who(command)}: {words}" + (f" [{told}]" if told else "")


def _told(command: Command) -> list[tuple[str, object]]:
    always: list[tuple[str, object]] = [
        ("at", command.at),
        ("round", command.in_round),
        ("window", command.in_window),
    ]
    if isinstance(command, Report):
        return [*always, ("noticed by", command.noticed_by), ("note", command.note)]
    return always


def money(cents: int) -> str:
    """Return an amount as people write it."""
    return f"{cents // 100}" + (f".{cents % 100:02d}" if cents % 100 else "")


def _who(command: Command) -> str:
    person = command.by
    named = person.role is Role.PATRON or person.id == person.role.value
    return person.id if named else f"{person.role.value} {person.id}"


def _heading(setting: Setting) -> list[str]:
    lines = [
        f"layout {setting.layout}",
        f"positions {setting.positions}",
        f"decks {setting.decks}",
        f"device {setting.device.value}",
        f"step {money(setting.stake_step)}",
        f"wagers per area {setting.area_capacity}",
        f"confirms {setting.confirms.value}",
        *(f"limits {name} {money(each.minimum)}-{money(each.maximum)}" for name, each in setting.limits.items()),
    ]
    if setting.method:
        lines.append(f"method {setting.method}")
    if setting.hlga:
        lines.append("hlga")
    if setting.managers_interchangeable:
        lines.append("managers interchangeable")
    if setting.betting_seconds is not None:
        lines.append(f"betting seconds {setting.betting_seconds}")
    if setting.answer_seconds is not None:
        lines.append(f"answer seconds {setting.answer_seconds}")
    if setting.differential is not None:
        lines.append(f"differential {money(setting.differential)}")
    return lines


def _area(command: Any) -> str:
    return f"{command.wager} {money(command.amount)} at {command.position}"


def _place(command: PlaceWager) -> str:
    own = command.by.role is Role.PATRON
    return f"wager {_area(command)}" if own else f"for {command.patron} wager {_area(command)}"


def _limits(command: ChangeLimits) -> str:
    said = (f"{name} {money(each.minimum)}-{money(each.maximum)}" for name, each in command.limits.items())
    return f"limits {', '.join(said)}"


def _withdraw(command: AnswerWithdrawal) -> str:
    if command.wagers is None:
        return "withdraw all"
    return "withdraw " + (", ".join(f"{wager} at {position}" for position, wager in command.wagers) or "nothing")


def _cards(cards: Iterable[object]) -> str:
    return " ".join(map(str, cards))


_WORDS: dict[type[Command], Callable[[Any], str]] = {
    LoadShoe: lambda each: f"load shoe {each.shoe}",
    EndShoe: lambda _: "end shoe",
    OpenBets: lambda _: "place your bets",
    CloseBets: lambda _: "no more bets",
    WindowElapsed: lambda _: "time is up",
    PlaceWager: _place,
    TakeBackWager: lambda each: f"take back {_area(each)}",
    RecordWager: lambda each: f"found {each.patron} {_area(each)}",
    RefuseLateWager: lambda each: f"refuse late {each.patron} {_area(each)}",
    NoteLateWithdrawal: lambda each: f"note withdrawal {each.patron} {each.wager} at {each.position}",
    RemoveWager: lambda each: f"remove {each.patron} {_area(each)}",
    DrawCard: lambda _: "draw",
    ShowCuttingCard: lambda _: "cutting card",
    ChooseFirstHand: lambda each: f"{each.hand} first",
    PassHand: lambda each: f"pass {each.hand} to {each.patron}",
    DeclineHand: lambda each: f"decline {each.hand}",
    LookAtCards: lambda each: f"look at {each.hand}",
    ExposeCard: lambda each: (
        f"expose {each.hand} {each.place + 1} {each.card}{f' turned by {each.turned_by}' if each.turned_by else ''}"
    ),
    AnnounceOutcome: lambda _: "outcome",
    SettleRound: lambda _: "settle",
    PermitDrawing: lambda each: f"permit {each.patron} to draw",
    GiveDevice: lambda each: f"give device to {each.patron}",
    GiveUpDevice: lambda _: "give up device",
    TakeBackDevice: lambda _: "take back device",
    ChangeMethod: lambda each: f"Method {each.method}",
    RestrictArea: lambda each: f"wagers per area {each.capacity}",
    ChangeLimits: _limits,
    AppointActing: lambda each: (
        f"{each.person} acts as {each.role.value}" + ("" if each.until is None else f" until {each.until}")
    ),
    EndActing: lambda each: f"{each.person} no longer acts as {each.role.value}",
    BuyIn: lambda each: f"buy in {each.patron} {money(each.amount)}",
    CashOut: lambda each: f"cash out {each.patron} {money(each.amount)}",
    LimitLoss: lambda each: "limit loss no more" if each.limit is None else f"limit loss to {money(each.limit)}",
    Fill: lambda each: f"fill {money(each.amount)}",
    Credit: lambda each: f"credit {money(each.amount)}",
    CloseTable: lambda each: f"close table counting {money(each.counted)}",
    ReportVoid: lambda each: f"report {each.provision}",
    ConfirmVoid: lambda _: "confirm void",
    DismissVoid: lambda _: "not void",
    Attest: lambda each: f"attest {each.provision}",
    PermitSqueeze: lambda each: f"permit {each.patron} to squeeze {each.hand}",
    OfferWithdrawal: lambda _: "offer withdrawal",
    AnswerWithdrawal: _withdraw,
    EndWithdrawal: lambda _: "no more answers",
    ReportPowerFailure: lambda _: "power failure",
    Refer: lambda each: f"refer {each.matter}",
    DecideReferral: lambda each: f"decide to {'void' if each.void else 'continue'}",
    ReportDrawnTogether: lambda each: f"drew {each.count} together, order {'known' if each.order_known else 'unknown'}",
    FixOrder: lambda each: f"order {_cards(each.order)}",
    ReportFaceUp: lambda _: "card face up in device",
    ReportAbsent: lambda each: f"{each.hand} handler absent",
    ReportDeviceMoved: lambda each: f"device moved, {'altered' if each.altered else 'exposed'}",
    ReplaceCards: lambda _: "replace cards",
    ReportWrongPass: lambda each: f"passed {each.hand} to {each.patron} by mistake",
    RetrieveHand: lambda each: f"retrieve {each.hand}",
    ReportMisplaced: lambda each: f"dealt to {each.hand} by mistake",
    ReconstructCards: lambda _: "reconstruct",
    ExposeInError: lambda each: f"exposed {each.hand} {each.place + 1} {each.card} in error",
    ReportReset: lambda _: "device reset",
    DecideReset: lambda each: f"exposed cards {'are void' if each.void else 'stand'}",
    ReportWrongNumber: lambda _: "wrong number of cards",
    ReportCardsTaken: lambda each: f"{each.hand} cards taken",
    AttestCardsTaken: lambda each: f"confirm {each.provision}",
    DetermineMissing: lambda each: f"decks lack {_cards(each.lacking)}, set aside {_cards(each.set_aside)}",
    CorrectCard: lambda each: f"correct {each.hand} {each.place + 1} to {each.card}",
    CorrectRound: lambda each: (
        f"correct round {each.round} to player {_cards(each.player)}, banker {_cards(each.banker)}"
    ),
}
"""The words for each command; ``actions`` reads them back."""
