"""Events of the house and of shoes name the person who brought them about, and what was so before."""

from __future__ import annotations

import asyncio
from pathlib import Path

from support.playing import House, play_round, until

from punto.server.access.identity import Duty
from punto.store.events.house_events import HOUSE, AutomationSet, SettingsChanged
from punto.store.records import EventRecord
from punto.store.sqlite.sqlite_store import SqliteReader

SYSTEM = ("punto", "system")


def read(served: House, stream: str) -> list[EventRecord]:
    async def work() -> list[EventRecord]:
        store = SqliteReader.open(Path(served.database))
        try:
            return list(await store.read(stream, most=100_000))
        finally:
            await store.close()

    return asyncio.run(work())


def givers(records: list[EventRecord]) -> list[tuple[str, str, str]]:
    return [(each.name, each.by, each.position) for each in records]


def test_every_step_of_a_shoe_has_its_person(served: House) -> None:
    table = served.table(device="sealed")
    shoes = f"/api/tables/{table}/shoes"
    supervisor, dealer = served[Duty.PIT_SUPERVISOR], served.dealer
    shoe = supervisor.post(shoes)["shoe"]
    dealer.post(f"{shoes}/{shoe}/list")
    served.manager.done(table, "LoadShoe", shoe=shoe)
    play_round(served, table)
    served.manager.done(table, "EndShoe")
    until(lambda: dealer.get(shoes)[0]["published"])
    assert givers(read(served, f"{table}.shoes")) == [
        ("ShoeSealed", supervisor.id, "Pit Supervisor"),
        ("CutListClosed", dealer.id, "Dealer"),
        ("ShoeOpened", served.manager.id, "Gaming Shift Manager"),
        ("ShoePublished", *SYSTEM),  # the server does it when the shoe has ended, whoever ended it
    ]


def test_a_table_and_its_automation_have_their_person_before_and_after(served: House) -> None:
    manager, pit = served.manager, served[Duty.PIT_MANAGER]
    manager.post("/api/tables", table="made-by", game="tiger", automatic=["draw"])
    pit.post("/api/tables/made-by/automation", steps=["expose", "draw"])
    pit.post("/api/tables/made-by/automation", steps=[])
    about = [each for each in read(served, HOUSE) if getattr(each.event, "table", None) == "made-by"]
    assert givers(about) == [
        ("TableCreated", manager.id, "Gaming Shift Manager"),
        ("AutomationSet", manager.id, "Gaming Shift Manager"),
        ("AutomationSet", pit.id, "Pit Manager"),
        ("AutomationSet", pit.id, "Pit Manager"),
    ]
    assert [each.event for each in about[1:]] == [
        AutomationSet("made-by", ("draw",), ()),
        AutomationSet("made-by", ("draw", "expose"), ("draw",)),
        AutomationSet("made-by", (), ("draw", "expose")),
    ]


def test_a_change_of_settings_says_what_held_before(served: House) -> None:
    seen = served.manager.get("/api/house/settings")
    served.manager.post("/api/house/settings", settings=seen | {"alert_repeats": 7}, seen=seen)
    *_, last = (each for each in read(served, HOUSE) if each.name == "SettingsChanged")
    assert isinstance(last.event, SettingsChanged)
    assert last.event.before is not None
    assert (last.event.before.alert_repeats, last.event.settings.alert_repeats) == (seen["alert_repeats"], 7)
    served.manager.post("/api/house/settings", settings=seen, seen=seen | {"alert_repeats": 7})
    assert last.by == served.manager.id


def test_only_people_whom_the_house_knows_are_named_at_a_table(served: House) -> None:
    """By a command that brings an id to the table, and not only by one that moves chips."""
    table = served.table(method="A")
    (ann,) = served.patrons(1)
    supervisor, dealer = served[Duty.PIT_SUPERVISOR], served.dealer
    for stranger in ("pmadeupaaaa", ann.id, served.cashier.id):
        answer = supervisor.give(table, "SignOn", dealer=stranger).json()
        assert (answer["code"], answer["case"]) == ("cannot-be", "no-such-person")
    assert served.manager.give(table, "AppointActing", person="pmadeupaaaa", role="Pit Manager").status_code == 409
    for stranger in ("pmadeupaaaa", dealer.id, supervisor.id, served.cashier.id):
        assert dealer.refused(table, "BuyIn", patron=stranger, amount=10_000) == "unknown-patron"
    dealer.done(table, "BuyIn", patron=ann.id, amount=10_000)
    served.manager.post(f"/api/people/{ann.id}/active", active=False)
    assert dealer.refused(table, "BuyIn", patron=ann.id, amount=10_000) == "unknown-patron"


def test_a_person_named_to_squeeze_is_a_patron(served: House) -> None:
    table = served.table(method="A", hlga=True)
    ann, bob = served.patrons(2)
    for patron in (ann, bob):
        patron.done(table, "BuyIn", patron=patron.id, amount=100_000)
    served.dealer.done(table, "OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=10_000)
    served.dealer.done(table, "CloseBets")
    for _ in range(4):
        served.dealer.done(table, "DrawCard")
    for stranger in ("pmadeupaaaa", served.dealer.id, served[Duty.AUDITOR].id):
        answer = ann.give(table, "NameSqueezer", hand="player", person=stranger).json()
        assert (answer["code"], answer.get("case")) == ("cannot-be", "no-such-person"), answer
        permit = served[Duty.PIT_MANAGER].give(table, "PermitSqueeze", hand="player", patron=stranger).json()
        assert (permit["code"], permit.get("case")) == ("cannot-be", "no-such-person"), permit
    ann.done(table, "NameSqueezer", hand="player", person=bob.id)
