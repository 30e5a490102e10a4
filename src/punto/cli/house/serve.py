"""``punto serve``: the table server."""

from __future__ import annotations

import os
import sys
import webbrowser
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from ipaddress import ip_network
from pathlib import Path
from threading import Thread

from punto.cli.main import BadInput, Run, web_address, whole_number
from punto.cli.output import print_json
from punto.rules.game_library import APPROVED
from punto.server.http.pages import built
from punto.server.running.connections import USUAL_LIMITS, ClientLimits
from punto.server.running.lifecycle import Options, Server, Serving, run
from punto.server.running.proxies import Network, Proxies
from punto.server.running.server_log import server_log
from punto.server.tables.auto_dealer import USUAL_PACE, Pace
from punto.store.records import StoreError
from punto.store.trust.keys import BadKey

_HIGHEST_PORT = 65_535


def serve(parser: ArgumentParser) -> Run:
    """Serve tables."""
    database = "the database: a file, or postgresql://... (punto.db)"
    parser.add_argument("database", metavar="DATABASE", nargs="?", help=database)
    parser.add_argument("--db", metavar="DATABASE", help="another way to name the database")
    parser.add_argument("--key", metavar="FILE", help="the key (default: beside the file, punto.key, or PUNTO_KEY)")
    parser.add_argument("--mark", metavar="FILE", help="how far the house was acknowledged (default: beside the key)")
    parser.add_argument("--log", metavar="FOLDER", help="seal every event into a Merkle log, published in this folder")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=whole_number, default=8000, help="the port to listen on; 0 takes a free one")
    practice = "start with six automatic tables and a patron with practice money, and open the page"
    parser.add_argument("--practice", action="store_true", help=practice)
    parser.add_argument("--game", metavar="FILE", action="append", default=[], help="a custom game to serve as well")
    origin = "the public address if the server is behind a proxy, such as https://tables.example"
    parser.add_argument("--origin", metavar="ADDRESS", type=web_address, action="append", default=[], help=origin)
    proxy = "the address or network of a proxy whose X-Forwarded-For and X-Forwarded-Proto count; of no other they do"
    parser.add_argument("--proxy", metavar="ADDRESS", type=_network, action="append", default=[], help=proxy)
    usual = USUAL_LIMITS
    most = f"connections that are open at once, in all ({usual.connections}, or what the system's limit leaves)"
    parser.add_argument("--connections", type=_some, default=usual.connections, help=most)
    each = f"connections of one address, or one IPv6 network of 64 bits ({usual.per_address})"
    parser.add_argument("--connections-per-address", type=_some, default=usual.per_address, help=each)
    pace = "speed of automatic tables, as a multiple (1); more only with --practice"
    parser.add_argument("--pace", type=whole_number, default=1, help=pace)
    return _serve


def _serve(arguments: Namespace) -> None:
    options = _options(arguments)
    if not built().scripts:
        raise BadInput("the pages are not built: in a checkout `make setup` builds them; a wheel or container has them")
    try:
        with server_log():
            run(options, lambda serving, server: _tell(serving, server, options, arguments.json))
    except (StoreError, BadKey) as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput(f"{options.host}, port {options.port}: cannot listen there: {error.strerror}") from None


def _some(text: str) -> int:
    number = whole_number(text)
    if number < 1:
        raise ArgumentTypeError(f"expected at least 1, found {number}")
    return number


def _network(text: str) -> Network:
    try:
        return ip_network(text)
    except ValueError:
        raise ArgumentTypeError(f"expected an address or a network, such as 10.0.0.0/8, found {text!r}") from None


def _options(arguments: Namespace) -> Options:
    if not 0 <= arguments.port <= _HIGHEST_PORT:
        raise BadInput(f"--port: expected 0 to {_HIGHEST_PORT}, found {arguments.port}")
    if not 1 <= arguments.pace <= 1000:
        raise BadInput(f"--pace: expected 1 to 1000, found {arguments.pace}")
    if arguments.database and arguments.db:
        raise BadInput("--db: the database is named already")
    usual, times = USUAL_PACE, arguments.pace
    return Options(
        database=arguments.database or arguments.db or "punto.db",
        key_file=Path(arguments.key) if arguments.key else None,
        mark_file=Path(arguments.mark) if arguments.mark else None,
        log_folder=Path(arguments.log) if arguments.log else None,
        host=arguments.host,
        port=arguments.port,
        practice=arguments.practice,
        origins=frozenset(arguments.origin),
        proxies=Proxies(tuple(arguments.proxy)),
        limits=ClientLimits(connections=arguments.connections, per_address=arguments.connections_per_address),
        secure=bool(arguments.origin) and all(origin.startswith("https:") for origin in arguments.origin),
        pace=Pace(usual.step / times, usual.look / times, usual.cut / times, usual.idle / times),
        games=(*APPROVED, *arguments.game),
    )


def address(host: str, port: int) -> str:
    """Return the address to open in a browser on this machine: a server that listens everywhere is at localhost too."""
    opened = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{opened}:{port}"


def _tell(serving: Serving, server: Server, options: Options, as_json: bool) -> None:
    """Print where the server is, and on its first start how people sign in."""
    base = min(options.origins) if options.origins else address(options.host, server.port)
    links = {duty.value: f"{base}/enter#{link}" for duty, link in serving.links}
    if as_json:
        print_json({"address": base, "tables": sorted(serving.floor.tables), "links": links})
    else:
        print(f"Punto serves {len(serving.floor.tables)} tables at {base}")  # noqa: T201
        if links:
            print("These links sign in once each, within a day. Choose a password then:")  # noqa: T201
        width = max(map(len, links), default=0)
        for duty, link in links.items():
            print(f"  {duty:{width}}  {link}")  # noqa: T201
    sys.stdout.flush()
    if options.practice and not as_json and has_screen():
        Thread(target=webbrowser.open, args=[base], daemon=True).start()  # a browser may take its time to start


def has_screen() -> bool:
    """Return whether this terminal belongs to a desktop on which a page can be opened."""
    screen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(screen) and sys.stdout.isatty()
