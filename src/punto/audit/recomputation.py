"""An auditor: recomputes every round and every balance from the events and the game's file, with separate code.

It reads the same file as the engine but shares none of the engine's code: cards, drawing, conditions, ratios, limits
and money are computed separately, so that a mistake there is not repeated here.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from punto.audit.dealt_cards import CardsDealt, cards_due
from punto.audit.finding import Finding, area_name, finding
from punto.audit.game_lines import Cards, Game, PaidLine, line_of, paid, won_by
from punto.audit.open_matters import Area, OpenMatters, area_of
from punto.audit.people_followed import PeopleFollowed
from punto.audit.wager_money import Caps, Holdings, Limits, WagerSettled, caps_of, kept_back, left_for
from punto.table.event import Event, Settled
from punto.table.irregularities.correction import CardCorrected, Correction, RoundCorrected
from punto.table.irregularities.device_reset import BetsReopened
from punto.table.irregularities.differential import DecreasesAsked, DifferentialExceeded, DifferentialMet, WagerRemoved
from punto.table.irregularities.late_wagers import LateWagerRefused, OverlookedWagerSettled, WagerFound
from punto.table.irregularities.measures import WagerReturned
from punto.table.irregularities.relaid_cards import CardsRelaid
from punto.table.irregularities.void import RoundVoided
from punto.table.irregularities.withdrawal import AnswerCorrected, WithdrawalAnswered, WithdrawalOffered
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.dealing import CardDrawn, OutcomeAnnounced
from punto.table.play.debts import DebtCollected, DebtPaid
from punto.table.play.settlement import RoundSettled
from punto.table.play.shoes import ShoeEnded, ShoeLoaded
from punto.table.play.table_management import LimitsChanged, TableClosed, TableOpened
from punto.table.play.wagers import BetsClosed, BetsOpened, WagerPlaced, WagerTakenBack
from punto.table.play.wrong_payout import PayoutCorrected, PayoutStands


@dataclass
class Auditor:
    """Checks a table's events in order; ``findings`` holds what does not agree, and where."""

    game: Game
    stream: str = ""
    findings: list[Finding] = field(default_factory=list)
    number: int = 0
    setting: Any = None
    limits: Limits = field(default_factory=dict)
    caps: Caps = ()
    float_: int = 0
    commission: int = 0
    chips: Holdings = field(default_factory=Holdings)
    owes: Counter[str] = field(default_factory=Counter)
    layout: dict[Area, int] = field(default_factory=dict)
    round: int = 0
    betting: bool = False
    """Whether wagers may be placed: bets are open, or the table differential is exceeded."""
    announced: bool = False
    exceeded: bool = False
    """Whether play waits for the table differential."""
    in_round: bool = False
    shoe_began: int = 1
    """The first round of the shoe in use."""
    recorded: dict[int, dict[Area, Settled]] = field(default_factory=dict)
    """For each round what was recorded about each wager when it was settled or corrected."""
    first_under: dict[int, set[str]] = field(default_factory=dict)
    once_under_minimum: set[str] = field(default_factory=set)
    settled: dict[int, dict[Area, WagerSettled]] = field(default_factory=dict)
    """What each round came to, wager by wager."""
    played: dict[int, tuple[Cards, Limits]] = field(default_factory=dict)
    """For each settled round its cards, and the limits in it."""

    def __post_init__(self) -> None:
        self.cards = CardsDealt(self._find)
        self.people = PeopleFollowed(self._find)
        self.matters = OpenMatters(self._find)
        rules = {clause["provision"] for clause in self.game["clauses"].values()}
        self._has_minimum, self._has_maximum = "under-minimum" in rules, "over-maximum" in rules
        self._lines: dict[str, PaidLine] = {}
        self._cards_of_lines: Cards = ([], [])
        self._ratios: dict[str, Fraction] = {}
        """By wager the ratio that was recorded last and agreed, while the cards are the same."""
        self._checks: dict[type[Event], tuple[Callable[[Any], None], ...]] = {}

    def _checks_of(self, kind: type[Event]) -> tuple[Callable[[Any], None], ...]:
        """Return what looks at events of a kind, in this order: cards, people, open matters, money."""
        name = kind.__name__
        named = ((self.cards, name), (self.people, name), (self.matters, name), (self, f"_{name}"))
        return tuple(check for whose, method in named if (check := getattr(whose, method, None)))

    def look_at(self, event: Event) -> None:
        """Check one event and update the state."""
        self.number += 1
        kind = type(event)
        if kind not in self._checks:
            self._checks[kind] = self._checks_of(kind)
        try:
            for check in self._checks[kind]:
                check(event)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, StopIteration):
            # An attribute is missing where the log does not begin with the opening of its table: nothing is set.
            self._find("does-not-follow")
        for patron in self.chips.below_zero:
            self._find("chips-below-zero", patron=patron, amount=self.chips[patron])
        if self.float_ < 0:
            self._find("float-below-zero", amount=self.float_)

    def _find(self, code: str, **values: object) -> None:
        self.findings.append(finding(self.stream, self.number, code, **values))

    def _agree(
        self, figure: str, recorded: object, recomputed: object, area: Area | None = None, patron: str | None = None
    ) -> None:
        if recorded != recomputed:
            about = {"area": area and area_name(area), "patron": patron}
            about = {name: value for name, value in about.items() if value is not None}
            self._find(f"differs.{figure}", recorded=recorded, recomputed=recomputed, **about)

    # --- money -----------------------------------------------------------------------------------------------------

    def _TableOpened(self, event: TableOpened) -> None:
        self.setting, self.float_, self.commission = event.setting, event.float_, 0
        self.chips, self.layout, self.once_under_minimum = Holdings(), {}, set()
        self._take_limits(event.setting.limits)
        self.caps = caps_of(event.setting)

    def _TableClosed(self, event: TableClosed) -> None:
        if self.in_round or any(self.layout.values()):
            self._find("closed-in-round")
        self._agree("float", event.float_, self.float_)
        self._agree("commission", event.commission, self.commission)
        self._agree("count-difference", event.difference, event.counted - self.float_ - self.commission)
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

    def _DebtPaid(self, event: DebtPaid) -> None:
        self.owes[event.patron] -= event.amount
        if event.amount <= 0 or self.owes[event.patron] < 0:
            self._find("debt-overpaid", patron=event.patron, amount=event.amount)
        if not event.paid_at:
            self._DebtCollected(event)

    def _DebtCollected(self, event: DebtCollected | DebtPaid) -> None:
        self.chips[event.patron] -= event.amount
        self.float_ += event.amount

    def _WagerPlaced(self, event: WagerPlaced) -> None:
        if not self.betting:
            self._find("not-betting")
        total = self._on_layout(event, event.amount)
        if event.total != total:
            self._agree("wager", event.total, total)

    def _LateWagerRefused(self, event: LateWagerRefused) -> None:
        lies = self.layout.get((event.patron, event.position, event.wager), 0)
        if not self.in_round or not 0 <= event.taken_off <= min(lies, event.amount):
            self._find("late-not-there", patron=event.patron)
        self._on_layout(event, -event.taken_off)

    def _DecreasesAsked(self, event: DecreasesAsked) -> None:
        if not self.exceeded and not (self.betting and self._apart(event.higher)):
            self._find("differential-kept")
        on = {patron for (patron, _, wager), amount in self.layout.items() if wager == event.higher and amount}
        self._agree("asked", sorted(event.patrons), sorted(on))

    def _apart(self, higher: str) -> bool:
        """Whether more lies on this wager than the house allows over what lies on the other hand."""
        on = Counter(dict.fromkeys(self.game["differential"], 0))
        for (_, _, wager), amount in self.layout.items():
            on[wager] += amount
        lower = min(on[name] for name in self.game["differential"])
        allowed: int = self.setting.differential
        return on[higher] - lower > allowed

    def _WagerFound(self, event: WagerFound) -> None:
        if not self.in_round or (self.betting and not self.exceeded):
            self._find("wager-not-findable")
        self._on_layout(event, event.amount)

    def _WagerTakenBack(self, event: WagerTakenBack) -> None:
        self._while_betting()
        self._agree("wager", event.total, self._on_layout(event, -event.amount))

    def _WagerRemoved(self, event: WagerRemoved) -> None:
        self._while_betting()
        self._agree("wager", event.total, self._on_layout(event, -event.amount))

    def _on_layout(self, event: Any, amount: int) -> int:
        patron = event.patron
        area = (patron, event.position, event.wager)
        lies = self.layout[area] = self.layout.get(area, 0) + amount
        self.chips[patron] -= amount
        return lies

    # --- the course of a round -------------------------------------------------------------------------------------

    def _BetsOpened(self, event: BetsOpened) -> None:
        self._agree("round-number", event.round, self.round + 1)
        if self.in_round or any(self.layout.values()):
            self._find("opened-in-round")
        self.round, self.betting, self.in_round = event.round, True, True
        self.announced = self.exceeded = False

    def _BetsReopened(self, _: BetsReopened) -> None:
        if not self.matters.was_reset or any((*self.cards.player, *self.cards.banker)):
            self._find("reopened")
        self.betting = True

    def _DifferentialExceeded(self, event: DifferentialExceeded) -> None:
        on = {name: sum(a for (_, _, w), a in self.layout.items() if w == name) for name in (event.higher, event.lower)}
        self._agree("difference", event.difference, on[event.higher] - on[event.lower])
        self._agree("difference-allowed", event.allowed, self.setting.differential)
        if event.difference <= event.allowed or any((*self.cards.player, *self.cards.banker)):
            self._find("differential-kept")
        self.betting = self.exceeded = True

    def _BetsClosed(self, _: BetsClosed) -> None:
        self.betting = False

    def _DifferentialMet(self, _: DifferentialMet) -> None:
        self.betting = self.exceeded = False

    def _while_betting(self) -> None:
        if not self.betting:
            self._find("not-betting")

    def _CardDrawn(self, _: CardDrawn) -> None:
        if self.betting:
            self._find("drawn-while-betting")

    def _OutcomeAnnounced(self, _: OutcomeAnnounced) -> None:
        self.announced = True

    def _CardCorrected(self, _: CardCorrected) -> None:
        self.announced = False

    def _CardsRelaid(self, _: CardsRelaid) -> None:
        self.announced = False

    def _WagerReturned(self, event: WagerReturned) -> None:
        if not self.matters.newest_is("referral"):
            self._find("not-referred")
        lay = self.layout.get(area_of(event), 0)
        self._agree("withdrawn", event.amount, lay - min(event.total, lay), patron=event.patron)
        self._on_layout(event, -event.amount)

    def _ShoeLoaded(self, _: ShoeLoaded) -> None:
        """Forget the rounds before the last shoe: only those of this shoe and the one before can be corrected."""
        if self.in_round:
            self._find("shoe-changed-in-round")
        for rounds in (self.recorded, self.first_under, self.settled, self.played):
            for number in [each for each in rounds if each < self.shoe_began]:
                rounds.pop(number)
        self.shoe_began = self.round + 1

    def _ShoeEnded(self, _: ShoeEnded) -> None:
        if self.in_round:
            self._find("shoe-ended-in-round")

    def _WithdrawalOffered(self, _: WithdrawalOffered) -> None:
        offer = self.matters.offer
        lies = {area for area, amount in self.layout.items() if amount}
        if not set(offer.offered) <= lies:
            self._find("offered-not-there")
        if offer.offered and self.cards.is_over:
            self._find("offered-decided")

    # --- the end of a round ----------------------------------------------------------------------------------------

    def _RoundSettled(self, event: RoundSettled) -> None:
        self._agree("round-number", event.round, self.round)
        if not self.announced:
            self._find("settled-unannounced")
        self.in_round = False
        self.played[event.round] = (list(self.cards.player), list(self.cards.banker)), dict(self.limits)
        settled = self.recorded[event.round] = {area_of(each): each for each in event.wagers}
        lies = {area for area, amount in self.layout.items() if amount}
        self._agree("wagers-settled", set(settled), lies)
        newly_under = set()
        self.settled[event.round] = {}
        kept = self._kept_back(lies & set(settled)) if self.caps else {}
        for area in sorted(lies & set(settled)):
            if self._settle(area, settled[area], self.settled[event.round], kept.get(area, 0)):
                newly_under.add(area[0])
        self.first_under[event.round] = newly_under - self.once_under_minimum
        self.once_under_minimum |= newly_under
        self.layout, self.announced = {}, False

    def _kept_back(self, lies: set[Area]) -> dict[Area, int]:
        """Return what the table's caps keep back of each wager on the layout that wins."""
        won = {}
        for area in lies:
            minimum, maximum = self._limits_of(area[2])
            line, stake = self._line(area[2], self._cards), self.layout[area]
            if line.result == "win" and not (stake < minimum and area[0] in self.once_under_minimum):
                won[area] = won_by(line, min(stake, maximum))
        return kept_back(self.caps, won, {})

    def _settle(self, area: Area, each: Settled, settled: dict[Area, WagerSettled], kept: int) -> bool:
        """Settle one wager, of which a cap keeps so much back.

        Return whether it lay under the minimum and was paid or collected.
        """
        stake, line = self.layout[area], self._line(area[2], self._cards)
        minimum, maximum = limits = self._limits_of(area[2])
        returned, commission, under = self._owed(stake, line, limits, area[0] in self.once_under_minimum)
        returned -= kept
        if (each.stake, each.returned, each.commission) != (stake, returned, commission):
            self._agree("stake", each.stake, stake, area=area)
            self._agree("returned", each.returned, returned, area=area)
            self._agree("wager-commission", each.commission, commission, area=area)
        played = min(each.stake, maximum)
        self._check_line(area, each, line, played, kept)
        limited = not minimum <= stake <= maximum
        settled[area] = WagerSettled(stake, returned, commission, 0 if each.result is None else played, limited)
        self.chips[area[0]] += returned
        self.float_ += stake - returned - commission
        self.commission += commission
        return under

    def _check_line(self, area: Area, each: Settled, line: PaidLine, played: int, kept: int = 0) -> None:
        """Check what is recorded about the line that settled a wager: what of it was played, what a cap kept back."""
        if each.capped != kept:
            self._agree("capped", each.capped, kept, area=area)
        if each.result is None:
            self._agree("settled", (each.settled, each.winnings), (0, 0), area=area)
            return
        if each.result != line.result:
            self._agree("result", each.result.value, line.result, area=area)
        if each.pays is not self._ratios.get(area[2]):
            self._agree("ratio", each.pays, line.pays, area=area)
            if each.pays == line.pays:
                self._ratios[area[2]] = each.pays
        won = won_by(line, played) - kept if line.result == "win" else 0
        if (each.settled, each.winnings) != (played, won):
            self._agree("settled", each.settled, played, area=area)
            self._agree("winnings", each.winnings, won, area=area)

    @property
    def _cards(self) -> Cards:
        return self.cards.player, self.cards.banker

    def _limits_of(self, wager: str, limits: Limits | None = None) -> tuple[int, int]:
        """Return the limits at settlement; there are none where the game has no rule on wagers outside them."""
        minimum, maximum = (limits or self.limits)[wager]
        return minimum if self._has_minimum else 0, maximum if self._has_maximum else 10**18

    def _line(self, wager: str, cards: Cards) -> PaidLine:
        """Return the line that settles a wager, looked up once for all wagers on it while the cards are the same."""
        if cards != self._cards_of_lines:
            self._cards_of_lines, self._lines, self._ratios = (list(cards[0]), list(cards[1])), {}, {}
        if wager not in self._lines:
            self._lines[wager] = line_of(self.game, wager, cards)
        return self._lines[wager]

    def _owed(self, stake: int, line: PaidLine, limits: tuple[int, int], was_under: bool) -> tuple[int, int, bool]:
        """Return what is handed back of a stake, the commission, and whether a wager under the minimum was settled."""
        minimum, maximum = limits
        if stake < minimum and was_under:
            return stake, 0, False
        played = min(stake, maximum)
        returned, commission = paid(line, played)
        return stake - played + returned, commission, stake < minimum and line.result != "push"

    def _WithdrawalAnswered(self, event: WithdrawalAnswered) -> None:
        offer = self.matters.offer
        if event.patron not in offer.asked:
            self._find("not-asked", patron=event.patron)
        offer.asked.discard(event.patron)
        own = [area for area in offer.offered if area[0] == event.patron]
        whole = any(offer.offered[area] for area in own) and not offer.cards_changed
        if event.withdrawn and whole and len(event.withdrawn) != len(own):
            self._find("some-withdrawn", patron=event.patron)
        for each in event.withdrawn:
            if area_of(each) not in offer.offered and not offer.cards_changed:
                self._find("not-offered", patron=each.patron)
            lies = self.layout.pop((each.patron, each.position, each.wager), 0)
            self._agree("withdrawn", each.amount, lies, patron=each.patron)
            self.matters.offered_to.setdefault(each.patron, {})[area_of(each)] = lies
            self.chips[each.patron] += lies

    def _AnswerCorrected(self, event: AnswerCorrected) -> None:
        """Only what was offered goes off the layout, and only what was taken off goes back, as it was."""
        for each in event.withdrawn:
            if area_of(each) not in self.matters.offered_to.get(each.patron, {}):
                self._find("not-offered", patron=each.patron)
            if self._on_layout(each, -each.amount) < 0:
                self._find("offered-not-there")
        for each in event.put_back:
            offered = self.matters.offered_to.get(each.patron, {}).get(area_of(each))
            self._agree("withdrawn", each.amount, offered, patron=each.patron)
            self._on_layout(each, each.amount)

    def _RoundCorrected(self, event: RoundCorrected) -> None:
        before = self.settled[event.round]
        if event.coup is None and not self.matters.may_void():
            self._find("settled-void-unreported")
        self._agree("wagers-corrected", {area_of(each.after) for each in event.corrections}, set(before))
        cards: Cards = ([], [])
        if event.coup:
            cards = [str(card) for card in event.coup.player], [str(card) for card in event.coup.banker]
            self._agree("cards", (len(cards[0]), len(cards[1])), cards_due(*cards))
            self.played[event.round] = cards, self.played[event.round][1]
        kept = self._kept_again(event, cards) if self.caps else {}
        for each in event.corrections:
            area = area_of(each.after)
            was = before[area]
            self._agree("settled-before", each.before, self.recorded[event.round][area], area=area)
            back, commission, played = was.stake, 0, self._played_after(event, each, was)
            if event.coup and not (each.after.result is None and self._handed_back(event, each, was.limited)):
                back, commission = self._settled_again(event, each, was._replace(played=played), cards, kept)
            self._agree("corrected", (each.after.returned, each.after.commission), (back, commission), area=area)
            self._move(each, back - was.returned, commission - was.commission)
            before[area] = WagerSettled(was.stake, back, commission, played, was.limited)
            self.recorded[event.round][area] = each.after
        self._settle_under_minimum(event.round)

    def _played_after(self, event: RoundCorrected, each: Correction, was: WagerSettled) -> int:
        """Return how much of a wager is won, lost or pushed: less than before only by a decision, or nothing."""
        if each.after.result is None:
            return 0
        if event.provision != "referral" or not 0 < each.after.settled < was.played:
            return was.played
        if not self.matters.newest_is("referral"):
            self._find("not-referred")
        return each.after.settled

    def _settled_again(
        self, event: RoundCorrected, each: Correction, was: WagerSettled, cards: Cards, kept: Mapping[Area, int]
    ) -> tuple[int, int]:
        """Return what a wager hands back by other cards, and the commission; some keep what they have."""
        if not was.played or (was.limited and event.round < self.round):
            return was.returned, was.commission
        line, capped = self._line(each.after.wager, cards), kept.get(area_of(each.after), 0)
        self._check_line(area_of(each.after), each.after, line, was.played, capped)
        returned, commission = paid(line, was.played)
        return was.stake - was.played + returned - capped, commission

    def _kept_again(self, event: RoundCorrected, cards: Cards) -> dict[Area, int]:
        """Return what the caps keep back where a round is settled again: what stays as it was counts first."""
        won: dict[Area, int] = {}
        fixed: dict[Area, int] = {}
        for each in event.corrections if event.coup else ():
            area = area_of(each.after)
            was = self.settled[event.round][area]
            line, played = self._line(area[2], cards), each.after.settled
            if was.limited and event.round < self.round:
                fixed[area] = each.before.winnings
            elif each.after.result is not None and line.result == "win":
                won[area] = won_by(line, played)
        return kept_back(self.caps, won, fixed)

    def _settle_under_minimum(self, number: int) -> None:
        """Follow who had a first wager under the minimum paid or collected in a round that was settled again."""
        self.once_under_minimum -= self.first_under.get(number, set())
        under = (area for area, each in self.settled[number].items() if each.limited and each.played == each.stake)
        decided = {area[0] for area in under if self.recorded[number][area].result != "push"}
        self.first_under[number] = decided - self.once_under_minimum
        self.once_under_minimum |= decided

    def _move(self, each: Correction, change: int, withheld: int) -> None:
        """Move what a patron wins more than before, or less; it goes against a debt, or becomes one."""
        patron = each.after.patron
        short = max(-self.owes[patron], -change) if change > 0 else max(0, -change - self.chips[patron])
        self._agree("owed", each.owed, short, patron=patron)
        self.owes[patron] += short
        self.chips[patron] += change + short
        self.float_ -= change + short + withheld
        self.commission += withheld

    def _OverlookedWagerSettled(self, event: OverlookedWagerSettled) -> None:
        """It is settled with what was recorded there, by the cards and limits of its round."""
        area, each = (event.patron, event.position, event.wager), event.correction
        cards, limits = self.played[event.round]
        was = self.settled[event.round].get(area, WagerSettled(0, 0, 0, 0, False))
        self._agree("settled-before", (each.before.stake, each.before.returned), (was.stake, was.returned), area=area)
        whole = was.stake + event.amount
        if event.amount <= 0:
            self._find("wager-not-findable")
        self._agree("stake", each.after.stake, whole, area=area)
        was_under = not was.played and event.patron in self._under_before(event.round)
        line = self._line(event.wager, cards)
        minimum, maximum = self._limits_of(event.wager, limits)
        back, commission, _ = self._owed(whole, line, (minimum, maximum), was_under)
        played = 0 if whole < minimum and was_under else min(whole, maximum)
        kept = self._kept_of_one(event.round, area, won_by(line, played) if line.result == "win" else 0)
        back -= kept
        self._agree("returned", each.after.returned, back, area=area)
        self._agree("wager-commission", each.after.commission, commission, area=area)
        self._check_line(area_of(each.after), each.after, line, played, kept)
        self._move(each, back - whole - was.returned + was.stake, commission - was.commission)
        limited = not minimum <= whole <= maximum
        self.settled[event.round][area] = WagerSettled(whole, back, commission, played, limited)
        self.recorded[event.round][area] = each.after
        self._count_under(event.round, limits)

    def _kept_of_one(self, number: int, area: Area, won: int) -> int:
        """Return what a cap keeps back of a wager that was overlooked: it leaves what the others were not paid."""
        others = {other: each.winnings for other, each in self.recorded[number].items() if other != area}
        return won - left_for(self.caps, area[2], others, won)

    def _under_before(self, number: int) -> set[str]:
        """Return the patrons whose one wager under the minimum was settled before a round."""
        since = (patrons for later, patrons in self.first_under.items() if later >= number)
        return self.once_under_minimum.difference(*since)

    def _count_under(self, number: int, limits: Limits) -> None:
        """Say again whose one wager under the minimum was settled in a round: then it was not a later one."""
        before, decided = self._under_before(number), ("win", "lose")
        first = {
            each.patron
            for each in self.recorded[number].values()
            if each.result and each.result.value in decided and each.stake < self._limits_of(each.wager, limits)[0]
        } - before
        later = {each: patrons - first for each, patrons in self.first_under.items() if each > number}
        self.first_under |= {**later, number: first}
        self.once_under_minimum = before.union(first, *later.values())

    def _handed_back(self, event: RoundCorrected, each: Correction, limited: bool) -> bool:
        """Whether one wager of a settled round was handed back: by a decision, now or before.

        A wager outside the limits is considered settled once another round has followed.
        """
        if event.provision == "referral" and not self.matters.newest_is("referral"):
            self._find("not-referred")
        if limited and (event.round < self.round or each.after == each.before):
            return False
        return each.before.result is None or event.provision == "referral"

    def _PayoutCorrected(self, event: PayoutCorrected) -> None:
        area = (event.patron, event.position, event.wager)
        settled = self.recorded[event.round].get(area)
        self._agree("returned", event.due, settled.returned if settled else None, area=area)
        if event.amount == event.due or not 0 <= event.owed <= max(0, event.amount - event.due):
            self._find("payout-kept", patron=event.patron)
        self.chips[event.patron] += event.owed
        self.owes[event.patron] += event.owed
        self.float_ -= event.owed

    def _PayoutStands(self, event: PayoutStands) -> None:
        """Only of an earlier round, and only for a wager outside the limits, is a wrong payout left as it was."""
        area = (event.patron, event.position, event.wager)
        limited = self.settled[event.round][area].limited
        self._agree("returned", event.due, self.recorded[event.round][area].returned, area=area)
        if event.amount == event.due or not limited or event.round >= self.round:
            self._find("payout-left", patron=event.patron)
        self.chips[event.patron] += event.amount - event.due
        self.float_ -= event.amount - event.due

    def _RoundVoided(self, event: RoundVoided) -> None:
        self._agree("round-number", event.round, self.round)
        if not self.matters.may_void():
            self._find("void-unreported")
        self.betting, self.in_round = False, False
        self.matters.clear()
        returned = {(each.patron, each.position, each.wager): each.amount for each in event.wagers}
        self._agree("wagers-returned", returned, {area: amount for area, amount in self.layout.items() if amount})
        for (patron, _, _), amount in self.layout.items():
            self.chips[patron] += amount
        self.layout = {}


def auditor_of(game_file: bytes, stream: str = "") -> Auditor:
    """Return an auditor of a table that has no events yet."""
    return Auditor(_read_game(game_file), stream)


def recompute(log: Iterable[Event], game_file: bytes, stream: str = "") -> Auditor:
    """Check all events of a table; an auditor with no findings has found everything in order."""
    auditor = auditor_of(game_file, stream)
    for event in log:
        auditor.look_at(event)
    return auditor


@lru_cache(maxsize=64)
def _read_game(game_file: bytes) -> dict[str, Any]:
    """Read a game file, once for all tables of the game: a short log is checked faster than its game is read."""
    return tomllib.loads(game_file.decode())
