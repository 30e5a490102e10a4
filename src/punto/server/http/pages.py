"""The pages a person opens in a browser: small shells around what is built from ``web/``, and the built files."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qs

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment
from msgspec import Struct, field

from punto.server.gateway import Desk, Refused
from punto.server.http.answers import AtDesk
from punto.server.http.sessions import delete_cookie, session_of, set_cookie, token_of
from punto.server.identity import SignInRefused
from punto.server.permissions import Permission, permissions_of

pages = APIRouter(include_in_schema=False)
"""The way in, and what one sees there."""

HERE = Path(__file__).parent
BUILT = HERE.parent / "static"
"""Where the build puts the pages' files, each named by what it holds."""
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FOREVER = "public, max-age=31536000, immutable"

_SHELL = Environment(autoescape=True).from_string((HERE / "page.html.jinja").read_text("utf-8"))


class Built(Struct, frozen=True):
    """What the build made: for each page its script, and what that needs."""

    scripts: dict[str, str] = field(default_factory=dict)
    preload: dict[str, list[str]] = field(default_factory=dict)
    style: str = ""
    icon: str = ""


def built() -> Built:
    """What was built last; nothing, if nobody has built the pages."""
    manifest = BUILT / "pages.json"
    try:
        return _built(manifest, manifest.stat().st_mtime_ns)
    except FileNotFoundError:
        return Built()


@lru_cache(maxsize=2)
def _built(manifest: Path, _: int) -> Built:
    return msgspec.json.decode(manifest.read_bytes(), type=Built)


async def _page(desk: Desk, request: Request, page: str, status: int = 200, **about: str) -> Response:
    """A page for whoever opens it; it is told who that is."""
    session = await session_of(desk, request)
    if session:
        person = session.person
        about |= {"person": person.id, "name": person.name, "duty": person.duty.value}
        about["may"] = ",".join(permissions_of(person.duty))
    shown = HTMLResponse(_SHELL.render(built=built(), page=page, about=about), status)
    if session is None and token_of(request):
        delete_cookie(shown)  # it is over, and would only keep the page from connecting
    return shown


def nowhere() -> Response:
    """For an address that leads to nothing."""
    return HTMLResponse(_SHELL.render(built=built(), page="nowhere", about={}), 404)


@pages.get("/")
async def lobby(desk: AtDesk, request: Request) -> Response:
    return await _page(desk, request, "lobby")


@pages.get("/pit")
async def pit(desk: AtDesk, request: Request) -> Response:
    return await _page(desk, request, "pit")


@pages.get("/school")
@pages.get("/school/{game}")
async def school(desk: AtDesk, request: Request, game: str = "") -> Response:
    """For everybody: what is practised there is no secret."""
    if game and game not in desk.floor.games:
        return nowhere()
    return await _page(desk, request, "school", game=game)


@pages.get("/tables/{table}")
async def seat(desk: AtDesk, request: Request, table: str) -> Response:
    return await _at_table(desk, request, "seat", table)


@pages.get("/display/{table}")
async def display(desk: AtDesk, request: Request, table: str) -> Response:
    return await _at_table(desk, request, "display", table)


@pages.get("/dealer/{table}")
async def dealer(desk: AtDesk, request: Request, table: str) -> Response:
    return await _at_table(desk, request, "dealer", table)


@pages.get("/audit")
@pages.get("/audit/{table}")
@pages.get("/audit/{table}/{round}")
async def audit(desk: AtDesk, request: Request, table: str = "") -> Response:
    """The page reads off its own address what it is to show."""
    session = await session_of(desk, request)
    may = session is not None and Permission.READ_LOG.is_given_to(session.person.duty)
    if may and table and table not in desk.floor.created:
        return nowhere()
    return await _page(desk, request, "audit", 200 if may else 403)


async def _at_table(desk: Desk, request: Request, page: str, table: str) -> Response:
    if table not in desk.floor.tables:
        return nowhere()
    game = desk.table(table).book.key
    return await _page(desk, request, page, table=table, game=game)


@pages.get("/enter/{link}")
async def offer(link: str) -> Response:
    """Opening the link does not use it up: something may open it before the person does."""
    return HTMLResponse(_SHELL.render(built=built(), page="enter", about={}, link=link))


@pages.post("/enter")
async def enter(desk: AtDesk, request: Request) -> Response:
    asked = parse_qs((await request.body()).decode("utf-8", "replace"))
    try:
        token = await desk.people.use_link(asked.get("link", [""])[0])
    except SignInRefused as error:
        return HTMLResponse(_SHELL.render(built=built(), page="enter", about={}, refused=str(error)), 403)
    response = RedirectResponse("/", 303)
    set_cookie(desk, response, token)
    return response


@pages.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    """A built file. Its name changes with what it holds, so a browser may keep it."""
    kind = KINDS.get(Path(name).suffix)
    if kind is None or not re.fullmatch(r"[A-Za-z0-9._-]+", name):
        raise Refused("not-found")
    packed = "gzip" in request.headers.get("accept-encoding", "")
    content = _content(f"{name}.gz" if packed else name)
    if content is None:
        raise Refused("not-found")
    headers = {"cache-control": FOREVER, "vary": "accept-encoding"}
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(content, media_type=kind, headers=headers)


def _content(name: str) -> bytes | None:
    file = BUILT / name
    return file.read_bytes() if file.is_file() else None
