"""Irregularities at the practice table: what is called right is what the rules say, and the books balance."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from support.long import others_long

from punto import APPROVED, load
from punto.audit.recomputation import recompute
from punto.books.ledger import FLOAT, LAYOUT, Ledger
from punto.books.ledger import chips as chips_of
from punto.cards import Card
from punto.rules.game_library import game_file
from punto.rules.table_of_play import Hand
from punto.school.drills.irregularity_drill import Course, subjects
from punto.school.lesson import asked
from punto.school.practice_table import Practice
from punto.school.question import AnswerKind, Drill, DrillQuestion
from punto.school.scenarios import CASES
from punto.school.seeded_chance import Lot
from punto.table.procedures import procedures
from punto.table.roles import Role
from punto.table.round import Phase
from punto.texts import Language

DEALER, PIT_MANAGER, SHIFT_MANAGER = "Dealer", "Pit Manager", "Gaming Shift Manager"

FOLLOWS = {
    "late-wager/new": (DEALER, "turned-down"),
    "late-wager/raised": (DEALER, "turned-down"),
    "late-withdrawal/picked-up": (DEALER, "still-settles"),
    "wrong-payout/too-much": (DEALER, "payout"),
    "wager-overlooked/in-part": (PIT_MANAGER, "overlooked"),
    "wager-found/unseen": (DEALER, "recorded"),
    "wager-found/seen": (PIT_MANAGER, "recorded"),
    "wager-found/under": (DEALER, "recorded"),
    "wager-found/over": (DEALER, "recorded"),
    "differential-exceeded/raised": (DEALER, "decrease", PIT_MANAGER),
    "drawn-together/known": (DEALER, "each"),
    "drawn-together/unknown-initial": (DEALER, "void", PIT_MANAGER),
    "drawn-together/unknown-later": (DEALER, "order", PIT_MANAGER),
    "drawn-together/one-too-many": (DEALER, "referral", SHIFT_MANAGER),
    "drawn-together-late/initial": (DEALER, "void", PIT_MANAGER),
    "card-face-up/later": (DEALER, "goes-on"),
    "card-face-up/first": (DEALER, "referral", SHIFT_MANAGER),
    "misplaced/initial": (DEALER, "reconstruct", DEALER),
    "misplaced/third": (DEALER, "reconstruct", DEALER),
    "wrong-order/turned": (DEALER, "reconstruct"),
    "wrong-hands/laid": (DEALER, "reconstruct"),
    "cutting-card-first/offered": (DEALER, "each"),
    "exposed-in-error/turned": (DEALER, "goes-on"),
    "wrong-pass/not-looked": (DEALER, "retrieve", DEALER),
    "wrong-pass/looked": (DEALER, "goes-on"),
    "handler-absent/absent": (DEALER, "goes-on"),
    "squeeze/asked": (PIT_MANAGER, "goes-on"),
    "cards-taken/taken": (DEALER, "count", SHIFT_MANAGER),
    "reader-missed/open": (DEALER, "confirm-card", PIT_MANAGER),
    "reader-missed-face-down/face-down": (DEALER, "confirm-card", PIT_MANAGER),
    "reader-misread/shown": (DEALER, "confirm-card", PIT_MANAGER),
    "device-moved-exposed/exposed": (DEALER, "goes-on"),
    "device-moved-altered/altered": (DEALER, "void", PIT_MANAGER),
    "device-reset/unseen": (DEALER, "each"),
    "device-reset/seen": (DEALER, "reset", SHIFT_MANAGER),
    "device-left/left": (SHIFT_MANAGER, "goes-on"),
    "wrong-cards/found": (DEALER, "void", PIT_MANAGER),
    "order-altered/altered": (DEALER, "void", PIT_MANAGER),
    "insufficient-cards/short": (DEALER, "void", PIT_MANAGER),
    "power-failure/open": (PIT_MANAGER, "whole"),
    "power-failure/decided": (PIT_MANAGER, "goes-on"),
    "miskeyed/keyed": (PIT_MANAGER, "corrected"),
    "round-corrected/settled": (SHIFT_MANAGER, "settled-again"),
    "referral/drink": (DEALER, "referral", SHIFT_MANAGER),
    "referral/dispute": (DEALER, "referral", SHIFT_MANAGER),
    "referral/chips": (DEALER, "referral", SHIFT_MANAGER),
    "settled-round-referred/claim": (DEALER, "referral", SHIFT_MANAGER),
    "mistaken-report/recounted": (PIT_MANAGER, "goes-on"),
}
"""Written from the documents of the four games that have these rules: who acts, what follows, and who then decides."""

ITS_OWN = {
    "drawn-together/known": (DEALER, "goes-on"),
    "drawn-together/unknown-later": (DEALER, "referral", PIT_MANAGER),
    "drawn-together/one-too-many": (DEALER, "void", PIT_MANAGER),
    "wager-found/under": (DEALER, "referral", PIT_MANAGER),
    "wager-found/over": (DEALER, "referral", PIT_MANAGER),
    "wrong-number-of-cards/found": (DEALER, "void", PIT_MANAGER),
    "wrong-number-of-cards/settled": (DEALER, "void", PIT_MANAGER),
    "foreign-cards/found": (DEALER, "void", PIT_MANAGER),
    "round-corrected/settled": (PIT_MANAGER, "settled-again"),
    "referral/drink": (DEALER, "referral", PIT_MANAGER),
    "referral/dispute": (DEALER, "referral", PIT_MANAGER),
    "referral/chips": (DEALER, "referral", PIT_MANAGER),
    "settled-round-referred/claim": (DEALER, "referral", PIT_MANAGER),
}
"""Where Fabulous 4 differs: it has no rule on withdrawal or referral, and the house decides."""


CLAUSES = {
    "differential-exceeded/raised": ("5.18",),
    "drawn-together/known": ("5.8", "5.8.1"),
    "drawn-together/unknown-initial": ("5.8.2.1",),
    "drawn-together/unknown-later": ("5.8.2.2",),
    "drawn-together-late/initial": ("5.8.2.1",),
    "drawn-together/one-too-many": ("6.1",),
    "card-face-up/later": ("5.6",),
    "card-face-up/first": ("6.1",),
    "wrong-pass/not-looked": ("5.7",),
    "wrong-pass/looked": ("5.7.1",),
    "exposed-in-error/turned": ("5.7.1",),
    "wager-found/under": ("5.14",),
    "wager-found/over": ("5.15",),
    "device-left/left": ("6.1",),
}
"""Where several clauses stand close together: on which of them what follows rests, in the four games that have them."""

ITS_OWN_CLAUSES: dict[str, tuple[str, ...]] = {
    "drawn-together/known": (),
    "drawn-together/unknown-initial": ("5.3",),
    "drawn-together/unknown-later": (),
    "drawn-together-late/initial": ("5.3",),
    "drawn-together/one-too-many": ("5.2",),
    "wager-found/under": (),
    "wager-found/over": (),
}


@cache
def irregularity(game: str, subject: str, seed: int = 0) -> DrillQuestion:
    """Return a question, made once for all tests: a whole round is played for each."""
    return asked(load(game), Drill.IRREGULARITIES, subject, seed)


def _who_and_what(question: DrillQuestion) -> tuple[str, ...]:
    """Who acts and what follows, and then who decides first."""
    roles = {role.value for role in Role}
    rights = [moment.right for moment in question.moments[1:]]
    later = [right for right in rights[2:] if right in roles]
    return (*rights[:2], *later[:1])


@pytest.mark.parametrize("game", others_long(APPROVED))
def test_every_irregularity_goes_as_the_documents_say(game: str) -> None:
    book = load(game)
    expected = FOLLOWS | (ITS_OWN if game == "fabulous-4" else {})
    for (subject,) in subjects(book):
        for seed in range(2):
            question = irregularity(game, subject, seed)
            assert question.moments[0].right == subject.partition("/")[0]
            assert _who_and_what(question) == expected[subject], subject


@pytest.mark.parametrize("game", APPROVED)
def test_what_follows_rests_on_the_clause_of_the_very_case(game: str) -> None:
    book = load(game)
    expected = CLAUSES | (ITS_OWN_CLAUSES if game == "fabulous-4" else {})
    for (subject,) in subjects(book):
        if subject in expected:
            what, who, follows, *_ = irregularity(game, subject).moments
            assert what.clauses == follows.clauses == expected[subject], subject
            assert set(who.clauses) >= set(expected[subject]), subject


@pytest.mark.parametrize("game", APPROVED)
def test_nothing_that_is_true_is_offered_as_a_wrong_answer(game: str) -> None:
    """What the documents put together is not told apart; and what no rule covers may be called that."""
    together = {"misplaced": "goes-on", "/known": "reconstruct", "reset/seen": "each"}
    uncovered = {"card-face-up/first", "device-left/left"}
    if game == "fabulous-4":
        uncovered |= {"wager-found/under", "wager-found/over", "drawn-together/unknown-later"}
    else:
        together["unknown-later"] = "whole"
        uncovered |= {"drawn-together/one-too-many"}
    book = load(game)
    for (subject,) in subjects(book):
        if subject not in uncovered and not any(part in subject for part in together):
            continue
        for seed in range(8):
            what, _, follows, *_ = irregularity(game, subject, seed).moments
            offered = {option.key for option in follows.ask.options} - {follows.right}
            assert not offered & {true for part, true in together.items() if part in subject}, subject
            assert subject not in uncovered or "referral" not in {option.key for option in what.ask.options}


def test_every_procedure_of_the_catalogue_is_practised() -> None:
    not_practised = {"too-many-turned"}
    assert CASES.keys() == {each.key for each in procedures()} - not_practised
    practised = {subject for game in APPROVED for (subject,) in subjects(load(game))}
    assert practised == FOLLOWS.keys() | ITS_OWN.keys()


@pytest.mark.parametrize("game", APPROVED)
def test_whatever_goes_wrong_the_round_ends_and_the_books_balance(game: str) -> None:
    book = load(game)
    for (subject,) in subjects(book):
        course = Course(book, subject, Lot("books", game, subject))
        question = course.question()
        practice = course.practice
        _check_books(game, practice)
        assert practice.table.hold is None
        assert practice.table.phase is Phase.IDLE, subject
        stands = subject == "settled-round-referred/claim"  # it may: then nothing is handed back
        assert stands or question.moments[-1].ask.kind is AnswerKind.AMOUNT, "what is handed back is asked last"


def _check_books(game: str, practice: Practice) -> None:
    ledger, audit, table = Ledger(practice.log), recompute([], game_file(game)), practice.table
    for event in practice.log:
        audit.look_at(event)
    assert not audit.findings
    assert sum(ledger.balances.values()) == 0
    assert ledger.balances[FLOAT] == table.float_ == audit.float_
    assert ledger.balances[LAYOUT] == 0
    for patron, chips in table.chips.items():
        assert ledger.balances[chips_of(patron)] == chips == audit.chips[patron]


@pytest.mark.parametrize("game", APPROVED)
def test_the_position_named_is_the_lowest_the_table_takes_it_from(game: str) -> None:
    order = [role.value for role in Role]
    book = load(game)
    for (subject,) in subjects(book):
        question = irregularity(game, subject)
        for moment in question.moments:
            if {each.key for each in moment.ask.options} != set(order):
                continue
            for role in order[: order.index(moment.right)]:
                refused = moment.remark(role).refusal
                assert refused, (subject, role)
                assert refused.code == "not-yours"
            assert moment.remark(moment.right).refusal is None


def test_a_wrong_report_is_refused_by_the_table_or_known_for_what_it_is() -> None:
    book = load("baccarat")
    refused = set()
    for (subject,), seed in product(subjects(book), range(3)):
        question = irregularity(book.key, subject, seed)
        first = question.moments[0]
        for option in first.ask.options:
            if option.key == first.right:
                continue
            remark = first.remark(option.key)
            assert remark.words
            if remark.refusal:
                refused.add(remark.refusal.code)
                assert remark.refusal.sentence(book)
    assert {"enough-cards", "order-does-not-fit", "no-such-card"} <= refused


def test_steps_out_of_turn_are_refused_by_the_table() -> None:
    question = irregularity("tiger", "cards-taken/taken")
    steps = [each for each in question.moments if each.right.startswith("cards-taken-")]
    assert [each.right for each in steps] == [
        "cards-taken-sealed",
        "cards-taken-sorted",
        "cards-taken-computed",
        "cards-taken-replaced",
    ]
    for moment in steps:
        for option in moment.ask.options:
            if option.key != moment.right:
                refused = moment.remark(option.key).refusal
                assert refused
                assert refused.code == "not-this-step"


@pytest.mark.parametrize("game", APPROVED)
def test_nothing_is_seen_of_a_card_before_it_is_turned(game: str) -> None:
    """What a scene shows of the hands is what the table's own state knows, and that knows no card face down."""
    book = load(game)
    for (subject,) in subjects(book):
        question = irregularity(game, subject)
        for moment in question.moments:
            table = moment.scene.table
            assert table
            for hand in Hand:
                assert moment.scene.hands[hand] == tuple(place.card for place in table.round.hands[hand])
    cards = irregularity("tiger", "cards-taken/taken").moments[0].scene
    assert not any(isinstance(card, Card) for card in cards.hands[Hand.PLAYER])
    assert all("♠" not in each.text(Language.ENGLISH) for each in cards.told)
