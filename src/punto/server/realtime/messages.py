"""Messages between a server and its clients, as JSON.

Commands, events and views are the table's own types, and the messages are derived from them. Added are only the table
a message is about, an id that the answer repeats, and the idempotency key of a command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import reduce
from hashlib import sha256
from operator import attrgetter, or_
from types import UnionType
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Meta, Raw, Struct, field
from msgspec.structs import fields

from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.store.codec import encoder
from punto.table.command import Command, PatronAct, Report
from punto.table.decide import COMMANDS
from punto.table.refusal import Refusal
from punto.table.roles import Actor
from punto.table.views import PrivateView, PublicView

Word = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[!-~]+$")]
"""A word the client chooses."""
TableName = Annotated[str, Meta(min_length=1, max_length=64)]
MessageId = int | Word | None
"""Chosen by the client; the answer repeats it."""


class BadMessage(ValueError):
    """A message that is not understood; the text says where."""


class IdempotencyKey(Struct, frozen=True):
    """Marks the retries of one command: the client's key, and a digest of the command."""

    word: str
    digest: bytes


# --- from the client --------------------------------------------------------------------------------------------------


class ClientMessage(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True, tag_field="command"):
    """What all messages to a server have."""

    id: MessageId = None
    table: TableName | None = None
    key: Word | None = None
    """The same key again is a retry: it gets the first answer, and nothing is done twice."""


class Subscribe(ClientMessage, kw_only=True, frozen=True):
    """Follow a table from now on, or from after an event."""

    after: int | None = None


class Unsubscribe(ClientMessage, kw_only=True, frozen=True):
    """Stop following a table."""


class Ping(ClientMessage, kw_only=True, frozen=True):
    """Ask whether the server is there."""


Hold = Literal["nw", "n", "ne", "e", "se", "s", "sw", "w"]
"""A corner of a card, or the middle of a side, as on a map."""
Across = Annotated[int, Meta(ge=-100, le=200)]
Along = Annotated[int, Meta(ge=-140, le=280)]


class ShowSqueeze(ClientMessage, kw_only=True, frozen=True):
    """Show those who watch how a card lies that the patron squeezes: where, never what it is.

    It is no command: it is not answered and not stored, and dropped unless the card is the patron's and face down.
    """

    hand: Hand
    place: Annotated[int, Meta(ge=0, le=2)]
    held: Hold
    to: tuple[Across, Along] | None = None
    """Where the held point is, on a card 100 wide and 140 high, from its upper left corner; None if it lies flat."""


_FROM_THE_SERVER = {"by", "at"}
"""Fields of a command that the server fills in: who gives it, and when."""


def _strict(kind: type[Any]) -> type[Struct]:
    """Derive a message from a command or a value within one; it takes no field it does not know."""
    wanted: list[Any] = []
    for each in fields(kind):
        if each.name in _FROM_THE_SERVER and issubclass(kind, Command):
            continue
        given: tuple[Any, ...] = (each.name, _strict_hint(each.type))
        wanted.append(given if each.default is NODEFAULT else (*given, each.default))
    if issubclass(kind, Command):
        assert not {name for name, *_ in wanted} & {"id", "table", "key", "command"}, kind
        made = msgspec.defstruct(kind.__name__, wanted, bases=(ClientMessage,), kw_only=True, frozen=True, tag=True)
    else:
        made = msgspec.defstruct(f"New{kind.__name__}", wanted, kw_only=True, frozen=True, forbid_unknown_fields=True)
    made.__doc__ = kind.__doc__
    return made


_MADE: dict[Any, type[Struct]] = {}


def _strict_hint(hint: Any) -> Any:
    if isinstance(hint, type) and issubclass(hint, Struct):
        if hint not in _MADE:
            _MADE[hint] = _strict(hint)
        return _MADE[hint]
    if get_origin(hint) is Mapping:
        key, value = get_args(hint)
        return dict[key, _strict_hint(value)]  # type: ignore[valid-type,misc]
    if get_origin(hint) is UnionType:
        return reduce(or_, map(_strict_hint, get_args(hint)))
    if get_origin(hint) is tuple and get_args(hint)[-1] is Ellipsis:
        return tuple[_strict_hint(get_args(hint)[0]), ...]  # type: ignore[misc]
    return hint


NOT_COMMANDS: tuple[type[ClientMessage], ...] = (Subscribe, Unsubscribe, Ping, ShowSqueeze)
"""The messages of a socket that no table decides."""
COMMAND_MESSAGES: dict[str, type[Struct]] = {name: _strict(kind) for name, kind in COMMANDS.items()}
"""The message for each command, by name."""

_HTTP = msgspec.json.Decoder(reduce(or_, COMMAND_MESSAGES.values()))
_SOCKET = msgspec.json.Decoder(reduce(or_, (*COMMAND_MESSAGES.values(), *NOT_COMMANDS)))


_WHERE = ("in_round", "in_window", "expires")
"""The round, window or time a command may be limited to."""
_where = attrgetter(*_WHERE)


def _making(kind: type[Command]) -> tuple[type[Command], Callable[[Any], tuple[Any, ...]], tuple[str, ...]]:
    base = next((each for each in (Report, PatronAct) if issubclass(kind, each)), Command)
    names = [name for name in kind.__struct_fields__ if name not in base.__struct_fields__]
    by_name = tuple(name for name in base.__struct_fields__ if name not in Command.__struct_fields__)

    def values(message: Any) -> tuple[Any, ...]:
        return tuple([getattr(message, name) for name in names])

    return kind, attrgetter(*names) if len(names) > 1 else values, by_name


_MAKING = {COMMAND_MESSAGES[name]: _making(kind) for name, kind in COMMANDS.items()}
"""For each message its command, how to get the command's values from it, and the names of its other fields."""


def read_command(data: bytes) -> ClientMessage:
    """Decode a command that came over HTTP."""
    return _decode(_HTTP, data)


def read_message(data: str | bytes) -> ClientMessage:
    """Decode any message that came over a socket."""
    return _decode(_SOCKET, data)


def _decode(decoder: msgspec.json.Decoder[Any], data: str | bytes) -> ClientMessage:
    try:
        message: ClientMessage = decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadMessage(str(error)) from None
    return message


def command_of(message: ClientMessage, by: Actor, at: int) -> Command:
    """Return the command a message holds, given by an actor at a time."""
    kind, values_of, by_name = _MAKING[type(message)]
    values = values_of(message)
    if kind in _WITH_INNER:
        values = tuple(map(_opened, values))
    in_round, in_window, expires = _where(message)
    if not by_name:
        return kind(by, *values, at=at, in_round=in_round, in_window=in_window, expires=expires)
    more = {name: getattr(message, name) for name in by_name}
    return kind(by, *values, at=at, in_round=in_round, in_window=in_window, expires=expires, **more)


_WITH_INNER = {
    kind
    for kind in COMMANDS.values()
    if any(_strict_hint(each.type) != each.type for each in fields(kind) if each.name not in _FROM_THE_SERVER)
}
"""The commands that hold values of the table's own."""
_INNER: dict[type[Struct], type[Any]] = {made: kind for kind, made in _MADE.items()}
"""The values that stand within commands, by the messages they come in."""


def _opened(value: Any) -> Any:
    """Return the table's value for a message within a message."""
    if isinstance(value, Struct):
        values = {each: _opened(getattr(value, each)) for each in value.__struct_fields__}
        return _INNER[type(value)](**values)
    if type(value) is tuple:
        return tuple(map(_opened, value))
    if type(value) is dict:
        return {key: _opened(each) for key, each in value.items()}
    return value


def key_of(message: ClientMessage) -> IdempotencyKey | None:
    """Return the idempotency key of a command: its digest leaves out the id, the table, the time, and secret cards.

    So a retry may come another way, over HTTP or a socket, and with another id.
    """
    if message.key is None:
        return None
    digested, values = _DIGESTED[type(message)]
    return IdempotencyKey(message.key, sha256(encoder.encode(digested(*values(message)))).digest())


_NOT_DIGESTED = frozenset({"id", "table", "expires", "lacking", "set_aside"})
"""The last two name cards that are secret until they are exposed, and of so few cards a digest can be tried out."""


def _digested(kind: type[Struct]) -> tuple[type[Struct], Callable[[Struct], tuple[Any, ...]]]:
    """Return a struct of what is digested of a message, and how to get its values from one."""
    names = [name for name in kind.__struct_fields__ if name not in _NOT_DIGESTED]
    made = msgspec.defstruct(kind.__name__, names, tag=True, tag_field="command", frozen=True)
    return made, attrgetter(*names)


_DIGESTED = {kind: _digested(kind) for kind in COMMAND_MESSAGES.values()}


# --- from the server --------------------------------------------------------------------------------------------------


class Message(Struct, frozen=True, tag_field="type"):
    """What all messages of a server have."""


class DoneMessage(Message, frozen=True, tag="done"):
    """A command was carried out and is stored as these events."""

    id: MessageId
    first: int
    last: int
    repeated: bool = False
    """Whether this is a retry, and the answer that of the first time."""


class RefusedMessage(Message, frozen=True, tag="refused"):
    """Nothing was done, and nothing has changed: why not."""

    id: MessageId
    code: str
    sentence: str
    provision: str | None = None
    clause: str | None = None
    values: dict[str, Any] = field(default_factory=dict)
    case: str | None = None


class Told(Struct, frozen=True):
    """An event as one audience may see it: staff in full and by whom, the public without what is for staff."""

    number: int
    name: str
    at: int
    position: str
    body: Raw
    by: str | None = None


class TableMessage(Message, frozen=True, tag="table"):
    """A table after an event, with the events that were missed, if they are not too many."""

    table: str
    number: int
    view: PublicView
    events: list[Told]
    resync: bool
    """Whether missed events were left out: the view is all there is."""


class EventsMessage(Message, frozen=True, tag="events"):
    """What has happened at a table, and what of its view has changed.

    It covers the events ``first`` to ``last`` of the log, and holds those of them that its reader may see: that a
    number is missing is not secret, and nothing was lost.
    """

    table: str
    first: int
    last: int
    events: list[Told]
    view: dict[str, Any]


class MineMessage(Message, frozen=True, tag="mine"):
    """What only this patron may see."""

    table: str
    number: int
    view: PrivateView


class SqueezedMessage(Message, frozen=True, tag="squeezed"):
    """How a card lies that a patron squeezes: where it is held, and where that point is now."""

    table: str
    hand: Hand
    place: int
    held: Hold
    to: tuple[int, int] | None


class PongMessage(Message, frozen=True, tag="pong"):
    """The server is there, and this is its time."""

    id: MessageId
    at: int


MESSAGES: tuple[type[Message], ...] = (
    DoneMessage,
    RefusedMessage,
    TableMessage,
    EventsMessage,
    MineMessage,
    SqueezedMessage,
    PongMessage,
)


def encode(message: Message) -> bytes:
    """Encode a message."""
    return encoder.encode(message)


def _plain(value: object) -> object:
    """Return a value as JSON holds it: an enumeration by its value, a sequence as a list."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, int | str) or value is None else str(value)


def refused(refusal: Refusal, book: Rulebook | None = None, id_: MessageId = None) -> RefusedMessage:
    """Return the message of a refusal, with its sentence from the catalogue."""
    values = {name: _plain(value) for name, value in refusal.values.items()}
    clause = refusal.clause(book) if book else None
    return RefusedMessage(id_, refusal.code, refusal.sentence(book), refusal.provision, clause, values, refusal.case)
