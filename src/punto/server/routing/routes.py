"""Routes whose signatures are their description.

A handler is an async function; ``Routes`` reads from its signature what it takes and what it answers:

- ``person: Person``: the caller, who must be signed in and hold the route's permission; ``Person | None``: the
  caller, if signed in.
- ``body``: the JSON body, decoded as the type of the parameter.
- a parameter named in the path: that part of the path. ``from_`` stands for ``from``.
- a parameter whose type is a class of the server's own, or ``Request``: that part of the application.
- any other parameter: a query parameter, optional if it has a default.

The handler returns a value, which is sent as JSON, or None for no content. Where that is not enough it returns a
``Response``. The docstring is the route's description.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from inspect import Signature, getdoc, signature
from operator import or_
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, compile_path

from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.realtime.messages import RefusedMessage
from punto.server.refused import Refused
from punto.server.routing.answers import Json, NoContent, refusal_answer
from punto.server.routing.sessions import check_permission, required_session, session_of

REQUIRED: Any = Signature.empty
Handler = Callable[..., Awaitable[Any]]
H = TypeVar("H", bound=Handler)


@dataclass(frozen=True, slots=True)
class Tagged:
    """Marks the type of a body that is one of several kinds, told apart by their tag; together they have a name."""

    name: str
    kinds: tuple[type[msgspec.Struct], ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter in the path or in the query."""

    name: str
    """As it is sent."""
    keyword: str
    """As the handler calls it."""
    kind: Any
    default: Any = REQUIRED

    @property
    def _given_as(self) -> Any:
        """The type of a value that is sent: None is told by sending nothing, not by the word "null"."""
        return reduce(or_, (each for each in _members(self.kind) if each is not type(None)))

    def read(self, given: str | None) -> Any:
        """Return the value of what was sent; raise ``Refused`` if it does not fit the type."""
        if given is None:
            if self.default is REQUIRED:
                raise Refused("bad-message", case="parameter-missing", parameter=self.name)
            return self.default
        try:
            return msgspec.convert(given, self._given_as, strict=False)
        except msgspec.ValidationError as error:
            raise Refused("bad-message", case="parameter", parameter=self.name, detail=str(error)) from None


@dataclass(frozen=True, slots=True)
class Body:
    """The JSON body of a request."""

    kind: Any
    tagged: Tagged | None
    decode: Callable[[bytes], Any]

    @classmethod
    def of(cls, hint: Any) -> Body:
        """Read the body's type from the hint of the handler's parameter."""
        tagged = next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Tagged)), None)
        kind = reduce(or_, tagged.kinds) if tagged else hint
        return cls(kind, tagged, msgspec.json.Decoder(kind).decode)

    async def read(self, request: Request) -> Any:
        """Return the body of a request; raise ``Refused`` if it does not fit the type."""
        try:
            return self.decode(await request.body())
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise Refused("bad-message", detail=str(error)) from None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A handler at a path and method, and what its signature says."""

    method: str
    path: str
    handler: Handler
    tag: str | None
    permission: Permission | None
    in_path: tuple[Parameter, ...]
    in_query: tuple[Parameter, ...]
    body: Body | None
    person: str | None
    """The keyword of the caller, if the handler wants to know."""
    signed_in: bool
    """Whether the caller must be signed in."""
    parts: Mapping[str, type[Any]]
    """Parts of the application that the handler works with, by keyword."""
    answers: tuple[Any, ...]
    """The types of its answers."""
    while_closed: bool = False
    """Whether it is also carried out in a house that is closed because its database went back in time."""

    @property
    def name(self) -> str:
        return self.handler.__name__

    @property
    def doc(self) -> str:
        return getdoc(self.handler) or ""

    @property
    def changes(self) -> bool:
        """Whether it may change something."""
        return self.method != "GET"

    @property
    def is_given_something(self) -> bool:
        """Whether a caller can send something that does not fit its type."""
        return bool(self.in_path or self.in_query or self.body)

    async def respond(self, request: Request) -> Response:
        """Read everything the handler asks for, call it, and answer with what it returns."""
        values: dict[str, Any] = {}
        if self.person or self.signed_in:
            caller = await self._caller(request)
            if self.person:
                values[self.person] = caller
        known = request.app.state.parts
        if self.changes and not self.while_closed and known[Gateway].floor.store.closed:
            raise Refused(known[Gateway].floor.store.closed_by.value)
        for keyword, kind in self.parts.items():
            values[keyword] = request if kind is Request else known[kind]
        for each in self.in_path:
            values[each.keyword] = each.read(request.path_params[each.name])
        for each in self.in_query:
            values[each.keyword] = each.read(request.query_params.get(each.name))
        if self.body:
            values["body"] = await self.body.read(request)
        return answer_with(await self.handler(**values))

    async def _caller(self, request: Request) -> Person | None:
        gateway: Gateway = request.app.state.parts[Gateway]
        session = await (required_session if self.signed_in else session_of)(gateway, request)
        if session is None:
            return None
        if session.locks and self.changes:  # what a page reads by itself is no input of a person
            gateway.people.idle.note(session.token)
        if self.permission:
            check_permission(session.person, self.permission)
        return session.person


def answer_with(content: Any) -> Response:
    """Return what a handler returned as an answer."""
    if isinstance(content, Response):
        return content
    if content is None:
        return NoContent()
    if isinstance(content, RefusedMessage):
        return refusal_answer(content)
    return Json(content, status_of(type(content)))


def status_of(kind: Any) -> int:
    """Return the status of an answer of this type: 204 for none, and what the type says for others, or 200."""
    return 204 if kind in (type(None), NoContent) else getattr(kind, "http_status", 200)


@dataclass(slots=True)
class Routes:
    """A registry of the routes of one area."""

    prefix: str = ""
    tag: str | None = None
    """The area's name in the description; routes without one are not described."""
    endpoints: list[Endpoint] = field(default_factory=list)

    def get(self, path: str, *, permission: Permission | None = None) -> Callable[[H], H]:
        """Register a handler that changes nothing."""
        return self._register("GET", path, permission)

    def post(self, path: str, *, permission: Permission | None = None, while_closed: bool = False) -> Callable[[H], H]:
        """Register a handler that changes something; ``while_closed`` if signing in or reading needs it."""
        return self._register("POST", path, permission, while_closed)

    def _register(
        self, method: str, path: str, permission: Permission | None, while_closed: bool = False
    ) -> Callable[[H], H]:
        def register(handler: H) -> H:
            made = _endpoint(method, self.prefix + path, handler, self.tag, permission)
            self.endpoints.append(replace(made, while_closed=while_closed))
            return handler

        return register


def _endpoint(method: str, path: str, handler: Handler, tag: str | None, permission: Permission | None) -> Endpoint:
    hints = get_type_hints(handler, include_extras=True)
    answers = _members(hints.pop("return"))
    names_in_path = set(compile_path(path)[2])
    in_path, in_query, parts = [], [], {}
    person, body, signed_in = None, None, permission is not None
    for keyword, parameter in signature(handler).parameters.items():
        hint, name = hints[keyword], keyword.removesuffix("_")
        if keyword == "body":
            body = Body.of(hint)
        elif name in names_in_path:
            in_path.append(Parameter(name, keyword, hint))
        elif hint in (Person, Person | None):
            person, signed_in = keyword, signed_in or hint is Person
        elif isinstance(hint, type) and not issubclass(hint, str | int):
            parts[keyword] = hint
        else:
            in_query.append(Parameter(name, keyword, hint, parameter.default))
    assert {each.name for each in in_path} == names_in_path, f"{path}: {handler.__name__} does not take all of it"
    return Endpoint(
        method, path, handler, tag, permission, tuple(in_path), tuple(in_query), body, person, signed_in, parts, answers
    )


def _members(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the type itself."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def starlette_routes(endpoints: Iterable[Endpoint]) -> list[Route]:
    """Return a route for each path; it knows all of the path's methods, so a wrong one is answered with the right."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for each in endpoints:
        assert each.method not in by_path.setdefault(each.path, {}), f"{each.method} {each.path} is there twice"
        by_path[each.path][each.method] = each
    return [_route(path, by_method) for path, by_method in by_path.items()]


def _route(path: str, by_method: Mapping[str, Endpoint]) -> Route:
    async def respond(request: Request) -> Response:
        return await by_method[request.method].respond(request)

    route = Route(path, respond, methods=list(by_method))
    route.methods = set(by_method)  # Starlette would add HEAD
    return route
