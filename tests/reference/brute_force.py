"""Every order in which a few unexposed cards can come, dealt one by one by the second settlement's own rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

from reference import second_settlement

from punto import Card, CardsSeen, Coup, Rulebook, settle


class Contradiction(Exception):
    """A third card is seen that this order of the cards would not have called for."""


def every_order(seen: CardsSeen, unexposed: Sequence[Card]) -> Iterator[Coup | None]:
    """The coup that each order of the unexposed cards makes; None where they run out. Contradictions are left out."""
    for order in permutations(unexposed):
        try:
            player, banker, used = second_settlement.play(_cards_to_come(seen, iter(order)))
        except StopIteration:
            yield None
        except Contradiction:
            continue
        else:
            if _third_shown(seen.player) <= (len(player) == 3) and _third_shown(seen.banker) <= (len(banker) == 3):
                yield Coup.deal(" ".join(used))


def outcomes(book: Rulebook, seen: CardsSeen, unexposed: Sequence[Card]) -> dict[str, Counter[str]]:
    """In how many orders each wager meets each of its outcomes, or void."""
    met: dict[str, Counter[str]] = {wager.name: Counter() for wager in book.wagers}
    for coup in every_order(seen, unexposed):
        for wager in book.wagers:
            met[wager.name][settle(wager, coup).outcome if coup else "void"] += 1
    return met


def covariance(book: Rulebook, one: str, other: str, unexposed: Sequence[Card]) -> Fraction:
    first, second = book.wager(one), book.wager(other)
    pairs = [
        (settle(first, coup).pays, settle(second, coup).pays) if coup else (Fraction(0), Fraction(0))
        for coup in every_order(CardsSeen(), unexposed)
    ]
    mean_first = sum((a for a, _ in pairs), Fraction(0)) / len(pairs)
    mean_second = sum((b for _, b in pairs), Fraction(0)) / len(pairs)
    return sum(((a - mean_first) * (b - mean_second) for a, b in pairs), Fraction(0)) / len(pairs)


def _cards_to_come(seen: CardsSeen, stream: Iterator[Card]) -> Iterator[str]:
    """The cards of a coup in dealing order: those seen in their places, all others from the stream until it is dry."""
    dealt: list[str] = []
    for hand, place in ((seen.player, 0), (seen.banker, 0), (seen.player, 1), (seen.banker, 1)):
        card = (hand[place] if place < len(hand) else None) or next(stream, None)
        if card is None:
            return
        dealt.append(str(card))
        yield str(card)
    player_stands = second_settlement.total([dealt[0], dealt[2]]) > 5
    if player_stands and _third_shown(seen.player):
        raise Contradiction
    for hand in (seen.banker,) if player_stands else (seen.player, seen.banker):
        card = (hand[2] if _third_shown(hand) else None) or next(stream, None)
        if card is None:
            if hand is seen.player and _third_shown(seen.banker) and not _natural(dealt):
                raise Contradiction  # Banker's third card is drawn after Player's
            return
        yield str(card)


def _third_shown(hand: Sequence[Card | None]) -> bool:
    return len(hand) == 3 and hand[2] is not None


def _natural(dealt: list[str]) -> bool:
    return max(second_settlement.total([dealt[0], dealt[2]]), second_settlement.total([dealt[1], dealt[3]])) >= 8
