"""``punto`` with automatic tables that may be faster than a house deals for money, so that tests need not wait."""

from __future__ import annotations

from punto.cli.main import main
from punto.server.running import lifecycle
from punto.server.tables.auto_dealer import Pace


def _any_pace(pace: Pace, practice: bool) -> None:
    """Refuse no pace."""


if __name__ == "__main__":
    lifecycle.check_pace = _any_pace
    main()
