"""Erasure of what people wrote: the words go, their digests and the chain of hashes stay."""

from __future__ import annotations

from punto.server.access.person_name import LONGEST_LINE, proper_line
from punto.server.refused import Refused
from punto.store import people as sql
from punto.store.events.house_events import WordsErased
from punto.store.house import record
from punto.store.protocol import Store
from punto.store.words import MARK, digests_in


def proper_reason(reason: str) -> str:
    """Return the reason for an erasure as it is stored; raise ``Refused`` if there is none."""
    proper = proper_line(reason)
    if proper is None:
        raise Refused("cannot-be", case="no-reason", most=LONGEST_LINE)
    return proper


async def erase_words(
    store: Store, stream: str, number: int, reason: str, at: int, by: tuple[str, str]
) -> tuple[str, ...]:
    """Erase all words of one event for good, and return their digests.

    That is recorded first. If the process ends before the rest is done, it can be asked for again.
    """
    proper = proper_reason(reason)
    read = await store.read(stream, number - 1, 1) if number > 0 else []
    digests = tuple(sorted(digests_in(read[0].body))) if read and read[0].number == number else ()
    if not digests:
        raise Refused("cannot-be", case="no-words", stream=stream, event=number)
    kept = await store.words(digests)
    if all(kept[each].is_erased for each in digests if each in kept):
        raise Refused("cannot-be", case="words-erased", stream=stream, event=number)
    erased = WordsErased(stream, number, tuple(f"{MARK}{each}" for each in digests), proper)
    await record(store, [erased], at, by)
    for each in digests:
        await store.ask(sql.ERASE_WORDS, each)
    await store.ask(sql.ERASE_ANSWERS, b"", stream, number)
    await store.scrub()
    return digests
