"""``make bench``: how long a person waits for ``punto settle``, and how fast the rules are."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

from punto import APPROVED, CardsSeen, Coup, decided, load, parse_cards, settle


def best(work: Callable[[], object], times: int) -> float:
    """Seconds of the quickest of so many runs."""

    def once() -> float:
        start = perf_counter()
        work()
        return perf_counter() - start

    return min(once() for _ in range(times))


def command(*arguments: str) -> Callable[[], object]:
    program = [sys.executable, "-c", "from punto.cli.main import main; main()", *arguments]
    return lambda: subprocess.run(program, check=True, stdout=subprocess.DEVNULL)


def report(what: str, figure: str) -> None:
    print(f"{what:72}{figure:>14}")


def main() -> None:
    coup = ["2s", "Ah", "3d", "Ad", "Ks", "4c"]
    empty = best(lambda: subprocess.run([sys.executable, "-c", ""], check=True), 9)
    report("an empty Python process, the least any command can take", f"{empty:.3f} s")
    for options in ([], ["--json"]):
        seconds = best(command("settle", "tiger", *coup, *options), 9)
        report(" ".join(["punto settle tiger", *coup, *options]), f"{seconds:.3f} s")

    cards = parse_cards(" ".join(coup))
    seconds = best(lambda: [Coup.deal(cards) for _ in range(10_000)], 5)
    report("dealing a coup of six cards", f"{seconds * 100:.1f} µs")
    outcome = Coup.deal(cards).outcome_class
    for book in map(load, APPROVED):
        seconds = best(lambda wagers=book.wagers: [[settle(w, outcome) for w in wagers] for _ in range(2_000)], 5)  # type: ignore[misc]
        report(f"settling the {len(book.wagers)} wagers of {book.key}", f"{seconds * 500:.1f} µs")
    for shown in ("", "4h", "4h 4d"):
        seen = CardsSeen(parse_cards(shown))
        for book in map(load, APPROVED):
            unexposed = book.shoe(8).without(seen.cards)
            seconds = best(lambda book=book, seen=seen, rest=unexposed: decided(book.wagers, seen, rest), 3)  # type: ignore[misc]
            report(f"what is decided in {book.key} with [{shown}] seen", f"{seconds * 1000:.1f} ms")


if __name__ == "__main__":
    main()
