"""``punto design``: the design page for one file, on this machine alone."""

from __future__ import annotations

import asyncio
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from threading import Thread

from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import print_json

_HOST = "127.0.0.1"
_HIGHEST_PORT = 65_535


def design(parser: ArgumentParser) -> Run:
    """Design a game."""
    parser.epilog = "For example: punto design my-game.toml"
    file = (
        "the game's file, made with the first save; or the key of an approved or a known game, saved as KEY-draft.toml"
    )
    parser.add_argument("file", metavar="FILE", help=file)
    parser.add_argument(
        "--port", type=whole_number, default=8010, help="the port to listen on; 0 takes a free one (8010)"
    )
    return _run


def _run(arguments: Namespace) -> None:
    from punto.server.designer.one_file import OneFile
    from punto.server.http.pages import built

    if not 0 <= arguments.port <= _HIGHEST_PORT:
        raise BadInput(f"--port: expected 0 to {_HIGHEST_PORT}, found {arguments.port}")
    file = OneFile(arguments.file)
    if not built().scripts:
        raise BadInput("the pages are not built: in a checkout `make setup` builds them; a wheel or container has them")
    try:
        asyncio.run(_serve(file, arguments))
    except OSError as error:
        raise BadInput(f"{_HOST}, port {arguments.port}: cannot listen there: {error.strerror}") from None


async def _serve(file: object, arguments: Namespace) -> None:
    """Serve the page until a signal says stop."""
    import socket

    import uvicorn

    from punto.cli.house.serve import has_screen
    from punto.server.designer.one_file import OneFile, create_design_app

    assert isinstance(file, OneFile)
    place = socket.create_server((_HOST, arguments.port))
    base = f"http://{_HOST}:{place.getsockname()[1]}"
    config = uvicorn.Config(
        create_design_app(file), log_config=None, access_log=False, server_header=False, ws="none", lifespan="off"
    )
    if arguments.json:
        print_json({"address": base, "file": str(file.path)})
    else:
        print(f"Punto edits {file.path} at {base}")  # noqa: T201
    sys.stdout.flush()
    if not arguments.json and has_screen():
        Thread(target=webbrowser.open, args=[base], daemon=True).start()
    await uvicorn.Server(config).serve([place])
