"""The automatic Dealer of tables whose steps the house has automated; it has a Dealer's authority and no more.

It seals a shoe, gives patrons time to cut it, puts it on the table, and then does the steps that are automatic. What
the rules reserve for a position above the Dealer waits for that person.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass

from punto.rules.deal_counts import CUT_FROM_THE_END
from punto.server.running.server_log import log
from punto.server.tables.cut_times import seated_at
from punto.server.tables.floor import Floor
from punto.server.tables.served_table import ServedTable
from punto.server.tables.table_actor import outcome
from punto.shoe.cut import CutError
from punto.table.command import Command
from punto.table.guidance.dealer_automation import EVERYTHING, Step, next_command
from punto.table.play.card_handling import ChooseFirstHand, PassHand
from punto.table.play.dealing import AnnounceOutcome, ShowCuttingCard
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import LoadShoe
from punto.table.play.wagers import CloseBets
from punto.table.play.windows import TimeSqueeze
from punto.table.refusal import Refusal
from punto.table.roles import AUTOMATON
from punto.table.round import Phase
from punto.table.settings import Device
from punto.table.table import Table


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the steps of an automatic table take, in seconds."""

    step: float = 0.8
    """From one card to the next."""
    look: float = 4.0
    """For patrons to see the outcome, and then the settlement."""
    cut: float = 10.0
    """For patrons to commit to a cut, and then to reveal; a table without patrons does not wait."""
    idle: float = 2.0
    """Between checks for something to do."""


USUAL_PACE = Pace()
BY = (AUTOMATON.id, AUTOMATON.role.value)
"""Who did what it does to a shoe."""
LOOK_AGAIN = 0.2
"""Seconds between looks at a cut under way."""


class AutoDealer:
    """Drives the automatic tables of a floor."""

    def __init__(self, floor: Floor, pace: Pace = USUAL_PACE) -> None:
        self._floor, self._pace = floor, pace

    async def drive(self, served: ServedTable) -> None:
        """Drive one table as long as a step of it is automatic; of several processes one does."""
        while served.steps and not self._floor.stopping:
            try:
                await self._drive_on(served)
            except Exception:  # the database is away, say: a table without a driver would stand still for good
                log.exception("automatic dealer failed", table=served.name)
                await asyncio.sleep(self._pace.idle)

    async def _drive_on(self, served: ServedTable) -> None:
        if not await self._floor.lead(served):
            await asyncio.sleep(self._pace.idle)
            return
        served.changed.clear()
        if not await self._do_next(served, served.steps):
            await _either(served.changed, self._pace.idle)

    async def play(self, served: ServedTable, rounds: int) -> bool:
        """Play a table that no patron is at yet up to a round; False if one of the rounds waits for a person."""
        while served.table.round_number < rounds or served.table.phase is not Phase.IDLE:
            if served.table.phase is Phase.BETTING and not served.table.hold:
                done = await self._give(served, CloseBets(AUTOMATON))
            else:
                done = await self._do_next(served, EVERYTHING)
            if not done:
                return False
        return True

    async def _do_next(self, served: ServedTable, steps: Collection[Step]) -> bool:
        """Do the next step; False if there is nothing to do but to wait."""
        table = served.table
        if table.phase is Phase.IDLE and not table.hold and table.shoe is None:
            return await self._bring_shoe(served)
        if Step.DRAW in steps and _cutting_card_is_due(table):
            return await self._give(served, ShowCuttingCard(AUTOMATON))
        command = next_command(table, steps, lambda _: None) if table.shoe else None
        if command is None:
            return False
        return await self._give(served, command)

    async def _give(self, served: ServedTable, command: Command) -> bool:
        answer = await outcome(self._floor.submit, served, command)
        if isinstance(answer, Refusal):
            log.info("automatic step refused", table=served.name, command=type(command).__name__, code=answer.code)
            return False
        await asyncio.sleep(self._pause_after(command))
        return True

    def _pause_after(self, command: Command) -> float:
        """Return the seconds until the next step; a patron who is passed cards can turn them at once."""
        if isinstance(command, AnnounceOutcome | SettleRound):
            return self._pace.look
        return 0 if isinstance(command, PassHand | ChooseFirstHand | TimeSqueeze) else self._pace.step

    # --- shoes -----------------------------------------------------------------------------------------------------

    async def _bring_shoe(self, served: ServedTable) -> bool:
        """Bring a sealed shoe and have it cut; real cards have to be brought by staff."""
        table, keeper = served.table, served.keeper
        if table.setting is None or table.set_up.device is not Device.SEALED:
            return False
        await keeper.catch_up()
        decks = table.set_up.decks
        shoe = await keeper.next_shoe(decks, self._time_to_cut(served), BY) or keeper.waiting(decks)
        assert shoe is not None
        if not keeper.is_ready(shoe):
            await self._have_it_cut(served, shoe)
        return await self._give(served, LoadShoe(AUTOMATON, shoe))

    async def _have_it_cut(self, served: ServedTable, shoe: str) -> None:
        """Let patrons commit and then reveal; those who do not are left out, and the others cut again."""
        keeper = served.keeper
        while not keeper.shoes[shoe].complete:
            if left := self._left(self._ends(served, shoe)):
                await asyncio.sleep(min(LOOK_AGAIN, left))
                await keeper.catch_up()
                continue
            with suppress(CutError):  # someone sat down, committed or revealed in between: look again
                if keeper.shoes[shoe].list_closed:
                    await keeper.cut_again(shoe, self._time_to_cut(served), BY)
                else:
                    await keeper.close_list(shoe, self._time_to_cut(served), BY, seated_at(served.table))

    def _time_to_cut(self, served: ServedTable) -> int | None:
        """Return when the next step of a cut ends; None at a table without patrons, which does not wait."""
        if not any(served.table.chips.values()):
            return None
        return self._floor.clock() + round(1000 * self._pace.cut)

    def _ends(self, served: ServedTable, shoe: str) -> int:
        """Return when the step under way ends; nobody is waited for where everyone has answered."""
        keeper = served.keeper
        cut = keeper.shoes[shoe]
        if not cut.list_closed and not keeper.times.absent(shoe, cut, seated_at(served.table)):
            return keeper.until(shoe) or 0
        return keeper.times.due(shoe)

    def _left(self, ends: int) -> float:
        """Return the seconds until then."""
        return max(0, ends - self._floor.clock()) / 1000


def _cutting_card_is_due(table: Table) -> bool:
    """Whether the next round must be the last of a sealed shoe, which has no physical cutting card."""
    shoe = table.shoe
    if shoe is None or table.phase is not Phase.CLOSED or table.hold or table.set_up.device is not Device.SEALED:
        return False
    return not shoe.cutting_card_shown and table.cards_left <= CUT_FROM_THE_END


async def _either(changed: asyncio.Event, seconds: float) -> None:
    """Wait until something has happened, or for this long."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):  # wait_for can swallow a cancellation at that very moment
            await changed.wait()
