"""The list of a table's last rounds: so many are looked up, and no more."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from support.past import client_of, make_table, opened, options_of

from punto import parse_cards
from punto.table.table import SettledRound

ROUNDS = 200


async def test_of_more_rounds_the_last_two_hundred_are_listed(tmp_path: Path) -> None:
    async with opened(options_of(tmp_path)) as serving:
        await make_table(serving)
        settled = SettledRound((), tuple(parse_cards("9c Kd")), tuple(parse_cards("2c 3d")), 0, 1)
        actor = serving.floor.tables["t1"].actor
        actor.table = replace(actor.table, history=dict.fromkeys(range(1, ROUNDS + 2), settled))
        async with client_of(serving) as client:
            told = await client.get("/api/tables/t1/rounds", params={"most": ROUNDS})
            assert told.status_code == 200, told.text
            assert [each["round"] for each in told.json()] == [*range(ROUNDS + 1, 1, -1)]
            assert told.json()[0]["player"] == {"cards": [["9", "c"], ["K", "d"]], "total": 9}
            assert (await client.get("/api/tables/t1/rounds", params={"most": ROUNDS + 1})).status_code == 422
