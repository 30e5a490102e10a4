"""A round replayed step by step: each event with who, when, its sentence and its clauses, and the table after it.

What is shown of the table is what its staff see, so that no card is in it before it was exposed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any, TypeGuard

from msgspec import Struct

from punto.books.ledger import postings
from punto.books.round_log import RoundFound, ends_round
from punto.cards import Card
from punto.report.dispute.packet import cited, restated
from punto.report.legend import Legend
from punto.report.round_index import Chronicle, Moment
from punto.rules.coup import Coup, exposed_total
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.store.protocol import Reader
from punto.table.event import Circumstances, Event, Irregularity, Returned, Settled
from punto.table.guards import positions_acted_in
from punto.table.irregularities.correction import CardCorrected, Correction, RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.relaid_cards import CardsRelaid
from punto.table.irregularities.void import RoundVoided
from punto.table.play.dealing import OutcomeAnnounced
from punto.table.play.settlement import RoundSettled
from punto.table.table import Table
from punto.table.views import StaffView, changes, staff
from punto.texts import Language

MOST_STEPS = 400
_MONEY = ("float_", "commission", "chips", "owed")


class HandLying(Struct, frozen=True):
    """A hand as it lies on the table: a card face down is None, and then there is no total."""

    cards: tuple[Card | None, ...]
    total: int | None


class Moved(Struct, frozen=True):
    """Money that an event moved into an account of the books, or out of it if it is below zero."""

    account: str
    """Such as float or layout; ``chips`` and ``owed`` are a patron's."""
    patron: str | None
    amount: int


class StepShown(Struct, frozen=True):
    """An event of a round, and the table after it."""

    number: int
    at: int
    by: str
    position: str
    acting: tuple[str, ...]
    """The positions that the person was appointed to act in at the time."""
    event: str
    told: str
    """What happened, in words."""
    cites: tuple[str, ...]
    irregular: bool
    later: bool
    """Whether the round was over by then."""
    hash: str
    player: HandLying
    banker: HandLying
    winner: str | None
    layout: int
    """What lies on the layout in all."""
    moved: tuple[Moved, ...]
    view: dict[str, Any] | None
    """What of the table's view is different after it; None where the table's state is unknown."""
    circumstances: Circumstances | None


class ClauseCited(Struct, frozen=True):
    """A clause of the game, restated in English."""

    clause: str
    text: str


class RoundReplayed(Struct, frozen=True):
    """A round as it happened, or a part of it if it is long."""

    table: str
    round: int
    game: str
    title: str
    shoe: str | None
    opened: int
    ended: int | None
    winner: str | None
    void: bool
    corrected: bool
    first_event: int
    last_event: int
    events: int
    """How many there are in all, those after its end among them."""
    before: StaffView | None
    """The table before the first of these steps."""
    steps: tuple[StepShown, ...]
    more: int | None
    """There are steps after this event, if it is not None."""
    settled: tuple[Settled, ...]
    returned: tuple[Returned, ...]
    corrections: tuple[Correction, ...]
    clauses: tuple[ClauseCited, ...]
    previous: int | None
    following: int | None
    names: dict[str, str]
    """Names of the people in it, by id; one that was erased says so."""


class Replay:
    """Builds the steps of one round, in order."""

    def __init__(self, found: RoundFound, legend: Legend) -> None:
        self._found, self._legend = found, legend
        self._hands = {hand: HandLying((), None) for hand in Hand}
        self._winner: str | None = None
        self._view: StaffView | None = None
        self.steps: list[StepShown] = []
        self.before: StaffView | None = None
        self.settled: tuple[Settled, ...] = ()
        self.returned: tuple[Returned, ...] = ()
        self.corrections: tuple[Correction, ...] = ()
        self.book: Rulebook | None = None

    def take_in(self, moment: Moment, shown: bool) -> None:
        """Follow one more event of the round; ``shown`` says whether it becomes a step."""
        event, after = moment.event, moment.after
        self.book = after.book if after else self.book
        self._lay(event, moment)
        if shown and not self.steps:
            self._view = self.before = staff(moment.before) if moment.before else None
        if event is not None:
            self._ended(event)
        if shown:
            self.steps.append(self._step(moment))

    def _is_corrected_by(self, event: Event | None) -> TypeGuard[RoundCorrected]:
        """Return whether it corrects this round; an earlier one may be corrected while this one is played."""
        return isinstance(event, RoundCorrected) and event.round == self._found.round

    def _lay(self, event: Event | None, moment: Moment) -> None:
        """Update the cards on the table. When a round ends they are taken away, but are still shown here."""
        later = moment.recorded.number > self._found.last
        if self._is_corrected_by(event):
            self._hands, self._winner = _of_coup(event.coup) or self._hands, _winner(event.coup)
        elif moment.after and not later and not (event and ends_round(event)):
            self._hands = {hand: _lying(moment.after, hand) for hand in Hand}
        if isinstance(event, OutcomeAnnounced):
            self._winner = event.winner
        elif isinstance(event, CardCorrected | CardsRelaid | RoundVoided):
            self._winner = None

    def _ended(self, event: Event) -> None:
        if isinstance(event, RoundSettled):
            self.settled = event.wagers
        elif isinstance(event, RoundVoided):
            self.returned = event.wagers
        elif self._is_corrected_by(event):
            self.corrections = event.corrections
        elif isinstance(event, OverlookedWagerSettled) and event.round == self._found.round:
            others = (each for each in self.corrections if each.after.area != event.correction.after.area)
            self.corrections = (*others, event.correction)

    def _step(self, moment: Moment) -> StepShown:
        recorded, event, before = moment.recorded, moment.event, moment.before
        written, later = recorded, recorded.number > self._found.last
        acting = positions_acted_in(before, written.by, written.at) if before else ()
        told = self._legend.event(event) if event else written.name
        circumstances = event.circumstances if isinstance(event, Irregularity) else None
        return StepShown(
            number=recorded.number,
            at=written.at,
            by=written.by,
            position=written.position,
            acting=tuple(role.value for role in acting),
            event=written.name,
            told=told,
            cites=tuple(cited(event, self.book)) if event and self.book else (),
            irregular=isinstance(event, Irregularity),
            later=later,
            hash=recorded.hash.hex(),
            player=self._hands[Hand.PLAYER],
            banker=self._hands[Hand.BANKER],
            winner=self._winner,
            layout=sum(each.amount for each in moment.after.round.layout) if moment.after and not later else 0,
            moved=tuple(_moved(event)) if event else (),
            view=self._changed(moment.after, later),
            circumstances=self._legend.circumstances(circumstances) if circumstances else None,
        )

    def _changed(self, after: Table | None, later: bool) -> dict[str, Any] | None:
        """Return what is different; after the end of the round only money, since other rounds are in play then."""
        if after is None:
            self._view = None
            return None
        view, known = staff(after), self._view
        self._view = view
        changed = changes(known, view)
        return {name: changed[name] for name in _MONEY if name in changed} if later else changed


def _lying(table: Table, hand: Hand) -> HandLying:
    cards = tuple(place.card for place in table.round.hands[hand])
    return HandLying(cards, exposed_total(cards))


def _of_coup(coup: Coup | None) -> dict[Hand, HandLying] | None:
    if coup is None:
        return None
    return {
        Hand.PLAYER: HandLying(tuple(coup.player), coup.player_total),
        Hand.BANKER: HandLying(tuple(coup.banker), coup.banker_total),
    }


def _winner(coup: Coup | None) -> str | None:
    return coup.winner.value if coup else None


def _moved(event: Event) -> Iterable[Moved]:
    for each in postings(event):
        yield Moved(each.account.kind.value, each.account.patron, each.amount)


async def replay(
    store: Reader, chronicle: Chronicle, found: RoundFound, language: Language, after: int = 0
) -> RoundReplayed:
    """Return a round as it happened: the steps after an event, at most ``MOST_STEPS``."""
    legend = Legend(language)
    told = Replay(found, legend)
    more: int | None = None
    async for moment in _moments(store, chronicle, found):
        shown = moment.recorded.number > after
        if shown and len(told.steps) == MOST_STEPS:
            more = told.steps[-1].number
            shown = False
        if more is None or moment.recorded.number >= found.last:
            await legend.look_up(store, [moment.recorded])
            told.take_in(moment, shown)
    book = told.book
    clauses = restated({clause for each in told.steps for clause in each.cites}, book, language) if book else []
    return RoundReplayed(
        table=chronicle.stream,
        round=found.round,
        game=book.key if book else "",
        title=book.title if book else "",
        shoe=found.shoe,
        opened=found.opened,
        ended=found.ended,
        winner=found.winner,
        void=found.void,
        corrected=found.corrected,
        first_event=found.first,
        last_event=found.last,
        events=found.last - found.first + 1 + len(found.later),
        before=told.before,
        steps=tuple(told.steps),
        more=more,
        settled=told.settled,
        returned=told.returned,
        corrections=told.corrections,
        clauses=tuple(ClauseCited(each["clause"], each["text"]) for each in clauses),
        previous=await _known(store, chronicle, found.round - 1),
        following=await _known(store, chronicle, found.round + 1),
        names=legend.names,
    )


async def _moments(store: Reader, chronicle: Chronicle, found: RoundFound) -> AsyncIterator[Moment]:
    async for moment in chronicle.moments(store, found.first, found.last):
        yield moment
    for number in found.later:
        async for moment in chronicle.moments(store, number, number):
            yield moment


async def _known(store: Reader, chronicle: Chronicle, number: int) -> int | None:
    return number if await chronicle.round(store, number) else None
