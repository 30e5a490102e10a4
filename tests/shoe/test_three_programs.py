"""Shoes verified by three programs that share no code: Punto's own, the page's in the browser's language, and a shell.

The shell has the lines of docs/fairness.md, with the values of each shoe in place of those of the page.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.ceremony import first_cards
from support.page_code import WEB, needs_node, run_page_code

from punto.shoe import Contribution, Cut, Format, Secret, as_json, publish, read_record, seal, sealed_shoe, verify
from punto.shoe.encoding import secret_size

ROOT = Path(__file__).parents[2]
needs_shell = pytest.mark.skipif(not all(map(shutil.which, ("bash", "openssl", "sha256sum"))), reason="no openssl")
READ_ALL = """
import { verify } from %s;
import { readFileSync } from "node:fs";
for (const line of readFileSync(%s, "utf-8").trim().split("\\n")) {
  const record = JSON.parse(line);
  const failed = verify(record, [record.cuts[0].list]).filter((each) => !each.holds).map((each) => each.name);
  console.log(failed.length ? "FAILS " + failed : "holds");
}
"""


def random_record(decks: int = 8, version: Format = Format.TWO) -> dict[str, Any]:
    """A shoe that was dealt out: cut by up to three patrons, and spoiled once in a while."""
    secret = Secret(secrets.token_bytes(secret_size(version, decks)))
    patrons = ["ana", "bo", "chen"][: secrets.randbelow(4)]
    cut = Cut(seal(secret, f"table 3, shoe {secrets.randbelow(1000)}", decks, version))
    for spoiled in [True, False] if patrons and secrets.randbelow(3) == 0 else [False]:
        own = {patron: Contribution(secrets.token_bytes(3), secrets.token_bytes(32)) for patron in patrons}
        for patron, contribution in own.items():
            cut = cut.commit(patron, contribution.commitment(cut.anchor, patron, version))
        if spoiled:
            cut = cut.commit("dita", secrets.token_bytes(32))
        cut = cut.close_list()
        for patron, contribution in own.items():
            cut = cut.reveal(patron, contribution)
        cut = cut.again() if spoiled else cut
    return as_json(publish(secret, cut, first_cards(sealed_shoe(secret, cut), 52 * decks)))


def by_page(records: list[dict[str, Any]], folder: Path) -> list[str]:
    """Verify records with the page's own code; a line for each."""
    (folder / "records.jsonl").write_text("\n".join(map(json.dumps, records)) + "\n", "utf-8")
    source = json.dumps(str(WEB / "src" / "fairness" / "shoe-record.ts"))
    return run_page_code(READ_ALL % (source, json.dumps(str(folder / "records.jsonl"))), folder)


def _shell_blocks() -> list[str]:
    """The functions, the shuffle, and what is different for records of the first format: a digest and a key."""
    page = (ROOT / "docs" / "fairness.md").read_text("utf-8")
    by_hand = page[page.index("## By hand") : page.index("## With a program of your own")]
    first_format = page[page.index("## Records of the first format") : page.index("## What if a patron")]
    blocks: list[str] = re.findall(r"^```sh\n(.*?)^```$", by_hand + first_format, re.DOTALL | re.MULTILINE)
    return blocks


def shell_program(record: dict[str, Any]) -> str:
    """Return what someone types who follows the page with a record of eight decks."""
    functions, shuffle, old_digest, old_key = _shell_blocks()
    is_old = record["format"] == Format.ONE.value
    lines = [functions, 'same() { [ "$1" = "$2" ] || echo "FAILS $3"; }', f"secret={record['secret']}"]
    lines += [old_digest] if is_old else []
    name = f"\"$(field $secret)$(text '{record['shoe']}')$(text 8)\""
    lines += [f"anchor=$(digest commitment {name})", f"same $anchor {record['commitment']} commitment"]
    for cut in record["cuts"]:
        listed = "".join(f"$(text {one['patron']})$(field {one['commitment']})" for one in cut["patrons"])
        for one in cut["patrons"]:
            if "nonce" in one:
                fields = f"$(field $anchor)$(text {one['patron']})$(field {one['contribution']})$(field {one['nonce']})"
                lines.append(f'same $(digest contribution "{fields}") {one["commitment"]} {one["patron"]}')
        lines += [f'list=$(digest list "$(field $anchor){listed}")', f"same $list {cut['list']} list"]
        revealed = "".join(
            f"$(field '{one.get('contribution', '')}')$(field '{one.get('nonce', '')}')" for one in cut["patrons"]
        )
        lines.append(f'anchor=$(digest cut "$(field $list){revealed}")')
    lines += ["cut=$anchor", f"same $cut {record['cut']} cut", *([old_key] if is_old else []), shuffle]
    dealt = " ".join(card for _, card in record["dealt"])
    lines += [f'same "${{order[*]:0:{len(record["dealt"])}}}" "{dealt}" dealt', "echo done"]
    return "\n".join(lines)


def by_shell(record: dict[str, Any]) -> str:
    """Verify a record of eight decks as the page says; what fails, and that it came to the end."""
    ended = subprocess.run(["bash", "-s"], input=shell_program(record), capture_output=True, text=True, check=True)
    return ended.stdout + ended.stderr


def holds(record: dict[str, Any]) -> bool:
    return all(check.ok for check in verify(read_record(json.dumps(record))))


SHOES = [40, pytest.param(1_000, marks=pytest.mark.long)]


@needs_node
@pytest.mark.parametrize("shoes", SHOES)
def test_punto_and_the_page_find_the_same_order_of_every_shoe(shoes: int, tmp_path: Path) -> None:
    records = [random_record(1 + each % 8) for each in range(shoes)]
    records += [random_record(1 + each % 8, Format.ONE) for each in range(shoes // 4)]
    assert all(map(holds, records))
    assert by_page(records, tmp_path) == ["holds"] * len(records)
    for record in records:  # every card was dealt, so one that is swapped is a card in the wrong place
        here, there = record["dealt"][0], next(each for each in record["dealt"] if each[1] != record["dealt"][0][1])
        here[1], there[1] = there[1], here[1]
    assert not any(map(holds, records))
    assert by_page(records, tmp_path) == ["FAILS dealt"] * len(records)


@needs_shell
@pytest.mark.parametrize("version", Format)
@pytest.mark.parametrize("shoes", [1, pytest.param(60, marks=pytest.mark.long)])
def test_the_shell_of_the_page_finds_the_same_order(shoes: int, version: Format) -> None:
    for _ in range(shoes):
        record = random_record(version=version)
        assert holds(record)
        assert by_shell(record) == "done\n"


@needs_shell
@pytest.mark.long
@pytest.mark.parametrize("file", ["published.json", "published_2.json"])
def test_the_shell_of_the_page_verifies_the_published_records(file: str) -> None:
    record = json.loads(Path(__file__).with_name(file).read_text("utf-8"))
    assert holds(record)
    assert by_shell(record) == "done\n"


@needs_shell
@pytest.mark.parametrize("version", [Format.TWO, pytest.param(Format.ONE, marks=pytest.mark.long)])
def test_the_shell_of_the_page_finds_a_fault(version: Format) -> None:
    record = random_record(version=version)
    here = record["dealt"][3]
    here[1] = "As" if here[1] != "As" else "Ah"
    assert by_shell(record) == "FAILS dealt\ndone\n"
    record["secret"] = record["secret"][:-1] + ("0" if record["secret"][-1] != "0" else "1")
    assert by_shell(record).startswith("FAILS commitment\n")
