"""Routes: what a handler's signature says is what callers may send, what they are answered, and what is described."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import StrEnum
from types import SimpleNamespace
from typing import Annotated, Any, ClassVar

import httpx
import pytest
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from punto.server.access.identity import Duty, Person, Session
from punto.server.access.permissions import PERMITTED, Permission, permissions_of
from punto.server.gateway import Gateway
from punto.server.http.app import ENDPOINTS, interface
from punto.server.realtime.messages import refused
from punto.server.refused import Refused
from punto.server.routing.answers import Json, refusal_answer
from punto.server.routing.routes import Endpoint, Parameter, Routes, Tagged, starlette_routes

ANN = Person("ann", "Ann", Duty.PATRON, active=True)
CAROL = Person("carol", "Carol", Duty.CASHIER, active=True)


class Colour(StrEnum):
    """One of two."""

    RED = "red"
    BLACK = "black"


class Stake(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """A body."""

    amount: Annotated[int, Meta(gt=0)]


class Raise(Stake, frozen=True, tag_field="kind"):
    """Another body."""


class Later(Struct, frozen=True):
    """An answer with a status of its own."""

    http_status: ClassVar[int] = 202

    read: int


class Kept:
    """A part of the application."""

    stakes: ClassVar[list[int]] = []


routes = Routes("/t", "tests")


@routes.get("/parameters/{number}")
async def parameters(
    number: int,
    from_: Annotated[int, Meta(ge=0)] = 5,
    colour: Colour | None = None,
    needed: str = "",
) -> list[str]:
    """Return what was read."""
    return [repr(each) for each in (number, from_, colour, needed)]


@routes.get("/required")
async def required(wanted: int) -> int:
    """Return what must be given."""
    return wanted


@routes.post("/stakes")
async def place(kept: Kept, person: Person | None, body: Stake) -> None:
    """Keep a stake.

    It is kept for a while.
    """
    kept.stakes.append(body.amount + (1000 if person else 0))


@routes.post("/tagged", permission=Permission.KEEP_ACCOUNTS)
async def tagged(person: Person, body: Annotated[Stake, Tagged("Any stake", (Stake, Raise))]) -> Json[dict[str, str]]:
    """Tell the bodies apart."""
    return Json({"kind": type(body).__name__, "by": person.id})


@routes.get("/later")
async def later() -> Later | list[int]:
    """Answer with another status."""
    return Later(3)


@routes.get("/own")
async def own(request: Request) -> Response:
    """Answer by a response of its own."""
    return PlainTextResponse(request.url.path, 418)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal_answer(refused(error.refusal))


@asynccontextmanager
async def calling(caller: Person | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of these routes, signed in or not."""

    async def session(_: str) -> Any:
        return Session(caller, 0, 0, None) if caller else None

    app = Starlette(routes=starlette_routes(routes.endpoints), exception_handlers={Refused: _refused})

    async def no_session(_: str) -> None: ...

    gateway: Any = SimpleNamespace(
        people=SimpleNamespace(session=session, locked=no_session),
        devices=SimpleNamespace(session=no_session),
        floor=SimpleNamespace(store=SimpleNamespace(closed=False)),
    )
    app.state.parts = {Gateway: gateway, Kept: Kept()}
    headers = {"authorization": "Bearer token"}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://punto", headers=headers
    ) as client:
        yield client


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("", ["7", "5", "None", "''"]),
        ("?from=0&colour=red&needed=x", ["7", "0", "<Colour.RED: 'red'>", "'x'"]),
        ("?from=1&from=2", ["7", "2", "None", "''"]),
        ("?unknown=1", ["7", "5", "None", "''"]),
    ],
)
async def test_parameters_are_read_by_their_types(query: str, read: list[str]) -> None:
    async with calling() as client:
        answer = await client.get(f"/t/parameters/7{query}")
    assert (answer.status_code, answer.json()) == (200, read)


@pytest.mark.parametrize(
    ("path", "case", "parameter"),
    [
        ("/t/parameters/seven", "parameter", "number"),
        ("/t/parameters/7?from=-1", "parameter", "from"),
        ("/t/parameters/7?from=", "parameter", "from"),
        ("/t/parameters/7?from_=1&from=x", "parameter", "from"),
        ("/t/parameters/7?colour=green", "parameter", "colour"),
        ("/t/parameters/7?colour=null", "parameter", "colour"),
        ("/t/required", "parameter-missing", "wanted"),
        ("/t/required?wanted=1e400", "parameter", "wanted"),
    ],
)
async def test_a_parameter_that_does_not_fit_is_refused_by_name(path: str, case: str, parameter: str) -> None:
    async with calling() as client:
        answer = await client.get(path)
    told = answer.json()
    assert (answer.status_code, told["code"], told["case"]) == (422, "bad-message", case)
    assert told["values"]["parameter"] == parameter
    assert parameter in told["sentence"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"kind":"Stake"}', b'{"kind":"Stake","amount":0}', b"\xff", b"[" * 10_000, b'"\xed\xa0\x80"'],
)
async def test_a_body_that_does_not_fit_is_refused(body: bytes) -> None:
    async with calling() as client:
        answer = await client.post("/t/stakes", content=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-message")
    assert answer.json()["values"]["detail"]


async def test_what_a_handler_returns_is_the_answer() -> None:
    async with calling(ANN) as client:
        Kept.stakes.clear()
        answer = await client.post("/t/stakes", json={"kind": "Stake", "amount": 5})
        assert (answer.status_code, answer.content, Kept.stakes) == (204, b"", [1005])
        assert (await client.get("/t/later")).status_code == 202
        assert (await client.get("/t/own")).text == "/t/own"


async def test_a_permission_is_asked_before_anything_is_read() -> None:
    for caller, status, code in (
        (None, 401, "not-signed-in"),
        (ANN, 403, "not-permitted"),
        (CAROL, 422, "bad-message"),
    ):
        async with calling(caller) as client:
            answer = await client.post("/t/tagged", content=b"nonsense")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    async with calling(CAROL) as client:
        answer = await client.post("/t/tagged", json={"kind": "Raise", "amount": 1})
    assert answer.json() == {"kind": "Raise", "by": "carol"}


async def test_a_wrong_method_is_answered_with_the_right_ones() -> None:
    async with calling() as client:
        for method in ("POST", "HEAD", "DELETE"):
            answer = await client.request(method, "/t/later")
            assert (answer.status_code, answer.headers["allow"]) == (405, "GET")


def test_a_handler_must_take_all_of_its_path() -> None:
    async def forgets(one: str) -> None:
        """Take one."""

    with pytest.raises(AssertionError, match="does not take all"):
        Routes().get("/{one}/{other}")(forgets)


# --- the description -------------------------------------------------------------------------------------------------


def described(endpoint: Endpoint) -> dict[str, Any]:
    operation: dict[str, Any] = interface()["paths"][endpoint.path][endpoint.method.lower()]
    return operation


@pytest.mark.parametrize("endpoint", [each for each in ENDPOINTS if each.tag], ids=lambda each: each.name)
def test_every_route_is_described_as_its_signature_says(endpoint: Endpoint) -> None:
    operation = described(endpoint)
    assert operation["summary"][0].isupper()
    assert operation["summary"].endswith("."), "a sentence"
    assert operation.get("x-permission") == (endpoint.permission.value if endpoint.permission else None)
    assert ({} in operation["security"]) is not endpoint.signed_in
    statuses = operation["responses"].keys()
    assert ("401" in statuses) is endpoint.signed_in
    assert ("403" in statuses) is bool(endpoint.permission)
    assert ("requestBody" in operation) is bool(endpoint.body)
    named = {each["name"] for each in operation.get("parameters", ())}
    assert named == {each.name for each in (*endpoint.in_path, *endpoint.in_query)}


def test_only_pages_and_the_description_itself_are_not_described() -> None:
    assert all(not each.path.startswith("/api") for each in ENDPOINTS if not each.tag)


def test_every_permission_is_asked_for_somewhere_and_held_by_someone() -> None:
    asked = {each.permission for each in ENDPOINTS if each.permission}
    by_other_ways = {Permission.KEEP_PEOPLE, Permission.SEE_EVERYTHING, Permission.SEE_PEOPLE}  # people, fields, events
    assert asked | by_other_ways == set(Permission) == PERMITTED.keys()
    assert all(PERMITTED.values())
    assert permissions_of(Duty.PATRON) == (Permission.CUT_SHOES,)


def test_every_number_in_a_path_or_query_fits_the_databases() -> None:
    """One beyond all limits is a message that cannot be read, not a fault of the server."""
    numbers = [(endpoint, each) for endpoint in ENDPOINTS for each in (*endpoint.in_path, *endpoint.in_query)]
    unbounded = [
        (endpoint.name, each.name)
        for endpoint, each in numbers
        if _takes(each, "1") and _takes(each, str(2**63)) and not _takes(each, "any text")
    ]
    assert unbounded == [("list_edges", "decks"), ("game_page", "decks")], "those two are compared, never looked up"


def _takes(parameter: Parameter, given: str) -> bool:
    try:
        parameter.read(given)
    except Refused:
        return False
    return True
