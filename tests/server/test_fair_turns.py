"""Passwords are verified one at a time, and addresses take turns: a flood of guesses keeps only itself waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from threading import Event

import pytest

from punto.server.access import fair_turns
from punto.server.access.fair_turns import MOST_IN_ALL, MOST_OF_SENDER, FairTurns
from punto.server.refused import Refused


class Flood:
    """Work that waits behind a piece of work which does not end before it is told to."""

    def __init__(self) -> None:
        self.turns, self.gate, self.done = FairTurns("test"), Event(), list[str]()
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def ask(self, sender: str, times: int = 1) -> None:
        for _ in range(times):
            named = f"{sender}/{sum(each.startswith(f'{sender}/') for each in self.tasks)}"
            self.tasks[named] = asyncio.create_task(self.turns.run(sender, self._work(named)))

    def _work(self, named: str) -> Callable[[], None]:
        def work() -> None:
            self.gate.wait()
            self.done.append(named)

        return work

    async def finish(self) -> set[str]:
        """Let everything be done; return what was refused."""
        await asyncio.sleep(0)
        self.gate.set()
        told = await asyncio.gather(*self.tasks.values(), return_exceptions=True)
        assert all(each is None or isinstance(each, Refused | asyncio.CancelledError) for each in told)
        return {name for name, each in zip(self.tasks, told, strict=True) if isinstance(each, Refused)}


@pytest.fixture
async def flood() -> AsyncIterator[Flood]:
    made = Flood()
    made.ask("guesser")
    await asyncio.sleep(0)
    yield made
    made.gate.set()


async def test_a_newcomer_waits_for_nothing_but_what_has_begun(flood: Flood) -> None:
    for number in range(5):
        flood.ask(f"a{number}")
    await asyncio.sleep(0)
    flood.turns._last_turn |= {f"a{number}": number + 2 for number in range(5)}  # each had a turn before
    flood.ask("guesser", 10)
    flood.ask("owner")
    assert await flood.finish() == set()
    assert flood.done[:2] == ["guesser/0", "owner/0"]


async def test_addresses_take_turns_however_much_each_asks(flood: Flood) -> None:
    flood.ask("guesser", 3)
    flood.ask("busy", 3)
    flood.ask("calm", 2)
    await flood.finish()
    assert flood.done == [
        *("guesser/0", "busy/0", "calm/0"),
        *("guesser/1", "busy/1", "calm/1"),
        *("guesser/2", "busy/2", "guesser/3"),
    ]


async def test_what_is_too_much_of_one_address_is_refused_at_once(flood: Flood) -> None:
    flood.ask("guesser", MOST_OF_SENDER)
    await asyncio.sleep(0)
    with pytest.raises(Refused) as told:
        await flood.turns.run("guesser", lambda: None)
    assert told.value.refusal.code == "too-many"
    flood.ask("owner")
    assert await flood.finish() == set()
    assert "owner/0" in flood.done


async def test_where_too_much_waits_in_all_there_is_room_for_who_asks_little(
    flood: Flood, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_turns, "MOST_IN_ALL", 4)
    assert MOST_IN_ALL > MOST_OF_SENDER
    flood.ask("guesser", 3)
    flood.ask("other")
    flood.ask("owner")
    await asyncio.sleep(0)
    flood.ask("guesser")
    assert await flood.finish() == {"guesser/3", "guesser/4"}, "the newest of who has most waiting"
    assert {"owner/0", "other/0"} <= set(flood.done)


async def test_who_goes_away_takes_no_turn(flood: Flood) -> None:
    flood.ask("gone", 2)
    await asyncio.sleep(0)
    flood.tasks["gone/0"].cancel()
    await asyncio.sleep(0)
    flood.tasks["guesser/0"].cancel()
    await flood.finish()
    await flood.turns.run("after", lambda: None)
    assert flood.done == ["guesser/0", "gone/1"], "what has begun goes on"
    assert not flood.turns._waiting


async def test_an_error_is_the_senders_own(flood: Flood) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    flood.gate.set()
    with pytest.raises(ZeroDivisionError):
        await flood.turns.run("broken", fail)
    flood.ask("owner")
    await flood.finish()
    assert "owner/0" in flood.done


async def test_one_who_has_just_gone_away_takes_no_turn_and_refuses_nobody(flood: Flood) -> None:
    """Cancelled, it stays in the queue until its own task runs."""
    for number in range(MOST_IN_ALL // MOST_OF_SENDER):
        flood.ask(f"a{number}", MOST_OF_SENDER)
    await asyncio.sleep(0)
    gone = [name for name in flood.tasks if name.startswith("a")]
    for name in gone:
        flood.tasks[name].cancel()
    flood.ask("owner")
    assert await flood.finish() == set()
    assert "owner/0" in flood.done
    assert not set(flood.done) & set(gone)
