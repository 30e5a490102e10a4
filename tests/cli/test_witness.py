"""``punto witness``: folders and requests together, and what a witness does that was itself put back."""

from __future__ import annotations

import shutil
import threading
import time
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from http.server import HTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from support.command import punto

from punto.store.trust.keys import Keys
from punto.store.trust.log_folder import COSIGNED, LogFolder
from punto.store.trust.sealer import log_key
from punto.store.witness_file import WitnessFile
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import sign_note
from punto.tlog.tiles import TileWriter
from punto.tlog.tree import Edge, leaf_hash

KEYS = Keys(bytes(32))


def signed(name: str, size: int, root: bytes) -> str:
    text, key = LogCheckpoint(name, size, root).text, log_key(name, KEYS.public_key)
    return str(sign_note(text, [(key, lambda message: bytes.fromhex(KEYS.sign(message)))]))


def publish(place: Path, name: str, leaves: int, kind: str = "") -> LogFolder:
    """Publish a log of some leaves; another kind is another log of that name."""
    folder, edge = LogFolder(place), Edge()
    hashes = [leaf_hash(f"{kind}{each}".encode()) for each in range(leaves)]
    edge.append(hashes)
    folder.write(TileWriter().append(hashes))
    folder.publish(signed(name, leaves, edge.root))
    return folder


def trusting(*names: str) -> list[str]:
    return [part for name in names for part in ("--log", log_key(name, KEYS.public_key).text)]


def test_one_log_that_is_not_cosigned_stops_no_other(tmp_path: Path) -> None:
    witness, folders = str(tmp_path / "w.db"), ["--folder", str(tmp_path / "a"), "--folder", str(tmp_path / "b")]
    publish(tmp_path / "a", "a", 5)
    publish(tmp_path / "b", "b", 5)
    assert punto("witness", witness, *trusting("a", "b"), *folders)[0] == 0
    publish(tmp_path / "a", "a", 7, "another view")
    publish(tmp_path / "b", "b", 7)
    code, _, err = punto("witness", witness, *folders)
    assert (code, err.count("inconsistent")) == (2, 1)
    kept = WitnessFile(Path(witness), "")
    known = [kept.cosigned(name) for name in ("a", "b")]
    assert [LogCheckpoint.read(each.text).size for each in known if each] == [5, 7]
    kept.close()


def test_a_witness_that_watches_goes_on_and_tells_a_refusal_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[Callable[[], object]] = [
        lambda: publish(tmp_path / "a", "a", 300),
        lambda: publish(tmp_path / "a", "a", 400, "another view"),
        lambda: None,
        lambda: publish(tmp_path / "a", "a", 500),
    ]
    now = [0.0]

    def sleep(seconds: float) -> None:
        if not later:
            raise KeyboardInterrupt
        later.pop(0)()
        now[0] += seconds

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    given = ("--folder", str(tmp_path / "a"), "--every", "5", "--publish")
    code, _, err = punto("witness", str(tmp_path / "w.db"), *trusting("a"), *given)
    assert code == 0
    assert err.count("there is no checkpoint") == 1
    assert err.count("not cosigned") == 1
    note = LogFolder(tmp_path / "a").note(COSIGNED)
    assert note
    assert LogCheckpoint.read(note.text).size == 500


def test_requests_are_answered_while_folders_are_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the statuses that the specification of tlog-witness gives."""
    answers, handle, address = list[tuple[int, str]](), HTTPServer.handle_request, list[str]()
    root, empty = sha256(b"").digest(), b64encode(sha256(b"").digest()).decode()
    bodies = [
        f"old 0\n\n{signed('b', 0, bytes(32))}",
        f"old 0\n\n{signed('c', 0, root)}",
        f"old 5\n\n{signed('b', 9, root)}",
        f"old 9\n\n{signed('b', 8, root)}",
        f"old 0\n{empty}\n\n{signed('b', 8, root)}",
        f"old 0\n\n{signed('b', 8, root)}",
        "old 0",
    ]

    def ask() -> None:
        for body in bodies:
            try:
                with urlopen(Request(f"{address[0]}/add-checkpoint", body.encode()), timeout=10) as answer:
                    answers.append((answer.status, answer.read().decode()))
            except HTTPError as error:
                with error:
                    answers.append((error.code, error.read().decode()))

    asking = threading.Thread(target=ask)

    def handled(server: HTTPServer) -> None:
        if not address:
            address.append(f"http://127.0.0.1:{server.server_port}")
            asking.start()
        if len(answers) == len(bodies):
            raise KeyboardInterrupt
        handle(server)

    publish(tmp_path / "a", "a", 5)
    monkeypatch.setattr(HTTPServer, "handle_request", handled)
    given = ("--folder", str(tmp_path / "a"), "--every", "1", "--port", "0")
    with pytest.raises(SystemExit):
        run_witness(tmp_path / "w.db", *trusting("a", "b"), *given)
    asking.join()
    assert [status for status, _ in answers] == [422, 404, 409, 400, 422, 200, 400]
    assert answers[2][1] == "0\n"
    assert answers[5][1].startswith("\N{EM DASH} punto-witness ")
    kept = WitnessFile(tmp_path / "w.db", "")
    assert kept.cosigned("a"), "the folder was looked at too"
    kept.close()


def run_witness(file: Path, *given: str) -> None:
    """Run the command in this process; what it prints goes where the process prints."""
    from argparse import ArgumentParser

    from punto.cli.evidence.witness import witness

    parser = ArgumentParser()
    parser.add_argument("--json", action="store_true")
    run = witness(parser)
    run(parser.parse_args([str(file), *given]))


def test_a_witness_that_was_put_back_learns_what_it_has_cosigned(tmp_path: Path) -> None:
    """From the folder, where its cosignature stands; a log that was continued otherwise since is refused."""
    witness, folder = tmp_path / "w.db", tmp_path / "a"
    given = ("--folder", str(folder), "--publish")
    publish(folder, "a", 5)
    assert punto("witness", str(witness), *trusting("a"), *given)[0] == 0
    earlier = shutil.copytree(tmp_path, tmp_path.with_name(f"{tmp_path.name}-earlier"))
    publish(folder, "a", 9)
    assert punto("witness", str(witness), *given)[0] == 0
    for each in earlier.glob("w.db*"):
        shutil.copy(each, tmp_path / each.name)
    publish(folder, "a", 5)
    publish(folder, "a", 12, "another view")
    code, _, err = punto("witness", str(witness), *given)
    assert (code, "inconsistent" in err) == (2, True)
    publish(folder, "a", 12)
    assert punto("witness", str(witness), *given)[0] == 0
