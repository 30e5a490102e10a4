"""The style of the project, kept by a test: which way imports point, and what may not appear in the core."""

from __future__ import annotations

import ast
import gc
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from punto.table.command import Command

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "punto"

# A part may import the parts before it; of those with rules in them ``odds`` and ``simulate`` use the rules alone.
LAYERS = [
    "formatting",
    "given_values",
    "lazy_modules",
    "pay_ratios",
    "texts",
    "notebook",
    "data_frames",
    "cards",
    "rules",
    "odds",
    "simulate",
    "design",
    "lab",
    "gym",
    "roads",
    "table",
    "books",
    "notation",
    "shoe",
    "evidence",
    "tlog",
    "store",
    "audit",
    "report",
    "school",
    "server",
    "cli",
]
SHOWING = {"formatting", "texts", "notebook"}
BELOW = {"cards", "rules", "data_frames", "given_values", "lazy_modules"}
ONLY = {"odds": BELOW | SHOWING, "simulate": BELOW | SHOWING}

CORE = {*SHOWING, "given_values", "pay_ratios", "cards", "rules", "table", "books", "roads"}
BESIDES = {"table": {"msgspec"}}
"""What a part of the core may use besides the standard library: values that are made and encoded in compiled code."""
EXACT = {*SHOWING, "cards", "rules", "odds", "table", "books"}
CHANCE_AND_TIME = {"shoe", "simulate", "lab", "server"}
ALLOWED = {
    SOURCE / name
    for name in (
        "cli/bench/bench.py",
        "cli/bench/bench_house.py",
        "cli/bench/history_bench.py",
        "cli/bench/many_tables_bench.py",
        "cli/bench/played_history.py",
        "cli/bench/server_bench.py",
        "cli/evidence/report.py",
        "cli/evidence/rng_evidence.py",
        "cli/evidence/witness.py",
        "cli/play/school.py",
        "cli/study/simulate.py",
        "design/dead_lines.py",
        "gym/step_rates.py",
        "store/trust/keys.py",
        "store/sqlite/file_lock.py",
        "store/words.py",
        "store/postgresql.py",
    )
}
"""Stopwatches, when evidence or a report was made, a key that nobody can guess, a wait for a lock, and a process that
knows itself from others.
"""

CLOCKS_AND_CHANCE = {"time", "random", "secrets", "uuid", "sched"}
OUTSIDE_WORLD = {
    "asyncio",
    "http",
    "os",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "urllib",
}
LONGEST_FUNCTION = 60
LONGEST_FILE = 600
LONGEST_LINE_OF_A_PAGE = 120
"""In Python ruff sees to it."""
LONGEST_ECHO = 5
"""So many lines may stand in two functions to the letter, and no more."""

NAMED_AFTER_THEIR_SUBJECT = ("cli", "server/http")
"""A command's module is named as the command is typed, a route's as its area: both as the package they are about."""
SHARED_NAMES = {
    "known_cards": "what a patron knows of the next cards, in ``lab``, and what the house knows, in ``server.tables``",
    "settlement": "the rule in ``rules``, and the act at the table in ``table.play``",
    "table": "the state that the package ``table`` is about",
}
"""Modules that share a name on purpose, and why."""

WHOLE_NUMBERS_IN_FLOATS = {SOURCE / "odds" / "return_kernel.py"}
"""Compiled loops that count whole numbers below 2^53 in floating point, which holds them exactly."""

FILES = sorted(SOURCE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
WEB = ROOT / "web" / "src"
PAGES = sorted(file for file in WEB.rglob("*.ts") if "generated" not in file.parts)
SHARED_WEB = {
    "access",
    "api",
    "components",
    "controllers",
    "fairness",
    "generated",
    "i18n",
    "reports",
    "steps",
    "table-view",
}
"""Folders that every page may import from; each other folder is a page."""


@pytest.fixture(scope="module", autouse=True)
def _without_garbage() -> Iterator[None]:
    """Syntax trees are kept to the end: looking for garbage among them takes longer than parsing."""
    gc.disable()
    yield
    gc.enable()


def part(file: Path) -> str:
    """The part of the project a file belongs to; the package's own ``__init__`` stands above all of them."""
    first = file.relative_to(SOURCE).parts[0].removesuffix(".py")
    return "punto" if first in ("__init__", "__main__") else first


@cache
def parsed(file: Path) -> ast.Module:
    """Return the syntax tree of a file, read once for all tests."""
    return ast.parse(file.read_text("utf-8"))


@cache
def nodes_of(file: Path) -> list[ast.AST]:
    """Return all parts of the syntax tree of a file."""
    return list(ast.walk(parsed(file)))


def imports(file: Path) -> Iterator[str]:
    """Every module a file imports, with its dots."""
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports name the module in full"
            yield node.module or ""
            if node.module == "punto":
                yield from (f"punto.{alias.name}" for alias in node.names)


def name(file: Path) -> str:
    return str(file.relative_to(ROOT))


def lines_of(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or 0) + 1)


def test_imports_point_to_earlier_parts() -> None:
    for file in FILES:
        own = part(file)
        if own == "punto":
            continue
        assert own in LAYERS, f"{own} is not in the list of parts"
        allowed = ONLY.get(own, set(LAYERS[: LAYERS.index(own)])) | {own}
        used = {module.split(".")[1] for module in imports(file) if module.startswith("punto.")} & set(LAYERS)
        assert used <= allowed, name(file)
        if own in CORE:
            assert "punto" not in imports(file), f"{name(file)}: the core imports the part it needs, not the package"


def test_the_core_is_standard_library_without_the_outside_world() -> None:
    for file in (file for file in FILES if part(file) in CORE):
        used = {module.split(".")[0] for module in imports(file)} - {"punto"}
        assert used <= sys.stdlib_module_names | BESIDES.get(part(file), set()), name(file)
        assert not used & OUTSIDE_WORLD, name(file)


def made_of(module: str) -> Iterator[Path]:
    """A module of the auditor, and those of the auditor that it imports."""
    file = SOURCE / "audit" / f"{module}.py"
    yield file
    for each in imports(file):
        if each.startswith("punto.audit."):
            yield from made_of(each.removeprefix("punto.audit."))


def test_the_auditor_shares_no_rules_with_the_engine() -> None:
    """What recomputes rounds, balances and cards uses the classes of events and of what is in them, nothing else."""
    recomputing = set(made_of("recomputation"))
    assert len(recomputing) > 4
    for file in recomputing:
        used = {each for each in imports(file) if each.startswith("punto.") and not each.startswith("punto.audit.")}
        assert {each.split(".")[1] for each in used} <= {"table"} | SHOWING, file
        for module in (import_module(each) for each in used if each.startswith("punto.table.")):
            taken = [getattr(module, each) for each in names_from(file, module.__name__)]
            assert all(isinstance(each, type) and not issubclass(each, Command) for each in taken), module


def names_from(file: Path, module: str) -> Iterator[str]:
    for node in nodes_of(file):
        if isinstance(node, ast.ImportFrom) and node.module == module:
            yield from (alias.name for alias in node.names)


def test_no_clock_and_no_chance_where_they_do_not_belong() -> None:
    for file in (file for file in FILES if part(file) not in CHANCE_AND_TIME and file not in ALLOWED):
        assert not {module.split(".")[0] for module in imports(file)} & CLOCKS_AND_CHANCE, name(file)
        called = {node.attr for node in nodes_of(file) if isinstance(node, ast.Attribute)}
        assert not called & {"now", "today", "utcnow"}, name(file)


def test_no_float_where_figures_are_exact() -> None:
    for file in (file for file in FILES if part(file) in EXACT and file not in WHOLE_NUMBERS_IN_FLOATS):
        for node in nodes_of(file):
            if isinstance(node, ast.Constant):
                assert not isinstance(node.value, float | complex), f"{name(file)}:{node.lineno}"
            if isinstance(node, ast.Name):
                assert node.id != "float", f"{name(file)}:{node.lineno}"


def test_files_and_functions_can_be_read_at_a_glance() -> None:
    for file in [*FILES, *TESTS]:
        assert file.read_text("utf-8").count("\n") <= LONGEST_FILE, name(file)
        for node in nodes_of(file):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = len(lines_of(node))
                assert lines <= LONGEST_FUNCTION, f"{name(file)}: {node.name} has {lines} lines"


def test_pages_can_be_read_without_scrolling_sideways() -> None:
    too_long = []
    for file in PAGES:
        lines = file.read_text("utf-8").splitlines()
        assert len(lines) <= LONGEST_FILE, name(file)
        too_long += [f"{name(file)}:{at + 1}" for at, line in enumerate(lines) if len(line) > LONGEST_LINE_OF_A_PAGE]
    assert not too_long


def test_pages_share_code_through_shared_folders_only() -> None:
    """A page's folder imports from itself and from shared folders; a shared folder imports from no page."""
    for file in PAGES:
        own = file.relative_to(WEB).parts[0]
        modules = re.findall(r'(?:from|import) "(\.[^"]+)"', file.read_text("utf-8"))
        found = [(file.parent / module).resolve() for module in modules]
        imported = {each.relative_to(WEB).parts[0] for each in found if each.is_relative_to(WEB)}
        assert imported <= SHARED_WEB | {own}, name(file)


def test_every_file_imports_the_elements_that_it_draws() -> None:
    """An import of types alone defines no element: its tag would stay empty on the page."""
    texts = {file: file.read_text("utf-8") for file in PAGES}
    defined = {tag: file for file, text in texts.items() for tag in re.findall(r'define\("(punto-[\w-]+)"', text)}
    for file, text in texts.items():
        imports = re.findall(r'import (?:(?!type )[^;]*? from )?"(\.[^"]+)"', text)
        imports += re.findall(r'import\("(\.[^"]+)"\)', text)  # when it is needed
        known = {(file.parent / f"{module}.ts").resolve() for module in imports} | {file}
        for tag in re.findall(r"<(punto-[\w-]+)", text):
            assert defined[tag] in known, f"{name(file)} draws {tag}"


def test_only_reactive_controllers_render_an_element_by_hand() -> None:
    for file in (file for file in PAGES if file.parent.name != "controllers"):
        assert "requestUpdate" not in file.read_text("utf-8"), name(file)


def test_nothing_is_written_twice() -> None:
    """Declarations and tables may look alike; a run of lines that does the same in two functions belongs in a third."""
    met: dict[tuple[str, ...], str] = {}
    for file in [*FILES, *TESTS]:
        for lines in functions(file):
            for at in range(len(lines) - LONGEST_ECHO):
                run = lines[at : at + LONGEST_ECHO + 1]
                here = f"{name(file)}:{run[0][0]}"
                before = met.setdefault(tuple(line for _, line in run), here)
                assert before == here, f"{before} and {here} do the same in {len(run)} lines: let one piece serve"


def functions(file: Path) -> Iterator[list[tuple[int, str]]]:
    """The body of each function, by number and line: of what it does, without long texts, comments and brackets."""
    text = file.read_text("utf-8")
    lines, nodes = text.splitlines(), nodes_of(file)
    texts = [lines_of(node) for node in nodes if isinstance(node, ast.Constant | ast.JoinedStr)]
    quoted = {number for told in texts if len(told) > 1 for number in told}
    seen: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno not in seen:
            body = range(node.body[0].lineno, lines_of(node).stop)
            seen.update(body)
            stripped = [(number, lines[number - 1].strip()) for number in body if number not in quoted]
            yield [(number, line) for number, line in stripped if re.match(r"[^#]*\w", line)]


def test_every_module_and_public_class_says_what_it_is() -> None:
    for file in FILES:
        tree = parsed(file)
        assert ast.get_docstring(tree), f"{name(file)}: a module begins with what it is about"
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{name(file)}: {node.name}"


def places_of(named: Iterable[tuple[str, Path]]) -> dict[str, list[str]]:
    """Return the names that stand for more than one thing, with their places."""
    places: dict[str, list[str]] = {}
    for each, file in named:
        places.setdefault(each, []).append(str(file.relative_to(SOURCE)))
    return {each: found for each, found in places.items() if len(found) > 1}


def test_a_class_name_means_one_thing() -> None:
    """A name that begins with an underscore is its module's own affair."""
    nodes = ((node, file) for file in FILES for node in nodes_of(file))
    classes = [(node.name, file) for node, file in nodes if isinstance(node, ast.ClassDef)]
    assert not places_of(each for each in classes if not each[0].startswith("_"))


def test_a_module_name_means_one_thing() -> None:
    modules = [(file.parent.name, file.parent) if file.name == "__init__.py" else (file.stem, file) for file in FILES]
    free = tuple(SOURCE / folder for folder in NAMED_AFTER_THEIR_SUBJECT)
    counted = [each for each in modules if not any(each[1].is_relative_to(folder) for folder in free)]
    assert places_of(counted).keys() == SHARED_NAMES.keys()


def test_clause_numbers_stand_in_the_game_files_only() -> None:
    """Engine code names provisions; a clause number in it would be right for one game and wrong for another."""
    for file in FILES:
        for node in nodes_of(file):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not re.fullmatch(r"[1-6](\.\d+)+", node.value), f"{name(file)}: {node.value}"


def test_nothing_private_or_generated_is_committed() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    for file in listed.stdout.splitlines():
        assert not file.startswith((".venv/", "dist/")), file
        assert Path(file).suffix not in {".pyc", ".sqlite", ".db", ".pem", ".key"}, file
    for lock in (ROOT / "requirements").glob("*.txt"):
        assert "://" not in lock.read_text("utf-8"), f"{lock.name} names a host"
