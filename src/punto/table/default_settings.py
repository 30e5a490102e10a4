"""Default table settings for a game."""

from __future__ import annotations

from msgspec.structs import replace

from punto.rules.rulebook import Rulebook
from punto.rules.toml_section import GameFileError
from punto.table.setting_checks import as_opened
from punto.table.settings import Device, Limits, Setting

_SEATS = 9


def practice_setting(book: Rulebook, betting_seconds: int | None = 20) -> Setting:
    """Return a setting for a table without staff."""
    if not book.layouts:
        raise GameFileError(f"{book.title} has no layout to play on: give its file one")
    positions = {layout.name: layout.positions.most if layout.positions else _SEATS for layout in book.layouts}
    layout = max(positions, key=lambda name: (positions[name] <= _SEATS, positions[name]))
    main = on_the_hands(book)
    setting = Setting(
        layout=layout,
        positions=positions[layout],
        limits={each.name: Limits(500, 500_000 if each.name in main else 50_000) for each in book.wagers},
        stake_step=100,
        decks=book.usual_decks,
        device=Device.SEALED,
        method="B" if book.methods else None,
        betting_seconds=betting_seconds,
        answer_seconds=20,
    )
    return as_opened(book, setting)


def squeeze_setting(book: Rulebook) -> Setting | None:
    """Return a setting for a table without staff where patrons squeeze the cards; None if the game has no Method A."""
    return replace(practice_setting(book), method="A") if book.method("A") else None


def on_the_hands(book: Rulebook) -> tuple[str, ...]:
    """Return the names of the wagers on one hand or the other, as far as the game has them."""
    names = {each.name for each in book.wagers}
    return tuple(each for each in book.differential or ("Player", "Banker") if each in names)


def dealt_by_hand(book: Rulebook) -> Setting:
    """Return a setting for a table with a Dealer, who keeps the time."""
    return replace(practice_setting(book, None), device=Device.MANUAL, answer_seconds=None)
