"""Terminal output: cards in colour, plain tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from punto.cards import Card, Rank

_NARROWEST = 20
_BLANKS = re.compile(r"[ \t]+(?=\n)")


class Terminal(Console):
    """Plain output: text is never read as markup, and a reader that closes the pipe is not an error."""

    def __init__(self, width: int | None = None, stderr: bool = False) -> None:
        super().__init__(width=width, stderr=stderr, highlight=False, emoji=False, markup=False)
        if self.width < _NARROWEST:
            self.width = 80

    def print(self, *objects: Any, **how: Any) -> None:
        """Print as a console does; into a file or a pipe without the blanks that fill lines up."""
        if self.is_terminal:
            super().print(*objects, **how)
            return
        with self.capture() as shown:
            super().print(*objects, **how)
        self.file.write(_BLANKS.sub("", shown.get()))

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


console = Terminal()


def cards(hand: Iterable[Card]) -> Text:
    """Return a hand of cards with suit symbols, hearts and diamonds in red; as letters where symbols cannot be
    shown.
    """
    signs = console.encoding.startswith("utf")
    shown = Text()
    for card in hand:
        rank = "10" if card.rank is Rank.TEN else card.rank.value
        suit = card.suit.symbol if signs else card.suit.value
        shown.append(f" {rank}{suit}", "bold red" if card.suit.is_red else "bold")
    return shown


def table(columns: Sequence[str], title: str | None = None, right: Sequence[str] = ()) -> Table:
    """Return an empty table; the columns named in ``right`` hold figures."""
    made = Table(box=SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", pad_edge=False)
    for name in columns:
        made.add_column(name, justify="right" if name in right else "left")
    return made


def print_whole(table: Table) -> None:
    """Print a table of figures at the width it needs: a line too long for the terminal is better than half a figure."""
    wide = Terminal(width=500)
    wide.width = max(console.width, wide.measure(table).maximum)
    wide.print(table)


def print_partial() -> None:
    """Print, below an answer, that it covers only what was finished before an interrupt."""
    console.print("Interrupted: this is what was finished.", style="yellow")
