"""What the public may see of each event and view, by hand: no new field becomes public unnoticed."""

from __future__ import annotations

import pytest

from punto.store.codec import KINDS
from punto.table.evolve import EVENTS
from punto.table.views import PrivateView, PublicView, StaffView
from punto.table.visibility import Audience, is_told, visible_fields

PUBLIC = {
    "TableOpened": "game digest setting",
    "TableClosed": "",
    "LimitsChanged": "limits",
    "MethodChanged": "method clause",
    "AreaRestricted": "capacity clause wager position",
    "ActingAppointed": "role since until",
    "ActingEnded": "role",
    "ShoeLoaded": "shoe decks",
    "CardsBurned": "indices first",
    "ShoeEnded": "shoe reason",
    "BetsOpened": "round announcement deadline",
    "WagerPlaced": "patron position wager amount total on_behalf_by",
    "WagerFound": "patron position wager amount",
    "WagerTakenBack": "patron position wager amount total",
    "WagerRemoved": "patron position wager amount total clause",
    "LateWagerRefused": "patron position wager amount clause taken_off",
    "DecreasesAsked": "higher patrons clause",
    "LateWithdrawalNoted": "patron position wager clause",
    "BetsClosed": "announcement",
    "DifferentialExceeded": "higher lower difference allowed clause",
    "DifferentialMet": "difference",
    "CardDrawn": "index hand place drawn_by",
    "CuttingCardShown": "first_of_round clause",
    "FirstHandChosen": "hand clause",
    "HandPassed": "hand patron clause",
    "HandDeclined": "hand patron",
    "SqueezeTimed": "hand patron deadline",
    "SqueezeEnded": "hand patron",
    "CardsLookedAt": "hand patron",
    "DeviceGiven": "patron clause",
    "DeviceAccepted": "patron clause",
    "WagerRequested": "patron position wager amount clause",
    "SqueezerNamed": "hand patron person clause",
    "TotalsAnnounced": "player_total banker_total clause",
    "DeviceReturned": "patron clause",
    "DrawingPermitted": "patron clause",
    "CardExposed": "hand place card by_patron",
    "OutcomeAnnounced": "player_total banker_total winner player_pair banker_pair natural",
    "RoundSettled": "round wagers",
    "RoundCorrected": "round provision clause coup mark",
    "VoidAsked": "provision clause why wrong_card",
    "RoundVoided": "round provision clause confirmed_by wagers",
    "Attested": "provision clause person",
    "SqueezePermitted": "hand patron clause place",
    "WithdrawalOffered": "provision clause whole patrons wagers deadline",
    "WithdrawalAnswered": "patron withdrawn",
    "WithdrawalEnded": "provision deadline",
    "PowerFailed": "decided clause",
    "Referred": "matter clause case about_round covered_by",
    "ReferralDecided": "decision clause decided_by deadline matter case",
    "ReportWithdrawn": "provision clause deadline",
    "CardsPutAside": "indices burned clause",
    "WagerReturned": "patron position wager amount clause total",
    "NewCardsOrdered": "clause",
    "VoidDismissed": "provision clause deadline",
    "CardsDrawnTogether": "indices order_known clause to_be_fixed laid",
    "CardsOrdered": "order clause",
    "FaceUpCardFound": "index clause",
    "HandlerAbsent": "hand patron clause",
    "DeviceMoved": "clause",
    "HandWronglyPassed": "hand patron clause instead_of third turned",
    "HandNotPassed": "hand entitled clause",
    "OverlookedWagerSettled": "round patron position wager amount clause",
    "PayoutCorrected": "round patron position wager due amount clause",
    "AnswerCorrected": "patron provision clause put_back withdrawn",
    "PayoutStands": "round patron position wager due amount clause",
    "CardsVoided": "indices clause",
    "HandRetrieved": "hand patron clause",
    "CardMisplaced": "index hand clause",
    "CardTooMany": "index hand clause",
    "CardsReconstructed": "player banker clause",
    "CardsRelaid": "order player banker surplus dealt_to clause",
    "ExposedInError": "clause index card",
    "CardsTaken": "hand patron clause untold",
    "CardsTakenStep": "provision clause person",
    "MissingDetermined": "clause",
    "ReaderFailed": "hand place misread",
    "ReadingOverridden": "hand place misread card person",
    "CardCorrected": "hand place before card person clause",
    "DeviceReset": "cards_seen clause only_recorded",
    "BetsReopened": "clause deadline",
}
"""The events that the public learns of, and the fields that it sees of each."""

NOT_TOLD = {
    "Filled",
    "Credited",
    "BoughtIn",
    "CashedOut",
    "DebtPaid",
    "DebtCollected",
    "DealerSignedOn",
    "DealerSignedOff",
    "PitCalled",
    "CallAnswered",
    "CountBegun",
    "CountDropped",
    "ActProposed",
    "ActConfirmed",
    "ActDropped",
    "LossLimited",
    "LossLimitEased",
    "AllowanceSet",
}
"""Who brings, takes or limits money, how full the float is, and who of the staff does what, is not for the public."""


def test_every_kind_of_event_at_a_table_was_considered() -> None:
    assert set(EVENTS) == PUBLIC.keys() | NOT_TOLD


@pytest.mark.parametrize("name", PUBLIC)
def test_the_public_sees_these_fields_of_an_event(name: str) -> None:
    assert " ".join(visible_fields(EVENTS[name], Audience.PUBLIC)) == PUBLIC[name]
    assert is_told(EVENTS[name], Audience.PUBLIC)


@pytest.mark.parametrize("name", sorted(NOT_TOLD | KINDS.keys() - EVENTS.keys()))
def test_the_public_does_not_learn_of_money_moved_nor_of_the_streams_beside_the_tables(name: str) -> None:
    assert visible_fields(KINDS[name], Audience.PUBLIC) == ()
    assert not is_told(KINDS[name], Audience.PUBLIC)


@pytest.mark.parametrize("name", sorted(KINDS))
def test_staff_see_everything(name: str) -> None:
    assert visible_fields(KINDS[name], Audience.STAFF) == KINDS[name].__struct_fields__
    assert is_told(KINDS[name], Audience.STAFF)


def test_the_views_say_the_same() -> None:
    assert visible_fields(PublicView, Audience.PUBLIC) == PublicView.__struct_fields__
    assert visible_fields(StaffView, Audience.PUBLIC) == PublicView.__struct_fields__
    assert visible_fields(PrivateView, Audience.PUBLIC) == ()
