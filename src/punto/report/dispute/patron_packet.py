"""A dispute packet for one patron: what the log proves of their round, and nothing of another patron.

Their settled wagers are receipts. The round's events are the entries of its course, one leaf of the log: whole where
they show nobody else, an outline where they are about others too, and otherwise a hash that nobody can guess.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from punto import __version__
from punto.audit.table_recomputed import Game
from punto.books.round_log import ends_round
from punto.report.dispute.events_for_patron import Showing, is_about, others_in, showing
from punto.report.dispute.packet import about_game, about_setting, restated
from punto.report.dispute.proved_account import account, how_to_check, people_of
from punto.report.round_index import events_of_round
from punto.report.verified_log import NoPacket, VerifiedLog, no_such_round, verified_log
from punto.store.protocol import Reader
from punto.store.receipts.receipt_file import PublishedLog, sealed_receipts
from punto.store.receipts.round_course import COURSE_FORMAT, course_bytes, entry_hashes, entry_salts, hidden_digest
from punto.store.receipts.settled_wagers import SETTLING, receipts_of
from punto.store.receipts.wager_receipt import RECEIPT_FORMAT, receipt_bytes
from punto.store.records import EventRecord
from punto.store.trust.log_leaves import salt_of
from punto.store.trust.log_rows import range_of
from punto.texts import Language

PATRON_FORMAT = "punto-dispute-2"
NO_PROOF = "no-proof"
"""Stands in the packet where the house kept no log, or none with this kind of leaf, when the round was played."""


async def patron_packet(
    store: Reader,
    games: Mapping[str, Game],
    table: str,
    round_: int,
    patron: str,
    logs: Sequence[PublishedLog] = (),
    language: Language = Language.ENGLISH,
) -> dict[str, Any]:
    """Return the packet of a round for one of its patrons, proved in the first of the logs that has all of it.

    Raises ``NoPacket`` if there is no such round, it has not ended, or the patron had no part in it.
    """
    events = await events_of_round(store, games, table, round_)
    if not events:
        raise NoPacket(await no_such_round(store, table, round_))
    verified = await verified_log(store, games, table, events)
    piece = [each for each in events if each.number <= verified.end]
    if not ends_round(piece[-1].event):
        raise NoPacket(f"round {round_} of {table} is still in play: a patron's packet is made once it has ended")
    settling = [piece[-1].number, *(each.number for each in events if _corrects(each, verified.end, round_))]
    proved = await _proved(store, logs, table, piece, settling, patron)
    if not proved["receipts"] and not any(is_about(each, patron) for each in piece):
        raise NoPacket(f"{patron} had no part in round {round_} of {table}")
    told = account(proved, language)
    return {
        "packet": PATRON_FORMAT,
        "language": language.value,
        "table": table,
        "round": round_,
        "patron": patron,
        **told,
        "proved": proved,
        "how": how_to_check(language),
        "stated": await _stated(store, verified, proved, told, language),
    }


def _corrects(each: EventRecord, end: int, round_: int) -> bool:
    return each.number > end and each.name in SETTLING and getattr(each.event, "round", None) == round_


# --- what is proved --------------------------------------------------------------------------------------------------


async def _proved(
    store: Reader,
    logs: Sequence[PublishedLog],
    table: str,
    piece: Sequence[EventRecord],
    settling: list[int],
    patron: str,
) -> dict[str, Any]:
    for log in logs:
        receipts: list[dict[str, Any]] = []
        for number in settling:
            found = await sealed_receipts(store, log, table, number, patron)
            if found is None:
                break  # an earlier checkpoint, or a round that is not sealed yet
            receipts += [msgspec.to_builtins(each.file) for each in found]
        else:
            course = await _course(store, log, piece, patron)
            if course or receipts:
                return {"course": course, "receipts": receipts}
    made = [each for number in settling for each in await receipts_of(store, table, number) if each.patron == patron]
    plain = {"format": RECEIPT_FORMAT, "key": None, "salt": None}
    told = [{**plain, "receipt": receipt_bytes(each).decode(), "proof": NO_PROOF} for each in made]
    return {"course": None, "receipts": told}


async def _course(store: Reader, log: PublishedLog, piece: Sequence[EventRecord], patron: str) -> dict[str, Any] | None:
    """Return the course of a round with its leaf; None if that was sealed by a version that made none."""
    last = piece[-1]
    found = await range_of(store, log.head.epoch, last.stream, last.number)
    if found is None or found.receipts != len(await receipts_of(store, last.stream, last.number)) + 1:
        return None
    leaf, secret = found.first + found.leaves - 1, log.head.secret
    salts = entry_salts(secret, last.stream, last.number, len(piece))
    hashes = entry_hashes(secret, last.stream, piece)
    entries, others = [], others_in(piece, patron)
    for each, (salt, salt_of_hidden), hash_ in zip(piece, salts, hashes, strict=True):
        shown = showing(each, patron, others)
        if shown is Showing.HASH:
            entries.append({"hash": hash_.hex()})
            continue
        entry: dict[str, Any] = {"number": each.number, "event": each.name, "version": each.version}
        entry |= {"milliseconds": each.at, "position": each.position, "salt": salt.hex()}
        if shown is Showing.WHOLE:
            entry |= {"by": each.by, "stored": each.body.decode(), "salt_of_hidden": salt_of_hidden.hex()}
        else:
            entry |= {"hidden": hidden_digest(salt_of_hidden, each.by, each.body).hex()}
        entries.append(entry)
    return {
        "format": COURSE_FORMAT,
        "key": log.key,
        "salt": b64encode(salt_of(secret, leaf)).decode(),
        "course": course_bytes(secret, last.stream, piece).decode(),
        "proof": log.proof(leaf),
        "entries": entries,
    }


# --- what the house says besides -------------------------------------------------------------------------------------


async def _stated(
    store: Reader, verified: VerifiedLog, proved: Mapping[str, Any], told: Mapping[str, Any], language: Language
) -> dict[str, Any]:
    """Return what no proof covers: it is the same for every patron of the round, but for the clauses and the names."""
    book, opened = verified.book, verified.opened
    assert opened.shoe is not None
    settled = [*told["wagers"], *(wager for each in told["corrections"] for wager in each["wagers"])]
    cited = {each[name] for each in settled for name in ("clause", "limit_clause")}
    cited |= {each["clause"] for each in told["events"]}
    names = await store.names(people_of(proved))
    return {
        "software": f"Punto {__version__}",
        "game": about_game(book),
        "setting": about_setting(opened.set_up),
        "shoe": opened.shoe.name,
        "names": {person: each.words for person, each in sorted(names.items()) if each.words},
        "clauses": restated({each for each in cited if each}, book, language),
        "findings": sorted({each.code for each in verified.findings}),
    }
