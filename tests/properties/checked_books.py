"""The books and the independent auditor beside a table in play, and what has to agree between the three."""

from __future__ import annotations

import sys
from pathlib import Path

from punto.audit.recomputation import recompute
from punto.books import ledger
from punto.table.event import Event
from punto.table.table import Table

GAMES = Path(sys.modules["punto.rules.game_library"].__file__ or "").parent / "games"


class CheckedBooks:
    """Follow the events of one table and compare what they come to with the table itself."""

    def __init__(self, table: Table) -> None:
        self._ledger = ledger.Ledger()
        self._auditor = recompute([], (GAMES / f"{table.book.key}.toml").read_bytes())
        self._compared = table
        """The table when what patrons have and owe was compared last."""

    def follow(self, event: Event) -> None:
        """Post an event, and have the auditor look at it."""
        self._ledger.post(event)
        self._auditor.look_at(event)

    def check(self, table: Table) -> None:
        """Check that cards and money are in order and the auditor has found nothing."""
        balances = self._ledger.balances
        assert not self._auditor.findings, self._auditor.findings
        if table.shoe:
            face_down = sum(place.card is None for places in table.round.hands.values() for place in places)
            assert 0 <= table.cards_left + face_down <= len(table.shoe.unexposed), "there are cards nobody can have"
        assert sum(balances.values()) == 0
        assert balances[ledger.FLOAT] == table.float_ == self._auditor.float_
        assert balances[ledger.COMMISSION] == table.commission
        assert balances[ledger.LAYOUT] == sum(stake.amount for stake in table.round.stakes.values())
        if table.chips is not self._compared.chips or table.owed is not self._compared.owed:
            self.check_patrons(table)

    def check_patrons(self, table: Table) -> None:
        """Check what each patron has and owes. A difference stays, so it is found where the table's own figures change
        next, and at the end.
        """
        self._compared, balances = table, self._ledger.balances
        for patron, chips in table.chips.items():
            assert balances[ledger.chips(patron)] == chips == self._auditor.chips[patron] >= 0
        for patron in {*table.owed, *(account.patron for account in balances if account.patron), *self._auditor.owes}:
            owed = table.owed.get(patron, 0)
            assert balances[ledger.owed_by(patron)] == owed == self._auditor.owes[patron] >= 0
