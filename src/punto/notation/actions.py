"""What people can say and do in the notation, and the command for each; ``command_words`` is the way back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from punto.cards import Card, parse_cards
from punto.notation.script import QUOTED, NotationError, split_details
from punto.rules.table_of_play import Hand
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
from punto.table.roles import Actor, Role
from punto.table.settings import Limits

AMOUNT = r"([0-9]{1,12}(?:\.[0-9]{1,2})?)"
HAND = r"(player|banker)"
PLACES = r"(?:player|banker) [123](?:(?:, | and )(?:player|banker) [123])*"
WHO = r"(\w+)"
WAGER = r"([A-Z][A-Za-z0-9 ]*?)"
WAGERS = r"[A-Z][A-Za-z0-9 ]*? at \d+(?:, [A-Z][A-Za-z0-9 ]*? at \d+)*"
PERSON = r"(\w[^:]*?)"
LIMITS = r"[A-Z][A-Za-z0-9 ]*? [0-9.]+-[0-9.]+"
PIECES = rf"\d{{1,15}} of {AMOUNT.replace('(', '(?:', 1)}"
CHIPS = rf"{AMOUNT}(?: as ({PIECES}(?:, {PIECES})*))?"
SLIP = r"(?: by slip (\d{1,15}))?"
AREA = rf"{WAGER} {AMOUNT} at (-?\d+)"

_QUOTED_DETAIL = re.compile(rf"([a-z ]+ {QUOTED})(?:; |$)")

_STAFF = {role.value: role for role in Role if role is not Role.PATRON}


def cents(text: str) -> int:
    """Return a written amount in cents."""
    if not re.fullmatch(AMOUNT, text):
        raise NotationError(f"expected an amount such as 100 or 2.50, found {text!r}")
    units, _, rest = text.partition(".")
    return int(units) * 100 + int(rest.ljust(2, "0") or "0")


def chips(amount: str, pieces: str | None) -> tuple[int, tuple[Pieces, ...]]:
    """Return a written amount of chips in cents, and by denomination where it is written so."""
    counted = (each.split(" of ") for each in pieces.split(", ")) if pieces else ()
    return cents(amount), tuple(Pieces(cents(value), int(number)) for number, value in counted)


def actor(who: str) -> Actor:
    """Return a member of staff by position, or "acting" by name; any other name is a patron."""
    if who in _STAFF:
        return Actor(who, _STAFF[who])
    position = next((each for each in _STAFF if who.startswith(f"{each} ")), None)
    return Actor(who.removeprefix(f"{position} "), _STAFF[position]) if position else Actor(who, Role.PATRON)


def command(line: int, who: str, action: str) -> Command:
    """Return the command for an action, with the details given in brackets."""
    deed, details = split_details(action)
    for pattern, make in _ACTIONS:
        if match := re.fullmatch(pattern, deed):
            try:
                return replace(make(actor(who), *match.groups()), **_told(details))
            except TypeError:
                raise NotationError(f"line {line}: that cannot be told about {deed!r}: {details}") from None
            except ValueError as error:
                raise NotationError(f"line {line}: {error}") from None
    raise NotationError(f"line {line}: unknown action: {deed!r}")


def _text(said: str) -> str:
    """Return a free text: what is in the quotes if it is quoted as in JSON, or else as it stands."""
    try:
        return str(json.loads(said)) if re.fullmatch(QUOTED, said) else said
    except ValueError:
        return said


_TOLD: list[tuple[str, str, Callable[[str], object]]] = [
    (r"at (\d+)", "at", int),
    (r"round (\d+)", "in_round", int),
    (r"window (\d+)", "in_window", int),
    (r"expires (\d+)", "expires", int),
    (r"noticed by (.+)", "noticed_by", _text),
    (r"note (.+)", "note", _text),
    (r"reason (.+)", "reason", _text),
    (r"uncovered (.+)", "uncovered", _text),
    (r"covered by ([a-z0-9-]+)", "covered_by", str),
]
"""Details that may follow an action in brackets, and the field of the command that holds each."""


def _told(words: str) -> dict[str, Any]:
    told = {}
    while words:
        part, words = _first_detail(words)
        for pattern, name, read in _TOLD:
            if match := re.fullmatch(pattern, part):
                told[name] = read(match[1])
                break
        else:
            raise NotationError(f"nothing of the kind can be told about an action: {part!r}")
    return told


def _first_detail(words: str) -> tuple[str, str]:
    """Return the first detail and those after it; a text in quotes is one detail, whatever it holds."""
    if quoted := _QUOTED_DETAIL.match(words):
        return quoted[1], words[quoted.end() :]
    part, _, rest = words.partition("; ")
    return part, rest


def _role(name: str) -> Role:
    if name not in _STAFF:
        raise NotationError(f"there is no position {name!r}")
    return _STAFF[name]


def _expose(by: Actor, hand: str, place: str, card: str, turned_by: str | None = None) -> Command:
    return ExposeCard(by, Hand(hand), int(place) - 1, Card.parse(card), turned_by)


def _exposed_in_error(by: Actor, hand: str, place: str, card: str) -> Command:
    return ExposeInError(by, Hand(hand), int(place) - 1, Card.parse(card))


def _correct_card(by: Actor, hand: str, place: str, card: str) -> Command:
    return CorrectCard(by, Hand(hand), int(place) - 1, Card.parse(card))


def _faces(order: str) -> tuple[Card | None, ...]:
    return tuple(None if each == "?" else Card.parse(each) for each in order.split())


def _dealt_as(by: Actor, hands: str) -> Command:
    return RelayByHands(by, tuple(map(Hand, hands.split())))


def _name_card(by: Actor, how: str, hand: str, place: str, card: str | None = None) -> Command:
    return NameCard(by, Hand(hand), int(place) - 1, Card.parse(card) if card else None, how == "misread")


def _permit_squeeze(by: Actor, patron: str, hand: str, place: str | None) -> Command:
    return PermitSqueeze(by, Hand(hand), patron, int(place) - 1 if place else None)


def _paid(by: Actor, patron: str, paid: str, wager: str, at: str, number: str, owed: str | None) -> Command:
    return ReportPayout(by, int(number), patron, int(at), wager, cents(paid), cents(owed or "0"))


def _order_return(by: Actor, amount: str | None, patron: str, wager: str, at: str) -> Command:
    return OrderReturn(by, patron, int(at), wager, cents(amount) if amount else None)


def _drew_laid(by: Actor, named: str, order: str) -> Command:
    places = [each.split() for each in re.split(", | and ", named)]
    lies = tuple((Hand(hand), int(place) - 1) for hand, place in places)
    return ReportDrawnTogether(by, len(lies), order == "known", lies)


def _change_limits(by: Actor, said: str) -> Command:
    limits = {}
    for part in said.split(", "):
        wager, _, between = part.rpartition(" ")
        least, _, most = between.partition("-")
        limits[wager] = Limits(cents(least), cents(most))
    return ChangeLimits(by, limits)


def _restrict(by: Actor, capacity: str, wager: str | None, position: str | None) -> Command:
    return RestrictArea(by, int(capacity), wager, int(position) if position else None)


def _appoint(by: Actor, person: str, role: str, until: str | None) -> Command:
    return AppointActing(by, person, _role(role), int(until) if until else None)


def _withdraw(by: Actor, named: str) -> Command:
    areas = (part.rpartition(" at ") for part in named.split(", "))
    return AnswerWithdrawal(by, tuple((int(position), wager) for wager, _, position in areas))


def _answer_of(by: Actor, patron: str, said: str) -> Command:
    """Return a patron's answer to an offer, as staff record it."""
    if said in ("all", "nothing"):
        return AnswerWithdrawal(by, None if said == "all" else (), patron)
    return replace(_withdraw(by, said), patron=patron)


def _answer_was(by: Actor, patron: str, said: str) -> Command:
    answer = _answer_of(by, patron, said)
    assert isinstance(answer, AnswerWithdrawal)
    return CorrectAnswer(by, patron, answer.wagers)


def _hand_of(make: type[DeclineHand | LookAtCards]) -> Callable[..., Command]:
    return lambda by, patron, hand: make(by, Hand(hand), patron=patron)


def _turned_by(by: Actor, patron: str, hand: str, place: str, card: str) -> Command:
    return _expose(by, hand, place, card, patron)


def _own(make: type[PlaceWager | TakeBackWager]) -> Callable[..., Command]:
    return lambda by, wager, amount, position: make(by, by.id, int(position), wager, cents(amount))


def _of(make: type[PlaceWager | TakeBackWager | RecordWager | RefuseLateWager | RemoveWager]) -> Callable[..., Command]:
    return lambda by, patron, wager, amount, position: make(by, patron, int(position), wager, cents(amount))


def _overlooked(by: Actor, patron: str, wager: str, amount: str, position: str, number: str) -> Command:
    return SettleOverlookedWager(by, int(number), patron, int(position), wager, cents(amount))


def _pay_debt(by: Actor, patron: str, amount: str, owed_at: str | None) -> Command:
    return PayDebt(by, patron, cents(amount), owed_at or "")


_ACTIONS: list[tuple[str, Callable[..., Command]]] = [
    ("load shoe (.+)", LoadShoe),
    ("end shoe", EndShoe),
    ("burn(?:, first card (\\S+))?", lambda by, card: BurnCards(by, Card.parse(card) if card else None)),
    ("place your bets", OpenBets),
    ("no more bets", CloseBets),
    ("time is up", WindowElapsed),
    (f"wager {AREA}", _own(PlaceWager)),
    (f"take back {AREA}", _own(TakeBackWager)),
    (f"for {WHO} wager {AREA}", _of(PlaceWager)),
    (f"found {WHO} {AREA}", _of(RecordWager)),
    (f"found {WHO} {AREA} in round ([0-9]+)", _overlooked),
    (f"refuse late {WHO} {AREA}", _of(RefuseLateWager)),
    (f"take off late {WHO} {AREA}", lambda by, *area: replace(_of(RefuseLateWager)(by, *area), recorded=True)),
    (f"note withdrawal {WHO} {WAGER} at (\\d+)", lambda by, p, w, at: NoteLateWithdrawal(by, p, int(at), w)),
    ("ask for decreases", AskForDecreases),
    (f"remove {WHO} {AREA}", _of(RemoveWager)),
    ("draw", DrawCard),
    ("cutting card", ShowCuttingCard),
    (f"{HAND} first", lambda by, hand: ChooseFirstHand(by, Hand(hand))),
    (f"pass {HAND} to {WHO}", lambda by, hand, patron: PassHand(by, Hand(hand), patron)),
    (f"set time for {HAND}", lambda by, hand: TimeSqueeze(by, Hand(hand))),
    (f"decline {HAND}", lambda by, hand: DeclineHand(by, Hand(hand))),
    (f"look at {HAND}", lambda by, hand: LookAtCards(by, Hand(hand))),
    (f"expose {HAND} ([123]) (\\S+)", _expose),
    (f"expose {HAND} ([123]) (\\S+) turned by {WHO}", _expose),
    ("outcome", AnnounceOutcome),
    ("settle", SettleRound),
    (f"permit {WHO} to draw", PermitDrawing),
    (f"give device to {WHO}", GiveDevice),
    ("give up device", GiveUpDevice),
    ("take back device", TakeBackDevice),
    ("Method (\\w)", ChangeMethod),
    (rf"wagers per area (-?\d+)(?: for {WAGER} at (-?\d+))?", _restrict),
    (rf"limits ({LIMITS}(?:, {LIMITS})*)", _change_limits),
    (f"{PERSON} no longer acts as (.+)", lambda by, person, role: EndActing(by, person, _role(role))),
    (f"{PERSON} acts as ([A-Z][A-Za-z ]+?)(?: until (\\d+))?", _appoint),
    (f"buy in {WHO} {AMOUNT}", lambda by, patron, amount: BuyIn(by, patron, cents(amount))),
    (rf"paid {WHO} {AMOUNT} for {WAGER} at (\d+) in round (\d+)(?:, owing {AMOUNT})?", _paid),
    (f"cash out {WHO} {AMOUNT}", lambda by, patron, amount: CashOut(by, patron, cents(amount))),
    (f"{WHO} pays debt {AMOUNT}(?: of ([\\w-]+))?", _pay_debt),
    (f"{WHO} paid debt {AMOUNT} at ([\\w-]+)", lambda by, patron, paid, at: SettleDebt(by, patron, cents(paid), at)),
    (f"limit loss to {AMOUNT}", lambda by, amount: LimitLoss(by, cents(amount))),
    ("limit loss no more", lambda by: LimitLoss(by, None)),
    (f"fill {CHIPS}{SLIP}", lambda by, *told: Fill(by, *chips(*told[:2]), int(told[2] or 0))),
    (f"credit {CHIPS}{SLIP}", lambda by, *told: Credit(by, *chips(*told[:2]), int(told[2] or 0))),
    (f"close table counting {CHIPS}", lambda by, *told: CloseTable(by, *chips(*told))),
    ("begin count", BeginCount),
    ("drop count", DropCount),
    (f"sign on(?: {PERSON})?", lambda by, dealer: SignOn(by, dealer or "")),
    ("call the pit", CallPit),
    ("the pit has come", AnswerCall),
    (f"sign off(?: {PERSON})?", lambda by, dealer: SignOff(by, dealer or "")),
    ("confirm act(?: (\\d+))?", lambda by, act: ConfirmAct(by, int(act) if act else None)),
    ("drop act(?: (\\d+))?", lambda by, act: DropAct(by, int(act) if act else None)),
    ("report ([a-z-]+)", ReportVoid),
    ("confirm void", ConfirmVoid),
    ("not void", DismissVoid),
    ("attest ([a-z-]+)", Attest),
    (f"permit {WHO} to squeeze {HAND}(?: ([123]))?", _permit_squeeze),
    ("offer withdrawal", OfferWithdrawal),
    ("withdraw nothing", lambda by: AnswerWithdrawal(by, ())),
    ("withdraw all", lambda by: AnswerWithdrawal(by, None)),
    (rf"withdraw ({WAGERS})", _withdraw),
    ("no more answers", EndWithdrawal),
    (rf"correct answer of {WHO} to withdraw (all|nothing|{WAGERS})", _answer_was),
    ("power failure", ReportPowerFailure),
    ("refer (.+) about round (\\d+)", lambda by, matter, number: Refer(by, _text(matter), int(number))),
    ("refer (.+)", lambda by, matter: Refer(by, _text(matter))),
    ("withdraw report", WithdrawReport),
    ("order withdrawal( all or none)?", lambda by, whole: OrderWithdrawal(by, bool(whole))),
    (
        f"order withdrawal( all or none)? for ({WHO}(?:, {WHO})*)",
        lambda by, whole, named, *_: OrderWithdrawal(by, bool(whole), tuple(named.split(", "))),
    ),
    (
        "order (burning|setting aside) (\\d+)",
        lambda by, how, count: OrderCardsAside(by, int(count), how == "burning"),
    ),
    (f"order return of (?:{AMOUNT} of )?{WHO} {WAGER} at (\\d+)", _order_return),
    (f"order {HAND} ([123]) to be (\\S+)", lambda by, h, at, c: OrderCard(by, Hand(h), int(at) - 1, Card.parse(c))),
    (
        "order player ([\\w ]+), banker ([\\w ]+)",
        lambda by, player, banker: OrderCoup(by, parse_cards(player), parse_cards(banker)),
    ),
    ("order cards as ([\\w? ]+)", lambda by, order: OrderRelaying(by, _faces(order))),
    ("order new cards", OrderNewCards),
    ("decide to (continue|void)", lambda by, what: DecideReferral(by, what == "void")),
    ("drew ([0-9]+) together, order (known|unknown)", lambda by, n, o: ReportDrawnTogether(by, int(n), o == "known")),
    (f"drew ({PLACES}) together, order (known|unknown)", _drew_laid),
    ("order ([0-9 ]+)", lambda by, order: FixOrder(by, tuple(map(int, order.split())))),
    ("card face up in device", ReportFaceUp),
    ("card face up in device, it is (\\S+)", lambda by, card: ReportFaceUp(by, Card.parse(card))),
    (f"{HAND} handler absent", lambda by, hand: ReportAbsent(by, Hand(hand))),
    ("device moved, (altered|exposed)", lambda by, what: ReportDeviceMoved(by, what == "altered")),
    ("device moved, exposed ([\\w ]+)", lambda by, cards: ReportDeviceMoved(by, False, parse_cards(cards))),
    ("replace cards", ReplaceCards),
    (f"passed {HAND} to {WHO} by mistake", lambda by, hand, patron: ReportWrongPass(by, Hand(hand), patron)),
    (f"retrieve {HAND}", lambda by, hand: RetrieveHand(by, Hand(hand))),
    (f"dealt to {HAND} by mistake", lambda by, hand: ReportMisplaced(by, Hand(hand))),
    ("reconstruct", ReconstructCards),
    ("cards left the shoe as ([\\w? ]+)", lambda by, order: RelayByOrder(by, _faces(order))),
    ("dealt as ((?:player|banker)(?: (?:player|banker))*)", _dealt_as),
    (f"exposed {HAND} ([1-4]) (\\S+) in error", _exposed_in_error),
    (
        f"{HAND} cards taken(?: by {WHO})?(, not ascertainable)?",
        lambda by, hand, patron, untold: ReportCardsTaken(by, Hand(hand), bool(untold), patron),
    ),
    (f"reader (missed) {HAND} ([123])(?:, it is (\\S+))?", _name_card),
    (f"reader (misread) {HAND} ([123]), it is (\\S+)", _name_card),
    ("confirm card", ConfirmCard),
    ("confirm (cards-taken-[a-z]+)", AttestCardsTaken),
    (
        "decks lack ([\\w ]+), set aside ([\\w ]+)",
        lambda by, lacking, aside: DetermineMissing(by, parse_cards(lacking), parse_cards(aside)),
    ),
    (
        "correct round ([0-9]+) to player ([\\w ]+), banker ([\\w ]+)",
        lambda by, number, player, banker: CorrectRound(by, int(number), parse_cards(player), parse_cards(banker)),
    ),
    (f"correct {HAND} ([123]) to (\\S+)", _correct_card),
    ("device reset", ReportReset),
    ("exposed cards (stand|are void)", lambda by, what: DecideReset(by, what == "are void")),
    ("exposed cards are void, round goes on", lambda by: DecideReset(by, void=False, cards_only=True)),
    ("wrong number of cards", ReportWrongNumber),
    ("announce totals", AnnounceTotals),
    ("accept device", AcceptDevice),
    (f"ask for {AREA}", lambda by, wager, amount, at: RequestWager(by, int(at), wager, cents(amount))),
    (f"name {WHO} to squeeze {HAND}", lambda by, person, hand: NameSqueezer(by, Hand(hand), person)),
    # What a patron says or does, recorded by staff.
    (f"{WHO} accepts device", lambda by, patron: AcceptDevice(by, patron=patron)),
    (
        f"{WHO} asks for {AREA}",
        lambda by, patron, wager, amount, at: RequestWager(by, int(at), wager, cents(amount), patron=patron),
    ),
    (
        f"{WHO} names {WHO} to squeeze {HAND}",
        lambda by, patron, person, hand: NameSqueezer(by, Hand(hand), person, patron=patron),
    ),
    (f"{WHO} wagers {AREA}", _of(PlaceWager)),
    (f"{WHO} takes back {AREA}", _of(TakeBackWager)),
    (f"{WHO} declines {HAND}", _hand_of(DeclineHand)),
    (f"{WHO} looks at {HAND}", _hand_of(LookAtCards)),
    (f"{WHO} turns {HAND} ([123]) (\\S+)", _turned_by),
    (f"{WHO} draws", lambda by, patron: DrawCard(by, patron=patron)),
    (f"{WHO} draws the cutting card", lambda by, patron: ShowCuttingCard(by, patron=patron)),
    (f"{WHO} gives up device", lambda by, patron: GiveUpDevice(by, patron=patron)),
    (rf"{WHO} withdraws (all|nothing|{WAGERS})", _answer_of),
    (f"{WHO} limits loss to {AMOUNT}", lambda by, patron, amount: LimitLoss(by, cents(amount), patron=patron)),
    (f"{WHO} limits loss no more", lambda by, patron: LimitLoss(by, None, patron=patron)),
]
"""Each action as a pattern, and the command made from its parts."""
