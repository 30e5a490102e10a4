"""People altered in the database are found by the audit, whatever was altered."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from argon2 import PasswordHasher
from support.stores import Open

from punto.audit.log_audit import StoreAudit
from punto.server.access.identity import Duty, People
from punto.server.running.lifecycle import clock, take_over_people
from punto.server.tables.floor import Floor
from punto.store.house import House
from punto.store.protocol import Store
from punto.store.trust.keys import Keys

PASSWORD = "seven red lanterns"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
async def store(opened: Open) -> AsyncIterator[Store]:
    """A house with three people, in each kind of store."""
    async with opened() as store:
        keys = Keys(bytes(32))
        await House.open(store, keys, clock())
        await take_over_people(store, Floor(store, keys, clock, {}))
        people = People(store, clock, CHEAP)
        for name, duty in (("Ann", Duty.DEALER), ("Bob", Duty.GAMING_SHIFT_MANAGER), ("Cy", Duty.PATRON)):
            person = await people.add(name, duty)
            await people.set_password(person.id, PASSWORD)
        bob = await people.find_by_name("Bob")
        assert bob
        await people.set_active(bob.id, False)
        await people.rename(person.id, "Cy Lee")
        await people.sign_in("Ann", PASSWORD)
        yield store


async def found(store: Store) -> set[str]:
    return {each.code for each in await StoreAudit(store, {}).run()}


async def test_what_the_server_did_agrees(store: Store) -> None:
    assert await found(store) == set()


@pytest.mark.parametrize(
    ("tampering", "code"),
    [
        ("update person set duty = 'Gaming Shift Manager' where name = 'Ann'", "duty-altered"),
        ("update person set active = (1 = 1) where name = 'Bob'", "active-altered"),
        ("update person set password = '$argon2id$v=19$mine' where name = 'Ann'", "password-altered"),
        ("update person set password = null where name = 'Ann'", "password-altered"),
        (
            "update person set password = (select password from person where name = 'Ann') where name = 'Bob'",
            "password",
        ),
        ("update person set name = 'Dan' where name = 'Ann'", "name-altered"),
        (
            "insert into person (id, name, compared, duty, made_at) values ('pmallory22', 'M', 'm', 'Auditor', 1)",
            "person-unknown",
        ),
    ],
)
async def test_what_is_altered_in_the_database_is_found(store: Store, tampering: str, code: str) -> None:
    active = "active = (1 = 1)" if store.shared else "active = 1"
    await store.ask(tampering.replace("active = (1 = 1)", active))
    assert any(each.startswith(code) for each in await found(store))


async def test_a_person_who_is_deleted_is_missed(store: Store) -> None:
    await store.ask("delete from session")
    await store.ask("delete from person where name = 'Ann'")
    assert "person-missing" in await found(store)


async def test_an_older_database_is_taken_over_as_it_is(opened: Open) -> None:
    """What was there counts from then on; what is altered later is found."""
    async with opened() as store:
        keys = Keys(bytes(32))
        await House.open(store, keys, clock())
        people = People(store, clock, CHEAP)
        ann = await people.add("Ann", Duty.DEALER)
        await store.ask("update person set duty = 'Auditor', password = 'an older hash' where name = 'Ann'")
        assert await found(store) == set(), "nothing is known of it"
        floor = Floor(store, keys, clock, {})
        await floor.start()
        for _ in range(2):
            await take_over_people(store, floor)
            await floor.follow_house()
        assert await found(store) == set()
        await people.set_active(ann.id, False)
        assert await found(store) == set()
        await store.ask("update person set duty = 'Dealer'")
        assert await found(store) == {"duty-altered"}
        await floor.stop()
