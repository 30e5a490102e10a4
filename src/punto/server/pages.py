"""The pages a person opens in a browser."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from punto.server.desk import AtDesk, set_cookie
from punto.server.people import SignInRefused

pages = APIRouter(include_in_schema=False)
"""The way in, and what one sees first."""

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Punto</title>
<h1>Punto</h1>{content}</html>
"""
_FORM = """
<form method="post" action="/enter"><input type="hidden" name="link" value="{link}"><button>Enter</button></form>
"""


@pages.get("/")
async def home(desk: AtDesk, request: Request) -> Response:
    session = await desk.session(request)
    who = f"<p>{escape(session.person.name)}, {session.person.duty.value}</p>" if session else ""
    rows = [
        f"<li>{escape(each.name)}: {escape(each.book.title)}, {each.table.phase.value}, round {each.table.round}</li>"
        for each in desk.floor.tables.values()
    ]
    return HTMLResponse(_PAGE.format(content=f"{who}<ul>{''.join(rows)}</ul>"))


@pages.get("/enter/{link}")
async def offer(link: str) -> Response:
    """Opening the link does not use it up: something may open it before the person does."""
    return HTMLResponse(_PAGE.format(content=_FORM.format(link=escape(link, quote=True))))


@pages.post("/enter")
async def enter(desk: AtDesk, request: Request) -> Response:
    asked = parse_qs((await request.body()).decode("utf-8", "replace"))
    try:
        token = await desk.people.use_link(asked.get("link", [""])[0])
    except SignInRefused as error:
        return HTMLResponse(_PAGE.format(content=f"<p>{escape(str(error))}</p>"), 403)
    return set_cookie(desk, RedirectResponse("/", 303), token)
