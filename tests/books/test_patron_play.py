"""What events change for each patron agrees with what the table says they have, in every script."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from punto import load
from punto.books.cards_followed import CardsFollowed
from punto.books.patron_play import PlayKind, patron_play
from punto.notation import parse
from punto.notation.script_player import Player
from punto.table.evolve import evolve
from punto.table.play.settlement import RoundSettled
from punto.table.play.wagers import BetsOpened
from punto.table.table import Table

SCRIPTS = sorted((Path(__file__).parents[1] / "scripts").glob("*.round"))


def _has(table: Table) -> Counter[str]:
    """Return what each patron has at a table, in chips and on the layout."""
    found = Counter(dict(table.chips))
    for each in table.round.layout:
        found[each.patron] += each.amount
    return +found


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.stem)
def test_play_adds_up_to_what_patrons_have_and_cards_are_those_settled_by(file: Path) -> None:
    script = parse(file.read_text("utf-8"))
    run = script.runs[0]
    player = Player(script, run)
    player.play()
    table, has, net, cards = Table(load(run.game)), Counter[str](), Counter[str](), CardsFollowed()
    for event in player.log:
        before, table = table, evolve(table, event)
        for play in patron_play(event):
            has[play.patron] += play.change
            net[play.patron] += play.net
            if play.kind in (PlayKind.BUY_IN, PlayKind.CASH_OUT, PlayKind.DEBT):
                assert (play.round, play.net) == (0, 0)
        assert +has == _has(table), event
        cards = CardsFollowed() if isinstance(event, BetsOpened) else cards
        cards.take_in(event)
        if isinstance(event, RoundSettled):
            settled = table.history[event.round]
            assert tuple(map(cards.hand, before.round.hands)) == (settled.player, settled.banker)
