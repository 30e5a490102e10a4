"""``punto school``: drills for dealers in the terminal, graded by clause, with a score sheet at the end."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from time import monotonic

from rich.console import RenderableType
from rich.text import Text

from punto import __version__
from punto.cli import terminal
from punto.cli.main import BadInput, Run, seed_number, whole_number
from punto.cli.output import add_output, input_text, output_files, print_json, write
from punto.cli.study.rules import GAME_HELP
from punto.rules import APPROVED, Rulebook, load
from punto.rules.table_of_play import Hand
from punto.school.lesson import MOST_QUESTIONS, Plan
from punto.school.phrases import Phrase
from punto.school.question import HINT, OF_GAMES, AnswerKind, Ask, Drill, QuestionProgress, Scene, Unreadable, Verdict
from punto.school.score_sheet import AnsweredQuestion, Sheet, as_html, as_json
from punto.shoe import new_secret

_SHEETS = (".json", ".html")
_HELP = f"""a number or its word   your answer; an amount may be typed in chips: 3x100 + 2x25 + 5
{HINT}                      the rule, before you answer; the answer then does not count as right first time
q                      end the lesson and print the score sheet"""


def school(parser: ArgumentParser) -> Run:
    """Run drills for dealers."""
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help=f"{GAME_HELP}; without it all approved games take turns"
    )
    parser.add_argument(
        "--drill",
        choices=[each.value for each in OF_GAMES],
        help="what to practise (default everything)",
    )
    parser.add_argument("--questions", type=whole_number, default=10, help="how many questions (default 10)")
    parser.add_argument("--seed", type=seed_number, help="ask the same questions again")
    parser.add_argument("--answers", metavar="FILE", help="read the answers from a file, one per line, without timing")
    add_output(parser, f"write the score sheet to a {' or '.join(_SHEETS)} file; may be repeated")
    return _run


def _run(arguments: Namespace) -> None:
    if not 1 <= arguments.questions <= MOST_QUESTIONS:
        raise BadInput(f"--questions: expected 1 to {MOST_QUESTIONS}, not {arguments.questions}")
    if arguments.seed is not None and arguments.seed < 0:
        raise BadInput("--seed: expected a number that is not below zero")
    files = output_files(arguments.output, _SHEETS)
    books = tuple(map(load, [arguments.game] if arguments.game else APPROVED))
    if bare := next((book for book in books if not book.layouts), None):
        raise BadInput(f"{bare.title} has no layout to practise on: give its file one")
    drills = (Drill(arguments.drill),) if arguments.drill else OF_GAMES
    chosen = int.from_bytes(new_secret(1).disclose()[:6], "big") % 10**9
    plan = Plan(books, drills, chosen if arguments.seed is None else arguments.seed)
    if not plan.turns:
        raise BadInput(f"{books[0].title} has nothing to ask about {arguments.drill}")
    answers = input_text(arguments.answers).splitlines() if arguments.answers else None
    sheet = _Lesson(plan, arguments.questions, answers, aside=arguments.json).run()
    write({file: partial(_write, sheet) for file in files})
    if arguments.json:
        print_json(as_json(sheet))
    else:
        _show_sheet(sheet)


def _write(sheet: Sheet, file: Path) -> None:
    import json

    whole = (
        as_html(sheet) if file.suffix == ".html" else json.dumps(as_json(sheet), indent=2, ensure_ascii=False) + "\n"
    )
    file.write_text(whole, "utf-8")


class _Enough(Exception):
    """The learner wants to stop, or the input has ended."""


class _Lesson:
    """Asks one question after the other and keeps the answers."""

    def __init__(self, plan: Plan, questions: int, answers: list[str] | None, aside: bool) -> None:
        self.plan, self.questions = plan, questions
        self.typed = None if answers is None else iter(answers)
        self.console = terminal.Terminal(stderr=aside)
        """Where the answer is JSON, everything else goes to standard error."""
        self.done: list[AnsweredQuestion] = []
        self.shown: Scene | None = None

    def run(self) -> Sheet:
        titles = self.plan.books[0].title if len(self.plan.books) == 1 else "All games"
        self._say(Text(f"{titles}. Seed {self.plan.seed}. {HINT} shows the rule, help says more, q ends.", "bold"))
        try:
            for number in range(self.questions):
                self._ask_all(number)
        except _Enough:
            self._say("")
        return Sheet(self.plan, f"punto {__version__}", tuple(self.done))

    def _ask_all(self, number: int) -> None:
        """Ask one question to its end; partial answers count even if no more follow."""
        standing, times = QuestionProgress(self.plan.question(number)), list[int]()
        question, self.shown = standing.question, None
        self._say(
            Text(f"\n{number + 1} of {self.questions}: {question.book.title}, {question.drill.value}", "bold cyan")
        )
        self.done.append(AnsweredQuestion(standing))
        began = monotonic()
        while moment := standing.moment:
            self._show(moment.scene)
            after = self._answered(standing)
            if len(after.marks) > len(standing.marks):
                times.append(0 if self.typed else round((monotonic() - began) * 1000))
                began = monotonic()
            self._tell(question.book, after)
            standing = after
            self.done[-1] = AnsweredQuestion(standing, tuple(times))
        self._show(question.close)

    def _answered(self, standing: QuestionProgress) -> QuestionProgress:
        """Return one answer that can be read."""
        assert standing.moment
        self._show_ask(standing.moment.ask)
        while True:
            words = self._listen()
            if words.casefold() == "help":
                self._say(_HELP)
                continue
            try:
                return standing.answered(words)
            except Unreadable as unreadable:
                self._say(Text(str(unreadable), "yellow"))

    def _listen(self) -> str:
        print("> ", end="", flush=True, file=self.console.file)
        line = self._line()
        if line is None or line.strip().casefold() in ("q", "quit", "exit"):
            raise _Enough
        return line.strip()

    def _line(self) -> str | None:
        """Return the next line of the answers file or of the terminal; None at its end."""
        if self.typed is None:
            return (sys.stdin.readline() if sys.stdin else "") or None
        line = next(self.typed, None)
        if line is not None:
            print(line, file=self.console.file)
        return line

    # --- what is seen and said ---------------------------------------------------------------------------------------

    def _say(self, what: RenderableType | Phrase) -> None:
        self.console.print(what.text() if isinstance(what, Phrase) else what, soft_wrap=True)

    def _show(self, scene: Scene) -> None:
        """Print what is new in the scene."""
        before = self.shown.told if self.shown else ()
        for each in scene.told[len(before) :]:
            self._say(each)
        if self.shown is None or scene.hands != self.shown.hands:
            for hand in (each for each in Hand if scene.hands.get(each)):
                cards = [terminal.cards([card]) if card else Text(" ▒▒") for card in scene.hands[hand]]
                self._say(Text(f"{hand.capitalize():7}") + Text("").join(cards))
        if scene.table and (self.shown is None or scene.wagers != self.shown.wagers) and scene.wagers:
            lies = (f"{each.patron} {each.wager} {each.amount // 100}.{each.amount % 100:02d}" for each in scene.wagers)
            self._say(Text(f"On the layout: {', '.join(lies)}", "dim"))
        self.shown = scene

    def _show_ask(self, ask: Ask) -> None:
        self._say(Text(ask.words.text(), "bold"))
        for number, option in enumerate(ask.options, start=1):
            self._say(f"  {number}  {option.words.text()}")
        if ask.kind is AnswerKind.TOTAL:
            self._say(Text("  0 to 9", "dim"))

    def _tell(self, book: Rulebook, standing: QuestionProgress) -> None:
        verdict = standing.last
        assert verdict
        if not verdict.hint:
            self._say(Text("Right.", "green") if verdict.right else Text("No.", "bold red"))
        self._tell_remark(book, verdict)
        if verdict.told and verdict.answer and not verdict.right:
            self._say(f"The answer: {verdict.answer.text()}")
        if verdict.why:
            self._say(verdict.why)
        if verdict.hint or not verdict.right:
            self._cite(book, verdict)
        elif verdict.clauses:
            self._say(Text(f"({book.title} {', '.join(verdict.clauses)})", "dim"))
        if not verdict.told and not verdict.hint:
            self._say("Try once more.")

    def _tell_remark(self, book: Rulebook, verdict: Verdict) -> None:
        remark = verdict.remark
        refused = f" {remark.refusal.sentence(book)}" if remark.refusal else ""
        if remark.words or refused:
            self._say(Text(f"{remark.words.text() if remark.words else ''}{refused}", "yellow"))

    def _cite(self, book: Rulebook, verdict: Verdict) -> None:
        """Print the clauses, restated."""
        for clause in verdict.clauses:
            self._say(Text(f"{book.title} {clause}: {book.clauses[clause].text}", "cyan"))
        if not verdict.clauses:
            self._say(Text(f"No clause of {book.title}: it is left to the house.", "cyan"))


def _show_sheet(sheet: Sheet) -> None:
    content = as_json(sheet)
    total = content["total"]
    terminal.console.print(Text("\nScore sheet", "bold"))
    if not total["asked"]:
        terminal.console.print("Nothing was answered.")
        return
    figures = ("Asked", "Right first time", "Mistakes", "Rules looked up", "Seconds", "Score")
    drills = terminal.table(("Game", "Drill", *figures), right=figures)
    for row in content["by_drill"]:
        drills.add_row(row["game"], row["drill"], *_figures(row))
    drills.add_row("all", "", *_figures(total), style="bold")
    terminal.print_whole(drills)
    clauses = terminal.table(("Game", "Clause", "About", *figures), right=figures)
    for row in content["by_clause"]:
        clauses.add_row(row["game"], row["clause"] or "house", row["provision"] or "left to the house", *_figures(row))
    terminal.print_whole(clauses)
    verdict = "passed" if sheet.passed else "not passed"
    terminal.console.print(f"{total['score']} right first time: {verdict} (pass mark {content['pass_mark']}).")
    terminal.console.print(f"{content['software']}, seed {content['seed']}", style="dim")


def _figures(row: dict[str, object]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("asked", "right_first_time", "mistakes", "hints", "seconds", "score"))
