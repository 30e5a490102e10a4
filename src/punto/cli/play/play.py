"""``punto play``: a table in the terminal, for one patron or several, conducted by the same engine as any other."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace

from rich.text import Text

from punto.cards import Rank
from punto.cli import terminal
from punto.cli.main import BadInput, Run, seed_number, whole_number
from punto.cli.play.printed_roads import print_scoreboard
from punto.cli.study.rules import GAME_HELP
from punto.odds import odds
from punto.report.rendering import money, percent, ratio
from punto.rules import Rulebook, load
from punto.rules.deal_counts import CUT_FROM_THE_END
from punto.rules.table_of_play import Hand, point_total
from punto.shoe import HiddenShoe, new_secret, practice_shoe
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.event import Event
from punto.table.evolve import evolve, replay
from punto.table.guidance.dealer_automation import EVERYTHING, next_command
from punto.table.irregularities.absent_patron import ReportAbsent
from punto.table.play.card_handling import LookAtCards, PassHand, entitled_to
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import CardExposed, ExposeCard, OutcomeAnnounced, ShowCuttingCard
from punto.table.play.settlement import RoundSettled
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager, TakeBackWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.settings import Device, Limits, Setting
from punto.table.table import Table

_DEALER, _PIT_MANAGER = Actor("Dealer", Role.DEALER), Actor("Pit Manager", Role.PIT_MANAGER)
_LEAST, _MOST_CHIPS = 500, 10**9
_EDGES = dict.fromkeys(Rank, "a picture")
_EDGES |= dict.fromkeys((Rank.ACE, Rank.TWO, Rank.THREE), "no sides")
_EDGES |= dict.fromkeys((Rank.FOUR, Rank.FIVE), "two sides")
_EDGES |= dict.fromkeys((Rank.SIX, Rank.SEVEN, Rank.EIGHT), "three sides")
_EDGES |= dict.fromkeys((Rank.NINE, Rank.TEN), "four sides")
"""What the long edge of a card shows: how many pips, or the frame of a picture."""
_HELP = """player 100          wager on Player; several at once: player 100, tie 10
clear               take your wagers back
deal                no more bets: deal the round (with several patrons, the last one says so)
roads, odds, limits, rules CLAUSE, balance, help, quit"""


def play(parser: ArgumentParser) -> Run:
    """Play at a table."""
    parser.add_argument("game", metavar="GAME", nargs="?", default="baccarat", help=GAME_HELP)
    parser.add_argument("--seed", type=seed_number, help="play a reproducible practice shoe")
    parser.add_argument("--patrons", default="You", help="the patrons at the table, such as Ann,Bob (default You)")
    parser.add_argument("--chips", type=whole_number, default=1000, help="what each patron buys in for (default 1000)")
    parser.add_argument("--squeeze", action="store_true", help="turn the cards of your hand yourself, from the edge")
    return _run


def _run(arguments: Namespace) -> None:
    if arguments.json:
        raise BadInput("play is interactive and has no JSON form")
    _Play(arguments).run()


class _Quit(Exception):
    """The patron wants to stop."""


class _Play:
    """A table, its shoe, and the people at it."""

    def __init__(self, arguments: Namespace) -> None:
        self.book: Rulebook = load(arguments.game)
        self.patrons = [name.strip() for name in arguments.patrons.split(",") if name.strip()]
        if not self.patrons or len(set(self.patrons)) < len(self.patrons):
            raise BadInput("--patrons: expected different names, such as Ann,Bob")
        if not _LEAST <= arguments.chips * 100 <= _MOST_CHIPS:
            raise BadInput(f"--chips: expected {money(_LEAST)} to {money(_MOST_CHIPS)}")
        if arguments.squeeze and not self.book.methods:
            raise BadInput(f"--squeeze: by the rules of {self.book.title} only the Dealer handles cards")
        if not self.book.layouts:
            raise BadInput(f"{self.book.title} has no layout to play on: give its file one")
        self.squeeze: bool = arguments.squeeze
        secret = int.from_bytes(new_secret(1).disclose()[:6], "big") % 10**9
        self.seed: int = secret if arguments.seed is None else arguments.seed
        self.table = Table(self.book)
        self.shoe: HiddenShoe | None = None
        self.shoes = 0
        self._open(arguments.chips * 100)

    def _open(self, chips: int) -> None:
        limits = {wager.name: Limits(_LEAST, 500_000) for wager in self.book.wagers}
        layout = self.book.layouts[0]
        positions = layout.positions.most if layout.positions else 9
        method = ("A" if self.squeeze else "B") if self.book.methods else None
        setting = Setting(layout.name, positions, limits, 100, self.book.usual_decks, Device.MANUAL, method)
        # The house can pay whatever the patrons may win.
        self._must(OpenTable(_PIT_MANAGER, setting, len(self.patrons) * (chips + 10**10)))
        for patron in self.patrons:
            answer = decide(self.table, BuyIn(_DEALER, patron, chips))
            if isinstance(answer, Refusal):
                raise BadInput(f"--patrons: {answer.sentence(self.book)}")
            self.table = replay(self.table, answer)

    def _must(self, command: Command) -> tuple[Event, ...]:
        answer = decide(self.table, command)
        assert not isinstance(answer, Refusal), answer.sentence(self.book)
        for event in answer:
            self.table = evolve(self.table, event)
            self._tell(event)
        return answer

    def run(self) -> None:
        """Play round after round, until a patron quits or the input ends."""
        kind = f"practice shoe, seed {self.seed}"
        terminal.console.print(Text(f"{self.book.title}. {kind}. Type help for what you can say.", "bold"))
        try:
            while any(self.table.chips.values()):
                self._round()
            terminal.console.print("No patron has chips left.")
        except _Quit:
            self._finish()
        for patron, chips in self.table.chips.items():
            terminal.console.print(f"{patron}: {money(chips)} to take home.")

    def _finish(self) -> None:
        """Take the wagers back while the rules allow it; play out a round that is being dealt."""
        if self.table.phase is Phase.BETTING:
            for patron in self.patrons:
                self._clear(patron)
        self.squeeze = False
        for hand in list(self.table.round.handlers):
            self._must(ReportAbsent(_DEALER, hand))
        self._deal()

    def _round(self) -> None:
        if self.table.shoe is None:
            self.shoes += 1
            self.shoe = practice_shoe(self.seed, self.book.usual_decks, self.shoes)
            self._must(LoadShoe(_DEALER, self.shoe.name))
            terminal.console.print(f"A new shoe: {self.shoe.name}", style="dim")
        self._must(OpenBets(_DEALER))
        for patron in self.patrons:
            while self._listen(patron):
                pass
        self._must(CloseBets(_DEALER))
        self._deal()

    def _deal(self) -> None:
        assert self.shoe is not None
        assert self.table.shoe is not None
        if len(self.shoe) - self.table.shoe.drawn <= CUT_FROM_THE_END:
            self._must(ShowCuttingCard(_DEALER))
            terminal.console.print("The cutting card: this is the last round of the shoe.", style="dim")
        playing = self.table.round_number
        while self.table.round.stakes or self.table.round.hands[Hand.PLAYER] or playing == self.table.round_number:
            command = self._passed_on() or next_command(self.table, EVERYTHING, self.shoe.card_at)
            if command is None or isinstance(command, OpenBets):
                break
            self._must(command)

    # --- squeezing -------------------------------------------------------------------------------------------------

    def _passed_on(self) -> Command | None:
        """Pass the cards by Method A to the patrons with the most on each hand, who turn them at their own pace."""
        table = self.table
        if not self.squeeze or table.round.first_hand is None or table.phase is not Phase.DEALING:
            return None
        first = table.round.first_hand
        for hand in (first, first.other):
            face_down = [number for number, place in enumerate(table.round.hands[hand]) if place.card is None]
            entitled = entitled_to(table, hand)
            patron = table.round.handlers.get(hand) or (entitled.patron if entitled else None)
            if not face_down:
                continue
            if patron is None:
                return None  # no patron has a wager on this hand: the Dealer turns its cards
            if hand not in table.round.handlers and not face_down[0]:
                return PassHand(_DEALER, hand, patron)
            return self._squeezed(hand, face_down[0], Actor(patron, Role.PATRON))
        return None

    def _squeezed(self, hand: Hand, place: int, by: Actor) -> Command:
        """Return the command that turns the card, shown from its edge first."""
        assert self.shoe is not None
        if self.table.round.hands[hand][place].index not in self.table.round.looked:
            return LookAtCards(by, hand)
        card = self.shoe.card_at(self.table.round.hands[hand][place].index)
        self._ask(f"{by.id}, lift the edge of a {hand.capitalize()} card (Enter) ")
        self._ask(f"  {_EDGES[card.rank]} (Enter turns it) ")
        return ExposeCard(by, hand, place, card)

    # --- what patrons say ------------------------------------------------------------------------------------------

    def _ask(self, prompt: str) -> str:
        print(prompt, end="", flush=True)  # noqa: T201
        line = sys.stdin.readline() if sys.stdin else ""
        if not line or line.strip().casefold() in ("quit", "exit"):
            print()  # noqa: T201
            raise _Quit
        return line.strip()

    def _listen(self, patron: str) -> bool:
        """Handle one line from a patron; return False when they have finished their wagers."""
        words = self._ask(f"{patron} [{money(self.table.chips[patron])}] > ")
        word, _, rest = words.partition(" ")
        answers = {"roads": self._roads, "odds": self._odds, "limits": self._limits, "help": self._help}
        match word.casefold():
            case "deal" | "done" if not rest:
                return False
            case "":
                pass
            case "rules":
                self._rules(rest)
            case "clear":
                self._clear(patron)
                self._show_layout(patron)
            case "balance":
                self._show_layout(patron)
            case known if known in answers:
                answers[known]()
            case _:
                self._wager(patron, words)
        return True

    def _wager(self, patron: str, words: str) -> None:
        """Place everything in the line, or nothing if part of it cannot be read."""
        names = {each.name.casefold(): each.name for each in self.book.wagers}
        position = self.patrons.index(patron) % self.table.set_up.positions + 1
        said = []
        for part in words.split(","):
            match = re.fullmatch(r"(.+?) ([0-9]{1,9})(?:\.([0-9]{1,2}))?", part.strip())
            if not match:
                self._say(f"expected a wager and an amount, such as player 100, not {part.strip()!r}; help says more")
                return
            amount = int(match[2]) * 100 + int((match[3] or "").ljust(2, "0"))
            name = names.get(match[1].casefold(), match[1])
            said.append(PlaceWager(Actor(patron, Role.PATRON), patron, position, name, amount))
        for command in said:
            self._try(command)
        self._show_layout(patron)

    def _show_layout(self, patron: str) -> None:
        stakes = ((wager, stake) for (who, _, wager), stake in self.table.round.stakes.items() if who == patron)
        lies = [f"{wager} {money(stake.amount)}" for wager, stake in stakes]
        terminal.console.print(f"on the layout: {', '.join(lies) or 'nothing'}", style="dim", soft_wrap=True)

    def _clear(self, patron: str) -> None:
        for (who, position, wager), stake in list(self.table.round.stakes.items()):
            if who == patron:
                self._try(TakeBackWager(Actor(patron, Role.PATRON), patron, position, wager, stake.amount))

    def _try(self, command: Command) -> None:
        answer = decide(self.table, command)
        if isinstance(answer, Refusal):
            self._say(answer.sentence(self.book))
            return
        for event in answer:
            self.table = evolve(self.table, event)

    def _say(self, sentence: str) -> None:
        terminal.console.print(sentence, style="yellow", soft_wrap=True)

    def _help(self) -> None:
        terminal.console.print(_HELP)

    def _limits(self) -> None:
        for name, limits in self.table.set_up.limits.items():
            terminal.console.print(f"{name:24} {money(limits.minimum)} to {money(limits.maximum)}")

    def _rules(self, wanted: str) -> None:
        if not wanted:
            self._say("expected a clause, such as rules 4.1, or a subject, such as rules late-wager")
            return
        clause = self.book.clauses.get(wanted) or next(iter(self.book.clauses_of(wanted)), None)
        self._say(f"{clause.number} {clause.text}" if clause else f"{self.book.title} has no clause {wanted!r}")

    def _odds(self) -> None:
        """Print house edges from the unexposed cards."""
        assert self.table.shoe is not None
        found = odds(self.book, self.table.shoe.unexposed)
        for each in found.wagers:
            terminal.console.print(f"{each.wager.name:24} house edge {percent(each.house_edge)}")

    def _roads(self) -> None:
        marks = [mark for mark in self.table.marks if mark]
        if not marks:
            self._say("no round of this shoe has been settled yet")
            return
        print_scoreboard(marks)

    # --- what happens ----------------------------------------------------------------------------------------------

    def _tell(self, event: Event) -> None:
        match event:
            case CardExposed():
                self._tell_card(event)
            case OutcomeAnnounced():
                winner = event.winner.capitalize()
                terminal.console.print(Text(winner if winner == "Tie" else f"{winner} wins", "bold"))
            case RoundSettled():
                self._tell_settlement(event)

    def _tell_card(self, event: CardExposed) -> None:
        cards = [place.card for place in self.table.round.hands[event.hand] if place.card]
        total = point_total([card.point_value for card in cards])
        terminal.console.print(Text(f"{event.hand.capitalize()}  {total}  ") + terminal.cards(cards))

    def _tell_settlement(self, event: RoundSettled) -> None:
        if not event.wagers:
            return
        table = terminal.table(
            ("Patron", "Wager", "Staked", "Result", "Pays", "Returned", "Clause"), right=("Staked", "Returned")
        )
        for each in event.wagers:
            result = each.result.value if each.result else "returned"
            pays = ratio(each.pays) if each.pays > 0 else ""
            figures = (money(each.stake), result, pays, money(each.returned), each.clause)
            table.add_row(each.patron, each.wager, *figures)
        terminal.print_whole(table)
