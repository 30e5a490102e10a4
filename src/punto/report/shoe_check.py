"""A shoe checked whole: what the house committed itself to, what patrons brought, and every card against the log.

Only a record that has been published is opened. Of a shoe in service there is its commitment and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from punto.books.round_log import ShoeFound
from punto.cards import Card
from punto.report.round_index import Chronicle
from punto.shoe import Check, Record, ShoeError, read_record, recomputed_order, verify
from punto.shoe.verification import Detail, detail
from punto.store.events.shoe_events import (
    SHOES,
    CutListClosed,
    CutRevealed,
    CutSpoiled,
    ShoeOpened,
    ShoePublished,
    ShoeSealed,
)
from punto.store.protocol import Reader
from punto.store.round_events import every_event
from punto.table.play.dealing import CardExposed


class ShoeState(StrEnum):
    """How far a shoe has come."""

    WAITING = "waiting"
    """Sealed, and not put on the table yet."""
    IN_USE = "in use"
    ENDED = "ended"
    """Its record is published, if it was sealed."""


class ShoeListed(Struct, frozen=True):
    """A shoe of a table, and where it stands in the log."""

    shoe: str
    sealed: bool
    """Whether its order was sealed by computation, so that it can be checked."""
    state: ShoeState
    commitment: str | None
    first_event: int | None
    last_event: int | None
    first_round: int | None
    last_round: int | None
    cut_by: int | None = None
    """How many patrons cut it; None for a shoe that was not sealed, and while patrons still cut it."""


class CheckShown(Struct, frozen=True):
    """One thing that was checked, and what was found: as codes with values, and as a sentence in English."""

    check: str
    cut: int | None
    """The number of the cut, for a check of one cut."""
    ok: bool
    detail: str
    event: int | None = None
    """The first event of the table that is wrong."""
    details: tuple[Detail, ...] = ()


class ShoeChecked(Struct, frozen=True):
    """The result of checking a shoe."""

    shoe: ShoeListed
    whole: bool | None
    """None where there is nothing to check it by: it is not sealed, or not published yet."""
    checks: tuple[CheckShown, ...]
    cards: int
    """How many cards were compared."""


class _SealedShoe(Struct):
    """What the stream of shoes records about one shoe."""

    commitment: str
    opened: bool = False
    revealed: int = 0
    lists: tuple[str, ...] = ()
    record: str | None = None


async def _sealed(store: Reader, table: str) -> dict[str, _SealedShoe]:
    shoes: dict[str, _SealedShoe] = {}
    async for recorded in every_event(store, f"{table}{SHOES}"):
        match recorded.event:
            case ShoeSealed(shoe=shoe, commitment=commitment):
                shoes[shoe] = _SealedShoe(commitment)
            case CutRevealed(shoe=shoe) if shoe in shoes:
                shoes[shoe].revealed += 1
            case CutSpoiled(shoe=shoe) if shoe in shoes:
                shoes[shoe].revealed = 0
            case ShoeOpened(shoe=shoe) if shoe in shoes:
                shoes[shoe].opened = True
            case CutListClosed(shoe=shoe, closed_list=closed) if shoe in shoes:
                shoes[shoe].lists = (*shoes[shoe].lists, closed)
            case ShoePublished(shoe=shoe, record=record) if shoe in shoes:
                shoes[shoe].record = record
    return shoes


async def shoes_of(store: Reader, chronicle: Chronicle) -> list[ShoeListed]:
    """Return every shoe of a table, the newest first."""
    sealed = await _sealed(store, chronicle.stream)
    used = [_listed(each, sealed.get(each.shoe)) for each in await chronicle.shoes(store)]
    known = {each.shoe for each in used}
    waiting = [_waiting(shoe, told) for shoe, told in sealed.items() if shoe not in known]
    return [*reversed(waiting), *reversed(used)]


def _listed(each: ShoeFound, told: _SealedShoe | None) -> ShoeListed:
    over = told.record is not None if told else each.last is not None
    state = ShoeState.ENDED if over else ShoeState.IN_USE
    commitment = told.commitment if told else None
    where = (each.first, each.last, each.first_round, each.last_round)
    return ShoeListed(each.shoe, told is not None, state, commitment, *where, told.revealed if told else None)


def _waiting(shoe: str, told: _SealedShoe) -> ShoeListed:
    state = ShoeState.ENDED if told.record is not None else ShoeState.WAITING
    return ShoeListed(shoe, True, state, told.commitment, None, None, None, None)


async def check_shoe(store: Reader, chronicle: Chronicle, shoe: str) -> ShoeChecked | None:
    """Check a shoe of a table; None if there is none of that name."""
    listed = next((each for each in await shoes_of(store, chronicle) if each.shoe == shoe), None)
    if listed is None:
        return None
    told = (await _sealed(store, chronicle.stream)).get(shoe)
    if told is None or told.record is None:
        return ShoeChecked(listed, None, (), 0)
    exposed = await _exposed(store, chronicle, listed)
    checks = tuple(_checks(told, told.record, exposed))
    return ShoeChecked(listed, all(each.ok for each in checks), checks, len(exposed))


Exposed = tuple[int, int | None, Card]
"""The number of the event, the number of the card in the shoe if it is known, and the card."""


async def _exposed(store: Reader, chronicle: Chronicle, listed: ShoeListed) -> list[Exposed]:
    """Return the cards that were exposed from the shoe, by the table's own log."""
    if listed.first_event is None:
        return []
    found: list[Exposed] = []
    last = listed.last_event or chronicle.number
    async for moment in chronicle.moments(store, listed.first_event, last):
        event = moment.event
        if isinstance(event, CardExposed):
            places = moment.before.round.hands[event.hand] if moment.before else ()
            index = places[event.place].index if 0 <= event.place < len(places) else None
            found.append((moment.recorded.number, index, event.card))
    return found


def _checks(told: _SealedShoe, text: str, exposed: Sequence[Exposed]) -> Sequence[CheckShown]:
    try:
        record = read_record(text)
    except ShoeError as error:
        return [_shown(Check("record", False, (detail("record.unreadable", reason=str(error)),)))]
    if not isinstance(record, Record):
        return [_shown(Check("kind", False, (detail("kind.practice"),)))]
    noted = [bytes.fromhex(told.commitment), *map(bytes.fromhex, told.lists)]
    checks = map(_shown, verify(record, noted))
    return [*checks, _on_the_table(record, exposed), _told_whole(record, exposed)]


def _shown(check: Check, event: int | None = None) -> CheckShown:
    return CheckShown(check.subject, check.cut, check.ok, check.sentence(), event, check.details)


def _on_the_table(record: Record, exposed: Sequence[Exposed]) -> CheckShown:
    """Check that every card turned at the table is the one the order has in its place."""
    order = recomputed_order(record)
    for number, index, card in exposed:
        here = order[index] if index is not None and index < len(order) else None
        if here != card:
            about = {"event": number, "card": str(card)}
            found = detail("table.differs", **about, here=str(here), position=index)
            return _shown(Check("table", False, (found if here else detail("table.unknown", **about),)), number)
    return _shown(Check("table", True, (detail("table.agrees", count=len(exposed)),)))


def _told_whole(record: Record, exposed: Sequence[Exposed]) -> CheckShown:
    """Check that the record has exactly the cards that the log has."""
    seen = {(index, card): number for number, index, card in exposed}
    told = set(record.dealt)
    for (index, card), number in seen.items():
        if (index, card) not in told:
            return _shown(Check("told", False, (detail("told.missing", event=number, card=str(card)),)), number)
    if extra := told - set(seen):
        return _shown(Check("told", False, (detail("told.extra", count=len(extra)),)))
    return _shown(Check("told", True, (detail("told.agrees"),)))
