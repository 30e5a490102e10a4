"""The same shoes as the simulation's, shuffled and dealt one card at a time in plain Python, with code of its own."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from punto import Coup, Unlawful
from punto.cards import DECK, Card

WORD, HALF = 2**64, 2**32
LANES = 4


def random_words(seed: int, chunk: int) -> Iterator[int]:
    """The words of a chunk, begun from the seed and its number."""
    digest = blake2b(f"punto {seed} {chunk}".encode(), digest_size=32).digest()
    return words_from([int.from_bytes(digest[at : at + 8], "little") for at in range(0, 32, 8)])


def words_from(state: list[int]) -> Iterator[int]:
    """xoshiro256++, begun from four words."""

    def turned(value: int, by: int) -> int:
        return (value << by | value >> 64 - by) % WORD

    while True:
        yield (turned((state[0] + state[3]) % WORD, 23) + state[0]) % WORD
        shifted = (state[1] << 17) % WORD
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = turned(state[3], 45)


def two_choices(half: int, first: int, second: int) -> tuple[int, int] | None:
    """Two numbers below these bounds from 32 random bits; None if the bits would favour some."""
    number = half * first * second
    one, rest = divmod(half * first, HALF)
    other, left = divmod(rest * second, HALF)
    assert number % HALF == left
    return None if left < HALF % (first * second) else (one, other)


def shuffle(cards: list[Card], words: Iterator[int], upto: int) -> None:
    """Put a card chosen at random in each place, four places to a word, at least up to a place."""
    at, size = 0, len(cards)
    while at < upto:
        word = next(words)
        left = size - at
        choices = []
        for half, ahead in ((word % HALF, 0), (word // HALF, 2)):
            # Beyond the end of the shoe there is nothing to choose from.
            bounds = max(left - ahead, 0), max(left - ahead - 1, 0)
            found = two_choices(half, *bounds) if bounds[1] else (0, 0)
            choices.append(found)
        if None in choices:
            continue
        for offset in (number for pair in choices if pair for number in pair):
            if at < size:
                cards[at], cards[at + offset] = cards[at + offset], cards[at]
            at += 1


def how_far(size: int, cut: int, after: int) -> int:
    """Only cards that can be dealt are shuffled, by fours; a last single card has nowhere to go."""
    reached = size if after else min(size, size - cut + 6)
    return size - 1 if size % 4 == 1 and reached == size else -(-reached // 4) * 4


def shoes(seed: int, count: int, cards: list[Card], cut: int, after: int, chunk: int = 0) -> Iterator[list[Card]]:
    """The shoes of a chunk; each lane goes on shuffling the shoe it had."""
    words, lanes, upto = random_words(seed, chunk), [list(cards) for _ in range(LANES)], how_far(len(cards), cut, after)
    for number in range(count):
        lane = lanes[number % LANES]
        shuffle(lane, words, upto)
        yield list(lane)


def rounds(shoe: list[Card], cut: int, burn: int | str, after: int) -> Iterator[Coup | None]:
    """The rounds of a shoe in turn; None for one that the cards do not suffice for."""
    first = shoe[0].point_value or 10
    at = 1 + first if burn == "first-card" else int(burn)
    while at < len(shoe):
        if at > len(shoe) - cut:
            if not after:
                return
            after -= 1
        coup = deal(shoe[at : at + 6])
        yield coup
        if coup is None:
            return
        at += len(coup.player) + len(coup.banker)


def deal(cards: list[Card]) -> Coup | None:
    """The coup that begins with these cards, if they suffice."""
    for count in (4, 5, 6):
        if count <= len(cards):
            try:
                return Coup.deal(cards[:count])
            except Unlawful:
                continue
    return None


def in_order(counts: dict[Card, int]) -> list[Card]:
    return [card for card in DECK for _ in range(counts.get(card, 0))]
