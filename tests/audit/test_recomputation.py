"""The auditor: a log that was tampered with is found out, and never brings it down."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace
from properties.random_play import RandomPlay

from punto.audit.recomputation import recompute
from punto.cards import Card, parse_cards
from punto.notation import parse
from punto.notation.script_player import Player
from punto.rules.game_library import game_file
from punto.rules.rulebook import Result
from punto.rules.table_of_play import Hand
from punto.table.event import Event, Returned
from punto.table.irregularities.correction import Correction, RoundCorrected
from punto.table.irregularities.device_reset import BetsReopened
from punto.table.irregularities.differential import DecreasesAsked, DifferentialExceeded
from punto.table.irregularities.late_wagers import LateWagerRefused, OverlookedWagerSettled
from punto.table.irregularities.referral import ReferralDecided
from punto.table.irregularities.relaid_cards import CardsRelaid
from punto.table.irregularities.void import RoundVoided, VoidAsked, VoidDismissed
from punto.table.irregularities.withdrawal import WithdrawalAnswered, WithdrawalEnded, WithdrawalOffered
from punto.table.play.chips import BoughtIn
from punto.table.play.dealing import CardDrawn, CardExposed, OutcomeAnnounced
from punto.table.play.settlement import RoundSettled
from punto.table.play.shoes import ShoeEnded
from punto.table.play.wagers import BetsClosed, BetsOpened, WagerPlaced
from punto.table.play.wrong_payout import PayoutCorrected
from punto.table.roles import Role

ROUND = """
    for baccarat
    decks 4
    patron Ann 1000
    patron Bob 1000
    Dealer: load shoe one
    Dealer: place your bets
    Ann: wager Player 100 at 1
    Bob: wager Banker 100 at 2
    Dealer: no more bets
    Dealer: draw (4 times)
    Dealer: expose player 1 2s
    Dealer: expose player 2 3d
    Dealer: expose banker 1 Ah
    Dealer: expose banker 2 Ad
    Dealer: draw
    Dealer: expose player 3 Ac
    Dealer: draw
    Dealer: expose banker 3 5c
    Dealer: outcome
    Dealer: settle
    Dealer: place your bets
    Ann: wager Player 100 at 1
    Dealer: no more bets
    Dealer: draw (4 times)
    Dealer: expose player 1 9s
    Dealer: expose player 2 Kd
    Dealer: expose banker 1 2h
    Dealer: expose banker 2 3c
    Dealer: outcome
    Dealer: settle
"""


def _log() -> list[Event]:
    script = parse(ROUND)
    player = Player(script, script.runs[0])
    assert player.play() == []
    return player.log


LOG = _log()


def _at(kind: type[Event], which: int = 0) -> int:
    return [number for number, event in enumerate(LOG) if isinstance(event, kind)][which]


def _without(*numbers: int) -> list[Event]:
    return [event for number, event in enumerate(LOG) if number not in numbers]


def _changed(number: int, **fields: object) -> list[Event]:
    return [*LOG[:number], replace(LOG[number], **fields), *LOG[number + 1 :]]


def _settled(**fields: object) -> list[Event]:
    """The second wager of the first round settled, told otherwise."""
    number = _at(RoundSettled)
    event = LOG[number]
    assert isinstance(event, RoundSettled)
    return _changed(number, wagers=(event.wagers[0], replace(event.wagers[1], **fields)))


def _moved(start: int, to: int) -> list[Event]:
    rest = _without(start)
    return [*rest[:to], LOG[start], *rest[to:]]


def _swapped(one: int, other: int) -> list[Event]:
    log = list(LOG)
    log[one], log[other] = log[other], log[one]
    return log


DRAWS = [_at(CardDrawn, which) for which in range(6)]
EXPOSED = [_at(CardExposed, which) for which in range(6)]
FIRST_ROUND = range(_at(BetsOpened), _at(BetsOpened, 1))
RETURNED = (Returned("Ann", 1, "Player", 10_000), Returned("Bob", 2, "Banker", 10_000))


def _relaid(order: str) -> CardsRelaid:
    """The second round's cards laid by this order."""
    return CardsRelaid(parse_cards(order), (6, 8), (7, 9), (), (), "5.7")


def _overlooked(amount: int = 100_00, stake: int = 200_00, returned: int = 0) -> OverlookedWagerSettled:
    """Another 100 of Ann on Player, which lost in the first round, found after it."""
    before = LOG[_at(RoundSettled)].wagers[0]  # type: ignore[attr-defined]
    after = replace(before, stake=stake, settled=stake, returned=returned)
    return OverlookedWagerSettled(1, "Ann", 1, "Player", amount, "4.1", Correction(before, after, 0))


TAMPERED: dict[str, Callable[[], list[Event]]] = {
    "thirds and outcome left out": lambda: _without(*DRAWS[4:], *EXPOSED[4:], _at(OutcomeAnnounced)),
    "outcome left out": lambda: _without(_at(OutcomeAnnounced)),
    "a whole round left out": lambda: _without(*FIRST_ROUND),
    "another round opened": lambda: _changed(_at(BetsOpened, 1), round=7),
    "another round settled": lambda: _changed(_at(RoundSettled), round=7),
    "first cards to swapped hands": lambda: [
        replace(event, hand=event.hand.other) if isinstance(event, CardDrawn) and number in DRAWS[:2] else event
        for number, event in enumerate(LOG)
    ],
    "a card drawn twice": lambda: _changed(DRAWS[1], index=0),
    "a card number skipped": lambda: _changed(DRAWS[5], index=9),
    "a third card nobody is due": lambda: [
        *LOG[: _at(OutcomeAnnounced, 1)],
        CardDrawn(10, Hand.BANKER, 2),
        *LOG[_at(OutcomeAnnounced, 1) :],
    ],
    "a wager after the cards": lambda: _moved(_at(WagerPlaced), EXPOSED[3]),
    "a lost round void for nothing": lambda: [
        *LOG[: _at(RoundSettled)],
        RoundVoided(1, "order-altered", "5.2", Role.PIT_MANAGER, RETURNED),
        *LOG[_at(RoundSettled) + 1 :],
    ],
    "a lost wager taken back without an offer": lambda: [
        *LOG[: _at(RoundSettled)],
        WithdrawalAnswered("Ann", RETURNED[:1]),
        *LOG[_at(RoundSettled) :],
    ],
    "a card of another face": lambda: _changed(EXPOSED[5], card=Card.parse("9c")),
    "a card exposed again": lambda: [
        *LOG[: EXPOSED[0] + 1],
        replace(LOG[EXPOSED[0]], card=Card.parse("9h")),
        *LOG[EXPOSED[0] + 1 :],
    ],
    "more of a card than the shoe holds": lambda: [
        replace(event, card=Card.parse("Kd")) if isinstance(event, CardExposed) else event for event in LOG
    ],
    "another winner": lambda: _changed(_at(OutcomeAnnounced), winner="player"),
    "a pair that was none": lambda: _changed(_at(OutcomeAnnounced), player_pair=True),
    "a natural that was none": lambda: _changed(_at(OutcomeAnnounced), natural=True),
    "another return": lambda: _settled(returned=20_000),
    "another commission": lambda: _settled(commission=0),
    "another result": lambda: _settled(result=Result.PUSH),
    "other winnings": lambda: _settled(winnings=1),
    "another ratio": lambda: _settled(pays=Fraction(7)),
    "another part settled": lambda: _settled(settled=1),
    "settled twice": lambda: [*LOG[: _at(RoundSettled) + 1], *LOG[_at(RoundSettled) :]],
    "an exposure left out": lambda: _without(EXPOSED[2]),
    "a draw left out": lambda: _without(DRAWS[2]),
    "the opening of bets left out": lambda: _without(_at(BetsOpened)),
    "a card number out of turn": lambda: _swapped(DRAWS[0], DRAWS[1]),
    "a buy-in left out": lambda: _without(_at(BoughtIn)),
    "a round void whose report was dismissed": lambda: [
        *LOG[: _at(RoundSettled)],
        VoidAsked("order-altered", "5.2", "reported"),
        VoidDismissed("order-altered", "5.2"),
        RoundVoided(1, "order-altered", "5.2", Role.PIT_MANAGER, RETURNED),
        *LOG[_at(RoundSettled) + 1 :],
    ],
    "bets reopened for nothing": lambda: [
        *LOG[: _at(OutcomeAnnounced)],
        BetsReopened("5.9"),
        WagerPlaced("Bob", 3, "Player", 500, 500, None),
        *LOG[_at(OutcomeAnnounced) :],
    ],
    "a differential that is not exceeded": lambda: [
        *LOG[: DRAWS[0]],
        DifferentialExceeded("Player", "Banker", 0, 0, "5.18"),
        *LOG[DRAWS[0] :],
    ],
    "a decided wager offered back": lambda: [
        *LOG[: _at(OutcomeAnnounced)],
        WithdrawalOffered("power-failure-open", "5.17.1", True, ("Ann",), RETURNED[:1]),
        WithdrawalAnswered("Ann", RETURNED[:1]),
        WithdrawalEnded("power-failure-open"),
        *LOG[_at(OutcomeAnnounced) :],
    ],
    "a shoe ended in mid-round": lambda: [*LOG[: DRAWS[2]], ShoeEnded("one", "house"), *LOG[DRAWS[2] :]],
    "a second opening over an unsettled round": lambda: [*LOG[: DRAWS[0]], BetsOpened(2, ""), *LOG[DRAWS[0] :]],
    "a decision of nothing": lambda: [
        *LOG[: DRAWS[2]],
        ReferralDecided("continue", "6.1", Role.GAMING_SHIFT_MANAGER),
        *LOG[DRAWS[2] :],
    ],
    "a settled round void for nothing": lambda: [
        *LOG[: _at(RoundSettled) + 1],
        RoundCorrected(1, "referral", "6.1", None, None, ()),
        *LOG[_at(RoundSettled) + 1 :],
    ],
    "an outcome not called again after cards were laid again": lambda: [
        *LOG[: _at(OutcomeAnnounced, 1) + 1],
        _relaid("9s 2h Kd 3c"),
        *LOG[_at(OutcomeAnnounced, 1) + 1 :],
    ],
    "cards laid again that were not dealt": lambda: [
        *LOG[: _at(OutcomeAnnounced, 1)],
        _relaid("9s 2h Kd 4c"),
        *LOG[_at(OutcomeAnnounced, 1) :],
    ],
    "cards laid again in other places": lambda: [
        *LOG[: _at(OutcomeAnnounced, 1)],
        replace(_relaid("9s 2h Kd 3c"), player=(7, 8), banker=(6, 9)),
        *LOG[_at(OutcomeAnnounced, 1) :],
    ],
    "more of a late wager taken off than lies there": lambda: [
        *LOG[: DRAWS[0]],
        LateWagerRefused("Ann", 1, "Player", 90_000, "5.4", 90_000),
        *LOG[DRAWS[0] :],
    ],
    "patrons asked who have nothing on the hand": lambda: [
        *LOG[: DRAWS[0]],
        DecreasesAsked("Player", ("Zed",), "5.18.1"),
        *LOG[DRAWS[0] :],
    ],
    "a payout put right that was not wrong": lambda: [
        *LOG,
        PayoutCorrected(1, "Ann", 1, "Player", 0, 0, "4.1"),
    ],
    "more owed than was paid too much": lambda: [
        *LOG,
        PayoutCorrected(1, "Ann", 1, "Player", 0, 500, "4.1", 600),
    ],
    "an overlooked wager settled for more than it won": lambda: [*LOG, _overlooked(returned=250_00)],
    "an overlooked wager that is less than nothing": lambda: [*LOG, _overlooked(amount=-100)],
    "an overlooked wager that grew": lambda: [*LOG, _overlooked(stake=300_00)],
    "a correction of nothing": lambda: [*LOG, RoundCorrected(9, "display", "6.3", None, None, ())],
}


def test_the_log_itself_is_in_order() -> None:
    assert recompute(LOG, game_file("baccarat")).findings == []
    assert recompute([*LOG, _overlooked()], game_file("baccarat")).findings == []


@pytest.mark.parametrize("tampered", TAMPERED.values(), ids=TAMPERED)
def test_tampering_is_found(tampered: Callable[[], list[Event]]) -> None:
    assert recompute(tampered(), game_file("baccarat")).findings


@pytest.mark.parametrize("game", ["baccarat", "fabulous-4"])
def test_whatever_is_left_out_the_auditor_goes_on(game: str) -> None:
    """Any single event of real play left out: most are found out, and none brings the auditor down."""
    play = RandomPlay(game, 9)
    play.play(900)
    kinds = (CardDrawn, CardExposed, BetsOpened, BetsClosed, RoundSettled, WagerPlaced, OutcomeAnnounced)
    numbers = [number for number, event in enumerate(play.log) if isinstance(event, kinds)]
    last = max(number for number in numbers if isinstance(play.log[number], RoundSettled))
    found = 0
    looked = [number for number in numbers if number < last][::7]
    for number in looked:
        log = [*play.log[:number], *play.log[number + 1 :]]
        found += bool(recompute(log, game_file(game)).findings)
    assert found > 0.9 * len(looked)


@pytest.mark.parametrize("script", ["differential", "burn-cards", "sign-on", "second-person", "correction"])
def test_a_log_that_does_not_begin_with_the_opening_is_found_out(script: str) -> None:
    text = (Path(__file__).parents[1] / "scripts" / f"{script}.round").read_text("utf-8")
    parsed = parse(text)
    player = Player(parsed, parsed.runs[0])
    player.play()
    assert recompute(player.log[1:], game_file(parsed.runs[0].game)).findings


def test_the_corrected_commission_is_in_the_figures_of_the_day() -> None:
    from punto.books.table_results import results

    text = (Path(__file__).parents[1] / "scripts" / "correction-twice.round").read_text("utf-8")
    script = parse(text.replace("wager Player 1000", "wager Banker 1000").replace("cash out Ann 2000", "buy in Ann 1"))
    player = Player(script, script.runs[0])
    player.play()
    assert results(player.log).commission == player.table.commission
