"""Limits of patrons over the house, exclusions, and stops of gaming."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from punto.server.access.identity import Duty, Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.patron_limits.limit_state import LimitState
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.server.running.server_log import log
from punto.store.events.house_events import GamingResumed, GamingStopped, StopScope
from punto.store.events.limit_events import ExclusionKind, LimitKind, Period
from punto.table.guards import MOST

COOL_OFF_DAYS, EXCLUSION_DAYS = (1, 42), (180, 1_825)
"""The fewest and the most days that a patron chooses."""
Reason = Annotated[str, Meta(min_length=1, max_length=500)]
PatronId = Annotated[str, Meta(min_length=1, max_length=64)]


class NewLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """A limit over all tables: cents, or minutes of play; none lifts it."""

    kind: LimitKind
    period: Period
    limit: Annotated[int, Meta(ge=0, lt=MOST)] | None


class OwnExclusion(Struct, frozen=True, forbid_unknown_fields=True):
    """A break from play for some days; without days the patron excludes themselves for good."""

    days: Annotated[int, Meta(ge=1)] | None = None


class HouseExclusion(Struct, frozen=True, forbid_unknown_fields=True):
    """An exclusion that the house orders, for some days or until it lifts it."""

    reason: Reason
    days: Annotated[int, Meta(ge=1, le=36_500)] | None = None


class Lifting(Struct, frozen=True, forbid_unknown_fields=True):
    """Why an exclusion is lifted."""

    reason: Reason


class LimitShown(Struct, frozen=True):
    """A limit: what is in force and used of it up to now, and what it will be from when on."""

    kind: LimitKind
    period: Period
    limit: int | None
    used: int
    eased_to: int | None = None
    eased_from: int | None = None


class LimitsShown(Struct, frozen=True):
    """All limits of a patron, and whether they are excluded: why, and until when."""

    patron: str
    limits: list[LimitShown]
    excluded: ExclusionKind | None = None
    until: int | None = None


class Stop(Struct, frozen=True, forbid_unknown_fields=True):
    """What is stopped or resumed: all gaming, a game by its key, or a table by its name; and why."""

    scope: StopScope
    reason: Reason
    subject: Annotated[str, Meta(max_length=100)] = ""


class StopShown(Struct, frozen=True):
    """A stop that holds: since when, and who ordered it."""

    scope: StopScope
    subject: str
    at: int
    by: str


routes = Routes("/api/limits", "limits of patrons and stops of gaming")


@routes.get("/mine")
async def my_limits(gateway: Gateway, person: Person) -> LimitsShown:
    """Return the caller's own limits over all tables."""
    return await _shown(gateway, person.id)


@routes.post("/mine")
async def set_limit(gateway: Gateway, person: Person, body: NewLimit) -> LimitsShown:
    """Set a limit of the caller's own: a lower one holds at once, a higher one or none a day later."""
    _check_registered(person)
    unit = 60_000 if body.kind is LimitKind.TIME else 1
    limit = None if body.limit is None else body.limit * unit
    await gateway.floor.limits.set_limit(person.id, body.kind, body.period, limit, person.giver)
    log.info("limit set", by=person.id)
    return await _shown(gateway, person.id)


@routes.post("/mine/exclusion")
async def exclude_myself(gateway: Gateway, person: Person, body: OwnExclusion) -> LimitsShown:
    """Take a break of some days from play, exclude oneself for at least half a year, or for good."""
    _check_registered(person)
    days = body.days
    kind = ExclusionKind.COOL_OFF if days is not None and days <= COOL_OFF_DAYS[1] else ExclusionKind.SELF
    if kind is ExclusionKind.SELF and days is not None and not EXCLUSION_DAYS[0] <= days <= EXCLUSION_DAYS[1]:
        raise Refused("exclusion-days", most=COOL_OFF_DAYS[1], fewest=EXCLUSION_DAYS[0], longest=EXCLUSION_DAYS[1])
    await gateway.floor.limits.exclude(person.id, kind, days, "", person.giver)
    log.info("excluded", person=person.id, by=person.id)
    return await _shown(gateway, person.id)


@routes.get("/patrons/{patron}", permission=Permission.SEE_ACCOUNTS)
async def limits_of(gateway: Gateway, patron: str) -> LimitsShown:
    """Return the limits of a patron over all tables."""
    await _check_patron(gateway, patron)
    return await _shown(gateway, patron)


@routes.post("/patrons/{patron}/exclusion", permission=Permission.STOP_GAMING)
async def exclude(gateway: Gateway, person: Person, patron: str, body: HouseExclusion) -> LimitsShown:
    """Exclude a patron: wagers and deposits stop at that moment, and withdrawals stay possible."""
    await _check_patron(gateway, patron)
    await gateway.floor.limits.exclude(patron, ExclusionKind.HOUSE, body.days, body.reason, person.giver)
    log.info("excluded", person=patron, by=person.id)
    return await _shown(gateway, patron)


@routes.post("/patrons/{patron}/exclusion/lift", permission=Permission.STOP_GAMING)
async def lift_exclusion(gateway: Gateway, person: Person, patron: str, body: Lifting) -> LimitsShown:
    """Lift an exclusion that the house ordered; what the patron chose holds on."""
    await _check_patron(gateway, patron)
    await gateway.floor.limits.lift(patron, body.reason, person.giver)
    log.info("exclusion lifted", person=patron, by=person.id)
    return await _shown(gateway, patron)


@routes.get("/stops", permission=Permission.SEE_PIT)
async def list_stops(gateway: Gateway) -> list[StopShown]:
    """List the stops of gaming that hold."""
    journal = await gateway.floor.read_journal()
    return [
        StopShown(StopScope(scope), subject, each.at, each.by) for (scope, subject), each in journal.stops.items()
    ]  # fmt: skip


@routes.post("/stops", permission=Permission.STOP_GAMING)
async def stop_gaming(gateway: Gateway, person: Person, body: Stop) -> list[StopShown]:
    """Stop all gaming, a game or a table: no wager is taken, and rounds in play are concluded."""
    if not _is_there(gateway, body):
        raise Refused("not-to-stop", subject=body.subject)
    if (body.scope.value, body.subject) in (await gateway.floor.read_journal()).stops:
        raise Refused("already-stopped")
    await gateway.floor.record(GamingStopped(body.scope, body.subject, body.reason), person.giver)
    log.warning("gaming stopped", scope=body.scope.value, subject=body.subject, by=person.id)
    return await list_stops(gateway)


@routes.post("/stops/lift", permission=Permission.STOP_GAMING)
async def resume_gaming(gateway: Gateway, person: Person, body: Stop) -> list[StopShown]:
    """Lift a stop of gaming; another one about the same table holds on."""
    if (body.scope.value, body.subject) not in (await gateway.floor.read_journal()).stops:
        raise Refused("not-stopped")
    await gateway.floor.record(GamingResumed(body.scope, body.subject, body.reason), person.giver)
    log.warning("gaming resumed", scope=body.scope.value, subject=body.subject, by=person.id)
    return await list_stops(gateway)


def _is_there(gateway: Gateway, stop: Stop) -> bool:
    floor = gateway.floor
    there = {StopScope.ALL: ("",), StopScope.GAME: floor.created.values(), StopScope.TABLE: floor.created}
    return stop.subject in there[stop.scope]


def _check_registered(person: Person) -> None:
    if person.duty is not Duty.PATRON or person.guest:
        raise Refused("not-permitted", duty=person.duty.value)


async def _check_patron(gateway: Gateway, patron: str) -> None:
    found = await gateway.people.find(patron)
    if found is None or found.duty is not Duty.PATRON:
        raise Refused("unknown-patron", patron=patron)


async def _shown(gateway: Gateway, patron: str) -> LimitsShown:
    limits, now = await gateway.floor.limits.of(patron)
    excluded, until = limits.exclusion(now) or (None, None)
    return LimitsShown(patron, _each_limit(limits, now), excluded, until)


def _each_limit(limits: LimitState, now: int) -> list[LimitShown]:
    shown = []
    for (kind, period), each in limits.limits.items():
        pending = each.eased_from is not None and each.eased_from > now
        eased = (each.eased_to, each.eased_from) if pending else (None, None)
        if (limit := each.in_force(now)) is not None:
            shown.append(LimitShown(kind, period, limit, limits.used(kind, period, now), *eased))
    return shown
