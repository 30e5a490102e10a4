"""Who may do what: links by two people, second factors, old passwords, limits on guesses, and their events."""

from __future__ import annotations

import asyncio
import json
from base64 import b32decode
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from structlog.testing import capture_logs
from support.bound_session import BoundSession

from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import games_by_digest
from punto.rules.game_library import APPROVED
from punto.server.access.identity import Duty
from punto.server.access.passwords import PasswordCheck
from punto.server.access.sign_in_limits import (
    CODES_A_SECOND,
    CODES_AT_ONCE,
    FREE_FAILURES,
    LONGEST_WAIT,
    MOST_REMEMBERED,
    SignInLimits,
)
from punto.server.http.app import ENDPOINTS, create_app
from punto.server.refused import Refused
from punto.server.running.lifecycle import Options, Serving, open_serving
from punto.store.events.house_events import HOUSE
from punto.store.records import EventRecord, StoreError

PASSWORD, OTHER = "seven red lanterns", "nine black lanterns"
GSM, ACM = Duty.GAMING_SHIFT_MANAGER, Duty.ASSISTANT_CASINO_MANAGER


class House:
    """A house in this process, its people, and a clock that can be moved."""

    def __init__(self, serving: Serving) -> None:
        self.serving, self.people, self.gateway = serving, serving.people, serving.gateway
        self.app = create_app(serving.gateway)

    def client(self, token: str = "", host: str = "10.0.0.1") -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        transport = httpx.ASGITransport(self.app, client=(host, 1234))
        return httpx.AsyncClient(transport=transport, base_url="http://here", headers=headers)

    async def enter(self, duty: Duty) -> httpx.AsyncClient:
        """The first person of a duty, signed in."""
        found = await self.people.find_by_name(duty.value)
        assert found
        return self.client(await self.people.use_link(await self.people.make_link(found.id, 60_000)))

    async def events(self, *names: str) -> list[EventRecord]:
        read = await self.serving.store.read(HOUSE)
        return [each for each in read if each.name in names]

    async def id(self, duty: Duty) -> str:
        found = await self.people.find_by_name(duty.value)
        assert found
        return found.id

    async def findings(self) -> set[str]:
        return {each.code for each in await StoreAudit(self.serving.store, games_by_digest(APPROVED)).run()}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    serving = await open_serving(Options(str(tmp_path / "punto.db")))
    serving.people._passwords = PasswordCheck(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    yield House(serving)
    await serving.close()


async def post(client: httpx.AsyncClient, path: str, status: int = 200, **body: Any) -> Any:
    answer = await client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


# --- links ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("duty", [ACM, Duty.AUDITOR, Duty.CASHIER])
async def test_a_link_for_who_holds_power_takes_two_people(house: House, duty: Duty) -> None:
    """A manager could otherwise act as an auditor, a cashier or the manager who would have to confirm."""
    boss, wanted = await house.enter(GSM), await house.id(duty)
    made = await post(boss, f"/api/people/{wanted}/link")
    assert made["link"] is None
    request = made["request"]["id"]
    assert (await post(boss, f"/api/people/requests/{request}/confirm", 409))["code"] == "cannot-be"
    whom = await house.enter(duty)
    await post(whom, f"/api/people/requests/{request}/confirm", 409 if duty is ACM else 403)
    second = await house.people.add("Second", GSM)
    third = house.client(await house.people.use_link(await house.people.make_link(second.id, 60_000)))
    link = (await post(third, f"/api/people/requests/{request}/confirm"))["link"]
    assert (await post(house.client(), "/api/links", link=link))["person"]["id"] == wanted
    await post(third, f"/api/people/requests/{request}/confirm", 409)
    made = [each for each in await house.events("LinkMade") if json.loads(each.body)["asked_by"]]
    assert [(each.by, json.loads(each.body)["asked_by"]) for each in made] == [(second.id, await house.id(GSM))]
    assert link not in json.dumps([each.body.decode() for each in await house.events("LinkMade", "PersonChangeAsked")])


async def test_nobody_makes_a_second_person_of_their_own(house: House) -> None:
    """A manager who is added gets no link before a second person confirms it."""
    boss = await house.enter(GSM)
    added = await post(boss, "/api/people", name="Puppet", duty=ACM.value)
    assert added["link"] is None
    assert added["request"]["asked_by"] == await house.id(GSM)
    assert (await post(boss, "/api/people", name="Dan", duty="Dealer"))["link"]


async def test_a_patron_with_a_password_gets_a_link_by_two_and_is_told_of_it(house: House) -> None:
    cashier, boss = await house.enter(Duty.CASHIER), await house.enter(GSM)
    added = await post(cashier, "/api/people", name="Ann", duty="patron")
    ann = house.client((await post(house.client(), "/api/links", link=added["link"]))["token"])
    assert (await ann.get("/api/me/links")).json() == [], "the first link is not worth a word"
    assert (await post(cashier, f"/api/people/{added['person']['id']}/link"))["link"]
    (told,) = (await ann.get("/api/me/links")).json()
    assert (told["name"], told["asked_by"]) == (Duty.CASHIER.value, None)
    await post(ann, "/api/me/links/seen", 204, up_to=told["at"])
    await post(ann, "/api/me/password", 204, password=PASSWORD)
    request = (await post(cashier, f"/api/people/{added['person']['id']}/link"))["request"]["id"]
    assert [each["yours"] for each in (await cashier.get("/api/people/requests")).json()] == [False]
    await post(cashier, f"/api/people/requests/{request}/confirm", 409)
    assert [each["yours"] for each in (await boss.get("/api/people/requests")).json()] == [True]
    assert (await post(boss, f"/api/people/requests/{request}/confirm"))["link"]
    (told,) = (await ann.get("/api/me/links")).json()
    assert (told["name"], told["asked_by"]) == (GSM.value, Duty.CASHIER.value)
    await post(ann, "/api/people/requests/x/confirm", 403)


async def test_links_last_an_hour_and_those_of_the_first_start_a_day(house: House) -> None:
    boss, now = await house.enter(GSM), house.gateway.clock()
    lasting = {row[0] - row[1] for row in await house.serving.store.ask("select expires_at, made_at from link")}
    assert max(lasting) == 24 * 3_600_000
    added = await post(boss, "/api/people", name="Dan", duty="Dealer")
    ((expires_at,),) = await house.serving.store.ask(
        "select expires_at from link where person = $1", added["person"]["id"]
    )
    assert 0 <= expires_at - now - 3_600_000 < 60_000


async def test_what_a_deactivated_person_asked_is_not_confirmed(house: House) -> None:
    """A stolen session could otherwise ask, and be answered by a manager who does not look twice."""
    other, wanted = await house.people.add("Other", ACM), await house.id(Duty.AUDITOR)
    gone = house.client(await house.people.use_link(await house.people.make_link(other.id, 60_000)))
    request = (await post(gone, f"/api/people/{wanted}/link"))["request"]["id"]
    await house.people.set_active(other.id, False)
    boss = await house.enter(GSM)
    for is_back in (False, True):
        await house.people.set_active(other.id, is_back)
        refused = await post(boss, f"/api/people/requests/{request}/confirm", 409)
        assert (refused["code"], refused["case"]) == ("cannot-be", "request-over")


# --- passwords -----------------------------------------------------------------------------------------------------


async def test_a_new_password_takes_the_old_one(house: House) -> None:
    dealer = await house.enter(Duty.DEALER)
    await post(dealer, "/api/me/password", 204, password=PASSWORD)
    asked = await post(house.client(), "/api/sign-in", name="Dealer", password=PASSWORD)
    there = house.client(asked["token"])
    for wrong in ({}, {"old": ""}, {"old": OTHER}):
        refused = await post(there, "/api/me/password", 409, password=OTHER, **wrong)
        assert refused["code"] == "cannot-be"
    await post(there, "/api/me/password", 204, password=OTHER, old=PASSWORD)
    await post(house.client(), "/api/sign-in", name="Dealer", password=OTHER)


async def test_a_forgotten_password_is_replaced_soon_after_a_sign_in_by_link(house: House) -> None:
    dealer = await house.id(Duty.DEALER)
    await house.people.set_password(dealer, PASSWORD)
    by_link = await house.enter(Duty.DEALER)
    await post(by_link, "/api/me/password", 204, password=OTHER)
    later = house.gateway.clock() + 3_600_001
    house.gateway.clock = lambda: later
    await post(by_link, "/api/me/password", 409, password=PASSWORD)


async def test_no_request_sets_the_password_of_another(house: House) -> None:
    """One path takes a password to be set, and it names nobody: it is that of whoever is signed in."""
    setting = [each for each in ENDPOINTS if each.method != "GET" and "password" in each.path]
    assert [(each.path, each.in_path, each.in_query) for each in setting] == [("/api/me/password", (), ())]
    bodies = [(each.path, each.body.kind) for each in ENDPOINTS if each.body]
    taken = [path for path, body in bodies if "password" in getattr(body, "__struct_fields__", ())]
    assert sorted(taken) == ["/api/me/password", "/api/me/unlock", "/api/sign-in"]
    boss, dealer = await house.enter(GSM), await house.id(Duty.DEALER)
    for about in ("person", "id", "name"):
        refused = await boss.post("/api/me/password", json={"password": PASSWORD, about: dealer})
        assert refused.status_code == 422
    await post(boss, "/api/me/password", 204, password=PASSWORD)
    await post(house.client(), "/api/sign-in", 409, name="Dealer", password=PASSWORD)


# --- limits --------------------------------------------------------------------------------------------------------


async def test_a_flood_of_guesses_is_one_event_and_each_is_logged_with_its_address(house: House) -> None:
    await house.people.set_password(await house.id(Duty.DEALER), PASSWORD)
    house.gateway.limits = SignInLimits(now=iter(range(0, 10**9, 1000)).__next__)
    before = (await house.serving.store.head(HOUSE))[0]
    with capture_logs() as logged:
        for number in range(12):
            client = house.client(host=f"10.1.0.{number % 3}")
            await post(client, "/api/sign-in", 409, name="Dealer" if number % 2 else "nobody", password="wrong")
        await post(house.client(host="10.2.0.1"), "/api/links", 409, link="wrong")
    dealer = await house.id(Duty.DEALER)
    guesses = [(each["address"], each["person"]) for each in logged if each["event"] == "sign-in refused"]
    assert guesses == [
        *((f"10.1.0.{number % 3}", dealer if number % 2 else "") for number in range(12)),
        ("10.2.0.1", ""),
    ]
    assert (await house.serving.store.head(HOUSE))[0] == before
    for _ in range(2):
        await house.gateway.refused_sign_ins.record()
    (event,) = await house.events("SignInsRefused")
    told = json.loads(event.body)
    assert (told["count"], told["addresses"]) == (13, 4)
    assert told["people"] == [{"person": dealer, "count": 6}]


def test_the_wait_grows_for_one_address_at_one_name_and_for_nobody_else() -> None:
    now = [0.0]
    limits = SignInLimits(now=lambda: now[0])

    def waits(address: str, name: str) -> bool:
        try:
            limits.check(address, name)
        except Refused:
            return True
        return False

    def wait_of(address: str, name: str) -> float:
        began = now[0]
        while waits(address, name):
            now[0] += 0.5
        return now[0] - began

    seen = []
    for _ in range(18):
        limits.failed("10.0.0.1", "Ann")
        seen.append(wait_of("10.0.0.1", "ANN"))
        assert not waits("10.0.0.2", "Ann"), "a stranger's guesses keep nobody out"
        assert not waits("10.0.0.1", "Bob")
    assert seen[:FREE_FAILURES] == [0] * FREE_FAILURES
    assert seen[FREE_FAILURES : FREE_FAILURES + 4] == [1, 2, 4, 8]
    assert seen[-1] == LONGEST_WAIT
    limits.succeeded("10.0.0.1", "ann")
    limits.failed("10.0.0.1", "Ann")
    assert not waits("10.0.0.1", "Ann")


def test_an_address_that_tries_many_names_waits_for_all_of_them() -> None:
    limits = SignInLimits(now=lambda: 5.0)
    for number in range(40):
        limits.check("10.0.0.1", f"n{number}")
        limits.failed("10.0.0.1", f"n{number}")
    with pytest.raises(Refused):
        limits.check("10.0.0.1", "another")
    limits.check("10.0.0.2", "another")


def test_what_is_remembered_is_bounded() -> None:
    limits = SignInLimits(now=lambda: 5.0)
    for number in range(MOST_REMEMBERED + 100):
        limits.failed(f"{number}", "Ann")
    assert len(limits._at_name) == len(limits._of_address) == MOST_REMEMBERED


# --- the second factor -----------------------------------------------------------------------------------------------


def code(key: str, at: int) -> str:
    return TOTP(b32decode(key), 6, SHA1(), 30).generate(at // 1000).decode()


async def with_factor(house: House, duty: Duty = Duty.DEALER) -> tuple[str, str, list[str]]:
    """The key, the code shown and the recovery codes of a person with a password who has set up a second factor."""
    await house.people.set_password(await house.id(duty), PASSWORD)
    person = await house.enter(duty)
    offer = await post(person, "/api/me/second-factor/offer")
    assert offer["key"] in offer["address"]
    await post(person, "/api/me/second-factor/set", 409, sealed=offer["sealed"], code="000000")
    shown = code(offer["key"], house.gateway.clock())
    codes = (await post(person, "/api/me/second-factor/set", sealed=offer["sealed"], code=shown))["codes"]
    assert (await person.get("/api/me")).status_code == 200
    return offer["key"], shown, codes


async def signing_in(house: House, needed: str | None) -> httpx.AsyncClient:
    answer = await post(house.client(), "/api/sign-in", name="Dealer", password=PASSWORD)
    assert answer["second_factor"] == needed
    return house.client(answer["token"])


async def test_with_a_second_factor_a_password_or_a_link_alone_opens_nothing(house: House) -> None:
    key, used, codes = await with_factor(house)
    link = await house.people.make_link(await house.id(Duty.DEALER), 60_000)
    by_link = house.client((await post(house.client(), "/api/links", link=link))["token"])
    for half in (await signing_in(house, "show"), by_link):
        for path in ("/api/me", "/api/tables/x/mine", "/api/me/links"):
            assert (await half.get(path)).status_code == 401
        await post(half, "/api/me/password", 401, password=OTHER)
        await post(half, "/api/me/second-factor/remove", 401)
        await post(half, "/api/me/second-factor/offer", 409)
    replayed = await post(by_link, "/api/me/second-factor/show", 409, code=used)
    assert replayed["code"] == "cannot-be", "the code that set it up is used"
    following = code(key, house.gateway.clock() + 30_000)
    await post(by_link, "/api/me/second-factor/show", code=following)
    assert (await by_link.get("/api/me")).status_code == 200
    again = await signing_in(house, "show")
    await post(again, "/api/me/second-factor/show", 409, code=following)
    await post(again, "/api/me/second-factor/show", code=f" {codes[3].lower()} ")
    assert (await again.get("/api/me/second-factor")).json()["recovery_left"] == len(codes) - 1
    third = await signing_in(house, "show")
    await post(third, "/api/me/second-factor/show", 409, code=codes[3])
    assert await house.findings() == set()
    names = [each.name for each in await house.events("SecondFactorSet", "RecoveryCodeUsed")]
    assert names == ["SecondFactorSet", "RecoveryCodeUsed"]


async def test_codes_are_not_guessed_and_the_secret_is_not_in_the_database(house: House, tmp_path: Path) -> None:
    key, _, codes = await with_factor(house)
    half = await signing_in(house, "show")
    told = [(await half.post("/api/me/second-factor/show", json={"code": "123456"})).status_code for _ in range(12)]
    assert told[-1] == 429
    assert told.count(409) <= 8
    await house.serving.store.scrub()
    kept = b"".join(each.read_bytes() for each in tmp_path.glob("punto.db*"))
    for secret in (b32decode(key), key.encode(), codes[0].encode(), codes[0].replace("-", "").encode()):
        assert secret not in kept


async def test_wrong_codes_are_counted_among_refused_sign_ins(house: House) -> None:
    await with_factor(house)
    await house.gateway.refused_sign_ins.record()
    before = len(await house.events("SignInsRefused"))
    half = await signing_in(house, "show")
    for _ in range(2):
        await post(half, "/api/me/second-factor/show", 409, code="123456")
    await house.gateway.refused_sign_ins.record()
    events = (await house.events("SignInsRefused"))[before:]
    told = [json.loads(each.body) for each in events]
    assert [each["people"] for each in told] == [[{"person": await house.id(Duty.DEALER), "count": 2}]]


async def test_wrong_codes_keep_only_their_own_address_waiting(house: House) -> None:
    """Who has the password and no phone could otherwise keep its owner out."""
    key, _, codes = await with_factor(house)
    token = (await signing_in(house, "show")).headers["authorization"].removeprefix("Bearer ")
    thief, owner = house.client(token, "10.0.0.9"), house.client(token, "10.0.0.1")
    for _ in range(FREE_FAILURES + 1):
        await post(thief, "/api/me/second-factor/show", 409, code="123456")
    await post(thief, "/api/me/second-factor/show", 429, code="123456")
    await post(owner, "/api/me/second-factor/show", code=code(key, house.gateway.clock() + 30_000))
    again = (await signing_in(house, "show")).headers["authorization"].removeprefix("Bearer ")
    await post(house.client(again, "10.0.0.9"), "/api/me/second-factor/show", code=codes[0])


async def test_guesses_that_are_sent_together_count_each(house: House) -> None:
    """Each would otherwise be allowed before the first was found to be wrong."""
    await with_factor(house)
    half = await signing_in(house, "show")

    async def status(client: httpx.AsyncClient, path: str, **body: Any) -> int:
        return (await client.post(path, json=body)).status_code

    told = await asyncio.gather(*(status(half, "/api/me/second-factor/show", code=f"{at:06}") for at in range(50)))
    assert (told.count(409), told.count(429)) == (FREE_FAILURES + 1, 50 - FREE_FAILURES - 1)
    thief = house.client(host="10.0.0.9")
    told = await asyncio.gather(
        *(status(thief, "/api/sign-in", name="Dealer", password=f"wrong {at}") for at in range(15))
    )
    assert (told.count(409), told.count(429)) == (FREE_FAILURES + 1, 15 - FREE_FAILURES - 1)
    await signing_in(house, "show")  # from another address


def test_a_try_that_was_none_is_taken_back() -> None:
    limits = SignInLimits(now=lambda: 5.0)
    for _ in range(200):
        with pytest.raises(StoreError), limits.trying("10.0.0.1", "Ann", wrong=Refused):
            raise StoreError("the database is away")
        with pytest.raises(StoreError), limits.trying_code("10.0.0.1", "ann", recovery=False, wrong=Refused):
            raise StoreError("the database is away")
    for _ in range(200):
        with limits.trying("10.0.0.1", "Ann", wrong=Refused):
            pass
        with limits.trying_code("10.0.0.1", "ann", recovery=False, wrong=Refused):
            pass


def test_codes_from_many_addresses_are_bounded_and_recovery_codes_are_not() -> None:
    now = 0.0
    limits, day = SignInLimits(lambda: now), 86_400
    tried = 0
    for second in range(0, 2 * day, 60):
        now = float(second)
        for number in range(5):  # a new address each time
            address = f"{second} {number}"
            try:
                limits.check_code(address, "ann", recovery=False)
            except Refused:
                continue
            limits.failed_code(address, "ann", recovery=False)
            tried += 1
    assert tried <= CODES_AT_ONCE + 2 * day * CODES_A_SECOND + 1
    limits.check_code("her own", "ann", recovery=True)
    alone = 0
    for second in range(2 * day, 3 * day):
        now = float(second)
        with suppress(Refused):
            limits.check_code("one", "bob", recovery=False)
            limits.failed_code("one", "bob", recovery=False)
            alone += 1
    assert alone > 90
    limits.check_code("other", "bob", recovery=False)


async def test_a_second_factor_is_removed_by_two_people_only(house: House) -> None:
    await with_factor(house)
    dealer, boss, other = await house.id(Duty.DEALER), await house.enter(GSM), await house.enter(ACM)
    request = await post(boss, f"/api/people/{dealer}/second-factor/remove")
    cashier = await house.enter(Duty.CASHIER)
    await post(cashier, f"/api/people/{dealer}/second-factor/remove", 403)
    await post(cashier, f"/api/people/requests/{request['id']}/confirm", 403)
    await post(boss, f"/api/people/requests/{request['id']}/confirm", 409)
    await post(other, f"/api/people/requests/{request['id']}/confirm")
    await signing_in(house, None)
    (event,) = await house.events("SecondFactorRemoved")
    assert (event.by, json.loads(event.body)["asked_by"]) == (await house.id(ACM), await house.id(GSM))
    assert await house.findings() == set()


async def test_a_second_factor_removed_in_the_database_is_found(house: House) -> None:
    await with_factor(house)
    await house.serving.store.ask("update person set factor = null")
    assert await house.findings() == {"second-factor-altered"}


async def test_where_the_house_asks_for_it_managers_can_do_nothing_before_they_set_it_up(house: House) -> None:
    boss, dealer = await house.enter(GSM), await house.enter(Duty.DEALER)
    seen = (await boss.get("/api/house/settings")).json()
    await post(boss, "/api/house/settings", settings=seen | {"second_factor_required": True}, seen=seen)
    assert (await dealer.get("/api/me")).status_code == 200
    assert (await boss.get("/api/people")).status_code == 401
    cashier = await house.enter(Duty.CASHIER)
    assert (await cashier.get("/api/me")).status_code == 401
    offer = await post(boss, "/api/me/second-factor/offer")
    shown = code(offer["key"], house.gateway.clock())
    await post(cashier, "/api/me/second-factor/set", 409, sealed=offer["sealed"], code=shown)
    await post(boss, "/api/me/second-factor/set", sealed=offer["sealed"], code=shown)
    assert (await boss.get("/api/people")).status_code == 200


# --- out at once -----------------------------------------------------------------------------------------------------


async def test_all_connections_are_checked_in_one_query_when_anything_changed(house: House) -> None:
    tokens = []
    for duty in (Duty.DEALER, Duty.PIT_MANAGER, Duty.AUDITOR):
        person = await house.id(duty)
        tokens.append(await house.people.use_link(await house.people.make_link(person, 60_000)))
    sockets = [BoundSession(each) for each in tokens]
    house.gateway.sockets |= set(sockets)
    asked: list[int] = []
    store, live_sessions = house.serving.store, house.serving.store.live_sessions

    async def counted(wanted: Any, now: int) -> Any:
        asked.append(len(wanted))
        return await live_sessions(wanted, now)

    store.live_sessions = counted  # type: ignore[method-assign, assignment]
    for _ in range(3):
        await house.gateway.watch.look()
    assert asked == [3], "nothing has changed since"
    await house.people.set_active(await house.id(Duty.PIT_MANAGER), False)
    await house.people.sign_out(tokens[2])
    await asyncio.gather(*(house.gateway.watch.look() for _ in range(1)))
    assert [each.ended for each in sockets] == [False, True, True]
    house.gateway.sockets.clear()
