"""Running ``punto`` in the tests' own process, as a shell would: arguments in, output and exit code out."""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any
from unittest import mock

from punto.cli.main import main


def punto(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch.dict(os.environ, COLUMNS="100"):
        try:
            main(arguments)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
    return code, out.getvalue(), err.getvalue()


def run(*arguments: str) -> str:
    """What a command that succeeds prints, on a terminal of 100 columns."""
    code, out, err = punto(*arguments)
    assert code == 0, err
    assert err == ""
    return out


def run_json(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json"))


def refused(*arguments: str) -> str:
    """The one line a command that is refused prints; nothing else is printed, and the exit code is 2."""
    code, out, err = punto(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("punto: ")
    assert err.count("\n") == 1
    return err


def found_by_audit(database: str | Path, *arguments: str) -> list[tuple[str, int | None, str]]:
    """What ``punto audit`` finds: in which stream, at which event, and what; its exit code says whether that is any."""
    code, out, err = punto("audit", str(database), "--json", *arguments)
    told = json.loads(out)
    assert (code, err) == (1 if told["findings"] else 0, "")
    return [(each["stream"], each["event"], each["finding"]) for each in told["findings"]]
