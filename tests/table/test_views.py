"""What has changed between two views: nothing that is equal is sent again."""

from __future__ import annotations

from msgspec.structs import replace

from punto import load
from punto.table.table import Table
from punto.table.views import changes, public

VIEW = public(Table(load("baccarat")))


def test_a_view_is_all_new_to_a_reader_who_has_none() -> None:
    assert changes(None, VIEW).keys() == set(VIEW.__struct_fields__)


def test_only_what_differs_is_sent() -> None:
    assert changes(VIEW, replace(VIEW, round=7)) == {"round": 7}


def test_an_equal_value_made_a_second_time_is_not_sent() -> None:
    again = replace(VIEW, hands=dict(VIEW.hands), totals=dict(VIEW.totals))
    assert again.hands is not VIEW.hands
    assert changes(VIEW, again) == {}
