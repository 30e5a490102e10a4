"""Documents as sessions: what a page shows is done in order in one folder, as a reader would, and compared.

Commands and Python examples of a page go on from those before them. A server that a page starts runs until the page is
done; a command that would take long is done in short. What cannot be done here is in a closed list that says where it
is done instead.
"""

from __future__ import annotations

import asyncio
import doctest
import io
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent
from threading import Timer
from urllib.parse import quote

import httpx
import pytest
from support.command import punto
from support.live import Live, start
from support.playing import until
from support.postgresql_server import execute, postgresql_programs
from support.suite import STEPS, SUITES

ROOT = Path(__file__).parents[2]
HERE = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Makefile",
    "README.md",
    "docs",
    "examples",
    "mkdocs.yml",
    "pyproject.toml",
    "requirements",
    "src",
    "tests",
    "web",
    ".venv",
)
"""What of the project a page's folder shows."""
PATIENCE = 120
"""Seconds a command may take."""

TYPED = {"play": "banker 100\ndeal\nquit\n", "school": "q\n"}
"""What is typed at a command that asks."""

DONE_ELSEWHERE = {
    r"make figures": "test_documents.py::test_the_commands_of_the_figures_are_in_the_pages",
    r"make package": "test_packaging.py::test_the_wheel_holds_the_package_and_its_data_and_nothing_else",
    r"pip install dist/\S+": "test_packaging.py::test_the_command_works_outside_the_checkout",
    r"punto design \S+": "browser/test_design_page.py::test_one_file_is_designed_without_a_house",
    r"docs/fairness.md python": "shoe/test_hidden_shoe.py::test_the_program_on_the_page_finds_the_same_order",
}
"""What a page shows and its own session does not do, and the test that does."""


def done_elsewhere(what: str) -> bool:
    """Whether another test does it."""
    return any(re.fullmatch(pattern, what) for pattern in DONE_ELSEWHERE)


@dataclass(frozen=True)
class Block:
    """A fenced block of a document."""

    document: str
    line: int
    language: str
    text: str

    @property
    def commands(self) -> list[tuple[str, str | None]]:
        """Each command, and what it prints where the page shows that."""
        if self.language == "console":
            found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", self.text, re.MULTILINE)
            return [(command, shown) for command, shown in found]
        lines = [line for line in self.text.splitlines() if line.strip() and not line.startswith("#")]
        one_by_one = all(re.match(r"(punto|make|pip|mkdir|pg_\w+|createdb|\.) ", line) for line in lines)
        return [(line, None) for line in lines] if one_by_one else [(self.text, None)]


def blocks(document: Path) -> list[Block]:
    """Every fenced block, those in lists too."""
    text, name = document.read_text("utf-8"), str(document.relative_to(ROOT))
    found = re.finditer(r"^( *)```(\w*)\n(.*?)^\1```$", text, re.DOTALL | re.MULTILINE)
    return [Block(name, text.count("\n", 0, each.start()) + 1, each[2], dedent(each[3])) for each in found]


def looks_like(shown: str, printed: str) -> bool:
    """Whether this was printed; ``...`` stands for anything, alone on a line for any number of lines."""
    pattern = ""
    for line in shown.rstrip().splitlines():
        pattern += r"(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.rstrip().split("..."))) + r"\n"
    printed = "".join(f"{line.rstrip()}\n" for line in printed.rstrip().splitlines())
    return re.fullmatch(pattern, printed) is not None


class Session:
    """A reader at a shell, in a folder with the project in it."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, postgresql: Callable[[], str]) -> None:
        self.folder, self._patch, self._postgresql = folder, patch, postgresql
        self._shell: subprocess.Popen[str] | None = None
        self._servers: list[Live] = []
        self._databases: dict[str, str] = {}
        self._globals: dict[str, object] = {}
        for name in HERE:
            if (ROOT / name).exists():
                (folder / name).symlink_to(ROOT / name)
        programs = (Path(sys.executable).parent, postgresql_programs())
        patch.setenv("PATH", os.pathsep.join([*map(str, programs), os.environ["PATH"]]))
        patch.delenv("PUNTO_KEY", raising=False)
        patch.chdir(folder)

    # --- Python ---

    def examples(self, block: Block) -> str:
        """Run the examples of a block; what is told of those that fail."""
        test = doctest.DocTestParser().get_doctest(block.text, self._globals, block.document, None, block.line)
        told = io.StringIO()
        doctest.DocTestRunner(verbose=False).run(test, out=told.write, clear_globs=False)
        self._globals.update(test.globs)
        return told.getvalue()

    # --- commands ---

    def run(self, command: str) -> tuple[int, str]:
        """Run a command; its exit code and what it prints."""
        command = re.sub(r"postgresql://punto@host/(\w+)", lambda match: self._database(match[1]), command)
        words = shlex.split(command, comments=True) if "\n" not in command else []
        if done_elsewhere(" ".join(words)):
            return 0, ""
        if words[:1] == ["make"]:
            return self._make(words[1:])
        if words[:1] != ["punto"] or re.search(r"[$|<>;&]", re.sub(r'"[^"]*"', "", command)):
            return self._in_shell(command)
        if words[1] == "serve":
            return self._serve(words[2:])
        if typed := TYPED.get(words[1]):
            self._patch.setattr("sys.stdin", io.StringIO(typed))
        if words[1] == "bench":
            return self._bench(words[2:])
        code, out, err = punto(*words[1:])
        return code, out + err

    def _bench(self, words: list[str]) -> tuple[int, str]:
        """In a process of its own, which does everything once and with few."""
        short = [sys.executable, "-c", "from support.bench_in_short import main; main()", *words]
        modules = os.pathsep.join((str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")))
        environment = {**os.environ, "PYTHONPATH": modules}
        done = subprocess.run(short, capture_output=True, text=True, check=False, timeout=PATIENCE, env=environment)
        if "--yardstick" in words and not shutil.which("cc"):
            assert "needs a C compiler" in done.stderr
            return 0, ""
        return done.returncode, done.stdout + done.stderr

    def _in_shell(self, command: str) -> tuple[int, str]:
        """In a shell that goes on from one command to the next."""
        if self._shell is None:
            self._shell = subprocess.Popen(
                ["bash"],
                env={**os.environ, "HOME": str(self.folder)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        shell, mark, told = self._shell, "--- done:", ""
        assert shell.stdin
        assert shell.stdout
        shell.stdin.write(f"{command}\necho '{mark}' $?\n")
        shell.stdin.flush()
        impatient = Timer(PATIENCE, shell.kill)
        impatient.start()
        for line in shell.stdout:
            before, found, code = line.partition(mark)
            told += before
            if found:
                impatient.cancel()
                return int(code), told
        raise AssertionError(f"the shell ended, or was ended: {told}")

    def _serve(self, arguments: list[str]) -> tuple[int, str]:
        """Start a server on a free port, with tables that go on quickly, and leave it running."""
        if "--port" in arguments:
            at = arguments.index("--port")
            del arguments[at : at + 2]
        if arguments and not arguments[0].startswith("-"):
            database = arguments.pop(0)
        else:
            database = arguments[arguments.index("--db") + 1] if "--db" in arguments else "punto.db"
        live = start(database, self.folder, *arguments, "--practice", "--pace", "1000")
        self._servers.append(live)
        if live.address.startswith("http://127.0.0.1"):
            nobody = live.nobody()
            assert nobody.http.get("/healthz").status_code == 200
            until(lambda: all(each["round"] for each in nobody.get("/api/tables")), PATIENCE)
        if "--log" in arguments:
            published = self.folder / arguments[arguments.index("--log") + 1]
            until(lambda: everything_is_published(self.folder / database, published), PATIENCE)
        return 0, ""

    def _make(self, words: list[str]) -> tuple[int, str]:
        if words == ["serve"]:
            return 0, first_page()
        assert set(words) <= made_by_ci(), f"no test runs make {' '.join(words)}"
        return 0, ""

    def _database(self, name: str) -> str:
        """The address of a database of that name on the tests' own server."""
        server = self._postgresql()
        if not self._databases:
            asyncio.run(execute(server, f"create database {name}"))
        self._databases[name] = server
        return f"'postgresql://postgres@/{name}?host={quote(server, safe='')}'"

    def close(self) -> None:
        """Every server stops as it should, and nothing is left behind."""
        codes = [live.stop() for live in self._servers]
        for live in self._servers:
            live.close()
        for name, server in self._databases.items():
            asyncio.run(execute(server, f"drop database if exists {name} with (force)"))
        if self._shell:
            self._shell.communicate("exit\n", timeout=10)
        assert not any(codes), codes


def everything_is_published(database: Path, folder: Path) -> bool:
    """Whether the published checkpoint covers every event: nothing more follows at tables without patrons."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
        ((events,),) = opened.execute("select count(*) from event")
        ((sealed, leaves),) = opened.execute("select sum(events), sum(events + receipts) from log_range")
    checkpoints = [each.read_text("utf-8").split("\n")[1] for each in folder.glob("*/checkpoint")]
    return sealed == events and checkpoints == [str(leaves)]


@contextmanager
def session(folder: Path, patch: pytest.MonkeyPatch, postgresql: Callable[[], str]) -> Iterator[Session]:
    """A session for as long as a page takes."""
    made = Session(folder, patch, postgresql)
    try:
        yield made
    finally:
        made.close()


# --- make ------------------------------------------------------------------------------------------------------------


@cache
def targets() -> dict[str, set[str]]:
    """What the Makefile makes, and from what: what a target needs first, and what it has made beside each other."""
    rule = re.compile(r"^([\w./-]+):(?!=)([^#\n]*)(?:#.*)?(?:\n\t\$\(MAKE\)(.*))?", re.MULTILINE)
    rules = rule.findall((ROOT / "Makefile").read_text("utf-8"))
    return {target: {*needed.split(), *called.split()} for target, needed, called in rules}


def parts(suite: str) -> set[str]:
    """Return the targets that a suite makes, and the suites it includes."""
    steps = SUITES.get(suite, [])
    made = {part for step in steps for queue in STEPS[step] for part in queue}
    return made | {other for other, less in SUITES.items() if len(less) < len(steps)}


@cache
def made_by_ci() -> set[str]:
    """The targets that are made before a change lands: what CI calls, and what that needs."""
    called = re.findall(r"^make ([\w-]+)$", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)
    made, new = set[str](), set(called)
    while new:
        made |= new
        new = {each for target in new for each in (*targets().get(target, ()), *parts(target))} - made
    return made


@cache
def first_page() -> str:
    """``make serve``, once it is set up, until the first page answers; then it is stopped, as by Ctrl-C."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="punto-serve-") as folder:
        for name in ("Makefile", ".venv"):
            (Path(folder) / name).symlink_to(ROOT / name)
        process = subprocess.Popen(
            ["make", "--old-file=setup", "serve", "PORT=0"],
            cwd=folder,
            env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        impatient = Timer(PATIENCE, os.killpg, (process.pid, signal.SIGKILL))
        impatient.start()
        assert process.stdout
        told = ""
        for line in process.stdout:
            told += line
            if "/enter#" in line:  # the first link
                break
        address = re.search(r"Punto serves 6 tables at (http://\S+)", told)
        assert address, told + process.communicate(timeout=PATIENCE)[1]
        page = httpx.get(address[1], follow_redirects=True)
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        impatient.cancel()
    assert page.status_code == 200
    assert "<punto-lobby" in page.text
    return told
