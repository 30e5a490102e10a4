"""Every round of a simulation in a Parquet file, one row each, with all that says where the rounds come from.

The file's metadata has one entry, ``punto``: a JSON object with the game, its digest, the seed, how shoes were made up
and dealt, the version of Punto, what each column means, and how many parts of a column of returns make a unit.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any

from punto.cards import DECK
from punto.given_values import callback
from punto.rules.caller_input import Game, game_of
from punto.rules.coup import FirstTwo, OutcomeClass, Winner
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.outcome_classes import classes_for
from punto.rules.rulebook import VOID, Rulebook, Wager
from punto.simulate.round_sequences import Array, Rounds, rounds
from punto.simulate.shoe_makeup import Shoes
from punto.simulate.simulation import Progress, shoes_dealt

if TYPE_CHECKING:
    import polars

METADATA = "punto"
"""The key of the file's metadata."""

WINNERS = (*(winner.value for winner in Winner), VOID)


COLUMNS = {
    "shoe": "number of the shoe, from 1",
    "round": "number of the round in its shoe, from 1",
    "place": "how many cards had left the shoe when the round began",
    **{f"card_{at + 1}": f"card {at + 1} of the round in dealing order; null if none" for at in range(LONGEST_COUP)},
    "player_total": "Player's total; 0 if void",
    "banker_total": "Banker's total; 0 if void",
    "player_cards": "number of Player's cards; 0 if void",
    "banker_cards": "number of Banker's cards; 0 if void",
    "winner": "player, banker, tie, or void where the cards ran out",
    "player_pair": "whether Player's first two cards are of one rank",
    "banker_pair": "whether Banker's first two cards are of one rank",
    "class": "number of the class of the initial deal, from 1: deals of one class answer every question of every wager "
    "about first two cards alike; an example of each is under classes",
}
"""What each column means; beside them stands a column ``return_NAME`` for each wager."""


def frame(found: Rounds, wagers: Sequence[Wager] = ()) -> polars.DataFrame:
    """Return the rounds as a data frame, one row each, with the columns of ``COLUMNS`` and what a unit on each of the
    wagers returned, in whole parts of a unit.
    """
    import numpy as np
    import polars

    void = found.ending < 0
    endings = np.array([*found.classes.endings, (0, 0, 0, 0)], np.uint8)[found.ending]
    won = [WINNERS.index(OutcomeClass(*ending).winner.value) for ending in found.classes.endings]
    pairs = _pairs()
    cards, absent = found.cards.astype(np.int64), (found.taken[:, None] <= np.arange(LONGEST_COUP)) | void[:, None]
    columns: dict[str, Any] = {
        "shoe": found.shoe.astype(np.uint64) + np.uint64(1),
        "round": found.number.astype(np.uint16),
        "place": found.place.astype(np.uint32),
        **{f"card_{at + 1}": _named(_CARDS, np.where(absent[:, at], -1, cards[:, at])) for at in range(LONGEST_COUP)},
        "player_total": endings[:, 0],
        "banker_total": endings[:, 1],
        "player_cards": endings[:, 2],
        "banker_cards": endings[:, 3],
        "winner": _named(WINNERS, np.array([*won, WINNERS.index(VOID)])[found.ending]),
        "player_pair": pairs[cards[:, 0], cards[:, 2]] & ~void,
        "banker_pair": pairs[cards[:, 1], cards[:, 3]] & ~void,
        "class": found.initial.astype(np.uint16) + np.uint16(1),
        **{f"return_{wager.name}": found.returns(wager)[0] for wager in wagers},
    }
    return polars.DataFrame(columns)


@cache
def _pairs() -> Array:
    """Return, by two cards of a hand, whether they are a pair."""
    import numpy as np

    return np.array([[FirstTwo.of(one, other).pair is not None for other in DECK] for one in DECK])


_CARDS = tuple(str(card) for card in DECK)


def _named(names: tuple[str, ...], numbers: Array) -> polars.Series:
    """Return names by their numbers; null for -1."""
    import numpy as np
    import polars

    known = polars.Series([*names, None], dtype=polars.Enum(names))
    return known.gather(np.where(numbers < 0, len(names), numbers))


def about_rounds(book: Rulebook, shoes: int, seed: int, shoe: Shoes) -> dict[str, object]:
    """Return what the metadata of a file of rounds says."""
    from punto import __version__

    examples = enumerate(classes_for(book.wagers).examples, start=1)
    return {
        "game": book.key,
        "title": book.title,
        "version": book.version,
        "digest": book.digest,
        "software": f"punto {__version__}",
        "seed": seed,
        "shoes": shoes,
        **shoe.to_dict(),
        "composition": {str(card): count for card, count in shoe.cards.items()},
        "parts_per_unit": {wager.name: wager.parts for wager in book.wagers},
        "columns": COLUMNS
        | {
            f"return_{wager.name}": f"net gain of a unit on {wager.name}, in parts of a unit: see parts_per_unit"
            for wager in book.wagers
        },
        "classes": [
            {"class": number, "player": _first_two(player), "banker": _first_two(banker)}
            for number, (player, banker) in examples
        ],
    }


def _first_two(cards: FirstTwo) -> dict[str, object]:
    return {
        "pair": cards.pair.value if cards.pair else None,
        "suit": cards.suit.value if cards.suit else None,
    }


def write_rounds(
    file: Path | str,
    game: Game,
    shoes: int,
    seed: int = 0,
    shoe: Shoes | None = None,
    progress: Progress | None = None,
) -> int:
    """Stream every round of ``shoes`` shoes into a Parquet file; return how many there were.

    The file is written under another name and then renamed: an interrupt, which is raised once, leaves none.
    """
    given: object = file
    if not isinstance(given, str | Path):
        raise TypeError(f"expected the path of a file to write, found {given!r}")
    callback(progress, "progress")
    book = game_of(game)
    dealt = shoes_dealt(book, shoe)
    blocks = rounds(book, shoes, seed, dealt)
    first = next(blocks, None)
    if first is None:
        raise ValueError("no round can be dealt from such shoes")
    about = {METADATA: json.dumps(about_rounds(book, shoes, seed, dealt), ensure_ascii=False)}
    path = Path(file)
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        written = _streamed(chain([first], blocks), book.wagers, unfinished, about, progress)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return written


def _streamed(
    blocks: Iterator[Rounds], wagers: Sequence[Wager], file: Path, about: dict[str, str], progress: Progress | None
) -> int:
    """Stream blocks of rounds into a file; return the number of rounds. An interrupt is raised in the end, once."""
    from polars.exceptions import PolarsError
    from polars.io.plugins import register_io_source

    first, written = next(blocks), 0
    with _interrupts_noted() as stopped:

        def source(*_: object) -> Iterator[polars.DataFrame]:
            nonlocal written
            for block in chain([first], blocks):
                written += len(block)
                yield frame(block, wagers)
                with _noting(stopped):
                    (progress or _tell_nobody)(int(block.shoe[-1]) + 1, written)
                if stopped:
                    return

        try:
            register_io_source(source, schema=frame(first, wagers).schema).sink_parquet(file, metadata=about)
        except BaseException as error:
            # An interrupt may end in any error of the writer.
            if not stopped and not isinstance(error, KeyboardInterrupt):
                raise OSError(None, str(error)) if isinstance(error, PolarsError) else error from None
            stopped.append(True)
    if stopped:
        raise KeyboardInterrupt
    return written


def _tell_nobody(_shoes: int, _rounds: int) -> None:
    """Stand in for a callback."""


@contextmanager
def _noting(stopped: list[bool]) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        stopped.append(True)


@contextmanager
def _interrupts_noted() -> Iterator[list[bool]]:
    """Yield a list that an interrupt is noted in, instead of being raised wherever the program happens to be."""
    noted: list[bool] = []
    here = current_thread() is main_thread()
    if not here or signal.getsignal(signal.SIGINT) in (None, signal.SIG_IGN):
        yield noted
        return
    before = signal.signal(signal.SIGINT, lambda *_: noted.append(True))
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)
