"""``punto conform``: how Punto stands to the requirements of technical standards."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict, replace

from punto.cli.main import BadInput, Run, either
from punto.cli.output import SOFTWARE, output_file, print_json, write
from punto.evidence.standards.requirements import Requirement, Standard, Status, standard, standards


def conform(parser: ArgumentParser) -> Run:
    """List standards, or the requirements of one."""
    parser.epilog = "For example: punto conform gli-19 --status not, or: punto conform gli-19 -o gli-19.pdf"
    name = f"list the requirements of this standard: {either(standards())} (default: count those of each)"
    parser.add_argument("standard", metavar="STANDARD", nargs="?", help=name)
    status = "only requirements of this status: met, partly, not, operator (it binds the operator) or n/a"
    parser.add_argument("--status", choices=[each.value for each in Status], help=status)
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write: .pdf (default: print a table)")
    return _run


def _run(arguments: Namespace) -> None:
    if arguments.standard is None:
        if arguments.status or arguments.output:
            raise BadInput(f"say of which standard: {either(standards())}")
        _list(arguments.json)
        return
    if arguments.standard not in standards():
        raise BadInput(f"there is no standard {arguments.standard!r}; standards are {either(standards())}")
    file = None if arguments.output is None else output_file(arguments.output, (".pdf",))
    whole = standard(arguments.standard)
    wanted = [each for each in whole.requirements if arguments.status in (None, each.status.value)]
    shown = replace(whole, requirements=tuple(wanted))
    if file:
        from punto.report.conformity.conformity_sheet import write_pdf

        write({file: lambda made: write_pdf(shown, whole.counts(), made)})
    if arguments.json:
        print_json(_about(whole) | {"software": SOFTWARE, "requirements": list(map(_as_json, wanted))})
    elif file:
        print(f"{file}: {len(wanted)} requirements of {whole.title}")  # noqa: T201
    else:
        _show(shown, whole.counts())


def _about(known: Standard) -> dict[str, object]:
    return {"standard": known.key, "title": known.title, "edition": known.edition, "counts": known.counts()}


def _as_json(each: Requirement) -> dict[str, object]:
    return asdict(each) | {"status": each.status.value, "tests": list(each.tests)}


def _list(as_json: bool) -> None:
    known = [standard(key) for key in standards()]
    if as_json:
        print_json({"software": SOFTWARE, "standards": list(map(_about, known))})
        return
    from punto.cli import terminal

    counted = [each.value for each in Status]
    table = terminal.table(("Standard", "Title", "Edition", *counted), right=counted)
    table.columns[0].no_wrap = True
    for each in known:
        table.add_row(each.key, each.title, each.edition, *map(str, each.counts().values()))
    terminal.console.print(table)


def _show(known: Standard, counts: dict[str, int]) -> None:
    from rich.text import Text

    from punto.cli import terminal

    table = terminal.table(("Section", "What it asks for", "Status", "Tests"), known.title, right=("Tests",))
    table.columns[2].no_wrap = True
    for each in known.requirements:
        says = Text(each.asks)
        for text, style in ((each.how, "dim"), (each.gap and f"Missing: {each.gap}", "yellow"), (each.shown, "dim")):
            says.append(f"\n{text}" if text else "", style)
        table.add_row(each.section, says, each.status.value, str(len(each.tests) or "-"))
    terminal.console.print(table)
    terminal.console.print(", ".join(f"{number} {status}" for status, number in counts.items()))
