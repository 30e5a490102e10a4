"""The server's edge: who may come in, from where, with how much, and what he learns when he may not."""

from __future__ import annotations

import json
import re
import socket as sockets
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest
from support.live import Live, Someone, hear, say, serving
from support.many_requests import asked_at_once
from support.page_policy import policy_of
from support.playing import until
from support.samples import Prepared, Sample, house_of, samples
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from punto.server.http.app import create_app
from punto.server.running.lifecycle import Options, open_serving

POLICY = "content-security-policy"
HEADERS = {
    POLICY: "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
IN_A_BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
LONGEST = 65_536
TELLING = re.compile(r"Traceback|File \"|\.py\b|/site-packages|/home/|/tmp/|punto\.server|sqlite|select |insert ")
"""What would tell somebody how the server is made."""
_ADDRESSES = count(1)


def sample(name: str) -> Sample:
    return next(each for each in samples() if each.row.name == name)


def elsewhere() -> dict[str, str]:
    """As of somebody who comes, through a proxy on this machine, from where nobody else is."""
    number = next(_ADDRESSES)
    return {"x-forwarded-for": f"10.9.{number >> 8}.{number & 255}"}


class Edge:
    """A server with a table at which bets are open, and somebody for every duty."""

    def __init__(self, live: Live, prepared: Prepared) -> None:
        self.live, self.prepared, self.address = live, prepared, live.address

    def somebody(self, who: str) -> Someone:
        someone = self.live.someone(self.prepared.tokens[who], self.prepared.ids[who], who)
        someone.http.headers.update(elsewhere())
        return someone

    def newcomer(self, duty: str = "patron") -> tuple[Someone, str]:
        """Somebody nobody knew before, signed in by his link."""
        manager = self.somebody("Gaming Shift Manager")
        added = manager.post("/api/people", name=f"newcomer {next(_ADDRESSES)}", duty=duty)
        answer = httpx.post(f"{self.address}/api/links", json={"link": added["link"]}, headers=elsewhere())
        someone = self.live.someone(answer.json()["token"], added["person"]["id"], duty)
        someone.http.headers.update(elsewhere())
        return someone, added["person"]["name"]

    def number(self, table: str = "t1") -> int:
        number: int = httpx.get(f"{self.address}/api/tables/{table}", headers=elsewhere()).json()["number"]
        return number


@pytest.fixture(scope="module")
def edge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Edge]:
    folder = tmp_path_factory.mktemp("security")
    prepared = house_of(folder / "punto.db", {"t1": sample("PlaceWager")}, ("Ann", "Bob"))
    with serving(str(prepared.file), folder) as live:
        yield Edge(live, prepared)


# --- from where -------------------------------------------------------------------------------------------------------

FOREIGN = (
    "http://evil.example",
    "null",
    "",
    "http://[",
    "http://127.0.0.1:1",
    "{own}.evil.example",
    "//{host}@evil",
    "https://{host}",
    "ws://{host}",
    "http://evil@{host}",
    "http://{host}/",
    "x",
)


def foreign(edge: Edge, origin: str) -> str:
    host = edge.address.removeprefix("http://")
    return origin.format(own=edge.address, host=host)


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_site_does_nothing(edge: Edge, origin: str) -> None:
    ann, before = edge.somebody("Ann"), edge.number()
    ann.http.headers["origin"] = foreign(edge, origin)
    values = sample("PlaceWager").values
    answer = ann.give("t1", "PlaceWager", **values)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong-origin")
    for path in ("/api/sign-out", "/api/sign-in", "/api/links", "/api/people"):
        answer = ann.http.post(path, json={})
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong-origin")
    assert ann.get("/api/me")["id"] == "Ann", "to read is no harm: the other page is not told what was read"
    assert not [name for name in ann.http.get("/api/me").headers if name.startswith("access-control")]
    assert ann.http.options("/api/me").status_code == 405
    assert edge.number() == before
    with pytest.raises(InvalidStatus) as refused, opened(edge, ann, origin=foreign(edge, origin)):
        pass
    assert refused.value.response.status_code == 403


def opened(edge: Edge, who: Someone, **headers: str) -> ClientConnection:
    address = edge.address.replace("http", "ws", 1)
    sent = {"authorization": f"Bearer {who.token}", **headers}
    return connect(f"{address}/api/socket", additional_headers=sent, compression=None, proxy=None)


def test_a_page_of_this_server_and_a_program_may(edge: Edge) -> None:
    own: tuple[dict[str, str], ...] = ({}, {"origin": edge.address})
    for headers in own:
        ann = edge.somebody("Ann")
        ann.http.headers.update(headers)
        assert ann.give("t1", "DrawCard").json()["code"] == "wrong-phase"
        with opened(edge, ann, **headers) as socket:
            say(socket, "Ping", id=1)
            assert hear(socket)["type"] == "pong"


def free_port() -> int:
    with sockets.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def test_behind_a_proxy_its_address_is_the_servers_own(tmp_path: Path) -> None:
    port = free_port()
    prepared = house_of(tmp_path / "punto.db", {"t1": sample("PlaceWager")}, ("Ann",))
    with serving(str(prepared.file), tmp_path, "--origin", "https://tables.example", "--port", str(port)) as live:
        assert live.address == "https://tables.example"
        live.address = f"http://127.0.0.1:{port}"
        edge = Edge(live, prepared)
        for origin, status in (("https://tables.example", 409), ("https://evil.example", 403), (edge.address, 409)):
            ann = edge.somebody("Ann")
            ann.http.headers["origin"] = origin
            assert ann.give("t1", "DrawCard").status_code == status
        with opened(edge, edge.somebody("Ann"), origin="https://tables.example") as socket:
            say(socket, "Ping")
            assert hear(socket)["type"] == "pong"
        # The pages are served encrypted, so the sign-in is never sent otherwise.
        link = edge.somebody("Cashier").post("/api/people", name="Bob", duty="patron")["link"]
        answer = httpx.post(f"{edge.address}/api/links", json={"link": link})
        assert "Secure" in attributes(answer)


def attributes(answer: httpx.Response) -> set[str]:
    """What a browser is told about the cookie it gets."""
    return {part.strip() for part in answer.headers["set-cookie"].split(";")[1:]}


# --- what goes with every answer --------------------------------------------------------------------------------------


def answers(edge: Edge) -> Iterator[tuple[int, httpx.Response]]:
    """Answers of every kind, with the status expected of each."""
    ann, cashier, address = edge.somebody("Ann"), edge.somebody("Cashier"), edge.address
    for path in (
        "/",
        "/enter",
        "/openapi.json",
        "/healthz",
        "/api/games",
        "/api/tables/t1/events",
        "/api/me",
    ):
        yield 200, ann.http.get(path)
    yield 200, httpx.get(f"{address}/metrics")
    yield 204, edge.newcomer()[0].http.post("/api/sign-out")
    yield 401, httpx.get(f"{address}/api/me")
    yield 403, ann.http.get("/api/people")
    yield 403, cashier.give("t1", "OpenBets")
    yield 403, ann.http.post("/api/sign-out", headers={"origin": "http://evil.example"})
    yield 404, ann.http.get("/nowhere")
    yield 404, ann.http.get("/nowhere", headers=IN_A_BROWSER)
    yield 404, ann.http.get("/api/tables/%00%ff/mine")
    yield 404, ann.http.get("/api/tables/../../etc/passwd")
    yield 404, httpx.get(f"{address}/metrics", headers=elsewhere())
    yield 405, ann.http.put("/api/tables")
    yield 405, ann.http.head("/api/tables")
    yield 409, ann.give("t1", "DrawCard")
    yield 413, ann.http.post("/api/sign-in", content=b" " * (LONGEST + 1))
    yield 422, ann.http.post("/api/tables/t1/commands", content=b"{")
    yield 422, ann.http.get("/api/tables/t1/events?after=x&most=-1")


@pytest.mark.parametrize("address", ["/nowhere", "/tables/none", "/display/none", "/school/poker"])
def test_an_address_that_leads_to_nothing_is_answered_in_a_browser_by_a_page(edge: Edge, address: str) -> None:
    answer = httpx.get(edge.address + address, headers=IN_A_BROWSER | elsewhere())
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "Page not found." in answer.text


def test_every_answer_has_the_headers_and_tells_nothing_of_how_the_server_is_made(edge: Edge) -> None:
    for status, answer in answers(edge):
        about = (answer.request.method, str(answer.request.url), answer.text[:200])
        assert answer.status_code == status, about
        policy = policy_of(answer, HEADERS[POLICY])
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS | {POLICY: policy}, about
        assert "server" not in answer.headers
        if not about[1].endswith(("/openapi.json", "/metrics")):
            assert not TELLING.search(answer.text), about
        if status >= 400 and "json" in answer.headers["content-type"] and answer.content:
            assert answer.json()["sentence"]


async def test_a_fault_is_answered_without_saying_what_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serving_ = await open_serving(Options(str(tmp_path / "punto.db")))

    async def fails(*_: object) -> None:
        raise RuntimeError("the password in /secret/path is swordfish")

    try:
        transport = httpx.ASGITransport(create_app(serving_.gateway), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://punto") as client:
            with monkeypatch.context() as patched:
                patched.setattr(serving_.people, "session", fails)
                answer = await client.get("/api/me", headers={"authorization": "Bearer x"})
                assert (answer.status_code, answer.json()["code"]) == (500, "failed")
                assert "swordfish" not in answer.text
                assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
            with monkeypatch.context() as patched:
                patched.setattr(serving_.store, "ask", fails)
                monkeypatch.setattr("punto.server.running.health.FRESH_FOR", 0.0)
                answer = await client.get("/healthz")
                assert (answer.status_code, answer.json()["why"]) == (503, "database")
            assert (await client.get("/healthz")).status_code == 200
    finally:
        await serving_.close()


async def test_figures_are_for_somebody_on_the_same_machine(tmp_path: Path) -> None:
    async def status(app: Any, host: str, **headers: str) -> int:
        transport = httpx.ASGITransport(app, client=(host, 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://punto") as client:
            return (await client.get("/metrics", headers=headers)).status_code

    serving_ = await open_serving(Options(str(tmp_path / "punto.db")))
    try:
        app = create_app(serving_.gateway)
        assert [await status(app, host) for host in ("127.0.0.1", "::1", "127.1.2.3")] == [200] * 3
        assert [await status(app, host) for host in ("192.0.2.7", "10.0.0.1", "::2", "", "x")] == [404] * 5
        forwarded = {"x-forwarded-for": "127.0.0.1"}
        assert [await status(app, host, **forwarded) for host in ("127.0.0.1", "192.0.2.7")] == [404] * 2
    finally:
        await serving_.close()


# --- how much ---------------------------------------------------------------------------------------------------------


def test_a_body_may_not_be_longer_than_the_limit(edge: Edge) -> None:
    ann = edge.somebody("Ann")

    def in_pieces(size: int) -> Iterator[bytes]:
        for _ in range(0, size, 1024):
            yield b" " * 1024

    for path in ("/api/sign-in", "/api/tables/t1/commands", "/api/people/x/active", "/api/links"):
        # Whoever asks for what he may not have is told that, and the rest of what he sends is not read.
        longest, not_his = ann.http.post(path, content=b" " * LONGEST), path.endswith("active")
        assert longest.status_code in ((403,) if not_his else (409, 422, 403))
        assert ann.http.post(path, content=b" " * (LONGEST + 1)).status_code == 413
        answer = ann.http.post(path, content=in_pieces(LONGEST + 1024))
        assert answer.status_code == (403 if not_his else 413)
        assert not_his or answer.json()["code"] == "too-large"
    assert ann.get("/api/me")["id"] == "Ann"


@pytest.mark.long
def test_whoever_asks_too_much_is_told_so_and_others_are_served(edge: Edge) -> None:
    here, there = elsewhere(), elsewhere()
    asked = asked_at_once(edge.address, "/api/games", here, 1200)
    statuses = Counter(answer[:3] for answer in asked)
    assert set(statuses) == {b"200", b"429"}
    assert statuses[b"200"] >= 400
    head, _, body = next(answer for answer in asked if answer.startswith(b"429")).decode().partition("\r\n\r\n")
    assert (json.loads(body)["code"], bool(json.loads(body)["sentence"])) == ("too-many", True)
    assert {f"{name}: {value}" for name, value in HEADERS.items()} <= set(head.split("\r\n"))
    assert httpx.get(f"{edge.address}/api/games", headers=there).status_code == 200
    assert httpx.get(f"{edge.address}/healthz", headers=there).json()["ok"]


@pytest.mark.long
def test_nobody_tries_many_passwords_or_links_from_one_place(edge: Edge) -> None:
    with httpx.Client(base_url=edge.address, headers=elsewhere()) as here:

        def tries(path: str, **told: str) -> int:
            return here.post(path, json=told).status_code

        began = monotonic()
        statuses = [tries("/api/links", link=f"{n}") for n in range(40)]
        more = 1 + (monotonic() - began) / 2  # one in two seconds is allowed besides, however slow this machine is
        assert set(statuses) == {409, 429}
        assert statuses[:20] == [409] * 20
        assert statuses.count(409) <= 20 + more
        for _ in range(10):  # a password counts with the links: an allowance of its own would hold for twenty
            while tries("/api/links", link="x") != 429:
                pass
            if tries("/api/sign-in", name="Ann", password="x" * 12) == 429:
                break
        else:
            pytest.fail("a password can be tried after too many links")
    assert httpx.post(f"{edge.address}/api/links", json={"link": "x"}, headers=elsewhere()).status_code == 409


def test_whoever_floods_a_socket_is_slowed_down_and_others_are_not(edge: Edge) -> None:
    with edge.somebody("Ann").socket() as flood, edge.somebody("Bob").socket() as other:
        for number in range(280):
            say(flood, "Ping", id=number)
        say(other, "Ping", id="other")
        assert hear(other)["id"] == "other"
        heard = [hear(flood) for _ in range(280)]
        assert [told["id"] for told in heard[:200]] == list(range(200))
        refused = [told for told in heard if told["type"] == "refused"]
        assert refused
        assert {told["code"] for told in refused} == {"too-many"}


def test_whoever_floods_on_is_sent_away_in_the_midst_of_it(edge: Edge) -> None:
    """Thirty thousand messages that arrive together are not all read before he is."""
    with edge.somebody("Ann").socket() as flood, edge.somebody("Bob").socket() as other:
        ping = b"\x81\x92" + bytes(4) + b'{"command":"Ping"}'
        with suppress(OSError):
            flood.socket.sendall(ping * 30_000)
        say(other, "Ping", id="other")
        assert hear(other)["id"] == "other"
        with suppress(ConnectionClosed):
            while True:
                flood.recv(5)
        assert flood.close_code in (4429, 1006)  # in the midst of his own sending he may not hear why


# --- what is not understood -------------------------------------------------------------------------------------------

DEEP = 30_000
NOT_UNDERSTOOD: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"place 100 on banker",
    "half of it": b'{"command": "Pi',
    "null": b"null",
    "a number": b"17",
    "a list": b"[]",
    "no command": b'{"id": 1}',
    "an unknown command": b'{"command": "OpenTheVault", "table": "t1"}',
    "an unknown field": b'{"command": "OpenBets", "table": "t1", "by": {"id": "x", "role": "Dealer"}}',
    "when it is": b'{"command": "OpenBets", "table": "t1", "at": 1}',
    "deep lists": b'{"command": "AnswerWithdrawal", "table": "t1", "wagers": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep objects": b'{"command": "Refer", "table": "t1", "matter": ' + b'{"a":' * 9000 + b"1" + b"}" * 9000 + b"}",
    "deep and unknown": b'{"command": "OpenBets", "x": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "too many digits": b'{"command": "Fill", "table": "t1", "amount": ' + b"9" * 20_000 + b"}",
    "beyond all numbers": b'{"command": "Fill", "table": "t1", "amount": 1e999}',
    "a fraction": b'{"command": "Fill", "table": "t1", "amount": 1.5}',
    "not a number": b'{"command": "Fill", "table": "t1", "amount": NaN}',
    "half a character": b'{"command": "Refer", "table": "t1", "matter": "\\ud800"}',
    "the other half": b'{"command": "Refer", "table": "t1", "matter": "\\udc00\\ud800"}',
    "a key that is too long": b'{"command": "OpenBets", "table": "t1", "key": "' + b"k" * 65 + b'"}',
}
REFUSED: dict[str, tuple[bytes, str]] = {
    "a NUL": (b'{"command": "LoadShoe", "table": "t1", "shoe": "a\\u0000b"}', "bad-words"),
    "a NUL for a table": (b'{"command": "OpenBets", "table": "t\\u00001"}', "unknown-table"),
    "a large number": (b'{"command": "Fill", "table": "t1", "amount": ' + b"9" * 4000 + b"}", "bad-number"),
    "below zero": (b'{"command": "Fill", "table": "t1", "amount": -5}', "bad-amount"),
    "another alphabet": (
        '{"command": "BuyIn", "table": "t1", "patron": "\u202eannA", "amount": 1}'.encode(),
        "bad-name",
    ),
    "another table": (b'{"command": "OpenBets", "table": "' + b"t" * 64 + b'"}', "unknown-table"),
}


@pytest.mark.parametrize("what", [*NOT_UNDERSTOOD, *REFUSED])
def test_what_is_not_understood_is_refused_and_harms_nobody(edge: Edge, what: str) -> None:
    body, code = REFUSED.get(what, (NOT_UNDERSTOOD.get(what, b""), "bad-message"))
    manager, before = edge.somebody("Gaming Shift Manager"), edge.number()
    answer = manager.http.post("/api/tables/t1/commands", content=body)
    # Over HTTP the table stands in the address as well.
    assert answer.json()["code"] in (code, "bad-message")
    assert answer.status_code in (409, 422)
    with manager.socket() as socket:
        for binary in (False, True):
            socket.send(body, text=not binary)
            told = hear(socket)
            assert (told["type"], told["code"]) == ("refused", code)
            assert not TELLING.search(json.dumps(told))
        say(socket, "Ping", id="here")
        assert hear(socket)["id"] == "here"
    assert edge.number() == before


def test_text_that_is_not_utf_8_is_refused_and_as_a_text_frame_ends_the_connection(edge: Edge) -> None:
    body = b'{"command": "Refer", "table": "t1", "matter": "\xff\xfe"}'
    manager, before = edge.somebody("Gaming Shift Manager"), edge.number()
    assert manager.http.post("/api/tables/t1/commands", content=body).json()["code"] == "bad-message"
    with manager.socket() as socket:
        socket.send(body)
        assert hear(socket)["code"] == "bad-message"
        socket.send(body, text=True)
        assert how_it_ends(socket) == 1007
    assert edge.number() == before


def test_a_number_of_any_size_is_given_back_to_whom_it_belongs(edge: Edge) -> None:
    with edge.somebody("Ann").socket() as socket:
        socket.send('{"command": "Ping", "id": ' + "9" * 4000 + "}")
        assert str(hear(socket)["id"]) == "9" * 4000


def how_it_ends(socket: ClientConnection) -> int:
    """The code with which the server closes a connection, whatever it says before."""
    with suppress(ConnectionClosed):
        while True:
            socket.recv(10)
    assert socket.close_code is not None
    return socket.close_code


def test_a_message_that_is_too_long_ends_the_connection_and_nothing_else(edge: Edge) -> None:
    with edge.somebody("Bob").socket() as other:
        for size in (LONGEST + 1, 1_000_000):
            for message in ("x" * size, b"x" * size):
                with edge.somebody("Ann").socket() as socket:
                    with suppress(ConnectionClosed):
                        socket.send(message)
                    assert how_it_ends(socket) in (1009, 1006)  # in the midst of his own sending he may not hear why
        say(other, "Ping", id=1)
        assert hear(other)["type"] == "pong"


def test_whoever_names_no_table_or_none_there_is_may_go_on(edge: Edge) -> None:
    with edge.somebody("Dealer").socket() as socket:
        for number in range(75):
            say(socket, "OpenBets", table="nowhere", id=number)
            assert hear(socket)["code"] == "unknown-table"
            say(socket, "OpenBets", id=number)
            assert hear(socket)["code"] == "bad-message"


# --- signing in -------------------------------------------------------------------------------------------------------


def test_a_sign_in_is_kept_where_no_page_can_read_it(edge: Edge) -> None:
    manager = edge.somebody("Gaming Shift Manager")
    link = manager.post("/api/people", name=f"newcomer {next(_ADDRESSES)}", duty="patron")["link"]
    with httpx.Client(base_url=edge.address, headers=elsewhere()) as browser:
        answer = browser.post("/api/links", json={"link": link})
        assert attributes(answer) == {"HttpOnly", "SameSite=strict", "Path=/", "Max-Age=43200"}
        assert browser.get("/api/me").json()["duty"] == "patron", "the cookie is enough"
        token = browser.cookies["punto"]
        assert browser.post("/api/sign-out").status_code == 204
        assert "punto" not in browser.cookies
        assert browser.get("/api/me", headers={"authorization": f"Bearer {token}"}).status_code == 401


def test_no_address_that_a_server_sees_signs_in(edge: Edge) -> None:
    """Addresses stand in logs of servers and proxies. What stands behind the # of one is not sent."""
    link = edge.somebody("Cashier").post("/api/people", name=f"newcomer {next(_ADDRESSES)}", duty="patron")["link"]
    with httpx.Client(base_url=edge.address, headers=elsewhere()) as browser:
        for path in (f"/enter/{link}", f"/enter?link={link}", f"/api/links?link={link}"):
            browser.get(path)
            browser.post(path)
            assert "punto" not in browser.cookies
        for path in ("/enter", f"/enter/{link}"):  # a form that earlier pages had
            assert browser.post(path, data={"link": link}).status_code in (404, 405)
            assert "punto" not in browser.cookies
        page = browser.get("/enter")
        assert page.status_code == 200
        assert link not in page.text
        assert browser.post("/api/links", json={"link": link}).status_code == 200, "and it was not used up"


def test_a_link_works_once_however_many_use_it_at_once(edge: Edge) -> None:
    link = edge.somebody("Cashier").post("/api/people", name=f"newcomer {next(_ADDRESSES)}", duty="patron")["link"]

    def use(_: int) -> int:
        return httpx.post(f"{edge.address}/api/links", json={"link": link}, headers=elsewhere()).status_code

    with ThreadPoolExecutor(8) as workers:
        assert sorted(workers.map(use, range(8))) == [200] + [409] * 7


@pytest.mark.long
def test_guesses_slow_down_their_own_address_and_lock_nobody_out(edge: Edge) -> None:
    someone, name = edge.newcomer("Dealer")
    someone.post("/api/me/password", password="correct horse battery")

    def sign_in(name: str, password: str, where: dict[str, str]) -> httpx.Response:
        asked = {"name": name, "password": password}
        return httpx.post(f"{edge.address}/api/sign-in", json=asked, headers=where)

    told = []
    for tried in (name, "nobody of this name"):
        here = elsewhere()
        answers = [sign_in(tried, "wrong horse battery", here) for _ in range(9)]
        assert [each.status_code for each in answers[:5]] == [409] * 5
        assert 429 in {each.status_code for each in answers}
        assert all("set-cookie" not in each.headers for each in answers)
        told.append({(each.status_code, each.text) for each in answers})
    assert told[0] == told[1], "nobody learns who is known here"
    assert sign_in(name, "correct horse battery", elsewhere()).status_code == 200, "from elsewhere it is right at once"
    assert someone.get("/api/me")["id"] == someone.id, "who is signed in already stays so"


def test_a_session_that_has_ended_opens_nothing_any_more(edge: Edge) -> None:
    watchful, began = edge, edge.number()
    manager = watchful.somebody("Gaming Shift Manager")
    ends: dict[str, Callable[[Someone], Any]] = {
        "sign-out": lambda who: who.post("/api/sign-out"),
        "not active": lambda who: manager.post(f"/api/people/{who.id}/active", active=False),
        "a new password elsewhere": lambda who: another_session(watchful, who).post(
            "/api/me/password", password="correct horse battery"
        ),
    }
    for way, end in ends.items():
        who, _ = watchful.newcomer("Dealer")
        with who.socket() as socket:
            say(socket, "Subscribe", table="t1")
            assert hear(socket)["type"] == "table"
            end(who)
            assert who.http.get("/api/me").status_code == 401, way
            assert who.give("t1", "CloseBets").status_code == 401
            assert how_it_ends(socket) == 4401, way
        with who.socket() as again:
            assert how_it_ends(again) == 4401
    assert watchful.number() == began


def another_session(edge: Edge, who: Someone) -> Someone:
    """The same person, signed in once more."""
    link = edge.somebody("Gaming Shift Manager").post(f"/api/people/{who.id}/link")["link"]
    answer = httpx.post(f"{edge.address}/api/links", json={"link": link}, headers=elsewhere())
    return edge.live.someone(answer.json()["token"])


def test_what_the_house_gives_to_others_is_refused_and_logged(edge: Edge) -> None:
    """A cashier keeps patrons, and nobody who keeps the house's own people; a dealer keeps neither."""
    cashier, dealer, auditor = edge.somebody("Cashier"), edge.somebody("Dealer"), edge.prepared.ids["Auditor"]
    tries: tuple[tuple[Someone, str, dict[str, Any]], ...] = (
        (cashier, "/api/people", {"name": "a friend", "duty": "Gaming Shift Manager"}),
        (cashier, f"/api/people/{auditor}/link", {}),
        (cashier, f"/api/people/{auditor}/active", {"active": False}),
        (dealer, "/api/people", {"name": "a friend", "duty": "patron"}),
        (dealer, "/api/tables", {"table": "mine", "game": "baccarat"}),
        (dealer, "/api/cage/deposits", {"patron": "Ann", "amount": 1}),
        (dealer, "/api/tables/t1/cards", {"shoe": "one", "sequence": 0, "card": "9s"}),
    )
    for who, path, body in tries:
        answer = who.http.post(path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-permitted")

    def logged() -> list[int]:
        lines = [json.loads(line) for line in edge.live.log.read_text("utf-8").splitlines()]
        refused = [line["person"] for line in lines if line["event"] == "not permitted"]
        return [refused.count(who.id) for who in (cashier, dealer)]

    until(lambda: logged() == [3, 4])
    assert edge.somebody("Auditor").get("/api/me")["active"]


def test_what_is_false_is_no_token(edge: Edge) -> None:
    good = edge.prepared.tokens["Ann"]
    for token in ("x", "x" * 5000, good[:-1], f"{good}x", good.swapcase(), "' or 1=1 --"):
        headers = {"authorization": f"Bearer {token}", **elsewhere()}
        assert httpx.get(f"{edge.address}/api/me", headers=headers).status_code == 401
        assert httpx.get(f"{edge.address}/api/me", headers={"cookie": f"punto={token}"}).status_code == 401
