"""The value of known cards: a table for each game, and what others have published beside Punto's figures."""

from __future__ import annotations

from generator.markdown import page, table
from punto import APPROVED, Rulebook, load
from punto.lab.known_cards import EVERY, KnownCardsStudy, WagerAlone, known_cards
from punto.report.rendering import percent

POSITIONS = {"card 1 or 3": 1, "card 2 or 4": 2, "card 5": 5, "card 6": 6}
"""The columns, each with one of its positions: Player's first two cards are worth the same, and so are Banker's."""


HANDS_AND_TIE = ("Player", "Banker", "Tie")
FIRST_FOUR = (1, 2, 3, 4)
PUBLISHED: tuple[tuple[str, str, tuple[int, ...], str, tuple[str, ...] | None], ...] = (
    ("card 1 or 3, better of Player and Banker", "6.765%", (1,), "value", None),
    ("card 2 or 4, better of Player and Banker", "6.406%", (2,), "value", None),
    ("card 5, better of Player and Banker", "8.973%", (5,), "value", None),
    ("card 6, better of Player and Banker", "9.098%", (6,), "value", None),
    ("card 1 sorted into 6789 and others, better of Player and Banker", "6.765%", (1,), "6789", None),
    ("first four cards sorted into 6789 and others, with Tie", "20.928%", FIRST_FOUR, "6789", HANDS_AND_TIE),
    ("first four cards, best sorting into two classes, with Tie", "30.291%", FIRST_FOUR, "TJQKA23", HANDS_AND_TIE),
)
"""What is known, the published value, and the question: positions, classes, wagers."""


def published() -> str:
    """Return the published values beside those counted here."""
    game = load("baccarat")
    rows = [
        (about, figure, percent(known_cards(game, positions, by=by, wagers=wagers).value))
        for about, figure, positions, by, wagers in PUBLISHED
    ]
    return table(("known", "published", "Punto"), rows, right=("published", "Punto"))


def shown() -> str:
    """Return the tables of all games, each with the command that prints its figures."""
    return page(*(part for key in APPROVED for part in _game(load(key))))


def _game(book: Rulebook) -> tuple[str, str, str]:
    every = {column: known_cards(book, at, by="card", wagers=EVERY) for column, at in POSITIONS.items()}
    hands = [known_cards(book, at, by="card") for at in POSITIONS.values()]
    rows = [
        (wager.name, *(_alone(study.wagers[number]) for study in every.values()))
        for number, wager in enumerate(book.wagers)
    ]
    rows.append((f"best of {' and '.join(each.wager for each in hands[0].wagers)}", *map(_best, hands)))
    rows.append(("best of every wager", *map(_best, every.values())))
    command = f"`punto known {book.key} --positions 5 --by card --wagers every`"
    return f"### {book.title}", table(("wager", *every), rows, right=tuple(every)), f"{command} prints column “card 5”."


def _alone(each: WagerAlone) -> str:
    if not each.favourable:
        return "never"
    return f"{percent(each.value, 3)} ({percent(each.favourable, 1)})"


def _best(study: KnownCardsStudy) -> str:
    return f"**{percent(study.value, 3)}** ({percent(1 - study.sat_out, 1)})"
