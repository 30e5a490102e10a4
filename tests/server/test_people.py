"""People, sign-in and sessions: who gets in, for how long, and what nobody finds out."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from threading import Semaphore
from time import sleep
from typing import Any, Literal

import pytest
from argon2 import PasswordHasher, Type, extract_parameters
from argon2.exceptions import VerifyMismatchError
from rich.console import Console
from rich.traceback import Traceback
from support.bound_session import BoundSession
from support.past import opened as house_opened
from support.past import options_of
from support.stores import Open

from punto.server.access import identity as module
from punto.server.access.identity import (
    HOUR,
    IDLE,
    LONGEST_SESSION,
    MINUTE,
    BadPerson,
    Duty,
    People,
    Person,
    Session,
    SignInRefused,
    token_digest,
)
from punto.server.access.passwords import PasswordCheck, TypedPassword
from punto.server.access.session_watch import SessionWatch
from punto.store.house import House as ModuleHouse
from punto.store.postgresql import PostgresStore
from punto.store.protocol import Store
from punto.store.records import StoreError
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import Keys
from punto.table.roles import Role

PASSWORD = "seven red lanterns"
OTHER = "nine black lanterns"


class Watch:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


class CheapHasher(PasswordHasher):
    """Hashes for tests, knows what it was asked to verify, and lets something happen meanwhile."""

    def __init__(self, time_cost: int = 1) -> None:
        super().__init__(time_cost=time_cost, memory_cost=8, parallelism=1)
        self.verified: list[str | bytes] = []
        self.meanwhile: Callable[[], object] = lambda: None

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
        self.verified.append(hash)
        self.meanwhile()
        return super().verify(hash, password)


class House(People):
    """The people of a house, with its own watch."""

    def __init__(self, store: Store) -> None:
        self.store, self.watch, self.hasher = store, Watch(), CheapHasher()
        super().__init__(store, self.watch, self.hasher)


@pytest.fixture
async def people(opened: Open) -> AsyncIterator[House]:
    """The people of a new house, in each kind of store."""
    async with opened() as store:
        yield House(store)


async def ann(people: People) -> Person:
    person = await people.add("Ann", Duty.DEALER)
    await people.set_password(person.id, PASSWORD)
    return person


async def refused(people: People, name: str, password: str, address: str = "") -> str:
    with pytest.raises(SignInRefused) as told:
        await people.sign_in(name, password, address)
    return str(told.value)


# --- who they are --------------------------------------------------------------------------------------------------


def test_duties_are_the_positions_at_a_table_and_four_more() -> None:
    assert {duty.role for duty in Duty if duty.role} == set(Role)
    assert {duty.name: duty.value for duty in Duty if duty.role} == {role.name: role.value for role in Role}
    assert {duty.value for duty in Duty if not duty.role} == {"Cashier", "Auditor", "Designer", "Device"}


async def test_a_person_is_found_by_id_and_by_name(people: House) -> None:
    dealer = await people.add("  Ann   Lee ", Duty.DEALER)
    assert dealer == Person(dealer.id, "Ann Lee", Duty.DEALER, active=True)
    assert re.fullmatch("p[a-z2-7]{10}", dealer.id)
    patron = await people.add("陳大文", Duty.PATRON)
    assert await people.find(dealer.id) == dealer
    assert await people.find_by_name("ann lee") == dealer
    assert await people.everybody() == [dealer, patron]
    for nobody in ("", "pnobodyatall", "a\0b", "\ud800", "' or 1=1"):
        assert await people.find(nobody) is None
        assert await people.find_by_name(nobody) is None


async def test_two_people_do_not_sign_in_with_one_name(people: House) -> None:
    """Capitals, ligatures and wide letters make no difference, in whatever language."""
    for name, same in (("Ann", "aNN"), ("Zoë Ñ", "ZOË ñ"), ("Straße", "STRASSE"), ("Fine", "ﬁne"), ("Bo", "ＢＯ")):
        await people.add(name, Duty.PATRON)
        with pytest.raises(BadPerson, match="already"):
            await people.add(same, Duty.DEALER)
        found = await people.find_by_name(same)
        assert found
        assert found.name == name
    at_once = await asyncio.gather(*(people.add("Cy", Duty.DEALER) for _ in range(10)), return_exceptions=True)
    assert sum(isinstance(each, Person) for each in at_once) == 1


async def test_patrons_share_a_name_and_sign_in_apart(people: House) -> None:
    """The second and every later one signs in with an id, unless they choose a name to sign in with."""
    first, *more = await asyncio.gather(*(people.add("Mr. Tan", Duty.PATRON) for _ in range(5)))
    everybody = [first, *more]
    assert {each.name for each in everybody} == {"Mr. Tan"}
    assert len({each.sign_in for each in everybody}) == len({each.id for each in everybody}) == 5
    assert sorted(each.sign_in for each in everybody if each.sign_in != each.id) == ["mr. tan"]
    chosen = await people.add("Mr. Tan", Duty.PATRON, sign_in="Tan of Penang")
    for each in (*everybody, chosen):
        await people.set_password(each.id, PASSWORD)
        session = await people.session(await people.sign_in(each.sign_in, PASSWORD))
        assert session
        assert session.person == each
    with pytest.raises(BadPerson, match="already"):
        await people.add("Ms. Tan", Duty.PATRON, sign_in="tan of PENANG")
    with pytest.raises(BadPerson, match="already"):
        await people.add("Dealer Tan", Duty.DEALER, sign_in=chosen.id)
    impostor = await people.add(chosen.id, Duty.PATRON)
    assert impostor.sign_in == impostor.id


async def test_a_name_can_be_seen(people: House) -> None:
    for name in ("", "   ", "x" * 65, "ﷺ" * 10, "a\0b", "a\u200bb", "a\x1b[31m", "\ud800"):
        with pytest.raises(BadPerson, match="1 to 64"):
            await people.add(name, Duty.PATRON)


# --- passwords -----------------------------------------------------------------------------------------------------


async def test_a_password_signs_in_under_a_name_in_any_capitals(people: House) -> None:
    person = await people.add("Ann", Duty.DEALER)
    await refused(people, "Ann", "")
    await people.set_password(person.id, "café ﬁve lanterns")
    token = await people.sign_in("ANN", "cafe\u0301 five lanterns")
    now, begun = people.watch.now, await people.session(token)
    assert begun == Session(
        person, now, now, now + IDLE, token=token_digest(token), locks=True, active_at=now
    )  # fmt: skip
    assert len(token) == 43
    assert await people.sign_in("ann", "café five lanterns") != token
    await refused(people, "ann", "Café five lanterns")


async def test_what_is_no_password(people: House) -> None:
    person = await people.add("Ann Lee of the Pit", Duty.PIT_MANAGER)
    for bad, why in (
        ("", "12 to 200"),
        ("x" * 11, "12 to 200"),
        ("x" * 201, "12 to 200"),
        ("ann lee of the PIT", "name"),
    ):
        with pytest.raises(BadPerson, match=why) as told:
            await people.set_password(person.id, bad)
        assert not bad or bad not in str(told.value)
        await refused(people, person.name, bad)
    for good in ("x" * 12, "麻" * 200, "half a letter \ud800", "with \0 in it"):
        await people.set_password(person.id, good)
        assert await people.sign_in(person.name, good)
    with pytest.raises(BadPerson, match="no such person"):
        await people.set_password("pnobodyatall", PASSWORD)


async def test_a_new_password_ends_all_sessions_and_links_but_ones_own(people: House) -> None:
    person = await ann(people)
    mine, other = [await people.sign_in("Ann", PASSWORD) for _ in range(2)]
    link = await people.make_link(person.id, HOUR)
    bob = await people.add("Bob", Duty.PATRON)
    bobs = await people.use_link(await people.make_link(bob.id, HOUR))
    await people.set_password(person.id, OTHER, keep=mine)
    assert await people.session(mine)
    assert await people.session(other) is None
    assert await people.session(bobs)
    with pytest.raises(SignInRefused):
        await people.use_link(link)
    await refused(people, "Ann", PASSWORD)
    await people.set_password(person.id, PASSWORD, keep=bobs)
    await people.set_password((await people.add("Cy", Duty.PATRON)).id, PASSWORD, keep=bobs)
    assert await people.session(mine) is None
    found = await people.session(bobs)
    assert found
    assert found.person == bob


async def test_a_session_that_was_ended_is_not_kept(people: House) -> None:
    person = await ann(people)
    ended = await people.sign_in("Ann", PASSWORD)
    await people.set_password(person.id, OTHER)
    await people.set_password(person.id, PASSWORD, keep=ended)
    assert await people.session(ended) is None


async def test_a_password_changed_while_it_is_verified_lets_nobody_in(people: House) -> None:
    loop = asyncio.get_running_loop()
    person, elsewhere = await ann(people), House(people.store)  # as another process would do it

    def now(change: Coroutine[Any, Any, object]) -> object:
        return asyncio.run_coroutine_threadsafe(change, loop).result(30)

    people.hasher.meanwhile = lambda: now(elsewhere.set_password(person.id, OTHER))
    await refused(people, "Ann", PASSWORD)
    people.hasher.meanwhile = lambda: now(people.set_active(person.id, False))
    await refused(people, "Ann", OTHER)


async def test_an_old_hash_is_made_anew_at_a_sign_in(people: House) -> None:
    old, new = People(people.store, Watch(), CheapHasher()), People(people.store, Watch(), CheapHasher(time_cost=2))
    person = await ann(old)
    before = await old.sign_in("Ann", PASSWORD)
    for at_once in (1, 3):
        await asyncio.gather(*(new.sign_in("Ann", PASSWORD) for _ in range(at_once)))
        assert re.search(r"m=8,t=2,", (await people.store.ask("select password from person"))[0][0])
        assert await old.session(before), "the password is the same"
    assert (await old.find_by_name("Ann")) == person


# --- what nobody finds out -----------------------------------------------------------------------------------------


async def test_wrong_passwords_lock_nobody_out(people: House) -> None:
    """A stranger could otherwise keep a person out by guessing; how often an address may try is limited elsewhere."""
    await ann(people)
    guesses = [people.sign_in("Ann", f"{OTHER} {number}", f"10.0.0.{number}") for number in range(40)]
    told = await asyncio.gather(*guesses, return_exceptions=True)
    assert all(isinstance(each, SignInRefused) for each in told)
    assert await people.sign_in("Ann", PASSWORD)


def test_a_hash_of_nothing_takes_all_the_work_and_fits_no_password() -> None:
    hasher = PasswordHasher(time_cost=2, memory_cost=64, parallelism=2)
    nobodys = PasswordCheck(hasher)._decoy
    assert extract_parameters(nobodys) == extract_parameters(hasher.hash(PASSWORD))
    with pytest.raises(VerifyMismatchError):  # not one that says the hash is none
        hasher.verify(nobodys, PASSWORD)
    assert nobodys != PasswordCheck(hasher)._decoy


async def test_every_refusal_is_the_same_and_comes_after_a_verification(people: House) -> None:
    nobodys = people._passwords._decoy
    await ann(people)
    gone = await people.add("Gone", Duty.DEALER)
    await people.set_password(gone.id, PASSWORD)
    await people.set_active(gone.id, False)
    await people.add("Bare", Duty.PATRON)
    sentences, of_nobody = set(), []
    for name, password in (
        ("Ann", OTHER),
        ("Ann", "x" * 100_000),
        ("Gone", PASSWORD),
        ("Gone", OTHER),
        ("Bare", PASSWORD),
        ("Bare", ""),
        ("Unknown", PASSWORD),
        ("", PASSWORD),
        ("\0", PASSWORD),
        ("\ud800", "\ud800"),
        ("x" * 100_000, PASSWORD),
    ):
        people.hasher.verified.clear()
        sentences.add(await refused(people, name, password))
        assert len(people.hasher.verified) == 1, (name[:10], password[:10])
        if people.hasher.verified == [nobodys]:
            of_nobody.append(name[:1])
    assert len(sentences) == 1
    assert of_nobody == ["B", "B", "U", "", "\0", "\ud800", "x"]


async def test_only_one_password_is_verified_at_once(people: House) -> None:
    free, crowded = Semaphore(1), []

    def meanwhile() -> None:
        if not free.acquire(blocking=False):
            crowded.append(True)
        sleep(0.005)
        free.release()

    people.hasher.meanwhile = meanwhile
    await asyncio.gather(*(refused(people, f"n{number}", PASSWORD, f"10.0.0.{number}") for number in range(30)))
    assert len(people.hasher.verified) == 30
    # Whoever goes away leaves a verification behind that still counts.
    for _ in range(5):
        before = len(people.hasher.verified)
        going = [asyncio.create_task(people.sign_in("n", PASSWORD)) for _ in range(10)]
        while len(people.hasher.verified) == before:
            await asyncio.sleep(0.001)
        for each in going:
            each.cancel()
        await asyncio.gather(*going, return_exceptions=True)
    await refused(people, "n", PASSWORD)
    assert not crowded


# --- sessions ------------------------------------------------------------------------------------------------------


async def test_a_session_goes_on_while_somebody_is_there_and_ends_after_seven_days(people: House) -> None:
    await ann(people)
    begun = people.watch.now
    token = await people.sign_in("Ann", PASSWORD)
    while people.watch.now < begun + LONGEST_SESSION - IDLE:
        people.watch.now += IDLE - 1
        session = await people.session(token)
        assert session
        assert session.expires_at == min(people.watch.now + IDLE, begun + LONGEST_SESSION)
    people.watch.now = begun + LONGEST_SESSION - 1
    assert await people.session(token)
    people.watch.now += 1
    assert await people.session(token) is None


async def test_a_session_ends_when_nobody_has_been_there_for_twelve_hours(people: House) -> None:
    await ann(people)
    token = await people.sign_in("Ann", PASSWORD)
    people.watch.now += IDLE
    assert await people.session(token) is None


async def test_being_there_is_written_once_a_minute(people: House) -> None:
    await ann(people)
    token, begun = await people.sign_in("Ann", PASSWORD), people.watch.now
    for later, seen in ((MINUTE - 1, 0), (MINUTE, MINUTE), (2 * MINUTE - 1, MINUTE), (2 * MINUTE, 2 * MINUTE)):
        people.watch.now = begun + later
        await people.session(token)
        assert await people.store.ask("select last_seen from session") == [(begun + seen,)]


async def test_signing_out_ends_one_session(people: House) -> None:
    await ann(people)
    one, two = [await people.sign_in("Ann", PASSWORD) for _ in range(2)]
    await people.sign_out(one)
    assert await people.session(one) is None
    assert await people.session(two)
    for nobodys in ("", one, "\ud800", "x" * 100_000):
        await people.sign_out(nobodys)
        assert await people.session(nobodys) is None


async def test_somebody_inactive_is_out_at_once_and_comes_back_by_signing_in(people: House) -> None:
    person = await ann(people)
    token, link = await people.sign_in("Ann", PASSWORD), await people.make_link(person.id, HOUR)
    assert not (await people.set_active(person.id, False)).active
    assert await people.session(token) is None
    await refused(people, "Ann", PASSWORD)
    with pytest.raises(BadPerson, match="not active"):
        await people.make_link(person.id, HOUR)
    assert (await people.set_active(person.id, True)).active
    assert await people.session(token) is None
    with pytest.raises(SignInRefused):
        await people.use_link(link)
    assert await people.sign_in("Ann", PASSWORD)
    with pytest.raises(BadPerson, match="no such person"):
        await people.set_active("pnobodyatall", False)


async def test_what_has_ended_is_taken_away_at_a_sign_in(people: House) -> None:
    person = await ann(people)
    await people.sign_in("Ann", PASSWORD)
    await people.use_link(await people.make_link(person.id, HOUR))
    await people.make_link(person.id, 2 * IDLE)
    people.watch.now += IDLE
    await people.sign_in("Ann", PASSWORD)
    rows = await people.store.ask("select person from session order by made_at")
    assert rows == [(person.id,)]
    assert await people.store.ask("select used_at from link") == [(None,)]
    await people.set_password(person.id, OTHER)
    await people.sign_in("Ann", OTHER)
    assert len(await people.store.ask("select person from session")) == 1


# --- links and devices ---------------------------------------------------------------------------------------------


async def test_a_link_signs_in_once(people: House) -> None:
    person = await people.add("Ann", Duty.PATRON)
    link = await people.make_link(person.id, HOUR)
    people.watch.now += HOUR - 1
    session = await people.session(await people.use_link(link))
    assert session
    assert session.person == person
    late = await people.make_link(person.id, HOUR)
    people.watch.now += HOUR
    for bad in (link, late, "", "\ud800"):
        with pytest.raises(SignInRefused, match="used, or is too old"):
            await people.use_link(bad)
    assert await people.session(late) is None, "a link's token is not a session's"


async def test_a_link_used_twenty_times_at_once_lets_one_in(people: House) -> None:
    person = await people.add("Ann", Duty.PATRON)
    beside = People(people.store, people.watch, CheapHasher())
    await _one_wins(people, beside, person)


async def test_a_link_used_in_two_processes_at_once_lets_one_in(postgresql: str) -> None:
    stores = [await PostgresStore.open(postgresql) for _ in range(2)]
    here, there = (People(store, Watch(), CheapHasher()) for store in stores)
    person = await here.add("Ann", Duty.PATRON)
    for _ in range(10):
        await _one_wins(here, there, person)
    for store in stores:
        await store.close()


async def test_who_is_deactivated_by_one_process_is_out_of_the_other(postgresql: str) -> None:
    stores = [await PostgresStore.open(postgresql) for _ in range(2)]
    here, there = (People(store, Watch(), CheapHasher()) for store in stores)
    await ModuleHouse.open(stores[0], Keys(bytes(32)), 1)
    ann, bob = [await here.add(name, Duty.PATRON) for name in ("Ann", "Bob")]
    bound = [BoundSession(await there.use_link(await here.make_link(each.id, HOUR))) for each in (ann, bob)]
    watch = SessionWatch(stores[1], there, there._clock, lambda: bound)
    await watch.look()
    assert [each.ended for each in bound] == [False, False]
    await here.set_active(ann.id, False)
    await watch.look()
    assert [each.ended for each in bound] == [True, False]
    for store in stores:
        await store.close()


async def _one_wins(here: People, there: People, person: Person) -> None:
    link = await here.make_link(person.id, HOUR)
    told = await asyncio.gather(*(each.use_link(link) for each in (here, there) * 10), return_exceptions=True)
    (token,) = [each for each in told if not isinstance(each, BaseException)]
    assert sum(isinstance(each, SignInRefused) for each in told) == 19
    for each in (here, there):
        assert await each.session(token)


async def test_a_device_signs_in_by_its_token_only_and_nobody_else_does(people: House) -> None:
    device = await people.add("Angel Eye 3", Duty.DEVICE)
    with pytest.raises(BadPerson, match="token"):
        await people.set_password(device.id, PASSWORD)
    with pytest.raises(BadPerson, match="token"):
        await people.make_link(device.id, HOUR)


# --- secrets -------------------------------------------------------------------------------------------------------


async def test_the_database_has_neither_passwords_nor_tokens(tmp_path: Path) -> None:

    store = SqliteStore(tmp_path / "punto.db")
    people = People(store, Watch(), CheapHasher())
    person = await ann(people)
    token, link = await people.sign_in("Ann", PASSWORD), await people.make_link(person.id, HOUR)
    other = await people.use_link(link)

    def files() -> bytes:
        return b"".join(file.read_bytes() for file in sorted(tmp_path.iterdir()))

    beside = files()
    await store.close()
    assert b"Ann" in beside
    assert b"Ann" in files()
    for secret in (PASSWORD, token, link, other):
        assert secret.encode() not in beside + files()


async def test_a_failure_shows_no_password_and_no_token(people: House) -> None:
    """Not even in a traceback with the local variables of our own calls."""
    person = await ann(people)
    token, link = await people.sign_in("Ann", PASSWORD), await people.make_link(person.id, HOUR)
    await people.store.ask("alter table person rename to persons")
    await people.store.ask("alter table session rename to sessions")
    await people.store.ask("alter table link rename to links")
    for call in (
        lambda: people.sign_in("Ann", PASSWORD),
        lambda: people.set_password(person.id, OTHER, keep=token),
        lambda: people.session(token),
        lambda: people.sign_out(token),
        lambda: people.use_link(link),
    ):
        with pytest.raises(StoreError) as told:
            await call()
        shown = _with_locals(told.value)
        assert "ask" in shown
        for secret in (PASSWORD, OTHER, token, link):
            assert secret not in shown


def _with_locals(error: Exception) -> str:
    """A traceback, but for this file's own frames, which know the secrets."""
    while error.__traceback__ and error.__traceback__.tb_frame.f_code.co_filename == __file__:
        error.__traceback__ = error.__traceback__.tb_next
    trace = Traceback.from_exception(type(error), error, error.__traceback__, show_locals=True, locals_max_string=5000)
    page = io.StringIO()
    Console(file=page, width=5000).print(trace)
    return page.getvalue()


def test_a_password_is_not_shown() -> None:
    password = TypedPassword(PASSWORD)
    assert PASSWORD not in f"{password} {password!r} {module._Known('p', 'Dealer', PASSWORD, 1)}"
    with pytest.raises(TypeError):
        password.__reduce__()


async def test_a_password_is_hashed_as_strongly_as_is_advised_today(tmp_path: Path) -> None:
    """As a house does it that was told no other way: Argon2id with 19 MiB and two passes, or more."""
    async with house_opened(options_of(tmp_path)) as serving:
        found = await serving.people.find_by_name(Duty.CASHIER.value)
        assert found
        await serving.people.set_password(found.id, PASSWORD)
        ((kept,),) = await serving.store.ask("select password from person where id = $1", found.id)
    used = extract_parameters(str(kept))
    assert used.type is Type.ID
    assert used.memory_cost >= 19 * 1024
    assert used.time_cost >= 2
    assert (used.hash_len >= 16, used.salt_len >= 16) == (True, True)
