"""``punto verify-shoe``: check the published record of a shoe, every commitment and every card."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from punto.cards import Card
from punto.cli.main import BadInput, Run
from punto.cli.output import input_text, print_json
from punto.shoe import Check, PracticeRecord, Record, ShoeError, read_record, recomputed_order, verify
from punto.shoe.encoding import SIZE

CHECK_FAILED = 1

_IN_A_LINE = 20


def verify_shoe(parser: ArgumentParser) -> Run:
    """Check a record; exit code 0 when everything holds, 1 when a check fails."""
    parser.epilog = "docs/fairness.md says how a shoe is shuffled, and how to check one without Punto."
    parser.add_argument("file", metavar="FILE", help="the record as the house published it; - reads standard input")
    noted = "a digest you wrote down while the shoe was in use; it must be in the record; may be repeated"
    parser.add_argument("--noted", metavar="HEX", action="append", default=[], help=noted)
    parser.add_argument("--order", action="store_true", help="print the order of the cards as well")
    return _run


def _run(arguments: Namespace) -> None:
    noted = [_digest(text) for text in arguments.noted]
    try:
        record = read_record(input_text(arguments.file), file=arguments.file)
    except ShoeError as error:
        raise BadInput(str(error)) from None
    checks = verify(record, noted)
    order = recomputed_order(record) if arguments.order else None
    if arguments.json:
        print_json(_as_json(record, checks, order))
    else:
        _show(record, checks, order)
    if not _ok(checks):
        sys.exit(CHECK_FAILED)


def _digest(text: str) -> bytes:
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != SIZE:
        raise BadInput(f"--noted {text!r}: expected {2 * SIZE} hexadecimal digits")
    return value


def _ok(checks: Sequence[Check]) -> bool:
    return all(check.ok for check in checks)


def _name(record: Record | PracticeRecord) -> str:
    return record.shoe if isinstance(record, Record) else f"practice {record.seed}/{record.number}"


def _as_json(
    record: Record | PracticeRecord, checks: Sequence[Check], order: Sequence[Card] | None
) -> dict[str, object]:
    answer: dict[str, object] = {
        "ok": _ok(checks),
        "kind": "sealed" if isinstance(record, Record) else "practice",
        "shoe": _name(record),
        "decks": record.decks,
        "checks": [{"check": each.name, "ok": each.ok, "detail": each.sentence()} for each in checks],
    }
    return answer if order is None else answer | {"order": [str(card) for card in order]}


def _show(record: Record | PracticeRecord, checks: Sequence[Check], order: Sequence[Card] | None) -> None:
    width = max(len(each.name) for each in checks)
    lines = [f"Shoe {_name(record)!r}, {record.decks} {'deck' if record.decks == 1 else 'decks'}"]
    lines += [f"{'holds' if each.ok else 'FAILS'}  {each.name:{width}}  {each.sentence()}" for each in checks]
    failed = sum(not each.ok for each in checks)
    lines.append(f"{failed} of {len(checks)} checks failed." if failed else f"All {len(checks)} checks hold.")
    for first in range(0, len(order or ()), _IN_A_LINE):
        lines.append(f"{first:4}  {' '.join(map(str, (order or ())[first : first + _IN_A_LINE]))}")
    print("\n".join(lines))  # noqa: T201
