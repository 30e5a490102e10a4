"""A server that knows of no proxy and may open few files: its limits hold as ``punto serve`` sets them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from socket import create_connection

import httpx
import pytest
from support.live import PATIENCE, Live, serving

DESCRIPTORS, HALF_OPEN = 300, 400
SOON = 5
"""Seconds: less than the server gives a client to finish a request, after which others would be served in any case."""
ATTACKER = "127.0.0.9"
"""An address of this machine that is not that of the other clients."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("plain")
    with serving(str(folder / "punto.db"), folder, proxy=(), descriptors=DESCRIPTORS) as started:
        yield started


def test_nobody_gets_more_guesses_by_naming_other_addresses(live: Live) -> None:
    with httpx.Client(base_url=live.address, timeout=PATIENCE) as client:

        def guess(number: int) -> int:
            headers = {"x-forwarded-for": f"10.1.2.{number}"}
            return client.post("/api/links", json={"link": "wrong"}, headers=headers).status_code

        assert guess(0) == 409
        assert any(guess(number) == 429 for number in range(1, 60))


def test_half_requests_of_one_address_leave_room_for_another(live: Live) -> None:
    host, _, port = live.address.removeprefix("http://").partition(":")
    with ExitStack() as held:
        for _ in range(HALF_OPEN):
            connection = create_connection((host, int(port)), PATIENCE, source_address=(ATTACKER, 0))
            with suppress(ConnectionError):  # one too many
                held.enter_context(connection).sendall(b"GET /healthz HT")
        assert httpx.get(f"{live.address}/healthz", timeout=SOON).status_code == 200


def test_a_long_header_is_refused(live: Live) -> None:
    assert httpx.get(f"{live.address}/healthz", headers={"x": "y" * 40_000}).status_code == 431
    assert httpx.get(f"{live.address}/healthz", headers={"x": "y" * 20_000}).status_code == 200
