"""Where the secret of a shoe comes from: the operating system's generator, and nothing else."""

from __future__ import annotations

import random
import secrets

import pytest

from punto.shoe import new_secret
from punto.shoe.encoding import NEWEST, secret_size


def test_the_secret_of_a_shoe_is_what_the_operating_systems_generator_gave(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the other generators are seeded alike, or by the time: they are not asked."""
    size = secret_size(NEWEST, 8)
    given = bytes(each % 251 for each in range(size))
    asked = list[int]()

    def system(number: int) -> bytes:
        asked.append(number)
        return given

    monkeypatch.setattr(secrets, "token_bytes", system)
    before = random.getstate()
    assert new_secret(8).disclose() == given
    assert asked == [size]
    assert random.getstate() == before
