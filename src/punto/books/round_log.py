"""The rounds and shoes of a table, followed by its events: where each stands in the log, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Set
from copy import copy
from dataclasses import dataclass

from punto.table.event import Event, Irregularity
from punto.table.irregularities.correction import CardCorrected, RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.relaid_cards import CardsRelaid
from punto.table.irregularities.void import RoundVoided
from punto.table.play.card_handling import SqueezePermitted
from punto.table.play.chips import BoughtIn, CashedOut
from punto.table.play.dealing import OutcomeAnnounced
from punto.table.play.dealing_device import Attested
from punto.table.play.settlement import RoundSettled
from punto.table.play.shoes import ShoeEnded, ShoeLoaded
from punto.table.play.wagers import BetsOpened

_AS_USUAL = (Attested, SqueezePermitted)
"""Confirmed and permitted in the course of any round, and not for anything that went wrong."""


@dataclass(slots=True)
class RoundFound:
    """A round of a table, with the fields it is searched by."""

    round: int
    first: int
    """The number of the event that opened it."""
    last: int
    """Of the last event of the round itself: the one that ended it, if it is over."""
    opened: int
    """When, in milliseconds since 1970."""
    ended: int | None = None
    shoe: str | None = None
    winner: str | None = None
    """As it stands now: after a correction, of the cards really dealt; of a void round none."""
    player_total: int | None = None
    banker_total: int | None = None
    void: bool = False
    corrected: bool = False
    irregular: bool = False
    """Whether something went wrong in it, or was found about it later."""
    later: tuple[int, ...] = ()
    """The numbers of events about it after its end."""
    patrons: frozenset[str] = frozenset()


@dataclass(slots=True)
class ShoeFound:
    """A shoe that was put on the table: from which event to which, and its rounds."""

    shoe: str
    first: int
    last: int | None = None
    """Of the event that ended it."""
    first_round: int | None = None
    last_round: int | None = None


def ends_round(event: Event) -> bool:
    """Whether this event ends the round in play."""
    return isinstance(event, RoundSettled | RoundVoided)


def round_of(event: Event) -> int | None:
    """Return the round an event names; None where it names none and is about the one it happens in."""
    if hasattr(event, "round"):
        named: int = event.round
        return named
    circumstances = event.circumstances if isinstance(event, Irregularity) else None
    return circumstances.round if circumstances else None


class RoundLog:
    """The rounds and shoes of a table from some event on, and what is told of rounds before it."""

    def __init__(self, shoes: Iterable[ShoeFound] = ()) -> None:
        """``shoes`` are those of what came before: one in use goes on."""
        self.rounds: dict[int, RoundFound] = {}
        self.shoes = [copy(each) for each in shoes if each.last is None][-1:]
        self.amended: dict[int, list[tuple[int, Event]]] = {}
        """What was found, decided or corrected about rounds that are not here, with the numbers of the events."""
        self._now: RoundFound | None = None
        self._patrons: set[str] = set()
        """Of the round that is in play."""
        self._groups: dict[Set[str], frozenset[str]] = {}
        """Those who were there together, each group kept once."""

    @property
    def in_round(self) -> bool:
        """Whether a round is in play."""
        return self._now is not None

    def take_in(self, number: int, at: int, event: Event) -> None:
        """Follow the event that comes next."""
        now, kind = self._now, type(event)
        if kind not in _PLAIN:
            _PLAIN[kind] = _is_plain(kind)
        if _PLAIN[kind]:
            if now:
                now.last = number
                self._add_patron(now, event)
            return
        self._change_shoe(number, event)
        if isinstance(event, BetsOpened):
            self._open(number, at, event)
        elif (about := round_of(event)) is not None and (self._now is None or self._now.round != about):
            if about in self.rounds:
                self.amend(self.rounds[about], number, event)
            else:
                self.amended.setdefault(about, []).append((number, event))
        elif self._now:
            self._go_on(self._now, number, at, event)

    def _change_shoe(self, number: int, event: Event) -> None:
        if isinstance(event, ShoeLoaded):
            self.shoes.append(ShoeFound(event.shoe, number))
        elif isinstance(event, ShoeEnded) and self.shoes:
            self.shoes[-1].last = number

    def _open(self, number: int, at: int, event: BetsOpened) -> None:
        shoe = self.shoes[-1] if self.shoes and self.shoes[-1].last is None else None
        self._patrons = set()
        told = self.amended.pop(event.round, None)  # before it was opened: only a log that was tampered with has that
        made = RoundFound(event.round, told[0][0] if told else number, number, at)
        if shoe:
            made.shoe, shoe.first_round, shoe.last_round = shoe.shoe, shoe.first_round or event.round, event.round
        self._now = self.rounds[event.round] = made

    def _go_on(self, now: RoundFound, number: int, at: int, event: Event) -> None:
        """Follow something in the course of the round."""
        now.last = number
        _notice(now, event)
        self._add_patron(now, event)
        if isinstance(event, OutcomeAnnounced):
            now.winner, now.player_total, now.banker_total = event.winner, event.player_total, event.banker_total
        elif isinstance(event, CardCorrected | CardsRelaid):
            now.winner = now.player_total = now.banker_total = None  # it is called again
        if ends_round(event):
            now.ended, self._now = at, None
        if isinstance(event, RoundVoided):
            now.void, now.winner = True, None

    def _add_patron(self, now: RoundFound, event: Event) -> None:
        patron = getattr(event, "patron", None)
        if patron and patron not in self._patrons and not isinstance(event, BoughtIn | CashedOut):
            self._patrons.add(patron)
            now.patrons = self._group(self._patrons)

    def amend(self, about: RoundFound, number: int, event: Event) -> None:
        """Add what was found, decided or corrected about a round after its end."""
        about.later = (*about.later, number)
        _notice(about, event)
        if isinstance(event, RoundCorrected):
            coup = event.coup
            about.corrected, about.void = True, coup is None
            about.winner = coup.winner.value if coup else None
            about.player_total = coup.player_total if coup else None
            about.banker_total = coup.banker_total if coup else None
        elif isinstance(event, OverlookedWagerSettled):
            about.corrected, about.patrons = True, self._group({*about.patrons, event.patron})

    def _group(self, patrons: Set[str]) -> frozenset[str]:
        together = frozenset(patrons)
        return self._groups.setdefault(together, together)


_CHANGES = (BetsOpened, CardCorrected, CardsRelaid, OutcomeAnnounced, RoundSettled, RoundVoided, ShoeEnded, ShoeLoaded)
_PLAIN: dict[type[Event], bool] = {}


def _is_plain(kind: type[Event]) -> bool:
    """Return whether events of a kind tell nothing of a round but that it goes on, and who is in it; most are."""
    return not issubclass(kind, (*_CHANGES, Irregularity)) and "round" not in kind.__struct_fields__


def _notice(about: RoundFound, event: Event) -> None:
    if isinstance(event, Irregularity) and not isinstance(event, _AS_USUAL):
        about.irregular = True
