"""The cards of a table followed by its events, with separate code: which left the shoe, and where they lie.

Part of the auditor: it shares nothing with the engine that brought the events about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from punto.table.irregularities.cards_taken import CardsTakenStep, MissingDetermined
from punto.table.irregularities.correction import CardCorrected, RoundCorrected
from punto.table.irregularities.device_reset import CardsVoided
from punto.table.irregularities.drawn_together import CardsDrawnTogether, CardsOrdered
from punto.table.irregularities.exposed_in_error import ExposedInError
from punto.table.irregularities.measures import CardsPutAside
from punto.table.irregularities.misdealt_cards import CardMisplaced, CardsReconstructed, CardTooMany
from punto.table.irregularities.referral import ReferralDecided, Referred
from punto.table.irregularities.relaid_cards import CardsRelaid
from punto.table.irregularities.void import RoundVoided, VoidDismissed
from punto.table.irregularities.withdrawal import WithdrawalEnded, WithdrawalOffered
from punto.table.irregularities.withdrawn_report import ReportWithdrawn
from punto.table.play.burn_cards import CardsBurned
from punto.table.play.dealing import CardDrawn, CardExposed, OutcomeAnnounced, TotalsAnnounced
from punto.table.play.settlement import RoundSettled
from punto.table.play.shoes import ShoeEnded, ShoeLoaded
from punto.table.play.table_management import TableOpened
from punto.table.play.unread_card import ReadingOverridden
from punto.table.play.wagers import BetsOpened

_ABOUT_CARDS = ("cards-stand", "cards-void", "cards-only-void")
"""Decisions about cards exposed before a reset, which nobody referred."""
_ABOUT_DRAWN = (
    "drawn-together-unknown-initial",
    "drawn-together-unknown-later",
    "drawn-together-withdrawal",
    "wrong-number-of-cards",
    "card-not-needed",
    "card-not-needed-either",
    "unknown-order",
)
"""Matters that come with cards drawn together, or one too many."""
_OF_THE_SAME_MATTER = "card-not-needed-either"
"""A card too many by a card that a decision ordered: decided together with what that was ordered for."""
Laid = CardDrawn | CardMisplaced
"""An event that lays a card in a place."""
Hand = list[str]
"""The cards of a hand in their places; an empty text is a card face down."""


class CardsDealt:
    """Follows the cards of a table and reports to ``find`` what does not agree: a code and its values."""

    def __init__(self, find: Callable[..., None]) -> None:
        self._find = find
        self.player: Hand = []
        self.banker: Hand = []
        self._numbers: dict[str, list[int]] = {"player": [], "banker": []}
        """The numbers of the cards in each hand, in the places of the cards."""
        self._relaid = False
        self._surplus: dict[int, str] = {}
        """Exposed cards that the round does not need, by their numbers."""
        self._left_lying: list[int] = []
        """Those of them that a decision has left lying: nothing is asked about them any more."""
        self._order: list[int] = []
        """The numbers of the round's cards in the order they were dealt."""
        self._next, self._size, self._decks, self._shoe = 0, 0, 0, 0
        self._loaded = False
        self._burn: Any = None
        self._out: list[int] = []
        self._together: list[int] = []
        self._laid: list[int] = []
        """Cards on the table that were drawn together, as long as their order is in question."""
        self._ordered: list[int] = []
        self._asked: list[str | None] = []
        """What is referred or offered, the newest last: the table's code of a matter, the provision of an offer."""
        self._in_round = 0
        """The number of the round in play; 0 between rounds."""
        self._last_round = 0
        self._seen: Counter[str] = Counter()
        self._missing: Hand = []
        """The cards taken, as they were counted; then those that replace them, until each is exposed."""
        self._replacing = False
        self._named = ""
        """A card that people named and that is exposed, or corrected, next."""
        self._rounds: dict[int, tuple[int, Hand]] = {}
        """For each settled round of this shoe and the one before, which can be corrected, the shoe and the cards."""

    def _agree(self, figure: str, recorded: object, recomputed: object) -> None:
        if recorded != recomputed:
            self._find(f"differs.{figure}", recorded=recorded, recomputed=recomputed)

    def hand(self, name: str) -> Hand:
        return self.player if name == "player" else self.banker

    # --- the shoe --------------------------------------------------------------------------------------------------

    def ShoeLoaded(self, event: ShoeLoaded) -> None:
        self._next, self._size, self._decks = 0, 52 * event.decks, event.decks
        self._rounds = {number: each for number, each in self._rounds.items() if each[0] == self._shoe}
        self._shoe += 1
        self._loaded = True
        self._out, self._seen = [], Counter()

    def ShoeEnded(self, _: ShoeEnded) -> None:
        self._out, self._loaded = [], False

    def TableOpened(self, event: TableOpened) -> None:
        self._burn = event.setting.burn

    def CardsBurned(self, event: CardsBurned) -> None:
        """The first cards of a shoe are laid off, as many as the house has set or the first of them says."""
        first = str(event.first or "")
        if self._burn is None or self._next:
            self._find("burned-needlessly")
            return
        number = self._burn.cards or 1 + (points(first) or 10)
        self._agree("burned", list(event.indices), list(range(number)))
        self._next = len(event.indices)
        self._count([], [first] if first else [])

    def BetsOpened(self, event: BetsOpened) -> None:
        self._in_round = self._last_round = event.round
        self._asked = []
        if self._burn is not None and self._loaded and not self._next:
            self._find("not-burned")
        self._clear_hands()

    def _clear_hands(self) -> None:
        self.player, self.banker, self._numbers, self._order = [], [], {"player": [], "banker": []}, []
        self._surplus, self._left_lying, self._relaid, self._laid = {}, [], False, []

    def CardsVoided(self, event: CardsVoided) -> None:
        """All cards of the round leave play; what was seen of the shoe stays seen."""
        self._agree("put-aside", list(event.indices), self._order)
        self._clear_hands()

    def _take(self, number: int) -> None:
        """The card of this number leaves the shoe, or those that are out of it."""
        if self._out:
            self._agree("card-number", number, self._out.pop(0))
            return
        self._agree("card-number", number, self._next)
        self._next += 1
        if not self._loaded:
            self._find("no-shoe")
        if self._next > self._size:
            self._find("too-many-cards", cards=self._next, size=self._size)

    def CardsDrawnTogether(self, event: CardsDrawnTogether) -> None:
        if event.laid:  # they lie on the table, dealt one after the other
            first = self._order.index(min(event.indices, key=self._order.index))
            self._agree("drawn-at-once", sorted(event.indices), sorted(self._order[first : first + len(event.indices)]))
            self._laid = list(event.indices)
            return
        following = list(range(self._next, self._next + len(event.indices)))
        self._agree("drawn-at-once", list(event.indices), following)
        self._next += len(following)
        self._together = following

    def CardTooMany(self, event: CardTooMany) -> None:
        """A card leaves the shoe while no hand is due one."""
        self._agree("hand", None, self._due())
        self._agree("card-number", event.index, self._next)
        self._next += 1
        self._together = [event.index]

    def ExposedInError(self, event: ExposedInError) -> None:
        """A card that no hand was due was turned: it lies with the cards of the round, and in no hand."""
        if event.index is None or event.card is None:
            return
        self._agree("hand", None, self._due())
        self._agree("card-number", [event.index], self._together[:1])
        self._together = self._together[1:]
        self._order.append(event.index)
        self._surplus[event.index] = str(event.card)
        self._count([], [str(event.card)])

    def CardsOrdered(self, event: CardsOrdered) -> None:
        if self._laid:
            self._agree("ordered", sorted(event.order), sorted(self._laid))
            self._laid = []
            return
        self._agree("ordered", sorted(event.order), sorted(self._together))
        self._out, self._together, self._ordered = [*self._out, *event.order], [], list(event.order)

    def Referred(self, event: Referred) -> None:
        self._asked.append(event.case)

    def WithdrawalOffered(self, event: WithdrawalOffered) -> None:
        self._asked.append(event.provision)

    def WithdrawalEnded(self, _: WithdrawalEnded) -> None:
        self._asked.pop()

    def ReferralDecided(self, event: ReferralDecided) -> None:
        if event.decision in _ABOUT_CARDS:
            return
        if self._asked.pop():
            self._laid, self._left_lying = [], list(self._surplus)
            self._out, self._together = [*self._out, *self._together], []
        if event.case == _OF_THE_SAME_MATTER:
            self._asked.pop()

    def VoidDismissed(self, event: VoidDismissed) -> None:
        if event.provision == "wrong-number-of-cards":
            self._left_lying = list(self._surplus)

    def ReportWithdrawn(self, event: ReportWithdrawn) -> None:
        """Cards that had not left the shoe are in it again."""
        offered = bool(self._asked) and self._asked[-1] == event.provision
        about = self._asked.pop() if offered or event.provision == "referral" else event.provision
        if about == "wrong-delivery":
            self._take_up()
        elif about == "drawn-together-unknown-later" and offered:
            self._put_back(self._ordered)
        elif about in _ABOUT_DRAWN:
            self._put_back([*self._turned_too_many(), *self._together])

    def _put_back(self, cards: list[int]) -> None:
        if cards:
            self._agree("card-number", min(cards) + len(cards), self._next)
            self._next -= len(cards)
        self._out = [each for each in self._out if each not in cards]
        self._together = self._laid = []

    def _turned_too_many(self) -> list[int]:
        """Cards that no hand was due and that were turned go back unseen; where cards were laid again, they stay."""
        if self._relaid:
            return []
        turned = self._in_question()
        self._count(list(turned.values()), [])
        self._order = [each for each in self._order if each not in turned]
        self._surplus = {at: face for at, face in self._surplus.items() if at not in turned}
        return list(turned)

    def _in_question(self) -> dict[int, str]:
        return {at: face for at, face in self._surplus.items() if at not in self._left_lying}

    def _take_up(self) -> None:
        """The card dealt last goes back to where it came from."""
        last = self._order.pop()
        name = next(name for name, numbers in self._numbers.items() if numbers[-1:] == [last])
        self._numbers[name].pop()
        if self.hand(name).pop():
            self._find("withdrawn-exposed")
        if self._out or last != self._next - 1:
            self._out.insert(0, last)
        else:
            self._next = last

    def CardsPutAside(self, event: CardsPutAside) -> None:
        """The next cards leave play: first those in question, then others that are out, then those in the shoe."""
        in_question = self._in_question() if self._asked[-1:] in (["card-not-needed"], [_OF_THE_SAME_MATTER]) else {}
        count, outside = len(event.indices), [*in_question, *self._together, *self._out]
        following = range(self._next, self._next + max(0, count - len(outside)))
        self._agree("put-aside", list(event.indices), [*outside, *following][:count])
        self._next += len(following)
        gone = {*event.indices}
        self._together, self._out, self._order = (
            [each for each in some if each not in gone] for some in (self._together, self._out, self._order)
        )
        self._surplus = {at: face for at, face in self._surplus.items() if at not in gone}
        if self._next > self._size:
            self._find("too-many-cards", cards=self._next, size=self._size)

    def MissingDetermined(self, event: MissingDetermined) -> None:
        self._missing = [str(card) for card in event.cards]

    def ReadingOverridden(self, event: ReadingOverridden) -> None:
        self._named = str(event.card or "")

    def _expect(self, card: str) -> None:
        """A card that replaces one taken, or that people named, is that card."""
        if self._named:
            self._agree("named", card, self._named)
            self._named = ""
        if self._replacing and self._missing:
            self._agree("replacement", card, self._missing.pop(0))

    def CardsTakenStep(self, event: CardsTakenStep) -> None:
        self._replacing = event.provision == "cards-taken-replaced"
        if event.provision == "cards-taken-sealed":
            more = min(max(0, 2 - len(self._out)), self._size - self._next)
            self._out += range(self._next, self._next + more)
            self._next += more

    def RoundVoided(self, _: RoundVoided) -> None:
        self._out, self._together, self._asked, self._in_round = [], [], [], 0
        self._missing, self._named = [], ""

    # --- the hands -------------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether all cards are exposed and no other is due."""
        if self._laid:
            return self._over_in_true_order()
        return len(self.player) + len(self.banker) >= 4 and self._due() is None and all((*self.player, *self.banker))

    def _over_in_true_order(self) -> bool:
        """Whether the same holds with cards drawn together where the order in which they came puts them."""
        numbers = [*self._numbers["player"], *self._numbers["banker"], *self._surplus]
        faces = dict(zip(numbers, [*self.player, *self.banker, *self._surplus.values()], strict=True))
        told = iter(self._laid)
        order = [next(told) if number in self._laid else number for number in self._order]
        player, banker, _ = self._dealt_out(order, faces)
        if len(order) < 4 or not all(faces.values()):
            return False
        return (len(player), len(banker)) == self._wants(player, banker, faces)

    def _dealt_out(self, order: list[int], faces: dict[int, str]) -> tuple[list[int], list[int], list[int]]:
        """Return the numbers of the cards of each hand if they come in this order, and of those left over."""
        player, banker, left = order[0:4:2], order[1:4:2], order[4:]
        if left and self._wants(player, banker, faces)[0] == 3:
            player = [*player, left.pop(0)]
        if left and self._wants(player, banker, faces)[1] == 3:
            banker = [*banker, left.pop(0)]
        return player, banker, left

    def CardDrawn(self, event: CardDrawn) -> None:
        self._agree("hand", event.hand.value, self._due())
        self._agree("place", event.place, len(self.hand(event.hand)))
        self.CardMisplaced(event)

    def _due(self) -> str | None:
        """Return which hand the next card belongs to."""
        dealt = len(self.player) + len(self.banker)
        if dealt < 4:
            return ("player", "banker")[dealt % 2]
        if not all((*self.player, *self.banker)):
            return None
        player, banker = cards_due(self.player, self.banker)
        if len(self.player) < player:
            return "player"
        return "banker" if len(self.banker) < banker else None

    def CardMisplaced(self, event: Laid) -> None:
        self._take(event.index)
        self.hand(event.hand).append("")
        self._numbers[event.hand].append(event.index)
        self._order.append(event.index)

    def CardsReconstructed(self, event: CardsReconstructed) -> None:
        """Cards keep their faces, and go to the hands in turn in the order they were drawn; a third by the rules."""
        numbers = [*self._numbers["player"], *self._numbers["banker"]]
        faces = dict(zip(numbers, [*self.player, *self.banker], strict=True))
        player, banker, thirds = self._order[0:4:2], self._order[1:4:2], self._order[4:]
        if thirds and cards_due([faces[at] for at in player], [faces[at] for at in banker])[0] == 3:
            player = [*player, thirds.pop(0)]
        self._agree("player-reconstructed", list(event.player), player)
        self._agree("banker-reconstructed", list(event.banker), [*banker, *thirds])
        self.player, self.banker = [faces[at] for at in event.player], [faces[at] for at in event.banker]
        self._numbers = {"player": list(event.player), "banker": list(event.banker)}

    def CardsRelaid(self, event: CardsRelaid) -> None:
        """The same cards face up as before, in the places that their order gives them, and what is left over."""
        order = [str(card) if card else "" for card in event.order]
        self._agree("cards-relaid", sorted(order), sorted([*self.player, *self.banker, *self._surplus.values()]))
        faces = dict(zip(self._order, order, strict=True))
        player, banker, left = self._dealt_out(self._order, faces)
        self._agree("player-reconstructed", list(event.player), player)
        self._agree("banker-reconstructed", list(event.banker), banker)
        self._agree("surplus", list(event.surplus), left)
        self._relaid = True
        self._numbers = {"player": list(event.player), "banker": list(event.banker)}
        self.player, self.banker = [faces[at] for at in event.player], [faces[at] for at in event.banker]
        unseen = [at for at in event.surplus if not faces[at]]
        self._surplus, self._left_lying = {at: faces[at] for at in event.surplus if faces[at]}, []
        self._order = [at for at in self._order if at not in unseen]
        if self._out:
            self._out = [*unseen, *self._out]
        else:
            self._together = unseen

    def _wants(self, player: list[int], banker: list[int], faces: dict[int, str]) -> tuple[int, int]:
        """Return how many cards the hands should have by their faces so far, none for Banker before Player is done."""
        return cards_due([faces[at] for at in player], [faces[at] for at in banker])

    def CardExposed(self, event: CardExposed) -> None:
        hand = self.hand(event.hand)
        if hand[event.place]:
            self._find("exposed-twice", card=hand[event.place])
        hand[event.place] = str(event.card)
        self._expect(str(event.card))
        self._count([], [str(event.card)])

    def CardCorrected(self, event: CardCorrected) -> None:
        hand = self.hand(event.hand)
        self._agree("keyed", str(event.before), hand[event.place])
        self._expect(str(event.card))
        hand[event.place] = str(event.card)
        self._count([str(event.before)], [str(event.card)])

    def _count(self, no_longer: Hand, seen: Hand) -> None:
        """Cards seen of this shoe: no more of any than it holds."""
        self._seen.subtract(no_longer)
        self._seen.update(seen)
        for card in seen:
            if self._seen[card] > self._decks:
                self._find("seen-too-often", card=card, times=self._seen[card], decks=self._decks)

    # --- the end of a round ----------------------------------------------------------------------------------------

    def TotalsAnnounced(self, event: TotalsAnnounced) -> None:
        first = [*self.player[:2], *self.banker[:2]]
        if len(first) < 4 or not all(first):
            self._find("totals-face-down")
            return
        self._agree("player-total", event.player_total, total(self.player[:2]))
        self._agree("banker-total", event.banker_total, total(self.banker[:2]))

    def OutcomeAnnounced(self, event: OutcomeAnnounced) -> None:
        if not all((*self.player, *self.banker)):
            self._find("announced-face-down")
        numbers = len(self.player), len(self.banker)
        self._agree("cards", numbers, cards_due(self.player, self.banker))
        self._agree("player-total", event.player_total, total(self.player))
        self._agree("banker-total", event.banker_total, total(self.banker))
        self._agree("winner", event.winner, winner(self.player, self.banker))
        pairs = tuple(hand[0][0] == hand[1][0] for hand in (self.player, self.banker))
        self._agree("pairs", (event.player_pair, event.banker_pair), pairs)
        natural = max(total(self.player[:2]), total(self.banker[:2])) > 7
        self._agree("natural", event.natural, natural)

    def RoundSettled(self, event: RoundSettled) -> None:
        self._rounds[event.round] = self._shoe, [*self.player, *self.banker]
        self._in_round = 0

    def RoundCorrected(self, event: RoundCorrected) -> None:
        shoe, before = self._rounds[event.round]
        if event.coup is None:
            if not self._in_round and event.round == self._last_round:
                self._out = []
            return
        cards = [str(card) for card in (*event.coup.player, *event.coup.banker)]
        if event.provision != "referral":
            self._agree("cards", len(cards), len(before))
        if shoe == self._shoe:
            self._count(before, cards)
        self._rounds[event.round] = shoe, cards


def points(card: str) -> int:
    """Return the point value of a card."""
    return "A23456789".find(card[0]) + 1


def total(hand: Hand) -> int:
    """Return the point total of a hand."""
    return sum(map(points, hand)) % 10


def winner(player: Hand, banker: Hand) -> str:
    """Return the hand that wins, or ``tie``."""
    difference = total(player) - total(banker)
    return "player" if difference > 0 else "banker" if difference < 0 else "tie"


def cards_due(player: Hand, banker: Hand) -> tuple[int, int]:
    """Return how many cards each hand should have, from its first two and Player's third."""
    first, second = total(player[:2]), total(banker[:2])
    if first > 7 or second > 7:
        return 2, 2
    if first > 5:
        return 2, 3 if second < 6 else 2
    drawn = points(player[2]) if len(player) > 2 else -1
    # The lowest and highest third card of Player's against which Banker draws; on three, all but an eight.
    low, high = ((0, 9), (0, 9), (0, 9), (0, 9), (2, 7), (4, 7), (6, 7), (1, 0))[second]
    draws = low <= drawn <= high and (second, drawn) != (3, 8)
    return 3, 3 if draws else 2
