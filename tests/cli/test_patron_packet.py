"""Packets for one patron: what they prove, that they tell of nobody else, and that no byte of them can be changed."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import zlib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from msgspec.structs import fields
from properties.random_play import RandomPlay
from support.command import punto, refused, run_json
from support.pdf_text import pdf_text

from punto import load, parse_cards
from punto.audit.table_recomputed import Game
from punto.report.dispute.dispute_sheet import packet_json, packet_pdf
from punto.report.dispute.events_for_patron import PATRON_FIELDS
from punto.report.dispute.packet import dispute_packet
from punto.report.dispute.packet_check import check_packet
from punto.report.dispute.patron_packet import patron_packet
from punto.report.verified_log import NoPacket
from punto.rules.game_library import game_file
from punto.rules.table_of_play import Hand
from punto.server.running.log_keeper import LogKeeper
from punto.store.address import open_reader
from punto.store.codec import KINDS
from punto.store.house import House
from punto.store.receipts.receipt_file import published_logs, recomputed_log
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import load_keys, make_keys
from punto.store.trust.log_folder import LogFolder
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.evolve import evolve
from punto.table.irregularities.correction import CorrectRound
from punto.table.irregularities.referral import DecideReferral, Refer
from punto.table.money import Unit
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager, TakeBackWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.settings import Device, Limits, Setting
from punto.table.table import Table
from punto.tlog.note import Verifier

AT = 1_700_000_000_000
BOOK = load("baccarat")
GAMES = {book.digest: Game(book, game_file(book.key)) for book in (BOOK, load("tiger"), load("fabulous-4"))}
DEALER, MANAGER = Actor("pdealer2222", Role.DEALER), Actor("pmanager222", Role.PIT_MANAGER)
SHIFT = Actor("pshift22222", Role.GAMING_SHIFT_MANAGER)
ANN, BOB, CY = "pannaaaaaaa", "pbobbbbbbbb", "pcycccccccc"
STAKES = {ANN: {"Player": 12_300, "Tie": 4_500}, BOB: {"Banker": 76_700, "Player Pair": 6_100}, CY: {"Player": 98_100}}
CHIPS = {ANN: 111_100, BOB: 1_234_500, CY: 8_765_400}
NOTE = "Bob said that Cy had moved 981 to Player"
PROGRAM = Path(__file__).parents[2] / "examples" / "verify_packet.py"


class _Play:
    """A table of three patrons, command by command."""

    def __init__(self) -> None:
        self.table, self.log = Table(BOOK), list[EventRecord]()
        limits = {wager.name: Limits(100, 1_000_000) for wager in BOOK.wagers}
        self.give(OpenTable(MANAGER, Setting("Appendix B", 9, limits, 100, 8, Device.MANUAL, "B"), 100_000_000))
        for patron, amount in CHIPS.items():
            self.give(BuyIn(DEALER, patron, amount))
        self.give(LoadShoe(DEALER, "shoe"))

    def give(self, command: Command) -> None:
        decided = decide(self.table, command)
        assert not isinstance(decided, Refusal), decided
        for event in decided:
            self.table = evolve(self.table, event)
            at, by = AT + 1_371 * len(self.log), command.by
            self.log.append(EventRecord.of(event, at, by.id, by.role.value))

    def round(self, cards: str) -> None:
        self.give(OpenBets(DEALER))
        for position, (patron, stakes) in enumerate(STAKES.items(), 1):
            for wager, amount in stakes.items():
                self.give(PlaceWager(Actor(patron, Role.PATRON), patron, position, wager, amount))
        self.give(PlaceWager(Actor(ANN, Role.PATRON), ANN, 1, "Banker Pair", 2_200))
        self.give(TakeBackWager(Actor(ANN, Role.PATRON), ANN, 1, "Banker Pair", 2_200))
        self.give(CloseBets(DEALER))
        for _ in range(4):
            self.give(DrawCard(DEALER))
        self.give(Refer(DEALER, "a chip was moved", note=NOTE, noticed_by=f"{BOB} and {CY}"))
        self.give(DecideReferral(SHIFT, void=False))
        dealt = parse_cards(cards)
        for (hand, place), index in zip([(hand, at) for hand in Hand for at in (0, 1)], (0, 2, 1, 3), strict=True):
            self.give(ExposeCard(DEALER, hand, place, dealt[index]))
        self.give(AnnounceOutcome(DEALER))
        self.give(SettleRound(DEALER))


def _three_patrons() -> list[EventRecord]:
    """Return two rounds of three patrons, of which the second is corrected."""
    play = _Play()
    play.round("9c 2c 9d 3d")
    play.round("2c 9c 3d 9d")
    play.give(
        CorrectRound(SHIFT, 2, parse_cards("4c 5d"), parse_cards("9c Kd"), reason="a card was misread", note=NOTE)
    )
    return play.log


async def _house(file: Path, tables: dict[str, tuple[str, list[EventRecord]]], sealed: bool = True) -> Path:
    keys = make_keys(file.with_name("punto.db.key"))
    store = SqliteStore(file)
    house = await House.open(store, keys, AT)
    for table, (game, events) in tables.items():
        await house.create_table(table, load(game), AT)
        await store.append([Append(table, 0, events)])
    if sealed:
        await LogKeeper(store, keys, file.with_name("log")).seal()
    await store.close()
    return file


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(_house(tmp_path_factory.mktemp("three") / "punto.db", {"t1": ("baccarat", _three_patrons())}))


def _exported(file: Path, round_: int, patron: str, *arguments: str) -> dict[str, Any]:
    packet: dict[str, Any] = run_json("export", str(file), "t1", str(round_), "--patron", patron, *arguments)
    return packet


@pytest.fixture(scope="module")
def packets(file: Path) -> dict[tuple[int, str], dict[str, Any]]:
    log = str(file.with_name("log"))
    return {(round_, patron): _exported(file, round_, patron, "--log", log) for round_ in (1, 2) for patron in STAKES}


def _wrong(packet: dict[str, Any], *keys: str) -> set[tuple[str, str]]:
    return {(each.code, each.about) for each in check_packet(packet, *keys) if not each.ok}


# --- what it proves --------------------------------------------------------------------------------------------------


def test_a_packet_proves_a_patrons_round(packets: dict[tuple[int, str], dict[str, Any]]) -> None:
    for (round_, patron), packet in packets.items():
        assert _wrong(packet) == set()
        told = {each["wager"]: int(each["stake"].replace(".", "")) for each in packet["wagers"]}
        assert told == STAKES[patron]
        assert (packet["round"], packet["ending"]) == (round_, "settled")
    packet = packets[1, ANN]
    assert packet["hands"]["player"] == {"cards": ["9c", "9d"], "total": 8}
    assert packet["winner"] == "player"
    own = [each for each in packet["events"] if each["by"] == ANN]
    assert [each["event"] for each in own] == ["WagerPlaced"] * 3 + ["WagerTakenBack"]
    outlined = [each["event"] for each in packet["events"] if each["by"] is None]
    assert outlined == ["Referred", "ReferralDecided", "RoundSettled"]
    assert packet["not_shown"] == 3
    assert [each["replaces"] for each in packets[2, ANN]["corrections"][0]["wagers"]][:1] != [None]


def test_a_packet_that_was_kept_still_holds() -> None:
    """The one that the documentation shows: its form stays."""
    assert _wrong(json.loads((Path(__file__).parent / "packet.json").read_text("utf-8"))) == set()


def test_the_tree_computed_again_proves_the_same(file: Path, packets: dict[tuple[int, str], dict[str, Any]]) -> None:
    assert _exported(file, 1, BOB) == packets[1, BOB]


def test_keys_that_the_reader_knows_are_asked_for(file: Path, packets: dict[tuple[int, str], dict[str, Any]]) -> None:
    packet = packets[1, ANN]
    key = packet["proved"]["course"]["key"]
    other = Verifier(key.split("+")[0], bytes(32)).text
    assert _wrong(packet, key) == set()
    assert ("key", "course") in _wrong(packet, other)
    witness = Verifier("witness", load_keys(file.with_name("punto.db.key"), {}).sign(b"")[:32].encode(), 4).text
    assert ("witness", "course") in _wrong(packet, key, witness)


def test_a_program_that_shares_no_code_checks_it(
    packets: dict[tuple[int, str], dict[str, Any]], tmp_path: Path
) -> None:
    def outside(packet: dict[str, Any], *keys: str) -> tuple[int, str]:
        file = tmp_path / "packet.json"
        file.write_bytes(packet_json(packet))
        command = [sys.executable, str(PROGRAM), str(file), *keys]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        return done.returncode, done.stdout + done.stderr

    assert not re.search(r"^(from|import) punto", PROGRAM.read_text("utf-8"), re.MULTILINE)
    packet = packets[2, CY]
    key = packet["proved"]["course"]["key"]
    code, said = outside(packet, key)
    assert code == 0, said
    assert said.count("(another's)") == packet["not_shown"]
    hidden = next(at for at, each in enumerate(packet["proved"]["course"]["entries"]) if "hash" in each)
    for path in (("course", "entries", 0, "stored"), ("course", "entries", hidden, "hash"), ("receipts", 0, "receipt")):
        changed = deepcopy(packet)
        _change(changed["proved"], path)
        code, said = outside(changed, key)
        assert (code, "NOT in order" in said) == (1, True), path
    assert outside(packet, key.replace("/1+", "/2+"))[0] == 1


# --- that it tells of nobody else ------------------------------------------------------------------------------------


def _money(cents: int) -> set[str]:
    return {str(cents), f"{cents / 100:.2f}", f"{cents / 100:,.2f}", str(cents // 100), f"{cents // 100:,}"}


def _about_others(patron: str) -> set[str]:
    """Return the ids and amounts of the other patrons, in every form in which they are written."""
    others = {other: stakes for other, stakes in STAKES.items() if other != patron}
    cents = {amount for stakes in others.values() for amount in stakes.values()} | {CHIPS[other] for other in others}
    for other, stakes in others.items():
        cents |= {CHIPS[other] - sum(stakes.values()), 2 * max(stakes.values()), sum(stakes.values())}
    own = {*STAKES[patron].values(), CHIPS[patron]}
    found = {text for amount in cents - own for text in _money(amount) if len(text) > 3}
    return {*others, NOTE, "Bob said", *found}


def _decoded(content: Any) -> Iterator[str]:
    """Yield every text and number in it, also those in what is encoded once more."""
    if isinstance(content, dict | list):
        for each in (*content, *(content.values() if isinstance(content, dict) else ())):
            yield from _decoded(each)
    else:
        yield str(content)
        yield from _decoded_again(str(content))


def _decoded_again(text: str) -> Iterator[str]:
    """Yield what a text holds as JSON, base64 or hexadecimal digits, and each of its lines so."""
    for decode in (json.loads, lambda text: b64decode(text, validate=True).decode("latin-1"), _from_hex):
        with suppress(ValueError):
            inner = decode(text)
            if str(inner) != text and inner != "":
                yield from _decoded(inner)
    if "\n" in text:
        for part in text.split():
            yield from _decoded(part)


def _from_hex(text: str) -> str:
    return bytes.fromhex(text).decode("latin-1")


def test_nothing_of_the_other_two_is_in_any_file_of_a_packet(
    packets: dict[tuple[int, str], dict[str, Any]],
) -> None:
    for patron in STAKES:
        packet = packets[2, patron]
        pdf = packet_pdf(packet)
        streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
        plain = [zlib.decompressobj().decompress(each).decode("latin-1") for each in streams if each[:1] == b"x"]
        whole = [packet_json(packet).decode(), pdf_text(pdf), pdf.decode("latin-1"), *plain, *_decoded(packet)]
        assert any(patron in each for each in whole)
        assert len(plain) > 3
        for each in _about_others(patron):
            numbers = re.compile(rf"(?<![\w.,]){re.escape(each)}(?![\w])")
            assert not [text[:200] for text in whole if numbers.search(text)], (patron, each)


def test_the_search_would_find_them(file: Path) -> None:
    """The packet of the whole round has all of it."""
    whole = " ".join(_decoded(run_json("export", str(file), "t1", "1")))
    for each in (BOB, CY, NOTE, "76700", "767.00"):
        assert each in whole


async def test_no_digest_that_can_be_guessed_is_in_a_packet(
    file: Path, packets: dict[tuple[int, str], dict[str, Any]]
) -> None:
    """A hash without a salt over what another patron did would tell it: the few who could be there can be tried."""
    reader = await open_reader(str(file))
    events = await reader.read("t1", most=1_000)
    await reader.close()
    guessed = {digest for each in events for digest in (each.hash, sha256(each.body).digest())}
    for packet in packets.values():
        text = packet_json(packet).decode()
        values = {*_decoded(packet)}
        assert not [each.hex() for each in guessed if each.hex() in text]
        assert not [each for each in guessed if each.decode("latin-1") in values]


def test_a_round_has_nothing_for_those_who_did_not_play_in_it(file: Path) -> None:
    said = refused("export", str(file), "t1", "1", "--patron", "peveeeeeeee")
    assert "had no part in round 1" in said
    assert not any(other in said for other in STAKES)


def test_kinds_of_events_that_may_be_shown_whole_say_whose_their_amounts_are() -> None:
    """An event with an amount, and no patron beside it, could be a sum over all of them."""
    shown = {name: kind for name, kind in KINDS.items() if kind.in_packets}
    assert {"WagerPlaced", "CardExposed", "VoidAsked"} <= shown.keys()
    for name, kind in shown.items():
        hints = get_type_hints(kind, include_extras=True)
        has_amount = [each.name for each in fields(kind) if Unit.CENTS in _marks(hints[each.name])]
        assert not has_amount or {each.name for each in fields(kind)} & PATRON_FIELDS, name


def _marks(hint: Any) -> set[Any]:
    inner = [mark for each in get_args(hint) for mark in (_marks(each) if get_args(each) else ())]
    return {*getattr(hint, "__metadata__", ()), *inner}


@pytest.mark.long
@pytest.mark.parametrize(("game", "seed"), [("tiger", 8), ("fabulous-4", 29)])
async def test_packets_of_random_play_tell_of_one_patron_alone(tmp_path: Path, game: str, seed: int) -> None:
    play = RandomPlay(game, seed)
    play.play(500)
    log = [EventRecord.of(event, AT + 1_000 * at, "sam", "Dealer") for at, event in enumerate(play.log)]
    made = await _house(tmp_path / "punto.db", {"t1": (game, log)})
    reader = await open_reader(str(made))
    key = load_keys(made.with_name("punto.db.key"), {}).public_key
    logs = await published_logs(reader, key, made.with_name("log"))
    people = {"Ann", "Bob", "Cy", "Dee"}
    proved = 0
    for round_ in range(1, play.table.round_number):
        for patron in people:
            try:
                packet = await patron_packet(reader, GAMES, "t1", round_, patron, logs)
            except NoPacket:
                continue
            assert _wrong(packet) == set()
            told = {each for each in _decoded(packet) if each in people}
            assert told == {patron}, (round_, patron)
            proved += 1
    await reader.close()
    assert proved > 4


# --- that no byte of it can be changed -------------------------------------------------------------------------------


def _places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value."""
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for name, value in items:
        yield from _places(value, (*path, name))
    if not isinstance(content, dict | list):
        yield path


def _change(content: Any, path: tuple[Any, ...], at: int = 0) -> None:
    *way, last = path
    for each in way:
        content = content[each]
    value = content[last]
    if isinstance(value, str):
        content[last] = f"{value[:at]}{'1' if value[at : at + 1] != '1' else '2'}{value[at + 1 :]}"
    else:
        content[last] = (value or 0) + 1


@pytest.mark.parametrize("each", [37, pytest.param(1, marks=pytest.mark.long)])
def test_a_change_anywhere_is_found_and_named(packets: dict[tuple[int, str], dict[str, Any]], each: int) -> None:
    """Only what the house states besides is not covered: the text of a game is known by its digest."""
    packet = packets[2, ANN]
    places = [path for path in _places(packet) if path[0] != "stated" or path[1] in ("game", "clauses")]
    places.remove(("stated", "game", "digest"))
    assert len(places) > 300
    for path in places[::each]:
        length = len(str(_value(packet, path)))
        for at in {0, length // 2, max(0, length - 1)}:
            changed = deepcopy(packet)
            _change(changed, path, at)
            found = _wrong(changed)
            assert found, (path, at)
            if path[0] not in ("packet", "language", "proved", "stated", "table", "round", "patron", "how"):
                assert {about for _, about in found} == {path[0]}, path


def _value(content: Any, path: tuple[Any, ...]) -> Any:
    for each in path:
        content = content[each]
    return content


def test_events_cannot_be_left_out_added_or_exchanged(packets: dict[tuple[int, str], dict[str, Any]]) -> None:
    entries = packets[1, ANN]["proved"]["course"]["entries"]
    for change in (entries[:-1], [*entries, entries[-1]], [entries[1], entries[0], *entries[2:]]):
        changed = deepcopy(packets[1, ANN])
        changed["proved"]["course"]["entries"] = change
        assert _wrong(changed)
    changed = deepcopy(packets[1, ANN])
    changed["proved"]["course"] = packets[2, ANN]["proved"]["course"]
    assert ("about", "course") in _wrong(changed)
    changed["proved"]["course"]["entries"][0]["remark"] = "not sealed"
    assert ("form", "ValueError") in _wrong(changed)
    changed = deepcopy(packets[1, ANN])
    changed["proved"]["receipts"] = packets[1, BOB]["proved"]["receipts"]
    assert ("about", "receipt 1") in _wrong(changed)


def test_the_command_says_what_is_wrong(packets: dict[tuple[int, str], dict[str, Any]], tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(packet_json(packets[1, ANN]))
    bad.write_bytes(packet_json({**packets[1, ANN], "winner": "banker"}))
    code, said, _ = punto("verify-packet", str(good), "--key", packets[1, ANN]["proved"]["course"]["key"])
    assert (code, said.startswith("in order: ")) == (0, True)
    code, said, _ = punto("verify-packet", str(bad))
    assert (code, said.splitlines()[0]) == (1, "NOT in order: winner: this does not follow from what is proved")
    told = json.loads(punto("verify-packet", str(bad), "--json")[1])
    assert [each for each in told["checks"] if not each["ok"]] == [{"check": "account", "ok": False, "about": "winner"}]
    bad.write_text("[]")
    assert "expected a packet" in refused("verify-packet", str(bad))
    bad.write_text('{"packet": "punto-dispute-9"}')
    assert punto("verify-packet", str(bad))[0] == 1


# --- older houses ----------------------------------------------------------------------------------------------------


def test_a_log_of_an_earlier_version_proves_the_wagers_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("punto.store.trust.log_leaves.ENDING", frozenset())
        made = asyncio.run(_house(tmp_path / "punto.db", {"t1": ("baccarat", _three_patrons())}))
    packet = _exported(made, 2, ANN, "--log", str(tmp_path / "log"))
    assert _wrong(packet) == {("course-not-sealed", "course")}
    assert (packet["events"], packet["wagers"][0]["wager"]) == ([], "Player")
    assert "earlier version" in re.sub(r"\s+", " ", pdf_text(packet_pdf(packet)))


def test_a_house_without_a_log_says_that_nothing_is_proved(tmp_path: Path) -> None:
    made = asyncio.run(_house(tmp_path / "punto.db", {"t1": ("baccarat", _three_patrons())}, sealed=False))
    packet = _exported(made, 1, ANN)
    assert {code for code, _ in _wrong(packet)} == {"course-not-sealed", "not-sealed"}
    assert [each["wager"] for each in packet["wagers"]] == ["Player", "Tie"]
    assert "NOTHING HERE IS PROVED" in re.sub(r"\s+", " ", pdf_text(packet_pdf(packet)))


async def test_a_round_that_is_not_sealed_yet_is_proved_once_it_is(file: Path) -> None:
    reader = await open_reader(str(file))
    log = await recomputed_log(reader, load_keys(file.with_name("punto.db.key"), {}).public_key)
    assert log
    log.size = 10
    packet = await patron_packet(reader, GAMES, "t1", 1, ANN, [log])
    await reader.close()
    assert packet["proved"]["course"] is None
    assert LogFolder(file.with_name("log") / "1").note()


# --- packets of whole rounds -----------------------------------------------------------------------------------------


async def test_a_packet_of_a_whole_round_is_checked_by_its_chain(file: Path) -> None:
    store = SqliteStore(file)
    keys = load_keys(file.with_name("punto.db.key"), {})
    house = await House.open(store, keys, AT)
    await house.note_heads(["t1"], AT)
    packet = json.loads(packet_json(await dispute_packet(store, GAMES, "t1", 1, to_head=True)))
    without = json.loads(packet_json(await dispute_packet(store, GAMES, "t1", 1)))
    await store.close()
    assert _wrong(packet) == set()
    assert _wrong(packet, keys.public_key) == set()
    assert _wrong(packet, "00" * 32) == {("key", "integrity")}
    assert {code for code, _ in _wrong(without)} == {"head-not-reached"}
    for number, each in enumerate(packet["events"]):
        for name in ("stored", "by", "milliseconds", "hash", "hash_before"):
            changed = deepcopy(packet)
            _change(changed["events"][number], (name,))
            assert {about for _, about in _wrong(changed)} & {f"event {each['number']}", "ValueError"}, (number, name)
