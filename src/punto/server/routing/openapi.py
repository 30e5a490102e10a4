"""The interface described as OpenAPI, derived from the routes' signatures and from the messages' own definitions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, get_args, get_origin

import msgspec
from starlette.responses import Response

from punto import __version__
from punto.server.access.permissions import PERMITTED, Permission
from punto.server.realtime.messages import MESSAGES, NOT_COMMANDS, RefusedMessage
from punto.server.routing.answers import Json, NoContent, Pdf
from punto.server.routing.routes import REQUIRED, Endpoint, Parameter, status_of
from punto.server.routing.sessions import COOKIE
from punto.table.evolve import EVENTS
from punto.table.views import PrivateView, PublicView, StaffView
from punto.table.visibility import Audience, visible_fields

Schema = dict[str, Any]
_OPENAPI = (3, 1, 0)
_REF = "#/components/schemas/{name}"
_DESCRIPTION = """\
Tables at which baccarat is conducted as a regulator approved it. A command that is done is stored before it is
answered; one that is refused changes nothing, and its answer names the clause. The same messages go over the socket at
/api/socket, which also takes Subscribe, Unsubscribe, Ping and ShowSqueeze."""
_DONE = "Done."
_TOKEN: list[dict[str, list[str]]] = [{"token": []}, {"cookie": []}]


def describe(endpoints: Iterable[Endpoint]) -> Schema:
    """Return the whole interface, as OpenAPI."""
    described = [each for each in endpoints if each.tag]
    schemas = _Schemas(described)
    paths: Schema = {}
    for each in described:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schemas)
    names = [operation["operationId"] for methods in paths.values() for operation in methods.values()]
    assert len(names) == len(set(names)), "each handler has a name of its own"
    security = {
        "token": {"type": "http", "scheme": "bearer"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
    }
    return {
        "openapi": ".".join(map(str, _OPENAPI)),
        "info": {"title": "Punto", "version": __version__, "description": _DESCRIPTION.replace("\n", " ")},
        "paths": paths,
        "components": {"schemas": schemas.components, "securitySchemes": security},
    }


# --- operations ------------------------------------------------------------------------------------------------------


def _operation(endpoint: Endpoint, schemas: _Schemas) -> Schema:
    summary, _, description = endpoint.doc.partition("\n\n")
    operation: Schema = {
        "tags": [endpoint.tag],
        "operationId": endpoint.name,
        "summary": " ".join(summary.split()),
        "security": _TOKEN if endpoint.signed_in else [*_TOKEN, {}],
    }
    if description:
        operation["description"] = " ".join(description.split())
    if permission := endpoint.permission:
        operation["x-permission"] = permission.value
        operation["x-duties"] = sorted(duty.value for duty in PERMITTED[permission])
    parameters = [_parameter(each, "path", schemas) for each in endpoint.in_path]
    parameters += [_parameter(each, "query", schemas) for each in endpoint.in_query]
    if parameters:
        operation["parameters"] = parameters
    if endpoint.body:
        operation["requestBody"] = {"required": True, "content": _json(schemas.of_body(endpoint))}
    return operation | {"responses": _answers(endpoint, schemas) | _refusals(endpoint)}


def _parameter(parameter: Parameter, where: str, schemas: _Schemas) -> Schema:
    schema = schemas.of(parameter.kind)
    if parameter.default not in (REQUIRED, None):
        schema = schema | {"default": msgspec.to_builtins(parameter.default)}
    return {"name": parameter.name, "in": where, "required": parameter.default is REQUIRED, "schema": schema}


def _answers(endpoint: Endpoint, schemas: _Schemas) -> Schema:
    found: Schema = {}
    for kind in endpoint.answers:
        if kind is RefusedMessage:
            continue
        answer = found.setdefault(str(status_of(kind)), {"description": _DONE})
        if kind in (type(None), NoContent):
            continue
        content = _document(kind) if _is_response(kind) else _json(schemas.of(_content(kind)))
        answer.setdefault("content", {}).update(content)
    return found


def _refusals(endpoint: Endpoint) -> Schema:
    """Return the refusals that the signature implies, and that there may be others."""
    described = {
        "401": "The caller is not signed in." if endpoint.signed_in else None,
        "403": "The house does not permit it to the caller." if endpoint.permission else None,
        "404": "Nothing is found at that address." if endpoint.in_path else None,
        "413": "The body is too long." if endpoint.body else None,
        "422": "A parameter or the body does not fit its type." if endpoint.is_given_something else None,
        "429": "The caller's address has used up its allowance.",
        "4XX": "Refused, and nothing has changed; the sentence says why.",
        "503": "The server is stopping, or its database does not answer.",
    }
    content = _json({"$ref": _REF.format(name=RefusedMessage.__name__)})
    return {status: {"description": each, "content": content} for status, each in described.items() if each}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _is_response(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Response)


def _document(kind: type[Response]) -> Schema:
    assert kind.media_type is not None
    schema = {"type": "string", "format": "binary"} if kind is Pdf else {"type": "string"}
    return {kind.media_type: {"schema": schema}}


def _content(kind: Any) -> Any:
    """Return the type of the content of an answer."""
    return get_args(kind)[0] if get_origin(kind) is Json else kind


# --- schemas ---------------------------------------------------------------------------------------------------------


class _Schemas:
    """The schemas of everything that is sent."""

    def __init__(self, endpoints: Iterable[Endpoint]) -> None:
        kinds = list(dict.fromkeys([*_sent(), *(kind for each in endpoints for kind in _kinds(each))]))
        schemas, components = msgspec.json.schema_components(kinds, schema_hook=_schema_of_other, ref_template=_REF)
        self._known = dict(zip(kinds, schemas, strict=True))
        self.components = components | _events()
        self.components["Told"] = _told(self.components["Told"])
        for name in ("TableMessage", "TableShown"):  # staff see more of a table
            either = [{"$ref": _REF.format(name="PublicView")}, {"$ref": _REF.format(name="StaffView")}]
            self.components[name]["properties"]["view"] = {"anyOf": either}

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type that some endpoint takes or answers."""
        known: Schema = self._known[kind]
        return known

    def of_body(self, endpoint: Endpoint) -> Schema:
        """Return the schema of a body; one of several kinds becomes a component of its own."""
        assert endpoint.body is not None
        tagged = endpoint.body.tagged
        if tagged is None:
            return self.of(endpoint.body.kind)
        mapping = {kind.__name__: _REF.format(name=kind.__name__) for kind in tagged.kinds}
        tag_field = tagged.kinds[0].__struct_config__.tag_field
        self.components[tagged.name] = {
            "oneOf": [{"$ref": ref} for ref in mapping.values()],
            "discriminator": {"propertyName": tag_field, "mapping": mapping},
        }
        return {"$ref": _REF.format(name=tagged.name)}


def _sent() -> list[Any]:
    """Return the kinds that are sent over the socket, or that the pages know by name."""
    return [*NOT_COMMANDS, *MESSAGES, PublicView, StaffView, PrivateView, Permission]


def _kinds(endpoint: Endpoint) -> Iterable[Any]:
    """Return the types of everything an endpoint takes and answers."""
    yield from (each.kind for each in (*endpoint.in_path, *endpoint.in_query))
    if endpoint.body:
        yield from endpoint.body.tagged.kinds if endpoint.body.tagged else (endpoint.body.kind,)
    for kind in endpoint.answers:
        if kind is not type(None) and not _is_response(kind):
            yield _content(kind)


def _schema_of_other(kind: type[Any]) -> Schema:
    if kind is Fraction:
        return {"type": "string", "pattern": "^-?[0-9]+/[0-9]+$"}
    raise NotImplementedError(kind.__name__)


def _events() -> dict[str, Schema]:
    """Return the schema of each event's body. What is hidden from some readers is not required."""
    _, events = msgspec.json.schema_components(
        list(EVENTS.values()), schema_hook=_schema_of_other, ref_template=_REF.format(name="Event.{name}")
    )
    for name, kind in EVENTS.items():
        public = visible_fields(kind, Audience.PUBLIC)
        if "required" in events[name]:
            events[name]["required"] = [each for each in events[name]["required"] if each in public]
    return {f"Event.{name}": schema for name, schema in events.items()}


def _told(plain: Schema) -> Schema:
    """Return the schema of an event as readers are told of it: which body goes with which name."""
    kinds = [
        {"properties": {"name": {"const": name}, "body": {"$ref": _REF.format(name=f"Event.{name}")}}}
        for name in EVENTS
    ]
    return plain | {"oneOf": kinds}
