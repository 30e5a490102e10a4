"""Read a game file into a rulebook. A faulty file is rejected whole, with a sentence that says what and where."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from fractions import Fraction
from types import MappingProxyType

from punto.rules.conditions import FEATURES, ONE_VALUE, AllOf, AnyOf, Condition, Is, Not, NumberOf, OnCards, Value
from punto.rules.deal_counts import CardsSeen
from punto.rules.hands.questions import HANDS, LOOKS, QUESTIONS, Values
from punto.rules.library.borrowing import own_part, whole_game, written
from punto.rules.library.key_lines import key_of_line, line_of_key
from punto.rules.possible_lines import possible_lines
from punto.rules.provisions import PROVISIONS
from punto.rules.rulebook import (
    VOID,
    CarriedOut,
    Clause,
    Layout,
    Line,
    Method,
    Range,
    RoundOfPlay,
    Rulebook,
    Wager,
)
from punto.rules.toml_section import GameFileError, Section, as_text, as_toml_text, matching, parse_toml

_KEY = r"[a-z0-9]+(-[a-z0-9]+)*"
_CLAUSE_NUMBER = r"[1-9]\d{0,2}(\.[1-9]\d{0,2})*"
_RATIO = r"(\d{1,6}(?:\.\d{1,6})?) to ([1-9]\d{0,5})"
_MOST_DECKS = 100
_MOST_POSITIONS = 100
_NEVER = AnyOf(())

Clauses = dict[str, Clause]


def read_game(content: bytes, file: str, reserved: Iterable[str] = ()) -> Rulebook:
    """Return the rulebook that a game file states. ``file`` names it in messages; ``reserved`` keys belong to other
    games.
    """
    try:
        return _read_whole(content, file, reserved)
    except GameFileError as error:
        raise placed(error, content, file) from None


def placed(error: GameFileError, content: bytes, file: str) -> GameFileError:
    """Return an error with the line of the file on which the key stands; as it is where that is not known."""
    line = line_of_key(content.decode("utf-8-sig"), error.where) if error.where and error.line is None else None
    if line is None:
        return error
    return GameFileError(f"{file}: line {line}: {error.where}: {error.reason}", error.where, error.reason, line)


def _read_whole(content: bytes, file: str, reserved: Iterable[str]) -> Rulebook:
    try:
        whole = parse_toml(content, file)
        if "extends" in whole:
            own, whole = whole, whole_game(whole, file)
            if own.get("wager"):
                _read(Section(file, "", own_part(own, whole)), content, reserved)
            content = written(whole)
            whole = parse_toml(content, file)
        return _read(Section(file, "", whole), content, reserved)
    except RecursionError:
        raise GameFileError(f"{file}: a condition is nested too deeply") from None


def whole_file(content: bytes, file: str) -> bytes:
    """Return a game file with all that it borrows written out; as it is if it borrows nothing."""
    try:
        own = parse_toml(content, file)
    except GameFileError:
        return content
    return written(whole_game(own, file)) if "extends" in own else content


def _read(top: Section, content: bytes, reserved: Iterable[str]) -> Rulebook:
    key = top.take("key", "lower-case words joined by hyphens, such as lucky-six", matching(_KEY))
    if key in reserved:
        top.refuse(f"{key} is the key of an approved game; give yours another", "key")
    clauses = _clauses(top.section("clauses"))
    wagers = _wagers(top, clauses)
    book = Rulebook(
        key=key,
        title=top.text("title"),
        version=top.maybe("version", "a text", as_text),
        effective=top.maybe("effective", "a date", lambda found: found if isinstance(found, date) else None),
        decks=_range(top.section("decks"), _MOST_DECKS),
        wagers=wagers,
        clauses=MappingProxyType(clauses),
        layouts=_layouts(top, clauses),
        methods=tuple(_method(section, clauses) for section in top.sections("method")),
        round_of_play=_round_of_play(top.maybe_section("round_of_play")),
        hlga=top.texts("hlga"),
        differential=_differential(top, wagers),
        digest=hashlib.sha256(content).hexdigest(),
    )
    top.end()
    return book


def _clauses(section: Section) -> Clauses:
    clauses: Clauses = {}
    made_by: dict[str, str] = {}
    for number, entry in section.named_sections():
        if entry.has_only_numbers():
            section.refuse("put the number of the clause in quotes", number)
        if not re.fullmatch(_CLAUSE_NUMBER, number, re.ASCII):
            section.refuse("expected a clause number such as 4.1", f'"{number}"')
        provision = _provision(entry)
        by = CarriedOut(entry.one_of("by", CarriedOut))
        origin = entry.maybe("from", "a game and a clause, such as tiger 3.5", as_text)
        clauses[number] = Clause(number, entry.text("text"), provision, by, origin)
        entry.end()
        earlier = made_by.setdefault(provision, number)
        if earlier != number and not PROVISIONS[provision].repeats:
            entry.refuse(f"{provision} is already the provision of clause {earlier}", "provision")
    return clauses


def _provision(entry: Section) -> str:
    name = entry.text("provision")
    if name not in PROVISIONS:
        near = get_close_matches(name, PROVISIONS, n=1)
        entry.refuse(
            f"unknown provision {as_toml_text(name)}" + (f"; did you mean {near[0]}?" if near else ""), "provision"
        )
    return name


def _cited(section: Section, key: str, clauses: Clauses) -> str:
    number = section.text(key)
    if number not in clauses:
        section.refuse(f"expected the number of a clause in this file, found {as_toml_text(number)}", key)
    return number


def _wagers(top: Section, clauses: Clauses) -> tuple[Wager, ...]:
    wagers: dict[str, Wager] = {}
    for section in top.sections("wager"):
        wager = _wager(section, clauses)
        if wager.name.casefold() in wagers:
            section.refuse(f"there is already a wager named {wager.name}", "name")
        wagers[wager.name.casefold()] = wager
    if not wagers:
        top.refuse("expected at least one [[wager]]", "wager")
    return tuple(wagers.values())


def _wager(section: Section, clauses: Clauses) -> Wager:
    name = section.text("name")
    if "=" in name:
        section.refuse("expected a name without =", "name")
    clause = _cited(section, "clause", clauses)
    area = _cited(section, "area", clauses) if "area" in section else None
    outcomes: dict[str, Line] = {"lose": Line("lose", _NEVER, Fraction(-1), clause)}
    for entry in section.sections("lines"):
        line = _line(entry, clauses)
        if line.outcome.casefold() in (*outcomes, VOID):
            entry.refuse(f"expected an outcome of its own: {as_toml_text(line.outcome)} is taken", "outcome")
        outcomes[line.outcome.casefold()] = line
    section.end()
    loss, *lines = outcomes.values()
    if not lines:
        section.refuse("expected at least one line, or the wager could never win", "lines")
    return Wager(name, clause, area, tuple(lines), loss)


def _line(section: Section, clauses: Clauses) -> Line:
    if re.match(r"\s*[-−–]", section.text_of("pays")):
        section.refuse(
            "expected no loss: a wager loses its stake where no line holds, and never more than that", "pays"
        )
    pays = section.take("pays", 'a ratio such as "8 to 1" or "0.95 to 1", or "push"', _pays)
    result = "win" if pays else "push"
    outcome = section.maybe("outcome", "a text", as_text) or result
    if outcome.casefold() in {"win", "push"} - {result}:
        section.refuse(f'expected another name for a line that is a {result}, found "{outcome}"', "outcome")
    if not pays and "commission" in section:
        section.refuse("expected none on a push, where nothing is won", "commission")
    line = Line(
        outcome=outcome,
        when=_condition(section.section("when")),
        pays=pays,
        clause=_cited(section, "clause", clauses),
        commission=section.maybe("commission", 'a ratio such as "0.05 to 1"', _ratio) or Fraction(0),
    )
    section.end()
    return line


def _pays(found: object) -> Fraction | None:
    return Fraction(0) if found == "push" else _ratio(found)


def _ratio(found: object) -> Fraction | None:
    """Return a ratio above zero, exactly: "0.95 to 1" is 19/20."""
    match = re.fullmatch(_RATIO, found, re.ASCII) if isinstance(found, str) else None
    return Fraction(match[1]) / int(match[2]) or None if match else None


def _condition(section: Section) -> Condition:
    """Return the condition of a ``when`` table: all its keys must hold. ``any`` and ``all`` take lists of tables,
    ``not`` takes one.
    """
    parts: list[Condition] = []
    _refuse_several_suits(section)
    for name in section.present([*FEATURES, *(key for key in QUESTIONS if key not in FEATURES)]):
        values = QUESTIONS[name].values
        words = [each for each in values if isinstance(each, str)]
        allowed = section.take(name, _values_of(values), _allowed(values), words)
        parts.append(Is(name, allowed) if name in FEATURES else OnCards(name, allowed))
    if counted := section.maybe_section("number_of"):
        parts.append(_number_of(counted))
    for key in section.present(("any", "all")):
        tables = section.sections(key)
        if not tables:
            section.refuse("expected at least one condition", key)
        parts.append((AnyOf if key == "any" else AllOf)(tuple(_condition(table) for table in tables)))
    if excluded := section.maybe_section("not"):
        parts.append(Not(_condition(excluded)))
    section.end()
    if not parts:
        section.refuse("expected at least one condition")
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def _refuse_several_suits(section: Section) -> None:
    """Refuse a list of suits that may mean one suit for both cards, or the suit of each."""
    for name, hand in ONE_VALUE.items():
        if len(section.listed(name)) > 1:
            section.refuse(
                f"expected one suit. Write {hand}_suited_in if both cards are of one suit, which is one of these, or "
                f"every_{hand}_initial_card_suit if each card is of one of these suits",
                name,
            )


def _number_of(section: Section) -> NumberOf:
    """Return the condition that counts cards: whose, by which look, and how many there may be."""
    hand = section.one_of("cards", ("both", *HANDS))
    looks = section.present(LOOKS)
    if len(looks) != 1:
        section.refuse(f"expected one of {', '.join(LOOKS)}, found {len(looks) or 'none'}")
    (look,) = looks
    words = [each for each in LOOKS[look] if isinstance(each, str)]
    wanted = section.take(look, _values_of(LOOKS[look]), _allowed(LOOKS[look]), words)
    times = tuple(range(7 if hand == "both" else 4))
    allowed = section.take("times", _values_of(times), _allowed(times))
    section.end()
    return NumberOf(hand, look, wanted, allowed)


def _values_of(values: Values) -> str:
    named = [str(value).lower() if isinstance(value, bool) else str(value) for value in values]
    return f"one of {', '.join(named)}, or a list of them"


def _allowed(values: Values) -> Callable[[object], frozenset[Value] | None]:
    def read(found: object) -> frozenset[Value] | None:
        given = found if isinstance(found, list) else [found]
        kind = type(values[0])
        if not given or any(type(value) is not kind or value not in values for value in given):
            return None
        return frozenset(given)

    return read


def _range(section: Section, most: int) -> Range:
    fewest = section.whole("min", 1, most)
    found = Range(fewest, section.whole("max", fewest, most))
    section.end()
    return found


def _layouts(top: Section, clauses: Clauses) -> tuple[Layout, ...]:
    layouts: dict[str, Layout] = {}
    for section in top.sections("layout"):
        layout = _layout(section, clauses)
        if layout.name in layouts:
            section.refuse(f"there is already a layout named {layout.name}", "name")
        layouts[layout.name] = layout
    return tuple(layouts.values())


def _layout(section: Section, clauses: Clauses) -> Layout:
    positions = section.maybe_section("positions")
    layout = Layout(
        name=section.text("name"),
        clause=_cited(section, "clause", clauses),
        positions=_range(positions, _MOST_POSITIONS) if positions else None,
        languages=section.texts("languages"),
    )
    section.end()
    return layout


def _method(section: Section, clauses: Clauses) -> Method:
    method = Method(
        name=section.text("name"),
        clause=_cited(section, "clause", clauses),
        draws=section.one_of("draws", ("dealer", "patron")),
        patrons_handle_cards=section.yes_no("patrons_handle_cards"),
        squeezing=section.yes_no("squeezing"),
        hlga_only=section.yes_no("hlga_only"),
        device=section.maybe("device", "a text", as_text),
        chosen_by=section.text("chosen_by"),
    )
    section.end()
    return method


def _round_of_play(section: Section | None) -> RoundOfPlay | None:
    if section is None:
        return None
    found = RoundOfPlay(section.text("commencement"), section.text("closing"), section.texts("concludes_with"))
    section.end()
    return found


def _differential(top: Section, wagers: tuple[Wager, ...]) -> tuple[str, str] | None:
    names = [wager.name for wager in wagers]

    def two_wagers(found: object) -> tuple[str, str] | None:
        if not isinstance(found, list) or len(found) != 2 or any(name not in names for name in found):
            return None
        if found[0] == found[1]:
            return None
        return found[0], found[1]

    return top.maybe("differential", "the names of two wagers of this game", two_wagers)


def refuse_unreachable_lines(book: Rulebook, file: str, content: bytes = b"") -> None:
    """Raise ``GameFileError`` for a line that no coup from the largest shoe reaches: a typing error or a wrong
    order. The file's content gives it its place.
    """
    possible = possible_lines(book.wagers, CardsSeen(), book.shoe(book.decks.most))
    for at, wager in enumerate(book.wagers, start=1):
        for number, line in enumerate(wager.lines, start=1):
            if line not in possible[wager.name].lines:
                own = key_of_line(content.decode("utf-8-sig"), wager.name, number - 1)
                where = own or f"wager[{at}].lines[{number}]"
                reason = f'the line "{line.outcome}" of {wager.name} is never reached: {_why_not(book, wager, line)}'
                error = GameFileError(f"{file}: {where}: {reason}", where, reason)
                raise placed(error, content, file) if own else error


def _why_not(book: Rulebook, wager: Wager, line: Line) -> str:
    """Return why a line is not reached: its own condition, one line before it, or all of them together."""

    def reached(*lines: Line) -> bool:
        shortened = replace(wager, lines=lines)
        return line in possible_lines((shortened,), CardsSeen(), book.shoe(book.decks.most))[wager.name].lines

    if not reached(line):
        return "no coup meets its condition"
    before = wager.lines[: wager.lines.index(line)]
    shadow = next((each for each in before if not reached(each, line)), None)
    if shadow:
        return f'every coup that meets its condition is taken by the line "{shadow.outcome}" before it'
    return "every coup that meets its condition is taken by one of the lines before it"
