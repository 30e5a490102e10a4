"""Sealed shoes: sealed by the house, cut by patrons, published at their end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from msgspec import Meta, Raw, Struct

from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.http.tables import newest
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.server.tables.cut_times import seated_at
from punto.server.tables.served_table import ServedTable
from punto.server.tables.shoe_keeper import ShoeKeeper
from punto.shoe.cut import Contribution, Cut, CutError, Pledge
from punto.shoe.encoding import Format
from punto.table.settings import Device

MOST_SHOES = 20
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class PledgeShown(Struct, frozen=True):
    """A patron in the list of a cut: the commitment and, once revealed, the contribution; in hexadecimal digits."""

    patron: str
    commitment: str
    words: str | None
    nonce: str | None


class ShoeShown(Struct, frozen=True):
    """A sealed shoe: what the house committed to, and how far its cut has come."""

    shoe: str
    decks: int
    commitment: str
    anchor: str
    """What a contribution is committed to."""
    list_closed: bool
    closed_list: str | None
    pledged: tuple[str, ...]
    pledges: tuple[PledgeShown, ...]
    """The same in full: all of it but the secret is public, so that anyone can check the list and the cut."""
    missing: tuple[str, ...]
    """Patrons who have committed and not revealed."""
    left_out: tuple[str, ...]
    """Patrons who did not reveal in an earlier cut of this shoe."""
    cut: str | None
    """The value of the whole cut, once every patron in the list has revealed."""
    deadline: int | None
    """When the step that the cut waits for is over, where the house has set a time."""
    ready: bool
    published: bool
    declined: tuple[str, ...] = ()
    """Patrons who do not want to take part in this cut."""
    begun: int = 1
    """How many cuts of this shoe were begun; all but the last were spoiled."""
    sealed_at: int = 0
    """When the house sealed it and published its commitment, in milliseconds since 1970."""
    format: Format = Format.ONE
    """The scheme of its commitments and of its record."""


class Pledged(Struct, frozen=True, forbid_unknown_fields=True):
    """A patron's commitment to a contribution, in hexadecimal digits."""

    commitment: Hex32


class Revealed(Struct, frozen=True, forbid_unknown_fields=True):
    """A patron's contribution, in hexadecimal digits."""

    words: Annotated[str, Meta(max_length=128, pattern="^([0-9a-f]{2})*$")]
    nonce: Hex32


routes = Routes("/api/tables/{table}/shoes", "shoes")


@routes.get("")
async def list_shoes(
    gateway: Gateway, table: str, most: Annotated[int, Meta(ge=1, le=MOST_SHOES)] | None = None
) -> list[ShoeShown]:
    """List the sealed shoes of a table in their order. With ``most``, list the last of them, the newest first."""
    keeper = await _keeper(gateway, table)
    listed = keeper.shoes if most is None else keeper.latest(most)
    return [_shown(keeper, *each) for each in listed.items()]


@routes.post("", permission=Permission.BRING_SHOES)
async def seal_shoe(gateway: Gateway, person: Person, table: str) -> ShoeShown:
    """Seal the next shoe of a table. Only one waits to be used."""
    served, keeper = await newest(gateway, table), await _keeper(gateway, table)
    if served.table.setting is None or served.table.set_up.device is not Device.SEALED:
        raise Refused("cannot-be", case="no-sealed-shoes")
    decks = served.table.set_up.decks
    sealed = await keeper.next_shoe(decks, _until(gateway, served), person.giver)
    if sealed is None:
        raise Refused("cannot-be", case="shoe-waits", shoe=keeper.waiting(decks))
    return _shown(keeper, sealed, keeper.shoes[sealed])


@routes.post("/{shoe}/pledges", permission=Permission.CUT_SHOES)
async def pledge_cut(gateway: Gateway, person: Person, table: str, shoe: str, body: Pledged) -> ShoeShown:
    """Commit to a contribution, before any patron reveals theirs."""
    return await _step(
        gateway, table, shoe, lambda keeper: keeper.pledge(shoe, person.id, bytes.fromhex(body.commitment))
    )


@routes.post("/{shoe}/list", permission=Permission.BRING_SHOES)
async def close_list(gateway: Gateway, person: Person, table: str, shoe: str) -> ShoeShown:
    """Take no more commitments. From now on contributions are revealed.

    Refused while a patron with chips at the table has neither committed nor declined, until the time to is over.
    """
    served = await newest(gateway, table)
    until, seated = _until(gateway, served), seated_at(served.table)
    return await _step(gateway, table, shoe, lambda keeper: keeper.close_list(shoe, until, person.giver, seated))


@routes.post("/{shoe}/decline", permission=Permission.CUT_SHOES)
async def decline_cut(gateway: Gateway, person: Person, table: str, shoe: str) -> ShoeShown:
    """Decline to cut a shoe, so that the table need not wait for the caller."""
    return await _step(gateway, table, shoe, lambda keeper: keeper.decline(shoe, person.id))


@routes.post("/{shoe}/contributions", permission=Permission.CUT_SHOES)
async def reveal_cut(gateway: Gateway, person: Person, table: str, shoe: str, body: Revealed) -> ShoeShown:
    """Reveal the contribution that the caller committed to."""
    contribution = Contribution(bytes.fromhex(body.words), bytes.fromhex(body.nonce))
    return await _step(gateway, table, shoe, lambda keeper: keeper.reveal(shoe, person.id, contribution))


@routes.post("/{shoe}/again", permission=Permission.BRING_SHOES)
async def cut_again(gateway: Gateway, person: Person, table: str, shoe: str) -> ShoeShown:
    """Begin the cut again without the patrons who did not reveal, once the time to is over."""
    until = _until(gateway, await newest(gateway, table))
    return await _step(gateway, table, shoe, lambda keeper: keeper.cut_again(shoe, until, person.giver))


@routes.get("/{shoe}/record")
async def show_record(gateway: Gateway, table: str, shoe: str) -> Raw:
    """Return the record of a shoe that has ended, by which anyone can check every card of it."""
    keeper = await _known(gateway, table, shoe)
    published = await keeper.record(shoe)
    if published is None:
        raise Refused("cannot-be", case="shoe-not-ended", shoe=shoe)
    return Raw(published.encode())


def _until(gateway: Gateway, served: ServedTable) -> int | None:
    """Return when the step of a cut that begins now is over; a table without patrons waits for nobody."""
    return gateway.clock() + gateway.floor.time_to_cut if seated_at(served.table) else None


async def _keeper(gateway: Gateway, table: str) -> ShoeKeeper:
    keeper = gateway.table(table).keeper
    await keeper.catch_up()
    return keeper


async def _known(gateway: Gateway, table: str, shoe: str) -> ShoeKeeper:
    keeper = await _keeper(gateway, table)
    if shoe not in keeper.shoes:
        raise Refused("not-found")
    return keeper


async def _step(gateway: Gateway, table: str, shoe: str, work: Callable[[ShoeKeeper], Awaitable[Cut]]) -> ShoeShown:
    keeper = await _known(gateway, table, shoe)
    try:
        cut = await work(keeper)
    except CutError as error:
        raise Refused("cannot-be", case=error.case, **error.values) from None
    return _shown(keeper, shoe, cut)


def _shown(keeper: ShoeKeeper, name: str, cut: Cut) -> ShoeShown:
    closed = cut.closed_list.hex() if cut.list_closed else None
    return ShoeShown(
        shoe=name,
        decks=cut.seal.decks,
        commitment=cut.seal.commitment.hex(),
        anchor=cut.anchor.hex(),
        list_closed=cut.list_closed,
        closed_list=closed,
        pledged=tuple(each.patron for each in cut.pledges),
        pledges=tuple(_pledge(each) for each in cut.pledges),
        missing=cut.missing if cut.list_closed else (),
        left_out=tuple(sorted(cut.left_out)),
        cut=cut.value.hex() if cut.complete else None,
        deadline=None if cut.complete else keeper.until(name),
        ready=keeper.is_ready(name),
        published=keeper.is_published(name),
        declined=tuple(sorted(keeper.times.declined(name))),
        begun=len(cut.spoiled) + 1,
        sealed_at=keeper.times.conducts[name][0].began,
        format=cut.seal.version,
    )


def _pledge(pledge: Pledge) -> PledgeShown:
    revealed = pledge.revealed
    words, nonce = (revealed.words.hex(), revealed.nonce.hex()) if revealed else (None, None)
    return PledgeShown(pledge.patron, pledge.commitment.hex(), words, nonce)
