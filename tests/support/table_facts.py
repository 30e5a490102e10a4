"""The state of a table and what people see of it, as named facts in plain JSON.

The golden log compares these facts, so they outlive the classes that hold the state. When the state takes another
shape, adapt ``facts_of`` (and the helpers it calls) until it gives the recorded facts again; never the recording.
Values that are part of a stored event, such as a setting or a settled wager, are encoded as the log stores them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from punto.cards import DECK, Card
from punto.rules.table_of_play import Hand
from punto.store.codec import encoder
from punto.table.guidance.next_step import NextStep, either, fill_first
from punto.table.guidance.next_steps import next_steps
from punto.table.hold import Hold
from punto.table.irregularities.cards_taken import CardsTakenHold
from punto.table.irregularities.correction import reversal
from punto.table.irregularities.device_reset import ResetHold
from punto.table.irregularities.differential import DifferentialHold
from punto.table.irregularities.drawn_together import OrderHold
from punto.table.irregularities.misdealt_cards import MisplacedHold
from punto.table.irregularities.referral import ReferralHold
from punto.table.irregularities.void import VoidHold
from punto.table.irregularities.withdrawal import WithdrawalHold
from punto.table.play.unread_card import UnreadHold
from punto.table.roles import Role
from punto.table.round import Window
from punto.table.table import SettledRound, Shoe, Table
from punto.table.views import private, public, staff

Facts = dict[str, Any]

PROSE = frozenset({"words"})
"""Keys of views and next steps whose values are sentences; they are left out."""
ADDED: frozenset[str] = frozenset(
    {
        "announced",
        "burn",
        "calls",
        "capped",
        "counting",
        "device_accepted",
        "face_up",
        "hand_in_turn",
        "on_behalf",
        "on_duty",
        "payout_caps",
        "proposed",
        "reasons_required",
        "restricted",
        "room",
        "second_person",
        "second_person_above",
        "second_person_seconds",
        "sign_on",
        "single_cards",
        "squeeze_seconds",
        "winning",
    }
)
"""Keys that views, settings and next steps have gained since they were recorded; they are left out."""
ADDED_STEPS: frozenset[str] = frozenset(
    {
        "AnnounceTotals",
        "CorrectAnswer",
        "OrderCard",
        "OrderCardsAside",
        "OrderCoup",
        "OrderNewCards",
        "OrderReturn",
        "OrderWithdrawal",
        "PermitSqueeze",
        "WithdrawReport",
    }
)
"""Commands that next steps have gained since, where none was before; those for a patron are left out as well."""

HOLDS: dict[type[Hold], str] = {
    CardsTakenHold: "cards-taken",
    DifferentialHold: "differential",
    MisplacedHold: "misplaced",
    OrderHold: "order",
    ReferralHold: "referral",
    ResetHold: "reset",
    UnreadHold: "unread",
    VoidHold: "void",
    WithdrawalHold: "withdrawal",
}


def facts_of(table: Table) -> Facts:
    """Return every fact of a table's state by name, flat: ``chips/Ann`` is one name."""
    return flat(
        {
            "phase": table.phase.value,
            "setting": as_recorded(plain(table.setting)),
            "float": table.float_,
            "commission": table.commission,
            "chips": table.chips,
            "owed": table.owed,
            "own_limits": {
                patron: {
                    "limit": own.limit,
                    "brought": own.brought,
                    "eased_to": own.eased_to,
                    "eased_from": own.eased_from,
                }
                for patron, own in table.own_limits.items()
            },
            "stakes": {
                f"{patron}/{position}/{wager}": {"amount": stake.amount, "reached": stake.reached}
                for (patron, position, wager), stake in table.round.stakes.items()
            },
            "steps": table.steps,
            "round": table.round_number,
            "shoe": _shoe(table.shoe),
            "shoes": table.shoes,
            "history": {str(number): _settled(each) for number, each in table.history.items()},
            "marks": plain(table.marks),
            "acting": {f"{person}/{role.value}": until for (person, role), until in table.acting.items()},
            "under_minimum": sorted(table.under_minimum),
            "change_cards": table.change_cards,
            "last_was_void": table.last_was_void,
            "next_card_seen": table.next_card_seen,
            "device": table.device,
            "may_draw": sorted(table.may_draw),
            "betting_window": _window(table.round.betting_window),
            "hold": _hold(table.holds),
            **_round(table),
        }
    )


def _round(table: Table) -> Facts:
    """Return the facts of the round in play."""
    return {
        "hands": {
            hand.value: [[place.index, str(place.card) if place.card else None] for place in table.round.hands[hand]]
            for hand in Hand
        },
        "first_hand": table.round.first_hand.value if table.round.first_hand else None,
        "handlers": {hand.value: patron for hand, patron in table.round.handlers.items()},
        "declined": sorted([hand.value, patron] for hand, patron in table.round.declined),
        "looked": sorted(table.round.looked),
        "any_seen": table.round.any_seen,
        "wrongly_passed": sorted(hand.value for hand in table.round.wrongly_passed),
        "attested": sorted(table.round.attested),
        "dealt": list(table.round.dealt),
        "together": list(table.round.together),
        "out": list(table.out),
        "cutting_card_first": table.round.cutting_card_first,
    }


def _shoe(shoe: Shoe | None) -> Facts | None:
    if shoe is None:
        return None
    counts = shoe.unexposed.counts()
    unexposed = " ".join(f"{card}:{counts[card]}" for card in DECK if counts.get(card))
    return {
        "name": shoe.name,
        "size": shoe.size,
        "drawn": shoe.drawn,
        "cutting_card_shown": shoe.cutting_card_shown,
        "unexposed": digest(unexposed),
    }


def _window(window: Window | None) -> Facts | None:
    return {"number": window.number, "deadline": window.deadline} if window else None


def _settled(each: SettledRound) -> Facts:
    return {
        "wagers": as_recorded(plain(each.wagers)),
        "player": _cards(each.player),
        "banker": _cards(each.banker),
        "mark": each.mark,
        "shoe": each.shoe,
        "first_under": sorted(each.first_under),
        "corrected": each.corrected,
    }


def _hold(holds: tuple[Hold, ...]) -> Facts | None:
    """Return the facts of the newest hold; a void tells what play was held for before."""
    if not holds:
        return None
    hold = holds[-1]
    facts: Facts = {"kind": HOLDS[type(hold)], "provision": hold.provision}
    match hold:
        case DifferentialHold():
            facts |= {"higher": hold.higher, "lower": hold.lower}
        case VoidHold():
            facts |= {"clause": hold.clause, "under": _hold(holds[:-1])}
        case WithdrawalHold():
            facts |= {"clause": hold.clause, "whole": hold.whole, "pending": sorted(hold.pending)}
            facts |= {"window": _window(hold.window), "wagers": plain(hold.wagers)}
        case CardsTakenHold():
            facts |= {"hand": hold.hand.value, "done": hold.done, "missing": _cards(hold.missing)}
    return facts


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


# --- what people see -------------------------------------------------------------------------------------------------


def views_of(table: Table) -> dict[str, Any]:
    """Return what everybody, the staff and each patron see, and what comes next, without sentences."""
    if isinstance(table.hold, DifferentialHold):  # that patrons are asked first was not recorded then
        table = table.changed(holds=(*table.holds[:-1], replace(table.hold, asked=True)))
    patrons = sorted({*table.chips, *table.own_limits})
    steps = _steps_as_recorded(table)
    views = {
        "public": public(table),
        "staff": replace(staff(table), next=steps),
        "private": [private(table, patron, _card_at) for patron in patrons],
        "next": steps,
    }
    return {name: as_recorded(plain(view)) for name, view in views.items()}


def _steps_as_recorded(table: Table) -> tuple[NextStep, ...]:
    """Return the next steps in the way in which they were recorded first.

    Then a decision did not say why no rule covers the matter; a decision about cards exposed before a reset cited the
    rule on resets; and one between rounds was always about the last round. The cutting card was told only while cards
    were drawn.
    """
    steps, hold = next_steps(table), table.hold
    if table.round.initial_deal_done and not table.round.all_exposed:
        steps = tuple(each for each in steps if each.command != "ShowCuttingCard")
    if isinstance(hold, ResetHold):
        return tuple(either(table, "DecideReset", Role.GAMING_SHIFT_MANAGER, hold.provision))
    if not isinstance(hold, ReferralHold):
        return steps
    decides = next(each.role for each in steps if each.command == "DecideReferral")
    return (
        *fill_first(table, reversal(table, hold.provision)),
        *either(table, "DecideReferral", decides, hold.provision),
    )


def _card_at(_shoe: str, index: int) -> Card:
    """Tell a card by its number, so that a view shows which cards it asked for."""
    return DECK[index % len(DECK)]


def as_recorded(value: Any) -> Any:
    """Return the same JSON value without keys that hold sentences or were added later."""
    if isinstance(value, dict):
        return {key: as_recorded(each) for key, each in value.items() if key not in PROSE | ADDED}
    return [as_recorded(each) for each in value if not _added(each)] if isinstance(value, list) else value


def _added(step: Any) -> bool:
    """Return whether a value is a next step that came later."""
    if not isinstance(step, dict) or "must" not in step:
        return False
    house_choice = step["provision"] == "wager-on-behalf" and step["clause"] is None  # Fabulous 4
    while_open = step["command"] in ("AskForDecreases", "RemoveWager") and not step["must"]
    return step["command"] in ADDED_STEPS or step["on_behalf"] or house_choice or while_open


# --- plain values ----------------------------------------------------------------------------------------------------


def plain(value: object) -> Any:
    """Return a value of the table as plain JSON, encoded as the log stores it."""
    return msgspec.json.decode(encoder.encode(value))


def flat(facts: Mapping[str, Any], prefix: str = "") -> Facts:
    """Return nested facts under names joined by a slash; an empty mapping has none."""
    found: Facts = {}
    for name, value in facts.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{name}/")
        else:
            found[f"{prefix}{name}"] = value
    return found


def digest(value: object) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of a value as JSON, keys in order."""
    return sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:12]
