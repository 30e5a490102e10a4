"""Who plays and works at the tables of a chaos run: patrons, a Dealer, a Pit Manager, a cashier."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any
from urllib.parse import quote

import msgspec
from chaos.town import Given, Person
from msgspec.structs import asdict

from punto.cards import DECK, Card
from punto.rules.rulebook import Rulebook
from punto.shoe import Contribution
from punto.store.codec import decode, version_of
from punto.table.command import Command
from punto.table.evolve import evolve
from punto.table.guidance.dealer_automation import EVERYTHING, next_command
from punto.table.play.dealing import ShowCuttingCard
from punto.table.play.shoes import EndShoe, LoadShoe
from punto.table.play.wagers import CloseBets
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.settings import Device
from punto.table.table import Table

SHORT_SHOE = 60
"""Cards after which the Dealer shows the cutting card, so that shoes end often."""
_DEALER = Actor("", Role.DEALER)


class Patron(Person):
    """Places wagers and takes them back, buys in and cashes out."""

    seat = 1
    rest = (0.02, 0.15)
    """Seconds between two commands."""

    async def play(self, tables: Sequence[str]) -> None:
        while not self.town.closing:
            await asyncio.sleep(self.dice.uniform(*self.rest))
            table = self.dice.choice(tables)
            if self.heard[table].view:
                await self._turn(table, self.heard[table].view)

    async def _turn(self, table: str, view: Mapping[str, Any]) -> None:
        chips, dice = self.heard[table].chips, self.dice
        if chips < 20_000 and dice.random() < 0.7:
            await self.give(table, "BuyIn", patron=self.id, amount=dice.randrange(20, 100) * 1_000)
        elif view["phase"] == Phase.BETTING:
            await self._wager(table, view)
        elif dice.random() < 0.2:
            await self.give(table, "CashOut", patron=self.id, amount=dice.randrange(1, 40) * 100)

    async def _wager(self, table: str, view: Mapping[str, Any]) -> None:
        own = [each for each in view["wagers"] if each["patron"] == self.id]
        about = {"in_round": view["round"], "patron": self.id}
        if own and self.dice.random() < 0.3:
            taken = {name: own[0][name] for name in ("position", "wager", "amount")}
            await self.give(table, "TakeBackWager", **taken, **about)
            return
        wager, limits = self.dice.choice(sorted(view["setting"]["limits"].items()))
        amount = limits["minimum"] + 100 * self.dice.randrange(20)
        position = self.seat % view["setting"]["positions"] + 1
        await self.give(table, "PlaceWager", position=position, wager=wager, amount=amount, **about)

    async def leave(self, table: str) -> None:
        """Cash out all of the patron's chips there."""
        while chips := (await self.ask("GET", f"/api/tables/{table}/mine")).json()["chips"]:
            await self.give(table, "CashOut", patron=self.id, amount=chips)

    def contribution(self, shoe: str, anchor: str) -> Contribution:
        """Return the patron's contribution to a cut: the same one if asked again."""
        return Contribution(b"chaos", sha256(f"{self.name} {shoe} {anchor}".encode()).digest())


class Dealer(Person):
    """Deals tables by hand. They know a table by the events they are told, and do what the rules want next."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.tables: dict[str, Table] = {}
        self.cutter: Patron | None = None
        self.on_event = self._seen
        self.betting = 0.5
        self.moment = 0.01
        """Seconds between two looks at a table."""

    def _seen(self, table: str, event: dict[str, Any]) -> None:
        kind = event["name"]
        happened = decode(kind, version_of(kind), msgspec.json.encode(event["body"]))
        self.tables[table] = evolve(self.tables[table], happened)

    def take_on(self, table: str, book: Rulebook) -> None:
        self.tables[table] = Table(book)

    async def deal(self, name: str) -> None:
        """Deal for as long as the run lasts."""
        while not self.town.closing:
            await self._step(name)

    async def finish(self, name: str) -> None:
        """Play out the round there is."""
        while self.tables[name].phase is not Phase.IDLE:
            await self._step(name)

    async def _step(self, name: str) -> None:
        command = await self._next(name)
        if command is None:
            await asyncio.sleep(self.moment)
            return
        given = await self.give(name, type(command).__name__, **_values(command))
        for _ in range(500):
            if self.heard[name].last >= given.last:
                return
            await asyncio.sleep(self.moment)

    async def _next(self, name: str) -> Command | None:
        table = self.tables[name]
        if table.phase is Phase.SHUT:
            return None
        if table.shoe is None:
            brought = await self._bring_shoe(name, table)
            return LoadShoe(_DEALER, brought) if brought else None
        if table.phase is Phase.BETTING:
            await asyncio.sleep(self.betting)
            return CloseBets(_DEALER) if self.tables[name].phase is Phase.BETTING else None
        shoe = table.shoe
        if table.phase is Phase.CLOSED and shoe.drawn >= SHORT_SHOE and not shoe.cutting_card_shown:
            return ShowCuttingCard(_DEALER)
        sealed = table.set_up.device is Device.SEALED
        return next_command(table, EVERYTHING, lambda index: None if sealed else keyed_card(shoe.name, index))

    # --- shoes -----------------------------------------------------------------------------------------------------

    async def _bring_shoe(self, name: str, table: Table) -> str | None:
        """The next shoe; a sealed one is cut by a patron. Each step is taken by what is there, also after a kill."""
        if table.set_up.device is not Device.SEALED:
            return f"{name} {table.shoes + 1}"
        path = f"/api/tables/{name}/shoes"
        shoes = (await self.ask("GET", path)).json()
        waits = [each for each in shoes if each["ready"] or not each["list_closed"] or each["missing"]]
        if not waits:
            await self.ask("POST", path)
        elif waits[0]["ready"]:
            shoe: str = waits[0]["shoe"]
            return shoe
        else:
            await self._have_it_cut(path, waits[0])
        return None

    async def _have_it_cut(self, path: str, shoe: dict[str, Any]) -> None:
        patron, place = self.cutter, f"{path}/{quote(shoe['shoe'])}"
        assert patron is not None
        told = patron.contribution(shoe["shoe"], shoe["anchor"])
        if not shoe["list_closed"]:
            if patron.id not in shoe["pledged"]:
                commitment = told.commitment(bytes.fromhex(shoe["anchor"]), patron.id).hex()
                await patron.ask("POST", f"{place}/pledges", commitment=commitment)
            await self.ask("POST", f"{place}/list")
        await patron.ask("POST", f"{place}/contributions", words=told.words.hex(), nonce=told.nonce.hex())


def keyed_card(shoe: str, index: int) -> Card:
    """A card of a shoe that only the Dealer sees: the same whenever it is asked for."""
    return _keyed_shoe(shoe)[index]


@cache
def _keyed_shoe(shoe: str) -> Sequence[Card]:
    cards = list(DECK) * 6
    Random(shoe).shuffle(cards)
    return cards


def _values(command: Command) -> dict[str, Any]:
    values = {name: value for name, value in asdict(command).items() if name not in ("by", "at")}
    return {name: value for name, value in values.items() if value is not None}


class PitManager(Person):
    """Ends a shoe now and then, where a round has just been settled."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self._ends: asyncio.Queue[str] = asyncio.Queue()
        self.on_event = self._seen
        self.often = 0.02

    def _seen(self, table: str, event: dict[str, Any]) -> None:
        if event["name"] == "RoundSettled" and self.dice.random() < self.often:
            self._ends.put_nowait(table)

    async def work(self) -> None:
        while not self.town.closing:
            try:
                table = await asyncio.wait_for(self._ends.get(), 0.2)
            except TimeoutError:
                continue
            await self.end_shoe(table)

    async def end_shoe(self, table: str) -> Given:
        return await self.give(table, EndShoe.__name__)


class Cashier(Person):
    """Takes money in and pays it out at the cage."""

    async def work(self, patrons: Sequence[str]) -> None:
        while not self.town.closing:
            await asyncio.sleep(self.dice.uniform(0.1, 0.6))
            pays_in = self.dice.random() < 0.6
            key, patron = f"{self.name}-{next(self._keys)}", self.dice.choice(patrons)
            amount = self.dice.randrange(1, 100) * 1_000
            path = "/api/cage/deposits" if pays_in else "/api/cage/payments"
            answer = await self.ask("POST", path, patron=patron, amount=amount, key=key)
            if answer.status_code == 200:
                self.town.cage_orders.append((key, patron, "Deposited" if pays_in else "PaidOut", amount))
