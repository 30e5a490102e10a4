"""Random play: people of all positions giving commands, sensible and not, with everything checked at every step.

A seed repeats a run exactly. ``make soak`` runs it for as long as asked.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace
from properties.checked_books import CheckedBooks
from properties.random_measures import at_any_time, some_measure

from punto import load
from punto.cards import DECK, Card
from punto.rules.coup import Coup, Unlawful
from punto.rules.table_of_play import INITIAL_DEAL, Hand
from punto.table.command import Command, Report
from punto.table.decide import decide
from punto.table.event import Event
from punto.table.evolve import evolve, replay
from punto.table.irregularities.absent_patron import ReportAbsent
from punto.table.irregularities.cards_taken import (
    STEPS,
    AttestCardsTaken,
    CardsTakenHold,
    DetermineMissing,
    ReportCardsTaken,
    SetAside,
)
from punto.table.irregularities.correction import CorrectCard, CorrectRound
from punto.table.irregularities.device_moved import ReportDeviceMoved
from punto.table.irregularities.device_reset import DecideReset, ReportReset, ResetHold
from punto.table.irregularities.differential import AskForDecreases, DifferentialHold, RemoveWager
from punto.table.irregularities.drawn_together import FixOrder, OrderHold, ReportDrawnTogether
from punto.table.irregularities.exposed_in_error import ExposeInError
from punto.table.irregularities.face_up import ReportFaceUp
from punto.table.irregularities.late_wagers import (
    NoteLateWithdrawal,
    RecordWager,
    RefuseLateWager,
    SettleOverlookedWager,
)
from punto.table.irregularities.misdealt_cards import (
    MisplacedHold,
    ReconstructCards,
    ReportMisplaced,
    ReportWrongNumber,
)
from punto.table.irregularities.power_failure import ReportPowerFailure
from punto.table.irregularities.referral import DecideReferral, Refer, ReferralHold
from punto.table.irregularities.relaid_cards import RelayByHands, RelayByOrder
from punto.table.irregularities.void import ConfirmVoid, DismissVoid, ReportVoid, VoidHold
from punto.table.irregularities.withdrawal import AnswerWithdrawal, EndWithdrawal, OfferWithdrawal, WithdrawalHold
from punto.table.irregularities.wrong_patron import ReportWrongPass, RetrieveHand
from punto.table.play.appointments import AppointActing, EndActing
from punto.table.play.burn_cards import BurnCards, burn_due
from punto.table.play.card_handling import ChooseFirstHand, DeclineHand, LookAtCards, PassHand, PermitSqueeze
from punto.table.play.chips import BuyIn, CashOut, Credit, Fill
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard, ShowCuttingCard
from punto.table.play.dealing_device import Attest, GiveDevice, GiveUpDevice, PermitDrawing, TakeBackDevice
from punto.table.play.debts import PayDebt, SettleDebt
from punto.table.play.duty import AnswerCall, CallPit, SignOff, SignOn
from punto.table.play.loss_limits import LimitLoss
from punto.table.play.second_person import ConfirmAct, DropAct
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import EndShoe, LoadShoe, ReplaceCards
from punto.table.play.table_management import ChangeLimits, ChangeMethod, CloseTable, OpenTable, RestrictArea
from punto.table.play.unread_card import ConfirmCard, NameCard, UnreadHold
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager, TakeBackWager
from punto.table.play.windows import TimeSqueeze, WindowElapsed
from punto.table.play.wrong_payout import ReportPayout
from punto.table.refusal import Refusal
from punto.table.roles import CAGE, Actor, Role
from punto.table.round import Phase
from punto.table.settings import Burn, Device, Limits, SensitiveAct, Setting
from punto.table.table import Table

PATRONS = ["Ann", "Bob", "Cho", "Dee"]
STAFF = {role: Actor(role.value, role) for role in Role if role is not Role.PATRON}
DEALER, PIT_MANAGER = STAFF[Role.DEALER], STAFF[Role.PIT_MANAGER]
ACM = STAFF[Role.ASSISTANT_CASINO_MANAGER]


class RandomPlay:
    """One table, played at random from a seed."""

    recorded = 0.1
    """How often staff record what a patron does; 1 where no patron has a device."""

    def __init__(self, game: str, seed: int) -> None:
        self.random = Random(f"{game} {seed}")
        self.book = load(game)
        self.table = Table(self.book)
        self.log: list[Event] = []
        self.carried_out: list[Command] = []
        self.refused = 0
        self.trouble = self.random.choice([0.01, 0.02, 0.15])
        """How often something goes wrong, also while something else waits to be decided."""
        self.clock = 0
        self.keeps_time = self.random.random() < 0.7
        self.leaving = False
        """Everyone is on the way out, and the table will be closed."""
        self.set_aside = SetAside()
        self.known: dict[tuple[int, int], Card] = {}
        """The cards set aside, by the number of the shoe and of the card."""
        self.books = CheckedBooks(self.table)

    def play(self, count: int) -> None:
        """Give so many commands, checking after each."""
        for _ in range(count):
            self.step()
        self.books.check_patrons(self.table)
        assert replay(Table(self.book), self.log) == self.table, "replay gives another state"

    def step(self) -> None:
        """Give one command."""
        dice = self.random.random()
        command = self._people() or (self._by_either_mouth(self._sensible()) if dice < 0.8 else self._senseless())
        self.give(self._told(command))

    def _by_either_mouth(self, command: Command) -> Command:
        """A patron's act as the patron gives it, or as staff record it."""
        if command.by.role is not Role.PATRON or self.random.random() >= self.recorded:
            return command
        staff, named = self.random.choice(list(STAFF.values())), {"patron", "turned_by"} & {*command.__struct_fields__}
        return replace(command, by=staff, **dict.fromkeys(named, command.by.id)) if named else command

    def _told(self, command: Command) -> Command:
        """The command with its time, now and then with a round or a window it is meant for, and with a note."""
        self.clock += self.random.randint(0, 500)
        dice, told = self.random.random(), dict[str, Any]()
        if self.keeps_time:
            told["at"] = self.clock
        if dice < 0.1:
            told["in_round"] = self.table.round_number + (dice < 0.02)
        elif dice < 0.2 and self.table.window:
            told["in_window"] = self.table.window.number + (dice < 0.12)
        if dice > 0.8 and isinstance(command, Report):
            told |= {"note": "camera 4 (2 times)", "noticed_by": "Kim"}
        if isinstance(command, Report) and (self._asks_for_reasons or dice > 0.95) and dice > 0.1:
            told["reason"] = "seen by the camera"
        return replace(command, **told) if told else command

    @property
    def _asks_for_reasons(self) -> bool:
        setting = self.table.setting
        return setting is not None and bool(setting.reasons_required or setting.second_person)

    def give(self, command: Command) -> None:
        answer = decide(self.table, self.set_aside.complete(self.table, command))
        if isinstance(answer, Refusal):
            self.refused += 1
            assert answer.sentence(self.book)
            return
        assert answer, f"{command} brought nothing about"
        self.carried_out.append(command)
        self.set_aside.learn(self.table, command)
        for event in answer:
            self.table = evolve(self.table, event)
            self.log.append(event)
            self.books.follow(event)
        self._check()

    def _check(self) -> None:
        self.books.check(self.table)

    # --- commands that move the table on ---------------------------------------------------------------------------

    def _sensible(self) -> Command:
        if self.table.phase is not Phase.SHUT and self.random.random() < self.trouble / 20:
            return at_any_time(self.random, self.table)
        if self.table.phase in (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME) and self.random.random() < self.trouble:
            return self._irregularity()
        if isinstance(self.table.hold, VoidHold):
            return DismissVoid(PIT_MANAGER) if self.random.random() < 0.2 else ConfirmVoid(PIT_MANAGER)
        if isinstance(self.table.hold, DifferentialHold):
            return self._lower(self.table.hold)
        if self.table.hold:
            return self._end_hold()
        steps: dict[Phase, Callable[[], Command]] = {
            Phase.SHUT: self._open_table,
            Phase.IDLE: self._between_rounds,
            Phase.BETTING: self._bet,
            Phase.CLOSED: self._deal,
            Phase.DEALING: self._deal,
            Phase.OUTCOME: self._settle,
        }
        return steps[self.table.phase]()

    def _open_table(self) -> Command:
        layout = self.random.choice(self.book.layouts)
        most = layout.positions.most if layout.positions else 7
        fewest = layout.positions.fewest if layout.positions else 1
        hlga = bool(self.book.hlga) and self.random.random() < 0.5
        methods = [None] if not self.book.methods else ["A", "B", "C"] if hlga else ["A", "B"]
        setting = Setting(
            layout=layout.name,
            positions=self.random.randint(fewest, most),
            limits={wager.name: Limits(500, self.random.choice([2_000, 50_000])) for wager in self.book.wagers},
            stake_step=100,
            decks=self.random.randint(4, 10),
            device=Device.CARD_READING if hlga else self.random.choice(list(Device)),
            method=self.random.choice(methods),
            hlga=hlga,
            differential=self.random.choice([None, 1_000, 3_000]) if self.book.differential else None,
            managers_interchangeable=self.random.random() < 0.2,
            betting_seconds=self.random.choice([None, 5, 20]),
            answer_seconds=self.random.choice([None, 0, 3]),
            **self._house_choices(),
            burn=self.random.choice([None, None, Burn(3), Burn(1, first_exposed=True), Burn(None)]),
            room=self.random.choice([None, *self.book.hlga]) if hlga else None,
        )
        return OpenTable(ACM if setting.method == "C" else PIT_MANAGER, setting, 5_000_000)

    def _house_choices(self) -> dict[str, Any]:
        """Sign-on, reasons and a second person, as some houses ask for."""
        acts = tuple(act for act in SensitiveAct if self.random.random() < 0.5)
        return {
            "sign_on": self.random.random() < 0.3,
            "second_person": acts if self.random.random() < 0.4 else (),
            "second_person_above": self.random.choice([0, 1_000]),
            "second_person_seconds": self.random.choice([None, 2]),
            "reasons_required": self.random.random() < 0.2,
        }

    def _people(self) -> Command | None:
        """A Dealer signs on, another relieves them, or a second person speaks, mostly not the first."""
        table, dice = self.table, self.random.random()
        if table.setting and table.setting.sign_on and table.on_duty != DEALER.id:
            return SignOn(DEALER)
        if dice < 0.002:
            return self.random.choice([SignOn(Actor("Kim", Role.DEALER)), SignOff(DEALER), SignOff(PIT_MANAGER, "Kim")])
        if table.proposed and dice < 0.5:
            act = self.random.choice(table.proposed)
            second = Actor("Lin", act.needed) if dice < 0.4 else Actor(act.proposed_by, act.position)
            return DropAct(second, act.number) if dice < 0.05 else ConfirmAct(second, act.number)
        return None

    def _between_rounds(self) -> Command:
        table, dice = self.table, self.random.random()
        if self.leaving:
            return self._leave()
        if table.shoe is None:
            return LoadShoe(DEALER, f"shoe {table.steps}")
        if burn_due(table):
            assert table.set_up.burn
            return BurnCards(DEALER, self._card(0) if table.set_up.burn.exposes_first else None)
        poor = [patron for patron in PATRONS if table.chips.get(patron, 0) < 20_000]
        if poor:
            return BuyIn(DEALER, poor[0], self.random.randint(1, 500) * 100)
        if any(table.owed.values()) and self.random.random() < 0.3:
            return self._debt_paid()
        rare: list[tuple[float, Callable[[], Command]]] = [
            (0.01, lambda: CashOut(DEALER, self._patron(), self.random.randint(1, 20_000))),
            (0.011, self._debt_paid),
            (0.02, lambda: RestrictArea(PIT_MANAGER, self.random.randint(1, 3))),
            (0.022, lambda: RestrictArea(PIT_MANAGER, self.random.randint(1, 3), "Tie", self.random.randint(1, 3))),
            (0.03, lambda: ChangeMethod(self.random.choice([PIT_MANAGER, ACM]), self.random.choice("ABC"))),
            (0.06, self._correction),
            (0.07, self._payout),
            (0.09, self._overlooked),
            (0.093, lambda: ReportWrongNumber(DEALER)),
            (0.095, lambda: EndShoe(PIT_MANAGER)),
            (0.098, lambda: ChangeLimits(PIT_MANAGER, {"Tie": Limits(500, 10_000)})),
        ]
        for chance, make in rare:
            if dice < chance:
                return make()
        self.leaving = dice > 0.98 and table.round_number > 20
        return OpenBets(DEALER)

    def _debt_paid(self) -> Command:
        """A debt of this table is paid here or at the cage, or one of another table here; now and then too much."""
        patron, dice = self.random.choice([*self.table.owed, self._patron()]), self.random.random()
        amount = self.random.choice([100, self.table.owed.get(patron, 0), 50_000])
        if dice < 0.3:
            return SettleDebt(CAGE, patron, amount, "cage")
        return PayDebt(DEALER, patron, amount, "T2" if dice < 0.4 else "")

    def _leave(self) -> Command:
        """Everyone leaves, one after the other, and the table is closed."""
        for patron, chips in self.table.chips.items():
            if chips and (owed := self.table.owed.get(patron, 0)):
                return PayDebt(DEALER, patron, min(chips, owed))
            if chips:
                return CashOut(DEALER, patron, chips)
        self.leaving = False
        there = self.table.float_ + self.table.commission
        return CloseTable(PIT_MANAGER, there + self.random.choice([0, 0, 100, -100]))

    def _bet(self) -> Command:
        if self._time_is_up:
            return WindowElapsed(DEALER)
        if self.random.random() < 0.15:
            return CloseBets(DEALER)
        if self.table.round.stakes and self.random.random() < 0.1:
            (patron, position, wager), stake = self.random.choice(list(self.table.round.stakes.items()))
            return TakeBackWager(Actor(patron, Role.PATRON), patron, position, wager, stake.amount)
        return self._wager(Actor("", Role.PATRON))

    @property
    def _time_is_up(self) -> bool:
        window = self.table.window
        return self.keeps_time and window is not None and window.deadline is not None and self.clock >= window.deadline

    def _wager(self, by: Actor) -> Command:
        patron = self._patron()
        who = by if by.role is not Role.PATRON else Actor(patron, Role.PATRON)
        position = self.random.randint(1, self.table.set_up.positions)
        wager = self.random.choice(self.book.wagers).name
        return PlaceWager(who, patron, position, wager, self.random.randint(1, 30) * 100)

    def _patron(self) -> str:
        return self.random.choice(PATRONS)

    def _end_hold(self) -> Command:
        hold, gsm = self.table.hold, STAFF[Role.GAMING_SHIFT_MANAGER]
        void = self.random.random() < 0.3
        if self.random.random() < (0.4 if isinstance(hold, ReferralHold) else 0.05):
            return some_measure(self.random, self.table)
        if isinstance(hold, WithdrawalHold):
            if not hold.pending or self.random.random() < 0.2:
                return WindowElapsed(DEALER) if self._time_is_up else EndWithdrawal(DEALER)
            patron = self.random.choice(sorted(hold.pending))
            return AnswerWithdrawal(Actor(patron, Role.PATRON), self.random.choice([None, ()]))
        if isinstance(hold, CardsTakenHold):
            return self._after_cards_taken(hold)
        too_many = isinstance(hold, ReferralHold) and hold.case == "card-not-needed" and self.table.round.order_open
        if isinstance(hold, OrderHold) or too_many:
            together = self.table.round.together
            return FixOrder(PIT_MANAGER, tuple(self.random.sample(together, len(together))))
        if isinstance(hold, UnreadHold):
            return ConfirmCard(gsm)
        if isinstance(hold, ResetHold):
            return DecideReset(gsm, void)
        return ReconstructCards(DEALER) if isinstance(hold, MisplacedHold) else DecideReferral(gsm, void)

    def _after_cards_taken(self, hold: CardsTakenHold) -> Command:
        gsm = STAFF[Role.GAMING_SHIFT_MANAGER]
        for hand in (hold.hand.other, hold.hand):
            for place, each in enumerate(self.table.round.hands[hand]):
                if each.card is None and hold.permits_exposing(hand, place):
                    return self._turned_for_the_count(hand, place)
        if STEPS[hold.done] != "cards-taken-computed":
            return AttestCardsTaken(gsm, STEPS[hold.done])
        assert self.table.shoe
        unexposed = [card for card, number in self.table.shoe.unexposed.counts().items() for _ in range(number)]
        missing = self.random.sample(unexposed, min(len(unexposed), len(hold.places)))
        aside = {number: self._card(number) for number in self.table.out}
        self.known = {(self.table.shoes, number): card for number, card in aside.items()}
        return DetermineMissing(gsm, (*missing, *aside.values()), tuple(aside.values()))

    def _turned_for_the_count(self, hand: Hand, place: int) -> Command:
        """The other cards are turned, or gone as well: then nobody can tell them apart, and it is referred."""
        table = self.table
        holder = table.round.handler_of(hand, place)
        if holder and self.random.random() < 0.5:
            return ReportCardsTaken(DEALER, hand)
        card = self._card(table.round.hands[hand][place].index)
        return ExposeCard(Actor(holder, Role.PATRON) if holder else DEALER, hand, place, card)

    def _correction(self) -> Command:
        """Now and then of a round that is not there, or with a number of cards that was not dealt."""
        number, cards = self.random.choice([*self.table.history, 0]), list[Card]()
        dealt = len(self.table.history[number].cards) if number and self.random.random() < 0.9 else 0
        while True:
            try:
                coup = Coup.deal(cards)
            except Unlawful:
                cards = [*cards, self.random.choice(DECK)] if len(cards) < 6 else []
                continue
            if dealt and len(cards) != dealt:
                cards = []
                continue
            return CorrectRound(STAFF[Role.GAMING_SHIFT_MANAGER], number, coup.player, coup.banker)

    def _payout(self) -> Command:
        """A payout that was wrong by some amount, often of a wager outside the limits; now and then of no round."""
        settled = [(number, each) for number, round_ in self.table.history.items() for each in round_.wagers]
        outside = [(number, each) for number, each in settled if each.limit_clause]
        if not settled or self.random.random() < 0.1:
            return ReportPayout(DEALER, 0, self._patron(), 1, "Player", 100)
        number, each = self.random.choice(outside if outside and self.random.random() < 0.5 else settled)
        paid, owed = each.returned + self.random.choice([-100, 100, 300]), self.random.choice([0, 0, 100])
        return ReportPayout(PIT_MANAGER, number, each.patron, each.position, each.wager, paid, owed)

    def _overlooked(self) -> Command:
        """A wager overlooked in any settled round: often more of one that was settled, and of any amount."""
        number = self.random.choice([*self.table.history, 0])
        settled = self.table.history[number].wagers if number else ()
        area = (self._patron(), self.random.randint(1, 3), self.random.choice(self.book.wagers).name)
        if settled and self.random.random() < 0.5:
            area = self.random.choice(settled).area
        amount = self.random.choice([100, 100 * self.random.randint(1, 300), 60_000])
        return SettleOverlookedWager(PIT_MANAGER, number, *area, amount)

    def _relay(self) -> Command:
        """The cards of the round in another order, or as they went to the hands."""
        places = [*self.table.round.hands[Hand.PLAYER], *self.table.round.hands[Hand.BANKER]]
        cards = [place.card for place in sorted(places, key=lambda place: place.index)]
        if self.random.random() < 0.5:
            return RelayByHands(DEALER, tuple(self.random.choice(list(Hand)) for _ in cards))
        initial, thirds = cards[:4], cards[4:]
        self.random.shuffle(initial)
        return RelayByOrder(DEALER, (*initial, *thirds))

    def _irregularity(self) -> Command:
        hand, known = self.random.choice(list(Hand)), self.random.random() < 0.5
        return self.random.choice(
            [
                ReportPowerFailure(PIT_MANAGER),
                Refer(DEALER, "something odd"),
                ReportDrawnTogether(DEALER, self.random.randint(2, 3), known),
                ReportFaceUp(DEALER),
                CorrectCard(PIT_MANAGER, hand, self.random.randint(0, 2), self.random.choice(DECK)),
                ReportCardsTaken(DEALER, hand),
                ReportCardsTaken(DEALER, hand, untold=True),
                self._unread(hand, misread=known),
                ReportAbsent(DEALER, hand),
                ReportDeviceMoved(DEALER, known),
                ReportWrongPass(DEALER, hand, self._patron()),
                ReportMisplaced(DEALER, hand),
                self._relay(),
                self._relay(),
                ReportReset(DEALER),
                ReportWrongNumber(DEALER),
                OfferWithdrawal(DEALER),
                PermitSqueeze(PIT_MANAGER, hand, self._patron()),
                PermitSqueeze(PIT_MANAGER, hand, self._patron(), self.random.randint(0, 2)),
                ReportVoid(DEALER, self.random.choice(["wrong-cards", "foreign-cards", "insufficient-cards"])),
                RecordWager(PIT_MANAGER, self._patron(), 1, "Player", self.random.choice([250, 300, 60_000])),
                RefuseLateWager(PIT_MANAGER, self._patron(), 1, "Player", 300, recorded=self.random.random() < 0.5),
                TakeBackDevice(STAFF[Role.GAMING_SHIFT_MANAGER]),
                ExposeInError(DEALER, hand, self.random.randint(0, 2), self.random.choice(DECK)),
                self._correction(),
            ]
        )

    def _unread(self, hand: Hand, misread: bool) -> Command:
        """The device missed or misread a card: one face down, or one that was shown as another."""
        card = None if self.random.random() < 0.3 else self.random.choice(DECK)
        return NameCard(DEALER, hand, self.random.randint(0, 2), card, misread)

    def _lower(self, hold: DifferentialHold) -> Command:
        on = [(area, stake) for area, stake in self.table.round.stakes.items() if area[2] == hold.higher]
        (patron, position, wager), stake = self.random.choice(on)
        amount = min(stake.amount, self.random.randint(1, 30) * 100)
        if not hold.asked and self.random.random() < 0.5:
            return AskForDecreases(DEALER)
        if self.random.random() < 0.5:
            return TakeBackWager(Actor(patron, Role.PATRON), patron, position, wager, amount)
        return RemoveWager(PIT_MANAGER, patron, position, wager, amount)

    def _deal(self) -> Command:
        table = self.table
        if table.round.drawn >= len(INITIAL_DEAL) and not table.round.all_exposed:
            return self._expose()
        if table.round.drawn < len(INITIAL_DEAL) or table.round.next_hand:
            return self._draw()
        if table.set_up.method == "C" and "method-c-placed" not in table.round.attested:
            return Attest(DEALER, "method-c-placed")
        return AnnounceOutcome(DEALER)

    def _draw(self) -> Command:
        device, dice = self.table.device, self.random.random()
        if self.table.set_up.method == "C" and device is None and dice < 0.3:
            return GiveDevice(DEALER, self._patron())
        if device and dice < 0.4:
            missing = {"method-c-full-view", "method-c-initial-placed"} - self.table.round.attested
            return Attest(DEALER, min(missing)) if missing else PermitDrawing(ACM, device)
        if device and dice < 0.45:
            return GiveUpDevice(Actor(device, Role.PATRON))
        by = Actor(device, Role.PATRON) if device else DEALER
        nearly_out = self.table.shoe is not None and len(self.table.shoe.unexposed) < 40
        return ShowCuttingCard(by) if nearly_out and dice < 0.3 else DrawCard(by)

    def _expose(self) -> Command:
        table = self.table
        if table.set_up.method == "A" and table.round.first_hand is None:
            return ChooseFirstHand(DEALER, self.random.choice(list(Hand)))
        hand, place = self.random.choice(
            [
                (hand, at)
                for hand, places in table.round.hands.items()
                for at, each in enumerate(places)
                if each.card is None
            ]
        )
        holder = table.round.handler_of(hand, place)
        if holder is None and self.random.random() < 0.2:
            return PassHand(self.random.choice([DEALER, STAFF[Role.PIT_SUPERVISOR]]), hand, self._patron())
        if holder and self.random.random() < 0.3:
            patron = Actor(holder, Role.PATRON)
            timing = WindowElapsed(DEALER) if self._time_is_up else TimeSqueeze(DEALER, hand)
            return self.random.choice([DeclineHand(patron, hand), LookAtCards(patron, hand), timing])
        card = self._card(table.round.hands[hand][place].index)
        if holder and self.random.random() < 0.2:
            return ExposeCard(DEALER, hand, place, card, turned_by=holder)
        return ExposeCard(Actor(holder, Role.PATRON) if holder else DEALER, hand, place, card)

    def _card(self, index: int) -> Card:
        assert self.table.shoe
        if known := self.known.get((self.table.shoes, index)):
            return known
        if self.random.random() < 0.002:
            return self.random.choice(DECK)
        left = self.table.shoe.unexposed.counts()
        return self.random.choices(list(left), list(left.values()))[0]

    def _settle(self) -> Command:
        settle = SettleRound(DEALER)
        short = isinstance(decide(self.table, settle), Refusal)
        return Fill(PIT_MANAGER, 1_000_000) if short else settle

    # --- commands without sense ------------------------------------------------------------------------------------

    def _senseless_money(self, who: Actor, patron: str, amount: int) -> list[Command]:
        return [
            BuyIn(who, patron, amount),
            CashOut(who, patron, amount),
            PayDebt(who, patron, amount),
            SettleDebt(who, patron, amount, "cage"),
            LimitLoss(who, self.random.choice([None, amount])),
            Fill(who, amount),
            Credit(who, amount),
        ]

    def _senseless_cards(self, who: Actor, hand: Hand, card: Card) -> list[Command]:
        place = self.random.randint(-1, 3)
        return [
            ConfirmCard(who),
            NameCard(who, hand, place, card),
            ExposeInError(who, hand, place, card),
            BurnCards(who, self.random.choice([None, card])),
        ]

    def _senseless(self) -> Command:
        who = self.random.choice([*STAFF.values(), *(Actor(patron, Role.PATRON) for patron in (*PATRONS, "Stranger"))])
        patron, amount = self.random.choice([*PATRONS, "Stranger"]), self.random.choice([-100, 0, 50, 100, 700, 10**9])
        position, hand = self.random.randint(-1, 17), self.random.choice(list(Hand))
        wager = self.random.choice([*(each.name for each in self.book.wagers), "Lucky 6"])
        area = (patron, position, wager)
        role, card = self.random.choice(list(STAFF)), self.random.choice(DECK)
        provision = self.random.choice(["wrong-cards", "foreign-cards", "order-altered", "insufficient-cards", "tie"])
        everything: list[Command] = [
            OpenBets(who),
            CloseBets(who),
            DrawCard(who),
            ShowCuttingCard(who) if self.random.random() < 0.05 else DrawCard(who),
            AnnounceOutcome(who),
            SettleRound(who),
            GiveUpDevice(who),
            TakeBackDevice(who),
            EndShoe(who),
            self.random.choice([DismissVoid(who), ConfirmVoid(who)]),
            self.random.choice([SignOn(who), SignOff(who), CallPit(who, "a word"), AnswerCall(who), ConfirmAct(who)]),
            self.random.choice([DropAct(who), ConfirmAct(who, 3)]),
            PlaceWager(who, *area, amount),
            TakeBackWager(who, *area, amount),
            AskForDecreases(who),
            RemoveWager(who, *area, amount),
            RecordWager(who, *area, self.random.choice([amount, 300, 60_000])),
            RefuseLateWager(who, *area, amount),
            NoteLateWithdrawal(who, *area),
            ExposeCard(who, hand, self.random.randint(-1, 3), card),
            ChooseFirstHand(who, hand),
            PassHand(who, hand, patron),
            self.random.choice([DeclineHand(who, hand), TimeSqueeze(who, hand)]),
            LookAtCards(who, hand),
            PermitDrawing(who, patron),
            GiveDevice(who, patron),
            *self._senseless_money(who, patron, amount),
            CloseTable(who, amount) if self.table.round_number > 40 else CloseBets(who),
            ChangeLimits(who, {wager: Limits(amount, 1_000)}),
            ChangeMethod(who, self.random.choice("ABCD")),
            RestrictArea(who, self.random.randint(-1, 5)),
            AppointActing(who, who.id, role, self.random.choice([None, self.clock + 5_000])),
            WindowElapsed(who),
            EndActing(who, who.id, role),
            LoadShoe(who, "another"),
            Attest(who, self.random.choice(["method-c-placed", "tie"])),
            AnswerWithdrawal(who, self.random.choice([None, (), ((position, wager),)])),
            EndWithdrawal(who),
            FixOrder(who, (1, 2)),
            DecideReferral(who, void=False),
            RetrieveHand(who, hand),
            ReconstructCards(who),
            RelayByHands(who, (hand, hand.other)),
            RelayByOrder(who, (card, None, card, card)),
            *self._senseless_cards(who, hand, card),
            ReplaceCards(who),
            DecideReset(who, void=True),
            ReportWrongNumber(who),
            ReportVoid(who, provision) if self.random.random() < 0.05 else OpenBets(who),
        ]
        return self.random.choice(everything)
