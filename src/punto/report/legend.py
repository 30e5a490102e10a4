"""A legend of a report: the names of the people it is about, and what they wrote, in place of ids and digests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from typing import Any

from msgspec.structs import replace

from punto.report.event_text import event_text
from punto.store.records import EventRecord
from punto.store.words import KnownWords, WordsReader, people_in
from punto.table.event import Circumstances, Event
from punto.texts import Language, text

_PERSON = re.compile(r"\bp[a-z2-7]{10}\b")


class Legend:
    """Names and words as far as they have been looked up, for a report in one language."""

    def __init__(self, language: Language = Language.ENGLISH, names: Mapping[str, str] | None = None) -> None:
        self._language, self._words = language, KnownWords()
        self._erased = text("reports", "erased.words", language)
        self.names: dict[str, str] = dict(names or {})
        """By id; a name that was erased says so."""

    async def look_up(self, store: WordsReader, records: Iterable[EventRecord]) -> None:
        """Learn the words of these events, and the names of the people whom they and the words name."""
        bodies = [part for each in records for part in (each.body, each.by.encode())]
        await self._words.look_up(store, *bodies)
        await self.look_up_people(store, people_in(*map(self._words.in_json, bodies)))

    async def look_up_people(self, store: WordsReader, people: Set[str]) -> None:
        """Learn the names of people by their ids."""
        if unknown := people - self.names.keys():
            kept = await store.names(unknown)
            self.names |= {person: each.words or self._erased_name(person) for person, each in kept.items()}

    def _erased_name(self, person: str) -> str:
        return text("reports", "erased.name", self._language, person=person)

    def name(self, person: str) -> str:
        """Return the name of a person; the id where there is none."""
        return self.names.get(person, person)

    def in_text(self, told: str) -> str:
        """Return a text with names and words in it."""
        return _named(self._words.in_text(told, self._erased), self.names)

    def event(self, event: Event) -> str:
        """Return the sentence that says what an event did."""
        return self.in_text(event_text(event, self._language))

    def circumstances(self, told: Circumstances) -> Circumstances:
        """Return the circumstances of an irregularity with what people wrote about it."""
        shown = {name: getattr(told, name) for name in ("noticed_by", "note", "reason")}
        return replace(told, **{name: self._words.in_text(words, self._erased) for name, words in shown.items()})


def named(content: Any, names: Mapping[str, str]) -> Any:
    """Return texts, also those in lists and mappings, with names in place of ids."""
    if isinstance(content, str):
        return _named(content, names)
    if isinstance(content, list):
        return [named(each, names) for each in content]
    return {key: named(each, names) for key, each in content.items()} if isinstance(content, dict) else content


def _named(told: str, names: Mapping[str, str]) -> str:
    return _PERSON.sub(lambda found: names.get(found[0], found[0]), told)
