"""Check a published record: everything the house said while the shoe was in use, and every card it dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from punto.cards import Card
from punto.shoe.conduct import Conduct
from punto.shoe.cut import Pledge, cut_digest, list_digest, nonces
from punto.shoe.encoding import Format
from punto.shoe.hidden_shoe import cards_in_order, practice_order
from punto.shoe.record import Dealt, PracticeRecord, Record
from punto.shoe.seal import commitment
from punto.shoe.shuffle import OutOfWords
from punto.texts import Language, catalogue, text

_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Detail:
    """What was found and where: a code with values. Its sentence is in ``texts``, under ``checked.``."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def sentence(self, language: Language = Language.ENGLISH) -> str:
        return text("findings", f"checked.{self.code}", language, **self.values)


def detail(code: str, **values: object) -> Detail:
    """Make a detail by its code, which must be in the catalogue."""
    assert f"checked.{code}" in catalogue("findings"), code
    return Detail(code, values)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, whether it holds, and what was found."""

    subject: str
    ok: bool
    details: tuple[Detail, ...]
    cut: int | None = None
    """The number of the cut, for a check of one cut."""

    @property
    def name(self) -> str:
        """Return the subject, with the number of its cut."""
        return self.subject if self.cut is None else f"cut {self.cut} {self.subject}"

    def sentence(self, language: Language = Language.ENGLISH) -> str:
        """Return what was found, in words."""
        return catalogue("names", language)["list.separator"].join(each.sentence(language) for each in self.details)


def verify(record: Record | PracticeRecord, noted: Iterable[bytes] = ()) -> tuple[Check, ...]:
    """Return every check of a record. ``noted`` are digests written down while the shoe was in use.

    A record can be forged whole, with another secret and all that follows from it; digests noted earlier cannot.
    """
    if isinstance(record, PracticeRecord):
        return (Check("kind", False, (detail("kind.practice"),)), _dealt(record.dealt, recomputed_order(record)))
    order = recomputed_order(record)
    return (
        Check("kind", True, (detail("kind.sealed"),)),
        _commitment(record),
        *_cuts(record),
        *_begun(record),
        *_cutters(record),
        *_order(record, order),
        _dealt(record.dealt, order),
        *(_noted(record, value) for value in noted),
    )


def recomputed_order(record: Record | PracticeRecord) -> tuple[Card, ...]:
    """Return the order of the cards by the record.

    It is empty if the shoe has none: because it was never completely cut, or because its words ran out.
    """
    if isinstance(record, PracticeRecord):
        return practice_order(record.seed, record.decks, record.number)
    if _missing(record.cuts[-1].pledges):
        return ()
    try:
        return cards_in_order(record.version, record.secret, _digests(record)[-1][1], record.decks)
    except OutOfWords:
        return ()


def _commitment(record: Record) -> Check:
    ok = commitment(record.version, record.secret, record.shoe, record.decks) == record.commitment
    code = "commitment.holds" if ok else "commitment.fails"
    found = detail(code, shoe=record.shoe, decks=record.decks, digest=record.commitment.hex())
    return Check("commitment", ok, (found,))


def _digests(record: Record) -> list[tuple[bytes, bytes]]:
    """Return for each cut its anchor and its own digest, from the commitment the patrons saw and what they sent."""
    digests: list[tuple[bytes, bytes]] = []
    anchor = record.commitment
    for cut in record.cuts:
        value = cut_digest(record.version, list_digest(record.version, anchor, cut.pledges), cut.pledges)
        digests.append((anchor, value))
        anchor = value
    return digests


def _cuts(record: Record) -> Iterator[Check]:
    digests = _digests(record)
    left_out: set[str] = set()
    used: set[bytes] = set()
    for number, (cut, (anchor, _)) in enumerate(zip(record.cuts, digests, strict=True), start=1):
        last = number == len(record.cuts)
        yield _patrons(number, cut.pledges, left_out)
        yield _contributions(record.version, number, anchor, cut.pledges, used)
        ok = list_digest(record.version, anchor, cut.pledges) == cut.closed_list
        found = detail("list.holds" if ok else "list.fails", digest=cut.closed_list.hex())
        yield Check("list", ok, (found,), number)
        ending_ok, ending = _ending(cut.pledges, last, bool(record.dealt))
        yield Check("ending", ending_ok, (ending,), number)
        if cut.conduct:
            yield _conduct(number, cut.conduct)
        left_out |= set(_missing(cut.pledges))
        used |= nonces(cut.pledges)
    ok = digests[-1][1] == record.cut
    yield Check("cut", ok, (detail("cut.holds" if ok else "cut.fails", digest=record.cut.hex()),))


def _missing(pledges: Iterable[Pledge]) -> list[str]:
    return [each.patron for each in pledges if each.revealed is None]


def _patrons(cut: int, pledges: Sequence[Pledge], left_out: set[str]) -> Check:
    """Check that no patron is in a list twice, and that none comes back after spoiling an earlier cut."""
    times = Counter(each.patron for each in pledges)
    faults = [detail("patrons.twice", patron=patron, times=often) for patron, often in times.items() if often > 1]
    faults += [detail("patrons.back", patron=patron) for patron in times if patron in left_out]
    if faults:
        return Check("patrons", False, _some(faults), cut)
    found = detail("patrons.listed", count=len(times), patrons=list(times)) if times else detail("patrons.none")
    return Check("patrons", True, (found,), cut)


def _contributions(version: Format, cut: int, anchor: bytes, pledges: Sequence[Pledge], used: set[bytes]) -> Check:
    faults = []
    revealed = [(each.patron, each.commitment, each.revealed) for each in pledges if each.revealed]
    for patron, committed, contribution in revealed:
        if contribution.commitment(anchor, patron, version) != committed:
            faults.append(detail("contributions.not-opened", patron=patron))
        if contribution.nonce in used:
            faults.append(detail("contributions.old-nonce", patron=patron))
    if faults:
        return Check("contributions", False, _some(faults), cut)
    return Check("contributions", True, (detail("contributions.revealed", count=len(revealed)),), cut)


def _ending(pledges: Sequence[Pledge], last: bool, dealt: bool) -> tuple[bool, Detail]:
    """Check that the last cut is complete before a card is dealt, and that every earlier one was spoiled.

    So the house cannot choose among cuts.
    """
    absent = _missing(pledges)
    if last and absent:
        return not dealt, detail("ending.dealt" if dealt else "ending.not-dealt", patrons=absent)
    if last:
        return True, detail("ending.counts")
    return (True, detail("ending.spoiled", patrons=absent)) if absent else (False, detail("ending.replaced"))


def _conduct(cut: int, told: Conduct) -> Check:
    """Check that patrons had their time, by what the house says of it."""
    if told.closed is None:
        return Check("conduct", told.is_fair, (detail("conduct.open"),), cut)
    about = {"person": told.closed_by, "position": told.position, "seconds": told.seconds}
    about |= {"absent": told.absent, "declined": told.declined}
    found = [detail("conduct.early" if told.is_early else "conduct.in-time", **about)]
    if told.left_out:
        found.append(detail("conduct.left-out", patrons=told.left_out))
    if told.spoiled is not None:
        hasty = told.is_given_up_early
        found.append(detail("conduct.given-up-early" if hasty else "conduct.given-up", person=told.spoiled_by))
    counted = len(told.left_out) in (0, told.absent)
    if not counted:
        found.append(detail("conduct.miscounted", count=len(told.left_out), absent=told.absent))
    return Check("conduct", told.is_fair and counted, tuple(found), cut)


def _begun(record: Record) -> Iterator[Check]:
    """Say how often the shoe was cut, where the record says how."""
    if all(cut.conduct for cut in record.cuts):
        early = sum(cut.conduct.is_early for cut in record.cuts if cut.conduct)
        yield Check("begun", True, (detail("begun", count=len(record.cuts), early=early),))


def _cutters(record: Record) -> Iterator[Check]:
    """Check that a shoe that no patron cut is called that, and no other is."""
    if record.without_cut is None:
        return
    count = len(record.cut_by)
    if record.without_cut == bool(count):
        yield Check("cutters", False, (detail("cutters.fails", count=count),))
    else:
        yield Check("cutters", True, (detail("cutters.some", count=count) if count else detail("cutters.none"),))


def _order(record: Record, order: Sequence[Card]) -> Iterator[Check]:
    """Say of a shoe that its words ran out, so that it has no order and nothing may be dealt from it."""
    if not order and not _missing(record.cuts[-1].pledges):
        yield Check("order", not record.dealt, (detail("order.none"),))


def _dealt(dealt: Dealt, order: Sequence[Card]) -> Check:
    faults = [fault for position, card in dealt if (fault := _fault(position, card, order))]
    before = [-1, *(position for position, _ in dealt)]
    faults += [detail("dealt.out-of-turn", position=here) for last, here in pairwise(before) if here <= last]
    if faults:
        return Check("dealt", False, _some(faults))
    return Check("dealt", True, (detail("dealt.in-order", count=len(dealt)),))


def _fault(position: int, card: Card, order: Sequence[Card]) -> Detail | None:
    if position >= len(order):
        return detail("dealt.beyond", position=position, cards=len(order))
    here = order[position]
    return None if card == here else detail("dealt.differs", position=position, card=str(card), here=str(here))


def _noted(record: Record, value: bytes) -> Check:
    """Check that a noted digest is in the record, among those the other checks recompute.

    A commitment that was not opened is none of them: a forger could write down anything for it.
    """
    digest = value.hex()
    found = {
        record.commitment: detail("noted.commitment", digest=digest),
        record.cut: detail("noted.cut", digest=digest),
    }
    for number, cut in enumerate(record.cuts, start=1):
        found[cut.closed_list] = detail("noted.list", digest=digest, cut=number)
        for each in cut.pledges:
            code = "noted.pledge" if each.revealed else "noted.not-revealed"
            found.setdefault(each.commitment, detail(code, digest=digest, patron=each.patron, cut=number))
    told = found.get(value, detail("noted.nowhere", digest=digest))
    return Check("noted", told.code not in ("noted.nowhere", "noted.not-revealed"), (told,))


def _some(details: Sequence[Detail]) -> tuple[Detail, ...]:
    """Return the first details, and how many more there are: a wrong secret gets hundreds of cards wrong."""
    rest = len(details) - _MOST_SHOWN
    return (*details[:_MOST_SHOWN], detail("more", rest=rest)) if rest > 0 else tuple(details)
