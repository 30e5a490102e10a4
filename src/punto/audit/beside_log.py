"""What stands beside the log: signed points, snapshots, answers to retries, and the database's own file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from msgspec.structs import astuple

from punto.audit.finding import Finding, finding
from punto.store.protocol import Reader
from punto.store.records import StoreError
from punto.store.trust.keys import is_signed
from punto.store.trust.snapshots import snapshot_message
from punto.store.trust.verified_points import point_message

DATABASE = "database"
"""Stands for the name of a stream where a finding is about the whole database."""


class SignedPlace(NamedTuple):
    """An event that a point or a snapshot names, what it says of it, and the signature under that."""

    stream: str
    number: int
    hash: bytes
    message: bytes
    signature: str
    of_snapshot: bool = False


async def signed_places(store: Reader, streams: Collection[str]) -> list[SignedPlace]:
    """Return what points and snapshots say of these streams. A snapshot from before they were signed says nothing."""
    places = [
        SignedPlace(stream, number, hash_, point_message(stream, number, hash_), signature)
        for stream, number, hash_, signature in map(astuple, await store.points())
        if stream in streams
    ]
    for stream in sorted(streams):
        kept = await store.snapshot(stream)
        if kept and kept.signature:
            signed = snapshot_message(kept), kept.signature
            places.append(SignedPlace(stream, kept.number, kept.hash, *signed, of_snapshot=True))
    return places


def check_place(place: SignedPlace, public_key: str, length: int, hashes: Mapping[int, str]) -> Finding | None:
    """Return what is wrong with a place in a stream of this length."""
    if not is_signed(public_key, place.message, place.signature):
        if place.of_snapshot:
            return finding(place.stream, place.number, "snapshot-not-signed")
        return finding(place.stream, place.number, "point-not-signed")
    if place.number > length:
        return finding(place.stream, length + 1, "gone-up-to" if length else "gone", last=place.number)
    if hashes.get(place.number) != place.hash.hex():
        return finding(place.stream, place.number, "rewritten")
    return None


async def wrong_answers(store: Reader) -> list[Finding]:
    """Return the kept answers that no command has."""
    return [
        finding(each.stream, each.first, "answer-differs", actor=each.actor, key=each.key)
        for each in await store.odd_answers()
    ]


async def file_faults(store: Reader) -> list[Finding]:
    """Return what the database finds wrong with its own file."""
    return [finding(DATABASE, None, "file-fault", reason=each) for each in await store.faults()]


def damage(error: Exception) -> Finding:
    """Return the finding for an error that reading a damaged database raised; values in it are not told."""
    reason = str(error) if isinstance(error, StoreError) else type(error).__name__
    return finding(DATABASE, None, "damaged", reason=reason)
