"""Many requests at once, as a client sends them that does not wait for answers."""

from __future__ import annotations

import socket as sockets
from concurrent.futures import ThreadPoolExecutor

from punto.server.realtime.bounded_http import MOST_PIPELINED


def asked_at_once(address: str, path: str, headers: dict[str, str], times: int) -> list[bytes]:
    """The answers to requests, a few at a time without waiting: as fast as the server is, however busy the rest."""
    host, port = address.removeprefix("http://").split(":")
    lines = [f"GET {path} HTTP/1.1", "Host: here", *(f"{name}: {value}" for name, value in headers.items())]
    request, last = "\r\n".join([*lines, "", ""]).encode(), "\r\n".join([*lines, "Connection: close", "", ""]).encode()

    def ask(number: int) -> list[bytes]:
        with sockets.create_connection((host, int(port)), timeout=60) as connection:
            connection.sendall(request * (number - 1) + last)
            told = b"".join(iter(lambda: connection.recv(1 << 16), b""))
        return told.split(b"HTTP/1.1 ")[1:]

    with ThreadPoolExecutor(8) as senders:
        told = senders.map(ask, [MOST_PIPELINED] * (times // MOST_PIPELINED))
        return [answer for answers in told for answer in answers]
