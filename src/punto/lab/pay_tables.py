"""Pay tables: compare other pays of a wager, and find those nearest to a target house edge. All figures are exact.

The chances of a wager's outcomes do not depend on what it pays, so its edge is linear in the pays. The search splits
the outcomes into two halves and merges their sums in order of distance from the target: it finds the nearest pay
tables among millions without looking at most of them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import merge
from itertools import islice, product
from math import ceil, floor, lcm, prod
from typing import TYPE_CHECKING

from punto.cards import DECK, Composition
from punto.data_frames import exact
from punto.formatting import decimal, fraction, pays_or_push, percent
from punto.given_values import as_fraction, flag, number_above_zero
from punto.notebook import Markup, table
from punto.odds.exact import NOTHING_SEEN, OutcomeOdds, WagerOdds, wager_odds
from punto.pay_ratios import MOST_RATIOS, Ratio, read_ratio, read_ratios
from punto.rules.caller_input import Game, Shoe, game_of, unexposed_cards
from punto.rules.rulebook import VOID, Result, Rulebook, Wager

if TYPE_CHECKING:
    import polars

MOST_COMBINATIONS = 10_000_000
"""The most pay tables that one search chooses from."""

Pays = Mapping[str, Ratio] | Sequence[Ratio] | Ratio
"""A pay table: ratios by outcome, or in the order of the winning lines; one ratio where only one line wins."""
Allowed = Iterable[Ratio] | str
"""The ratios that a search may choose from; as text also a range, such as "8..15" or "8..15 step 1/2"."""


@dataclass(frozen=True, slots=True)
class PayTableLine:
    """One outcome of a wager under a pay table, and what it adds to the return."""

    outcome: str
    result: Result | None
    """None where the shoe runs out of cards and the stake is returned."""
    pays: Fraction
    probability: Fraction
    contribution: Fraction
    """Pays times probability: what the line adds to the expected return. Those of all lines add up to it."""
    share: Fraction
    """The line's share of all that is handed back to patrons, their stakes included."""

    def to_dict(self) -> dict[str, object]:
        """Return all figures as JSON can hold them: fractions as text, and rounded beside them."""
        figures = {"pays": self.pays, "probability": self.probability}
        return {
            "outcome": self.outcome,
            "result": self.result.value if self.result else VOID,
            **exact(**figures, contribution=self.contribution, share_of_return=self.share),
        }


@dataclass(frozen=True, slots=True)
class PayTable:
    """What a wager pays, and what follows from it exactly."""

    book: Rulebook
    """The game with these pays: a variant, or the game itself where they are its own."""
    odds: WagerOdds

    @property
    def pays(self) -> dict[str, Fraction]:
        """What each line pays, by outcome."""
        return {line.outcome: line.pays for line in self.odds.wager.lines}

    @property
    def house_edge(self) -> Fraction:
        """The average share of a unit staked that the house keeps."""
        return self.odds.house_edge

    @property
    def hit_frequency(self) -> Fraction:
        """How often the wager wins anything."""
        return self.odds.hit_frequency

    @property
    def variance(self) -> Fraction:
        """The variance of the net gain of a unit staked."""
        return self.odds.variance

    @property
    def lines(self) -> tuple[PayTableLine, ...]:
        """Every outcome and what it adds to the return, the loss last."""
        chances = self.odds.outcomes
        back = sum((_handed_back(chance) for chance in chances), Fraction(0))
        return tuple(
            PayTableLine(
                chance.outcome,
                chance.result,
                chance.pays,
                chance.probability,
                chance.pays * chance.probability,
                _handed_back(chance) / back if back else Fraction(0),
            )
            for chance in chances
        )

    @property
    def label(self) -> str:
        """The ratios of the winning lines, as a layout prints them."""
        return ", ".join(pays_or_push(line.pays) for line in self.odds.wager.lines if line.result is Result.WIN)

    def to_dict(self) -> dict[str, object]:
        """Return all figures as JSON can hold them: fractions as text, and rounded beside them."""
        found = self.odds
        return {
            "game": self.book.key,
            "digest": self.book.digest,
            "variant": self.book.variant_of is not None,
            **exact(
                expected_return=found.expected_return,
                house_edge=found.house_edge,
                hit_frequency=found.hit_frequency,
                push_frequency=found.push_frequency,
                variance=found.variance,
            ),
            "outcomes": [line.to_dict() for line in self.lines],
        }

    def __repr__(self) -> str:
        return f"<PayTable of {self.odds.wager.name!r}: {self.label}, house edge {percent(self.house_edge)}>"


def _handed_back(chance: OutcomeOdds) -> Fraction:
    return (1 + chance.pays) * chance.probability


@dataclass(frozen=True)
class PayTableStudy:
    """Pay tables of one wager, from one shoe."""

    book: Rulebook
    """The game they were compared with."""
    wager: str
    shoe: Composition
    tables: tuple[PayTable, ...]

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[PayTable]:
        return iter(self.tables)

    def __getitem__(self, number: int) -> PayTable:
        return self.tables[number]

    def to_dict(self) -> dict[str, object]:
        """Return the question and the answer as JSON can hold them."""
        return {
            "game": self.book.key,
            "digest": self.book.digest,
            "wager": self.wager,
            "cards": len(self.shoe),
            "composition": {str(card): count for card in DECK if (count := self.shoe.count(card))},
            "pay_tables": [each.to_dict() for each in self.tables],
        }

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each outcome of each pay table: exact figures as texts, and rounded ones as numbers."""
        import polars

        rows = [
            {
                "game": each.book.key,
                "digest": each.book.digest,
                "cards": len(self.shoe),
                "wager": self.wager,
                "pay_table": number,
                **line.to_dict(),
                **exact(house_edge=each.house_edge, hit_frequency=each.hit_frequency, variance=each.variance),
            }
            for number, each in enumerate(self.tables)
            for line in each.lines
        ]
        return polars.DataFrame(rows)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.wager!r} of {self.book.key!r}: {len(self.tables)} pay tables>"

    def _repr_html_(self) -> Markup:
        figures = ("House edge", "Wins", "Variance")
        rows = [
            (each.label, percent(each.house_edge), percent(each.hit_frequency), decimal(each.variance, 4))
            for each in self.tables
        ]
        return table(f"{self.book.title}, {self.wager}: pay tables", ("Pays", *figures), rows, figures)


def _bound(name: str, edge: Fraction | None) -> dict[str, object]:
    """Return a bound as answers have it, also where there is none."""
    return {name: None, f"{name}_rounded": None} if edge is None else exact(**{name: edge})


@dataclass(frozen=True)
class PayTableSearchResult(PayTableStudy):
    """The pay tables nearest to a target edge, nearest first."""

    target: Fraction
    allowed: Mapping[str, tuple[Fraction, ...]]
    """The ratios that were allowed, by outcome."""
    combinations: int
    """How many pay tables these ratios make."""
    monotone: bool
    at_least: Fraction | None
    at_most: Fraction | None
    most: int

    def to_dict(self) -> dict[str, object]:
        """Return the question and the answer as JSON can hold them."""
        content = super().to_dict()
        tables = content.pop("pay_tables")
        assert isinstance(tables, list)
        return content | {
            **exact(target_house_edge=self.target),
            "allowed": {outcome: [fraction(each) for each in ratios] for outcome, ratios in self.allowed.items()},
            "combinations": self.combinations,
            "monotone": self.monotone,
            **_bound("least_house_edge", self.at_least),
            **_bound("most_house_edge", self.at_most),
            "most": self.most,
            "pay_tables": [
                told | exact(distance=abs(each.house_edge - self.target))
                for told, each in zip(tables, self.tables, strict=True)
            ],
        }


def compare_pay_tables(game: Game, wager: str, variants: Iterable[Pays] = (), shoe: Shoe = 8) -> PayTableStudy:
    """Return the exact figures of a wager as the game pays it, and then under each of the variants.

    >>> from punto import load
    >>> compare_pay_tables(load("tiger"), "Tiger", [(12, 25), {"three-card 6": "30 to 1"}]).tables[1]
    <PayTable of 'Tiger': 12 to 1, 25 to 1, house edge 8.3751%>
    """
    book = game_of(game)
    found, cards = book.wager(wager), unexposed_cards(book, shoe, NOTHING_SEEN)
    given: object = variants
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise TypeError(f"expected a list of pay tables, found {given!r}")
    books = [book, *(book.with_pays({found.name: pays_by_outcome(found, each)}) for each in variants)]
    return PayTableStudy(book, found.name, cards, tuple(_table(each, found.name, cards) for each in books))


def pays_by_outcome(wager: Wager, pays: Pays) -> Mapping[str, Ratio]:
    """Return a pay table by outcome; raise ``ValueError`` unless there is one ratio for each winning line."""
    if isinstance(pays, Mapping):
        return pays
    given: object = pays
    if not isinstance(given, str) and isinstance(given, Sequence) and not isinstance(given, bytes | bytearray):
        ratios = list(given)
    else:
        ratios = [given]
        read_ratio(given)  # refuses what is neither a ratio nor a series of them
    winning = [line.outcome for line in wager.lines if line.result is Result.WIN]
    if len(ratios) != len(winning):
        lines = f"{len(winning)} winning line{'s' if len(winning) > 1 else ''}: {', '.join(winning)}"
        raise ValueError(f"{wager.name} has {lines}; expected a ratio for each, found {len(ratios)}")
    return dict(zip(winning, ratios, strict=True))


def _table(book: Rulebook, wager: str, cards: Composition) -> PayTable:
    return PayTable(book, wager_odds(book.wager(wager), cards))


def find_pay_tables(
    game: Game,
    wager: str,
    target_edge: Fraction | int | str,
    allowed: Mapping[str, Allowed],
    shoe: Shoe = 8,
    most: int = 20,
    *,
    monotone: bool = False,
    whole: bool = False,
    at_least: Fraction | int | str | None = None,
    at_most: Fraction | int | str | None = None,
) -> PayTableSearchResult:
    """Return the pay tables whose house edge is nearest to the target, nearest first, found by exact search.

    ``allowed`` names the ratios to choose from, by outcome; other outcomes pay what they do. ``monotone`` keeps tables
    in which a rarer win pays no less, ``whole`` those of whole ratios, ``at_least`` and ``at_most`` bound the edge.
    At one distance, lower ratios come first, line by line. Edges are fractions, or texts such as "8%".

    >>> from punto import load
    >>> find_pay_tables(load("tiger"), "Small Tiger", "8%", {"win": "20..30"}).tables[0]
    <PayTable of 'Small Tiger': 24 to 1, house edge 6.8832%>
    """
    most = number_above_zero(most, "pay tables")
    flag(monotone, "monotone")
    flag(whole, "whole")
    book = game_of(game)
    found, cards = book.wager(wager), unexposed_cards(book, shoe, NOTHING_SEEN)
    ratios, target = _choices(found, allowed, whole), read_edge(target_edge)
    bounds = (None if at_least is None else read_edge(at_least), None if at_most is None else read_edge(at_most))
    if bounds[0] is not None and bounds[1] is not None and bounds[0] > bounds[1]:
        raise ValueError(f"no house edge is at least {at_least} and at most {at_most}")
    book.with_pays({found.name: {outcome: each[0] for outcome, each in ratios.items()}})  # refuses a win that pays 0
    search = _Search(wager_odds(found, cards), ratios, monotone)
    nearest = islice(search.nearest(target, *bounds), most)
    books = [book.with_pays({found.name: pays}) for pays in nearest]
    tables = tuple(_table(each, found.name, cards) for each in books)
    combinations = prod(map(len, ratios.values()))
    asked = (target, ratios, combinations, monotone, *bounds, most)
    return PayTableSearchResult(book, found.name, cards, tables, *asked)


def read_edge(found: Fraction | int | str) -> Fraction:
    """Return a house edge exactly: a number, or a text such as "8%", "0.08" or "2/25".

    >>> read_edge("8%"), read_edge("-0.5%")
    (Fraction(2, 25), Fraction(-1, 200))
    """
    sentence = f'expected an edge such as "8%", "0.08" or Fraction(2, 25), found {found!r}'
    if isinstance(found, str):
        match = re.fullmatch(r"(-?\d{1,6}(?:\.\d{1,12}|/[1-9]\d{0,11})?)\s*(%?)", found.strip(), re.ASCII)
        if not match:
            raise ValueError(sentence)
        return _at_most_all(Fraction(match[1]) / (100 if match[2] else 1), found)
    edge = as_fraction(found)
    if edge is None:
        raise TypeError(sentence)
    return _at_most_all(edge, found)


def _at_most_all(edge: Fraction, found: object) -> Fraction:
    if edge > 1:
        raise ValueError(f'a house edge is at most 100%, not {found}; write "8%" or "0.08" for eight percent')
    return edge


def _choices(wager: Wager, allowed: Mapping[str, Allowed], whole: bool) -> dict[str, tuple[Fraction, ...]]:
    """Return the ratios to choose from by outcome, in the order of the wager's lines, lowest first, each once."""
    if not isinstance(allowed, Mapping):
        raise TypeError(f"expected the allowed ratios by outcome, found {allowed!r}")
    given = {wager.line(outcome).outcome: ratios for outcome, ratios in allowed.items()}
    choices: dict[str, tuple[Fraction, ...]] = {}
    for outcome in (line.outcome for line in wager.lines if line.outcome in given):
        found = given[outcome]
        ratios = read_ratios(found) if isinstance(found, str) else _read_each(outcome, found)
        kept = tuple(each for each in ratios if each.denominator == 1 or not whole)
        if not kept:
            raise ValueError(f"{wager.name}, {outcome}: expected at least one {'whole ' if whole else ''}ratio")
        choices[outcome] = kept
    if not choices:
        raise ValueError("expected the allowed ratios of at least one outcome")
    combinations = prod(map(len, choices.values()))
    if combinations > MOST_COMBINATIONS:
        raise ValueError(
            f"these ratios make {combinations:,} pay tables: at most {MOST_COMBINATIONS:,} are searched, "
            "so allow fewer ratios or take a larger step"
        )
    return choices


def _read_each(outcome: str, ratios: Iterable[Ratio]) -> tuple[Fraction, ...]:
    if isinstance(ratios, bytes | bytearray | Mapping) or not isinstance(ratios, Iterable):
        raise TypeError(f"{outcome}: expected the allowed ratios, found {ratios!r}")
    found = list(islice(ratios, MOST_RATIOS + 1))
    if len(found) > MOST_RATIOS:
        raise ValueError(f"{outcome}: at most {MOST_RATIOS:,} ratios are allowed")
    return tuple(sorted({read_ratio(each) for each in found}))


_Found = tuple[int, tuple[int, ...]]
"""A distance or a sum, and the ratios that make it, all in parts."""


class _Search:
    """Pay tables in order of their distance from a target edge, in whole numbers.

    Ratios are whole numbers of parts. The gain of all equally likely deals together is then a whole number of parts:
    a constant for the outcomes that are not searched, and for each of the others its deals times its ratio.
    """

    def __init__(self, found: WagerOdds, choices: Mapping[str, tuple[Fraction, ...]], monotone: bool) -> None:
        self._chances = {chance.outcome: chance for chance in found.outcomes}
        self._choices = choices
        self._total = sum(chance.deals for chance in found.outcomes)
        self._pays = {chance.outcome: chance.pays for chance in found.outcomes}
        self._parts = lcm(*(each.denominator for ratios in (self._pays.values(), *choices.values()) for each in ratios))
        self._constant = sum(
            chance.deals * self._in_parts(chance.pays) for chance in found.outcomes if chance.outcome not in choices
        )
        wins = [chance for chance in found.outcomes if chance.result is Result.WIN or chance.outcome in choices]
        self._orders = [
            (rarer.outcome, other.outcome) for rarer in wins for other in wins if rarer.deals < other.deals and monotone
        ]
        """Pairs of outcomes of which the first may not pay less."""

    def _in_parts(self, ratio: Fraction) -> int:
        return int(ratio * self._parts)

    def nearest(
        self, target: Fraction, at_least: Fraction | None, at_most: Fraction | None
    ) -> Iterator[dict[str, Fraction]]:
        """Yield pay tables by outcome, nearest to the target first."""
        scale = target.denominator
        lowest = None if at_most is None else ceil(self._sum_for(at_most) * scale)
        highest = None if at_least is None else floor(self._sum_for(at_least) * scale)
        wanted = self._sum_for(target) * scale
        assert wanted.denominator == 1
        names = list(self._choices)
        split = _even_split([len(self._choices[name]) for name in names])
        first, second = (self._sums(part, scale) for part in (names[:split], names[split:]))
        for _, parts in _in_order(first, second, int(wanted), lowest, highest):
            pays = {name: Fraction(each, self._parts) for name, each in zip(names, parts, strict=True)}
            if self._allows(pays):
                yield pays

    def _sum_for(self, edge: Fraction) -> Fraction:
        """Return what the searched outcomes pay together, in parts, where the house has this edge."""
        return -edge * self._total * self._parts - self._constant

    def _sums(self, names: Sequence[str], scale: int) -> list[_Found]:
        """Return all combinations of ratios of these outcomes that may stand together, with their sums."""
        weights = [self._chances[name].deals * scale for name in names]
        ratios = [[self._in_parts(each) for each in self._choices[name]] for name in names]
        made = []
        for parts in product(*ratios):
            if self._orders and not self._in_right_order(dict(zip(names, parts, strict=True))):
                continue
            made.append((sum(weight * each for weight, each in zip(weights, parts, strict=True)), parts))
        return made

    def _allows(self, pays: Mapping[str, Fraction]) -> bool:
        return not self._orders or self._in_right_order({**self._pays, **pays})

    def _in_right_order(self, pays: Mapping[str, Fraction] | Mapping[str, int]) -> bool:
        """Return whether the rarer outcomes among these pay no less."""
        known = pays.keys()
        return all(pays[one] >= pays[other] for one, other in self._orders if one in known and other in known)


def _even_split(sizes: Sequence[int]) -> int:
    """Return where to split so that the larger of the two halves makes as few combinations as possible."""
    return min(range(len(sizes) + 1), key=lambda at: max(prod(sizes[:at]), prod(sizes[at:])))


def _in_order(
    first: list[_Found], second: list[_Found], wanted: int, lowest: int | None, highest: int | None
) -> Iterator[_Found]:
    """Yield pairs of one from each half by the distance of their sum from the one wanted, then by their ratios."""
    rising = sorted(second)
    falling = sorted((-each, parts) for each, parts in second)
    if not first or not second:
        return iter(())
    lowest = min(first)[0] + rising[0][0] if lowest is None else lowest
    highest = max(first)[0] + rising[-1][0] if highest is None else highest
    runs = []
    for each, parts in first:
        rest, low, high = wanted - each, lowest - each, highest - each
        runs.append(_run(rising, rest, max(rest, low), high, parts))
        runs.append(_run(falling, -rest, max(1 - rest, -high), -low, parts))
    return merge(*runs)


def _run(ordered: list[_Found], origin: int, start: int, end: int, parts: tuple[int, ...]) -> Iterator[_Found]:
    """Yield the elements from ``start`` to ``end`` by their distance from the origin, with all ratios of the pair."""
    for at in range(bisect_left(ordered, (start,)), len(ordered)):
        each, rest = ordered[at]
        if each > end:
            return
        yield each - origin, parts + rest
