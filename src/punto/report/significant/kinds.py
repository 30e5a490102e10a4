"""Which events of the log are significant, and how the values before and after are read from each.

One table says both. What is computed from the log and is no event of its own, such as a large wager, is an alert of the
pit and is taken from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from punto.cards import Card
from punto.store.events import cage_events as cage
from punto.store.events import design_events as design
from punto.store.events import house_events as house
from punto.store.events import limit_events as limits
from punto.store.events import people_events as people
from punto.store.events import program_events as program
from punto.store.house_settings import HouseSettings
from punto.table.event import Event, Returned
from punto.table.irregularities.correction import CardCorrected, Correction, RoundCorrected
from punto.table.irregularities.differential import WagerRemoved
from punto.table.irregularities.late_wagers import LateWagerRefused, OverlookedWagerSettled, WagerFound
from punto.table.irregularities.measures import CardsPutAside, NewCardsOrdered, WagerReturned
from punto.table.irregularities.referral import ReferralDecided
from punto.table.irregularities.relaid_cards import CardsRelaid
from punto.table.irregularities.void import RoundVoided, VoidDismissed
from punto.table.irregularities.withdrawal import AnswerCorrected
from punto.table.irregularities.withdrawn_report import ReportWithdrawn
from punto.table.play.appointments import ActingAppointed, ActingEnded
from punto.table.play.duty import DealerSignedOff, DealerSignedOn
from punto.table.play.loss_limits import LossLimitEased, LossLimited
from punto.table.play.second_person import ActConfirmed, ActDropped, ActProposed
from punto.table.play.shoes import ShoeEnded
from punto.table.play.table_management import AreaRestricted, LimitsChanged, MethodChanged, TableClosed, TableOpened
from punto.table.play.unread_card import ReadingOverridden
from punto.table.play.wrong_payout import PayoutCorrected, PayoutStands

Value = str | int | bool
Values = dict[str, Value]
Reading = tuple[Values, Values]
"""The values before and after."""


class SignificantKind(StrEnum):
    """What a significant event is about."""

    SIGN_IN = "sign-in"
    SIGN_IN_REFUSED = "sign-in-refused"
    PEOPLE = "people"
    LINK = "link"
    DUTY = "duty"
    DEVICE = "device"
    SETTINGS = "settings"
    LIMIT = "limit"
    STOP = "stop"
    OPENING = "opening"
    MONEY = "money"
    LARGE_WAGER = "large-wager"
    LARGE_WIN = "large-win"
    VOID = "void"
    CORRECTION = "correction"
    REMOVAL = "removal"
    OVERRIDE = "override"
    SHOE = "shoe"
    CLOCK = "clock"
    PROGRAM = "program"
    ROLLBACK = "rollback"
    DEVIATION = "deviation"
    ALERT = "alert"


class Significance(Struct, frozen=True):
    """How an event of one kind is significant."""

    kind: SignificantKind
    read: Callable[[Any], Reading]
    about: str
    """The field that names the person, the device or the game it is about; empty if it is about none."""
    holds: Callable[[Any, HouseSettings], bool]
    """Whether an event of the kind is significant, by what the house had set when it happened."""


def _always(_: Event, __: HouseSettings) -> bool:
    return True


def _by_fields(before: Mapping[str, str], after: Mapping[str, str]) -> Callable[[Event], Reading]:
    def read(event: Event) -> Reading:
        return _values(event, before), _values(event, after)

    return read


def _values(event: object, fields: Mapping[str, str]) -> Values:
    found = {name: _plain(getattr(event, field)) for name, field in fields.items()}
    return {name: value for name, value in found.items() if value is not None and value != ""}


def _plain(value: object) -> Value | None:
    match value:
        case None | bool() | int():
            return value
        case StrEnum():
            return value.value
        case Card():  # before tuple: a card is one too
            return str(value)
        case tuple() | list():
            return " ".join(str(_plain(each)) for each in value)
    return str(value)


def _of(
    kind: SignificantKind,
    about: str = "",
    before: Mapping[str, str] | None = None,
    after: Mapping[str, str] | tuple[str, ...] = (),
    read: Callable[[Any], Reading] | None = None,
    holds: Callable[[Any, HouseSettings], bool] = _always,
) -> Significance:
    """Return how a kind is significant; fields are named by what they say, or all by their own names."""
    told = after if isinstance(after, Mapping) else {each.rstrip("_"): each for each in after}
    return Significance(kind, read or _by_fields(before or {}, told), about, holds)


# --- events whose values before and after are more than fields -------------------------------------------------------


def _changed_settings(event: house.SettingsChanged) -> Reading:
    """Return the settings that changed; an event from before the former ones were kept tells all as they are now."""
    now = {name: getattr(event.settings, name) for name in event.settings.__struct_fields__}
    then = {name: getattr(event.before, name) for name in now} if event.before else {}
    changed = {name: value for name, value in now.items() if name not in then or then[name] != value}
    plain_before = {name: _plain(then[name]) for name in changed if name in then}
    plain_after = {name: _plain(value) for name, value in changed.items()}
    return _said(plain_before), _said(plain_after)


def _said(values: Mapping[str, Value | None]) -> Values:
    return {name: value for name, value in values.items() if value is not None}


def _changed_limits(event: LimitsChanged) -> Reading:
    before = {wager: each for wager, each in (event.before or {}).items() if wager in event.limits}
    return _limits(before), _limits(event.limits)


def _limits(by_wager: Mapping[str, Any]) -> Values:
    return {
        f"{end} {wager}": getattr(each, end) for wager, each in by_wager.items() for end in ("minimum", "maximum")
    }  # fmt: skip


def _patron_limit(event: limits.PatronLimitSet) -> Reading:
    unit = "limit_ms" if event.kind is limits.LimitKind.TIME else "limit"
    about = {"kind": event.kind.value, "period": event.period.value}
    return _said({unit: event.before}), _said({**about, unit: event.limit, "counts_from": event.counts_from})


def _own_limit(event: LossLimited | LossLimitEased) -> Reading:
    after = {"limit": event.limit, "counts_from": getattr(event, "counts_from", None)}
    return _said({"limit": event.before}), _said(after)


def _returned(wagers: tuple[Returned, ...]) -> int:
    return sum(each.amount for each in wagers)


def _voided(event: RoundVoided) -> Reading:
    return {"wagered": _returned(event.wagers)}, {"wagered": 0, "provision": event.provision}


def _corrected(event: RoundCorrected | OverlookedWagerSettled) -> Reading:
    changes: tuple[Correction, ...] = event.corrections
    before, after = ({"returned": sum(side)} for side in _sides(changes))
    provision = getattr(event, "provision", None)
    return dict(before), {**after, **_said({"provision": provision})}


def _sides(changes: tuple[Correction, ...]) -> tuple[list[int], list[int]]:
    return [each.before.returned for each in changes], [each.after.returned for each in changes]


def _removed(event: WagerRemoved | WagerReturned) -> Reading:
    wagers: Values = {"wager": event.wager, "position": event.position}
    return {**wagers, "wagered": event.total + event.amount}, {"wagered": event.total}


def _counted(event: TableClosed) -> Reading:
    by_books = event.float_ + event.commission
    return {"counted": by_books}, {"counted": event.counted, "difference": event.difference}


def _answered(event: AnswerCorrected) -> Reading:
    return {"wagered": _returned(event.withdrawn)}, {"wagered": _returned(event.put_back)}


def _is_early(event: ShoeEnded, _: HouseSettings) -> bool:
    return event.reason not in ("cutting-card", "closing")


def _is_large(event: cage.Deposited | cage.PaidOut, settings: HouseSettings) -> bool:
    return bool(settings.cash_threshold) and event.amount >= settings.cash_threshold


_DEBT = _of(SignificantKind.MONEY, "patron", after=("table", "amount"))
_ACT = ("act", "acts", "command", "proposed_by")

TABLE: Mapping[type[Event], Significance] = {
    # people
    house.PersonSignedIn: _of(SignificantKind.SIGN_IN, "person", after=("by_link", "second_factor")),
    people.PersonSignedOut: _of(SignificantKind.SIGN_IN, "person"),
    people.SessionUnlocked: _of(SignificantKind.SIGN_IN, "person", after=("second_factor",)),
    people.RecoveryCodeUsed: _of(SignificantKind.SIGN_IN, "person", after=("left",)),
    people.SignInsRefused: _of(SignificantKind.SIGN_IN_REFUSED, after=("since", "count", "addresses")),
    house.PersonNamed: _of(SignificantKind.PEOPLE, "person", {"name": "before"}, {"name": "name", "duty": "duty"}),
    house.PersonAllowed: _of(SignificantKind.PEOPLE, "person", {"active": "before"}, ("active",)),
    house.PersonErased: _of(SignificantKind.PEOPLE, "person"),
    house.WordsErased: _of(SignificantKind.PEOPLE, after=("stream", "number")),
    people.PeopleTakenOver: _of(SignificantKind.PEOPLE),
    people.PasswordSet: _of(SignificantKind.PEOPLE, "person", {"password": "before"}, ("password", "rehashed")),
    people.PersonChangeAsked: _of(SignificantKind.PEOPLE, "person", after=("what", "request")),
    people.SecondFactorSet: _of(SignificantKind.PEOPLE, "person", after=("secret",)),
    people.SecondFactorRemoved: _of(SignificantKind.PEOPLE, "person", after=("asked_by",)),
    people.LinkMade: _of(SignificantKind.LINK, "person", after=("valid_ms", "asked_by")),
    # duties
    DealerSignedOn: _of(SignificantKind.DUTY, "dealer", {"dealer": "relieved"}, ("dealer", "signed_on_by")),
    DealerSignedOff: _of(SignificantKind.DUTY, "dealer", {"dealer": "dealer"}, ("signed_off_by",)),
    ActingAppointed: _of(SignificantKind.DUTY, "person", after=("role", "since", "until")),
    ActingEnded: _of(SignificantKind.DUTY, "person", {"role": "role"}),
    # devices
    house.DeviceBound: _of(
        SignificantKind.DEVICE, "device", {"table": "before_table", "work": "before_work"}, ("table", "work")
    ),
    house.DeviceTokenMade: _of(SignificantKind.DEVICE, "device", after=("expires_at", "rotated")),
    house.DeviceRevoked: _of(SignificantKind.DEVICE, "device"),
    house.DeviceRefused: _of(SignificantKind.DEVICE, "device", after=("why", "asked", "sequence")),
    # settings, of the house and at tables
    house.SettingsChanged: _of(SignificantKind.SETTINGS, read=_changed_settings),
    house.AutomationSet: _of(SignificantKind.SETTINGS, before={"steps": "before"}, after=("steps",)),
    design.GameSaved: _of(SignificantKind.SETTINGS, "game", after=("title", "version", "digest")),
    LimitsChanged: _of(SignificantKind.SETTINGS, read=_changed_limits),
    MethodChanged: _of(SignificantKind.SETTINGS, before={"method": "before"}, after=("method",)),
    AreaRestricted: _of(
        SignificantKind.SETTINGS, before={"capacity": "before"}, after=("wager", "position", "capacity")
    ),
    # what patrons may do, and what is stopped
    limits.PatronLimitSet: _of(SignificantKind.LIMIT, read=_patron_limit),
    limits.PatronExcluded: _of(SignificantKind.LIMIT, after=("kind", "until")),
    limits.ExclusionLifted: _of(SignificantKind.LIMIT, before={"kind": "kind"}),
    LossLimited: _of(SignificantKind.LIMIT, "patron", read=_own_limit),
    LossLimitEased: _of(SignificantKind.LIMIT, "patron", read=_own_limit),
    house.GamingStopped: _of(SignificantKind.STOP, "subject", after=("scope",)),
    house.GamingResumed: _of(SignificantKind.STOP, "subject", {"scope": "scope"}),
    # tables and money
    house.TableCreated: _of(SignificantKind.OPENING, after=("game", "digest")),
    TableOpened: _of(SignificantKind.OPENING, after=("game", "digest", "float_")),
    TableClosed: _of(SignificantKind.OPENING, read=_counted),
    cage.Deposited: _of(SignificantKind.MONEY, "patron", after=("amount",), holds=_is_large),
    cage.PaidOut: _of(SignificantKind.MONEY, "patron", after=("amount",), holds=_is_large),
    cage.DebtBooked: _DEBT,
    cage.DebtReduced: _DEBT,
    cage.DebtSettled: _DEBT,
    cage.SlipCancelled: _of(SignificantKind.MONEY, after=("slip",)),
    cage.CashFlagSeen: _of(SignificantKind.MONEY, "patron", after=("direction", "amount")),
    # decisions of people at a table
    RoundVoided: _of(SignificantKind.VOID, read=_voided),
    VoidDismissed: _of(SignificantKind.VOID, after=("provision",)),
    RoundCorrected: _of(SignificantKind.CORRECTION, read=_corrected),
    OverlookedWagerSettled: _of(SignificantKind.CORRECTION, "patron", read=_corrected),
    CardCorrected: _of(SignificantKind.CORRECTION, "person", {"card": "before"}, ("hand", "place", "card")),
    CardsRelaid: _of(SignificantKind.CORRECTION),
    AnswerCorrected: _of(SignificantKind.CORRECTION, "patron", read=_answered),
    ReportWithdrawn: _of(SignificantKind.CORRECTION, after=("provision",)),
    PayoutCorrected: _of(SignificantKind.CORRECTION, "patron", {"paid": "amount"}, {"paid": "due", "wager": "wager"}),
    PayoutStands: _of(SignificantKind.CORRECTION, "patron", {"paid": "due"}, {"paid": "amount", "wager": "wager"}),
    WagerFound: _of(SignificantKind.CORRECTION, "patron", after={"wager": "wager", "wagered": "amount"}),
    LateWagerRefused: _of(SignificantKind.REMOVAL, "patron", {"wager": "wager", "wagered": "amount"}),
    WagerRemoved: _of(SignificantKind.REMOVAL, "patron", read=_removed),
    WagerReturned: _of(SignificantKind.REMOVAL, "patron", read=_removed),
    CardsPutAside: _of(SignificantKind.OVERRIDE),
    NewCardsOrdered: _of(SignificantKind.OVERRIDE),
    ReadingOverridden: _of(SignificantKind.OVERRIDE, "person", after=("hand", "place", "misread", "card")),
    ReferralDecided: _of(SignificantKind.OVERRIDE, after=("decision", "covered_by")),
    ActProposed: _of(SignificantKind.OVERRIDE, "proposed_by", after=_ACT),
    ActConfirmed: _of(SignificantKind.OVERRIDE, "proposed_by", after=_ACT),
    ActDropped: _of(SignificantKind.OVERRIDE, after=("act", "acts", "command", "refused")),
    ShoeEnded: _of(SignificantKind.SHOE, after=("shoe", "reason"), holds=_is_early),
    # the house itself
    house.ClockSet: _of(SignificantKind.CLOCK, after=("milliseconds",)),
    program.ProgramInstalled: _of(
        SignificantKind.PROGRAM, before={"manifest": "before"}, after=("manifest", "version", "files")
    ),
    program.ProgramChecked: _of(
        SignificantKind.PROGRAM,
        before={"manifest": "expected"},
        after=("manifest", "when", "state", "version", "files", "differences", "changed", "missing", "added"),
    ),
    house.HouseClosed: _of(SignificantKind.ROLLBACK, after=("epoch", "why")),
    house.HouseResumed: _of(SignificantKind.ROLLBACK, after=("epoch",)),
    house.AlertAcknowledged: _of(SignificantKind.ALERT, after=("kind", "number")),
}
"""How each kind of event is significant; kinds that are not in it are not."""
BY_NAME: Mapping[str, Significance] = {kind.__name__: each for kind, each in TABLE.items()}
