"""The pages a person opens in a browser: small shells around what is built from ``web/``, and the built files."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import msgspec
from jinja2 import Environment
from msgspec import Struct, field
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from punto.server.access.identity import Person, Session
from punto.server.access.permissions import Permission, permissions_of
from punto.server.gateway import Gateway
from punto.server.http.practice import BUY_IN
from punto.server.refused import Refused
from punto.server.routing.guard import POLICY
from punto.server.routing.routes import Routes
from punto.server.routing.sessions import delete_cookie, locked_of, session_of, token_of, unfinished_of
from punto.store.records import ClosedBy
from punto.table.guidance.dealer_automation import Step

routes = Routes()

HERE = Path(__file__).parent
BUILT = HERE.parent / "static"
"""Where the build puts the pages' files, each named by its content."""
KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
AT_ONE_TABLE = {"seat", "display", "dealer"}
"""Pages that ask for the game of their table first."""
FOREVER = "public, max-age=31536000, immutable"

_SHELL = Environment(autoescape=True).from_string((HERE / "page.html.jinja").read_text("utf-8"))


class Built(Struct, frozen=True):
    """What the build made: for each page its script, and what to preload with it."""

    scripts: dict[str, str] = field(default_factory=dict)
    preload: dict[str, list[str]] = field(default_factory=dict)
    style: str = ""
    """What every page has in itself, so that it is drawn before anything else is loaded: its style, and a script."""
    head: str = ""
    icon: str = ""
    touch_icon: str = ""
    apps: dict[str, str] = field(default_factory=dict)
    """By language, what a browser needs to install Punto as an app."""
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    """By language, the texts that patrons' pages can show, and all texts."""
    patron_pages: frozenset[str] = frozenset()


def built() -> Built:
    """Return what was built last; nothing, if the pages are not built."""
    manifest = BUILT / "pages.json"
    try:
        return _built(manifest, manifest.stat().st_mtime_ns)
    except FileNotFoundError:
        return Built()


@lru_cache(maxsize=2)
def _built(manifest: Path, _: int) -> Built:
    return msgspec.json.decode(manifest.read_bytes(), type=Built)


async def _page(gateway: Gateway, request: Request, page: str, status: int = 200, **about: str) -> HTMLResponse:
    """Return a page's shell, which tells the page who is signed in and what they may do."""
    session = await session_of(gateway, request)
    settings = gateway.floor.settings
    about |= {"zone": settings.time_zone, "begins": str(settings.day_begins)}
    if gateway.practice:
        about["practice"] = str(BUY_IN)
    about |= await _signed_in(gateway, session) if session else await _not_signed_in(gateway, request)
    about |= _closed(gateway, session is not None and Permission.READ_LOG.is_given_to(session.person.duty))
    made = built()
    if page in made.patron_pages and not {"links", "unfinished", "locked", "idle"} & about.keys():
        about["texts"] = "patrons"  # few enough to load sooner; what tells of links or a second factor has more
    app = made.apps.get("zh" if request.headers.get("accept-language", "").lower().startswith("zh") else "en")
    shown = shell_of(page, about, status, app)
    if session is None and token_of(request) and not {"unfinished", "locked"} & about.keys():
        delete_cookie(shown)  # its session has ended, and it would only keep the page from connecting
    return shown


async def _signed_in(gateway: Gateway, session: Session) -> dict[str, str]:
    """Return what a page is told of a person who is signed in, and when their session locks."""
    person = session.person
    about = {"person": person.id, "name": person.name, "duty": person.duty.value}
    about["may"] = ",".join(permissions_of(person.duty))
    if await gateway.people.link_notices(person.id):
        about["links"] = "yes"
    if session.locks:
        about |= {"idle": str(gateway.people.idle.minutes()), "factor": _factor(person)}
    return about


async def _not_signed_in(gateway: Gateway, request: Request) -> dict[str, str]:
    """Return what a page is told where nobody is signed in: whether a session is locked, or what a sign-in lacks."""
    if locked := await locked_of(gateway, request):
        return {"locked": "yes", "factor": _factor(locked.person)}
    unfinished = await unfinished_of(gateway, request)
    return {"unfinished": "show" if unfinished.person.has_factor else "set-up"} if unfinished else {}


def _factor(person: Person) -> str:
    return "yes" if person.has_factor else "no"


def shell_of(page: str, about: dict[str, str], status: int = 200, app: str | None = None) -> HTMLResponse:
    """Return a page, whose own style and script are the only ones a browser may find in it."""
    made = built()
    texts = made.texts.get(about.get("texts", "all"), {})
    shell = _SHELL.render(built=made, page=page, about=about, app=app, texts=texts, at_one_table=AT_ONE_TABLE)
    return HTMLResponse(shell, status, {"content-security-policy": _policy(made.head, made.style)})


@lru_cache(maxsize=2)
def _policy(script: str, style: str) -> str:
    allowed = (("script-src", script), ("style-src", style))
    digests = ((kind, b64encode(sha256(content.encode()).digest()).decode()) for kind, content in allowed)
    return "; ".join([POLICY, *(f"{kind} 'self' 'sha256-{digest}'" for kind, digest in digests)])


def _closed(gateway: Gateway, staff: bool) -> dict[str, str]:
    """Return that the house is closed, if it is, and to staff why."""
    closed, store = gateway.floor.watch.closed, gateway.floor.store
    if not store.closed:
        return {}
    if not staff or (closed is None and store.closed_by is ClosedBy.BEHIND):
        return {"closed": "yes"}
    if closed is None:
        return {"closed": "yes", "why": store.closed_by.value}
    missing = ", ".join(f"{each.stream} {each.missing}" for each in closed.lost)
    return {"closed": "yes", "why": closed.why.value, "missing": missing or "–"}


def nowhere() -> HTMLResponse:
    """Return the page for an address that leads to nothing."""
    return shell_of("nowhere", {}, 404)


@routes.get("/")
async def lobby(gateway: Gateway, request: Request) -> HTMLResponse:
    """Show the lobby."""
    return await _page(gateway, request, "lobby")


@routes.get("/pit")
async def pit(gateway: Gateway, request: Request) -> HTMLResponse:
    """Show the pit."""
    return await _page(gateway, request, "pit")


@routes.get("/design")
async def design(gateway: Gateway, request: Request) -> HTMLResponse:
    """Show the page on which games are designed."""
    return await _page(gateway, request, "design")


@routes.get("/cage")
async def cage(gateway: Gateway, request: Request) -> HTMLResponse:
    """Show the cage."""
    return await _page(gateway, request, "cage")


@routes.get("/school")
async def school(gateway: Gateway, request: Request) -> HTMLResponse:
    """Show the dealer school, which is open to all."""
    return await _page(gateway, request, "school", game="")


@routes.get("/school/{game}")
async def school_of_game(gateway: Gateway, request: Request, game: str) -> HTMLResponse:
    """Show the dealer school at one game."""
    return await _page(gateway, request, "school", game=game) if game in gateway.floor.games else nowhere()


@routes.get("/tables")
async def tables(gateway: Gateway, request: Request) -> HTMLResponse:
    """Show several tables at once; the page reads from its own address which."""
    return await _page(gateway, request, "tables")


@routes.get("/games/{game}")
async def game_page(gateway: Gateway, request: Request, game: str, decks: int | None = None) -> HTMLResponse:
    """Show how a game is played, to anyone; house edges are those of the decks named, if the game allows them."""
    book = gateway.floor.games.get(game)
    if book is None:
        return nowhere()
    allowed = decks is not None and book.decks.fewest <= decks <= book.decks.most
    return await _page(gateway, request, "game", game=game, decks=str(decks if allowed else book.usual_decks))


@routes.get("/history")
async def history(gateway: Gateway, request: Request) -> HTMLResponse:
    """Show a patron's own history."""
    return await _page(gateway, request, "history", receipts="" if gateway.log_folder is None else "yes")


@routes.get("/receipt")
async def receipt() -> HTMLResponse:
    """Show the page that checks receipts, to anyone: one file that can be saved and needs no network."""
    content = _content("receipt.html")
    if content is None:
        return nowhere()
    page = content.decode()
    script, style = (re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.DOTALL)[0] for kind in ("script", "style"))
    return HTMLResponse(page, headers={"content-security-policy": _policy(script, style)})


@routes.get("/tables/{table}")
async def seat(gateway: Gateway, request: Request, table: str) -> HTMLResponse:
    """Show a seat at a table; where the automaton deals it is told how soon the next round follows."""
    served, pause = gateway.floor.tables.get(table), gateway.floor.pause
    automatic = served is not None and {Step.ANNOUNCE, Step.SETTLE} <= served.steps
    return await _at_table(gateway, request, "seat", table, pause=str(pause) if automatic and pause else "")


@routes.get("/display/{table}")
async def display(gateway: Gateway, request: Request, table: str) -> HTMLResponse:
    """Show a table's display."""
    return await _at_table(gateway, request, "display", table)


@routes.get("/dealer/{table}")
async def dealer(gateway: Gateway, request: Request, table: str) -> HTMLResponse:
    """Show the Dealer's page of a table."""
    return await _at_table(gateway, request, "dealer", table)


async def _at_table(gateway: Gateway, request: Request, page: str, table: str, **about: str) -> HTMLResponse:
    if table not in gateway.floor.tables:
        return nowhere()
    return await _page(gateway, request, page, 200, table=table, game=gateway.table(table).book.key, **about)


@routes.get("/audit")
async def audit(gateway: Gateway, request: Request) -> HTMLResponse:
    """Show the audit of all tables."""
    return await _audit(gateway, request)


@routes.get("/audit/{table}")
async def audit_table(gateway: Gateway, request: Request, table: str) -> HTMLResponse:
    """Show the audit of a table."""
    return await _audit(gateway, request, table)


@routes.get("/audit/{table}/{round}")
async def audit_round(gateway: Gateway, request: Request, table: str, round_: str) -> HTMLResponse:  # noqa: ARG001
    """Show the audit of a round; the page reads from its own address which."""
    return await _audit(gateway, request, table)


async def _audit(gateway: Gateway, request: Request, table: str | None = None) -> HTMLResponse:
    session = await session_of(gateway, request)
    may = session is not None and Permission.READ_LOG.is_given_to(session.person.duty)
    if may and table and table not in gateway.floor.created:
        return nowhere()
    return await _page(gateway, request, "audit", 200 if may else 403)


@routes.get("/account")
async def account(gateway: Gateway, request: Request) -> HTMLResponse:
    """Show a person's own sign-in: password, second factor."""
    return await _page(gateway, request, "account")


@routes.get("/enter")
async def enter() -> HTMLResponse:
    """Offer to sign in by a link. It stands behind the # of the address, which no browser sends to a server.

    Opening the page does not use it up: a mail scanner may open it first.
    """
    return shell_of("enter", {})


@routes.get("/static/{name}")
async def static_file(request: Request, name: str) -> Response:
    """Return a built file. Its name changes with its content, so browsers may cache it forever."""
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
