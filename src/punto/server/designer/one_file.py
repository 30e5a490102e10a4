"""The design page for one file on this machine, without a house: it opens and saves that file and no other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import MutableMapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from punto.rules.game_library import APPROVED, LIBRARY, file_as_written, game_file, load
from punto.rules.toml_section import GameFileError
from punto.server.designer import design_routes
from punto.server.designer.analysis import Analysis
from punto.server.designer.design_routes import NEW_GAME, DesignFile, DesignListed, Saved, known_game, known_games
from punto.server.designer.figures import MOST_LETTERS, GameAsked
from punto.server.http import pages
from punto.server.realtime.messages import refused
from punto.server.refused import Refused
from punto.server.routing.answers import refusal_answer
from punto.server.routing.guard import HEADERS, SAFE, Bounded
from punto.server.routing.routes import Routes, starlette_routes
from punto.table.refusal import refuse

LOOPBACK = frozenset({"127.0.0.1", "localhost"})
APART = frozenset({"show_figures", "check_design", "settle_coup", "find_ratios", "list_conditions", "show_new_game"})
"""The routes of a house that need no house."""

routes = Routes("/api/design")


class OneFile:
    """A game's file that is edited; an approved or a known game is read, and saved under a new name only."""

    def __init__(self, named: str) -> None:
        if named in (*APPROVED, *LIBRARY):
            self.path = Path(f"{named}-draft.toml")
            self.text = file_as_written(named).decode()
            if self.path.exists():
                kind = "approved" if named in APPROVED else "a known game"
                raise GameFileError(f"{self.path}: exists already, and {named} is {kind}: open that file, or move it")
            self._on_disk: str | None = None
            return
        self.path = Path(named)
        if self.path.suffix.casefold() != ".toml":
            keys = ", ".join((*APPROVED, *LIBRARY))
            raise GameFileError(f"{named}: expected the name of a .toml file, or one of {keys}")
        content = file_as_written(named) if self.path.exists() else None
        if content is not None and len(content) > MOST_LETTERS:
            raise GameFileError(f"{named}: at most {MOST_LETTERS:,} bytes are edited here, not {len(content):,}")
        try:
            self.text = (NEW_GAME.read_bytes() if content is None else content).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise GameFileError(f"{named}: is no text in UTF-8") from None
        if content is not None and _digest(content) in {load(key).digest for key in APPROVED}:
            self.path = self.path.with_stem(f"{self.path.stem}-draft")
            if self.path.exists():
                raise GameFileError(f"{self.path}: exists already, and {named} is approved: open that file, or move it")
            content = None
        self._on_disk = None if content is None else _digest(content)
        """The digest of what this program last read or wrote there; None while the file is not made."""

    def save(self, text: str) -> str:
        """Write the file whole or not at all; return its digest. Raises ``Refused`` if another program changed it."""
        content = text.encode()
        try:
            now = _digest(self.path.read_bytes()) if self.path.exists() else None
            if now != self._on_disk:
                raise Refused("cannot-be", case="file-changed", file=self.path.name)
            _write(self.path, content)
        except OSError:
            raise Refused("cannot-be", case="file-not-written", file=self.path.name) from None
        self.text, self._on_disk = text, _digest(content)
        return self._on_disk


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _write(path: Path, content: bytes) -> None:
    """Replace a file by a new one beside it, so that no reader finds half of it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@routes.get("/games")
async def list_designs(file: OneFile) -> list[DesignListed]:
    """List the file, and the approved games and those of the library to compare it with."""
    books = [load(key) for key in APPROVED]
    listed = [DesignListed(each.key, each.title, each.version, each.digest, approved=True) for each in books]
    return [
        DesignListed(file.path.name, file.path.name, None, _digest(file.text.encode()), False),
        *listed,
        *known_games(),
    ]


@routes.get("/games/{digest}")
async def show_design(file: OneFile, digest: str) -> DesignFile:
    """Return the text of one of these, by its digest."""
    if digest == _digest(file.text.encode()):
        return DesignFile(file.path.name, digest, file.text)
    for key in APPROVED:
        if load(key).digest == digest:
            return DesignFile(key, digest, game_file(key).decode())
    if known := known_game(digest):
        return known
    raise Refused("not-found")


@routes.post("/games", while_closed=True)
async def save_design(file: OneFile, body: GameAsked) -> Saved:
    """Save the file, also with mistakes in it: it is its writer's draft."""
    return Saved(digest=file.save(body.text), file=file.path.name)


shell = Routes()


@shell.get("/")
async def page(file: OneFile) -> HTMLResponse:
    """Show the page."""
    return pages.shell_of("design", {"file": file.path.name, "may": "design-games"})


def create_design_app(file: OneFile) -> ASGIApp:
    """Return the application of the design page alone."""
    pure = [
        replace(each, permission=None, signed_in=False, person=None)
        for each in design_routes.routes.endpoints
        if each.name in APART
    ]
    built = [each for each in pages.routes.endpoints if each.name == "static_file"]
    app = Starlette(
        routes=starlette_routes([*pure, *built, *routes.endpoints, *shell.endpoints]),
        exception_handlers={Refused: _refused, HTTPException: _not_found},
    )
    app.state.parts = {OneFile: file, Analysis: Analysis()}
    return LoopbackOnly(app)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal_answer(refused(error.refusal))


async def _not_found(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refusal_answer(refused(refuse("not-found")), error.status_code)


class LoopbackOnly:
    """Middleware: only a page of this server on this machine may ask, and no other site that a browser has open."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                named = {name.lower() for name, _ in message["headers"]}
                message["headers"] += [each for each in HEADERS.items() if each[0] not in named]
            await send(message)

        if not _is_local(Request(scope)):
            await refusal_answer(refused(refuse("wrong-origin")))(scope, receive, send_with_headers)
            return
        await self._app(scope, Bounded(receive), send_with_headers)


def _is_local(request: Request) -> bool:
    """Tell whether a request names this machine as its host and, if it changes something, as its origin."""
    host = request.headers.get("host", "")
    if urlsplit(f"//{host}").hostname not in LOOPBACK:
        return False
    origin = request.headers.get("origin")
    return request.method in SAFE or origin in (None, f"http://{host}")
