"""The shuffle: every order is exactly as likely as every other, and anyone can repeat it."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.shoe import ShoeError, draw, shuffle, words
from punto.shoe.encoding import pack
from punto.shoe.shuffle import WORDS


def chi_square(counts: Counter[object], kinds: int) -> float:
    """How far the counts are from equal, in standard deviations of what chance does to them."""
    mean = counts.total() / kinds
    statistic = sum((counts[kind] - mean) ** 2 / mean for kind in counts) + (kinds - len(counts)) * mean
    freedom = kinds - 1
    return (statistic - freedom) / math.sqrt(2 * freedom)


def streams(count: int) -> Iterator[Iterator[int]]:
    """So many streams that have nothing to do with each other, the same ones in every run."""
    return (words(hashlib.sha256(b"test %d" % number).digest()) for number in range(count))


def test_the_stream_is_hmac_sha256_of_a_counter() -> None:
    blocks = [hmac.new(b"key", bytes(7) + bytes([n]), hashlib.sha256).digest() for n in range(3)]
    raw = b"".join(blocks)
    assert list(islice(words(b"key"), 48)) == [256 * raw[at] + raw[at + 1] for at in range(0, 96, 2)]


def test_fields_cannot_run_into_each_other() -> None:
    assert pack("ab", b"\x00", "") == bytes.fromhex("00000002 6162 00000001 00 00000000")
    assert pack("a", "bc") != pack("ab", "c")


@pytest.mark.parametrize("bound", [1, 2, 3, 52, 257, 416, 520, 40_000, WORDS - 1, WORDS])
def test_of_all_words_each_result_takes_exactly_the_same_number(bound: int) -> None:
    """Not sampled: every word there is. Those left over are passed over, and fewer than ``bound`` are."""
    results: Counter[int] = Counter()
    stream = iter(range(WORDS))
    usable = WORDS // bound * bound
    for _ in range(usable):
        results[draw(bound, stream)] += 1
    assert set(results.values()) == {WORDS // bound}
    assert set(results) == set(range(bound))
    assert list(stream) == list(range(usable, WORDS))


def test_a_word_in_the_incomplete_run_is_passed_over() -> None:
    assert draw(416, iter([65535, 65312, 65311, 7])) == 65311 % 416
    assert draw(3, iter([65535, 4])) == 1


@pytest.mark.parametrize("bound", [0, -1, WORDS + 1])
def test_a_word_decides_among_no_more_than_it_has_values(bound: int) -> None:
    with pytest.raises(ShoeError, match="decides among"):
        draw(bound, words(b""))


@pytest.mark.parametrize("n", range(7))
def test_each_order_comes_from_exactly_one_row_of_draws(n: int) -> None:
    """With draws that are exactly uniform, this makes the orders exactly uniform."""
    rows = product(*(range(bound) for bound in range(n, 1, -1)))
    assert Counter(tuple(shuffle(n, iter(row))) for row in rows) == Counter(permutations(range(n)))


@pytest.mark.parametrize(("n", "times"), [(3, 3_000), (4, 4_800), (5, 6_000)])
def test_over_all_orders_of_a_small_deck_nothing_is_favoured(n: int, times: int) -> None:
    counts: Counter[object] = Counter(tuple(shuffle(n, stream)) for stream in streams(times))
    assert abs(chi_square(counts, math.factorial(n))) < 4


def test_every_card_of_a_deck_comes_to_every_position_alike() -> None:
    counts: Counter[object] = Counter()
    for stream in streams(2_000):
        counts.update(enumerate(shuffle(52, stream)))
    assert abs(chi_square(counts, 52 * 52)) < 4


@given(st.integers(0, 600), st.binary(min_size=32, max_size=32))
def test_a_shuffle_loses_and_repeats_no_card(n: int, key: bytes) -> None:
    order = shuffle(n, words(key))
    assert sorted(order) == list(range(n))
    assert order == shuffle(n, words(key))
