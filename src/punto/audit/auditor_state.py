"""The state of an auditor as bytes and back, so that it can go on from a checkpoint instead of the first event."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from punto.audit.open_matters import Area, OpenMatter
from punto.audit.recomputation import Auditor, auditor_of
from punto.audit.wager_money import Caps, Holdings, Limits, WagerSettled
from punto.store.codec import decode_other, encode_other
from punto.table.event import Settled
from punto.table.play.second_person import ActProposed
from punto.table.settings import Burn, Setting


class MoneyState(Struct):
    """What an auditor knows of money and rounds."""

    number: int
    setting: Setting | None
    limits: Limits
    float_: int
    commission: int
    chips: dict[str, int]
    owes: dict[str, int]
    layout: dict[Area, int]
    round: int
    betting: bool
    announced: bool
    exceeded: bool
    in_round: bool
    shoe_began: int
    recorded: dict[int, dict[Area, Settled]]
    first_under: dict[int, set[str]]
    once_under_minimum: set[str]
    settled: dict[int, dict[Area, WagerSettled]]
    played: dict[int, tuple[tuple[list[str], list[str]], Limits]]
    caps: Caps = ()


class CardsState(Struct):
    """What it knows of the cards."""

    player: list[str]
    banker: list[str]
    _numbers: dict[str, list[int]]
    _relaid: bool
    _surplus: dict[int, str]
    _left_lying: list[int]
    _order: list[int]
    _next: int
    _size: int
    _decks: int
    _shoe: int
    _loaded: bool
    _burn: Burn | None
    _out: list[int]
    _together: list[int]
    _laid: list[int]
    _ordered: list[int]
    _asked: list[str | None]
    _in_round: int
    _last_round: int
    _seen: dict[str, int]
    _missing: list[str]
    _replacing: bool
    _named: str
    _rounds: dict[int, tuple[int, list[str]]]


class PeopleState(Struct):
    """What it knows of people."""

    _on_duty: str | None
    _setting: Setting | None
    _round: int
    _in_round: bool
    _proposed: dict[int, ActProposed]
    _second: str


class MattersState(Struct):
    """What it knows of what play waits for."""

    _held: list[OpenMatter]
    offered_to: dict[str, dict[Area, int]]
    _decided_void: bool
    _decided_cards_only: bool
    was_reset: bool


class AuditorState(Struct):
    """Everything an auditor knows."""

    money: MoneyState
    cards: CardsState
    people: PeopleState
    matters: MattersState


def state_of(auditor: Auditor) -> bytes:
    """Return the state of an auditor."""
    parts = (_taken(MoneyState, auditor), _taken(CardsState, auditor.cards))
    state = AuditorState(*parts, _taken(PeopleState, auditor.people), _taken(MattersState, auditor.matters))
    return msgspec.msgpack.encode(state, enc_hook=encode_other)


def restored(body: bytes, game_file: bytes, stream: str) -> Auditor:
    """Return the auditor again."""
    state, auditor = _decoder().decode(body), auditor_of(game_file, stream)
    for part, whose in (
        (state.money, auditor),
        (state.cards, auditor.cards),
        (state.people, auditor.people),
        (state.matters, auditor.matters),
    ):
        for name in part.__struct_fields__:
            setattr(whose, name, getattr(part, name))
    auditor.chips, auditor.owes = Holdings(), Counter(state.money.owes)
    for patron, amount in state.money.chips.items():
        auditor.chips[patron] = amount
    auditor.cards._seen = Counter(state.cards._seen)
    return auditor


def _taken(kind: type[Any], whose: object) -> Any:
    return kind(**{name: getattr(whose, name) for name in kind.__struct_fields__})


def same_state(one: bytes, other: bytes) -> bool:
    """Whether two states are the same; sets may be written in another order."""
    return bool(_decoder().decode(one) == _decoder().decode(other))


@cache
def _decoder() -> msgspec.msgpack.Decoder[AuditorState]:
    return msgspec.msgpack.Decoder(AuditorState, dec_hook=decode_other)
