"""Mutation testing: small random faults in the engine, and whether the tests notice them.

A mutant is a copy of the source with one comparison, boolean operator, arithmetic operator or branch changed. The seed
chooses the sites, each with equal probability. Mutants are written to a temporary copy, never to the source itself, and
a fixed list of tests is run against each until one fails. A stage over the time limit counts as a failure.
"""

from __future__ import annotations

import ast
import difflib
import os
import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from resource import RLIMIT_CPU, setrlimit
from time import monotonic, sleep
from traceback import print_exc

import hypothesis.stateful  # noqa: F401 - loaded here once, not in every process
import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
PACKAGES = ("table", "rules", "books")

RANDOM_PLAY = ("properties",)
TESTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "rules": (
        ("rules/test_table_of_play.py", "rules/test_gamefile.py"),
        ("rules",),
        ("notation", "table"),
        ("odds", "test_values.py", "lab/test_studies_as_values.py", *RANDOM_PLAY),
    ),
    "books": (
        ("books",),
        ("table/test_golden_log.py", "audit/test_recomputation.py"),
        ("cli/test_shift.py",),
        RANDOM_PLAY,
    ),
    "table": (
        ("notation/test_scripts.py",),
        ("table",),
        ("books", "audit/test_recomputation.py"),
        ("school",),
        RANDOM_PLAY,
    ),
}
"""The tests of each package in stages, cheap ones that notice most faults first."""
DESELECTED = ("rules/test_clauses.py::test_the_trace_is_current",)
"""It collects the tests in another process, which does not see the mutant."""

UNSEEN_FUNCTIONS = {"__repr__", "_repr_html_", "_repr_svg_"}
ALREADY_IMPORTED = "-Wignore::pytest.PytestAssertRewriteWarning"
NOT_TESTED = 99
"""Exit code of a test process that failed before pytest could run."""
LIMIT = 300
"""Processor seconds that a stage may take: several times what it needs, on a busy machine too."""

OPPOSITE: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
}


@dataclass(frozen=True)
class Site:
    """A place where a mutant may differ: the file, and the position of the node in the order of ``ast.walk``."""

    file: Path
    node: int
    line: int

    @property
    def package(self) -> str:
        """The package of the file, below ``punto``."""
        return self.file.relative_to(SOURCE / "punto").parts[0]

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}"


@dataclass(frozen=True)
class Mutant:
    """A changed file, and the difference from the original as both are unparsed."""

    site: Site
    source: str
    difference: str


@dataclass(frozen=True)
class Verdict:
    """Which test noticed a mutant; None if it survived."""

    mutant: Mutant
    noticed_by: str | None
    seconds: float


def sites(packages: tuple[str, ...]) -> list[Site]:
    """Return every site of the packages, in a fixed order."""
    files = sorted(file for package in packages for file in (SOURCE / "punto" / package).rglob("*.py"))
    return [Site(file, node, line) for file in files for node, line in _sites(ast.parse(file.read_text("utf-8")))]


def _sites(tree: ast.Module) -> Iterator[tuple[int, int]]:
    unseen = {id(inner) for node in ast.walk(tree) for part in _unseen(node) for inner in ast.walk(part)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in unseen and _changes(node):
            yield number, getattr(node, "lineno", 0)


def _unseen(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that no test can observe or that cannot fail in play."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if node.name in UNSEEN_FUNCTIONS:
            yield node
        annotated = [each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg)]
        yield from filter(None, [node.returns, *annotated])
    elif isinstance(node, ast.AnnAssign):
        yield node.annotation
    elif isinstance(node, ast.Assert) or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
        yield node
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "cast"):
        yield from node.args  # unions of types
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.BitOr):
        yield node.value  # an alias of a union of types


def _changes(node: ast.AST) -> list[Callable[[ast.AST], None]]:
    """Return the ways to change a node in place."""
    match node:
        case ast.Compare(ops=[*ops]):
            return [
                lambda n, at=at, other=other: n.ops.__setitem__(at, other())  # type: ignore[misc]
                for at, op in enumerate(ops)
                for other in OPPOSITE.get(type(op), ())
            ]
        case ast.BoolOp(op=op) | ast.AugAssign(op=op):
            return [lambda n, other=other: setattr(n, "op", other()) for other in OPPOSITE.get(type(op), ())]  # type: ignore[misc]
        case ast.BinOp(op=op, left=left, right=right) if not (_is_text(left) or _is_text(right)):
            return [lambda n, other=other: setattr(n, "op", other()) for other in OPPOSITE.get(type(op), ())]  # type: ignore[misc]
        case ast.UnaryOp(op=ast.Not()):
            return [_without_not]
        case ast.If() | ast.IfExp():
            return [_swap_branches]
        case ast.comprehension(ifs=[_, *_]):
            return [_invert_filter]
    return []


def _is_text(node: ast.expr) -> bool:
    """Return whether an operand is text or a display, for which no other operator is defined."""
    constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return constant or isinstance(node, ast.JoinedStr | ast.List | ast.Tuple)


def _without_not(node: ast.AST) -> None:
    assert isinstance(node, ast.UnaryOp)
    node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)


def _swap_branches(node: ast.AST) -> None:
    assert isinstance(node, ast.If | ast.IfExp)
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _invert_filter(node: ast.AST) -> None:
    assert isinstance(node, ast.comprehension)
    node.ifs[0] = ast.UnaryOp(ast.Not(), node.ifs[0])


def make_mutant(site: Site, random: Random) -> Mutant:
    """Return the site's file with one change, chosen at random if there are several."""
    tree = ast.parse(site.file.read_text("utf-8"))
    changed = deepcopy(tree)
    node = list(ast.walk(changed))[site.node]
    random.choice(_changes(node))(node)
    before, after = (ast.unparse(ast.fix_missing_locations(each)).splitlines() for each in (tree, changed))
    difference = "\n".join(difflib.unified_diff(before, after, str(site), "mutant", n=2, lineterm=""))
    return Mutant(site, "\n".join(after) + "\n", difference)


def choose(seed: int, count: int, packages: tuple[str, ...]) -> list[Mutant]:
    """Return the mutants of a seed."""
    random = Random(seed)
    return [make_mutant(site, random) for site in random.sample(sites(packages), count)]


class Worker:
    """A copy of the source in which one file at a time is a mutant's, and the process that tests it.

    The process is forked from this one, which has imported pytest and its plugins but nothing of the source: that saves
    most of the time a test run takes.
    """

    def __init__(self, folder: Path) -> None:
        self.source, self.output = folder / "src", folder / "output"
        shutil.copytree(SOURCE / "punto", self.source / "punto", ignore=shutil.ignore_patterns("static"))
        self._process = 0

    def start(self, mutant: Mutant) -> None:
        """Put the mutant in place and run the first stage of its tests."""
        self._mutant, self._start, self._stages = mutant, monotonic(), list(TESTS[mutant.site.package])
        self._file = self.source / mutant.site.file.relative_to(SOURCE)
        self._original = self._file.read_text("utf-8")
        self._write(mutant.source)
        self._fork()

    def verdict(self) -> Verdict | None:
        """Return the verdict once there is one; start the next stage as soon as one has passed."""
        done, status = os.waitpid(self._process, os.WNOHANG)
        if not done:
            return None
        if status == 0 and self._stages:
            self._fork()
            return None
        self._write(self._original)
        code = os.waitstatus_to_exitcode(status)
        if code == NOT_TESTED:
            raise RuntimeError(self.output.read_text("utf-8"))
        noticed = self._first_failure() if code > 0 else f"signal {-code}" if code else None
        return Verdict(self._mutant, noticed, monotonic() - self._start)

    def _write(self, text: str) -> None:
        self._file.write_text(text, "utf-8")
        for compiled in (self._file.parent / "__pycache__").glob(f"{self._file.stem}.*.pyc"):
            compiled.unlink()  # of the same size and second it would be taken for current

    def _fork(self) -> None:
        targets = self._stages.pop(0)
        self._process = os.fork()
        if self._process == 0:
            try:
                os._exit(self._test(targets))  # nothing of the parent is cleaned up here
            except BaseException:
                print_exc()
                sys.stderr.flush()
                os._exit(NOT_TESTED)

    def _test(self, targets: tuple[str, ...]) -> int:
        """Run tests in the forked process until one fails; return 0 if all pass."""
        output = os.open(self.output, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir(ROOT)
        setrlimit(RLIMIT_CPU, (LIMIT, LIMIT))
        sys.path.insert(0, str(self.source))
        os.environ["PYTHONPATH"] = str(self.source)
        plugins = [f"-pno:{plugin}" for plugin in ("cacheprovider", "xdist", "schemathesis")]
        deselected = [f"--deselect=tests/{each}" for each in DESELECTED]
        options = [
            "-x",
            "-q",
            "--no-header",
            "--tb=no",
            "--hypothesis-seed=0",
            "-ofaulthandler_timeout=0",
            ALREADY_IMPORTED,
        ]
        return int(pytest.main([*options, *plugins, *deselected, *(f"tests/{target}" for target in targets)]))

    def _first_failure(self) -> str:
        told = self.output.read_text("utf-8", "replace").splitlines()
        failed = [line.split(" ")[1] for line in told if line.startswith(("FAILED ", "ERROR "))]
        return failed[0] if failed else "; ".join(told[-3:]) or "the process died"


def judge_all(mutants: list[Mutant], workers: int, folder: Path) -> Iterator[Verdict]:
    """Yield the verdict on each mutant, as it is reached."""
    idle = [Worker(folder / str(number)) for number in range(workers)]
    busy: list[Worker] = []
    waiting = list(mutants)
    while waiting or busy:
        while waiting and idle:
            busy.append(idle.pop())
            busy[-1].start(waiting.pop(0))
        for worker in list(busy):
            if verdict := worker.verdict():
                busy.remove(worker)
                idle.append(worker)
                yield verdict
        sleep(0.05)


def main() -> int:
    """Judge the mutants of a seed; the exit code is 1 if more than one in twenty survives."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--package", action="append", choices=PACKAGES)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", type=int, action="append", help="the number of a mutant, from 1; may be repeated")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    asked = parser.parse_args()
    chosen = choose(asked.seed, asked.count, tuple(asked.package or PACKAGES))
    numbered = [(at, each) for at, each in enumerate(chosen, 1) if not asked.only or at in asked.only]
    if asked.list:
        for at, mutant in numbered:
            print(f"{at:4}  {mutant.difference}")  # noqa: T201
        return 0
    number_of = {mutant: at for at, mutant in numbered}
    survivors = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for verdict in judge_all([mutant for _, mutant in numbered], asked.workers, Path(folder)):
            found = verdict.noticed_by or f"SURVIVED\n{verdict.mutant.difference}"
            survivors += verdict.noticed_by is None
            print(f"{number_of[verdict.mutant]:4}  {verdict.mutant.site}  {verdict.seconds:.0f} s  {found}", flush=True)  # noqa: T201
    print(f"seed {asked.seed}: {len(numbered) - survivors} of {len(numbered)} mutants killed")  # noqa: T201
    return int(survivors * 20 > len(numbered))


if __name__ == "__main__":
    sys.exit(main())
