"""The paragraphs of the page about refusals, generated from the English catalogues."""

from __future__ import annotations

from generator.markdown import page, table
from punto.texts import catalogue


def shown() -> str:
    """Return a paragraph for each code: its sentence, the note about it, and the sentences of its cases."""
    return page(*(_code(code, note) for code, note in catalogue("refusal_notes").items())) + "\n"


def _code(code: str, note: str) -> str:
    sentences = catalogue("refusals")
    cases = {key.partition(".")[2]: text for key, text in sentences.items() if key.startswith(f"{code}.")}
    return page(
        f"### {code}",
        f"> {sentences[code]}" if code in sentences else "",
        note,
        table(("case", "sentence"), [(f"`{case}`", text) for case, text in cases.items()]) if cases else "",
    )
