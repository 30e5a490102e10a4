"""All tests of a sample, judged together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from punto.evidence.randomness.card_interplay import lags, neighbours, next_shoe, pairs
from punto.evidence.randomness.card_positions import composition, positions
from punto.evidence.randomness.card_sample import CardSample, sample_of
from punto.evidence.randomness.card_sequences import CARD_SEQUENCES
from punto.evidence.randomness.probabilities import LEVEL, RandomnessResult, holm
from punto.evidence.randomness.repetition import repeated_cards
from punto.evidence.randomness.scaling import draws_of, scaling, uniform
from punto.evidence.randomness.shoe_source import Drawn
from punto.evidence.randomness.word_tests import secret_tests, word_tests


@dataclass(frozen=True)
class Judged:
    """A test with its p-value corrected for the number of tests; None for one that could not be made."""

    result: RandomnessResult
    adjusted: float | None

    @property
    def failed(self) -> bool:
        """Whether chance alone does not explain it, at 99% for all tests together."""
        return self.adjusted is not None and self.adjusted < LEVEL


def judge_shoes(drawn: Drawn, decks: int) -> list[Judged]:
    """Test computed shoes: their cards, their draws, their words and, of sealed shoes, their secrets."""
    draws = draws_of(drawn.orders)
    cards = card_tests(sample_of(drawn.orders, decks))
    secrets = [] if drawn.secrets is None else secret_tests(drawn.secrets)
    return judged([*cards, scaling(draws), uniform(draws), *word_tests(drawn.words), *secrets])


def judge_cards(sample: CardSample) -> list[Judged]:
    """Test shoes of which only cards are known, such as those of a log."""
    return judged(card_tests(sample))


def card_tests(sample: CardSample) -> list[RandomnessResult]:
    """Ask the cards everything."""
    asked = [positions(sample), composition(sample), *(test(sample) for test in CARD_SEQUENCES)]
    return [*asked, lags(sample), pairs(sample), next_shoe(sample), *neighbours(sample), repeated_cards(sample)]


def judged(results: list[RandomnessResult]) -> list[Judged]:
    """Correct the p-values of all tests that could be made."""
    made = [each for each in results if each.p is not None]
    adjusted = dict(
        zip((each.code for each in made), holm([each.p for each in made if each.p is not None]), strict=True)
    )
    return [Judged(each, adjusted.get(each.code)) for each in results]


def as_dict(each: Judged) -> dict[str, Any]:
    """Return a test as the JSON answer tells it."""
    result = each.result
    return {
        "test": result.code,
        "statistic": result.statistic,
        "degrees": result.degrees,
        "p": result.p,
        "adjusted_p": each.adjusted,
        "failed": each.failed,
        "counted": result.counted,
        "needs_shoes": result.needs,
    }
