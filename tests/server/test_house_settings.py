"""Settings of the house: changed by its managers alone, each change an event with a person."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from support.playing import House
from support.stores import Open

from punto import load
from punto.server.access.identity import Duty
from punto.server.http.money.house import check_settings
from punto.server.refused import Refused
from punto.server.running.lifecycle import clock
from punto.server.tables.floor import Floor
from punto.store.events.house_events import HOUSE, SettingsChanged
from punto.store.house_journal import journal_of
from punto.store.house_settings import HouseSettings
from punto.store.round_events import every_event
from punto.store.trust.keys import Keys

MACAU = HouseSettings("Lotus", "Asia/Macau", 7, "MOP", (500, 10_000), 5_000_000)
PATH = "/api/house/settings"


@pytest.mark.anyio
async def test_a_change_is_an_event_with_a_person_and_outlives_the_server(opened: Open) -> None:
    async with opened() as store:
        floor = Floor(store, Keys(bytes(32)), clock, {})
        await floor.start()
        assert await floor.change_settings(MACAU, HouseSettings(), ("jo", "Gaming Shift Manager"))
        assert not await floor.change_settings(HouseSettings(), HouseSettings(), ("al", "Gaming Shift Manager"))
        assert floor.settings == MACAU
        await floor.create_table("t1", load("baccarat"))
        await floor.stop()
    async with opened() as store:
        assert (await journal_of(store)).settings == MACAU
        stored = [each async for each in every_event(store, HOUSE) if isinstance(each.event, SettingsChanged)]
    assert [(each.by, each.position, each.event) for each in stored] == [
        ("jo", "Gaming Shift Manager", SettingsChanged(MACAU, HouseSettings()))
    ]


@pytest.mark.parametrize(
    ("settings", "case"),
    [
        (replace(MACAU, property_name="Lotus\n"), "property-name"),
        (replace(MACAU, property_name=" Lotus"), "property-name"),
        (replace(MACAU, time_zone="Asia/Atlantis"), "time-zone"),
        (replace(MACAU, time_zone="../../etc/passwd"), "time-zone"),
        (replace(MACAU, time_zone=""), "time-zone"),
        (replace(MACAU, denominations=()), "denominations"),
        (replace(MACAU, denominations=(500, 500)), "denominations"),
        (replace(MACAU, denominations=(500, 100)), "denominations"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: HouseSettings, case: str) -> None:
    with pytest.raises(Refused) as refused:
        check_settings(settings)
    assert refused.value.refusal.case == case


def test_a_property_is_named_in_any_script() -> None:
    check_settings(replace(MACAU, property_name="荷花 “Lotus”"))


def test_managers_change_settings_and_staff_read_them(served: House) -> None:
    manager = served.manager
    before = manager.get(PATH)
    wanted = before | {"property_name": "Lotus", "time_zone": "Asia/Macau", "currency": "MOP"}
    assert manager.post(PATH, settings=wanted, seen=before) == wanted
    assert served.dealer.get(PATH) == served.cashier.get(PATH) == wanted
    newest = manager.get(f"{PATH}/changes")[0]
    assert (newest["by"], newest["before"], newest["after"]) == (manager.id, before, wanted)
    assert newest["name"]
    assert newest["position"] == "Gaming Shift Manager"
    manager.post(PATH, settings=before, seen=wanted)  # other tests share this house


def test_what_is_wrong_or_not_permitted_changes_nothing(served: House) -> None:
    manager, pit_manager = served.manager, served[Duty.PIT_MANAGER]
    now = manager.get(PATH)
    wrong = {"settings": now | {"time_zone": "Nowhere"}, "seen": now}
    stale = {"settings": now, "seen": now | {"currency": "XXX"}}
    for body, told in (
        (wrong, ("cannot-be", "time-zone")),
        (stale, ("cannot-be", "settings-changed")),
        ({"settings": now | {"day_begins": 24}, "seen": now}, ("bad-message", None)),
        ({"settings": now | {"currency": "aud"}, "seen": now}, ("bad-message", None)),
        ({"settings": now | {"denominations": [0]}, "seen": now}, ("bad-message", None)),
        ({"settings": now | {"colour": "red"}, "seen": now}, ("bad-message", None)),
    ):
        answer = manager.http.post(PATH, json=body).json()
        assert (answer["code"], answer["case"]) == told
    assert pit_manager.http.post(PATH, json={"settings": now, "seen": now}).status_code == 403
    (patron,) = served.patrons(1)
    assert patron.http.get(PATH).status_code == 403
    assert manager.get(PATH) == now
