"""What a page says: the Latin words that are left on it when it is read in Chinese."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

WORD = re.compile(r"[A-Za-z][A-Za-z'’-]+")
NOTATION = {
    "Punto",
    "PDF",
    "CSV",
    "JSON",
    "UTC",
    "IANA",
    "HLGA",
    "SHA",
    "Enter",
    "Esc",
    "Tab",
    "Home",
    "End",
    "Ctrl",
    "Del",
    "AUD",
    "PAR",
}
"""Names of formats, standards and keys, which are the same in Chinese."""
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b|\b[PB][1-3]\b")
SAID = re.compile(r"[“\"](Place your bets, please|No more bets)[”\"]")
"""The Dealer's calls, which clauses prescribe word for word."""
ZONE = re.compile(r"\b[A-Z][a-z]+/[A-Z][A-Za-z_]+\b")
CODE = re.compile(r"\b(?=[a-z0-9]*\d)[a-z0-9]{8,}\b")
"""Digests, and ids of people whose names are gone."""
READ = """() => {
    const said = [];
    const note = (text, by) => { if (/[A-Za-z]/.test(text)) said.push([text.trim().replace(/\\s+/g, " "), by]); };
    const read = (node, by) => {
        if (node.nodeType === Node.TEXT_NODE) return note(node.textContent, by);
        if (node.nodeType !== Node.ELEMENT_NODE && !(node instanceof ShadowRoot)) return;
        if (node instanceof Element) {
            const isRead = node.matches("option, optgroup") || node.checkVisibility() || node.localName === "slot"
                || getComputedStyle(node).display === "contents";
            if (!isRead || node.matches("style, script, button[lang=en]")) return;
            if (node.localName === "details") node.open = true;
            by = node.localName + (node.className ? "." + node.className : "");
            for (const each of ["placeholder", "aria-label", "title", "alt"])
                if (node.hasAttribute(each)) note(node.getAttribute(each), by + "@" + each);
        }
        const inside = node.localName === "slot" ? node.assignedNodes() : [];
        for (const each of inside.length ? inside : (node.shadowRoot ?? node).childNodes) read(each, by);
    };
    read(document.body, "body");
    note(document.title, "title");
    return said;
}"""


def latin_words(page: Any, names: Collection[str] = ()) -> list[str]:
    """Return every text of a page, of its labels and its hints, that has a Latin word in it, with its element.

    Names of people and tables are left out, as are cards, codes and names that are the same in Chinese.
    """
    return [f"{by}: {text}" for text, by in page.evaluate(READ) if has_words(text, names)]


def has_words(text: str, names: Collection[str] = ()) -> bool:
    """Return whether a text has a Latin word that is not a name, a card or a code."""
    for each in sorted(names, key=len, reverse=True):
        text = text.replace(each, "")
    for pattern in (SAID, CARD, ZONE, CODE):
        text = pattern.sub("", text)
    return any(word not in NOTATION for word in WORD.findall(text))
