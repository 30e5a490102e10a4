"""``punto verify-packet``: check a dispute packet offline, without the house."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from punto.cli.main import BadInput, Run
from punto.cli.output import input_text, print_json

if TYPE_CHECKING:
    from punto.report.dispute.packet_check import PacketCheck

CHECK_FAILED = 1


def verify_packet(parser: ArgumentParser) -> Run:
    """Check a packet; exit code 0 when everything is proved, 1 when a check fails or a proof is missing."""
    parser.epilog = "docs/receipts.md says what a packet proves, and how to check one without Punto."
    parser.add_argument(
        "file", metavar="FILE", help="the packet as punto export wrote it, in JSON; - reads standard input"
    )
    key = "the key that you know to be of the house: of its log for a patron's packet, else of its signed heads"
    parser.add_argument("--key", metavar="KEY", help=key)
    witness = "the key of a witness, who has to have cosigned the checkpoint of a patron's packet"
    parser.add_argument("--witness", metavar="KEY", help=witness)
    return _run


def _run(arguments: Namespace) -> None:
    from punto.report.dispute.packet_check import check_packet

    try:
        packet = json.loads(input_text(arguments.file))
    except ValueError as error:
        raise BadInput(f"{arguments.file}: expected a packet in JSON ({error})") from None
    if not isinstance(packet, dict):
        raise BadInput(f"{arguments.file}: expected a packet in JSON")
    checks = check_packet(packet, arguments.key, arguments.witness)
    ok = all(each.ok for each in checks)
    if arguments.json:
        told = [{"check": each.code, "ok": each.ok, "about": each.about} for each in checks]
        print_json({"packet": packet.get("packet"), "ok": ok, "checks": told})
    else:
        _show(checks, ok)
    if not ok:
        sys.exit(CHECK_FAILED)


def _show(checks: Sequence[PacketCheck], ok: bool) -> None:
    from punto.texts import text

    for each in checks:
        if not each.ok:
            print(f"NOT in order: {each.about}: {text('reports', f'packet-check.{each.code}')}")  # noqa: T201
    print(text("reports", "packet-check.in-order" if ok else "packet-check.not-in-order", checks=len(checks)))  # noqa: T201
