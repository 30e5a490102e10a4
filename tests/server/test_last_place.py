"""Two patrons, one place left, both at "No more bets", over two processes: one answer that everybody agrees on.

PYTHONPATH=tests:tests/server python -m test_last_place 1000
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from support.live import Someone, hear, say, serving
from support.long import others_long
from support.playing import House, Watching, answer_over, audited, number_of
from support.postgresql_server import new_database, running_postgresql
from websockets.sync.client import ClientConnection

from punto.store.batch import Transaction
from punto.store.postgresql import PostgresStore
from punto.store.records import Append, Conflict, EventRecord
from punto.table.play.chips import Filled

TRIES = 15, 60
"""How often, in make test and in make test-all."""
Outcome = tuple[str, str]
"""What the patron at the first process was answered, and the one at the second."""


class Race:
    """A table with room for one wager in an area, a patron at each process, and a dealer at both."""

    def __init__(self, first: House, second: House, opened: ExitStack) -> None:
        self.table = first.table(area_capacity=1)
        self.patrons = first.patrons(2)
        for patron in self.patrons:
            patron.done(self.table, "BuyIn", patron=patron.id, amount=100_000)
        houses = (first, second)
        self.sockets = [self._enter(opened, house, patron) for house, patron in zip(houses, self.patrons, strict=True)]
        self.dealers = [self._enter(opened, house, first.dealer) for house in houses]
        self.managers = [self._enter(opened, house, first.manager) for house in houses]
        number = number_of(first.dealer, self.table)
        self.watching = [
            Watching(self._enter(opened, house, first.manager), self.table, number) for house in (first, second)
        ]
        self.chance = random.Random(7)

    @staticmethod
    def _enter(opened: ExitStack, house: House, someone: Someone) -> ClientConnection:
        return opened.enter_context(house.live.someone(someone.token).socket())

    def once(self) -> tuple[Outcome, int]:
        """One try: what both were answered, and at which process the betting was closed."""
        at = self.chance.randrange(2)
        begun = answer_over(self.dealers[1 - at], self.table, "OpenBets")
        assert begun["type"] == "done", begun
        answers = self._all_at_once(at)
        self._end_round(at)
        log = [self.watching[0].events[each] for each in range(begun["last"], self.watching[0].number or 0)]
        self._check(answers, log)
        return (_outcome(answers[0]), _outcome(answers[1])), at

    def _all_at_once(self, at: int) -> list[dict[str, Any]]:
        """Both wagers and the closing, in any order and within a moment; the three answers."""
        wager = {"position": 1, "wager": "Player", "amount": 500}
        sends = [
            (self.sockets[0], "PlaceWager", {"patron": self.patrons[0].id, **wager}),
            (self.sockets[1], "PlaceWager", {"patron": self.patrons[1].id, **wager}),
            (self.dealers[at], "CloseBets", {}),
        ]
        for socket, command, values in self.chance.sample(sends, 3):
            say(socket, command, table=self.table, **values)
            sleep(self.chance.choice((0, 0, 0.0005, 0.001, 0.002)))
        return [hear(socket, "done", "refused") for socket, *_ in sends]

    def _end_round(self, at: int) -> None:
        """Without dealing, so that the next try can begin; both watchers have heard it all, and the same."""
        referred = answer_over(self.dealers[1 - at], self.table, "Refer", matter="the next try")
        assert referred["type"] == "done", referred
        last = answer_over(self.managers[at], self.table, "DecideReferral", void=True)["last"]
        for each in self.watching:
            each.hear_until(last)
        one, other = self.watching
        assert one.events == other.events
        assert one.view == other.view
        assert one.view["chips"] == dict.fromkeys((each.id for each in self.patrons), 100_000)

    def _check(self, answers: list[dict[str, Any]], log: list[dict[str, Any]]) -> None:
        """What each was answered is what the log says."""
        *wagers, closing = answers
        assert closing["type"] == "done", closing
        (closed,) = [each["number"] for each in log if each["name"] == "BetsClosed"]
        assert closing["first"] == closed
        placed = {each["body"]["patron"]: each["number"] for each in log if each["name"] == "WagerPlaced"}
        assert len([each for each in log if each["name"] == "WagerPlaced"]) <= 1
        for patron, answer in zip(self.patrons, wagers, strict=True):
            if answer["type"] == "done":
                assert answer["first"] == answer["last"] == placed[patron.id] < closed
            else:
                assert patron.id not in placed
                assert answer["code"] in ("area-full", "late-wager")
                assert placed or answer["code"] == "late-wager"


def _outcome(answer: dict[str, Any]) -> str:
    outcome: str = "placed" if answer["type"] == "done" else answer["code"]
    return outcome


@contextmanager
def two_houses(server: str, folder: Path) -> Iterator[tuple[House, House]]:
    database = new_database(server)
    arguments = (database, folder, "--key", str(folder / "punto.key"))
    with serving(*arguments) as first, serving(*arguments) as second:
        yield House(first, database), House(second, database)
        assert [first.stop(), second.stop()] == [0, 0]
    assert audited(database) == []


def run(server: str, folder: Path, tries: int) -> Counter[tuple[Outcome, int]]:
    """So many tries, and how often each came out."""
    with two_houses(server, folder) as houses, ExitStack() as opened:
        race = Race(*houses, opened)
        return Counter(race.once() for _ in range(tries))


@pytest.mark.parametrize("tries", others_long(TRIES))
def test_the_last_place_is_given_to_one_in_time_or_to_nobody(
    postgresql_server: str, tmp_path: Path, tries: int
) -> None:
    came_out = run(postgresql_server, tmp_path, tries)
    assert came_out.total() == tries
    placed = [outcome for outcome, _ in came_out if "placed" in outcome]
    assert placed
    assert all(outcome.count("placed") <= 1 for outcome, _ in came_out)


async def test_what_follows_something_that_was_overtaken_is_not_stored_either(postgresql: str) -> None:
    """Two commands are stored together, the second decided by what the first would leave; another process is quicker.

    By then there are as many events as the second expects, but they are not the ones it was decided by.
    """

    store = await PostgresStore.open(postgresql)
    event = EventRecord.of(Filled(1), 0, "pat", "Pit Manager")
    await store.append([Append("t1", 0, [event])])
    transactions = [Transaction([Append("t1", 0, [event])]), Transaction([Append("t1", 1, [event])])]
    await store.append_all(transactions)
    number, _ = await store.head("t1")
    await store.close()
    assert [type(transaction.error) for transaction in transactions] == [Conflict, Conflict]
    assert number == 1


def main() -> None:
    """Tries by hand, as many as one likes."""
    with tempfile.TemporaryDirectory() as folder, running_postgresql(Path(folder) / "data") as server:
        came_out = run(server, Path(folder), int(sys.argv[1]))
    for (outcome, at), times in sorted(came_out.items()):
        print(f"{times:5}  closed at process {at + 1}: {outcome[0]:10} at 1, {outcome[1]:10} at 2")  # noqa: T201
    print(f"{came_out.total():5}  tries, each with one answer")  # noqa: T201


if __name__ == "__main__":
    main()
