"""The pages' tests share one house whose rounds are dealt by hand."""

from __future__ import annotations

import pytest
from support.playing import House


@pytest.fixture(scope="session")
def served(staffed: House) -> House:
    return staffed
