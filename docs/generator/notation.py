"""Tables of the page about the notation: who may give an action, and the names that actions and expectations take.

Who may is found by playing the project's scripts and asking the table at every step which position it needs.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from textwrap import indent

from msgspec.structs import replace

from generator.markdown import table
from punto import APPROVED, Rulebook, load
from punto.notation.script import parse
from punto.notation.script_player import Player
from punto.table.command import Command
from punto.table.event import Circumstances, Event, Irregularity
from punto.table.evolve import EVENTS
from punto.table.guards import Decision
from punto.table.guidance.authority import whose
from punto.table.irregularities import measures
from punto.table.irregularities.cards_taken import COUNT, STEPS
from punto.table.irregularities.void import REPORTED
from punto.table.play.dealing_device import ATTESTED_BY_DEALER
from punto.table.refusal import Refusal
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.settings import Setting
from punto.texts import name_of

EXAMPLES = Path(__file__).parents[1] / "examples"
SCRIPTS = Path(__file__).parents[2] / "tests" / "scripts"
CONFIRMS = "the position that confirms"
ORDER = (*(role.value for role in Role), CONFIRMS)

WRITTEN = {
    "PassHand": (
        "`pass HAND to NAME`",
        "the latter once all who could have it declined, or none wagered on it",
    ),
    "PermitSqueeze": ("`permit NAME to squeeze HAND`", ""),
    "RemoveWager": ("`remove NAME WAGER AMOUNT at POSITION`", ""),
    "FixOrder": ("`order 5 4` (cards drawn together)", ""),
    "PermitDrawing": ("`permit NAME to draw`", ""),
    "TakeBackDevice": ("`take back device`", ""),
    "RecordWager": ("`found NAME WAGER AMOUNT at POSITION`", "the latter once a card of the round was seen"),
    "SettleOverlookedWager": ("`found NAME WAGER AMOUNT at POSITION in round N`", ""),
    "RefuseLateWager": (
        "`refuse late ...`, `take off late ...`",
        "the latter for `take off late` once a card of the round was seen",
    ),
    "CorrectCard": ("`correct HAND PLACE to CARD`", ""),
    "CorrectRound": ("`correct round N to ...`", "the latter in Fabulous 4"),
    "ConfirmCard": ("`confirm card`", ""),
    "ReportPayout": ("`paid NAME AMOUNT for ...`", "the latter with `owing`"),
    "CorrectAnswer": ("`correct answer of NAME to ...`", "the latter once the offer has ended"),
    "ConfirmVoid": ("`confirm void`", ""),
    "DismissVoid": ("`not void`", ""),
    "ReportPowerFailure": ("`power failure`", ""),
    "EndShoe": ("`end shoe`", ""),
    "ReplaceCards": ("`replace cards`", ""),
    "DecideReferral": ("`decide to continue`, `decide to void`", "the latter in Fabulous 4"),
    "Order": ("`order withdrawal` and every other order but that of cards drawn together", "the latter in Fabulous 4"),
    "DecideReset": ("`exposed cards stand`, `exposed cards are void` (also `..., round goes on`)", ""),
    "AttestCardsTaken": ("`confirm cards-taken-sealed` and so on", ""),
    "DetermineMissing": ("`decks lack CARDS, set aside CARDS`", ""),
    "WithdrawReport": (
        "`withdraw report`",
        "the lowest above the Dealer that decides what play is held for, see below",
    ),
    "ChangeMethod": ("`Method A` and so on", "the latter for Method C"),
    "ChangeLimits": ("`limits WAGER A-B`", ""),
    "RestrictArea": ("`wagers per area N`", ""),
    "Fill": ("`fill AMOUNT`", ""),
    "Credit": ("`credit AMOUNT`", ""),
    "CloseTable": ("`close table counting AMOUNT`", ""),
    "BeginCount": ("`begin count`", ""),
    "DropCount": ("`drop count`", ""),
    "SignOn": ("`sign on NAME`", "the Dealer themself with `sign on`; to sign on another, a Pit Supervisor"),
    "SignOff": ("`sign off`, `sign off NAME`", "the Dealer who leaves; to sign off another, a Pit Supervisor"),
    "AnswerCall": ("`the pit has come`", ""),
    "AppointActing": ("`NAME acts as POSITION`", "the position itself, or one above it"),
    "EndActing": ("`NAME no longer acts as POSITION`", "the position itself, or one above it"),
    "ConfirmAct": ("`confirm act`", "the position that the act needs; not the person who proposed it"),
}
"""The actions that are not the Dealer's alone, as they are written, and what decides between several positions."""

PHASES = {
    Phase.SHUT: "the table is not open",
    Phase.IDLE: "between rounds, also once the round is settled or void",
    Phase.BETTING: "after `place your bets`",
    Phase.CLOSED: "after `no more bets`, before the first card",
    Phase.DEALING: "from the first card on",
    Phase.OUTCOME: "after `outcome`, before `settle`",
}


class _Asking(Player):
    """Plays a script, and notes the lowest position for each command that staff gave and what play was held for."""

    needed: defaultdict[str, set[str]]
    held: set[str]

    def _give(self, given: Command) -> Decision:
        before = self.table
        answer = super()._give(given)
        if not isinstance(answer, Refusal) and before.setting and given.by.role is not Role.PATRON:
            roles = [whose(before.changed(setting=each), given).role for each in _confirming(before.setting)]
            self.needed[_kind(given)].add(roles[0].value if len({*roles}) == 1 else CONFIRMS)
        self.held |= {hold.provision for hold in self.table.holds}
        return answer


def _kind(command: Command) -> str:
    """Return the command's name; what is ordered while something is referred is for the same position."""
    return "Order" if type(command).__module__ == measures.__name__ else type(command).__name__


def _confirming(setting: Setting) -> list[Setting]:
    """Return the setting with each of two positions that confirm: what differs between them is for that position."""
    plain = replace(setting, second_person=(), sign_on=False, reasons_required=False)
    return [replace(plain, confirms=role) for role in (Role.PIT_SUPERVISOR, Role.PIT_MANAGER)]


@cache
def _played() -> tuple[dict[str, set[str]], set[str]]:
    """Return the positions that each command needed in the scripts, and all provisions that play was held under.

    Of the games in a script the first and the last are played: they are the ones that differ most.
    """
    needed: defaultdict[str, set[str]] = defaultdict(set)
    held = {*REPORTED}
    for file in sorted(SCRIPTS.glob("*.round")):
        script = parse(file.read_text("utf-8"))
        for run in {script.runs[0].game: script.runs[0], script.runs[-1].game: script.runs[-1]}.values():
            player = _Asking(script, run)
            player.needed, player.held = needed, held
            player.play()
    return needed, held


def positions() -> str:
    """Return who may give each action that is not for the Dealer alone."""
    above = {command: found for command, found in _played()[0].items() if found != {Role.DEALER.value}}
    assert above.keys() == WRITTEN.keys(), f"WRITTEN lacks or outlived {sorted(above.keys() ^ WRITTEN.keys())}"
    said: defaultdict[str, list[str]] = defaultdict(list)
    for command, (action, when) in WRITTEN.items():
        found = " or ".join(each for each in ORDER if each in above[command])
        said[when if command in _OWN_WORDS else f"{found}{f': {when}' if when else ''}"].append(action)
    return table(("by", "actions"), [(by, ", ".join(actions)) for by, actions in said.items()])


_OWN_WORDS = ("WithdrawReport", "SignOn", "SignOff", "AppointActing", "EndActing", "ConfirmAct")
"""Commands whose position hangs on what they name: the words say it whole."""


def example(name: str) -> str:
    """Return a script of the page's examples."""
    return indent((EXAMPLES / f"{name}.round").read_text("utf-8"), "    ")


def provisions() -> str:
    """Return the provisions that actions and expectations name, and the clause of each game."""
    taken: defaultdict[str, list[str]] = defaultdict(list)
    confirmed = tuple(each for each in STEPS if each != COUNT)
    for verb, names in (("report", REPORTED), ("attest", ATTESTED_BY_DEALER), ("confirm", confirmed)):
        for name in names:
            taken[name].append(f"`{verb}`")
    for name in sorted(_played()[1]):
        taken[name].append("`expect hold`")
    books = [load(key) for key in APPROVED]
    rows = [(f"`{name}`", ", ".join(by), *(_clause(book, name) for book in books)) for name, by in taken.items()]
    return table(("provision", "taken by", *(book.title.removesuffix(" Baccarat") for book in books)), rows)


def _clause(book: Rulebook, provision: str) -> str:
    return ", ".join(each.number for each in book.clauses_of(provision)) or "–"


def phases() -> str:
    """Return the phases of a round, with their names at the table."""
    rows = [(f"`{phase.value}`", name_of("phase", phase.value), PHASES[phase]) for phase in Phase]
    return table(("phase", "shown as", ""), rows)


def events() -> str:
    """Return every event with its fields."""
    return table(("event", "fields"), [(f"`{name}`", _fields(kind)) for name, kind in sorted(EVENTS.items())])


def _fields(kind: type[Event]) -> str:
    named = [f"`{each}`" for each in kind.__struct_fields__ if each != "circumstances"]
    return ", ".join(named) + (" and circumstances" if issubclass(kind, Irregularity) else "")


def circumstances() -> str:
    """Return the fields that every irregularity has besides its own."""
    return ", ".join(f"`{each}`" for each in Circumstances.__struct_fields__) + ".\n"
