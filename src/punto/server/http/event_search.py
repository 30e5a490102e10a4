"""Search of the whole house, and notes on what happened at a table."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from punto.report.event_search import EventsFound, EventSought, search_events
from punto.report.legend import Legend
from punto.server.access.erasure import erase_words
from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.access.shown_events import is_shown_to
from punto.server.gateway import Gateway
from punto.server.http.access.people import Erasure
from punto.server.http.audit import Time, known_table, readable_table
from punto.server.http.pit import OpeningDigests
from punto.server.refused import Refused
from punto.server.routing.event_numbers import EventNumber
from punto.server.routing.routes import Routes
from punto.server.tables.blind_count import check_shown, hidden_tables, is_about
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE, NoteAdded
from punto.store.protocol import Reader
from punto.table.event import Event
from punto.table.guards import MOST, is_note
from punto.texts import Language

LONGEST_NOTE = 2000
Amount = Annotated[int, Meta(ge=0, lt=MOST)]
Name = Annotated[str, Meta(max_length=64)]


class NewNote(Struct, frozen=True, forbid_unknown_fields=True):
    """A note on a table, a round of it, or one event."""

    note: Annotated[str, Meta(min_length=1, max_length=LONGEST_NOTE)]
    round: Annotated[int, Meta(ge=1, lt=2**31)] | None = None
    event: Annotated[int, Meta(ge=1, lt=2**53)] | None = None


class NoteShown(Struct, frozen=True):
    """A note, with who wrote it and when."""

    number: int
    """Of the event in the house's stream, by which it can be erased."""
    at: int
    by: str
    name: str | None
    note: str
    round: int | None
    event: int | None


routes = Routes("/api/audit", "audit")


@routes.get("/events", permission=Permission.SEARCH_LOG)
async def find_events(
    gateway: Gateway,
    caller: Person,
    person: Name | None = None,
    table: Annotated[str, Meta(max_length=100)] | None = None,
    clause: Annotated[str, Meta(max_length=20)] | None = None,
    least: Amount | None = None,
    most: Amount | None = None,
    overrides: bool = False,
    since: Time | None = None,
    until: Time | None = None,
    before: Annotated[str, Meta(max_length=20_000)] = "",
    language: Language = Language.ENGLISH,
) -> EventsFound:
    """Find events at all tables, in the house and at the cage, as far as the caller may see them; the newest first."""
    hidden = await hidden_tables(gateway.floor, caller)
    if table:
        await check_shown(gateway.floor, caller, known_table(gateway, table))
    created = {name: game for name, game in gateway.floor.created.items() if name not in hidden}
    people = {each.id for each in await gateway.people.everybody(person)} if person else None
    sought = EventSought(people, clause or None, least, most, overrides, since, until)
    books = {name: gateway.floor.games.get(game) for name, game in created.items() if table in (None, "", name)}
    streams = [*books] if table else [*books, HOUSE, CAGE]

    def is_shown(event: Event) -> bool:
        return is_shown_to(caller.duty, event) and not is_about(event, hidden)

    async def work(store: Reader) -> EventsFound:
        heads = await store.heads(streams)
        return await search_events(store, heads, books, sought, Legend(language), before, is_shown=is_shown)

    return await gateway.auditing.jobs.run(work)


@routes.post("/tables/{table}/notes", permission=Permission.WRITE_NOTES)
async def add_note(
    gateway: Gateway, digests: OpeningDigests, person: Person, table: str, body: NewNote
) -> list[NoteShown]:
    """Write a note on a round or an event, such as where a camera shows it; return all notes on the table."""
    await readable_table(gateway, digests, person, table)
    if not is_note(body.note) or not body.note.strip():
        raise Refused("bad-words", case="note", most=LONGEST_NOTE)
    if body.event is not None and body.event > (await gateway.floor.store.head(table))[0]:
        raise Refused("not-found")
    note = NoteAdded(table, body.note, body.round, body.event)
    await gateway.floor.record(note, (person.id, person.duty.value))
    return await _notes(gateway, table)


@routes.get("/tables/{table}/notes", permission=Permission.READ_LOG)
async def list_notes(gateway: Gateway, digests: OpeningDigests, person: Person, table: str) -> list[NoteShown]:
    """List the notes on a table, its rounds and events, the newest first."""
    await readable_table(gateway, digests, person, table)
    return await _notes(gateway, table)


@routes.post("/notes/{number}/erase", permission=Permission.ERASE)
async def erase_note(gateway: Gateway, person: Person, number: EventNumber, body: Erasure) -> None:
    """Erase a note for good; that it was written, and its digest, stay."""
    read = await gateway.floor.store.read(HOUSE, number - 1, 1)
    if not read or read[0].name != NoteAdded.__name__:
        raise Refused("not-found")
    by = (person.id, person.duty.value)
    await erase_words(gateway.floor.store, HOUSE, number, body.reason, gateway.clock(), by)


async def _notes(gateway: Gateway, table: str) -> list[NoteShown]:
    store, legend = gateway.floor.store, Legend()
    kept = (await gateway.floor.read_journal()).notes.get(table, [])
    about = [(each, event) for each in kept if isinstance(event := each.event, NoteAdded)]
    await legend.look_up(store, [each for each, _ in about])
    return [
        NoteShown(
            each.number,
            each.at,
            each.by,
            legend.names.get(each.by),
            legend.in_text(event.note),
            event.round,
            event.number,
        )
        for each, event in reversed(about)
    ]
