"""The description of the interface: every command, event, view and message, read off their own definitions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
from fastapi import FastAPI

from punto import __version__
from punto.server.permissions import Permission
from punto.server.realtime.feed import HIDDEN
from punto.server.realtime.messages import MESSAGES, ORDERS, Ping, RefusedMessage, Subscribe, Unsubscribe
from punto.table.evolve import EVENTS
from punto.table.views import PrivateView, PublicView, StaffView

_REF = "#/components/schemas/{name}"
_BODIES: dict[str, type[Any]] = {}
"""What requests and answers hold, as the routes tell it."""


def takes(kind: type[Any] | None = None, command: bool = False) -> dict[str, Any]:
    """For a route: what the body of its request is."""
    schema: dict[str, Any] = {"$ref": _REF.format(name="Command")}
    if not command:
        assert kind is not None
        _BODIES[kind.__name__] = kind
        schema = {"$ref": _REF.format(name=kind.__name__)}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def gives(kind: type[Any] | None, many: bool = False, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """For a route: what it answers, and that it may refuse."""
    content: dict[str, Any] = {}
    if kind is not None:
        _BODIES[kind.__name__] = kind
        schema: dict[str, Any] = {"$ref": _REF.format(name=kind.__name__)}
        content = {"application/json": {"schema": {"type": "array", "items": schema} if many else schema}}
    refused = {"application/json": {"schema": {"$ref": _REF.format(name=RefusedMessage.__name__)}}}
    return {
        status: {"description": "Done.", "content": content},
        "4XX": {"description": "Not done, and nothing has changed; the sentence says why.", "content": refused},
        "503": {"description": "The server is stopping; try again.", "content": refused},
    }


def _schema_of_other(kind: type[Any]) -> dict[str, Any]:
    if kind is Fraction:
        return {"type": "string", "pattern": "^-?[0-9]+/[0-9]+$"}
    raise NotImplementedError(kind.__name__)


@cache
def components() -> dict[str, Any]:
    """The schemas of everything that is sent, by name."""
    sent = [*ORDERS.values(), Subscribe, Unsubscribe, Ping, *MESSAGES, PublicView, StaffView, PrivateView, Permission]
    kinds = [*sent, *(kind for kind in _BODIES.values() if kind not in sent)]
    _, found = msgspec.json.schema_components(kinds, schema_hook=_schema_of_other, ref_template=_REF)
    _, events = msgspec.json.schema_components(
        list(EVENTS.values()), schema_hook=_schema_of_other, ref_template=_REF.format(name="Event.{name}")
    )
    for kind, hidden in HIDDEN.items():  # to those whose business it is not an event is told without it
        said = events[kind.__name__]
        said["required"] = [name for name in said["required"] if name not in hidden]
    found |= {f"Event.{name}": schema for name, schema in events.items()}
    found["Command"] = _one_of("command", {name: name for name in ORDERS})
    found["Told"] = _told(found["Told"])
    for name in ("TableMessage", "TableShown"):  # staff see more of a table
        either = [{"$ref": _REF.format(name="PublicView")}, {"$ref": _REF.format(name="StaffView")}]
        found[name]["properties"]["view"] = {"anyOf": either}
    return found


def _one_of(field: str, names: Mapping[str, str]) -> dict[str, Any]:
    mapping = {name: _REF.format(name=schema) for name, schema in names.items()}
    return {
        "oneOf": [{"$ref": ref} for ref in mapping.values()],
        "discriminator": {"propertyName": field, "mapping": mapping},
    }


def _told(plain: dict[str, Any]) -> dict[str, Any]:
    """An event as it is told: which body goes with which name. Some of a body may be left out of it."""
    kinds = [
        {"properties": {"name": {"const": name}, "body": {"$ref": _REF.format(name=f"Event.{name}")}}}
        for name in EVENTS
    ]
    return plain | {"oneOf": kinds}


def describe(app: FastAPI) -> dict[str, Any]:
    """The whole interface, as OpenAPI."""
    from fastapi.openapi.utils import get_openapi

    described = get_openapi(
        title="Punto",
        version=__version__,
        description=(
            "Tables at which baccarat is conducted as a regulator approved it. A command that is done is stored before "
            "it is answered; one that is not changes nothing, and says by which clause. The same messages go over the "
            "socket at /api/socket, where Subscribe, Unsubscribe and Ping are understood besides."
        ),
        routes=app.routes,
    )
    described.setdefault("components", {}).setdefault("schemas", {}).update(components())
    described["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "punto"},
    }
    described["security"] = [{"token": []}, {"cookie": []}, {}]  # some of it is for everybody
    return described
