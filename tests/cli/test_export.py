"""Dispute packets: a round with all that somebody outside the house needs, checked here without Punto's own code."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from properties.random_play import RandomPlay
from support.command import punto, refused, run, run_json

from punto import Rulebook, load
from punto.audit.table_recomputed import Game
from punto.report.dispute.dispute_sheet import packet_pdf, sheet
from punto.report.dispute.packet import dispute_packet
from punto.report.event_text import event_text
from punto.rules.game_library import game_file
from punto.rules.table_of_play import Hand, next_card
from punto.shoe import Cut, as_json, new_secret, publish, seal, sealed_shoe
from punto.store.address import open_reader
from punto.store.events.shoe_events import SHOES, ShoePublished, ShoeSealed
from punto.store.house import House
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import make_keys
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.misdealt_cards import ReportWrongNumber
from punto.table.irregularities.referral import DecideReferral, Refer
from punto.table.irregularities.void import ConfirmVoid, RoundVoided
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import AnnounceOutcome, CardExposed, DrawCard, ExposeCard
from punto.table.play.second_person import ActProposed
from punto.table.play.settlement import RoundSettled, SettleRound
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable, TableClosed, TableOpened
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.settings import Device, Limits, SensitiveAct, Setting
from punto.table.table import Table
from punto.texts import Language

AT = 1_700_000_000_000
CHINESE = re.compile("[\u4e00-\u9fff]")
DEALER, MANAGER = Actor("sam", Role.DEALER), Actor("pat", Role.PIT_MANAGER)
SHIFT = Actor("kim", Role.GAMING_SHIFT_MANAGER)
BOOK = load("baccarat")
SECRET = new_secret(8)
NOTE = '#panic("gotcha") *bold* $x^2$ `raw` @ref <label> // "quoted" \\ 老虎 ' + "W" * 300
GAMES = {load(game).digest: Game(load(game), game_file(game)) for game in ("tiger", "fabulous-4")}


class Dealt:
    """A table dealt from a sealed shoe, command by command."""

    def __init__(self, shoe: str) -> None:
        self.table, self.log = Table(BOOK), list[EventRecord]()
        self.cut = Cut(seal(SECRET, shoe, 8)).close_list()
        self.shoe = sealed_shoe(SECRET, self.cut)
        limits = {wager.name: Limits(100, 100_000) for wager in BOOK.wagers}
        setting = Setting("Appendix B", 9, limits, 100, 8, Device.SEALED, "B")
        for command in (OpenTable(MANAGER, setting, 10_000_000), BuyIn(DEALER, "ann", 500_000)):
            self.give(command)
        self.give(LoadShoe(DEALER, shoe))

    def give(self, command: Command) -> None:
        decided = decide(self.table, command)
        assert not isinstance(decided, Refusal), decided
        for event in decided:
            self.table = evolve(self.table, event)
            self.log.append(EventRecord.of(event, AT + 1_000 * len(self.log), command.by.id, command.by.role.value))

    def open_round(self) -> None:
        ann = Actor("ann", Role.PATRON)
        self.give(OpenBets(DEALER))
        for wager in ("Player", "Banker", "Tie", "Player Pair"):
            self.give(PlaceWager(ann, "ann", 3, wager, 10_000))
        self.give(CloseBets(DEALER))

    def deal(self) -> None:
        while self.table.round.drawn < 4 or next_card(*(self.table.round.values(hand) for hand in Hand)):
            self.give(DrawCard(DEALER))
            if self.table.round.drawn == 2:
                self.give(Refer(DEALER, "a glass was spilt", note=NOTE, noticed_by="camera 4"))
                self.give(DecideReferral(SHIFT, void=False))
            for hand in Hand if self.table.round.drawn >= 4 else ():
                for place, each in enumerate(self.table.round.hands[hand]):
                    if each.card is None:
                        self.give(ExposeCard(DEALER, hand, place, self.shoe.card_at(each.index)))
        self.give(AnnounceOutcome(DEALER))
        self.give(SettleRound(DEALER))

    def shoe_events(self, published: bool) -> list[EventRecord]:
        name, sealed = self.cut.seal.shoe, self.cut.seal.commitment.hex()
        told: list[Event] = [ShoeSealed(name, 8, sealed, "00" * 60)]
        if published:
            cards = [(number, self.shoe.card_at(number)) for number in range(self.table.shoe.drawn)]  # type: ignore[union-attr]
            told.append(ShoePublished(name, json.dumps(as_json(publish(SECRET, self.cut, cards)))))
        return [EventRecord.of(event, AT, "punto", "system") for event in told]


def _written(events: list[Event]) -> list[EventRecord]:
    return [EventRecord.of(event, AT + 1_000 * at, "sam", "Dealer") for at, event in enumerate(events)]


def _found_void_later(play: RandomPlay) -> None:
    """After a round was settled somebody notices that it had a wrong number of cards."""
    while play.table.phase is not Phase.IDLE or play.table.hold or play.table.round_number not in play.table.history:
        play.step()
    for command in (ReportWrongNumber(DEALER, note="counted again"), ConfirmVoid(MANAGER, reason="counted again")):
        events = len(play.log)
        play.give(command)
        assert len(play.log) > events


@pytest.fixture(scope="module")
async def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of random play, one whose shoe is published, one in the middle of a round, one with a past."""
    file = tmp_path_factory.mktemp("store") / "punto.db"
    tables: dict[str, tuple[Rulebook, list[EventRecord]]] = {}
    for game, seed in (("tiger", 8), ("fabulous-4", 29)):
        play = RandomPlay(game, seed)
        play.play(1_500)
        while not {RoundCorrected, OverlookedWagerSettled, RoundVoided} <= set(map(type, play.log)):
            play.play(100)
        if game == "fabulous-4":
            _found_void_later(play)
        tables[f"{game}-1"] = play.book, _written(play.log)
    ended, going = Dealt("ended 1"), Dealt("going 1")
    for _ in range(2):
        ended.open_round()
        ended.deal()
    going.open_round()
    going.give(DrawCard(DEALER))
    past = [TableOpened("baccarat", "00" * 32, ended.table.set_up, 0), TableClosed(0, 0, 0, 0)]
    tables |= {"ended": (BOOK, ended.log), "going": (BOOK, going.log), "past": (BOOK, [*_written(past), *ended.log])}

    store = SqliteStore(file)
    house = await House.open(store, make_keys(file.with_name("punto.db.key")), AT)
    for table, (book, written) in tables.items():
        await house.create_table(table, book, AT)
        half = len(written) // 2
        await store.append([Append(table, 0, written[:half])])
        await house.note_heads([table], AT)
        await store.append([Append(table, half, written[half:])])
    await store.append([Append(f"ended{SHOES}", 0, ended.shoe_events(published=True))])
    await store.append([Append(f"going{SHOES}", 0, going.shoe_events(published=False))])
    await house.note_heads([table for table in tables if table != "going"], AT)
    await store.close()
    return file


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    """A copy to do harm to."""
    return Path(shutil.copy(made, tmp_path / "punto.db"))


def _harm(file: Path, statement: str) -> None:
    connection = apsw.Connection(str(file))
    connection.execute("drop trigger if exists event_stays; drop trigger if exists event_is_kept")
    connection.execute(statement)
    connection.close()


# --- as somebody without Punto would check it ------------------------------------------------------------------------


def _packed(*values: str | bytes) -> bytes:
    raw = [value.encode() if isinstance(value, str) else value for value in values]
    return b"".join(len(value).to_bytes(4, "big") + value for value in raw)


def _hash(before: str, table: str, event: dict[str, Any]) -> str:
    texts = [str(event[name]) for name in ("number", "event", "version", "milliseconds", "by", "position", "stored")]
    return hashlib.sha256(_packed("punto-event-1", bytes.fromhex(before), table, *texts)).hexdigest()


def _check_chain(packet: dict[str, Any]) -> None:
    table, told = packet["table"], packet["integrity"]
    before = told["hash_before"]
    for number, event in enumerate(packet["events"], start=told["first_event"]):
        if event["number"] <= told["last_event"]:
            assert (event["number"], event["hash_before"]) == (number, before)
        assert _hash(event["hash_before"], table, event) == event["hash"]
        assert json.loads(event["stored"]) == event["body"]
        before = event["hash"]


def _check_head(packet: dict[str, Any]) -> None:
    """The signature of the house covers the round: from its last hash every event leads to the head."""
    told = packet["integrity"]
    head, at = told["head"], told["last_hash"]
    for event in told["events_to_head"]:
        at = _hash(at, packet["table"], event)
    assert at == head["hash"]
    message = _packed("punto-head-1", packet["table"], str(head["number"]), head["hash"])
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(head["public_key"]))
    public.verify(bytes.fromhex(head["signature"]), message)
    with pytest.raises(InvalidSignature):
        public.verify(bytes.fromhex(head["signature"]), message + b"x")


@pytest.mark.parametrize(("table", "round_"), [("ended", 1), ("ended", 2), ("tiger-1", 4), ("fabulous-4-1", 9)])
def test_a_packet_can_be_checked_without_punto(made: Path, table: str, round_: int) -> None:
    packet = json.loads(run("export", str(made), table, str(round_), "--to-head"))
    _check_chain(packet)
    _check_head(packet)
    plain = run_json("export", str(made), table, str(round_))
    assert plain["integrity"].pop("events_to_head") is None
    packet["integrity"].pop("events_to_head")
    assert plain == packet


# --- what a packet tells ---------------------------------------------------------------------------------------------


def test_a_packet_tells_the_whole_round(made: Path) -> None:
    packet = run_json("export", str(made), "ended", "1")
    assert (packet["table"], packet["round"], packet["ending"]) == ("ended", 1, "settled")
    assert packet["game"] | {"effective": ""} == {
        "key": "baccarat",
        "title": "Baccarat",
        "version": "8",
        "effective": "",
        "digest": BOOK.digest,
    }
    assert packet["setting"]["limits"]["Tie"] == {"minimum": "1.00", "maximum": "1000.00"}
    assert packet["setting"]["device"] == "sealed"
    assert packet["opened"] == "2023-11-14 22:13:23.000"
    replayed = run_json("replay", str(made), "ended", "1")["events"]
    assert [{name: event[name] for name in replayed[0]} for event in packet["events"]] == replayed
    assert [each["number"] for each in packet["irregularities"]] == [12, 13]
    told = packet["irregularities"][0]
    assert told["cites"] == [BOOK.clause_of("referral")]
    assert (told["circumstances"]["note"], told["circumstances"]["noticed_by"]) == (NOTE, "camera 4")
    assert packet["irregularities"][1]["circumstances"]["position"] == "Gaming Shift Manager"
    texts = {each["clause"]: each["text"] for each in packet["clauses"]}
    assert texts[told["cites"][0]] == BOOK.clauses[told["cites"][0]].text
    assert {clause for each in packet["events"] for clause in each["cites"]} == set(texts)
    assert packet["audit"] == {"up_to": packet["events"][-1]["number"], "findings": [], "since": 0}
    head = packet["integrity"]["head"]
    assert (head["is_signed"], head["agrees_with_log"]) == (True, True)


def test_hands_and_wagers_are_those_that_settle_finds(made: Path) -> None:
    packet = run_json("export", str(made), "ended", "2")
    hands = packet["hands"]
    order = sorted(zip([*hands["player"]["numbers_in_shoe"], *hands["banker"]["numbers_in_shoe"]],
                       [*hands["player"]["cards"], *hands["banker"]["cards"]], strict=True))  # fmt: skip
    wagers = [f"{each['wager']}={each['stake']}" for each in packet["wagers"]]
    settled = run_json("settle", "baccarat", *(card for _, card in order), *(x for w in wagers for x in ("--wager", w)))
    assert settled["winner"] == packet["winner"]
    for hand in ("player", "banker"):
        assert {name: hands[hand][name] for name in ("cards", "total")} == settled[hand]
    for mine, other in zip(packet["wagers"], settled["wagers"], strict=True):
        names = ("wager", "result", "pays", "clause", "returned")
        assert {name: mine[name] for name in names} == {name: other[name] for name in names}
    assert packet["totals"]["stake"] == "400.00"


def test_the_record_of_the_shoe_is_there_once_it_is_published(made: Path, file: Path) -> None:
    shoe = run_json("export", str(made), "ended", "2")["shoe"]
    assert (shoe["name"], shoe["record_holds"]) == ("ended 1", True)
    assert shoe["record"]["commitment"] == shoe["commitment"]
    record = file.with_name("record.json")
    record.write_text(json.dumps(shoe["record"]))
    assert "checks hold" in run("verify-shoe", str(record))
    going = run("export", str(made), "going", "1")
    assert json.loads(going)["shoe"] | {"commitment": None} == {
        "name": "going 1", "commitment": None, "record": None, "record_holds": None}  # fmt: skip
    assert SECRET.disclose().hex() not in going
    assert "cipher" not in going
    other = run_json("export", str(made), "ended", "1")["shoe"]["record"]
    other["dealt"][0][1] = "As" if other["dealt"][0][1] != "As" else "Ks"
    body = json.dumps({"shoe": "ended 1", "record": json.dumps(other)}).replace("'", "''")
    _harm(file, f"update event set body = cast('{body}' as blob) where stream = 'ended.shoes' and number = 2")
    code, told, _ = punto("export", str(file), "ended", "1")
    assert (code, json.loads(told)["shoe"]["record_holds"]) == (1, False)
    assert json.loads(told)["audit"]["findings"][0]["finding"] == "the published record of the shoe does not hold"


def test_a_round_in_play_shows_no_card_that_is_face_down(made: Path) -> None:
    packet = run_json("export", str(made), "going", "1")
    assert (packet["ending"], packet["ended"], packet["winner"]) == ("in play", None, None)
    assert packet["hands"]["player"] == {"cards": [None], "numbers_in_shoe": [0], "total": None}
    assert packet["wagers"][0] == {"patron": "ann", "position": 3, "wager": "Player", "amount": "100.00"}
    assert packet["totals"] is None
    assert packet["integrity"]["head"] is None
    assert packet_pdf(packet).startswith(b"%PDF")


OfARound = RoundSettled | RoundVoided | RoundCorrected | OverlookedWagerSettled


async def _rounds(file: Path, table: str, *kinds: type[OfARound]) -> list[int]:
    """Return the rounds of a table that have such an event."""
    reader = await open_reader(str(file))
    events = [recorded.event for recorded in await reader.read(table, most=100_000)]
    await reader.close()
    return [event.round for event in events if isinstance(event, kinds)]


@pytest.mark.long
@pytest.mark.parametrize("table", ["tiger-1", "fabulous-4-1"])
async def test_rounds_of_random_play_have_packets_that_agree_with_their_events(made: Path, table: str) -> None:
    """Also where things go wrong in them: void rounds, corrected ones, cards that were never exposed."""
    corrected = await _rounds(made, table, RoundCorrected, OverlookedWagerSettled)
    assert await _rounds(made, table, RoundCorrected)
    assert await _rounds(made, table, OverlookedWagerSettled)
    assert await _rounds(made, table, RoundVoided)

    reader = await open_reader(str(made))
    rounds = await _rounds(made, table, RoundSettled, RoundVoided)
    packets = [await dispute_packet(reader, GAMES, table, round_) for round_ in rounds]
    await reader.close()
    for packet in packets:
        _check_chain(packet)
        _agrees(packet)
        assert packet["audit"]["findings"] == []
        assert bool(packet["corrections"]) == (packet["round"] in corrected)


async def test_the_paper_says_what_was_overlooked(made: Path) -> None:
    round_ = (await _rounds(made, "tiger-1", OverlookedWagerSettled))[0]
    reader = await open_reader(str(made))
    packet = await dispute_packet(reader, GAMES, "tiger-1", round_)
    await reader.close()
    headings = [each["heading"] for each in sheet(packet)["corrections"]]
    assert any("an overlooked wager settled" in each for each in headings)
    assert packet_pdf(packet).startswith(b"%PDF")


def _agrees(packet: dict[str, Any]) -> None:
    names = {event["event"] for event in packet["events"]}
    ended = [each for each in packet["events"] if each["event"] in (RoundSettled.__name__, RoundVoided.__name__)]
    assert packet["ending"] == {"RoundSettled": "settled", "RoundVoided": "void"}[ended[0]["event"]]
    cents = {"stake": 0, "returned": 0}
    for each in packet["wagers"]:
        for name in cents:
            cents[name] += int(each[name].replace(".", ""))
    assert {name: int(packet["totals"][name].replace(".", "")) for name in cents} == cents
    shown = {card for hand in packet["hands"].values() for card in hand["cards"] if card}
    exposed = {"".join(each["body"]["card"]) for each in packet["events"] if each["event"] == CardExposed.__name__}
    assert shown <= exposed or names & {"CardCorrected", "MissingDetermined", "CardsTakenStep"}
    if packet["ending"] == "settled":
        assert packet["winner"]
        assert all(hand["total"] is not None for hand in packet["hands"].values())


def test_what_was_found_about_a_round_after_its_end_belongs_to_it(made: Path) -> None:
    """Fabulous 4: a wrong number of cards noticed after the settlement."""
    round_ = asyncio.run(_rounds(made, "fabulous-4-1", RoundCorrected))[-1]
    packet = run_json("export", str(made), "fabulous-4-1", str(round_))
    late = [each for each in packet["irregularities"] if each["number"] > packet["integrity"]["last_event"]]
    assert [each["event"] for each in late] == ["VoidAsked", "RoundCorrected"]
    assert late[0]["circumstances"]["note"] == "counted again"
    assert (packet["ending"], packet["corrections"][-1]["void"]) == ("settled", True)
    assert "counted again" in run("replay", str(made), "fabulous-4-1", str(round_))
    following = run_json("replay", str(made), "fabulous-4-1", str(round_ - 1))["events"]
    assert following[-1]["event"] != "VoidAsked"


def test_what_happened_is_told_in_both_languages() -> None:
    play = RandomPlay("tiger", 5)
    play.play(1_500)
    for event in play.log:
        assert "{" not in event_text(event)
        assert CHINESE.search(event_text(event, Language.CHINESE))
        assert not re.search("Banker|Player|Tiger|Tie|Pair", event_text(event, Language.CHINESE))


def test_an_act_that_waits_is_told_whatever_its_command_says() -> None:
    values = {"note": None, "cards": [["4", "h"]], "coup": {"player": None}}
    act = ActProposed(7, (SensitiveAct.VOID,), "ConfirmVoid", values, "sam", Role.DEALER, Role.PIT_MANAGER, "a slip", 1)
    assert "a slip" in event_text(act)
    assert "a slip" in event_text(act, Language.CHINESE)


def test_the_paper_is_in_chinese_too(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "packet.pdf"
    run("export", str(made), "ended", "1", "--language", "zh", "--output", str(out))
    assert out.read_bytes().startswith(b"%PDF")
    printed = sheet(run_json("export", str(made), "ended", "1", "--language", "zh"))
    assert (printed["title"], printed["wagers"][0][2]) == ("百家乐", "闲")
    assert all(CHINESE.search(name) for name, _ in printed["facts"] + printed["integrity"]["lines"])


# --- files -----------------------------------------------------------------------------------------------------------


def test_both_files_are_written_and_a_note_is_no_command(made: Path, tmp_path: Path) -> None:
    """The round with the evil note: were it taken for markup, the document would fail."""
    outs = [str(tmp_path / name) for name in ("packet.json", "packet.pdf")]
    told = run("export", str(made), "ended", "1", "--output", outs[0], "--output", outs[1])
    assert told == f"{outs[0]}: round 1 of ended\n{outs[1]}: round 1 of ended\n"
    assert json.loads(Path(outs[0]).read_text("utf-8")) == run_json("export", str(made), "ended", "1")
    assert Path(outs[1]).read_bytes().startswith(b"%PDF")
    for table, round_ in (("tiger-1", 1), ("fabulous-4-1", 4)):
        run("export", str(made), table, str(round_), "--output", outs[1])


def test_what_cannot_be_exported_is_refused_and_nothing_is_written(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "packet.json"
    assert "ended has no round 99" in refused("export", str(made), "ended", "99", "--output", str(out))
    assert "there is no table nobody" in refused("export", str(made), "nobody", "1")
    assert "house has no round 1" in refused("export", str(made), "house", "1")
    assert "ends in .json or .pdf" in refused("export", str(made), "ended", "1", "--output", str(tmp_path / "x.txt"))
    assert "there is no such database" in refused(
        "export", str(tmp_path / "none.db"), "ended", "1", "--output", str(out)
    )
    assert "expected a whole number" in refused("export", str(made), "ended", "one")
    assert list(tmp_path.iterdir()) == []


async def _append(file: Path, table: str, log: list[EventRecord]) -> None:
    store = SqliteStore(file)
    await store.append([Append(table, 0, log)])
    await store.close()


def test_a_game_of_ones_own_is_named(tmp_path: Path) -> None:
    game = tmp_path / "mine.toml"
    game.write_bytes(game_file("baccarat").replace(b'key = "baccarat"', b'key = "mine"'))
    dealt = Dealt("mine 1")
    dealt.open_round()
    dealt.deal()
    log = [
        EventRecord.of(TableOpened("mine", load(game).digest, dealt.table.set_up, 10_000_000), AT, "pat", "Pit Manager")
    ]
    asyncio.run(_append(tmp_path / "punto.db", "mine-1", [*log, *dealt.log[1:]]))
    assert "name the game with --game" in refused("export", str(tmp_path / "punto.db"), "mine-1", "1")
    packet = run_json("export", str(tmp_path / "punto.db"), "mine-1", "1", "--game", str(game))
    assert (packet["game"]["key"], packet["audit"]["findings"]) == ("mine", [])


# --- a log that was altered ------------------------------------------------------------------------------------------


def test_what_the_auditor_finds_is_in_the_packet_and_in_the_exit_code(file: Path, tmp_path: Path) -> None:
    _harm(file, "update event set by = 'bob' where stream = 'ended' and number = 2")
    out = tmp_path / "packet.json"
    code, _, err = punto(
        "export", str(file), "ended", "1", "--output", str(out), "--output", str(tmp_path / "packet.pdf")
    )
    assert (code, err) == (1, "")
    sentence = "is not what was stored: its hash does not fit"
    assert json.loads(out.read_text())["audit"]["findings"] == [{"event": 2, "code": "altered", "finding": sentence}]
    _harm(file, "delete from event where stream = 'tiger-1' and number > 200")
    code, told, _ = punto("export", str(file), "tiger-1", "2")
    (cut_off,) = json.loads(told)["audit"]["findings"]
    assert (code, cut_off["finding"]) == (1, "is not there as it was when its head was noted")
    assert packet_pdf(json.loads(told)).startswith(b"%PDF")
    code, told, _ = punto("export", str(file), "past", "1")
    unknown = {"event": 1, "code": "unknown-game", "finding": "no game is known by whose rules this table was opened"}
    assert (code, json.loads(told)["audit"]["findings"]) == (1, [unknown])


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        ("update event set body = x'7b' where stream = 'ended' and number = 9", "the log is not in order"),
        ("update event set name = 'Nonsense' where stream = 'ended' and number = 2", "the log is not in order"),
        ("update event set number = 400 where stream = 'ended' and number = 3", "does not lead here"),
        ("update event set number = 401 where stream = 'ended' and number = 4", "does not show how"),
    ],
)
def test_a_log_that_leads_nowhere_is_refused_in_one_line(file: Path, harm: str, sentence: str) -> None:
    _harm(file, harm)
    assert sentence in refused("export", str(file), "ended", "1")
    if "log" in sentence:
        assert sentence in refused("replay", str(file), "ended", "1")
