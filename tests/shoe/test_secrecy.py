"""Neither the order nor the secret is shown by anything but asking for it by name."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import json
import logging
import pickle
import pprint
import re
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console
from rich.pretty import pretty_repr
from rich.traceback import Traceback
from support.ceremony import SECRET, cut_by

from punto.shoe import Cut, HiddenShoe, Secret, ShoeError, new_secret, publish, seal, sealed_shoe
from punto.shoe.secret import Hidden

CUT = cut_by("ana", "bo")
SHOE = sealed_shoe(SECRET, CUT)
OTHER = Secret(bytes((number + 100) % 256 for number in range(1660)))


@dataclasses.dataclass(frozen=True)
class AtATable:
    """Somebody's state that holds a shoe and its secret."""

    shoe: HiddenShoe
    secret: Secret


TABLE = AtATable(SHOE, SECRET)


def shows_something(text: str) -> bool:
    """Whether a text has the secret in any usual writing, or any card at all."""
    for secret in (SECRET, OTHER):
        value = secret.disclose()
        writings = (value.hex(), repr(value), repr(bytearray(value)), repr(list(value)), repr(tuple(value)), str(value))
        # Half of it would be bad enough, and a long text may have been cut off.
        if any(writing[8:40].lower() in text.lower() for writing in writings):
            return True
    return bool(re.search(r"(?<![A-Za-z0-9])([A2-9TJQK]|10)[shcd♠♥♣♦](?![A-Za-z0-9])|Rank\.|Suit\.", text))


def test_these_tests_would_notice() -> None:
    value = SECRET.disclose()
    cards = [SHOE.card_at(0)]
    for text in (value.hex(), repr(value), f"x{list(value)}", str(cards[0]), repr(cards), "10♥"):
        assert shows_something(text)


@pytest.mark.parametrize("call", [lambda: careless(SECRET.disclose(), ()), lambda: careless(b"", (SHOE.card_at(0),))])
def test_these_tests_would_notice_a_careless_call(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError) as failed:
        call()
    assert shows_something(everything_about(failed.value))


def careless(secret: bytes, cards: object) -> None:
    """What a call looks like that keeps a secret, or the cards, in a variable while it fails."""
    raise TypeError(f"{len(secret)} bytes and {type(cards)}")


@pytest.mark.parametrize("hidden", [SHOE, SECRET, TABLE, [SHOE, SECRET], {"shoe": SHOE, "secret": SECRET}, (CUT, SHOE)])
def test_printing_shows_nothing(hidden: object) -> None:
    for text in (str(hidden), repr(hidden), f"{hidden}", f"{hidden!r:>99}", "%s %r" % (str(hidden), [hidden])):  # noqa: UP031
        assert not shows_something(text)
    assert not shows_something(pprint.pformat(hidden) + pretty_repr(hidden, expand_all=True) + ascii(hidden))


def test_what_is_printed_does_not_depend_on_what_is_hidden() -> None:
    cut = cut_by("ana", "bo", secret=OTHER)
    assert repr(sealed_shoe(OTHER, cut)) == repr(SHOE)
    assert repr(OTHER) == repr(SECRET) == "<secret of a shoe>"


def test_logging_shows_nothing() -> None:
    out = io.StringIO()
    logger = logging.Logger("table")
    logger.addHandler(logging.StreamHandler(out))
    logger.warning("%s %r %s", SHOE, SECRET, TABLE, extra={"shoe": SHOE})
    with contextlib.suppress(ShoeError):
        try:
            SHOE.card_at(999)
        except ShoeError:
            logger.exception("failed: %s", {"shoe": SHOE})
            raise
    assert "999" in out.getvalue()
    assert not shows_something(out.getvalue())


def test_a_dataclass_that_holds_one_gives_away_nothing() -> None:
    fields = dataclasses.asdict(TABLE)
    assert fields == {"shoe": SHOE, "secret": SECRET}
    assert fields["shoe"] is SHOE
    assert not shows_something(repr(fields) + repr(dataclasses.astuple(TABLE)))
    assert not dataclasses.is_dataclass(SHOE)
    assert not dataclasses.is_dataclass(SECRET)


@pytest.mark.parametrize("hidden", [SHOE, SECRET])
def test_a_copy_is_the_thing_itself(hidden: Hidden) -> None:
    assert copy.copy(hidden) is hidden
    assert copy.deepcopy([hidden])[0] is hidden


@pytest.mark.parametrize("hidden", [SHOE, SECRET, TABLE])
def test_it_is_not_pickled(hidden: object) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="is not to be stored or sent") as refused:
            pickle.dumps(hidden, protocol)
        assert not shows_something(str(refused.value))


@pytest.mark.parametrize("hidden", [SHOE, SECRET])
def test_there_is_no_dictionary_of_it_and_no_way_through_all_of_it(hidden: Hidden) -> None:
    asking: list[Callable[[Any], object]] = [vars, list, iter, dict, bytes, sorted]
    asking += [lambda it: it.__getstate__(), lambda it: it.__reduce__()]
    for ask in asking:
        with pytest.raises(TypeError) as refused:
            ask(hidden)
        assert not shows_something(str(refused.value))
    assert not hasattr(hidden, "__dict__")


def test_json_gets_nothing_out_of_it() -> None:
    for value in (SHOE, SECRET, [SHOE]):
        with pytest.raises(TypeError) as refused:
            json.dumps(value)
        assert not shows_something(str(refused.value))
        assert not shows_something(json.dumps({"it": value}, default=str))
        with pytest.raises(TypeError):
            json.dumps(value, default=vars)


def test_secrets_are_compared_without_a_hash() -> None:
    assert Secret(SECRET.disclose()) == SECRET
    assert SECRET != OTHER
    assert SECRET.disclose() != SECRET
    with pytest.raises(TypeError, match="unhashable"):
        hash(SECRET)


def everything_about(error: BaseException) -> str:
    """A failure as the most talkative of logs would tell it: local variables of every call, in two ways."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    console = Console(file=io.StringIO(), width=300)
    shown = Traceback.from_exception(
        type(error), error, error.__traceback__, show_locals=True, locals_max_string=999, extra_lines=0
    )
    with console.capture() as captured:
        console.print(shown)
    return "".join(told.format()) + captured.get()


FAILING: list[Callable[[], object]] = [
    lambda: pickle.dumps(TABLE),
    lambda: json.dumps({"shoe": SHOE, "secret": SECRET}),
    lambda: SHOE.card_at(416),
    lambda: SHOE.card_at("first"),  # type: ignore[arg-type]
    lambda: sealed_shoe(OTHER, CUT),
    lambda: sealed_shoe(SECRET, Cut(CUT.seal)),
    lambda: sealed_shoe(SECRET, None),  # type: ignore[arg-type]
    lambda: publish(OTHER, CUT),
    lambda: publish(SECRET, CUT, [None]),  # type: ignore[list-item]
    lambda: seal(SECRET, "no\nname", 8),
    lambda: seal(SECRET, None, 8),  # type: ignore[arg-type]
    lambda: seal(SECRET, "name", 8.5),  # type: ignore[arg-type]
    lambda: Secret(SECRET.disclose() + b"!"),
    lambda: Secret(SECRET.disclose().hex()),  # type: ignore[arg-type]
    lambda: SHOE.no_such_thing,  # type: ignore[attr-defined]
    lambda: SHOE[0],  # type: ignore[index]
]


@pytest.mark.parametrize("call", FAILING)
def test_the_traceback_of_a_failing_call_shows_nothing_even_with_local_variables(call: Callable[[], object]) -> None:
    with pytest.raises((ShoeError, TypeError, AttributeError)) as failed:
        call()
    assert not shows_something(everything_about(failed.value))


def test_a_fresh_secret_is_as_silent() -> None:
    secret = new_secret(8)
    assert secret.disclose().hex() not in repr([secret]) + str(secret)
