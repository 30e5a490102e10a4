"""The pages' own code, run by Node without a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
ESBUILD = WEB / "node_modules" / ".bin" / "esbuild"
NODE = shutil.which("node", path=os.pathsep.join([os.environ.get("PATH", ""), str(WEB.parent / ".venv/node/bin")]))
needs_node = pytest.mark.skipif(NODE is None or not ESBUILD.exists(), reason="node is not installed")


def run_page_code(script: str, folder: Path) -> list[str]:
    """Run a script in TypeScript, which may import from ``web/src`` by full paths; return the lines it prints."""
    assert NODE
    (folder / "script.ts").write_text(script, "utf-8")
    bundled = folder / "script.mjs"
    command = [str(ESBUILD), str(folder / "script.ts"), "--bundle", "--platform=node", "--format=esm"]
    found = {**os.environ, "NODE_PATH": str(WEB / "node_modules")}
    subprocess.run([*command, f"--outfile={bundled}"], check=True, capture_output=True, env=found)
    return subprocess.run([NODE, str(bundled)], check=True, capture_output=True, text=True).stdout.splitlines()
