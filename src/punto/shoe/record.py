"""The record of a shoe that has ended, as the house publishes it: everything needed to check every card."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from punto.cards import Card, CardError
from punto.rules.toml_section import GameFileError, Section, matching
from punto.shoe.conduct import Conduct, conduct_as_json, read_conduct
from punto.shoe.cut import MOST_WORDS, Contribution, Cut, Pledge
from punto.shoe.encoding import MOST_DECKS, NAME, NEWEST, SIZE, Format, ShoeError, secret_size
from punto.shoe.hidden_shoe import PRACTICE, ShoeKind
from punto.shoe.seal import check_secret
from punto.shoe.secret import Secret

Dealt = tuple[tuple[int, Card], ...]
"""Exposed cards, each with its position, in the order of the positions."""


@dataclass(frozen=True, slots=True)
class PublishedCut:
    """One cut of a shoe: its commitments with what was revealed, and the list as it was announced when it closed."""

    pledges: tuple[Pledge, ...]
    closed_list: bytes
    conduct: Conduct | None = None
    """How it was conducted; older records do not say."""


@dataclass(frozen=True, slots=True)
class Record:
    """A sealed shoe that has ended. Its secret is now public."""

    shoe: str
    decks: int
    commitment: bytes
    cuts: tuple[PublishedCut, ...]
    """All the cuts in order; all but the last were spoiled."""
    cut: bytes
    """The digest of the last cut, announced when it was complete."""
    secret: bytes
    dealt: Dealt = ()
    version: Format = NEWEST
    without_cut: bool | None = None
    """Whether the house calls it a shoe without a cut; records of the first format do not say."""

    @property
    def cut_by(self) -> tuple[str, ...]:
        """The patrons in the cut that counts, by what they sent."""
        return tuple(each.patron for each in self.cuts[-1].pledges)


@dataclass(frozen=True, slots=True)
class PracticeRecord:
    """A practice shoe. It proves nothing: anyone who knew the seed knew the order."""

    seed: int
    number: int
    decks: int
    dealt: Dealt = ()


def publish(
    secret: Secret, cut: Cut, dealt: Iterable[tuple[int, Card]] = (), conducts: Sequence[Conduct] = ()
) -> Record:
    """Publish the secret of a shoe, however it ended: dealt out, given up in the middle, or before it was cut.

    ``conducts`` say how its cuts were conducted, in order.
    """
    sealed = cut.seal
    check_secret(secret, sealed)
    closed = cut if cut.list_closed else cut.close_list()
    return Record(
        shoe=sealed.shoe,
        decks=sealed.decks,
        commitment=sealed.commitment,
        cuts=tuple(
            PublishedCut(each.pledges, each.closed_list, conduct)
            for each, conduct in zip_longest((*closed.spoiled, closed), conducts)
        ),
        cut=closed.value,
        secret=secret.disclose(),
        dealt=tuple(sorted(dealt, key=_at)),
        version=sealed.version,
        without_cut=None if sealed.version is Format.ONE else not closed.pledges,
    )


def practice_record(seed: int, decks: int, number: int = 1, dealt: Iterable[tuple[int, Card]] = ()) -> PracticeRecord:
    """Return the record of a practice shoe."""
    return PracticeRecord(seed, number, decks, tuple(sorted(dealt, key=_at)))


def as_json(record: Record | PracticeRecord) -> dict[str, object]:
    """Return a record as published."""
    dealt = [[position, str(card)] for position, card in record.dealt]
    if isinstance(record, PracticeRecord):
        facts = {"format": PRACTICE, "kind": ShoeKind.PRACTICE.value, "seed": record.seed, "number": record.number}
        return {**facts, "decks": record.decks, "dealt": dealt}
    return {
        "format": record.version.value,
        "kind": ShoeKind.SEALED.value,
        "shoe": record.shoe,
        "decks": record.decks,
        **({} if record.without_cut is None else {"without_cut": record.without_cut}),
        "commitment": record.commitment.hex(),
        "cuts": [_cut_as_json(each) for each in record.cuts],
        "cut": record.cut.hex(),
        "secret": record.secret.hex(),
        "dealt": dealt,
    }


def _cut_as_json(cut: PublishedCut) -> dict[str, object]:
    told: dict[str, object] = {
        "patrons": [_pledge_as_json(each) for each in cut.pledges],
        "list": cut.closed_list.hex(),
    }
    return told | {"conduct": conduct_as_json(cut.conduct)} if cut.conduct else told


def read_record(text: str, file: str = "the record") -> Record | PracticeRecord:
    """Parse a published record; an error names the file, the place and what was expected there."""
    try:
        top = Section(file, "", json.loads(text, object_pairs_hook=_no_key_twice))
        record = _read_practice(top) if top.one_of("kind", ShoeKind) == ShoeKind.PRACTICE else _read_sealed(top)
        top.end()
    except GameFileError as error:
        raise ShoeError(str(error)) from None
    except (ValueError, RecursionError) as error:
        raise ShoeError(f"{file}: not JSON: {error}") from None
    return record


def _read_practice(top: Section) -> PracticeRecord:
    top.one_of("format", (PRACTICE,))
    return PracticeRecord(
        seed=top.take("seed", "a whole number", _as_whole),
        number=top.take("number", "a whole number", _as_whole),
        decks=top.whole("decks", 1, MOST_DECKS),
        dealt=_dealt(top),
    )


def _read_sealed(top: Section) -> Record:
    version = Format(top.one_of("format", Format))
    cuts = tuple(_cut(section) for section in top.sections("cuts"))
    if not cuts:
        top.refuse("expected at least one cut; where no patron took part, its list of patrons is empty", "cuts")
    decks = top.whole("decks", 1, MOST_DECKS)
    size = secret_size(version, decks)
    return Record(
        shoe=_name(top, "shoe"),
        decks=decks,
        commitment=_hexadecimal(top, "commitment"),
        cuts=cuts,
        cut=_hexadecimal(top, "cut"),
        secret=_hexadecimal(top, "secret", size, size),
        dealt=_dealt(top),
        version=version,
        without_cut=None if version is Format.ONE else top.yes_no("without_cut"),
    )


def _cut(section: Section) -> PublishedCut:
    told = section.maybe_section("conduct")
    cut = PublishedCut(
        pledges=tuple(_pledge(each) for each in section.sections("patrons")),
        closed_list=_hexadecimal(section, "list"),
        conduct=read_conduct(told) if told else None,
    )
    section.end()
    return cut


def _pledge(section: Section) -> Pledge:
    patron, commitment = _name(section, "patron"), _hexadecimal(section, "commitment")
    revealed = None
    if "contribution" in section or "nonce" in section:
        words = _hexadecimal(section, "contribution", 0, MOST_WORDS)
        revealed = Contribution(words, _hexadecimal(section, "nonce"))
    section.end()
    return Pledge(patron, commitment, revealed)


def _pledge_as_json(pledge: Pledge) -> dict[str, str]:
    announced = {"patron": pledge.patron, "commitment": pledge.commitment.hex()}
    if pledge.revealed is None:
        return announced
    return {**announced, "contribution": pledge.revealed.words.hex(), "nonce": pledge.revealed.nonce.hex()}


def _dealt(top: Section) -> Dealt:
    """Return the cards dealt, from pairs such as [0, "4h"]; empty for a shoe that was never used."""
    found = top.maybe("dealt", "a list", lambda found: found if isinstance(found, list) else None) or []
    dealt = []
    for number, item in enumerate(found, start=1):
        pair = _as_pair(item)
        if pair is None:
            shown = json.dumps(item)[:80]
            top.refuse(f'expected a position and a card such as [0, "4h"], found {shown}', f"dealt[{number}]")
        dealt.append(pair)
    return tuple(dealt)


def _as_pair(found: object) -> tuple[int, Card] | None:
    match found:
        case [int(position), str(text)] if not isinstance(position, bool) and position >= 0:
            try:
                card = Card.parse(text)
            except CardError:
                return None
            # One spelling only, so that two records of one shoe are the same bytes.
            return (position, card) if str(card) == text else None
    return None


def _name(section: Section, key: str) -> str:
    return section.take(key, "1 to 100 printable ASCII characters", matching(NAME))


def _hexadecimal(section: Section, key: str, least: int = SIZE, most: int = SIZE) -> bytes:
    size = str(most) if least == most else f"{least} to {most}"
    pattern = f"([0-9a-f]{{2}}){{{least},{most}}}"
    return bytes.fromhex(section.take(key, f"{size} bytes in lower-case hexadecimal", matching(pattern)))


def _as_whole(found: object) -> int | None:
    return found if type(found) is int else None


def _no_key_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of the file. Parsers differ on duplicate keys, so they are rejected."""
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a key is given twice")
    return content


def _at(dealt: tuple[int, Card]) -> int:
    return dealt[0]
