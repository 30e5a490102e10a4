"""The files of a dossier: what is filed for a game's approval, made from its file, with a manifest of their hashes.

The same game, the same options and the same Punto give the same files to the byte.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from punto.lab.study import study_protection
from punto.odds import Odds, odds
from punto.report.dossier.checked_game import FoundMatter, checks_document, found_matters
from punto.report.dossier.clause_evidence import clause_evidence
from punto.report.dossier.document import Document, Heading, Paragraph, PrintedTable, SignatureLine, say
from punto.report.dossier.document_files import html, markdown, pdf, prints
from punto.report.dossier.foot import foot_of
from punto.report.dossier.layout_drawing import PAPER, layout_sheet
from punto.report.dossier.origin import borrowed_files, borrowed_from, has_chinese, own_and_borrowed
from punto.report.dossier.procedure_cards import procedure_cards
from punto.report.dossier.rack_card import rack_card
from punto.report.dossier.rules_document import dated, rules_document
from punto.report.dossier.settlement_evidence import evidence_csv, settlement_evidence
from punto.report.dossier.simulated_rounds import simulated_json, simulated_rounds
from punto.report.par.par_sheet import par_sheet
from punto.report.par.par_sheet import write_html as par_html
from punto.report.par.par_sheet import write_pdf as par_pdf
from punto.report.protection.study_files import write_pdf, write_plots
from punto.rules.hands.hand_states import mixes
from punto.rules.rulebook import Layout, Rulebook
from punto.simulate.simulation import Progress, simulate
from punto.texts import Language

MANIFEST = "SHA256SUMS"
SHOES, LAB_SHOES = 20_000, 400
"""Shoes of the simulation, and of the lab's summary: enough to notice a mistake, and done in seconds."""
_HERE = Path(__file__).parent
_ENGLISH = Language.ENGLISH
_CHECKS = "10-checks"
_SIGNATURES = "11-signatures"
_SIGN = ("prepared", "checked", "approved")


@dataclass(frozen=True, slots=True)
class Filing:
    """How a dossier is made."""

    decks: int
    shoes: int = SHOES
    lab_shoes: int = LAB_SHOES
    seed: int = 1
    dated: date | None = None
    """The day that is printed on it; without one it says that none was given."""


@dataclass(frozen=True, slots=True)
class Part:
    """One subject of a dossier, in one or several files."""

    subject: str
    files: Mapping[str, bytes]
    about: str = ""
    """Which one it is, where there are several: a layout or a game by its name."""


@dataclass(frozen=True, slots=True)
class Dossier:
    """All files of a dossier by name, and what was found in making it."""

    parts: tuple[Part, ...]
    files: Mapping[str, bytes]
    matters: tuple[FoundMatter, ...]


def make_dossier(
    book: Rulebook, game_file: bytes, filing: Filing, progress: Progress | None = None, written: bytes | None = None
) -> Dossier:
    """Return the dossier of a game; ``game_file`` is the whole file, and ``written`` what its author wrote of it.

    An interrupt ends it with ``KeyboardInterrupt``: a part would be taken for the whole.
    """
    found = odds(book, filing.decks)
    dealt = simulate(book, filing.shoes, filing.seed, decks=filing.decks, progress=progress)
    if dealt.partial:
        raise KeyboardInterrupt
    matters = found_matters(found, dealt)
    parts = [
        *_rules(book),
        Part(
            "par",
            {
                "02-par-sheet.pdf": _written(found, filing, par_pdf),
                "02-par-sheet.html": _written(found, filing, par_html),
            },
        ),
        *_layouts(book),
        *_in_languages(book, "card", "04-rack-card", rack_card),
        *_in_languages(book, "procedures", "05-procedures", procedure_cards),
        _part("trace", "06-clauses-and-tests", clause_evidence(book)),
        _part("evidence", "07-settlement", settlement_evidence(found), {"csv": evidence_csv(found).encode()}),
        _part(
            "simulated",
            "08-simulation",
            simulated_rounds(dealt, found),
            {"json": simulated_json(dealt, found).encode()},
        ),
        lab_part(book, filing),
        _part("checks", _CHECKS, checks_document(found, matters)),
        Part("game_file", {f"{book.key}.toml": game_file}, book.title),
        *_written_file(book, game_file, written),
        *_borrowed(book),
    ]
    index = _part("index", "00-index", _index(book, filing, parts, matters))
    files = {name: content for part in (index, *parts) for name, content in part.files.items()}
    files[MANIFEST] = manifest(files).encode()
    signed = _part("signatures", _SIGNATURES, _signatures(book, filing, files[MANIFEST]))
    return Dossier((index, *parts, signed), {**files, **signed.files}, matters)


def manifest(files: Mapping[str, bytes]) -> str:
    """Return the hashes of files, as ``sha256sum`` writes and checks them."""
    return "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items()))


# --- parts -----------------------------------------------------------------------------------------------------------


def _part(subject: str, stem: str, document: Document, more: Mapping[str, bytes] = {}) -> Part:
    """Return a document on paper and as a page, and what else there is of it; on paper only where letters are there."""
    files = {f"{stem}.pdf": pdf(document)} if prints(document.language) else {}
    files |= {f"{stem}.html": html(document).encode()}
    return Part(subject, files | {f"{stem}.{ending}": content for ending, content in more.items()})


def _rules(book: Rulebook) -> Iterator[Part]:
    for language in _languages(book):
        document = rules_document(book, language)
        yield _part(
            f"rules.{language.value}", f"01-rules.{language.value}", document, {"md": markdown(document).encode()}
        )


def _in_languages(
    book: Rulebook, subject: str, stem: str, make: Callable[[Rulebook, Language], Document]
) -> Iterator[Part]:
    for language in _languages(book):
        yield _part(f"{subject}.{language.value}", f"{stem}.{language.value}", make(book, language))


def _languages(book: Rulebook) -> tuple[Language, ...]:
    return tuple(Language) if has_chinese(book) else (_ENGLISH,)


def _layouts(book: Rulebook) -> Iterator[Part]:
    for layout in book.layouts:
        drawing = layout_sheet(book, layout)
        stem = f"03-layout-{re.sub(r'[^a-z0-9]+', '-', layout.name.casefold()).strip('-')}"
        yield Part(
            "layout", {f"{stem}.svg": drawing.encode(), f"{stem}.pdf": _on_paper(book, layout, drawing)}, layout.name
        )


def _on_paper(book: Rulebook, layout: Layout, drawing: str) -> bytes:
    import typst

    width, height = (f"{size}mm" for size in PAPER)
    inputs = {"title": f"{book.title}, {layout.name}", "width": width, "height": height, "drawing": drawing}
    made: bytes = typst.compile(str(_HERE / "layout.typ"), sys_inputs=inputs)
    return made


def _written(found: Odds, filing: Filing, write: Callable[[dict[str, object], Path], None]) -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "sheet"
        write(par_sheet(found, filing.decks), file)
        return file.read_bytes()


def _written_file(book: Rulebook, game_file: bytes, written: bytes | None) -> Iterator[Part]:
    """Yield the author's own file, if what it borrows makes it another than the whole one."""
    if written is not None and written != game_file:
        yield Part("written_file", {f"{book.key}.as-written.toml": written}, book.title)


def _borrowed(book: Rulebook) -> Iterator[Part]:
    if borrowed := borrowed_files(book):
        yield Part("base_file", borrowed, borrowed_from(book))


def lab_part(book: Rulebook, filing: Filing) -> Part:
    """Return the lab's summary: few shoes, so that its errors are wide; they are told with each figure.

    Wagers that perfect play does not follow are left out, and a page says so.
    """
    left_out = [wager.name for wager in book.wagers if mixes(wager)]
    names = [wager.name for wager in book.wagers if not mixes(wager)]
    files: dict[str, bytes] = {}
    if names:
        told = study_protection(book, filing.lab_shoes, filing.seed, names, decks=filing.decks).to_dict()
        with TemporaryDirectory() as name:
            folder = Path(name)
            write_plots(told, folder)
            write_pdf(told, folder, folder / "study.pdf")
            paper = (folder / "study.pdf").read_bytes()
        files = {"09-lab.pdf": paper, "09-lab.json": (json.dumps(told, indent=1) + "\n").encode()}
    if left_out:
        stem = "09-lab-left-out" if names else "09-lab"
        files |= _part("lab", stem, _unstudied(book, left_out, names, filing)).files
    return Part("lab", files)


def _unstudied(book: Rulebook, left_out: list[str], names: list[str], filing: Filing) -> Document:
    """Return which wagers perfect play does not follow, and what became of the shoes that were asked for."""
    values = {"wagers": left_out, "others": names, "shoes": filing.lab_shoes}
    return Document(
        title=say("lab.title", _ENGLISH, game=book.title),
        language=_ENGLISH,
        foot=foot_of(book),
        blocks=(Paragraph(say("lab.some" if names else "lab.none", _ENGLISH, **values)),),
    )


# --- what binds them together ----------------------------------------------------------------------------------------


def _index(book: Rulebook, filing: Filing, parts: list[Part], matters: tuple[FoundMatter, ...]) -> Document:
    rows = tuple(
        (name, say(f"index.{part.subject}", _ENGLISH, about=part.about)) for part in parts for name in part.files
    )
    unlisted = (MANIFEST, *(f"{_SIGNATURES}.{ending}" for ending in ("pdf", "html")))
    bound = ((name, say("index.manifest" if name == MANIFEST else "index.signatures", _ENGLISH)) for name in unlisted)
    sentence = ("index.no_findings", "index.finding", "index.findings")[min(len(matters), 2)]
    findings = say(sentence, _ENGLISH, count=len(matters), file=f"{_CHECKS}.pdf")
    missing = [] if prints(Language.CHINESE) or not has_chinese(book) else [Paragraph(say("index.no_fonts", _ENGLISH))]
    return Document(
        title=say("index.title", _ENGLISH, game=book.title),
        language=_ENGLISH,
        foot=foot_of(book),
        facts=_facts(book, filing),
        blocks=(
            Paragraph(own_and_borrowed(book, _ENGLISH)),
            Paragraph(findings),
            Paragraph(say("index.unlisted", _ENGLISH, manifest=MANIFEST, unlisted=unlisted)),
            *missing,
            Heading(say("index.files", _ENGLISH)),
            PrintedTable(
                (say("index.file", _ENGLISH), say("index.what", _ENGLISH)), (*rows, *bound), wide=(1,), small=True
            ),
        ),
    )


def _signatures(book: Rulebook, filing: Filing, sums: bytes) -> Document:
    """Return the page to sign. It names the hash of the manifest, so that it stands outside the manifest."""
    return Document(
        title=say("signatures.title", _ENGLISH, game=book.title),
        language=_ENGLISH,
        foot=foot_of(book),
        facts=(
            *_facts(book, filing),
            (say("signatures.manifest", _ENGLISH), f"SHA-256 {hashlib.sha256(sums).hexdigest()}"),
        ),
        blocks=(
            Paragraph(say("signatures.note", _ENGLISH, manifest=MANIFEST)),
            *(SignatureLine(say(f"signatures.{each}", _ENGLISH)) for each in _SIGN),
        ),
    )


def _facts(book: Rulebook, filing: Filing) -> tuple[tuple[str, str], ...]:
    told = {
        "game": book.title,
        "version": book.version or "",
        "effective": dated(book, _ENGLISH) if book.effective else "",
        "borrows": borrowed_from(book),
        "digest": f"SHA-256 {book.digest}",
        "decks": _decks(book, filing),
        "dated": filing.dated.isoformat() if filing.dated else say("fact.undated", _ENGLISH),
    }
    return tuple((say(f"fact.{name}", _ENGLISH), value) for name, value in told.items() if value)


def _decks(book: Rulebook, filing: Filing) -> str:
    """Return the decks that figures are for, with the numbers that the game allows where there are more."""
    allowed = {"fewest": book.decks.fewest, "most": book.decks.most}
    several = book.decks.fewest < book.decks.most
    return say("fact.decks_of_range", _ENGLISH, decks=filing.decks, **allowed) if several else str(filing.decks)
