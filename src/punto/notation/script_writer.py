"""Write rounds as a script: the commands a table carried out, which play back to the same events."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from punto.table import commands as c
from punto.table.roles import Role
from punto.table.settings import Setting


def write(game: str, opening: c.OpenTable, carried_out: Iterable[c.Command]) -> str:
    """Return a script of the commands carried out at a table since it was opened."""
    lines = [f"for {game}", *_heading(opening.setting), f"float {money(opening.float_)}", ""]
    return "\n".join([*lines, *map(line, carried_out)]) + "\n"


def line(command: c.Command) -> str:
    """Return a command as its line in a script, with its details in brackets."""
    told = "; ".join(f"{name} {value}" for name, value in _told(command) if value not in (None, ""))
    words = _WORDS[type(command)](command)
    if words.endswith(" times)"):
        words += " (1 times)"  # the note is free text: keeps its end from being read as a repetition
    return f"{_who(command)}: {words}" + (f" [{told}]" if told else "")


def _told(command: c.Command) -> list[tuple[str, object]]:
    always: list[tuple[str, object]] = [
        ("at", command.at),
        ("round", command.in_round),
        ("window", command.in_window),
    ]
    if isinstance(command, c.Report):
        return [*always, ("noticed by", command.noticed_by), ("note", command.note)]
    return always


def money(cents: int) -> str:
    """Return an amount as people write it."""
    return f"{cents // 100}" + (f".{cents % 100:02d}" if cents % 100 else "")


def _who(command: c.Command) -> str:
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


def _place(command: c.PlaceWager) -> str:
    own = command.by.role is Role.PATRON
    return f"wager {_area(command)}" if own else f"for {command.patron} wager {_area(command)}"


def _limits(command: c.ChangeLimits) -> str:
    said = (f"{name} {money(each.minimum)}-{money(each.maximum)}" for name, each in command.limits.items())
    return f"limits {', '.join(said)}"


def _withdraw(command: c.AnswerWithdrawal) -> str:
    if command.wagers is None:
        return "withdraw all"
    return "withdraw " + (", ".join(f"{wager} at {position}" for position, wager in command.wagers) or "nothing")


def _cards(cards: Iterable[object]) -> str:
    return " ".join(map(str, cards))


_WORDS: dict[type[c.Command], Callable[[Any], str]] = {
    c.LoadShoe: lambda each: f"load shoe {each.shoe}",
    c.EndShoe: lambda _: "end shoe",
    c.OpenBets: lambda _: "place your bets",
    c.CloseBets: lambda _: "no more bets",
    c.WindowElapsed: lambda _: "time is up",
    c.PlaceWager: _place,
    c.TakeBackWager: lambda each: f"take back {_area(each)}",
    c.RecordWager: lambda each: f"found {each.patron} {_area(each)}",
    c.RefuseLateWager: lambda each: f"refuse late {each.patron} {_area(each)}",
    c.NoteLateWithdrawal: lambda each: f"note withdrawal {each.patron} {each.wager} at {each.position}",
    c.RemoveWager: lambda each: f"remove {each.patron} {_area(each)}",
    c.DrawCard: lambda _: "draw",
    c.ShowCuttingCard: lambda _: "cutting card",
    c.ChooseFirstHand: lambda each: f"{each.hand} first",
    c.PassHand: lambda each: f"pass {each.hand} to {each.patron}",
    c.DeclineHand: lambda each: f"decline {each.hand}",
    c.LookAtCards: lambda each: f"look at {each.hand}",
    c.ExposeCard: lambda each: (
        f"expose {each.hand} {each.place + 1} {each.card}{f' turned by {each.turned_by}' if each.turned_by else ''}"
    ),
    c.AnnounceOutcome: lambda _: "outcome",
    c.SettleRound: lambda _: "settle",
    c.PermitDrawing: lambda each: f"permit {each.patron} to draw",
    c.GiveDevice: lambda each: f"give device to {each.patron}",
    c.GiveUpDevice: lambda _: "give up device",
    c.TakeBackDevice: lambda _: "take back device",
    c.ChangeMethod: lambda each: f"Method {each.method}",
    c.RestrictArea: lambda each: f"wagers per area {each.capacity}",
    c.ChangeLimits: _limits,
    c.AppointActing: lambda each: (
        f"{each.person} acts as {each.role.value}" + ("" if each.until is None else f" until {each.until}")
    ),
    c.EndActing: lambda each: f"{each.person} no longer acts as {each.role.value}",
    c.BuyIn: lambda each: f"buy in {each.patron} {money(each.amount)}",
    c.CashOut: lambda each: f"cash out {each.patron} {money(each.amount)}",
    c.LimitLoss: lambda each: "limit loss no more" if each.limit is None else f"limit loss to {money(each.limit)}",
    c.Fill: lambda each: f"fill {money(each.amount)}",
    c.Credit: lambda each: f"credit {money(each.amount)}",
    c.CloseTable: lambda each: f"close table counting {money(each.counted)}",
    c.ReportVoid: lambda each: f"report {each.provision}",
    c.ConfirmVoid: lambda _: "confirm void",
    c.DismissVoid: lambda _: "not void",
    c.Attest: lambda each: f"attest {each.provision}",
    c.PermitSqueeze: lambda each: f"permit {each.patron} to squeeze {each.hand}",
    c.OfferWithdrawal: lambda _: "offer withdrawal",
    c.AnswerWithdrawal: _withdraw,
    c.EndWithdrawal: lambda _: "no more answers",
    c.ReportPowerFailure: lambda _: "power failure",
    c.Refer: lambda each: f"refer {each.matter}",
    c.DecideReferral: lambda each: f"decide to {'void' if each.void else 'continue'}",
    c.ReportDrawnTogether: lambda each: (
        f"drew {each.count} together, order {'known' if each.order_known else 'unknown'}"
    ),
    c.FixOrder: lambda each: f"order {_cards(each.order)}",
    c.ReportFaceUp: lambda _: "card face up in device",
    c.ReportAbsent: lambda each: f"{each.hand} handler absent",
    c.ReportDeviceMoved: lambda each: f"device moved, {'altered' if each.altered else 'exposed'}",
    c.ReplaceCards: lambda _: "replace cards",
    c.ReportWrongPass: lambda each: f"passed {each.hand} to {each.patron} by mistake",
    c.RetrieveHand: lambda each: f"retrieve {each.hand}",
    c.ReportMisplaced: lambda each: f"dealt to {each.hand} by mistake",
    c.ReconstructCards: lambda _: "reconstruct",
    c.ExposeInError: lambda each: f"exposed {each.hand} {each.place + 1} {each.card} in error",
    c.ReportReset: lambda _: "device reset",
    c.DecideReset: lambda each: f"exposed cards {'are void' if each.void else 'stand'}",
    c.ReportWrongNumber: lambda _: "wrong number of cards",
    c.ReportCardsTaken: lambda each: f"{each.hand} cards taken",
    c.AttestCardsTaken: lambda each: f"confirm {each.provision}",
    c.DetermineMissing: lambda each: f"decks lack {_cards(each.lacking)}, set aside {_cards(each.set_aside)}",
    c.CorrectCard: lambda each: f"correct {each.hand} {each.place + 1} to {each.card}",
    c.CorrectRound: lambda each: (
        f"correct round {each.round} to player {_cards(each.player)}, banker {_cards(each.banker)}"
    ),
}
"""The words for each command; ``actions`` reads them back."""
