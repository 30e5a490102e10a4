"""The cut: patrons commit to contributions, the list of commitments is closed, and only then does anyone reveal.

A cut counts only when every commitment in its list has been opened. If a patron does not reveal, the cut is spoiled: it
is kept on record, that patron is left out, and the others cut again with fresh contributions. If the missing
contribution were simply ignored, a house that knows the secret could have accomplices at the table withhold or reveal
theirs after seeing all others, and so choose among orders. docs/fairness.md explains it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from punto.shoe.encoding import NEWEST, SIZE, Format, ShoeError, check_name, digest
from punto.shoe.seal import Seal
from punto.texts import text

MOST_WORDS = 64


class CutError(ShoeError):
    """A step that a cut does not allow now: which case of ``cannot-be`` it is among the refusals, and its values."""

    def __init__(self, case: str, **values: object) -> None:
        super().__init__(text("refusals", f"cannot-be.{case}", **values))
        self.case, self.values = case, values


@dataclass(frozen=True, slots=True)
class Contribution:
    """A patron's contribution to the cut: optional words of their choice, and an unpredictable nonce of 32 bytes.

    Both enter the order. The nonce is fresh for every cut, from the patron's own device.
    """

    words: bytes
    nonce: bytes

    def __post_init__(self) -> None:
        if not all(isinstance(each, bytes) for each in (self.words, self.nonce)):
            raise ShoeError("words and nonce are bytes: encode() makes them from text")
        if len(self.words) > MOST_WORDS:
            raise ShoeError(f"a contribution has at most {MOST_WORDS} bytes of words, not {len(self.words)}")
        if len(self.nonce) != SIZE:
            raise ShoeError(f"a nonce is {SIZE} bytes, not {len(self.nonce)}")

    def commitment(self, anchor: bytes, patron: str, version: Format = NEWEST) -> bytes:
        """Return what the patron sends first. It contains the anchor, so it is later, and their id, so it cannot be
        copied.
        """
        return digest(version, "contribution", anchor, patron, self.words, self.nonce)


@dataclass(frozen=True, slots=True)
class Pledge:
    """A patron's commitment, and the contribution that opened it if they revealed one."""

    patron: str
    commitment: bytes
    revealed: Contribution | None = None


def list_digest(version: Format, anchor: bytes, pledges: Iterable[Pledge]) -> bytes:
    """Return the digest of the list of commitments, published when the list is closed: patrons note it before they
    reveal.
    """
    return digest(version, "list", anchor, *(field for each in pledges for field in (each.patron, each.commitment)))


def cut_digest(version: Format, closed_list: bytes, pledges: Iterable[Pledge]) -> bytes:
    """Return the digest of the whole cut: the list, and what each patron revealed; two empty fields if they did not."""
    revealed = ((each.revealed.words, each.revealed.nonce) if each.revealed else (b"", b"") for each in pledges)
    return digest(version, "cut", closed_list, *(field for pair in revealed for field in pair))


def nonces(pledges: Iterable[Pledge]) -> set[bytes]:
    """Return the revealed nonces. One reused in a later cut would be known to the house before it counts."""
    return {each.revealed.nonce for each in pledges if each.revealed}


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut in progress or done. Every step returns a new cut or raises ``ShoeError``."""

    seal: Seal
    pledges: tuple[Pledge, ...] = ()
    list_closed: bool = False
    spoiled: tuple[Cut, ...] = ()
    """The spoiled cuts of this shoe before this one, in order."""

    @property
    def anchor(self) -> bytes:
        """What this cut comes after: the seal's commitment or, after a spoiled cut, the digest of that one."""
        return self.spoiled[-1].value if self.spoiled else self.seal.commitment

    @property
    def left_out(self) -> frozenset[str]:
        """Patrons who spoiled an earlier cut of this shoe."""
        return frozenset(patron for cut in self.spoiled for patron in cut.missing)

    @property
    def missing(self) -> tuple[str, ...]:
        """Patrons who committed and have not revealed."""
        return tuple(each.patron for each in self.pledges if each.revealed is None)

    @property
    def complete(self) -> bool:
        """Whether this is the cut that counts: the list is closed and everyone in it has revealed."""
        return self.list_closed and not self.missing

    @property
    def closed_list(self) -> bytes:
        """The digest of the list of commitments, published when the list is closed."""
        return list_digest(self.seal.version, self.anchor, self.pledges)

    @property
    def value(self) -> bytes:
        """The digest of the whole cut."""
        return cut_digest(self.seal.version, self.closed_list, self.pledges)

    def commit(self, patron: str, commitment: bytes) -> Cut:
        """Add a patron's commitment to the list."""
        check_name("patron", patron)
        if self.list_closed:
            raise CutError("cut-commits-late", patron=patron)
        if patron in self.left_out:
            raise CutError("cut-left-out", patron=patron)
        if any(each.patron == patron for each in self.pledges):
            raise CutError("cut-committed", patron=patron)
        if len(commitment) != SIZE:
            raise ShoeError(f"patron {patron!r}: a commitment is {SIZE} bytes, not {len(commitment)}")
        return replace(self, pledges=(*self.pledges, Pledge(patron, commitment)))

    def close_list(self) -> Cut:
        """Take no more commitments. From here on contributions may be revealed."""
        if self.list_closed:
            raise CutError("cut-list-closed")
        return replace(self, list_closed=True)

    def reveal(self, patron: str, contribution: Contribution) -> Cut:
        """Open a patron's commitment."""
        if not self.list_closed:
            raise CutError("cut-reveals-early", patron=patron)
        pledge = next((each for each in self.pledges if each.patron == patron), None)
        if pledge is None:
            raise CutError("cut-not-committed", patron=patron)
        if pledge.revealed:
            raise CutError("cut-revealed", patron=patron)
        if contribution.commitment(self.anchor, patron, self.seal.version) != pledge.commitment:
            raise CutError("cut-not-as-committed", patron=patron)
        if contribution.nonce in nonces(each for cut in self.spoiled for each in cut.pledges):
            raise CutError("cut-nonce-used", patron=patron)
        opened = replace(pledge, revealed=contribution)
        return replace(self, pledges=tuple(opened if each is pledge else each for each in self.pledges))

    def again(self) -> Cut:
        """Return the next cut after a spoiled one: without those who did not reveal, and with nothing carried over."""
        if not self.list_closed:
            raise CutError("cut-list-open")
        if not self.missing:
            raise CutError("cut-complete")
        return Cut(self.seal, spoiled=(*self.spoiled, self))
