"""What scripts cannot show easily: a shoe that runs out, and the catalogue of refusals."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from generator import parts
from msgspec.structs import replace

from punto import APPROVED, Composition, Hand, Rulebook, load, parse_cards
from punto.notation import parse
from punto.notation.actions import command as spoken
from punto.notation.script_player import Player
from punto.notation.script_writer import line
from punto.store.records import ClosedBy
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.evolve import evolve, replay
from punto.table.irregularities.correction import CorrectCard
from punto.table.irregularities.face_up import ReportFaceUp
from punto.table.irregularities.referral import Refer
from punto.table.irregularities.void import ConfirmVoid, DismissVoid, ReportVoid, RoundVoided, VoidAsked, VoidHold
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import DrawCard, ExposeCard
from punto.table.play.shoes import LoadShoe, ShoeEnded
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.settings import AreaLimit, Burn, Device, Limits, Setting
from punto.table.table import Table
from punto.table.views import public
from punto.texts import catalogue

ROOT = Path(__file__).parents[2]
DEALER, PIT_MANAGER = Actor("Sam", Role.DEALER), Actor("Pat", Role.PIT_MANAGER)


def _in_the_middle(book: Rulebook) -> Table:
    """A table with one wager, all cards of a three-three coup but the last exposed, and an empty shoe."""
    script = parse(
        f"""
        for {book.key}
        patron Ann 1000
        Dealer: load shoe one
        Dealer: place your bets
        Ann: wager Player 100 at 1
        Dealer: no more bets
        Dealer: draw (4 times)
        Dealer: expose player 1 2s
        Dealer: expose player 2 3d
        Dealer: expose banker 1 Ah
        Dealer: expose banker 2 Ad
        """
    )
    player = Player(script, script.runs[0])
    assert player.play() == []
    table = player.table
    assert table.shoe
    left = replace(table.shoe, unexposed=Composition(parse_cards("Ks")), size=table.shoe.drawn + 1)
    return replace(table, shoe=left)


def test_a_command_may_be_carried_out_up_to_the_moment_in_which_it_expires(book: Rulebook) -> None:
    given = ReportVoid(PIT_MANAGER, "insufficient-cards", at=5_000)
    refusal = decide(_in_the_middle(book), replace(given, expires=4_999))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "expired"
    assert not isinstance(decide(_in_the_middle(book), replace(given, expires=5_000)), Refusal)


@pytest.mark.shows("insufficient-cards")
def test_a_round_that_runs_out_of_cards_is_void(book: Rulebook) -> None:
    table = _in_the_middle(book)
    for command in (DrawCard(DEALER), ExposeCard(DEALER, Hand.PLAYER, 2, parse_cards("Ks")[0])):
        events = decide(table, command)
        assert not isinstance(events, Refusal)
        table = replay(table, events)
    asked = decide(table, DrawCard(DEALER))
    assert isinstance(asked, tuple)
    assert isinstance(asked[0], VoidAsked)
    assert asked[0].clause == book.clause_of("insufficient-cards")
    table = evolve(table, asked[0])
    voided = decide(table, ConfirmVoid(PIT_MANAGER))
    assert isinstance(voided, tuple)
    assert [type(event) for event in voided] == [RoundVoided, ShoeEnded]
    for event in voided:
        table = evolve(table, event)
    assert table.chips["Ann"] == 1000_00
    assert table.marks == ()
    assert isinstance(decide(table, OpenBets(DEALER)), Refusal)


def test_every_refusal_in_the_code_is_in_the_catalogue_and_the_other_way_round() -> None:
    used = set()
    for file in (file for part in ("table", "server", "store") for file in (ROOT / "src/punto" / part).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("refuse", "Refused") and node.args:
                used |= {node.args[0].value} if isinstance(node.args[0], ast.Constant) else set()
    late = {"late-wager", "late-withdrawal"}  # named by their provision
    closed = {each.value for each in ClosedBy}
    given_before = {"card-read-differs"}  # and explained for as long as a program may have stored it
    assert used | late | closed | given_before == {code.partition(".")[0] for code in catalogue("refusals")}


def test_the_page_of_refusals_is_current() -> None:
    page = (ROOT / "docs" / "refusals.md").read_text("utf-8")
    assert parts.current("docs/refusals.md") == page, "make parts updates it"


def test_a_request_is_met_by_a_wager_that_staff_place_and_by_no_other(book: Rulebook) -> None:
    script = parse(
        f"""
        for {book.key}
        limits 5-1000
        patron Ann 500
        Dealer: load shoe one
        Dealer: place your bets
        Ann: ask for Tie 20 at 3
        Ann: ask for Player 50 at 3
        Ann: wager Tie 20 at 3
        Dealer: Ann wagers Player 50 at 3
        """
    )
    player = Player(script, script.runs[0])
    assert player.play() == []
    assert [each.wager for each in player.table.round.requests] == ["Tie"]


@pytest.mark.parametrize("name", ["", "two words", "Dealer", "a;b", "x" * 501, "line\nbreak"])
def test_a_patron_is_known_by_one_word(book: Rulebook, name: str) -> None:
    answer = decide(_in_the_middle(book), BuyIn(DEALER, name, 100))
    assert isinstance(answer, Refusal)
    assert answer.code == "bad-name"
    assert len(answer.sentence(book)) < 700


REFERENCE = f"words:{'0a' * 32}"
NOTES = (
    "UPS log 17:26 [cam 4]; see desk",
    "two\nlines\tand  spaces ",
    'she said "wait"',
    '"quoted"',
    "back\\slash",
    "摄像机 3：17:26",
    "about round 3",
    "see about round 3",
    "words: 3",
    "👨\u200d👩\u200d👧",
    "a\u00a0\u2028b",
)


@pytest.mark.parametrize("words", NOTES)
def test_notes_take_any_text(book: Rulebook, words: str) -> None:
    table = _in_the_middle(book)
    for command in (Refer(DEALER, words), Refer(DEALER, "odd", note=words), Refer(DEALER, "odd", noticed_by=words)):
        assert not isinstance(decide(table, command), Refusal)
        who, _, action = line(command).partition(": ")
        (step,) = parse(f"for tiger\n{who}: {action}").steps
        assert spoken(step.line, step.who, step.action) == command


@pytest.mark.parametrize("words", ["x" * 2001, "bell\a", "turned \u202e around", "\ud800", REFERENCE, f"a {REFERENCE}"])
def test_what_people_write_can_be_read_and_is_theirs(book: Rulebook, words: str) -> None:
    table = _in_the_middle(book)
    for command in (Refer(DEALER, words), Refer(DEALER, "odd", note=words), ReportFaceUp(DEALER, noticed_by=words)):
        answer = decide(table, command)
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.case) == ("bad-words", "note")


@pytest.mark.parametrize("shoe", ["two\nlines", " padded", "[brackets]", "a; b", "a:b", "x" * 501])
def test_a_name_is_one_plain_line(book: Rulebook, shoe: str) -> None:
    answer = decide(Table(book), LoadShoe(DEALER, shoe))
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.case) == ("bad-words", None)


@pytest.mark.shows("insufficient-cards")
def test_only_a_round_that_lacks_cards_is_void_for_it(book: Rulebook) -> None:
    table = _in_the_middle(book)
    report = ReportVoid(DEALER, "insufficient-cards")
    sealed = table.changed(setting=replace(table.set_up, device=Device.SEALED))
    assert _code(sealed, report) == "enough-cards"  # one card is due and one is there
    for command in (DrawCard(DEALER), ExposeCard(DEALER, Hand.PLAYER, 2, parse_cards("Ks")[0])):
        table = _after(table, command)
    asked = decide(table, report)
    assert isinstance(asked, tuple)
    assert isinstance(asked[0], VoidAsked)
    # Found to be none, it is asked again as soon as the card is to be drawn.
    dismissed = _after(evolve(table, asked[0]), DismissVoid(PIT_MANAGER))
    assert isinstance(_after(dismissed, DrawCard(DEALER)).hold, VoidHold)
    # With the outcome called no card is due any more: a lost round cannot be undone like this.
    called = table.round_changed(phase=Phase.OUTCOME)
    assert _code(called, report) == "enough-cards"


def test_cards_that_left_the_shoe_unseen_are_not_in_it(book: Rulebook) -> None:
    table = _in_the_middle(book)
    assert table.shoe
    assert len(table.shoe.unexposed) == table.cards_left == 1
    voided = _after(_after(table, ReportVoid(DEALER, *_WRONG[book.key])), ConfirmVoid(PIT_MANAGER))
    assert voided.cards_left == 1
    next_round = _after(_after(voided, OpenBets(DEALER)), CloseBets(DEALER))
    drawn = _after(next_round, DrawCard(DEALER))
    assert drawn.cards_left == 0
    assert isinstance(_after(drawn, DrawCard(DEALER)).hold, VoidHold)


_WRONG = {key: ("foreign-cards" if key == "fabulous-4" else "wrong-cards",) for key in APPROVED}


def _after(table: Table, command: Command) -> Table:
    answer = decide(table, command)
    assert not isinstance(answer, Refusal), answer.sentence(table.book)
    return replay(table, answer)


def _code(table: Table, command: Command) -> str | None:
    answer = decide(table, command)
    return answer.code if isinstance(answer, Refusal) else None


def _setting(book: Rulebook, **other: Any) -> Setting:
    limits = {wager.name: Limits(100, 10_000) for wager in book.wagers}
    layout = book.layouts[0]
    positions = layout.positions.fewest if layout.positions else 5
    method = "B" if book.methods else None
    return replace(Setting(layout.name, positions, limits, 100, 8, Device.MANUAL, method), **other)


def test_method_c_is_chosen_by_an_assistant_casino_manager_also_when_the_table_is_opened() -> None:
    book = load("baccarat")
    setting = _setting(book, method="C", hlga=True, device=Device.CARD_READING)
    assert _code(Table(book), OpenTable(PIT_MANAGER, setting, 0)) == "not-yours"
    assert _code(Table(book), OpenTable(Actor("Kim", Role.ASSISTANT_CASINO_MANAGER), setting, 0)) is None


@pytest.mark.parametrize(
    "other",
    [
        {"decks": 8.0},
        {"stake_step": 100.0},
        {"device": "spoon"},
        {"area_capacity": 2.5},
        {"betting_seconds": -1},
        {"answer_seconds": float("nan")},
        {"confirms": "x"},
        {"confirms": Role.PATRON},
        {"positions": 10**6},
        {"positions": True},
        {"limits": {}},
        {"decks": 10**20},
        {"room": "the kitchen"},
        {"area_capacity": 0},
        {"burn": Burn(0)},
        {"burn": Burn(8 * 52)},
        {"burn": Burn(2.5)},  # type: ignore[arg-type]
        {"restricted": (AreaLimit(1, "Lucky Six", 1),)},
        {"restricted": (AreaLimit(0, "Tie", 1),)},
        {"restricted": (AreaLimit(1, "Tie", 0),)},
        {"restricted": (AreaLimit(1, "Tie", True),)},
    ],
)
def test_a_setting_of_no_sense_is_refused(book: Rulebook, other: dict[str, Any]) -> None:
    answer = decide(Table(book), OpenTable(PIT_MANAGER, _setting(book, **other), 0))
    assert isinstance(answer, Refusal)
    assert answer.sentence(book)


def test_a_room_is_one_that_the_document_names_and_puts_the_table_in_the_hlga(book: Rulebook) -> None:
    for room in book.hlga:
        opened = _after(Table(book), OpenTable(PIT_MANAGER, _setting(book, room=room), 0))
        assert (opened.set_up.hlga, opened.set_up.room) == (True, room)
    elsewhere = decide(Table(book), OpenTable(PIT_MANAGER, _setting(book, room="Main Floor"), 0))
    assert isinstance(elsewhere, Refusal)
    assert elsewhere.text_key == "bad-setting.room"
    assert elsewhere.clause(book) == book.clause_of("hlga")


def test_an_area_takes_three_wagers_by_the_rules_and_any_number_without_one(book: Rulebook) -> None:
    opened = _after(Table(book), OpenTable(PIT_MANAGER, _setting(book), 0))
    four = decide(Table(book), OpenTable(PIT_MANAGER, _setting(book, area_capacity=4), 0))
    if book.clauses_of("area-capacity"):
        assert opened.set_up.area_capacity == 3
        assert isinstance(four, Refusal)
    else:
        assert opened.set_up.area_capacity is None
        assert not isinstance(four, Refusal)


@pytest.mark.parametrize("number", [10**5000, -(10**16), 1.5, True, "7"], ids=["huge", "low", "half", "true", "text"])
def test_a_number_of_no_sense_is_refused(book: Rulebook, number: Any) -> None:
    table = _in_the_middle(book)
    for command in (
        PlaceWager(DEALER, "Ann", number, "Player", 100),
        BuyIn(DEALER, "Ann", number),
        OpenBets(DEALER, in_round=number),
    ):
        answer = decide(table, command)
        assert isinstance(answer, Refusal)
        assert answer.code == "bad-number"
        assert answer.sentence(book)


def test_nobody_changes_a_table_from_outside(book: Rulebook) -> None:
    setting = _setting(book)
    opened = _after(Table(book), OpenTable(PIT_MANAGER, setting, 0))
    before = dict(opened.set_up.limits)
    setting.limits.clear()  # type: ignore[attr-defined]
    assert opened.set_up.limits == before
    table = _in_the_middle(book)
    public(table).handlers[Hand.PLAYER] = "Mallory"  # type: ignore[index]
    assert not table.round.handlers


def test_the_real_card_is_not_corrected_on_a_sealed_shoe() -> None:
    table = _in_the_middle(load("tiger"))
    sealed = replace(table, setting=replace(table.set_up, device=Device.SEALED))
    assert _code(sealed, CorrectCard(PIT_MANAGER, Hand.PLAYER, 0, parse_cards("3d")[0])) == "sealed-shoe"
    card = _after(sealed, DrawCard(DEALER))
    assert _code(card, ExposeCard(DEALER, Hand.PLAYER, 2, parse_cards("2s")[0])) == "not-in-the-shoe"


SETTLED_BY_FOUR_CARDS = """
for baccarat
Dealer: load shoe one
Dealer: place your bets
Dealer: no more bets
Dealer: draw (4 times)
Dealer: expose player 1 2c
Dealer: expose player 2 4c
Dealer: expose banker 1 7s
Dealer: expose banker 2 Ks
Dealer: outcome
Dealer: settle
"""
RULED = """
Dealer: refer Player should have drawn about round 1
Gaming Shift Manager: order player {player}, banker 7s Ks
Gaming Shift Manager: decide to continue
"""


@pytest.mark.parametrize(
    ("rulings", "exposed"),
    [
        (["2c 3c 8s"], "2c 4c 7s Ks"),  # more cards than were dealt
        (["2c 3c 8s", "2c 5c"], "2c 5c 7s Ks"),  # and so many again
        (["3c 5c"], "3c 5c 7s Ks"),
    ],
)
def test_a_ruling_on_more_cards_than_were_dealt_takes_none_out_of_the_shoe(rulings: list[str], exposed: str) -> None:
    script = parse(SETTLED_BY_FOUR_CARDS + "".join(RULED.format(player=each) for each in rulings))
    played = Player(script, script.runs[0])
    assert played.play() == []
    shoe = played.table.shoe
    assert shoe is not None
    assert len(shoe.unexposed) == played.table.cards_left == shoe.size - 4
    assert shoe.unexposed == Composition.of_decks(8).without(parse_cards(exposed))
