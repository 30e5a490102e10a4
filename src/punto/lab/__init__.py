"""Studies of the games: counting, perfect play and known cards, pay tables, bankrolls and staking plans.

Every study is a module, imported lazily.

>>> import punto
>>> punto.lab.house_choices.compare_decks("tiger", (8,))
<DecksStudy of 'tiger': 8 decks>
"""

from typing import TYPE_CHECKING

from punto.lazy_modules import modules_of

if TYPE_CHECKING:
    from punto.lab import (
        bankrolls,
        card_partition,
        counts,
        house_choices,
        known_cards,
        pay_tables,
        perfect_play,
        pit_guard,
        study,
    )

__all__ = [
    "bankrolls",
    "card_partition",
    "counts",
    "house_choices",
    "known_cards",
    "pay_tables",
    "perfect_play",
    "pit_guard",
    "study",
]

if not TYPE_CHECKING:
    __getattr__ = modules_of(__name__)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
