"""The guard of a table: edges by the exposed cards, ratios by the log, and who may ask for them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from math import isclose
from pathlib import Path

import pytest
from msgspec.structs import replace
from properties.random_play import RandomPlay
from support.histories import make_checkpoints
from support.playing import House as Served
from support.playing import deal, house, over_http, until

from punto import Coup, load, odds
from punto.cards import DECK, Composition, parse_cards
from punto.cli.bench.played_history import BEGAN
from punto.lab.pit_guard import NOTHING_TO_WEIGH, Advice, PatronEvidence, weigh_round
from punto.rules.table_of_play import Hand
from punto.server.access.identity import Duty
from punto.server.access.permissions import Permission
from punto.server.pit.guard_routes import edges_from
from punto.server.pit.table_guard import TableGuard, begin_guard, chance_of
from punto.simulate.round_sequences import rounds
from punto.simulate.shoe_makeup import Shoes
from punto.store.house import House
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import Keys
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.default_settings import dealt_by_hand
from punto.table.evolve import evolve
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable, TableOpened
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.table import Table

BOOK = load("tiger")
SIDE = ("Tiger", "Small Tiger", "Big Tiger", "Tiger Tie")
MANAGER, DEALER = Actor("pat", Role.GAMING_SHIFT_MANAGER), Actor("sam", Role.DEALER)


# --- a log, event by event --------------------------------------------------------------------------------------------


class Played:
    """A table whose cards are named, and its log."""

    def __init__(self) -> None:
        self.table, self.log = Table(BOOK), list[EventRecord]()
        self._numbers = count(1)
        setting = replace(dealt_by_hand(BOOK), burn=None)
        self.give(OpenTable(MANAGER, setting, 10_000_000_000))
        for patron in ("Ann", "Bob", "Cy"):
            self.give(BuyIn(DEALER, patron, 100_000_000))

    def give(self, *commands: Command) -> None:
        for command in commands:
            decision = decide(self.table, command)
            assert not isinstance(decision, Refusal), (command, decision)
            for event in decision:
                self.table, number = evolve(self.table, event), next(self._numbers)
                self.log.append(replace(EventRecord.of(event, number, command.by.id, "Dealer"), number=number))

    def bet(self, stakes: dict[tuple[str, int], dict[str, int]]) -> None:
        self.give(OpenBets(DEALER))
        for (patron, position), placed in stakes.items():
            self.give(*(PlaceWager(DEALER, patron, position, wager, stake) for wager, stake in placed.items()))
        self.give(CloseBets(DEALER))

    def deal(self, coup: Coup) -> None:
        self.give(*(DrawCard(DEALER) for _ in range(4)))
        for hand, cards in ((Hand.PLAYER, coup.player), (Hand.BANKER, coup.banker)):
            self.give(*(ExposeCard(DEALER, hand, place, card) for place, card in enumerate(cards[:2])))
        for hand, cards in ((Hand.PLAYER, coup.player), (Hand.BANKER, coup.banker)):
            self.give(*(each for card in cards[2:] for each in (DrawCard(DEALER), ExposeCard(DEALER, hand, 2, card))))
        self.give(AnnounceOutcome(DEALER), SettleRound(DEALER))


Log = tuple[Played, list[Coup], list[bool]]


def coups(seed: int) -> Iterator[Coup]:
    (block,) = rounds(BOOK, 1, seed, Shoes(BOOK.shoe(8)))
    for cards, taken in zip(block.cards, block.taken, strict=True):
        yield Coup.deal(DECK[card] for card in cards[:taken])


@pytest.fixture(scope="module")
def played() -> Log:
    """Forty rounds from the end of a shoe: Ann bets what gains, Bob every third round, Cy never on the side."""
    made, dealt, gained = Played(), list(coups(3)), []
    made.give(LoadShoe(DEALER, "one"))
    for number, coup in enumerate(dealt):
        assert made.table.shoe
        unseen = made.table.shoe.unexposed
        edges = edges_from(BOOK, unseen) if number >= len(dealt) - 30 else ()
        good = {each.wager: 1_000 for each in edges if each.favours_patron and each.wager in SIDE}
        gained.append(bool(good))
        habit = {"Tiger": 1_000} if number % 3 == 0 else {}
        made.bet({("Ann", 1): {"Player": 10_000, **good}, ("Bob", 2): habit, ("Cy", 3): {"Banker": 10_000}})
        made.deal(coup)
    return made, dealt, gained


@pytest.fixture(scope="module")
def guard(played: Log) -> TableGuard:
    made = TableGuard("t1", Table(BOOK))
    made.take_in(played[0].log)
    while made.waiting:
        made.weigh_next()
    return made


@pytest.mark.long
def test_a_log_is_weighed_as_its_rounds_are(played: Log, guard: TableGuard) -> None:
    _, dealt, gained = played
    assert sum(gained) >= 3, "choose another shoe"
    found = {each.patron: each for each in guard.found()}
    assert found.keys() == {"Ann", "Bob"}, "one who places no side wager is not followed"
    evidence, unseen = PatronEvidence(BOOK), BOOK.shoe(8)
    for number in range(1, len(dealt) + 1):
        went = evidence.place({"Tiger": 1_000} if number % 3 == 1 else {})
        before = dealt[number - 2] if number > 1 else None
        chance = chance_of(f"t1 one {number}")
        weights = weigh_round(BOOK, sorted(went), unseen, before, chance) if before else NOTHING_TO_WEIGH
        unseen = unseen.without(before.in_dealing_order()) if before else unseen
        evidence.take_in(weights, went)
    assert isclose(found["Bob"].ratio, evidence.ratio)
    assert found["Bob"].rounds == len(dealt)
    assert found["Ann"].ratio > 20 > found["Bob"].ratio
    assert found["Ann"].advice is not Advice.NONE
    assert found["Ann"].wager in SIDE
    assert guard.found()[0].patron == "Ann", "the highest comes first"


def test_it_makes_no_difference_how_the_log_is_read(played: Log, guard: TableGuard) -> None:
    made, in_parts = played[0], TableGuard("t1", Table(BOOK))
    for at in range(0, len(made.log), 500):
        in_parts.take_in(made.log[at : at + 500])
        while in_parts.waiting:
            in_parts.weigh_next()
    assert in_parts.found() == guard.found()
    assert in_parts.number == len(made.log)


def test_every_opening_begins_without_evidence(played: Log) -> None:
    made, again = played[0], TableGuard("t1", Table(BOOK))
    again.take_in(made.log)
    again.weigh_next()
    assert again.found()
    assert again.waiting
    again.table = Table(BOOK)
    again.take_in([replace(made.log[0], number=len(made.log) + 1)])
    assert (again.found(), again.waiting) == ((), [])


@pytest.mark.parametrize("seed", [0, 3])
async def test_any_log_can_be_followed_from_where_the_table_was_shut(tmp_path: Path, seed: int) -> None:
    """Random play with every irregularity: only coups that were dealt as usual are weighed, from wherever it begins."""
    keys, play = Keys(bytes(range(32))), RandomPlay("tiger", seed)
    play.play(1_500)
    log = [EventRecord.of(event, BEGAN + at, "sam", "Dealer") for at, event in enumerate(play.log)]
    store = SqliteStore(tmp_path / "punto.db")
    made = await House.open(store, keys, BEGAN)
    await made.create_table("t1", BOOK, BEGAN)
    await store.append([Append("t1", 0, log)])
    await make_checkpoints(store, keys, ["t1"])
    whole = TableGuard("t1", Table(BOOK))
    whole.take_in(await store.read("t1", 0, len(log)))
    opened = [at for at, event in enumerate(play.log, start=1) if isinstance(event, TableOpened)]
    later = await begin_guard(store, "t1", BOOK, len(log))
    assert later.number < opened[-1]
    assert later.number > 0 or len(opened) == 1
    later.take_in(await store.read("t1", later.number, len(log)))
    assert (later.waiting, later.table) == (whole.waiting, whole.table)
    for placed in whole.waiting:
        if placed.dealt:
            before, coup = placed.dealt
            assert len(before.without(coup.in_dealing_order())) == len(before) - len(coup.player) - len(coup.banker)
    for _ in whole.waiting[:5]:
        whole.weigh_next()
    assert all(each.ratio > 0 for each in whole.found())
    await store.close()


# --- over HTTP --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with house(Path(tmp_path_factory.mktemp("guard"))) as made:
        yield made


def test_the_pit_sees_the_edge_by_all_exposed_cards_and_the_patrons_by_name(pit: Served) -> None:
    (ann,) = pit.patrons(1)
    table, supervisor = pit.table("tiger"), pit[Duty.PIT_SUPERVISOR]
    dealer, unseen = over_http(pit.dealer, table), BOOK.shoe(8)
    ann.done(table, "BuyIn", patron=ann.id, amount=1_000_000)
    for cards in ("2s 3s Kd 4s 9h", "9h Kc Kd 5s"):
        dealer("OpenBets")
        ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Tiger", amount=5_000)
        dealer("CloseBets")
        deal(dealer, cards)
        dealer("AnnounceOutcome")
        dealer("SettleRound")
        unseen = unseen.without(parse_cards(cards))
    dealer("OpenBets")
    dealer("CloseBets")
    dealer("DrawCard")  # it lies face down: nobody has seen it
    path = f"/api/pit/{table}/guard"
    until(lambda: not supervisor.get(path)["weighing"])
    told = supervisor.get(path)
    assert told["unseen"] == len(unseen) == 416 - 9
    assert {each["wager"]: Fraction(each["house_edge"]) for each in told["edges"]} == {
        each.wager.name: each.house_edge for each in odds(BOOK, unseen).wagers
    }
    assert {each["wager"] for each in told["edges"] if each["favours_patron"]} == set()
    assert (told["false_alarm"], told["false_watch"]) == ("1/1000", "1/20")
    (row,) = told["patrons"]
    assert (row["patron"], row["rounds"], row["advice"]) == (ann.id, 3, "none")
    assert told["names"] == {ann.id: supervisor.get(f"/api/pit/{table}")["names"][ann.id]}
    assert row["since"] > 0


def test_who_may_ask(pit: Served) -> None:
    table = pit.table("tiger")
    may = {duty for duty in Duty if Permission.GUARD_TABLES.is_given_to(duty)}
    assert may == {
        Duty.PIT_SUPERVISOR,
        Duty.PIT_MANAGER,
        Duty.ASSISTANT_CASINO_MANAGER,
        Duty.GAMING_SHIFT_MANAGER,
    }
    for duty in Duty:
        if duty in (Duty.DEVICE, Duty.PATRON):
            continue
        assert pit[duty].http.get(f"/api/pit/{table}/guard").status_code == (200 if duty in may else 403), duty
    (ann,) = pit.patrons(1)
    assert ann.http.get(f"/api/pit/{table}/guard").status_code == 403
    assert pit.manager.http.get("/api/pit/nowhere/guard").status_code == 404


def test_a_table_without_a_shoe_has_no_edges(pit: Served) -> None:
    table = pit.table("tiger", device="sealed")
    told = pit.manager.get(f"/api/pit/{table}/guard")
    assert (told["unseen"], told["edges"], told["patrons"]) == (0, [], [])


def test_edges_of_the_last_cards() -> None:
    assert edges_from(BOOK, Composition()) == () or all(
        each.house_edge == 0 for each in edges_from(BOOK, Composition())
    )
    few = Composition(parse_cards("6s 6h Kd Ks 9c 8c 2d"))
    assert {each.wager: each.house_edge for each in edges_from(BOOK, few)} == {
        each.wager.name: each.house_edge for each in odds(BOOK, few).wagers
    }
