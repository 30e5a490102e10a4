"""The paragraphs of the page about refusals, generated from the English catalogue and the notes about its codes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from generator.markdown import page, table
from punto.texts import catalogue

NOTES = Path(__file__).parent / "refusal_notes.json"


def shown() -> str:
    """Return a paragraph for each code: its sentence, the note about it, and the sentences of its cases."""
    notes: dict[str, str] = json.loads(NOTES.read_text("utf-8"))
    codes = dict.fromkeys(key.partition(".")[0] for key in catalogue("refusals"))
    assert notes.keys() == codes.keys(), f"{NOTES.name} lacks or outlived {sorted(notes.keys() ^ codes.keys())}"
    return page(*(_code(code, notes[code]) for code in codes)) + "\n"


def _code(code: str, note: str) -> str:
    sentences = {key: re.sub(r":\w+\}", "}", text) for key, text in catalogue("refusals").items()}
    cases = {key.partition(".")[2]: text for key, text in sentences.items() if key.startswith(f"{code}.")}
    return page(
        f"### {code}",
        f"> {sentences[code]}" if code in sentences else "",
        note,
        table(("case", "sentence"), [(f"`{case}`", text) for case, text in cases.items()]) if cases else "",
    )
