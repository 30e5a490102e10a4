"""Prints the description of the interface without starting a server: ``python -m punto.server.schema``.

The pages' types are made from it when they are built.
"""

from __future__ import annotations

import json
import sys
from typing import Any, cast

from punto.server.gateway import Desk
from punto.server.http.app import create_app


def schema() -> dict[str, Any]:
    """What ``GET /openapi.json`` answers."""
    app = create_app(cast(Desk, None))  # a description asks nobody anything
    described: dict[str, Any] = app.described()
    return described


if __name__ == "__main__":
    json.dump(schema(), sys.stdout)
