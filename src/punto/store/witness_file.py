"""The file of a witness: its key, the logs that it trusts, and the last checkpoint of each that it has cosigned."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import apsw
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from punto.store.records import StoreError
from punto.store.sqlite.private_files import make_private
from punto.store.trust.log_folder import COSIGNED, LogFolder
from punto.tlog.checkpoint import LogCheckpoint, cosign, cosigned_at
from punto.tlog.note import COSIGNATURE, BadNote, Note, Verifier
from punto.tlog.proofs import consistency_proof
from punto.tlog.tiles import BadTile
from punto.tlog.witness import AddCheckpoint, NotCosigned, check

_MADE = """
    create table if not exists witness (name text not null, key blob not null) strict;
    create table if not exists log (key text primary key) strict;
    create table if not exists cosigned (origin text primary key, note text not null) strict;
"""


class WitnessFile:
    """A witness, in one SQLite file that only its owner may read."""

    def __init__(self, file: Path, name: str) -> None:
        try:
            make_private(file)
            self._file = apsw.Connection(str(file))
            self._file.set_busy_timeout(10_000)
            self._file.execute("pragma journal_mode = wal; pragma synchronous = full")
            self._file.execute(_MADE)
            rows = list(self._file.execute("select name, key from witness"))
            if not rows:
                rows = [(name, Ed25519PrivateKey.generate().private_bytes_raw())]
                self._file.execute("insert into witness values (?, ?)", rows[0])
        except (apsw.Error, OSError) as error:
            raise StoreError(f"{file}: is no file of a witness ({type(error).__name__})") from None
        kept, key = rows[0]
        self._signing = Ed25519PrivateKey.from_private_bytes(key)
        self.key = Verifier(kept, self._signing.public_key().public_bytes_raw(), COSIGNATURE)

    def trust(self, log: Verifier) -> None:
        """Trust a log from now on."""
        self._file.execute("insert or ignore into log values (?)", (log.text,))

    def logs(self) -> list[Verifier]:
        """Return the keys of the logs that are trusted."""
        return [Verifier.read(text) for (text,) in self._file.execute("select key from log order by key")]

    def cosigned(self, origin: str) -> Note | None:
        """Return the last checkpoint of a log that was cosigned, with the cosignature."""
        for (text,) in self._file.execute("select note from cosigned where origin = ?", (origin,)):
            return Note.read(text)
        return None

    def add(self, request: AddCheckpoint, time: int) -> Note:
        """Cosign a checkpoint and keep it before it is shown; raise ``NotCosigned`` if it continues nothing.

        Whatever happens meanwhile, one request is looked at and kept at a time.
        """
        self._file.execute("begin immediate")
        try:
            known = self.cosigned(request.checkpoint.origin)
            new = check(request, self.logs(), LogCheckpoint.read(known.text) if known else None)
            note = request.note.with_signatures([cosign(self.key, self._signing.sign, request.note.text, time)])
            self._file.execute("insert or replace into cosigned values (?, ?)", (new.origin, str(note)))
            self._file.execute("commit")
        except BaseException:
            self._file.execute("rollback")
            raise
        return note

    def look_at(self, folder: LogFolder, time: int) -> Note | None:
        """Cosign what a folder publishes, with the proof from its own tiles; None if there is nothing yet."""
        note = folder.note()
        if note is None:
            return None
        new = LogCheckpoint.read(note.text)
        self._remember(folder, new.origin)
        known = self.cosigned(new.origin)
        old = LogCheckpoint.read(known.text).size if known else 0
        if old > new.size:
            raise NotCosigned(422, f"the log has {new.size} leaves, and {old} of it were cosigned here")
        try:
            proof = consistency_proof(folder.subtrees(new.size), old, new.size)
        except BadTile as error:
            raise NotCosigned(422, str(error)) from None
        return self.add(AddCheckpoint(old, tuple(proof), note), time)

    def _remember(self, folder: LogFolder, origin: str) -> None:
        """Take over what this witness has cosigned beyond its file, which was put back to an earlier state since."""
        with suppress(BadNote):
            note, known = folder.note(COSIGNED), self.cosigned(origin)
            if note and cosigned_at(note, self.key) is not None:
                own = LogCheckpoint.read(note.text)
                if own.origin == origin and own.size > (LogCheckpoint.read(known.text).size if known else 0):
                    self._file.execute("insert or replace into cosigned values (?, ?)", (origin, str(note)))

    def close(self) -> None:
        self._file.close()


def read_cosigned(file: Path, origin: str) -> tuple[Note, Verifier] | None:
    """Return the last checkpoint of a log that a witness has cosigned, and the witness's key, from its file."""
    try:
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
        ((name, key),) = connection.execute("select name, key from witness")
        rows = list(connection.execute("select note from cosigned where origin = ?", (origin,)))
        connection.close()
    except (apsw.Error, ValueError) as error:
        raise StoreError(f"{file}: is no file of a witness ({type(error).__name__})") from None
    public_key = Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()
    return (Note.read(rows[0][0]), Verifier(name, public_key, COSIGNATURE)) if rows else None
