"""Check a published record: everything the house said while the shoe was in use, and every card it dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from punto.cards import Card
from punto.shoe.cut import Pledge, cut_digest, list_digest, nonces
from punto.shoe.hidden_shoe import cards_in_order, practice_order
from punto.shoe.record import Dealt, PracticeRecord, Record
from punto.shoe.seal import commitment

_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, whether it holds, and a sentence that says what was found and where."""

    check: str
    ok: bool
    detail: str


def verify(record: Record | PracticeRecord, noted: Iterable[bytes] = ()) -> tuple[Check, ...]:
    """Return every check of a record. ``noted`` are digests written down while the shoe was in use.

    A record can be forged whole, with another secret and all that follows from it; digests noted earlier cannot.
    """
    if isinstance(record, PracticeRecord):
        detail = "a practice shoe: anyone who knew the seed knew the order, so nothing is proved"
        return (Check("kind", False, detail), _dealt(record.dealt, recomputed_order(record)))
    return (
        Check("kind", True, "a sealed shoe"),
        _commitment(record),
        *_cuts(record),
        _dealt(record.dealt, recomputed_order(record)),
        *(_noted(record, value) for value in noted),
    )


def recomputed_order(record: Record | PracticeRecord) -> tuple[Card, ...]:
    """Return the order of the cards by the record; empty if the shoe was never completely cut, since it then has no
    order.
    """
    if isinstance(record, PracticeRecord):
        return practice_order(record.seed, record.decks, record.number)
    if _missing(record.cuts[-1].pledges):
        return ()
    return cards_in_order(record.secret, _digests(record)[-1][1], record.decks)


def _commitment(record: Record) -> Check:
    ok = commitment(record.secret, record.shoe, record.decks) == record.commitment
    gives = "give" if ok else "do not give"
    detail = f"the secret, {record.shoe!r} and {record.decks} decks {gives} the commitment {record.commitment.hex()}"
    return Check("commitment", ok, detail)


def _digests(record: Record) -> list[tuple[bytes, bytes]]:
    """Return for each cut its anchor and its own digest, from the commitment the patrons saw and what they sent."""
    digests: list[tuple[bytes, bytes]] = []
    anchor = record.commitment
    for cut in record.cuts:
        value = cut_digest(list_digest(anchor, cut.pledges), cut.pledges)
        digests.append((anchor, value))
        anchor = value
    return digests


def _cuts(record: Record) -> Iterator[Check]:
    digests = _digests(record)
    left_out: set[str] = set()
    used: set[bytes] = set()
    for number, (cut, (anchor, _)) in enumerate(zip(record.cuts, digests, strict=True), start=1):
        last = number == len(record.cuts)
        yield _patrons(f"cut {number} patrons", cut.pledges, left_out)
        yield _contributions(f"cut {number} contributions", anchor, cut.pledges, used)
        ok = list_digest(anchor, cut.pledges) == cut.closed_list
        detail = f"its commitments {'give' if ok else 'do not give'} the list {cut.closed_list.hex()}"
        yield Check(f"cut {number} list", ok, detail)
        yield _ending(f"cut {number} ending", cut.pledges, last, bool(record.dealt))
        left_out |= set(_missing(cut.pledges))
        used |= nonces(cut.pledges)
    ok = digests[-1][1] == record.cut
    yield Check("cut", ok, f"what was revealed {'gives' if ok else 'does not give'} the cut {record.cut.hex()}")


def _missing(pledges: Iterable[Pledge]) -> list[str]:
    return [each.patron for each in pledges if each.revealed is None]


def _patrons(name: str, pledges: Sequence[Pledge], left_out: set[str]) -> Check:
    """Check that no patron is in a list twice, and none is back who spoiled an earlier cut."""
    times = Counter(each.patron for each in pledges)
    faults = [f"{patron!r} is in the list {often} times" for patron, often in times.items() if often > 1]
    faults += [f"{patron!r} spoiled an earlier cut and is back" for patron in times if patron in left_out]
    if faults:
        return Check(name, False, _some(faults))
    if not times:
        return Check(name, True, "no patron took part: that the secret was left to chance is the house's word only")
    return Check(name, True, f"{_number(len(times), 'patron')}: {', '.join(map(repr, times))}")


def _contributions(name: str, anchor: bytes, pledges: Sequence[Pledge], used: set[bytes]) -> Check:
    faults = []
    revealed = [(each.patron, each.commitment, each.revealed) for each in pledges if each.revealed]
    for patron, committed, contribution in revealed:
        if contribution.commitment(anchor, patron) != committed:
            faults.append(f"what {patron!r} revealed does not open the commitment")
        if contribution.nonce in used:
            faults.append(f"{patron!r} revealed a nonce of an earlier cut")
    if faults:
        return Check(name, False, _some(faults))
    return Check(name, True, f"{_number(len(revealed), 'contribution')} revealed, each as committed")


def _ending(name: str, pledges: Sequence[Pledge], last: bool, dealt: bool) -> Check:
    """Check that the last cut is complete before a card is dealt and every earlier one was spoiled: nobody chose
    a cut.
    """
    absent = _some([repr(patron) for patron in _missing(pledges)])
    if last and absent:
        return Check(name, not dealt, f"not revealed by {absent}, {'yet cards' if dealt else 'and no card'} were dealt")
    if last:
        return Check(name, True, "everyone revealed: this cut counts")
    if not absent:
        return Check(name, False, "everyone revealed, so this cut counts, yet it was replaced by another")
    return Check(name, True, f"spoiled: not revealed by {absent}")


def _dealt(dealt: Dealt, order: Sequence[Card]) -> Check:
    faults = [_fault(position, card, order) for position, card in dealt]
    before = [-1, *(position for position, _ in dealt)]
    out_of_turn = [here for last, here in pairwise(before) if here <= last]
    wrong = [fault for fault in faults if fault] + [f"position {here} is listed out of turn" for here in out_of_turn]
    if wrong:
        return Check("dealt", False, _some(wrong))
    return Check("dealt", True, f"{_number(len(dealt), 'card')} dealt, each at its position in the order")


def _fault(position: int, card: Card, order: Sequence[Card]) -> str | None:
    if position >= len(order):
        return f"position {position} was dealt, but the order has {len(order)} cards"
    here = order[position]
    return None if card == here else f"at position {position} {card} was dealt, but the order has {here} there"


def _noted(record: Record, value: bytes) -> Check:
    """Check that a noted digest is in the record, among those the other checks recompute.

    An unopened commitment is not one of them: a forger could write anything in its place.
    """
    digests = {record.commitment: (True, "the shoe's commitment"), record.cut: (True, "the cut")}
    for number, cut in enumerate(record.cuts, start=1):
        digests[cut.closed_list] = (True, f"the list of cut {number}")
        for each in cut.pledges:
            told = "" if each.revealed else ", told not to have been revealed"
            whose = f"the commitment of {each.patron!r} in cut {number}{told}"
            digests.setdefault(each.commitment, (each.revealed is not None, whose))
    ok, found = digests.get(value, (False, "nowhere in the record"))
    return Check("noted", ok, f"{value.hex()} is {found}")


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _some(texts: Sequence[str]) -> str:
    """Return a few of them, and how many more there are: a wrong secret gets hundreds of cards wrong."""
    shown = ", ".join(texts[:_MOST_SHOWN])
    rest = len(texts) - _MOST_SHOWN
    return f"{shown}, and {rest} more" if rest > 0 else shown
