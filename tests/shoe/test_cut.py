"""The cut: who may do what when, and why nobody can choose an order."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ceremony import NAME, SECRET, committed, contribution, cut_by, revealed, secret_of

from punto.shoe import Contribution, Cut, Format, ShoeError, publish, seal, sealed_shoe, verify

OPEN = Cut(seal(SECRET, NAME, 8))
LISTED = committed(OPEN, ["ana", "bo"])
DONE = revealed(LISTED, ["ana", "bo"])
AGAIN = revealed(LISTED, ["ana"]).again()
ANA = contribution("ana", OPEN)
DIGEST = bytes(32)


def test_a_cut_counts_when_everyone_in_the_list_has_revealed() -> None:
    assert not OPEN.complete
    assert not LISTED.complete
    assert LISTED.missing == ("ana", "bo")
    assert not revealed(LISTED, ["bo"]).complete
    assert DONE.complete
    assert revealed(LISTED, ["bo", "ana"]) == DONE, "it makes no difference who reveals first"


def test_a_cut_nobody_takes_part_in_counts_as_soon_as_its_list_is_closed() -> None:
    assert OPEN.close_list().complete


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (lambda: LISTED.commit("chen", DIGEST), "chen commits too late: the list of the cut is closed"),
        (lambda: OPEN.commit("ana", DIGEST).commit("ana", DIGEST), "ana has committed already"),
        (lambda: OPEN.commit("ana", b"short"), "a commitment is 32 bytes, not 5"),
        (lambda: OPEN.commit("ana\n", DIGEST), "expected 1 to 100 printable ASCII characters"),
        (lambda: OPEN.commit("", DIGEST), "expected 1 to 100 printable ASCII characters"),
        (lambda: LISTED.close_list(), "the list of the cut is closed already"),
        (lambda: OPEN.commit("ana", DIGEST).reveal("ana", ANA), "ana reveals too early: the list of the cut is still"),
        (lambda: LISTED.reveal("chen", ANA), "chen has not committed"),
        (lambda: LISTED.reveal("bo", ANA), "what bo reveals does not match their commitment"),
        (lambda: DONE.reveal("ana", ANA), "ana has revealed already"),
        (lambda: OPEN.again(), "the list of the cut is still open: no patron has failed"),
        (lambda: DONE.again(), "every patron has revealed: this cut counts, and there is no other"),
        (lambda: AGAIN.commit("bo", DIGEST), "bo did not reveal in an earlier cut of this shoe and is left"),
        (lambda: sealed_shoe(SECRET, OPEN), "the cut is not complete, the list is still open"),
        (lambda: sealed_shoe(SECRET, LISTED), "the cut is not complete, waiting for ana, bo"),
        (lambda: sealed_shoe(SECRET, AGAIN), "the cut is not complete"),
        (lambda: Contribution(b"", b"short"), "a nonce is 32 bytes, not 5"),
        (lambda: Contribution(bytes(65), DIGEST), "at most 64 bytes of words, not 65"),
        (lambda: seal(SECRET, "", 8), "shoe '': expected 1 to 100 printable"),
        (lambda: seal(SECRET, "x", 0), "a shoe holds 1 to 100 decks, not 0"),
    ],
)
def test_a_step_out_of_turn_is_refused(step: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ShoeError) as refused:
        step()
    assert sentence in str(refused.value)


def test_after_a_spoiled_cut_the_others_cut_again_and_nothing_is_carried_over() -> None:
    assert AGAIN.pledges == ()
    assert AGAIN.left_out == {"bo"}
    assert AGAIN.anchor != OPEN.anchor
    done = revealed(committed(AGAIN, ["ana"]), ["ana"])
    assert done.complete
    cuts = publish(SECRET, done).cuts
    assert [[(each.patron, each.revealed is not None) for each in cut.pledges] for cut in cuts] == [
        [("ana", True), ("bo", False)],
        [("ana", True)],
    ]


def test_what_was_revealed_in_a_spoiled_cut_cannot_be_used_again() -> None:
    """Everybody has seen it: the house could have its friends fit theirs to it."""
    cut = AGAIN.commit("ana", ANA.commitment(AGAIN.anchor, "ana")).close_list()
    with pytest.raises(ShoeError, match="a nonce of an earlier cut"):
        cut.reveal("ana", ANA)
    old = AGAIN.commit("ana", ANA.commitment(OPEN.anchor, "ana")).close_list()
    with pytest.raises(ShoeError, match="does not match their commitment"):
        old.reveal("ana", ANA)


@given(st.sets(st.sampled_from(["ana", "bo", "chen", "dita"])))
def test_whoever_withholds_the_order_does_not_go_on_without_him(honest: set[str]) -> None:
    """A house that knows the secret gets no order out of choosing who of its friends reveals."""
    everyone = ["ana", "bo", "chen", "dita"]
    cut = revealed(committed(OPEN, everyone), sorted(honest))
    if honest == set(everyone):
        assert sealed_shoe(SECRET, cut).card_at(0)
        return
    with pytest.raises(ShoeError, match="not complete"):
        sealed_shoe(SECRET, cut)
    assert cut.again().left_out == set(everyone) - honest


def test_a_copied_commitment_cannot_be_opened() -> None:
    cut = OPEN.commit("ana", ANA.commitment(OPEN.anchor, "ana"))
    cut = cut.commit("copycat", cut.pledges[0].commitment).close_list().reveal("ana", ANA)
    with pytest.raises(ShoeError, match="does not match their commitment"):
        cut.reveal("copycat", ANA)


def test_everything_about_a_cut_changes_the_order() -> None:
    """The list, its order, each word and nonce, and what was spoiled before."""
    cuts = [cut_by(*"ab"), cut_by(*"ba"), cut_by("a"), cut_by(), cut_by(*"ab", spoiled_by="c"), cut_by(*"abc")]
    for words, nonce in ((b"A", bytes(32)), (b"B", bytes(32)), (b"", bytes(31) + b"\x01"), (b"", b"\x01" + bytes(31))):
        own = Contribution(words, nonce)
        cuts.append(OPEN.commit("a", own.commitment(OPEN.anchor, "a")).close_list().reveal("a", own))
    shoes = [sealed_shoe(SECRET, cut) for cut in cuts]
    orders = {tuple(shoe.card_at(position) for position in range(20)) for shoe in shoes}
    assert len(orders) == len(cuts)


def test_the_shoes_name_and_decks_are_sealed_with_the_secret() -> None:
    shoes = [(version, name, decks) for version in Format for name in ("a", "b", "a8") for decks in (1, 8, 88)]
    made = {seal(secret_of(decks, version), name, decks, version).commitment for version, name, decks in shoes}
    assert len(made) == 18
    renamed = dataclasses.replace(DONE, seal=dataclasses.replace(DONE.seal, shoe="another"))
    with pytest.raises(ShoeError, match="not the secret that shoe 'another' was sealed with"):
        sealed_shoe(SECRET, renamed)


def test_a_secret_fits_its_format_and_its_decks() -> None:
    for secret, decks, version in ((secret_of(8), 6, Format.TWO), (secret_of(8), 8, Format.ONE)):
        with pytest.raises(ShoeError, match="does not fit"):
            seal(secret, NAME, decks, version)
    with pytest.raises(ShoeError, match="not the secret"):
        sealed_shoe(secret_of(8, Format.ONE), DONE)


def test_the_secret_is_published_however_the_shoe_ends() -> None:
    """Also before a card was dealt, and whatever state the cut was in."""
    for cut in (OPEN, OPEN.commit("ana", DIGEST), LISTED, AGAIN, DONE):
        record = publish(SECRET, cut)
        assert record.secret == SECRET.disclose()
        assert all(check.ok for check in verify(record))
