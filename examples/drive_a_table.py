"""Drive a table from code: a round of Tiger Baccarat in which the Dealer makes a mistake, and what it does to the
books.

A table is a value. ``decide`` answers a command with events, or with a refusal that cites its clause and changes
nothing; ``replay`` applies events. The events are the whole record: state, books and audit follow from them.
"""

import punto
from punto.audit import recompute
from punto.books import Ledger
from punto.rules import game_file
from punto.table import Actor, Command, Device, Event, Limits, Refusal, Role, Setting, Table, decide, replay
from punto.table.irregularities.misdealt_cards import ReconstructCards, ReportMisplaced
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager

DEALER, MANAGER = Actor("sam", Role.DEALER), Actor("kim", Role.ASSISTANT_CASINO_MANAGER)
ANN, BOB = Actor("ann", Role.PATRON), Actor("bob", Role.PATRON)
PLAYER, BANKER = punto.Hand.PLAYER, punto.Hand.BANKER
TIGER = punto.load("tiger")
SETTING = Setting(
    layout=TIGER.layouts[0].name,
    positions=7,
    limits={wager.name: Limits(minimum=10_00, maximum=1_000_00) for wager in TIGER.wagers},
    stake_step=1_00,
    decks=8,
    device=Device.MANUAL,  # the Dealer keys in the cards they turn
    method="B",
)


def turned(hand: punto.Hand, place: int, card: str) -> Command:
    return ExposeCard(DEALER, hand, place, punto.Card.parse(card))


ROUND: list[Command] = [
    OpenTable(MANAGER, SETTING, float_=100_000_00),
    *(BuyIn(DEALER, patron, 500_00) for patron in ("ann", "bob")),
    LoadShoe(DEALER, "shoe 1"),
    OpenBets(DEALER),
    PlaceWager(ANN, "ann", 1, "Banker", 100_00),
    PlaceWager(ANN, "ann", 1, "Tiger", 10_00),
    CloseBets(DEALER),
    PlaceWager(BOB, "bob", 2, "Player", 100_00),  # too late
    DrawCard(DEALER),
    ReportMisplaced(DEALER, PLAYER),  # the second card belongs to Banker
    DrawCard(DEALER),  # refused: play is held until the hands are put right
    ReconstructCards(DEALER),
    *[DrawCard(DEALER)] * 2,
    *(turned(PLAYER, 0, "2s"), turned(PLAYER, 1, "3d"), turned(BANKER, 0, "Ah"), turned(BANKER, 1, "Ad")),
    *(DrawCard(DEALER), turned(PLAYER, 2, "Ks")),  # the exposed cards call for it
    *(DrawCard(DEALER), turned(BANKER, 2, "4c")),
    AnnounceOutcome(DEALER),
    SettleRound(DEALER),
]


def main() -> None:
    happened: list[Event] = []
    for command in ROUND:
        answer = decide(replay(Table(TIGER), happened), command)
        if isinstance(answer, Refusal):
            print(f"{type(command).__name__} by {command.by.id} is refused: {answer.sentence(TIGER)}")
        else:
            happened.extend(answer)

    balances = Ledger(happened).balances
    by_name = sorted((str(account), cents) for account, cents in balances.items())
    for account, cents in (*by_name, ("all together", sum(balances.values()))):
        print(f"{account:16} {cents:12,} cents")
    found = recompute(happened, game_file("tiger")).findings
    print(f"the auditor finds {found or 'nothing amiss'} in {len(happened)} events")


if __name__ == "__main__":
    main()
