"""``punto people``, ``punto rename`` and ``punto erase``: names of people, and erasure of what is personal."""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Coroutine
from typing import Any

from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import output_file, print_json, write
from punto.server.access.erasure import erase_words, proper_reason
from punto.server.access.identity import Giver, People, Person
from punto.server.access.permissions import Permission
from punto.server.cash.cage import Cage
from punto.server.refused import Refused
from punto.server.running.lifecycle import clock
from punto.store.address import open_store
from punto.store.protocol import Store
from punto.store.records import StoreError

_DATABASE = "a database file that is not being served, or postgresql://..."
_PERSON = "the id of a person, or the name they sign in with"
_BY = "the manager who answers for it: their id, or the name they sign in with"

Work = Callable[[Store, People, Namespace], Coroutine[Any, Any, None]]


def people(parser: ArgumentParser) -> Run:
    """List people."""
    parser.add_argument("database", metavar="DATABASE", help=_DATABASE)
    parser.add_argument("--find", metavar="NAME", help="only those whose names contain this")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the list to a .json file")
    return lambda arguments: _with_people(arguments, _list)


def rename(parser: ArgumentParser) -> Run:
    """Give a person another name."""
    parser.add_argument("database", metavar="DATABASE", help=_DATABASE)
    parser.add_argument("person", metavar="PERSON", help=_PERSON)
    parser.add_argument("name", metavar="NAME", help="what they are called from now on, in any script")
    parser.add_argument("--sign-in", metavar="NAME", help="what they sign in with (default: the name)")
    parser.add_argument("--by", metavar="PERSON", required=True, help=_BY)
    return lambda arguments: _with_people(arguments, _rename)


def erase(parser: ArgumentParser) -> Run:
    """Erase a name, or the words of an event."""
    parser.epilog = "The log keeps ids and digests, and still verifies. Copies made earlier still hold what is erased."
    parser.add_argument("database", metavar="DATABASE", help=_DATABASE)
    parser.add_argument("subject", metavar="PERSON|TABLE", help=f"{_PERSON}; or the table of an event")
    parser.add_argument("event", metavar="EVENT", nargs="?", type=whole_number, help="the number of the event")
    parser.add_argument("--by", metavar="PERSON", required=True, help=_BY)
    parser.add_argument("--reason", metavar="WORDS", required=True, help="why; that can be erased too")
    return lambda arguments: _with_people(arguments, _erase)


def _with_people(arguments: Namespace, work: Work) -> None:
    """Open the database, run ``work`` on its people, and close it."""

    async def run() -> None:
        store = await open_store(arguments.database, make=False)
        try:
            await work(store, People(store, clock), arguments)
        finally:
            await store.close()

    try:
        asyncio.run(run())
    except (StoreError, Refused) as error:
        raise BadInput(str(error)) from None


async def _list(_: Store, known: People, arguments: Namespace) -> None:
    file = None if arguments.output is None else output_file(arguments.output, (".json",))
    found = await known.everybody(arguments.find or "")
    content = [_as_json(each) for each in found]
    if file:
        text = json.dumps(content, indent=2, ensure_ascii=False)
        write({file: lambda made: made.write_text(f"{text}\n", "utf-8")})
    elif arguments.json:
        print_json(content)
    else:
        for each in found:
            print(f"{each.id}  {each.duty.value:24}  {_shown(each)}")  # noqa: T201


def _as_json(person: Person) -> dict[str, object]:
    return {
        "id": person.id,
        "name": person.name,
        "duty": person.duty.value,
        "active": person.active,
        "guest": person.guest,
        "erased": person.erased,
        "sign_in": person.sign_in,
    }


def _shown(person: Person) -> str:
    marks = [name for name in ("guest", "erased") if getattr(person, name)]
    return " ".join([person.name, *(f"[{mark}]" for mark in marks)]).strip()


async def _rename(_: Store, known: People, arguments: Namespace) -> None:
    by = await _answers_for(known, arguments.by, Permission.KEEP_PEOPLE)
    person = await _found(known, arguments.person)
    changed = await known.rename(person.id, arguments.name, by, arguments.sign_in)
    _tell(arguments, _as_json(changed), f"{changed.id}: {changed.name}")


async def _erase(store: Store, known: People, arguments: Namespace) -> None:
    by = await _answers_for(known, arguments.by, Permission.ERASE)
    if arguments.event is not None:
        table, number = arguments.subject, arguments.event
        digests = await erase_words(store, table, number, arguments.reason, clock(), by)
        told = {"stream": table, "event": number, "digests": list(digests)}
        _tell(arguments, told, f"{table}, event {number}: {len(digests)} texts erased")
        return
    person = await _found(known, arguments.subject)
    if person.id == by[0]:
        raise Refused("cannot-be", case="erase-oneself")
    cage = Cage(store, clock)
    await cage.catch_up()
    if cage.concerns(person.id):
        raise Refused("cannot-be", case="person-has-money")
    erased = await known.erase(person.id, proper_reason(arguments.reason), by)
    _tell(arguments, _as_json(erased), f"{erased.id}: erased")


def _tell(arguments: Namespace, content: dict[str, Any], line: str) -> None:
    if arguments.json:
        print_json(content)
    else:
        print(line)  # noqa: T201


async def _found(known: People, text: str) -> Person:
    person = await known.find(text) or await known.find_by_name(text)
    if person is None:
        raise BadInput(f"there is no person {text!r}; punto people lists them")
    return person


async def _answers_for(known: People, text: str, permission: Permission) -> Giver:
    """Return the person who answers for a change, and is permitted to make it."""
    person = await _found(known, text)
    if not (person.active and permission.is_given_to(person.duty)):
        raise Refused("not-permitted", duty=person.duty.value)
    return person.id, person.duty.value
