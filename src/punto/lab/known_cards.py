"""Known cards: the exact value of knowing some of the next six cards before wagering.

A patron learns the class of the card at each known position, in the order in which cards leave the shoe: 1 and 3 are
Player's first two cards, 2 and 4 Banker's, 5 and 6 the next two, whichever hand takes them, if any. The patron then
places one unit on the wager with the highest return of those considered, or sits the round out if none gains. The value
of the knowledge is the average gain of a round, those sat out included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from punto.cards import DECK, Card, Composition
from punto.data_frames import exact, provenance
from punto.formatting import fraction, percent
from punto.given_values import as_whole, flag
from punto.lab.card_partition import CardPartition
from punto.notebook import Markup, table
from punto.rules.caller_input import Game, Shoe, game_of, unexposed_cards, wagers_of
from punto.rules.coup import Winner
from punto.rules.deal_counts import CardsSeen
from punto.rules.rulebook import Rulebook, Wager

if TYPE_CHECKING:
    import polars

Array = Any
EVERY = "every"
"""Stands for all wagers of a game."""

MOST_OBSERVATIONS = 5_000_000
_MOST_SHOWN = 200
"""The most observations that a notebook shows one by one."""
_MOST_INTEGER = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Observation:
    """What the patron may learn, how often, and what each wager returns then."""

    classes: tuple[str, ...]
    """The class of the card at each known position, in their order."""
    probability: Fraction
    returns: Mapping[str, Fraction]
    """The expected return of a unit on each wager that is considered."""
    wager: str | None
    """The wager with the highest return, the first of equals; None if the patron sits out."""

    @property
    def expected_return(self) -> Fraction:
        """The expected return of the patron's choice: zero if they sit out."""
        return self.returns[self.wager] if self.wager is not None else Fraction(0)


@dataclass(frozen=True, slots=True)
class WagerAlone:
    """The value of the knowledge to a patron who considers one wager only, and places it when it gains."""

    wager: str
    expected_return: Fraction
    """The return of a unit in every round, whatever is known."""
    favourable: Fraction
    """How often the wager has a positive return."""
    value: Fraction
    """The average gain of a round with a unit on the wager whenever that is favourable."""
    chosen: Fraction
    """How often the wager is the best of those considered."""

    @property
    def return_when_favourable(self) -> Fraction | None:
        """The average return of a unit in favourable rounds; None if there are none."""
        return self.value / self.favourable if self.favourable else None


@dataclass(frozen=True, slots=True, eq=False)
class KnownCardsStudy(Mapping[tuple[str, ...], Observation]):
    """The value of known cards: a mapping from what may be observed to what it is worth. Get one with ``known_cards``.

    An observation is given by the classes of the known cards in order: ``study["6"]`` or ``study["6", "K"]``.
    """

    book: Rulebook
    cards: int
    """The number of cards in the shoe."""
    positions: tuple[int, ...]
    partition: CardPartition
    must_wager: bool
    """Whether the patron wagers in every round."""
    deals: int
    """The number of orders of six cards; probabilities and returns are whole parts of it."""
    wagers: tuple[WagerAlone, ...]
    """The wagers that are considered, each by itself."""
    value: Fraction
    """The average gain of a round."""
    _classes: tuple[str, ...]
    _parts: int
    _ways: Array
    _gains: Array

    @property
    def without_knowledge(self) -> Fraction:
        """The average gain of a round when nothing is known: of the best wager, or zero if the patron sits out."""
        best = max(each.expected_return for each in self.wagers)
        return best if self.must_wager else max(best, Fraction(0))

    @property
    def sat_out(self) -> Fraction:
        """How often the patron sits out."""
        return 1 - sum((each.chosen for each in self.wagers), Fraction(0))

    def __getitem__(self, observed: object) -> Observation:
        classes = tuple(map(str, observed)) if isinstance(observed, tuple) else (str(observed),)
        try:
            at = tuple(self._classes.index(each) for each in classes)
        except ValueError:
            raise KeyError(observed) from None
        if len(at) != len(self.positions) or not self._ways[at]:
            raise KeyError(observed)
        return self._observation(at)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (tuple(self._classes[number] for number in at) for at in self._observed())

    def __len__(self) -> int:
        return int((self._ways != 0).sum())

    def _observed(self) -> Iterator[tuple[int, ...]]:
        import numpy as np

        return (tuple(at) for at in np.argwhere(self._ways != 0).tolist())

    def _observation(self, at: tuple[int, ...]) -> Observation:
        ways, names = int(self._ways[at]), [each.wager for each in self.wagers]
        gains = [int(gain) for gain in self._gains[(slice(None), *at)]]
        best = max(gains)
        chosen = names[gains.index(best)] if best > 0 or self.must_wager else None
        returns = {name: Fraction(gain, ways * self._parts) for name, gain in zip(names, gains, strict=True)}
        classes = tuple(self._classes[number] for number in at)
        return Observation(classes, Fraction(ways, self.deals), returns, chosen)

    def to_dict(self, observations: bool = True) -> dict[str, object]:
        """Return the study ready for JSON, with or without the single observations."""
        found: dict[str, object] = {
            **provenance(self.book),
            "cards": self.cards,
            "positions": list(self.positions),
            "by": self.partition.name,
            "classes": _cards_by_class(self.partition),
            "must_wager": self.must_wager,
            **exact(value=self.value, without_knowledge=self.without_knowledge, sat_out=self.sat_out),
            "wagers": [_alone_json(each) for each in self.wagers],
        }
        if observations:
            found["observations"] = [_observation_json(each) for each in self.values()]
        return found

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each observation and wager: exact figures as texts, and rounded ones as numbers."""
        import polars

        rows = [
            {
                "game": self.book.key,
                "cards": self.cards,
                **{f"card_{at}": name for at, name in zip(self.positions, each.classes, strict=True)},
                **exact(probability=each.probability),
                "wager": wager,
                **exact(expected_return=gain),
                "best": wager == each.wager,
            }
            for each in self.values()
            for wager, gain in each.returns.items()
        ]
        return polars.DataFrame(rows)

    def __repr__(self) -> str:
        known = f"cards {', '.join(map(str, self.positions))} known by {self.partition.name}"
        return f"<KnownCardsStudy of {self.book.key!r}: {known}, value {percent(self.value)}>"

    def _repr_html_(self) -> Markup:
        known = f"card {' '.join(map(str, self.positions))} of the next six known by {self.partition.name}"
        if len(self) > _MOST_SHOWN:
            figures: tuple[str, ...] = ("Return", "Favourable", "Value alone")
            rows = [(a.wager, percent(a.expected_return), percent(a.favourable), percent(a.value)) for a in self.wagers]
            return table(f"{self.book.title}, {known}: value {percent(self.value)}", ("Wager", *figures), rows, figures)
        names = tuple(each.wager for each in self.wagers)
        shown = [
            (" ".join(o.classes), percent(o.probability), *map(percent, o.returns.values()), o.wager or "sit out")
            for o in self.values()
        ]
        total = ("value", "", *("" for _ in names), percent(self.value))
        heads = ("Known", "Probability", *names, "Best")
        return table(f"{self.book.title}, {known}", heads, [*shown, total], ("Probability", *names))


def known_cards(
    game: Game,
    positions: Sequence[int] | int,
    shoe: Shoe = 8,
    by: str | Mapping[Card, str] | CardPartition = "value",
    wagers: Sequence[str] | str | None = None,
    must_wager: bool = False,
) -> KnownCardsStudy:
    """Return the exact value of knowing the class of the card at each of these positions, 1 to 6.

    ``shoe`` is a number of decks, or the cards from which the next round is dealt. ``by`` says what is known of a card:
    its value, rank, colour, suit, the card itself, or its class in any partition, such as ``"6789"`` for these ranks
    against all others. ``wagers`` are those that the patron considers: by default the game's wagers on Player and on
    Banker; ``"every"`` for all. With ``must_wager`` they wager on the best in every round, even if that loses.

    >>> from punto import load
    >>> known_cards(load("baccarat"), 5)
    <KnownCardsStudy of 'baccarat': cards 5 known by value, value 8.9732%>
    """
    from punto.lab.position_counts import POSITIONS, TooManyOrders, count_positions

    book, must_wager = game_of(game), flag(must_wager, "must_wager")
    known = _positions(positions, POSITIONS)
    considered = _considered(book, wagers)
    cards = _shoe(book, shoe, len(POSITIONS))
    partition = CardPartition.of(by)
    held = {partition.class_of(card) for card in cards.counts()}
    if len(held) ** len(known) > MOST_OBSERVATIONS:
        raise TooManyOrders(
            f"{len(held)} classes at {len(known)} positions make {len(held) ** len(known):,} observations, "
            f"more than {MOST_OBSERVATIONS:,}: know fewer cards, or tell fewer classes apart"
        )
    counted = count_positions(considered, cards, known, partition)
    parts = lcm(*counted.parts.values())
    gains = _in_common_parts(counted.gains, counted.parts, parts)
    alone, value = _values(considered, gains, counted.ways, counted.deals, parts, must_wager)
    return KnownCardsStudy(
        book=book,
        cards=len(cards),
        positions=known,
        partition=partition,
        must_wager=must_wager,
        deals=counted.deals,
        wagers=alone,
        value=value,
        _classes=counted.classes,
        _parts=parts,
        _ways=counted.ways,
        _gains=gains,
    )


def _positions(given: Sequence[int] | int, allowed: Sequence[int]) -> tuple[int, ...]:
    wanted = [number for each in _listed(given) if (number := as_whole(each)) in allowed and number is not None]
    if not wanted or len(wanted) < len(_listed(given)):
        raise ValueError(f"expected positions {allowed[0]} to {allowed[-1]} among the next cards, not {given!r}")
    if len(set(wanted)) < len(wanted):
        raise ValueError(f"expected each position once, not {given!r}")
    return tuple(sorted(wanted))


def _listed(given: Sequence[int] | int) -> list[object]:
    return [*given] if isinstance(given, Iterable) else [given]


def _considered(book: Rulebook, wagers: Sequence[str] | str | None) -> tuple[Wager, ...]:
    """Return the wagers a patron considers, in the order of the game."""
    if wagers is None:
        hands = tuple(each for each in book.wagers if each.on in (Winner.PLAYER, Winner.BANKER))
        return hands or book.wagers
    if isinstance(wagers, str):
        if wagers.strip().casefold() == EVERY:
            return book.wagers
        wagers = (wagers,)
    return wagers_of(book, wagers)


def _shoe(book: Rulebook, shoe: Shoe, fewest: int) -> Composition:
    cards = unexposed_cards(book, shoe, CardsSeen())
    if len(cards) < fewest:
        raise ValueError(
            f"expected a shoe of at least {fewest} cards, not {len(cards)}: there is no sixth card to know"
        )
    return cards


def _in_common_parts(gains: Mapping[str, Array], parts: Mapping[str, int], common: int) -> Array:
    """Return the gains of all wagers in the same parts of a unit, one wager after another."""
    import numpy as np

    factors = {name: common // parts[name] for name in gains}
    most = max(int(np.abs(each).max()) * factors[name] for name, each in gains.items())
    integer = np.int64 if most <= _MOST_INTEGER else object
    return np.stack([each.astype(integer) * factors[name] for name, each in gains.items()])


def _values(
    considered: Sequence[Wager], gains: Array, ways: Array, deals: int, parts: int, must_wager: bool
) -> tuple[tuple[WagerAlone, ...], Fraction]:
    """Return what the knowledge is worth for each wager alone, and for the best of them."""
    import numpy as np

    best, first = gains.max(axis=0), gains.argmax(axis=0)
    wagered = (ways > 0) & ((best > 0) | must_wager)
    alone = tuple(
        WagerAlone(
            wager.name,
            expected_return=Fraction(_sum(gain), deals * parts),
            favourable=Fraction(_sum(ways[gain > 0]), deals),
            value=Fraction(_sum(gain[gain > 0]), deals * parts),
            chosen=Fraction(_sum(ways[wagered & (first == number)]), deals),
        )
        for number, (wager, gain) in enumerate(zip(considered, gains, strict=True))
    )
    return alone, Fraction(_sum(np.where(wagered, best, 0)), deals * parts)


def _sum(figures: Array) -> int:
    """Return the sum of an array of whole numbers, also where it exceeds 64 bits."""
    if figures.dtype == object:
        return int(figures.sum())
    return (int((figures >> 32).sum()) << 32) + int((figures & 0xFFFFFFFF).sum())


def _cards_by_class(partition: CardPartition) -> dict[str, list[str]]:
    classes: dict[str, list[str]] = {name: [] for name in partition.classes}
    for card in DECK:
        classes[partition.class_of(card)].append(str(card))
    return classes


def _alone_json(each: WagerAlone) -> dict[str, object]:
    good = each.return_when_favourable
    return {
        "wager": each.wager,
        **exact(expected_return=each.expected_return, favourable=each.favourable),
        "return_when_favourable": None if good is None else fraction(good),
        "return_when_favourable_rounded": None if good is None else float(good),
        **exact(value=each.value, chosen=each.chosen),
    }


def _observation_json(each: Observation) -> dict[str, object]:
    return {
        "observed": list(each.classes),
        **exact(probability=each.probability),
        "wager": each.wager,
        **exact(expected_return=each.expected_return),
        "returns": [{"wager": name, **exact(expected_return=gain)} for name, gain in each.returns.items()],
    }
