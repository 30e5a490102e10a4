"""What the stored events tell of a change: what was before, who did it, and why."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.past import client_of, opened, options_of

from punto.server.access.identity import Duty
from punto.server.running.lifecycle import Serving
from punto.store.events.cage_events import CAGE, Deposited
from punto.store.events.house_events import HOUSE, NoteAdded
from punto.store.events.limit_events import LIMITS, LimitKind, PatronLimitSet, Period


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    async with opened(options_of(tmp_path)) as made:
        yield made


async def post(client: httpx.AsyncClient, path: str, **body: Any) -> Any:
    answer = await client.post(path, json=body)
    assert answer.status_code in (200, 204), answer.text
    return answer.json() if answer.content else None


async def id_of(serving: Serving, duty: Duty) -> str:
    found = await serving.people.find_by_name(duty.value)
    assert found
    return found.id


async def significant(serving: Serving, kind: str) -> list[dict[str, Any]]:
    """What the auditor reads, the last first."""
    async with client_of(serving, Duty.AUDITOR) as auditor:
        answer = await auditor.get("/api/audit/significant", params={"kind": kind})
        assert answer.status_code == 200, answer.text
        return list(answer.json()["events"])


async def test_a_limit_tells_the_former_one(serving: Serving) -> None:
    ann = await serving.people.add("Ann", Duty.PATRON)
    for limit in (10_000, 6_000, 9_000):
        await serving.floor.limits.set_limit(ann.id, LimitKind.LOSS, Period.DAY, limit, ann.giver)
    told = [each.event for each in await serving.store.read(f"{ann.id}{LIMITS}")]
    events = [each for each in told if isinstance(each, PatronLimitSet)]
    assert [(each.before, each.limit) for each in events] == [(None, 10_000), (10_000, 6_000), (6_000, 9_000)]
    shown = await significant(serving, "limit")
    assert [(each["before"], each["by"]) for each in shown] == [
        ({"limit": 6_000}, ann.id), ({"limit": 10_000}, ann.id), ({}, ann.id)
    ]  # fmt: skip


async def test_an_exclusion_and_its_end_tell_who_ordered_them_and_why(serving: Serving) -> None:
    ann, manager = await serving.people.add("Ann", Duty.PATRON), await id_of(serving, Duty.PIT_MANAGER)
    path = f"/api/limits/patrons/{ann.id}/exclusion"
    async with client_of(serving, Duty.PIT_MANAGER) as client:
        await post(client, path, reason="seen on the list", days=30)
        await post(client, f"{path}/lift", reason="a namesake")
    lifted, excluded = await significant(serving, "limit")
    for each, name, reason in (
        (excluded, "PatronExcluded", "seen on the list"),
        (lifted, "ExclusionLifted", "a namesake"),
    ):
        assert (each["event"], each["by"], each["position"]) == (name, manager, Duty.PIT_MANAGER.value)
        assert each["reason"] == reason
    assert (excluded["after"]["kind"], excluded["after"]["until"] > excluded["at"]) == ("house", True)


async def test_a_stop_and_its_end_tell_who_ordered_them_and_why(serving: Serving) -> None:
    manager = await id_of(serving, Duty.PIT_MANAGER)
    async with client_of(serving, Duty.PIT_MANAGER) as client:
        await post(client, "/api/limits/stops", scope="all", reason="the reader fails")
        await post(client, "/api/limits/stops/lift", scope="all", reason="it was cleaned")
    lifted, stopped = await significant(serving, "stop")
    assert [(each["event"], each["reason"], each["by"], each["at"] > 0) for each in (stopped, lifted)] == [
        ("GamingStopped", "the reader fails", manager, True),
        ("GamingResumed", "it was cleaned", manager, True),
    ]


async def test_an_erasure_tells_who_erased_what_and_why(serving: Serving) -> None:
    ann, manager = await serving.people.add("Ann", Duty.PATRON), await id_of(serving, Duty.GAMING_SHIFT_MANAGER)
    number = (await serving.store.head(HOUSE))[0] + 1
    await serving.floor.record(NoteAdded("t1", "Ann was here"), (manager, "Gaming Shift Manager"))
    async with client_of(serving, Duty.GAMING_SHIFT_MANAGER) as client:
        await post(client, f"/api/audit/notes/{number}/erase", reason="a name in a note")
        await post(client, f"/api/people/{ann.id}/erase", reason="at their request")
    by_name = {each["event"]: each for each in await significant(serving, "people")}
    words, person = by_name["WordsErased"], by_name["PersonErased"]
    assert (words["by"], words["reason"]) == (manager, "a name in a note")
    assert words["after"] == {"stream": HOUSE, "number": number}
    assert (person["by"], person["reason"], person["about"]) == (manager, "at their request", ann.id)


async def test_a_deposit_tells_which_cashier_took_it(serving: Serving) -> None:
    ann, cashier = await serving.people.add("Ann", Duty.PATRON), await id_of(serving, Duty.CASHIER)
    async with client_of(serving, Duty.CASHIER) as client:
        await post(client, "/api/cage/deposits", patron=ann.id, amount=5_000)
        await post(client, "/api/cage/payments", patron=ann.id, amount=2_000)
    events = [each for each in await serving.store.read(CAGE) if each.name in ("Deposited", "PaidOut")]
    assert [(each.name, each.by, each.position) for each in events] == [
        ("Deposited", cashier, Duty.CASHIER.value),
        ("PaidOut", cashier, Duty.CASHIER.value),
    ]
    assert events[0].event == Deposited(ann.id, 5_000)
