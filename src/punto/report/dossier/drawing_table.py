"""The Table of Play as tables to read: every cell is asked of the code that deals the cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from punto.report.dossier.document import Block, Paragraph, PrintedTable, say
from punto.rules.table_of_play import ANY_CARD, NATURALS, banker_draws, player_draws
from punto.texts import Language, text

TOTALS = range(10)
_MOST_LISTED = 6
"""More cards than these are told by those that are missing."""


def drawing_tables(language: Language) -> Iterator[Block]:
    """Yield the sentence about naturals, Player's table and Banker's."""
    yield Paragraph(say("play.natural", language, totals=say("play.or", language).join(map(str, sorted(NATURALS)))))
    yield PrintedTable(
        (say("play.player_total", language), say("play.player", language)),
        tuple(_grouped([(total, _player(total, language)) for total in TOTALS], language)),
        wide=(1,),
        caption=say("play.player_caption", language),
    )
    yield PrintedTable(
        (
            say("play.banker_total", language),
            say("play.player_stood", language),
            say("play.player_drew", language),
        ),
        tuple(
            _grouped(
                [
                    (total, (_after_stand(total, language), _after_draw(total, language)))
                    for total in TOTALS
                    if total not in NATURALS
                ],
                language,
            )
        ),
        wide=(2,),
        caption=say("play.banker_caption", language),
    )


def _player(total: int, language: Language) -> tuple[str, ...]:
    if total in NATURALS:
        return (say("play.ends", language),)
    return (say(_draws({player_draws(total, banker) for banker in _without_natural()}), language),)


def _after_stand(banker: int, language: Language) -> str:
    standing = _players(lambda player: not player_draws(player, banker))
    return say(_draws({banker_draws(player, banker, None) for player in standing}), language)


def _after_draw(banker: int, language: Language) -> str:
    drawing = _players(lambda player: player_draws(player, banker))
    on = {card for card in ANY_CARD if _one({banker_draws(player, banker, card) for player in drawing})}
    if on in (set(), ANY_CARD):
        return say(_draws({bool(on)}), language)
    if len(on) > _MOST_LISTED:
        return say("play.except", language, cards=_listed(sorted(ANY_CARD - on), language))
    return say("play.when", language, cards=_listed(sorted(on), language))


def _draws(answers: set[bool]) -> str:
    return "play.draws" if _one(answers) else "play.stands"


def _one(answers: set[bool]) -> bool:
    """Return the answer that all agree on; a Table of Play that needs more to be told has no such table."""
    (answer,) = answers
    return answer


def _without_natural() -> list[int]:
    return [total for total in TOTALS if total not in NATURALS]


def _players(of: Callable[[int], bool]) -> list[int]:
    return [total for total in _without_natural() if of(total)]


def _grouped(rows: list[tuple[int, tuple[str, ...]]], language: Language) -> Iterator[tuple[str, ...]]:
    """Yield one row for all totals in a row that are told the same."""
    for cells, group in groupby(rows, key=lambda row: row[1]):
        yield (_listed([total for total, _ in group], language), *cells)


def _listed(numbers: Iterable[int], language: Language) -> str:
    return text("names", "list.separator", language).join(map(str, numbers))
