"""The shoes of a log as they were dealt: which card was seen at which position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from punto.audit.table_recomputed import Game
from punto.cards import DECK, Card
from punto.evidence.randomness.card_sample import KINDS, UNSEEN, CardSample, logged_sample
from punto.report.round_index import Chronicle, Moment
from punto.store.protocol import Reader
from punto.table.play.burn_cards import CardsBurned
from punto.table.play.dealing import CardExposed
from punto.table.play.shoes import ShoeLoaded

_END = 2**62
_NUMBERS = {card: number for number, card in enumerate(DECK)}


@dataclass
class LoggedShoe:
    """A shoe that was put on a table: when, in milliseconds since 1970, and what was seen of it by position."""

    table: str
    at: int
    decks: int
    seen: dict[int, Card] = field(default_factory=dict)


async def logged_shoes(store: Reader, games: Mapping[str, Game], tables: Iterable[str]) -> list[LoggedShoe]:
    """Return all shoes of the tables of which a card was seen, table by table, in the order in which they came."""
    found: list[LoggedShoe] = []
    for table in tables:
        first = len(found)
        async for moment in Chronicle(table, games).moments(store, 1, _END):
            if isinstance(moment.event, ShoeLoaded):
                found.append(LoggedShoe(table, moment.recorded.at, moment.event.decks))
            elif len(found) > first:
                _take_in(found[-1], moment)
    return [each for each in found if each.seen]


def _take_in(shoe: LoggedShoe, moment: Moment) -> None:
    event = moment.event
    if isinstance(event, CardsBurned) and event.first is not None:
        shoe.seen[event.indices[0]] = event.first
    elif isinstance(event, CardExposed) and moment.before:
        places = moment.before.round.hands[event.hand]
        if 0 <= event.place < len(places) and (index := places[event.place].index) is not None:
            shoe.seen[index] = event.card


def sample_of_log(shoes: list[LoggedShoe]) -> tuple[CardSample, list[LoggedShoe]]:
    """Return the shoes of the commonest number of decks as a sample, and which they are."""
    decks = Counter(each.decks for each in shoes).most_common(1)[0][0] if shoes else 8
    used = [each for each in shoes if each.decks == decks]
    cards = np.full((len(used), KINDS * decks), UNSEEN, np.int8)
    for row, shoe in enumerate(used):
        for index, card in shoe.seen.items():
            if index < cards.shape[1]:
                cards[row, index] = _NUMBERS[card]
    return logged_sample(cards, decks), used
