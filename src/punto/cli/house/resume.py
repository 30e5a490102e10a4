"""``punto resume``: accept, by name, a database that went back in time."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path

from punto.cli.main import BadInput, Run
from punto.cli.output import print_json
from punto.rules.game_library import APPROVED, load
from punto.server.access.erasure import proper_reason
from punto.server.access.identity import Duty, People, Person
from punto.server.refused import Refused
from punto.server.running.lifecycle import Options, clock
from punto.server.running.resumption import Resumed, Resumption
from punto.store.address import open_store
from punto.store.protocol import Store
from punto.store.records import StoreError
from punto.store.trust.keys import BadKey, load_keys


def resume(parser: ArgumentParser) -> Run:
    """Resume a house."""
    parser.epilog = (
        "Every round under way is void, and every shoe in use or prepared ends and is published. Start the servers "
        "again afterwards: those that run stay closed."
    )
    parser.add_argument(
        "database", metavar="DATABASE", help="a database file that is not being served, or postgresql://..."
    )
    by = "the Gaming Shift Manager who accepts it: their id, or the name they sign in with"
    parser.add_argument("--by", metavar="PERSON", required=True, help=by)
    parser.add_argument("--reason", metavar="WORDS", required=True, help="what happened, and why it is accepted")
    second = "a second person for tables that ask for one to void a round"
    parser.add_argument("--second", metavar="PERSON", help=second)
    parser.add_argument("--key", metavar="FILE", help="the key (default: beside the file, punto.key, or PUNTO_KEY)")
    parser.add_argument("--mark", metavar="FILE", help="the mark (default: beside the key)")
    parser.add_argument("--game", metavar="FILE", action="append", default=[], help="a custom game that is served")
    return _run


def _run(arguments: Namespace) -> None:
    key, mark = (Path(each) if each else None for each in (arguments.key, arguments.mark))
    options = Options(arguments.database, key, mark, games=(*APPROVED, *arguments.game))
    try:
        done = asyncio.run(_resume(options, arguments))
    except (StoreError, BadKey, Refused) as error:
        raise BadInput(str(error)) from None
    _tell(done, arguments.json)


async def _resume(options: Options, arguments: Namespace) -> Resumed:
    store = await open_store(options.database, make=False)
    try:
        keys = load_keys(options.where_the_key_is)
        games = {book.key: book for book in map(load, options.games)}
        by = await _found(store, arguments.by)
        if by.duty is not Duty.GAMING_SHIFT_MANAGER or not by.active:
            raise Refused("not-permitted", duty=by.duty.value)
        second = await _found(store, arguments.second) if arguments.second else None
        reason = proper_reason(arguments.reason)
        return await Resumption(store, keys, clock, games).run(options.where_the_mark_is, by, second, reason)
    finally:
        await store.close()


async def _found(store: Store, text: str) -> Person:
    people = People(store, clock)
    person = await people.find(text) or await people.find_by_name(text)
    if person is None:
        raise BadInput(f"there is no person {text!r}; punto people lists them")
    return person


def _tell(done: Resumed, as_json: bool) -> None:
    lost = [{"stream": each.stream, "acknowledged": each.acknowledged, "found": each.found} for each in done.lost]
    if as_json:
        told = {"epoch": done.epoch, "lost": lost, "rounds_void": done.rounds_void}
        print_json({**told, "shoes_published": done.shoes_published})
        return
    for each in done.lost:
        if each.missing:
            print(f"{each.stream}: {each.missing:,} events are missing after {each.found:,}")  # noqa: T201
        else:
            print(f"{each.stream}: event {each.acknowledged:,} is another than was acknowledged")  # noqa: T201
    for table, number in done.rounds_void.items():
        print(f"{table}: round {number:,} is void")  # noqa: T201
    for table, shoes in done.shoes_published.items():
        print(f"{table}: ended and published: {', '.join(shoes)}")  # noqa: T201
    print(f"The house is open again, in epoch {done.epoch}. Start its servers.")  # noqa: T201
