"""An auditor: recomputes every round and every balance from the events and the game's file, with code of its own.

It reads the same file as the engine but shares none of the engine's code: cards, drawing, conditions, ratios, limits
and money are worked out anew, so that a mistake there does not repeat itself here.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from punto.table import events, irregular
from punto.table.events import Event

Hand = list[str]
Finding = str


@dataclass
class Auditor:
    """Goes through a table's events in order; ``findings`` says what does not agree, and where."""

    game: dict[str, Any]
    findings: list[Finding] = field(default_factory=list)
    number: int = 0
    setting: Any = None
    limits: dict[str, tuple[int, int]] = field(default_factory=dict)
    float_: int = 0
    commission: int = 0
    chips: Counter[str] = field(default_factory=Counter)
    layout: dict[tuple[str, int, str], int] = field(default_factory=dict)
    player: Hand = field(default_factory=list)
    banker: Hand = field(default_factory=list)
    numbers: dict[str, list[int]] = field(default_factory=dict)
    """The numbers of the cards in each hand, in the places of the cards."""
    order: list[int] = field(default_factory=list)
    """The numbers of the round's cards in the order they were dealt."""
    once_under_minimum: set[str] = field(default_factory=set)
    settled: dict[int, dict[tuple[str, int, str], tuple[int, int, int, bool]]] = field(default_factory=dict)
    """For each round and area: stake, what was handed back, commission, and whether a rule on limits was applied."""

    def look_at(self, event: Event) -> None:
        """Take in one event and check it."""
        self.number += 1
        check = getattr(self, f"_{type(event).__name__}", None)
        if check:
            check(event)
        for name, amount in (*self.chips.items(), ("the float", self.float_)):
            if amount < 0:
                self._find(f"{name} is below zero: {amount}")

    def _find(self, what: str) -> None:
        self.findings.append(f"event {self.number}: {what}")

    def _agree(self, what: str, recorded: object, recomputed: object) -> None:
        if recorded != recomputed:
            self._find(f"{what} is recorded as {recorded}, but comes to {recomputed}")

    # --- money -----------------------------------------------------------------------------------------------------

    def _TableOpened(self, event: events.TableOpened) -> None:  # noqa: N802 - named after the event
        self.setting, self.float_, self.commission = event.setting, event.float_, 0
        self.chips, self.layout, self.once_under_minimum = Counter(), {}, set()
        self._take_limits(event.setting.limits)

    def _TableClosed(self, event: events.TableClosed) -> None:  # noqa: N802
        self._agree("the float", event.float_, self.float_)
        self._agree("the commission", event.commission, self.commission)
        self._agree("the difference", event.difference, event.counted - self.float_ - self.commission)
        self.float_ = self.commission = 0

    def _LimitsChanged(self, event: events.LimitsChanged) -> None:  # noqa: N802
        self._take_limits(event.limits)

    def _take_limits(self, limits: Any) -> None:
        self.limits |= {name: (limit.minimum, limit.maximum) for name, limit in limits.items()}

    def _Filled(self, event: events.Filled) -> None:  # noqa: N802
        self.float_ += event.amount

    def _Credited(self, event: events.Credited) -> None:  # noqa: N802
        self.float_ -= event.amount

    def _BoughtIn(self, event: events.BoughtIn) -> None:  # noqa: N802
        self.float_ -= event.amount
        self.chips[event.patron] += event.amount

    def _CashedOut(self, event: events.CashedOut) -> None:  # noqa: N802
        self.chips[event.patron] -= event.amount

    def _WagerPlaced(self, event: events.WagerPlaced) -> None:  # noqa: N802
        self._agree("the wager", event.total, self._on_layout(event, event.amount))

    def _WagerFound(self, event: events.WagerFound) -> None:  # noqa: N802
        self._on_layout(event, event.amount)

    def _WagerTakenBack(self, event: events.WagerTakenBack) -> None:  # noqa: N802
        self._agree("the wager", event.total, self._on_layout(event, -event.amount))

    def _WagerRemoved(self, event: events.WagerRemoved) -> None:  # noqa: N802
        self._agree("the wager", event.total, self._on_layout(event, -event.amount))

    def _on_layout(self, event: Any, amount: int) -> int:
        area = (event.patron, event.position, event.wager)
        self.layout[area] = self.layout.get(area, 0) + amount
        self.chips[event.patron] -= amount
        return self.layout[area]

    # --- cards -----------------------------------------------------------------------------------------------------

    def _BetsOpened(self, event: events.BetsOpened) -> None:  # noqa: N802, ARG002
        self.player, self.banker, self.numbers, self.order = [], [], {"player": [], "banker": []}, []

    def _CardDrawn(self, event: events.CardDrawn) -> None:  # noqa: N802
        hand = self.player if event.hand == "player" else self.banker
        if event.place != len(hand):
            self._find(f"a card goes to place {event.place} of a hand of {len(hand)}")
        self._CardMisplaced(event)

    def _CardMisplaced(self, event: events.CardDrawn | irregular.CardMisplaced) -> None:  # noqa: N802
        (self.player if event.hand == "player" else self.banker).append("")
        self.numbers[event.hand].append(event.index)
        self.order.append(event.index)

    def _CardsReconstructed(self, event: irregular.CardsReconstructed) -> None:  # noqa: N802
        """Cards keep their faces, and go to the hands in turn in the order they were drawn; a third by the rules."""
        numbers = [*self.numbers["player"], *self.numbers["banker"]]
        faces = dict(zip(numbers, [*self.player, *self.banker], strict=True))
        player, banker, thirds = self.order[0:4:2], self.order[1:4:2], self.order[4:]
        if thirds and _cards_due([faces[at] for at in player], [faces[at] for at in banker])[0] == 3:
            player = [*player, thirds.pop(0)]
        self._agree("Player's reconstructed cards", list(event.player), player)
        self._agree("Banker's reconstructed cards", list(event.banker), [*banker, *thirds])
        self.player, self.banker = [faces[at] for at in event.player], [faces[at] for at in event.banker]
        self.numbers = {"player": list(event.player), "banker": list(event.banker)}

    def _CardCorrected(self, event: irregular.CardCorrected) -> None:  # noqa: N802
        hand = self.player if event.hand == "player" else self.banker
        self._agree("the card that was keyed", str(event.before), hand[event.place])
        hand[event.place] = str(event.card)

    def _CardExposed(self, event: events.CardExposed) -> None:  # noqa: N802
        hand = self.player if event.hand == "player" else self.banker
        hand[event.place] = str(event.card)

    def _OutcomeAnnounced(self, event: events.OutcomeAnnounced) -> None:  # noqa: N802
        self._agree("the number of cards", (len(self.player), len(self.banker)), _cards_due(self.player, self.banker))
        self._agree("Player's total", event.player_total, _total(self.player))
        self._agree("Banker's total", event.banker_total, _total(self.banker))
        self._agree("the winner", event.winner, _winner(self.player, self.banker))

    # --- the end of a round ----------------------------------------------------------------------------------------

    def _RoundSettled(self, event: events.RoundSettled) -> None:  # noqa: N802
        settled = {(each.patron, each.position, each.wager): each for each in event.wagers}
        lies = {area for area, amount in self.layout.items() if amount}
        self._agree("the set of wagers settled", set(settled), lies)
        newly_under = set()
        self.settled[event.round] = {}
        for area in sorted(lies & set(settled)):
            each = settled[area]
            self._agree(f"the stake of {area}", each.stake, self.layout[area])
            returned, commission, under = self._owed(area, self.layout[area])
            self._agree(f"what {area} is handed back", each.returned, returned)
            self._agree(f"the commission on {area}", each.commission, commission)
            minimum, maximum = self._limits_of(each.wager)
            limited = not minimum <= self.layout[area] <= maximum
            self.settled[event.round][area] = (self.layout[area], returned, commission, limited)
            self.chips[each.patron] += returned
            self.float_ += self.layout[area] - returned - commission
            self.commission += commission
            if under:
                newly_under.add(each.patron)
        self.once_under_minimum |= newly_under
        self.layout = {}

    def _limits_of(self, wager: str) -> tuple[int, int]:
        """The limits at settlement; where the game has no rule on wagers outside them there are none."""
        minimum, maximum = self.limits[wager]
        rules = {clause["provision"] for clause in self.game["clauses"].values()}
        return minimum if "under-minimum" in rules else 0, maximum if "over-maximum" in rules else 10**18

    def _owed(self, area: tuple[str, int, str], stake: int) -> tuple[int, int, bool]:
        """What is handed back of a stake, the commission on it, and whether a wager under the minimum was settled."""
        patron, _, wager = area
        minimum, maximum = self._limits_of(wager)
        if stake < minimum and patron in self.once_under_minimum:
            return stake, 0, False
        played = min(stake, maximum)
        returned, commission = self._paid(wager, played)
        return stake - played + returned, commission, stake < minimum

    def _line(self, wager: str) -> tuple[Fraction | None, Fraction]:
        """What the game's file pays on the wager for the cards on the table; None if it loses."""
        lines = next(each["lines"] for each in self.game["wager"] if each["name"] == wager)
        for line in lines:
            if _holds(line["when"], self.player, self.banker):
                withheld = _ratio(line["commission"]) if "commission" in line else Fraction(0)
                return (Fraction(0) if line["pays"] == "push" else _ratio(line["pays"])), withheld
        return None, Fraction(0)

    def _WithdrawalAnswered(self, event: irregular.WithdrawalAnswered) -> None:  # noqa: N802
        for each in event.withdrawn:
            lies = self.layout.pop((each.patron, each.position, each.wager), 0)
            self._agree(f"what {each.patron} takes back", each.amount, lies)
            self.chips[each.patron] += lies

    def _RoundCorrected(self, event: irregular.RoundCorrected) -> None:  # noqa: N802
        before = self.settled[event.round]
        self._agree("the set of wagers corrected", {_area(each.after) for each in event.corrections}, set(before))
        if event.coup:
            self.player = [str(card) for card in event.coup.player]
            self.banker = [str(card) for card in event.coup.banker]
            due = _cards_due(self.player, self.banker)
            self._agree("the number of cards", (len(self.player), len(self.banker)), due)
        for each in event.corrections:
            area = _area(each.after)
            stake, returned, commission, limited = before[area]
            now = (
                (stake, 0) if event.coup is None else (returned, commission) if limited else self._paid(area[2], stake)
            )
            self._agree(f"what {area} should have been handed back", (each.after.returned, each.after.commission), now)
            short = max(0, returned - now[0] - self.chips[area[0]])
            self._agree(f"what {area[0]} owes", each.owed, short)
            self.chips[area[0]] += now[0] - returned + short
            self.float_ -= now[0] - returned + short + now[1] - commission
            self.commission += now[1] - commission
            before[area] = (stake, *now, limited)

    def _paid(self, wager: str, stake: int) -> tuple[int, int]:
        """What the cards on the table hand back of a stake within the limits, and the commission on it."""
        pays, withheld = self._line(wager)
        if pays is None:
            return 0, 0
        won = -(-stake * pays.numerator // pays.denominator)
        whole = pays + withheld
        return stake + won, -(-stake * whole.numerator // whole.denominator) - won

    def _RoundVoided(self, event: events.RoundVoided) -> None:  # noqa: N802
        returned = {(each.patron, each.position, each.wager): each.amount for each in event.wagers}
        self._agree("what is handed back", returned, {area: amount for area, amount in self.layout.items() if amount})
        for (patron, _, _), amount in self.layout.items():
            self.chips[patron] += amount
        self.layout = {}


def audit(happened: Iterable[Event], game_file: bytes) -> Auditor:
    """Go through all events of a table; an auditor with no findings has found everything in order."""
    auditor = Auditor(tomllib.loads(game_file.decode()))
    for event in happened:
        auditor.look_at(event)
    return auditor


def _area(settled: events.Settled) -> tuple[str, int, str]:
    return settled.patron, settled.position, settled.wager


def _points(card: str) -> int:
    return "A23456789".find(card[0]) + 1


def _total(hand: Hand) -> int:
    return sum(map(_points, hand)) % 10


def _winner(player: Hand, banker: Hand) -> str:
    difference = _total(player) - _total(banker)
    return "player" if difference > 0 else "banker" if difference < 0 else "tie"


def _cards_due(player: Hand, banker: Hand) -> tuple[int, int]:
    """How many cards each hand should have, from its first two and Player's third."""
    first, second = _total(player[:2]), _total(banker[:2])
    if first > 7 or second > 7:
        return 2, 2
    if first > 5:
        return 2, 3 if second < 6 else 2
    drawn = _points(player[2]) if len(player) > 2 else -1
    # The lowest and highest third card of Player's against which Banker draws; on three, all but an eight.
    low, high = ((0, 9), (0, 9), (0, 9), (0, 9), (2, 7), (4, 7), (6, 7), (1, 0))[second]
    draws = low <= drawn <= high and (second, drawn) != (3, 8)
    return 3, 3 if draws else 2


def _ratio(text: str) -> Fraction:
    pays, _, to = text.partition(" to ")
    return Fraction(pays) / Fraction(to)


def _holds(when: dict[str, Any], player: Hand, banker: Hand) -> bool:
    """Whether every key of a condition holds for the cards."""
    return all(_key_holds(key, wanted, player, banker) for key, wanted in when.items())


def _key_holds(key: str, wanted: Any, player: Hand, banker: Hand) -> bool:
    if key == "any":
        return any(_holds(each, player, banker) for each in wanted)
    if key == "not":
        return not _holds(wanted, player, banker)
    found = _fact(key, player, banker)
    return found in wanted if isinstance(wanted, list) else bool(found == wanted)


def _fact(key: str, player: Hand, banker: Hand) -> object:
    """What a key of a condition asks about the cards."""
    side, _, what = key.partition("_")
    if side in ("player", "banker") and what:
        return _fact_of_hand(what, player if side == "player" else banker)
    pairs = [_fact_of_hand("pair_rank", hand) for hand in (player, banker)]
    facts: dict[str, object] = {
        "winner": _winner(player, banker),
        "margin": abs(_total(player) - _total(banker)),
        "cards": len(player) + len(banker),
        "pairs": 2 - pairs.count(None),
        "same_pair": pairs[0] is not None and pairs[0] == pairs[1],
    }
    return facts[key]


def _fact_of_hand(what: str, hand: Hand) -> object:
    rank, suit, other_rank, other_suit = *hand[0], *hand[1]
    facts: dict[str, object] = {
        "total": _total(hand),
        "cards": len(hand),
        "pair": rank == other_rank,
        "pair_rank": rank if rank == other_rank else None,
        "suited": suit == other_suit,
        "suit": suit if suit == other_suit else None,
    }
    return facts[what]
