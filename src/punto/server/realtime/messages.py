"""Messages between a server and the people at its tables, as JSON.

Commands, events and views are the table's own values: what may be sent is read off them here. What is added is
only which table it is about, a number by which the answer is known, and the key by which a retry is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from hashlib import sha256
from operator import attrgetter, or_
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Meta, Raw, Struct, field
from msgspec.structs import fields

from punto.rules.rulebook import Rulebook
from punto.server.tables.table_actor import Done, Key
from punto.store.codec import encoder
from punto.table.command import Command, Report
from punto.table.decide import COMMANDS
from punto.table.play.table_management import ChangeLimits, OpenTable
from punto.table.refusal import Refusal
from punto.table.roles import Actor
from punto.table.settings import Limits, Setting
from punto.table.views import PrivateView, PublicView

Word = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[!-~]+$")]
"""A word of the sender's own choice."""
TableName = Annotated[str, Meta(min_length=1, max_length=64)]
Id = int | Word | None
"""By which the sender knows the answer."""


class BadMessage(ValueError):
    """What was sent is not understood; the sentence says where."""


# --- what people send ------------------------------------------------------------------------------------------------


class Order(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True, tag_field="command"):
    """What all messages to a server have."""

    id: Id = None
    table: TableName | None = None
    key: Word | None = None
    """The same key again is a retry: it is answered as before, and nothing is done twice."""


class Subscribe(Order, kw_only=True, frozen=True):
    """Be told of everything at a table from now on, or from an event on."""

    after: int | None = None


class Unsubscribe(Order, kw_only=True, frozen=True):
    """Be told no more."""


class Ping(Order, kw_only=True, frozen=True):
    """Ask whether the server is there."""


_FROM_THE_SERVER = {"by", "at"}
"""Who gives a command and when is not for him to say."""


def _closed(kind: type[Any]) -> type[Struct]:
    """A value of the table as a message that takes no field it does not know."""
    wanted: list[Any] = []
    for each in fields(kind):
        if each.name in _FROM_THE_SERVER and issubclass(kind, Command):
            continue
        given: tuple[Any, ...] = (each.name, _closed_hint(each.type))
        wanted.append(given if each.default is NODEFAULT else (*given, each.default))
    if issubclass(kind, Command):
        assert not {name for name, *_ in wanted} & {"id", "table", "key", "command"}, kind
        made = msgspec.defstruct(kind.__name__, wanted, bases=(Order,), kw_only=True, frozen=True, tag=True)
    else:
        made = msgspec.defstruct(f"New{kind.__name__}", wanted, kw_only=True, frozen=True, forbid_unknown_fields=True)
    made.__doc__ = kind.__doc__
    return made


_MADE: dict[Any, type[Struct]] = {}


def _closed_hint(hint: Any) -> Any:
    if isinstance(hint, type) and issubclass(hint, Struct):
        if hint not in _MADE:
            _MADE[hint] = _closed(hint)
        return _MADE[hint]
    if get_origin(hint) is Mapping:
        key, value = get_args(hint)
        return dict[key, _closed_hint(value)]  # type: ignore[valid-type,misc]
    return hint


ORDERS: dict[str, type[Struct]] = {name: _closed(kind) for name, kind in COMMANDS.items()}
"""The message for each command."""

_HTTP = msgspec.json.Decoder(reduce(or_, ORDERS.values()))
_SOCKET = msgspec.json.Decoder(reduce(or_, (*ORDERS.values(), Subscribe, Unsubscribe, Ping)))


_WHERE = ("in_round", "in_window")
"""What every command may be meant for."""
_where = attrgetter(*_WHERE)


def _making(kind: type[Command]) -> tuple[type[Command], Callable[[Any], tuple[Any, ...]], tuple[str, ...]]:
    names = [name for name in kind.__struct_fields__ if name not in Report.__struct_fields__]

    def values(order: Any) -> tuple[Any, ...]:
        return tuple([getattr(order, name) for name in names])

    return kind, attrgetter(*names) if len(names) > 1 else values, _REPORTED if issubclass(kind, Report) else ()


_REPORTED = tuple(name for name in Report.__struct_fields__ if name not in Command.__struct_fields__)
_MAKING = {ORDERS[name]: _making(kind) for name, kind in COMMANDS.items()}
"""For each message its command, how to read the command's values off it, and which others it has, by name."""


def read_command(data: bytes) -> Order:
    """A command as somebody sent it."""
    return _read(_HTTP, data)


def read_message(data: str | bytes) -> Order:
    """A command or a wish, as it came over a socket."""
    return _read(_SOCKET, data)


def _read(decoder: msgspec.json.Decoder[Any], data: str | bytes) -> Order:
    try:
        order: Order = decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadMessage(str(error)) from None
    return order


def command_of(order: Order, by: Actor, at: int) -> Command:
    """The command itself, given by somebody at a time."""
    kind, values_of, by_name = _MAKING[type(order)]
    values = values_of(order)
    if kind in _WITH_INNER:
        values = tuple(map(_opened, values))
    in_round, in_window = _where(order)
    if not by_name:
        return kind(by, *values, at=at, in_round=in_round, in_window=in_window)
    more = {name: getattr(order, name) for name in by_name}
    return kind(by, *values, at=at, in_round=in_round, in_window=in_window, **more)


_WITH_INNER = {OpenTable, ChangeLimits}
_INNER: dict[str, type[Any]] = {"NewLimits": Limits, "NewSetting": Setting}
"""The values that stand within commands."""


def _opened(value: Any) -> Any:
    """A message within a message as the value it stands for."""
    if isinstance(value, Struct):
        values = {each: _opened(getattr(value, each)) for each in value.__struct_fields__}
        return _INNER[type(value).__name__](**values)
    if type(value) is dict:
        return {key: _opened(each) for key, each in value.items()}
    return value


def key_of(order: Order) -> Key | None:
    """By which a retry of it is known: the same word, and the same body whichever way and with whatever id it came."""
    if order.key is None:
        return None
    body = encoder.encode(order)
    return Key(order.key, sha256(body[: body.index(_ID)] + body[body.index(_KEY) :]).digest())


_ID, _KEY = b',"id":', b',"key":'
"""Which command it is stands before the first, and what is asked after the second; neither can stand within a word."""


# --- what the server sends -------------------------------------------------------------------------------------------


class Message(Struct, frozen=True, tag_field="type"):
    """What all messages of a server have."""


class DoneMessage(Message, frozen=True, tag="done"):
    """A command was carried out and is stored: as which events."""

    id: Id
    first: int
    last: int
    repeated: bool = False
    """Whether it had been carried out before, and this is the answer again."""


class RefusedMessage(Message, frozen=True, tag="refused"):
    """Something was not done, and nothing has changed: why not."""

    id: Id
    code: str
    sentence: str
    provision: str | None = None
    clause: str | None = None
    values: dict[str, Any] = field(default_factory=dict)
    case: str | None = None


class Told(Struct, frozen=True):
    """An event at a table: its number, its name, when, in which position it was brought about, and what it says.

    To staff it also says by whom. To others what is nobody's business is left out of it.
    """

    number: int
    name: str
    at: int
    position: str
    body: Raw
    by: str | None = None


class TableMessage(Message, frozen=True, tag="table"):
    """A table as it is after an event, with the events that were missed, if they are not too many."""

    table: str
    number: int
    view: PublicView
    events: list[Told]
    resync: bool
    """Whether events were left out: the view is all there is."""


class EventsMessage(Message, frozen=True, tag="events"):
    """What has happened at a table, and what of its view is different after it."""

    table: str
    first: int
    last: int
    events: list[Told]
    view: dict[str, Any]


class MineMessage(Message, frozen=True, tag="mine"):
    """What only the one patron may see who is told."""

    table: str
    number: int
    view: PrivateView


class PongMessage(Message, frozen=True, tag="pong"):
    """The server is there, and this is its time."""

    id: Id
    at: int


MESSAGES: tuple[type[Message], ...] = (
    DoneMessage,
    RefusedMessage,
    TableMessage,
    EventsMessage,
    MineMessage,
    PongMessage,
)


def encode(message: Message) -> bytes:
    """The message as it is sent."""
    return encoder.encode(message)


def done(order: Order, answer: Done) -> DoneMessage:
    """That a command was carried out."""
    return DoneMessage(order.id, answer.events[0].number, answer.events[-1].number, answer.repeated)


def _plain(value: object) -> object:
    return value if isinstance(value, int | str | list) or value is None else str(value)


def refused(refusal: Refusal, book: Rulebook | None = None, id_: Id = None) -> RefusedMessage:
    """That something was not done, in the words of the catalogue."""
    values = {name: _plain(value) for name, value in refusal.values.items()}
    clause = refusal.clause(book) if book else None
    return RefusedMessage(id_, refusal.code, refusal.sentence(book), refusal.provision, clause, values, refusal.case)
