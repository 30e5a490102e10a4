"""Prints the interface as OpenAPI without starting a server: ``python -m punto.server.schema``.

The pages' types are generated from it when they are built.
"""

from __future__ import annotations

import json
import sys

from punto.server.http.app import interface

if __name__ == "__main__":
    json.dump(interface(), sys.stdout)
