"""The catalogues: both languages are whole and agree, every text is used, and every code has its texts."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields
from support.page_words import has_words
from support.significant_values import value_names

from punto import APPROVED, load
from punto.books.ledger import AccountKind
from punto.report.significant.kinds import SignificantKind
from punto.rules.coup import Winner
from punto.rules.provisions import PROVISIONS
from punto.rules.table_of_play import Hand
from punto.server.access.identity import Duty
from punto.store.codec import KINDS
from punto.store.events import cage_events, house_events
from punto.store.events.limit_events import Period
from punto.table.decide import COMMANDS
from punto.table.evolve import EVENTS
from punto.table.irregularities.cards_taken import COUNT, STEPS
from punto.table.irregularities.referral import DECISION_CODES, MATTERS
from punto.table.irregularities.void import REASONS
from punto.table.play import unread_card
from punto.table.play.dealing_device import ATTESTED_BY_DEALER
from punto.table.procedures import procedures
from punto.table.round import Phase
from punto.table.settings import Device, SensitiveAct
from punto.texts import Language, catalogue, fill, name_of

ROOT = Path(__file__).parents[2]
PUNTO, WEB, TEXTS = ROOT / "src" / "punto", ROOT / "web" / "src", ROOT / "src" / "punto" / "texts"
SUBJECTS = sorted(file.stem for file in (TEXTS / "en").glob("*.json"))
BLANK = re.compile(r"\{(\w+)(?::(\w+))?\}")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
KINDS_OF_VALUES = {"money", "nth", "place", "quoted"}
GIVEN_BY_REFUSAL = {"game", "subject"}
"""Blanks of refusals that are filled from the refusal itself and not from its values."""
HOUSE_RULES = {unread_card.PROVISION}
"""What play may be held for though no clause of any game says so."""


def blanks(text: str) -> set[str]:
    return {name for name, _ in BLANK.findall(text)}


def sources(*folders: Path, endings: tuple[str, ...] = (".py",)) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            hidden = {"static", "generated", "__pycache__", "node_modules"} & set(file.parts)
            if file.suffix in endings and not hidden:
                yield file, file.read_text("utf-8")


def all_source(*folders: Path, endings: tuple[str, ...] = (".py",)) -> str:
    return "\n".join(text for _, text in sources(*folders, endings=endings))


def calls(parts: tuple[str, ...], *names: str) -> Iterator[tuple[Path, ast.Call]]:
    """Every call, in these parts of the source, of a function of one of these names."""
    for file, text in sources(*(PUNTO / part for part in parts)):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in names:
                yield file, node


# --- both languages --------------------------------------------------------------------------------------------------


def test_both_languages_have_the_same_subjects() -> None:
    assert sorted(file.stem for file in (TEXTS / "zh").glob("*.json")) == SUBJECTS


@pytest.mark.parametrize("subject", SUBJECTS)
def test_both_languages_have_the_same_texts_with_the_same_blanks(subject: str) -> None:
    english, chinese = catalogue(subject), catalogue(subject, Language.CHINESE)
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert text.strip(), key
        assert chinese[key].strip(), key
        assert blanks(text) == blanks(chinese[key]), key


@pytest.mark.parametrize("language", Language)
def test_every_kind_of_blank_is_known(language: Language) -> None:
    named = {key.partition(".")[0] for subject in ("names", "irregularities") for key in catalogue(subject, language)}
    for subject in SUBJECTS:
        for key, text in catalogue(subject, language).items():
            kinds = {kind for _, kind in BLANK.findall(text) if kind}
            assert kinds <= named | KINDS_OF_VALUES, key
            assert not re.search(r"[{}]", BLANK.sub("", text)), key


def test_no_text_is_chinese_outside_the_catalogues() -> None:
    """But for the name of the language, pages shown before a language is known, and clauses: these are rules."""
    own = {
        WEB / "i18n" / "catalogue.ts",
        PUNTO / "server" / "http" / "page.html.jinja",
        PUNTO / "rules" / "clauses_in_chinese.toml",
    }
    endings = (".py", ".toml", ".typ", ".jinja", ".ts")
    assert [file.name for file, text in sources(PUNTO, WEB, endings=endings) if CHINESE.search(text)] == [
        file.name for file in sorted(own)
    ]


def test_no_chinese_text_has_english_words_in_it() -> None:
    """But for those that tell auditors how bytes are written, and with which option."""
    for subject in SUBJECTS:
        for key, text in catalogue(subject, Language.CHINESE).items():
            if key not in ("dispute.how", "dispute.head.export-hint"):
                assert not has_words(BLANK.sub("", text)), key


def test_english_texts_name_people_plainly() -> None:
    for subject in SUBJECTS:
        for key, text in catalogue(subject).items():
            assert not re.search(r"\b(he|his|him|himself|somebody|whoever|anew)\b", text, re.IGNORECASE), key


def test_blanks_are_filled_by_their_kind() -> None:
    assert fill("{a:money} on {b:wager}", {"a": 1250, "b": "Tie"}, Language.CHINESE) == "12.50 on 和"
    assert fill("{a:place} and {b:place}", {"a": 0, "b": 3}) == "first and 4th"
    assert fill("{a:wager}; {b}", {"a": ("Tie", "mine"), "b": ()}, Language.CHINESE) == "和、mine; 无"
    with pytest.raises(KeyError):
        fill("{a}", {})


# --- names -----------------------------------------------------------------------------------------------------------


def names() -> dict[str, set[str]]:
    books = [load(key) for key in APPROVED]
    lines = [line for book in books for wager in book.wagers for line in wager.lines]

    def values(kind: type[Enum]) -> set[str]:
        return {str(each.value) for each in kind}

    return {
        "act": values(SensitiveAct),
        "call": {
            called for book in books if (said := book.round_of_play) for called in (said.commencement, said.closing)
        },
        "device": values(Device),
        "duty": values(Duty),
        "game": {book.title for book in books},
        "hand": values(Hand),
        "layout": {layout.name for book in books for layout in book.layouts},
        "list": {"separator", "none"},
        "outcome": {line.outcome for line in lines},
        "period": values(Period),
        "phase": values(Phase) | {"held"},
        "place": {"0", "1", "2", "later"},
        "provision": {*PROVISIONS, *HOUSE_RULES},
        "reason": {"house", "closing", "cards-known"},
        "significant": values(SignificantKind),
        "stream": {"cage", "house", "shoes", "table"},
        "value": value_names(),
        "wager": {wager.name for book in books for wager in book.wagers},
        "winner": values(Winner),
        "winner_is": values(Winner),
    }


def test_everything_that_has_a_name_is_in_the_catalogue_and_nothing_else() -> None:
    given = {f"{kind}.{name}" for kind, each in names().items() for name in each}
    provisions = {key for key in catalogue("irregularities") if key.startswith("provision.")}
    assert catalogue("names").keys() | provisions == given
    assert not catalogue("names").keys() & provisions
    assert name_of("wager", "Mine", Language.CHINESE) == "Mine"


def test_every_account_has_a_name_on_the_pages() -> None:
    assert {f"money.account.{each.value}" for each in AccountKind} <= catalogue("pages").keys()


# --- events and irregularities ---------------------------------------------------------------------------------------


def test_every_event_has_its_sentences_and_every_sentence_an_event() -> None:
    both = [key for subject in ("events", "irregularities") for key in catalogue(subject) if key.startswith("event.")]
    shown = EVENTS | house_events.EVENTS | cage_events.EVENTS
    assert {f"event.{name}" for name in shown} <= set(both)
    for _, name, *variant in (key.split(".") for key in both):
        assert {each.removeprefix("no-") for each in variant} <= {each.name for each in fields(KINDS[name])}, name


def test_every_reason_matter_and_decision_has_its_words() -> None:
    codes = {*REASONS.values(), *MATTERS.values(), *DECISION_CODES}
    assert {key for key in catalogue("irregularities") if key.startswith("said.")} == {f"said.{each}" for each in codes}


def test_every_blank_of_a_sentence_is_a_field_of_its_event() -> None:
    for subject in ("events", "irregularities"):
        for key, text in catalogue(subject).items():
            if key.startswith("event."):
                kind = KINDS[key.split(".")[1]]
                assert blanks(text) <= {each.name for each in fields(kind)}, key


def test_every_text_of_a_procedure_is_used() -> None:
    used = set()
    for procedure in procedures():
        key = f"procedure.{procedure.key}"
        asked = {each.name for each in procedure.questions}
        own = {f"{key}.ask.{name}" for name in asked} & catalogue("irregularities").keys()
        used |= {key, *own, *(each.text_key for each in procedure.steps)}
        used |= {f"ask.{name}" for name in asked if f"{key}.ask.{name}" not in own}
    there = {key for key in catalogue("irregularities") if key.startswith(("procedure.", "ask."))}
    assert used == there


# --- refusals --------------------------------------------------------------------------------------------------------


def test_no_refusal_gives_its_reason_as_prose() -> None:
    assert not [key for key, text in catalogue("refusals").items() if "why" in blanks(text)]
    for file, call in calls(("table", "server"), "refuse", "Refused"):
        assert "why" not in [each.arg for each in call.keywords], f"{file.name}, line {call.lineno}"


def test_every_refusal_gives_the_values_that_its_sentence_takes() -> None:
    for file, call in calls(("table", "server"), "refuse", "Refused"):
        if not call.args or not isinstance(call.args[0], ast.Constant):
            continue
        values = {each.arg: each.value for each in call.keywords}
        case = values.pop("case", None)
        if None in values or not isinstance(case, ast.Constant | None):
            continue  # put together: the sentence itself fails without a value
        key = ".".join(str(each.value) for each in (call.args[0], case) if each)
        missing = blanks(catalogue("refusals")[key]) - values.keys() - GIVEN_BY_REFUSAL
        assert not missing, f"{file.name}, line {call.lineno}: {key}"


CASES_OF_CANNOT_BE = ("BadPerson", "SignInRefused", "CutError")
"""Exceptions whose first value is a case of ``cannot-be``."""


def test_every_case_of_a_refusal_is_used() -> None:
    used = set()
    for file, call in calls(("server", "shoe"), *CASES_OF_CANNOT_BE):
        assert isinstance(call.args[0], ast.Constant)
        used.add(key := f"cannot-be.{call.args[0].value!s}")
        assert blanks(catalogue("refusals")[key]) <= {each.arg for each in call.keywords}, f"{file.name}: {key}"
    for _, call in calls(("table", "server"), "refuse", "Refused", "__init__"):
        for case in (each.value for each in call.keywords if each.arg == "case"):
            cases = [each.value for each in ast.walk(case) if isinstance(each, ast.Constant) and each.value]
            used |= {f"{call.args[0].value!s}.{each!s}" for each in cases if isinstance(call.args[0], ast.Constant)}
    assert {key for key in catalogue("refusals") if "." in key} - used == set()


# --- findings --------------------------------------------------------------------------------------------------------


def test_every_finding_of_the_auditors_has_its_sentence_and_its_values() -> None:
    used = set()
    for file, call in calls(("audit", "report"), "_find", "find", "finding", "_agree"):
        agree = getattr(call.func, "attr", "") == "_agree"
        start = "found.differs." if agree else "found."
        codes = [each.value for each in ast.walk(ast.Tuple(list(call.args))) if isinstance(each, ast.Constant)]
        for code in (f"{start}{each!s}" for each in codes):
            if code not in catalogue("findings"):
                continue
            used.add(code)
            given = {each.arg for each in call.keywords} | ({"recorded", "recomputed"} if agree else set())
            assert blanks(catalogue("findings")[code]) <= given, f"{file.name}, line {call.lineno}: {code}"
    assert used == {key for key in catalogue("findings") if key.startswith("found.")}


def test_every_detail_of_a_checked_shoe_has_its_sentence_and_its_values() -> None:
    used = set()
    for file, call in calls(("shoe", "report"), "detail"):
        given = {each.arg for each in call.keywords}
        for each in ast.walk(call.args[0]):
            if isinstance(each, ast.Constant):
                code = f"checked.{each.value!s}"
                used.add(code)
                assert None in given or blanks(catalogue("findings")[code]) <= given, f"{file.name}: {code}"
    named = {"noted.pledge", "noted.not-revealed", "commitment.holds", "commitment.fails"}  # by a variable
    assert used | {f"checked.{each}" for each in named} == {
        key for key in catalogue("findings") if key.startswith("checked.")
    }


# --- texts that are used by their keys -------------------------------------------------------------------------------


def unused(subject: str, source: str, prefix: str = "") -> list[str]:
    """The texts of a subject whose keys stand nowhere in the source, whole or put together."""
    put_together = [
        ".+".join(map(re.escape, re.split(r"\$?\{[^}`\"]*\}", key)))
        for key in re.findall(r'f"([a-z]+[\w.-]*\{[^"]*)"', source)
        + re.findall(r"`([a-z]+\.(?:[\w.-]|\$\{[^}`]*\})+)`", source)
    ]
    pattern = re.compile("|".join(put_together) or "(?!)")
    keys = [key.removeprefix(prefix) for key in catalogue(subject) if key.startswith(prefix)]
    whole = set(re.findall(r"""["']([\w. -]+)["']""", source))
    return [key for key in keys if key not in whole and not pattern.fullmatch(key)]


def test_every_text_of_a_report_is_used() -> None:
    for name in ("conformity", "dispute", "par", "shift"):
        source = all_source(PUNTO / "report" / name, endings=(".py", ".typ", ".jinja"))
        source = re.sub(r"\b(?:say|texts|par)\.(\w+)", r'"\1"', source) + 'f"column.{name}" "return"'
        assert unused("reports", source, f"{name}.") == []


def test_every_text_of_a_dossier_is_used() -> None:
    folders = PUNTO / "report" / "dossier", PUNTO / "report" / "felt", PUNTO / "cli" / "study"
    source = all_source(*folders, endings=(".py", ".typ", ".jinja"))
    source = re.sub(r"\bsay\.(\w+)", r'"page.\1"', source)
    assert unused("dossier", source) == []


def test_every_text_of_the_school_is_used() -> None:
    assert unused("school", all_source(PUNTO / "school")) == []


def test_every_text_of_the_pages_is_used() -> None:
    source = all_source(WEB, WEB.parent / "scripts", endings=(".ts", ".mjs"))
    (kinds,) = re.findall(r"^export const KINDS = \[(.*?)\]", source, re.MULTILINE | re.DOTALL)
    named = tuple(f"{kind}." for kind in re.findall(r'"(.+?)"', kinds))
    assert [key for key in unused("pages", source) if not key.startswith(named)] == []


def test_every_text_that_the_pages_ask_for_is_there() -> None:
    known = catalogue("pages").keys() | catalogue("names").keys() | catalogue("findings").keys()
    for file, text in sources(WEB, endings=(".ts",)):
        for key in re.findall(r"""\bt\("([\w. -]+)\"""", text):
            assert key in known, f"{file.name}: {key}"


def test_every_step_that_can_come_next_has_its_words() -> None:
    known = catalogue("pages")
    source = all_source(PUNTO / "table")
    commands = set(re.findall(r'\b(?:step|either)\(\s*table,\s*"(\w+)"', source))
    assert commands >= {"DrawCard", "DecideReset", "PermitDrawing", "FixOrder"}
    assert commands <= COMMANDS.keys()
    assert {f"do.{each}" for each in commands} <= known.keys()
    for step in (*ATTESTED_BY_DEALER, *STEPS):
        assert {f"do.Attest.{step}", f"do.AttestCardsTaken.{step}"} & known.keys() or step == COUNT
    keyed = {name for each in re.findall(r"keyed=\(([^)]*)\)", source) for name in re.findall(r'"(\w+)"', each)}
    assert {f"field.{name}" for name in keyed} <= known.keys()
    assert {f"irregular.{each.group}" for each in procedures()} <= known.keys()


# --- the pages' own text ---------------------------------------------------------------------------------------------


def test_the_lock_of_the_pages_names_no_host() -> None:
    lock: dict[str, Any] = json.loads((WEB.parent / "package-lock.json").read_text("utf-8"))
    assert all("resolved" not in each for each in lock["packages"].values())


def test_no_rules_in_the_pages() -> None:
    """No clause number and no ratio stands in the pages' own text."""
    for file, text in sources(WEB, endings=(".ts",)):
        assert not re.search(r'(?<!=)"[1-6](\.\d+){1,3}"', text), file.name
        assert not re.search(r'"\d+/\d+"', text.replace('"0/', '"')), file.name
