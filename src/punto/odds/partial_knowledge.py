"""Exact odds when something is known about cards that nobody has exposed, or when cards left the shoe unseen.

Two questions of game protection. Cards that were burnt or removed face down change no odds as long as a whole coup is
left: each order of the unexposed cards is as likely as before. A *slug* is a packet whose cards are known and whose
order is not, such as cards that a poor shuffle kept together: then the next cards come from the slug.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations
from math import comb, factorial, perm

from punto.cards import Card, CardError, Composition, parse_cards
from punto.given_values import as_whole
from punto.odds.exact import NOTHING_SEEN, Odds, OutcomeOdds, WagerOdds, wager_odds
from punto.odds.exact import odds as exact_odds
from punto.rules.caller_input import Game, Shoe, game_of, unexposed_cards
from punto.rules.conditions import Sees
from punto.rules.deal_counts import LONGEST_COUP, CardsSeen, count_deals
from punto.rules.hands.hand_states import expect_no_questions_to_cards
from punto.rules.rulebook import VOID, Rulebook, Wager
from punto.rules.settlement import settle
from punto.rules.table_of_play import Hand, next_card

MOST_PARTS_OF_A_SLUG = 2_000
"""The most different parts of a slug, of at most six cards each, for which odds are counted."""


def odds_after_unseen(game: Game, shoe: Shoe = 8, unseen: int = 0) -> Odds:
    """Return the exact odds when ``unseen`` of the cards have left the shoe face down and nobody knows which.

    ``shoe`` are all cards not exposed, those that left among them. The odds are those of the shoe as long as six cards
    are left to deal; with fewer, a round that needs more is void and every wager is returned.

    >>> from punto import load, odds
    >>> baccarat = load("baccarat")
    >>> odds_after_unseen(baccarat, 8, unseen=200)["Tie"].house_edge == odds(baccarat, 8)["Tie"].house_edge
    True
    """
    book = game_of(game)
    expect_no_questions_to_cards(book.wagers, "a shoe with cards unseen")
    cards = unexposed_cards(book, shoe, NOTHING_SEEN)
    unseen = _number(unseen, 0, len(cards), "a number of unseen cards")
    left = len(cards) - unseen
    if left >= LONGEST_COUP or not unseen:
        return exact_odds(book, cards)
    return _odds(book, cards, [_cut_short(wager, cards, left) for wager in book.wagers])


def _cut_short(wager: Wager, cards: Composition, left: int) -> WagerOdds:
    """Return the odds of a wager when only ``left`` of the cards can be dealt."""
    deals = count_deals(wager.sees | Sees.TOTALS, CardsSeen(), cards)
    ways = dict.fromkeys([line.outcome for line in wager.outcomes], 0)
    void = deals.void
    for outcome, counted in deals.classes.items():
        if outcome.player_cards + outcome.banker_cards > left:
            void += counted
        else:
            ways[settle(wager, outcome).outcome] += counted
    return _wager_odds(wager, ways | {VOID: void}, deals.total)


def slug_odds(
    game: Game,
    slug: Composition | Iterable[Card] | str,
    shoe: Shoe = 8,
    within: int | None = None,
) -> Odds:
    """Return the exact odds when the cards of a slug are the next to come, in an order that nobody knows.

    ``shoe`` are all cards not exposed, the slug among them. With ``within``, the slug's cards are somewhere among the
    next ``within`` cards, six at least, each place as likely as any other; without, they come one after another and
    then the rest of the shoe follows.

    >>> from punto import load
    >>> slug_odds(load("baccarat"), "8h 8d 9s 9c 9h 8s")["Tie"].house_edge < -1
    True
    """
    book = game_of(game)
    expect_no_questions_to_cards(book.wagers, "a slug")
    cards, known = unexposed_cards(book, shoe, NOTHING_SEEN), _slug(slug)
    try:
        rest = cards.without(known)
    except CardError as error:
        raise CardError(f"the shoe does not hold this slug: {error}") from None
    within = _places(known, within, cards)
    if len(known) >= LONGEST_COUP and within in (None, len(known)):
        return replace(exact_odds(book, Composition(known)), cards=len(cards))
    if not known:
        return exact_odds(book, cards)
    if within is None or within == len(known):
        return _odds(book, cards, _short_slug(book, known, rest))
    if len(rest) < LONGEST_COUP:
        raise ValueError(f"expected at least {LONGEST_COUP} cards that are not of the slug, not {len(rest)}")
    return _odds(book, cards, [_scattered_slug(wager, known, rest, within) for wager in book.wagers])


def _slug(slug: Composition | Iterable[Card] | str) -> tuple[Card, ...]:
    """Return the cards of a slug, one by one."""
    if isinstance(slug, str):
        return parse_cards(slug)
    if isinstance(slug, Composition):
        return tuple(Counter(slug.counts()).elements())
    if not isinstance(slug, Iterable):
        raise TypeError(f'expected the cards of a slug, such as "4h Td", found {slug!r}')
    cards = tuple(slug)
    given: tuple[object, ...] = cards
    if unknown := [each for each in given if not isinstance(each, Card)]:
        raise CardError(f'expected the cards of a slug, such as "4h Td", found {unknown[0]!r}')
    return cards


def _number(given: object, fewest: int, most: int, of: str) -> int:
    found = as_whole(given)
    if found is None:
        raise TypeError(f"expected {of} from {fewest} to {most}, found {given!r}")
    if not fewest <= found <= most:
        raise ValueError(f"expected {of} from {fewest} to {most}, not {found}")
    return found


def _places(known: tuple[Card, ...], within: int | None, cards: Composition) -> int | None:
    """Return over how many places the cards are scattered; None if they come one after another."""
    if within is None:
        return None
    within = _number(within, len(known), len(cards), "places for the cards of the slug")
    if len(known) < within < LONGEST_COUP:
        raise ValueError(
            f"a slug of {len(known)} cards scattered over fewer than {LONGEST_COUP} is not counted: "
            f"name the cards, or give {LONGEST_COUP} places or more"
        )
    return within


# --- a slug shorter than a coup, followed by other cards ---


def _short_slug(book: Rulebook, known: tuple[Card, ...], rest: Composition) -> list[WagerOdds]:
    """Return the odds of every wager over all orders of at most five cards that come first."""
    orders = Counter(permutations(known))
    chances: dict[str, Counter[str]] = {wager.name: Counter() for wager in book.wagers}
    # All orders are equally likely, and each has as many continuations as any other.
    total = perm(len(rest), min(LONGEST_COUP - len(known), len(rest)))
    for order, times in orders.items():
        dealt = _as_dealt(order)
        for wager in book.wagers:
            met = chances[wager.name]
            for chance in wager_odds(wager, rest, dealt).outcomes:
                ways = chance.probability * total * times
                assert ways.denominator == 1
                met[chance.outcome] += ways.numerator
    every = total * factorial(len(known))
    return [_wager_odds(wager, chances[wager.name], every) for wager in book.wagers]


def _as_dealt(order: Iterable[Card]) -> CardsSeen:
    """Return the first cards of a coup, each in its hand; a card that the coup does not take is left out."""
    hands: dict[Hand, list[Card]] = {Hand.PLAYER: [], Hand.BANKER: []}
    for card in order:
        hand = next_card(*([each.point_value for each in cards] for cards in hands.values()))
        if hand is None:
            break
        hands[hand].append(card)
    return CardsSeen(tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER]))


# --- a slug scattered over more places than it has cards ---


def _scattered_slug(wager: Wager, known: tuple[Card, ...], rest: Composition, within: int) -> WagerOdds:
    """Return the odds of a wager when the slug's cards may be anywhere among the next ``within``.

    Deals with exactly j cards of the slug follow from deals out of the rest and a part of the slug, by inclusion and
    exclusion over all parts of at most j cards. Each is as likely as the slug has placements with j cards among the
    first six: of all placements and of all orders of six other cards, so many lead to it.
    """
    size, longest = len(known), min(LONGEST_COUP, len(known))
    by_size = _deals_by_size(wager, known, rest, longest)
    ways: Counter[str] = Counter()
    for used in range(longest + 1):
        likely = perm(within - LONGEST_COUP, size - used) * perm(len(rest) - LONGEST_COUP + used, used)
        if not likely:
            continue
        for part in range(used + 1):
            sign = (-1) ** (used - part) * comb(size - part, used - part)
            for outcome, deals in by_size[part].items():
                ways[outcome] += likely * sign * deals
    return _wager_odds(wager, ways, perm(within, size) * perm(len(rest), LONGEST_COUP))


def _deals_by_size(wager: Wager, known: tuple[Card, ...], rest: Composition, longest: int) -> list[Counter[str]]:
    """Return for each size of a part of the slug the deals out of the rest and such a part, summed over all parts."""
    kinds: dict[Hashable, list[Card]] = {}
    for card in known:
        kinds.setdefault(_as_seen(wager, card), []).append(card)
    parts = list(islice(_parts(list(kinds.values()), longest), MOST_PARTS_OF_A_SLUG + 1))
    if len(parts) > MOST_PARTS_OF_A_SLUG:
        raise ValueError(
            f"a slug of {len(known)} cards among more has over {MOST_PARTS_OF_A_SLUG:,} different parts "
            f"for {wager.name}: name a smaller slug, or the odds of its own cards"
        )
    found: list[Counter[str]] = [Counter() for _ in range(longest + 1)]
    for part, times in parts:
        for chance in wager_odds(wager, rest.plus(part)).outcomes:
            found[len(part)][chance.outcome] += times * chance.deals
    return found


def _as_seen(wager: Wager, card: Card) -> Hashable:
    """Return a key that is the same for cards that the wager cannot tell apart."""
    if wager.sees & (Sees.PLAYER_SUITS | Sees.BANKER_SUITS):
        return card
    return card.rank if wager.sees & (Sees.PLAYER_RANKS | Sees.BANKER_RANKS) else card.point_value


def _parts(kinds: list[list[Card]], most: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield the different parts of at most ``most`` cards, with how often each comes."""
    if not kinds:
        yield (), 1
        return
    first, *others = kinds
    for taken in range(min(most, len(first)) + 1):
        for part, times in _parts(others, most - taken):
            yield (*first[:taken], *part), comb(len(first), taken) * times


# --- both ---


def _wager_odds(wager: Wager, ways: Mapping[str, int], total: int) -> WagerOdds:
    """Return the odds of a wager, from how many of ``total`` equally likely deals lead to each outcome."""
    chances = [
        OutcomeOdds(line.outcome, line.result, line.pays, line.clause, counted, Fraction(counted, total))
        for line in wager.outcomes
        for counted in (ways.get(line.outcome, 0),)
    ]
    if void := ways.get(VOID, 0):
        chances.append(OutcomeOdds(VOID, None, Fraction(0), None, void, Fraction(void, total)))
    return WagerOdds(wager, tuple(chances))


def _odds(book: Rulebook, cards: Composition, wagers: list[WagerOdds]) -> Odds:
    return Odds(book, len(cards), sum(chance.deals for chance in wagers[0].outcomes), tuple(wagers))
