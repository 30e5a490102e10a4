"""Find a game: an approved one by its key, or any other by the path of its file; and what it borrows from which."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path

from punto.rules.game_file import read_game, refuse_unreachable_lines, whole_file
from punto.rules.rulebook import Clause, Rulebook
from punto.rules.toml_section import GameFileError

APPROVED = ("baccarat", "tiger", "tiger-no-commission", "dragon-tiger", "fabulous-4")
"""The keys of the five approved games."""

_GAMES = Path(__file__).parent / "games"
_LIBRARY = Path(__file__).parent / "library"
LIBRARY = tuple(sorted(each.stem for each in _LIBRARY.glob("*.toml")))
"""The keys of known games that are not approved: examples, each in a file that borrows from an approved one."""
_FORMER = Path(__file__).with_name("former_editions.toml")
_MOST_BYTES = 1 << 20


def load(game: str | Path) -> Rulebook:
    """Return the rulebook of a game, by the key of an approved or a known one or the path of a TOML file.

    >>> load("tiger")
    <Rulebook 'tiger': Tiger Baccarat, version 3>
    >>> load("tigre")
    Traceback (most recent call last):
    punto.rules.toml_section.GameFileError: there is no game 'tigre'; did you mean tiger?
    """
    if not isinstance(game, str | Path):
        raise TypeError(f"expected a game: a rulebook, a key such as tiger, or the path of a file; found {game!r}")
    name = str(game)
    if name in APPROVED:
        return _approved(name)
    if name in LIBRARY:
        return _own(game_file(name), f"{name}.toml")
    if name.casefold().endswith(".toml") or "/" in name:
        return _own(_content(name), name)
    near = get_close_matches(name, (*APPROVED, *LIBRARY), n=1)
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(APPROVED)}, or the path of a .toml file"
    raise GameFileError(f"there is no game {name!r}; {hint}")


def loads(text: str) -> Rulebook:
    """Return the rulebook of a game whose TOML text this is, with the same checks as a file.

    >>> loads("key = 'mine'")
    Traceback (most recent call last):
    punto.rules.toml_section.GameFileError: the game's text: clauses: expected a table, found nothing
    """
    given: object = text
    if not isinstance(given, str):
        raise TypeError(f"expected the text of a game's file, found {given!r}")
    return _own(text.encode(), "the game's text")


def game_file(game: str | Path) -> bytes:
    """Return the content of a game file, with all that it borrows."""
    name = str(game)
    return file_as_written(name) if name in APPROVED else whole_file(file_as_written(name), name)


def file_as_written(game: str | Path) -> bytes:
    """Return the content of a game file as its author wrote it: what it borrows is only named."""
    name = str(game)
    if name in APPROVED:
        return (_GAMES / f"{name}.toml").read_bytes()
    return (_LIBRARY / f"{name}.toml").read_bytes() if name in LIBRARY else _content(name)


def by_digest(books: Iterable[Rulebook]) -> dict[str, Rulebook]:
    """Return the books by every digest that a table may have been opened with, those of former editions too."""
    known = tuple(books)
    former = {digest: book for book in known for digest in book.former}
    return former | {book.digest: book for book in known}


def load_to_check(game: str | Path) -> tuple[Rulebook, str]:
    """Return the rulebook of a game that may have lines that no coup reaches, and the text of its file."""
    name = str(game)
    if name not in LIBRARY and not (name.casefold().endswith(".toml") or "/" in name):
        return load(name), file_as_written(name).decode()
    written = file_as_written(name)
    return read_game(written, file=name, reserved=APPROVED), written.decode("utf-8-sig")


@lru_cache(maxsize=64)
def _own(content: bytes, file: str) -> Rulebook:
    """Return the rulebook of a custom game, checked for unreachable lines; cached, because the check is slow."""
    book = read_game(content, file=file, reserved=APPROVED)
    refuse_unreachable_lines(book, file, content)
    return book


@cache
def _approved(key: str) -> Rulebook:
    # Not checked for unreachable lines: the tests do that, and commands should start fast.
    return replace(read_game(game_file(key), file=f"{key}.toml"), former=_former_editions()[key])


@cache
def _former_editions() -> dict[str, tuple[str, ...]]:
    listed: dict[str, list[str]] = tomllib.loads(_FORMER.read_text("utf-8"))
    return {key: tuple(listed.get(key, ())) for key in APPROVED}


def _content(file: str) -> bytes:
    try:
        with Path(file).open("rb") as content:
            found = content.read(_MOST_BYTES + 1)
    except OSError as error:
        raise GameFileError(f"{file}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise GameFileError(f"{file!r}: cannot be read: {error}") from None
    if len(found) > _MOST_BYTES:
        raise GameFileError(f"{file}: is larger than any game's file: {_MOST_BYTES:,} bytes are the most")
    return found


Origins = Mapping[str, Clause]
"""By the number of a borrowed clause: the clause of the approved game."""


@lru_cache(maxsize=16)
def origins_of(book: Rulebook) -> tuple[Rulebook | None, Origins]:
    """Return the approved game that a game borrows most clauses from, and which; none for an approved game."""
    if book.key in APPROVED or book.variant_of:
        return None, {}
    found = [(base, _shared(book, base)) for base in map(load, APPROVED)]
    base, shared = max(found, key=lambda each: len(each[1]))
    return (base, shared) if shared else (None, {})


def _shared(book: Rulebook, base: Rulebook) -> Origins:
    """Return the clauses that say the same and make the same provision, one of the same number where there are two."""
    there = {(clause.text, clause.provision): clause for clause in base.clauses.values()}
    shared = {}
    for clause in book.clauses.values():
        same = base.clauses.get(clause.number)
        said = clause.text, clause.provision
        if same and (same.text, same.provision) == said:
            shared[clause.number] = same
        elif said in there:
            shared[clause.number] = there[said]
    return shared
