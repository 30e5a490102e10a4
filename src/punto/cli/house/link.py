"""``punto link``: a new sign-in link for a person who has lost theirs."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace

from punto.cli.main import BadInput, Run, web_address
from punto.cli.output import print_json
from punto.server.access.identity import BadPerson, People
from punto.server.running.lifecycle import LINKS_LAST, clock
from punto.store.address import open_store
from punto.store.records import StoreError


def link(parser: ArgumentParser) -> Run:
    """Make a link."""
    parser.add_argument(
        "database", metavar="DATABASE", help="a database file that is not being served, or postgresql://..."
    )
    parser.add_argument("name", metavar="NAME", help="the name the person signs in with, such as 'Pit Manager'")
    parser.add_argument(
        "--address", type=web_address, default="http://127.0.0.1:8000", help="the address of the server"
    )
    return lambda arguments: asyncio.run(_link(arguments))


async def _link(arguments: Namespace) -> None:
    try:
        store = await open_store(arguments.database, make=False)
    except StoreError as error:
        raise BadInput(str(error)) from None
    try:
        people = People(store, clock)
        person = await people.find_by_name(arguments.name)
        if person is None:
            known = ", ".join(each.sign_in for each in await people.everybody() if not each.erased)
            raise BadInput(f"there is no person {arguments.name!r}; there are: {known}")
        made = f"{arguments.address}/enter#{await people.make_link(person.id, LINKS_LAST)}"
    except BadPerson as error:
        raise BadInput(str(error)) from None
    finally:
        await store.close()
    if arguments.json:
        print_json({"person": person.name, "duty": person.duty.value, "link": made})
    else:
        print(made)  # noqa: T201
