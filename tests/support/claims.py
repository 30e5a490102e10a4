"""Print how many clauses of each game are carried out in each way, in its former editions and today.

``PYTHONPATH=tests python -m support.claims``
"""

from __future__ import annotations

from pathlib import Path

from punto import APPROVED, Rulebook, load
from punto.cli.study.rules import carried_out
from punto.rules.game_file import read_game
from punto.rules.rulebook import CarriedOut

EDITIONS = Path(__file__).parents[1] / "golden" / "games"


def editions(game: str) -> list[tuple[str, Rulebook]]:
    """Return the former editions of an approved game, oldest first, and the one in force, each with its name."""
    book = load(game)
    former = [EDITIONS / f"{game}.{digest[:12]}.toml" for digest in reversed(book.former)]
    return [*((file.stem, read_game(file.read_bytes(), file.name)) for file in former), (f"{game} today", book)]


def main() -> None:
    kinds = [kind.value for kind in CarriedOut]
    print(f"{'':34}" + "".join(f"{kind:>10}" for kind in (*kinds, "clauses")))  # noqa: T201
    for game in APPROVED:
        for name, book in editions(game):
            counted = carried_out(book)
            print(f"{name:34}" + "".join(f"{counted[kind]:10}" for kind in kinds) + f"{len(book.clauses):10}")  # noqa: T201


if __name__ == "__main__":
    main()
