"""What a house made for practice starts with: tables, a shoe that was played and can be checked, and money."""

from __future__ import annotations

from punto.server.access.identity import Duty, People
from punto.server.http.practice import PRACTICE_MONEY
from punto.server.tables.auto_dealer import AutoDealer, Pace
from punto.server.tables.floor import Floor
from punto.server.tables.served_table import ServedTable
from punto.server.tables.table_actor import outcome
from punto.store.house import SYSTEM
from punto.table.command import Command
from punto.table.default_settings import practice_setting, squeeze_setting
from punto.table.guidance.dealer_automation import EVERYTHING
from punto.table.play.shoes import EndShoe
from punto.table.play.table_management import OpenTable
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role

MANAGER = Actor("punto", Role.ASSISTANT_CASINO_MANAGER)
FLOAT = 100_000_000
PLAYED_AHEAD = 6
"""Rounds of the first shoe: enough to check, where a whole shoe takes an hour."""


async def furnish(floor: Floor, people: People) -> None:
    """Make a table to squeeze at and an automatic table of each game, and give the patron money.

    The money comes last: without it the server was ended while it did this, and goes on where it was.
    """
    patron = await people.find_by_name(Duty.PATRON.value)
    if patron is None or patron.id in floor.cage.accounts:
        return
    games = list(floor.games.values())
    squeezed = [(f"squeeze-{book.key}", book, setting) for book in games if (setting := squeeze_setting(book))]
    plain = [(book.key, book, practice_setting(book)) for book in games]
    for number, (name, book, setting) in enumerate((*squeezed[:1], *plain)):
        if name not in floor.created:
            await floor.create_table(name, book)
        served = floor.tables.get(name)
        if served is None:
            continue  # closed by a fault, which the house tells
        if served.table.setting is None:
            await _give(floor, served, OpenTable(MANAGER, setting, FLOAT))
        if number == 0 and not served.steps:
            await _play_a_shoe(floor, served)
        if not served.steps:
            await floor.automate(name, EVERYTHING)
    await floor.cage.deposit(patron.id, PRACTICE_MONEY, SYSTEM)


async def _play_a_shoe(floor: Floor, served: ServedTable) -> None:
    """Play a few rounds and end their shoe, so that a guest finds one whose secret is published."""
    if await AutoDealer(floor, Pace(0, 0, 0, 0)).play(served, PLAYED_AHEAD):
        await _give(floor, served, EndShoe(MANAGER))


async def _give(floor: Floor, served: ServedTable, command: Command) -> None:
    answer = await outcome(floor.submit, served, command, giver=SYSTEM)
    assert not isinstance(answer, Refusal), answer
