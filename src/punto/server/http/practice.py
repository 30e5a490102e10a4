"""Practice seats: in a house made for practice anyone may sit down at once, with practice money."""

from __future__ import annotations

import secrets
from typing import Any

from msgspec import Struct
from starlette.requests import Request

from punto.server.access.identity import MINUTE, Duty, Person
from punto.server.gateway import Gateway
from punto.server.http.access.sign_in import SignedIn, let_in
from punto.server.realtime.messages import COMMAND_MESSAGES, DoneMessage, RefusedMessage
from punto.server.refused import Refused
from punto.server.routing.answers import Json
from punto.server.routing.guard import throttle
from punto.server.routing.routes import Routes
from punto.server.routing.sessions import session_of
from punto.server.running.server_log import log
from punto.server.tables.served_table import ServedTable
from punto.server.tables.table_actor import outcome
from punto.store.house import SYSTEM
from punto.table.decide import decide
from punto.table.play.chips import BuyIn
from punto.table.refusal import Refusal
from punto.table.roles import CAGE
from punto.texts import Language, text

PRACTICE_MONEY = 1_000_000
"""What a patron of a practice house has at first, in cents."""
BUY_IN = 100_000
"""What of it they have as chips at the table they sit down at, in cents."""

routes = Routes("/api/practice", "signing in")


class PracticeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to sit down; without a table, nowhere yet."""

    table: str | None = None
    language: Language = Language.ENGLISH
    """Of the name that the patron is given."""


@routes.post("/seat")
async def take_practice_seat(gateway: Gateway, request: Request, body: PracticeSeat) -> Json[SignedIn]:
    """Sign in as a new patron with practice money, and buy in at a table. Only a practice house has such seats."""
    if not gateway.practice:
        raise Refused("cannot-be", case="no-practice-house")
    if await session_of(gateway, request):
        raise Refused("cannot-be", case="signed-in")
    served = await gateway.refreshed(body.table) if body.table else None
    if served:
        _check_takes_chips(gateway, served)
    throttle(gateway.practice_seats, request)
    name = text("reports", "guest.numbered", body.language, number=1000 + secrets.randbelow(9000))
    patron = await gateway.people.add(name, Duty.PATRON, guest=True)
    await gateway.floor.cage.deposit(patron.id, PRACTICE_MONEY, SYSTEM)
    if served:
        await _buy_in(gateway, patron, served)
    log.info("practice seat taken", person=patron.id, table=body.table)
    link = await gateway.people.make_link(patron.id, MINUTE)
    return await let_in(gateway, request, None, lambda: gateway.people.use_link(link))


def _check_takes_chips(gateway: Gateway, served: ServedTable) -> None:
    """Raise ``Refused`` if no patron can buy in at a table now; before that nothing is stored."""
    tried = BuyIn(CAGE, "guest", BUY_IN, at=gateway.clock())
    decision = decide(served.table, tried)
    if isinstance(decision, Refusal):
        raise Refused(decision)


async def _buy_in(gateway: Gateway, patron: Person, served: ServedTable) -> None:
    message: Any = COMMAND_MESSAGES["BuyIn"](patron=patron.id, amount=BUY_IN)
    answer: DoneMessage | RefusedMessage = await outcome(gateway.submit, patron, served, message)
    if isinstance(answer, RefusedMessage):  # the table was closed meanwhile: the patron is here all the same
        log.info("practice buy-in refused", table=served.name, person=patron.id, code=answer.code)
