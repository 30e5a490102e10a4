"""Numbers of events as parameters of routes; the upper bound is what every store can compare."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

_TOO_LARGE = 2**62
EventNumber = Annotated[int, Meta(ge=1, lt=_TOO_LARGE)]
LastKnownEvent = Annotated[int, Meta(ge=0, lt=_TOO_LARGE)]
"""The number of the last event that the caller knows; 0 before the first."""
