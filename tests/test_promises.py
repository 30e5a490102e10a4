"""What the documents and pages promise is listed with tests that try the contrary, and new promises are noticed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from generator.promises import SUBJECTS, no_promises, promises
from support.named_tests import is_there
from support.sessions import ROOT

STRONG = re.compile(r"\b(?:cannot|never|nobody|impossible|always)\b", re.IGNORECASE)
WRITTEN = [
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md"),
    *(str(each.relative_to(ROOT)) for each in sorted((ROOT / "docs").rglob("*.md"))),
    "docs/generator/refusal_notes.json",
    "src/punto/texts/en/pages.json",
]
"""Where people read promises. A part that is generated is read where its words are written."""
QUOTED = [*(one for known in promises().values() for each in known for one in each.said), *no_promises()]


@cache
def words_of(file: str) -> str:
    """Return the sentences of a file in one line, without commands, comments and what is generated."""
    text = (ROOT / file).read_text("utf-8")
    if file.endswith(".json"):
        text = "\n".join(json.loads(text).values())
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return " ".join(re.sub(r"<!-- (?!end)\S+ -->.*?<!-- end -->", "", text, flags=re.DOTALL).split())


def unlisted(text: str, quoted: Iterable[str]) -> Iterator[str]:
    """Yield each strong word that stands in none of the quotations, with what is around it."""
    spans = [found.span() for words in quoted for found in re.finditer(re.escape(words), text)]
    for strong in STRONG.finditer(text):
        if not any(begin <= strong.start() and strong.end() <= end for begin, end in spans):
            yield text[max(strong.start() - 60, 0) : strong.end() + 60]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_promise_has_tests(subject: str) -> None:
    for promise in promises()[subject]:
        assert promise.said
        assert promise.tests, promise.said
        assert [each for each in promise.tests if not is_there(each)] == []


def test_what_is_quoted_is_said_there() -> None:
    assert [each for each in QUOTED if each.words not in words_of(each.file)] == []
    assert sorted(QUOTED) == sorted(set(QUOTED)), "each is listed once"


@pytest.mark.parametrize("file", WRITTEN)
def test_a_strong_word_is_a_promise_or_marked_as_none(file: str) -> None:
    """If a sentence is named here: show it by a test and list both, or list it among those that promise nothing."""
    assert list(unlisted(words_of(file), [each.words for each in QUOTED if each.file == file])) == []


def test_a_new_promise_is_noticed() -> None:
    text = "A card never lies. Nobody sees it."
    assert list(unlisted(text, ["A card never lies."])) == [text]
    assert list(unlisted(text, ["A card never lies.", "Nobody sees"])) == []
    assert list(unlisted("It is said nevertheless.", [])) == []


def test_a_test_that_is_gone_is_noticed() -> None:
    here = "tests/test_promises.py"
    assert is_there(f"{here}::test_a_test_that_is_gone_is_noticed")
    assert not is_there(f"{here}::test_that_was_never_written")
    assert not is_there("tests/test_nothing.py::test_a_test_that_is_gone_is_noticed")
    assert is_there("tests/scripts/own-limit.round")
    assert not is_there("tests/scripts/nothing.round")
    assert is_there("web/test/fairness.test.ts::what enters a cut is short")
    assert not is_there("web/test/fairness.test.ts::what enters a cut")
    assert not is_there(here)
