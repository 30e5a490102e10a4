"""Effects of removal: how much each wager's return changes when one card is gone from the shoe."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from punto.cards import DECK, Card, card_of
from punto.data_frames import data_frame, exact, provenance
from punto.formatting import percent
from punto.notebook import Markup, table
from punto.odds.exact import NOTHING_SEEN, wager_odds
from punto.rules.caller_input import Game, Shoe, game_of, unexposed_cards
from punto.rules.conditions import Sees
from punto.rules.hands.hand_states import cards_apart, counted_by_hands, hands_of
from punto.rules.rulebook import Rulebook, Wager

if TYPE_CHECKING:
    import polars

_RANKS = Sees.PLAYER_RANKS | Sees.BANKER_RANKS
_SUITS = Sees.PLAYER_SUITS | Sees.BANKER_SUITS


@dataclass(frozen=True, slots=True)
class RemovalEffects(Mapping[Card, Mapping[str, Fraction]]):
    """The change of every wager's return by the card that is gone: a mapping of cards to changes by wager.

    >>> effects = effects_of_removal("baccarat", 8)
    >>> len(effects), effects["8h"]["Tie"] > 0
    (52, True)
    """

    book: Rulebook
    cards: int
    """The number of cards in the shoe before one is gone."""
    changes: dict[Card, dict[str, Fraction]]

    def __getitem__(self, card: Card | str) -> dict[str, Fraction]:
        return self.changes[card_of(card)]

    def __iter__(self) -> Iterator[Card]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    __hash__ = None  # type: ignore[assignment]

    def by_rank(self) -> RemovalEffects:
        """Return one card per rank where no wager tells suits apart; otherwise all cards unchanged."""
        ranks: dict[Card, dict[str, Fraction]] = {}
        for card, changes in self.changes.items():
            shown = next((each for each in ranks if each.rank is card.rank), None)
            if shown is None:
                ranks[card] = changes
            elif ranks[shown] != changes:
                return self
        return replace(self, changes=ranks)

    def of_wager(self, name: str) -> RemovalEffects:
        """Return the effects on one wager alone."""
        found = self.book.wager(name).name
        return replace(self, changes={card: {found: changed[found]} for card, changed in self.changes.items()})

    def to_dict(self) -> dict[str, object]:
        """Return all figures ready for JSON: fractions as text, each with a rounded number beside it."""
        return {
            **provenance(self.book),
            "cards": self.cards,
            "removal": [
                {
                    "card": str(card),
                    "wagers": [{"wager": name, **exact(change=change)} for name, change in changes.items()],
                }
                for card, changes in self.changes.items()
            ],
        }

    def to_frame(self) -> polars.DataFrame:
        """Return a data frame with one row for each card and wager."""
        return data_frame(
            [
                {"game": self.book.key, "cards": self.cards, "card": str(card), "wager": name, **exact(change=change)}
                for card, changes in self.changes.items()
                for name, change in changes.items()
            ]
        )

    def __repr__(self) -> str:
        return f"<RemovalEffects of {self.book.key!r}: {self.cards} cards>"

    def _repr_html_(self) -> Markup:
        shown = self.by_rank()
        names = tuple(next(iter(shown.changes.values()), {}))
        label = (lambda card: card.rank.value) if len(shown) < len(self) else str
        rows = [
            (label(card), *(percent(changed[name]).removesuffix("%") for name in names))
            for card, changed in shown.changes.items()
        ]
        caption = f"{self.book.title}, {self.cards:,} cards: change of return in percentage points when one is gone"
        return table(caption, ("Card", *names), rows, names)


def effects_of_removal(game: Game, shoe: Shoe = 8) -> RemovalEffects:
    """Return the exact change of every wager's return when one card is gone, for each card the shoe holds.

    >>> effects = effects_of_removal("baccarat", 8)
    >>> max(effects, key=lambda card: effects[card]["Tie"]).rank.value     # the removal that helps the Tie most
    '8'
    """
    book = game_of(game)
    cards = unexposed_cards(book, shoe, NOTHING_SEEN)
    effects: dict[Card, dict[str, Fraction]] = {card: {} for card in cards}
    for wager in book.wagers:
        before = wager_odds(wager, cards).expected_return
        changes: dict[Hashable, Fraction] = {}
        for card, changed in effects.items():
            kind = _as_the_wager_sees_it(wager, card)
            if kind not in changes:
                changes[kind] = wager_odds(wager, cards.without([card])).expected_return - before
            changed[wager.name] = changes[kind]
    return RemovalEffects(book, len(cards), effects)


def _as_the_wager_sees_it(wager: Wager, card: Card) -> Hashable:
    """Return a key that is the same for cards the wager cannot tell apart: they have the same effect on it."""
    if counted_by_hands(wager):
        return cards_apart(hands_of((wager,)))[DECK.index(card)]
    if wager.sees & _SUITS:
        return card
    return card.rank if wager.sees & _RANKS else card.point_value
