"""Alerts about devices, from the house's stream: what was refused to them."""

from __future__ import annotations

from collections.abc import Iterator

from punto.server.pit.alerts import Alert, AlertKind
from punto.store.events.house_events import DeviceRefused
from punto.store.house_journal import HouseJournal


def device_alerts(journal: HouseJournal) -> Iterator[tuple[str, Alert]]:
    """Yield an alert, with its table, for each time that a device asked for what it may not."""
    for recorded in journal.device_faults:
        event = recorded.event
        assert isinstance(event, DeviceRefused)
        values: dict[str, str | int] = {"person": event.device, "why": event.why.value, "asked": event.asked}
        if event.sequence is not None:
            values["sequence"] = event.sequence
        yield event.table, Alert(AlertKind.DEVICE, recorded.number, recorded.at, values)
