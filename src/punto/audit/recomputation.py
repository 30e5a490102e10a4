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

from punto.audit.dealt_cards import CardsDealt, Hand, cards_due, followed, total, winner
from punto.table.event import Event, Settled
from punto.table.irregularities.correction import CardCorrected, RoundCorrected
from punto.table.irregularities.device_reset import BetsReopened, DeviceReset
from punto.table.irregularities.differential import DifferentialExceeded, DifferentialMet, WagerRemoved
from punto.table.irregularities.late_wagers import WagerFound
from punto.table.irregularities.referral import ReferralDecided, Referred
from punto.table.irregularities.void import RoundVoided, VoidAsked, VoidDismissed
from punto.table.irregularities.withdrawal import WithdrawalAnswered, WithdrawalEnded, WithdrawalOffered
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.dealing import CardDrawn, OutcomeAnnounced
from punto.table.play.settlement import RoundSettled
from punto.table.play.shoes import ShoeEnded, ShoeLoaded
from punto.table.play.table_management import LimitsChanged, TableClosed, TableOpened
from punto.table.play.wagers import BetsClosed, BetsOpened, WagerPlaced, WagerTakenBack

Cards = tuple[Hand, Hand]
"""Of Player and of Banker."""
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
    owes: Counter[str] = field(default_factory=Counter)
    layout: dict[tuple[str, int, str], int] = field(default_factory=dict)
    round: int = 0
    betting: bool = False
    """Whether wagers may be placed: bets are open, or the table differential is exceeded."""
    announced: bool = False
    may_void: bool = False
    """Whether something was reported, referred or reset for which the round may be void."""
    referred: bool = False
    in_round: bool = False
    was_reset: bool = False
    """Whether the device was reset without a card seen, so that betting may open again."""
    offered: dict[tuple[str, int, str], bool] = field(default_factory=dict)
    """Wagers that may be taken back, and whether all of a patron's or none."""
    asked: set[str] = field(default_factory=set)
    told: dict[int, dict[tuple[str, int, str], Settled]] = field(default_factory=dict)
    """For each round what was told about each wager when it was settled, or settled anew."""
    first_under: dict[int, set[str]] = field(default_factory=dict)
    once_under_minimum: set[str] = field(default_factory=set)
    settled: dict[int, dict[tuple[str, int, str], tuple[int, int, int, bool]]] = field(default_factory=dict)
    """For each round and area: stake, what was handed back, commission, and whether a rule on limits was applied."""

    def __post_init__(self) -> None:
        self.cards = CardsDealt(self._find)

    def look_at(self, event: Event) -> None:
        """Take in one event and check it."""
        self.number += 1
        check = getattr(self, f"_{type(event).__name__}", None)
        try:
            followed(self.cards, event)
            if check:
                check(event)
        except (ArithmeticError, LookupError, TypeError, ValueError, StopIteration):
            self._find("what happened before does not lead here")
        for name, amount in (*self.chips.items(), ("the float", self.float_)):
            if amount < 0:
                self._find(f"{name} is below zero: {amount}")

    def _find(self, what: str) -> None:
        self.findings.append(f"event {self.number}: {what}")

    def _agree(self, what: str, recorded: object, recomputed: object) -> None:
        if recorded != recomputed:
            self._find(f"{what} is recorded as {recorded}, but comes to {recomputed}")

    # --- money -----------------------------------------------------------------------------------------------------

    def _TableOpened(self, event: TableOpened) -> None:
        self.setting, self.float_, self.commission = event.setting, event.float_, 0
        self.chips, self.owes, self.layout, self.once_under_minimum = Counter(), Counter(), {}, set()
        self._take_limits(event.setting.limits)

    def _TableClosed(self, event: TableClosed) -> None:
        if self.in_round or any(self.layout.values()):
            self._find("the table is closed in the middle of a round")
        self._agree("the float", event.float_, self.float_)
        self._agree("the commission", event.commission, self.commission)
        self._agree("the difference", event.difference, event.counted - self.float_ - self.commission)
        self.float_ = self.commission = 0

    def _LimitsChanged(self, event: LimitsChanged) -> None:
        self._take_limits(event.limits)

    def _take_limits(self, limits: Any) -> None:
        self.limits |= {name: (limit.minimum, limit.maximum) for name, limit in limits.items()}

    def _Filled(self, event: Filled) -> None:
        self.float_ += event.amount

    def _Credited(self, event: Credited) -> None:
        self.float_ -= event.amount

    def _BoughtIn(self, event: BoughtIn) -> None:
        self.float_ -= event.amount
        self.chips[event.patron] += event.amount

    def _CashedOut(self, event: CashedOut) -> None:
        self.chips[event.patron] -= event.amount

    def _WagerPlaced(self, event: WagerPlaced) -> None:
        self._while_betting()
        self._agree("the wager", event.total, self._on_layout(event, event.amount))

    def _WagerFound(self, event: WagerFound) -> None:
        if not self.in_round or self.betting:
            self._find("a wager is found when none could be")
        self._on_layout(event, event.amount)

    def _WagerTakenBack(self, event: WagerTakenBack) -> None:
        self._while_betting()
        self._agree("the wager", event.total, self._on_layout(event, -event.amount))

    def _WagerRemoved(self, event: WagerRemoved) -> None:
        self._while_betting()
        self._agree("the wager", event.total, self._on_layout(event, -event.amount))

    def _on_layout(self, event: Any, amount: int) -> int:
        area = (event.patron, event.position, event.wager)
        self.layout[area] = self.layout.get(area, 0) + amount
        self.chips[event.patron] -= amount
        return self.layout[area]

    # --- the course of a round -------------------------------------------------------------------------------------

    def _BetsOpened(self, event: BetsOpened) -> None:
        self._agree("the number of the round", event.round, self.round + 1)
        if self.in_round or any(self.layout.values()):
            self._find("a round is opened before the last one has ended")
        self.round, self.betting, self.in_round = event.round, True, True
        self.announced = self.may_void = self.referred = self.was_reset = False

    def _BetsReopened(self, _: BetsReopened) -> None:
        if not self.was_reset or any((*self.cards.player, *self.cards.banker)):
            self._find("bets are taken again for nothing that would allow it")
        self.betting = True

    def _DifferentialExceeded(self, event: DifferentialExceeded) -> None:
        on = {name: sum(a for (_, _, w), a in self.layout.items() if w == name) for name in (event.higher, event.lower)}
        self._agree("the difference", event.difference, on[event.higher] - on[event.lower])
        self._agree("the difference allowed", event.allowed, self.setting.differential)
        if event.difference <= event.allowed or any((*self.cards.player, *self.cards.banker)):
            self._find("the table differential is held against wagers that keep it")
        self.betting = True

    def _BetsClosed(self, _: BetsClosed) -> None:
        self.betting = False

    def _DifferentialMet(self, _: DifferentialMet) -> None:
        self.betting = False

    def _while_betting(self) -> None:
        if not self.betting:
            self._find("a wager is placed or taken back while no bets are taken")

    def _CardDrawn(self, _: CardDrawn) -> None:
        if self.betting:
            self._find("a card is drawn while bets are taken")

    def _OutcomeAnnounced(self, _: OutcomeAnnounced) -> None:
        self.announced = True

    def _CardCorrected(self, _: CardCorrected) -> None:
        self.announced = False

    def _VoidAsked(self, _: VoidAsked) -> None:
        self.may_void = True

    def _VoidDismissed(self, _: VoidDismissed) -> None:
        self.may_void = self.referred

    def _Referred(self, _: Referred) -> None:
        self.may_void = self.referred = True

    def _ReferralDecided(self, event: ReferralDecided) -> None:
        if not self.referred:
            self._find("what was not referred is decided")
        self.referred, self.may_void = False, event.decision.endswith("void")

    def _DeviceReset(self, event: DeviceReset) -> None:
        self.referred = self.may_void = event.cards_seen
        self.was_reset = not event.cards_seen

    def _ShoeLoaded(self, _: ShoeLoaded) -> None:
        if self.in_round:
            self._find("the shoe is changed in the middle of a round")

    def _ShoeEnded(self, _: ShoeEnded) -> None:
        if self.in_round:
            self._find("the shoe ends in the middle of a round")

    def _WithdrawalOffered(self, event: WithdrawalOffered) -> None:
        self.offered = {(each.patron, each.position, each.wager): event.whole for each in event.wagers}
        self.asked = {each.patron for each in event.wagers}
        lies = {area for area, amount in self.layout.items() if amount}
        if not set(self.offered) <= lies:
            self._find("wagers are offered back that do not lie there")
        if self.offered and self.cards.is_over:
            self._find("wagers are offered back that the cards have decided")

    def _WithdrawalEnded(self, _: WithdrawalEnded) -> None:
        self.offered, self.asked = {}, set()

    # --- the end of a round ----------------------------------------------------------------------------------------

    def _RoundSettled(self, event: RoundSettled) -> None:
        self._agree("the number of the round", event.round, self.round)
        if not self.announced:
            self._find("a round is settled whose outcome was not called")
        self.in_round = False
        self.told[event.round] = {_area(each): each for each in event.wagers}
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
            self._check_line(each, self._cards, min(each.stake, self._limits_of(each.wager)[1]))
            minimum, maximum = self._limits_of(each.wager)
            limited = not minimum <= self.layout[area] <= maximum
            self.settled[event.round][area] = (self.layout[area], returned, commission, limited)
            self.chips[each.patron] += returned
            self.float_ += self.layout[area] - returned - commission
            self.commission += commission
            if under:
                newly_under.add(each.patron)
        self.first_under[event.round] = newly_under - self.once_under_minimum
        self.once_under_minimum |= newly_under
        self.layout, self.announced = {}, False

    def _check_line(self, each: Settled, cards: Cards, played: int) -> None:
        """What is told about the line that settled a wager, of which so much was played."""
        if each.result is None:
            self._agree(f"what was settled of {_area(each)}", (each.settled, each.winnings), (0, 0))
            return
        pays, _ = self._line(each.wager, cards)
        result = "lose" if pays is None else "push" if pays == 0 else "win"
        self._agree(f"the result of {_area(each)}", each.result.value, result)
        self._agree(f"the ratio of {_area(each)}", each.pays, Fraction(-1) if pays is None else pays)
        self._agree(f"what was settled of {_area(each)}", each.settled, played)
        won = self._paid(each.wager, played, cards)[0] - played if pays else 0
        self._agree(f"the winnings of {_area(each)}", each.winnings, won)

    @property
    def _cards(self) -> Cards:
        return self.cards.player, self.cards.banker

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
        returned, commission = self._paid(wager, played, self._cards)
        pays, _ = self._line(wager, self._cards)
        return stake - played + returned, commission, stake < minimum and pays != 0

    def _line(self, wager: str, cards: Cards) -> tuple[Fraction | None, Fraction]:
        """What the game's file pays on the wager for these cards; None if it loses."""
        lines = next(each["lines"] for each in self.game["wager"] if each["name"] == wager)
        for line in lines:
            if _holds(line["when"], *cards):
                withheld = _ratio(line["commission"]) if "commission" in line else Fraction(0)
                return (Fraction(0) if line["pays"] == "push" else _ratio(line["pays"])), withheld
        return None, Fraction(0)

    def _WithdrawalAnswered(self, event: WithdrawalAnswered) -> None:
        if event.patron not in self.asked:
            self._find(f"{event.patron} answers what he was not asked, or has answered")
        self.asked.discard(event.patron)
        his = [area for area in self.offered if area[0] == event.patron]
        if event.withdrawn and any(self.offered[area] for area in his) and len(event.withdrawn) != len(his):
            self._find(f"{event.patron} takes back some of his wagers, and may take back all or none")
        for each in event.withdrawn:
            if (each.patron, each.position, each.wager) not in self.offered:
                self._find(f"{each.patron} takes back what was not offered")
            lies = self.layout.pop((each.patron, each.position, each.wager), 0)
            self._agree(f"what {each.patron} takes back", each.amount, lies)
            self.chips[each.patron] += lies

    def _RoundCorrected(self, event: RoundCorrected) -> None:
        before = self.settled[event.round]
        if event.coup is None:
            if not self.may_void:
                self._find("a settled round is void for nothing that was reported")
            self.once_under_minimum -= self.first_under.get(event.round, set())
        self._agree("the set of wagers corrected", {_area(each.after) for each in event.corrections}, set(before))
        cards: Cards = ([], [])
        if event.coup:
            cards = [str(card) for card in event.coup.player], [str(card) for card in event.coup.banker]
            self._agree("the number of cards", (len(cards[0]), len(cards[1])), cards_due(*cards))
        for each in event.corrections:
            area = _area(each.after)
            stake, returned, commission, limited = before[area]
            self._agree(f"what was told about {area}", each.before, self.told[event.round][area])
            now = (stake, 0)
            if event.coup:
                if not limited:
                    self._check_line(each.after, cards, stake)
                now = (returned, commission) if limited else self._paid(area[2], stake, cards)
            self._agree(f"what {area} should have been handed back", (each.after.returned, each.after.commission), now)
            change = now[0] - returned
            short = max(-self.owes[area[0]], -change) if change > 0 else max(0, -change - self.chips[area[0]])
            self._agree(f"what {area[0]} owes", each.owed, short)
            self.owes[area[0]] += short
            self.chips[area[0]] += now[0] - returned + short
            self.float_ -= now[0] - returned + short + now[1] - commission
            self.commission += now[1] - commission
            before[area] = (stake, *now, limited)
            self.told[event.round][area] = each.after

    def _paid(self, wager: str, stake: int, cards: Cards) -> tuple[int, int]:
        """What these cards hand back of a stake within the limits, and the commission on it."""
        pays, withheld = self._line(wager, cards)
        if pays is None:
            return 0, 0
        won = -(-stake * pays.numerator // pays.denominator)
        whole = pays + withheld
        return stake + won, -(-stake * whole.numerator // whole.denominator) - won

    def _RoundVoided(self, event: RoundVoided) -> None:
        self._agree("the number of the round", event.round, self.round)
        if not self.may_void:
            self._find("a round is void for nothing that was reported")
        self.betting, self.in_round, self.referred, self.offered, self.asked = False, False, False, {}, set()
        returned = {(each.patron, each.position, each.wager): each.amount for each in event.wagers}
        self._agree("what is handed back", returned, {area: amount for area, amount in self.layout.items() if amount})
        for (patron, _, _), amount in self.layout.items():
            self.chips[patron] += amount
        self.layout = {}


def recompute(happened: Iterable[Event], game_file: bytes) -> Auditor:
    """Go through all events of a table; an auditor with no findings has found everything in order."""
    auditor = Auditor(tomllib.loads(game_file.decode()))
    for event in happened:
        auditor.look_at(event)
    return auditor


def _area(settled: Settled) -> tuple[str, int, str]:
    return settled.patron, settled.position, settled.wager


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
        "winner": winner(player, banker),
        "margin": abs(total(player) - total(banker)),
        "cards": len(player) + len(banker),
        "pairs": 2 - pairs.count(None),
        "same_pair": pairs[0] is not None and pairs[0] == pairs[1],
    }
    return facts[key]


def _fact_of_hand(what: str, hand: Hand) -> object:
    rank, suit, other_rank, other_suit = *hand[0], *hand[1]
    facts: dict[str, object] = {
        "total": total(hand),
        "cards": len(hand),
        "pair": rank == other_rank,
        "pair_rank": rank if rank == other_rank else None,
        "suited": suit == other_suit,
        "suit": suit if suit == other_suit else None,
    }
    return facts[what]
