"""One whole shift of a house, from an empty database to the report of the day, by its pages alone.

Only the card-reading device speaks for itself. All money is written down by hand beside the pages, to the cent.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.shift import first_table, house, second_table
from browser.shift.floor import whole_shift
from support.needs import need_chinese_font
from support.page_watch import DESKTOP

SMALLER = {"width": 1024, "height": 768}
STATIONS = (
    house.set_up,
    house.open_tables,
    house.people_come,
    first_table.first_round,
    first_table.late_wager,
    first_table.drawn_together,
    first_table.differential,
    first_table.rotate,
    first_table.wrong_order,
    first_table.wrong_payout,
    first_table.corrected_round,
    house.debt_paid,
    house.chips_move,
    second_table.first_round_read,
    second_table.failed_read,
    second_table.void_round,
    second_table.report_withdrawn,
    second_table.power_failure,
    house.go_home,
    house.close,
    house.report,
    house.look_at_slips,
)


@pytest.mark.long
@pytest.mark.parametrize(("language", "screen"), [("en", DESKTOP), ("zh", SMALLER)], ids=["en", "zh"])
def test_one_whole_shift(chromium: Any, tmp_path: Path, language: str, screen: dict[str, int]) -> None:
    need_chinese_font()
    with whole_shift(chromium, tmp_path, language, screen) as shift:
        for station in STATIONS:
            station(shift)
