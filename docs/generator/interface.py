"""Pages about the server's interface, generated from its description: routes, commands, events, messages."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.markdown import page, table
from punto.server.http.app import interface

Schema = Mapping[str, Any]
REFERENCE = "#/components/schemas/"
COMMON = {
    "command": "its name",
    "table": "over a socket: the table it is for",
    "id": "over a socket: the client's own id for the message, returned with the answer",
    "key": "idempotency key; a retry with the same key gets the first answer",
    "in_round": "the round it is meant for; refused in another",
    "in_window": "the window it is meant for; refused in another",
    "expires": "the last moment at which it may be carried out, in milliseconds; refused after it",
}
REPORTED = {"noticed_by": "who noticed it", "note": "a note to store with it"}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the address of each page under docs, and its text."""
    described = interface()
    found = _Interface(described["components"]["schemas"])
    yield "api/http.md", found.routes(described["paths"])
    yield "api/commands.md", found.commands()
    yield "api/events.md", found.events()
    yield "api/messages.md", found.messages()


class _Interface:
    """The schemas of all messages, and the pages that describe them."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = schemas
        self._commands = [_name(each) for each in schemas["Command"]["oneOf"]]
        self._events = [name for name, each in schemas.items() if name.startswith("Event.") and self._is_event(name)]

    def _is_event(self, name: str) -> bool:
        told = (each["properties"]["body"] for each in self._schemas["Told"]["oneOf"])
        return any(_name(each) == name for each in told)

    # --- pages ---

    def routes(self, paths: Mapping[str, Any]) -> str:
        by_tag = defaultdict(list)
        for path, methods in paths.items():
            for method, route in methods.items():
                by_tag[route["tags"][0]].append(self._route(method.upper(), path, route))
        parts = [part for tag, routes in by_tag.items() for part in (f"## {tag[0].upper()}{tag[1:]}", *routes)]
        return page(
            "# HTTP",
            "Generated from the OpenAPI document, `GET /openapi.json`. [The server](../server.md) explains how "
            "to sign in, give commands and watch. Every refusal is a [`RefusedMessage`](messages.md#refusedmessage).",
            *parts,
        )

    def _route(self, method: str, path: str, route: Schema) -> str:
        body = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        asked = [
            (f"`{each['name']}`", each["in"], self._type(each["schema"]), "yes" if each.get("required") else "")
            for each in route.get("parameters", [])
        ]
        return page(
            f"### {method} {path}",
            _sentences(f"{route['summary']} {route.get('description', '')}".strip()),
            f"For {', '.join(route['x-duties'])}." if "x-duties" in route else "",
            table(("parameter", "in", "type", "required"), asked) if asked else "",
            (f"Takes {self._type(body)}. " if body else "") + self._answers(route["responses"]),
        )

    def _answers(self, responses: Schema) -> str:
        told = []
        for status, answer in responses.items():
            if not status.startswith("2"):
                continue
            kinds = [self._type(each.get("schema", {})) for each in answer.get("content", {}).values()]
            told.append(f"`{status}` {' or '.join(filter(None, kinds))}".strip())
        return f"Answers {', '.join(told)}."

    def commands(self) -> str:
        rows = [(f"`{name}`", about) for name, about in COMMON.items()]
        reported = [(f"`{name}`", about) for name, about in REPORTED.items()]
        return page(
            "# Commands",
            "Send a command to a table with `POST /api/tables/{table}/commands` or over the socket. Amounts are in "
            "cents. Every command has these fields, most of them optional:",
            table(("field", ""), rows),
            "Commands that report or decide an irregularity also have:",
            table(("field", ""), reported),
            *(self._described(name, {*COMMON, *REPORTED}) for name in self._commands),
        )

    def events(self) -> str:
        return page(
            "# Events",
            "The events in a table's log, in numbered order. Watchers receive an event as [`Told`](messages.md#told) "
            "with the body below; the public receives only the fields it may see.",
            *(self._described(name) for name in self._events),
        )

    def messages(self) -> str:
        elsewhere = {*self._commands, *self._events, "Command"}
        return page(
            "# Messages",
            "All other messages and answers, by name.",
            *(self._described(name) for name in sorted(self._schemas) if name not in elsewhere),
        )

    # --- one schema ---

    def _described(self, name: str, known: Iterable[str] = ()) -> str:
        found = self._schemas[name]
        rows = [
            (f"`{field}`", self._type(kind), _default(kind, field, found))
            for field, kind in found.get("properties", {}).items()
            if field not in known
        ]
        return page(
            f"## {name.removeprefix('Event.')} {{ #{_anchor(name)} }}",
            _sentences(found.get("description") or ""),
            table(("field", "type", "default"), rows) if rows else "",
            "" if found.get("type") == "object" else f"{self._type({**found, 'title': ''})}.",
        )

    def _type(self, kind: Schema) -> str:
        if "$ref" in kind:
            return self._link(_name(kind))
        if "enum" in kind:
            return " or ".join(f"`{json.dumps(each, ensure_ascii=False)}`" for each in kind["enum"])
        for choice in ("anyOf", "oneOf"):
            if choice in kind:
                return " or ".join(dict.fromkeys(map(self._type, kind[choice])))
        if kind.get("type") == "array":
            if "prefixItems" in kind:
                return f"[{', '.join(map(self._type, kind['prefixItems']))}]"
            return f"list of {self._type(kind['items'])}"
        if kind.get("type") == "object" and isinstance(kind.get("additionalProperties"), dict):
            return f"by name: {self._type(kind['additionalProperties'])}"
        return str(kind.get("type", "anything" if "title" not in kind else ""))

    def _link(self, name: str) -> str:
        where = "commands" if name in self._commands else "events" if name in self._events else "messages"
        if name == "Command":
            return "[a command](commands.md)"
        return f"[`{name.removeprefix('Event.')}`]({where}.md#{_anchor(name)})"


def _name(kind: Schema) -> str:
    return str(kind["$ref"]).removeprefix(REFERENCE)


def _anchor(name: str) -> str:
    return name.lower().replace(".", "-")


def _sentences(text: str) -> str:
    """Convert a docstring to Markdown: single backquotes, one paragraph."""
    return " ".join(text.replace("``", "`").split())


def _default(kind: Schema, field: str, found: Schema) -> str:
    if field in found.get("required", ()):
        return ""
    return f"`{json.dumps(kind.get('default'), ensure_ascii=False)}`"
