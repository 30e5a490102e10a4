"""What every paper of the house has: the property's name, its currency, local times with their zone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from punto.report.rendering import breakable, money
from punto.store.house_settings import HouseSettings
from punto.texts import Language, name_of

HERE = Path(__file__).parent


def grouped(cents: int) -> str:
    """Return an amount with grouped digits: 1,234,567.00."""
    whole, _, places = money(abs(cents)).partition(".")
    return f"{'−' if cents < 0 else ''}{int(whole):,}.{places}"


class Letterhead:
    """The head of a paper in one language, and times as the house tells them."""

    def __init__(self, settings: HouseSettings, language: Language) -> None:
        self._settings, self.language = settings, language

    def head(self) -> dict[str, str]:
        """Return the texts that head a paper."""
        settings = self._settings
        return {
            "property": settings.property_name,
            "currency": settings.currency,
            "zone": settings.time_zone,
            "language": self.language.value,
        }

    def name(self, person: str) -> str:
        """Return a person's name; one who is called by their position is called so in each language."""
        return breakable(name_of("duty", person, self.language))

    def time(self, at: int) -> str:
        """Return a time to the second, as the clocks of the house show it."""
        return self._settings.local(at).strftime("%Y-%m-%d %H:%M:%S")

    def minute(self, at: int) -> str:
        """Return a time to the minute."""
        return self.time(at)[:16]

    def with_zone(self, at: int) -> str:
        """Return a time to the minute with the zone and how far it is from UTC."""
        offset = self._settings.local(at).strftime("%z")
        return f"{self.minute(at)} {self._settings.time_zone} (UTC{offset[:3]}:{offset[3:5]})"


def printed(template: Path, sheet: dict[str, Any]) -> bytes:
    """Return a sheet as a PDF.

    Everything goes in as data, so that a note that a person wrote is never taken for a command.
    """
    import typst

    made: bytes = typst.compile(str(template), sys_inputs={"sheet": json.dumps(sheet)})
    return made
