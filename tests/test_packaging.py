"""Punto as it is handed out: built from the checkout, installed somewhere else, and used there."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import sysconfig
import tarfile
import time
import venv
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email import message_from_string
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest

from punto import APPROVED, __version__
from punto.store.trust.program_files import MANIFEST

ROOT = Path(__file__).parents[1]
WHEEL = f"punto-{__version__}-py3-none-any.whl"
SDIST = f"punto-{__version__}.tar.gz"
GAME = "rules/games/tiger.toml"
CONSUMER = '''"""A program of somebody else's, checked strictly against what is installed."""

from fractions import Fraction

import punto
from punto.table import Actor, Refusal, Role, Table, decide
from punto.table.play.wagers import OpenBets

book: punto.Rulebook = punto.load("tiger")
coup: punto.Coup = punto.Coup.deal("2s Ah 3d Ad Ks 4c")
line: punto.Line = punto.settle(book.wager("Tiger"), coup)
returned: int = punto.pay(100_00, line).returned
edge: Fraction = punto.odds(book, 8)["Banker"].house_edge
names: list[str] = [each.wager.name for each in punto.simulate(book, shoes=1).wagers]
checks = punto.shoe.verify(punto.shoe.practice_record(seed=1, decks=8))
held: bool = all(check.ok for check in checks)
shown: str = punto.roads.render(punto.roads.roads([punto.roads.RoundMark.of(coup)]).big_road.grid)
answer = decide(Table(book), OpenBets(Actor("sam", Role.DEALER)))
if isinstance(answer, Refusal):
    print(answer.sentence(book))
gain: Fraction = punto.counting(book, "Tie", {}, 0, shoes=1).gain
'''


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel and an sdist, fresh from the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    _build(ROOT, folder, "sdist", "wheel")
    return folder


def _build(source: Path, folder: Path, *targets: str) -> None:
    chosen = [part for target in targets for part in ("--target", target)]
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder), *chosen]
    with TemporaryDirectory() as aside:
        environment = {**os.environ, "TMPDIR": aside}
        done = subprocess.run(
            command, cwd=source, env=environment, capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        assert list(Path(aside).iterdir()) == []  # a build leaves nothing behind


def _clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PUNTO", "MYPY"))}


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of its own with the wheel in it; what Punto needs is borrowed from the tests' own one."""
    home = tmp_path_factory.mktemp("elsewhere") / "env"
    venv.create(home, with_pip=False, symlinks=True)
    scheme = {"base": str(home), "platbase": str(home)}
    packages = Path(sysconfig.get_path("purelib", "venv", scheme))
    # Listed and not entered: what is installed editably in there, Punto itself, is not found through it.
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    extra = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != str(ROOT / "src")]
    (packages / "borrowed.pth").write_text("\n".join([*extra, *borrowed]) + "\n", "utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(home), "--quiet", "--disable-pip-version-check"]
    install = [*pip, "install", "--no-deps", "--no-index", str(built / WHEEL)]
    done = subprocess.run(install, env=_clean_environment(), capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return home


def run(installed: Path, program: str, *arguments: str, cwd: Path) -> str:
    command = [str(installed / "bin" / program), *arguments]
    done = subprocess.run(
        command, cwd=cwd, env=_clean_environment(), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# --- what is in them -------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_wheel_holds_the_package_and_its_data_and_nothing_else(built: Path) -> None:
    names = zipfile.ZipFile(built / WHEEL).namelist()
    assert {name.split("/")[0] for name in names} == {"punto", f"punto-{__version__}.dist-info"}
    listed = {str(file.relative_to(ROOT / "src")) for file in (ROOT / "src" / "punto").rglob("*") if file.is_file()}
    wanted = {name for name in listed if "__pycache__" not in name}
    assert {name for name in names if name.startswith("punto/")} == {*wanted, f"punto/{MANIFEST}"}
    for needed in ("py.typed", "server/static/pages.json", "report/par/par.typ", "server/http/page.html.jinja"):
        assert f"punto/{needed}" in names
    assert all(f"punto/rules/games/{key}.toml" in names for key in APPROVED)
    assert f"punto-{__version__}.dist-info/licenses/LICENSE" in names


@pytest.mark.long
def test_nothing_private_is_packed(built: Path) -> None:
    with tarfile.open(built / SDIST) as sdist:
        packed = [*zipfile.ZipFile(built / WHEEL).namelist(), *sdist.getnames()]
    folders = r"/(\.git|\.venv|node_modules|__pycache__|dist)(/|$)"
    forbidden = re.compile(rf"\.(db|db-\w+|key|sqlite\w*|pyc|env|pem)$|{folders}")
    assert [name for name in packed if forbidden.search(name)] == []


@pytest.mark.long
def test_the_metadata_is_whole(built: Path) -> None:
    text = zipfile.ZipFile(built / WHEEL).read(f"punto-{__version__}.dist-info/METADATA").decode()
    about = message_from_string(text)
    assert (about["Name"], about["Version"], about["License-Expression"]) == ("punto", __version__, "MIT")
    assert about["Description-Content-Type"] == "text/markdown"
    assert about.get_payload() == (ROOT / "README.md").read_text("utf-8")
    assert about["Summary"]
    assert "Typing :: Typed" in about.get_all("Classifier", [])
    assert about["Keywords"]


@pytest.mark.long
def test_a_wheel_built_from_the_sdist_is_the_same(built: Path, tmp_path: Path) -> None:
    """Without node and without a checkout: the sdist brings the built pages."""
    with tarfile.open(built / SDIST) as packed:
        packed.extractall(tmp_path, filter="data")
    _build(tmp_path / f"punto-{__version__}", tmp_path / "again", "wheel")
    once, again = (zipfile.ZipFile(file / WHEEL) for file in (built, tmp_path / "again"))
    assert {each: once.getinfo(each).CRC for each in once.namelist()} == {
        each: again.getinfo(each).CRC for each in again.namelist()
    }


@pytest.mark.long
def test_nothing_is_packed_without_its_pages(tmp_path: Path) -> None:
    for name in ("src", "pyproject.toml", "README.md", "LICENSE", "hatch_build.py"):
        here, there = ROOT / name, tmp_path / name
        if here.is_dir():
            shutil.copytree(here, there, ignore=shutil.ignore_patterns("static", "__pycache__"))
        else:
            shutil.copy(here, there)
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(tmp_path / "dist")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode != 0
    assert "the pages are not built: `make setup` builds them" in done.stderr
    assert not list(tmp_path.glob("dist/*"))


# --- used somewhere else ---------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_command_works_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    assert run(installed, "punto", "--version", cwd=tmp_path) == f"punto {__version__}\n"
    where = run(installed, "python", "-c", "import punto; print(punto.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(installed)
    assert "Baccarat, 416 cards not exposed" in run(installed, "punto", "odds", "baccarat", cwd=tmp_path)
    assert "sealed shoe" in run(
        installed, "punto", "verify-shoe", str(ROOT / "tests" / "shoe" / "published.json"), cwd=tmp_path
    )
    run(installed, "punto", "report", "par", "tiger", "-o", "tiger.pdf", cwd=tmp_path)
    assert (tmp_path / "tiger.pdf").read_bytes().startswith(b"%PDF")


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Where a practice house is served, from an empty folder."""
    command = [str(installed / "bin" / "punto"), "serve", "--practice", "--port", "0"]
    with (
        (tmp_path / "log.txt").open("w") as log,
        subprocess.Popen(
            command, cwd=tmp_path, env=_clean_environment(), stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            assert process.stdout
            said = process.stdout.readline()
            address = re.search(r"Punto serves 6 tables at (\S+)", said)
            assert address, said + (tmp_path / "log.txt").read_text("utf-8")
            yield address[1], process
        finally:
            if process.poll() is None:
                process.kill()


@pytest.mark.long
def test_it_serves_its_pages_outside_the_checkout(served: tuple[str, subprocess.Popen[str]], tmp_path: Path) -> None:
    address, process = served
    with httpx.Client(base_url=address) as browser:
        page = browser.get("/")
        assert page.status_code == 200
        files = re.findall(r"/static/[\w.-]+", page.text)
        assert any(file.endswith(".js") for file in files)
        for file in files:
            answer = browser.get(file)
            assert (answer.status_code, bool(answer.content)) == (200, True), file
        healthy = {"ok": True, "version": __version__, "tables": 6, "closed": [], "opening": 0}
        assert browser.get("/healthz").json() == healthy
    process.send_signal(signal.SIGTERM)
    assert process.wait(15) == 0
    assert {"punto.db", "punto.db.key"} <= {file.name for file in tmp_path.iterdir()}


@pytest.mark.long
def test_a_program_of_somebody_elses_is_checked_strictly(installed: Path, tmp_path: Path) -> None:
    """By the types that come with the wheel (py.typed): nothing is found but what is wrong."""
    program = tmp_path / "consumer.py"
    program.write_text(f"{CONSUMER}wrong: str = returned\n", "utf-8")
    strictly = ["-m", "mypy", "--strict", "--no-incremental", "--config-file", os.devnull]
    command = [str(installed / "bin" / "python"), *strictly, program.name]
    done = subprocess.run(
        command, cwd=tmp_path, env=_clean_environment(), capture_output=True, text=True, check=False, timeout=120
    )
    found = [line for line in done.stdout.splitlines() if line.startswith(program.name)]
    assert len(found) == 1, done.stdout
    assert 'error: Incompatible types in assignment (expression has type "int", variable has type "str")' in found[0]
    program.write_text(CONSUMER, "utf-8")
    assert run(installed, "python", program.name, cwd=tmp_path) == "the table is not open\n"


# --- as it was built -------------------------------------------------------------------------------------------------


@pytest.fixture
def package(installed: Path, tmp_path: Path) -> Path:
    """The installed package by itself, in a folder that may be altered, with its compiled copies."""
    (there,) = installed.glob("lib/python*/site-packages/punto")
    copy = tmp_path / "altered" / "punto"
    shutil.copytree(there, copy)
    done = subprocess.run([sys.executable, "-m", "compileall", "-q", str(copy)], check=False, timeout=120)
    assert done.returncode == 0
    return copy


def of_package(installed: Path, package: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """Return how ``punto`` is run from the package: the command, and its environment."""
    environment = {**_clean_environment(), "PYTHONPATH": str(package.parent)}
    return [str(installed / "bin" / "python"), "-m", "punto", *arguments], environment


def verified(installed: Path, package: Path) -> tuple[int, dict[str, Any]]:
    command, environment = of_package(installed, package, "verify-self", "--json")
    done = subprocess.run(
        command, cwd=package.parent, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)


def by_the_systems_tool(package: Path) -> subprocess.CompletedProcess[str]:
    command = ["sha256sum", "--check", "--strict", "--quiet", MANIFEST]
    return subprocess.run(command, cwd=package, capture_output=True, text=True, check=False, timeout=60)


def change_a_byte(file: Path, before: bytes, after: bytes) -> None:
    content = file.read_bytes()
    assert before in content
    file.write_bytes(content.replace(before, after, 1))


@pytest.mark.long
def test_the_wheel_lists_its_files_and_a_changed_byte_is_found(installed: Path, package: Path) -> None:
    assert by_the_systems_tool(package).returncode == 0
    code, told = verified(installed, package)
    assert (code, told["state"], told["differences"]) == (0, "intact", 0)
    listed = [file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert told["files"] == len(listed) - 1  # all but the list itself
    (copy,) = package.glob(f"roads/__pycache__/__init__.{sys.implementation.cache_tag}.pyc")
    change_a_byte(copy, b"road", b"rood")
    code, told = verified(installed, package)
    assert (code, told["state"], told["changed"]) == (1, "altered", [copy.relative_to(package).as_posix()])
    assert by_the_systems_tool(package).returncode == 0  # which knows nothing of compiled copies
    change_a_byte(package / GAME, b"a", b"b")
    code, told = verified(installed, package)
    assert (code, told["state"]) == (1, "altered")
    assert told["changed"] == [copy.relative_to(package).as_posix(), GAME]
    assert by_the_systems_tool(package).stdout == f"{GAME}: FAILED\n"


@contextmanager
def serving(installed: Path, package: Path, folder: Path) -> Iterator[str]:
    """Serve a house from the package; where."""
    command, environment = of_package(installed, package, "serve", "--practice", "--port", "0")
    with (
        (folder / "log.txt").open("a") as log,
        subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            assert process.stdout
            said = process.stdout.readline()
            address = re.search(r"Punto serves .* at (\S+)", said)
            assert address, said + (folder / "log.txt").read_text("utf-8")
            yield address[1]
            process.send_signal(signal.SIGTERM)
            assert process.wait(15) == 0
        finally:
            if process.poll() is None:
                process.kill()


@pytest.mark.long
def test_a_server_of_a_changed_program_opens_no_table(installed: Path, package: Path, tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    with serving(installed, package, house) as address:
        health = httpx.get(f"{address}/healthz")
        assert (health.status_code, health.json()["tables"]) == (200, 6)
    before = lengths(house)
    assert before.keys() > {"house", "baccarat"}
    new = tmp_path / "new"
    new.mkdir()
    change_a_byte(package / GAME, b"a", b"b")
    for folder in (house, new):  # one that has tables, which deal by themselves, and one that begins
        with serving(installed, package, folder) as address:
            health = httpx.get(f"{address}/healthz")
            assert (health.status_code, health.json()["troubles"]) == (503, ["program-altered"])
            time.sleep(3)  # longer than an automatic table waits
            assert httpx.get(f"{address}/healthz").status_code == 503
    after = lengths(house)
    assert after.pop("house") > before.pop("house")  # which tells of the check
    assert after == before
    assert lengths(new).keys() == {"house"}


def lengths(folder: Path) -> dict[str, int]:
    """Return how many events each stream of a house has."""
    with closing(sqlite3.connect(folder / "punto.db")) as database:
        return dict(database.execute("select stream, count(*) from event group by stream"))


# --- in a container --------------------------------------------------------------------------------------------------

KNOWN = {"FROM", "COPY", "RUN", "ENV", "USER", "WORKDIR", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}


def instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_container_is_built_from_the_wheel_and_runs_without_privileges() -> None:
    steps = instructions()
    assert {word for word, _ in steps} <= KNOWN
    starts = [number for number, (word, _) in enumerate(steps) if word == "FROM"]
    assert len(starts) == 2
    last = dict(steps[starts[-1] :])
    assert last["USER"] == "punto"
    assert "/healthz" in last["HEALTHCHECK"]
    assert last["VOLUME"] == '["/data", "/key"]'
    assert "/" not in steps[starts[0]][1].split()[0]  # named as the engine knows it, without a registry
    sources = [rest.split()[0] for word, rest in steps if word == "COPY" and not rest.startswith("--from")]
    assert sources == ["requirements/serve.txt", "dist/punto-*.whl"]
    let_in = [line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")]
    assert sorted(let_in) == sorted(sources)


def test_the_containers_commands_are_commands_of_punto() -> None:
    from punto.cli.main import Parser, add_arguments

    steps = dict(instructions())
    assert steps["ENTRYPOINT"] == '["punto"]'
    command, *arguments = re.findall(r'"([^"]+)"', steps["CMD"])
    parser = Parser(prog=command)
    add_arguments(command, parser)
    read = parser.parse_args(arguments)
    assert (read.host, read.db, read.key) == ("0.0.0.0", "/data/punto.db", "/key/punto.key")
    assert read.port == int(steps["EXPOSE"])


def test_everything_in_the_container_has_a_version_and_a_hash_and_both_are_of_the_lock() -> None:
    installs = [
        part for word, rest in instructions() if word == "RUN" for part in rest.split("&&") if "install" in part
    ]
    assert ["--require-hashes" in each or "--no-index --no-deps" in each for each in installs] == [True, True]
    served, locked = (_hashes((ROOT / "requirements" / name).read_text("utf-8")) for name in ("serve.txt", "dev.txt"))
    assert {"starlette", "numba", "apsw"} <= {line.split("==")[0] for line in served}
    assert all(hashes and hashes <= locked[line] for line, hashes in served.items())


def _hashes(lock: str) -> dict[str, set[str]]:
    """Return the hashes of each locked version."""
    found: dict[str, set[str]] = {}
    for line in lock.splitlines():
        if re.match(r"[A-Za-z].*==", line):
            hashes = found.setdefault(line.split()[0], set())
        elif hash_ := re.search(r"--hash=(\S+)", line):
            hashes.add(hash_[1])
    return found
