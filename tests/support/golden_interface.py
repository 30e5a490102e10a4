"""The golden interface: paths, methods and schemas that the server described when they were recorded.

Clients rely on them, so they only grow. ``PYTHONPATH=tests python -m golden_interface`` adds what is new to the
recording; what is in it stays.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from punto.server.http.app import interface as described_interface

FILE = Path(__file__).parents[1] / "golden" / "interface.json"
METHODS = ("delete", "get", "head", "options", "patch", "post", "put")
Interface = dict[str, dict[str, Any]]


def interface() -> Interface:
    """Return what the server describes now: operations, and properties of schemas, each with its types."""
    described = described_interface()
    operations = {
        f"{method.upper()} {path}": _operation(operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    }
    return {
        "operations": operations,
        "components": {name: _component(each) for name, each in described["components"]["schemas"].items()},
    }


def _operation(operation: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters, the body and the answers of an operation."""
    parts = {f"{each['in']} {each['name']}": type_of(each["schema"]) for each in operation.get("parameters", ())}
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        parts[f"body {kind}"] = type_of(content.get("schema", {}))
    for status, answer in operation["responses"].items():
        for kind, content in answer.get("content", {}).items():
            parts[f"{status} {kind}"] = type_of(content.get("schema", {}))
        if not answer.get("content"):
            parts[status] = "nothing"
    return parts


def _component(described: dict[str, Any]) -> dict[str, Any]:
    """Return the type of each property; one that is required says so. What has no properties has its own type."""
    required = described.get("required", ())
    properties = described.get("properties")
    if properties is None:
        return {"": type_of(described)}
    return {name: f"{type_of(each)}{'!' if name in required else ''}" for name, each in properties.items()}


def type_of(described: dict[str, Any]) -> str:
    """Return a schema's type in short, without descriptions and bounds.

    >>> type_of({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]})
    '[integer] or null'
    """
    if "$ref" in described:
        return str(described["$ref"].rpartition("/")[2])
    if "const" in described or "enum" in described:
        return " or ".join(sorted(json.dumps(each) for each in described.get("enum", [described.get("const")])))
    for several in ("anyOf", "oneOf", "allOf"):
        if several in described:
            return " or ".join(sorted(map(type_of, described[several])))
    if described.get("type") == "array":
        items = [type_of(each) for each in described.get("prefixItems", ())] or [type_of(described.get("items") or {})]
        return f"[{', '.join(items)}]"
    if isinstance(more := described.get("additionalProperties"), dict):
        return "{" + type_of(more) + "}"
    return str(described.get("type", "anything"))


def grown(now: str, then: str) -> bool:
    """Whether a type is what it was, or one of several that have become more.

    >>> grown("integer or null or string", "integer or null"), grown("integer", "integer or null")
    (True, False)
    """
    return now == then or set(then.split(" or ")) <= set(now.split(" or "))


def recorded() -> Interface:
    """Return what was recorded."""
    found: Interface = json.loads(FILE.read_text("utf-8"))
    return found


def record() -> None:
    """Add to the recording what is new."""
    now, then = interface(), recorded() if FILE.exists() else {}
    merged = {
        part: {name: each | then.get(part, {}).get(name, {}) for name, each in sorted(now[part].items())}
        | {name: each for name, each in then.get(part, {}).items() if name not in now[part]}
        for part in now
    }
    FILE.write_text(json.dumps(merged, indent=0, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    record()
