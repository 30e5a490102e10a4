"""The protection study of a game: what every wager can lose to perfect play and known cards, and what a house can do.

Exact figures (odds, effects of removal, known cards) stand beside sampled ones (perfect play), which have standard
errors. ``ProtectionStudy.to_dict`` is the whole study as JSON has it; page, paper and plots are made from that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from punto import __version__
from punto.cards import Card
from punto.data_frames import data_frame, exact
from punto.formatting import fraction
from punto.lab.house_choices import StakeLimit, cents_above_zero, limit_for
from punto.lab.known_cards import KnownCardsStudy, WagerAlone, known_cards
from punto.lab.perfect_play import PerfectFigures, PerfectPlayStudy, PerfectWager, perfect_play
from punto.odds.exact import Odds, WagerOdds, odds
from punto.odds.removal import effects_of_removal
from punto.rules.caller_input import Game, game_of, wagers_of
from punto.rules.rulebook import Rulebook, Wager
from punto.rules.wager_mapping import WagerMapping
from punto.simulate.shoe_makeup import Shoes
from punto.simulate.simulation import Progress, dealing_numbers

if TYPE_CHECKING:
    import polars

CUTS = (14, 26, 39, 52, 78, 104, 156, 208)
"""Cards behind the cutting card for which perfect play is studied; all but the first end a quarter of a deck."""
OTHER_DECKS = (6, 8)
"""Numbers of decks that are compared, beside the one that is studied."""
SHARE_FOR_OTHER_DECKS = 4
"""Shoes of another number of decks are one in so many."""
POSITIONS = (1, 2, 5, 6)
"""Known cards: the third card to leave the shoe is worth what the first is, and the fourth what the second is."""
SHARES = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10), Fraction(19, 20), Fraction(99, 100), Fraction(999, 1000))
"""Shares of shoes for which the study says how much they gain at most."""
WATCH, EXPOSED = Fraction(1, 20), Fraction(2, 5)
"""The gain of perfect play in units per 100 hands from which a wager is to be watched, and from which it is exposed."""
CONFIDENCE = 0.975
"""With this probability a true gain lies below the bound that verdicts and limits are taken from."""
FEWEST_SHOES = 2
SHOES, STAKE, MOST_LOSS = 20_000, 1_000_00, 100_00


class ProtectionVerdict(StrEnum):
    """What perfect play makes of a wager, by the upper bound of its gain in units per 100 hands."""

    SAFE = "safe"
    WATCH = "watch"
    EXPOSED = "exposed"
    UNKNOWN = "unknown"
    """Too few shoes were dealt to say."""

    @classmethod
    def of(cls, bound: float | None) -> ProtectionVerdict:
        """Return the verdict for an upper bound of the gain in units per 100 hands; None if there is none."""
        if bound is None:
            return cls.UNKNOWN
        return cls.EXPOSED if bound >= EXPOSED else cls.WATCH if bound >= WATCH else cls.SAFE


@dataclass(frozen=True, slots=True)
class CutFigures:
    """Perfect play of a wager with the cutting card at one depth, and the limit that bounds its loss."""

    behind: int
    """The number of cards behind the cutting card."""
    figures: PerfectFigures
    limit: StakeLimit


@dataclass(frozen=True, slots=True)
class DecksFigures:
    """Perfect play of a wager from shoes of one number of decks, beside the exact house edge."""

    decks: int
    shoes: int
    house_edge: Fraction
    figures: PerfectFigures


@dataclass(frozen=True)
class WagerProtection:
    """All that a study says of one wager."""

    odds: WagerOdds
    play: PerfectWager
    cuts: tuple[CutFigures, ...]
    """By cards behind the cutting card, fewest first; the first is the cut that was dealt to."""
    decks: tuple[DecksFigures, ...]
    known: Mapping[int, WagerAlone]
    """The value of one known card to a patron who considers this wager only, by position."""
    removal: Mapping[Card, Fraction]
    """How the return changes when one card is gone."""
    stake: int

    @property
    def name(self) -> str:
        """The wager's name."""
        return self.odds.wager.name

    @property
    def wager(self) -> Wager:
        """The wager itself."""
        return self.odds.wager

    @property
    def bound(self) -> float | None:
        """The upper confidence bound of the gain in units per 100 hands, at the cut that was dealt to; None if the
        shoes are too few for one.
        """
        return _bound(self.play)

    @property
    def verdict(self) -> ProtectionVerdict:
        """Whether perfect play is to be feared."""
        return ProtectionVerdict.of(self.bound)

    @property
    def cut_needed(self) -> int | None:
        """The fewest cards behind the cutting card that keep the loss at the stake within bounds; None if none do."""
        kept = (each.behind for each in self.cuts if each.limit.limit is None or each.limit.limit >= self.stake)
        return next(kept, None)


@dataclass(frozen=True)
class ProtectionStudy(WagerMapping[WagerProtection]):
    """What every wager of a game can lose, and what a house can do about it: a mapping of the wagers' names.

    Get one with ``study_protection``.
    """

    book: Rulebook
    decks: int
    cut: int
    seed: int
    shoes: int
    rounds: int
    stake: int
    """The limit of a wager as it is, in cents."""
    most_loss: int
    """The most that a wager may lose in a shoe on average, in cents."""
    wagers: tuple[WagerProtection, ...]
    known: Mapping[int, KnownCardsStudy]
    """By position, the value of one known card to a patron who takes the best of all wagers of the study."""

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{each.name} {each.verdict}" for each in self.wagers)
        return f"<ProtectionStudy of {self.book.key!r}, {self.shoes} shoes: {verdicts}>"

    def to_dict(self) -> dict[str, object]:
        """Return the study as JSON has it: inputs, exact figures as fractions beside rounded ones, errors."""
        return {
            "game": self.book.key,
            "title": self.book.title,
            "version": self.book.version,
            "digest": self.book.digest,
            "software": f"punto {__version__}",
            "decks": self.decks,
            "cards": self.wagers[0].play.cards,
            "cut": self.cut,
            "seed": self.seed,
            "shoes": self.shoes,
            "rounds": self.rounds,
            "stake_cents": self.stake,
            "most_loss_cents": self.most_loss,
            "confidence": CONFIDENCE,
            "thresholds": {"watch": fraction(WATCH), "exposed": fraction(EXPOSED)},
            "wagers": [_wager_json(each) for each in self.wagers],
            "known_cards": [
                {"position": position, **exact(value=each.value), **exact(sat_out=each.sat_out)}
                for position, each in self.known.items()
            ],
        }

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each wager and depth of the cutting card, with the inputs in every row."""
        inputs = {
            "game": self.book.key,
            "digest": self.book.digest,
            "software": f"punto {__version__}",
            "decks": self.decks,
            "seed": self.seed,
            "shoes": self.shoes,
            "most_loss_cents": self.most_loss,
        }
        rows = [
            {
                **inputs,
                "wager": each.name,
                **exact(house_edge=each.odds.house_edge),
                "behind": cut.behind,
                **cut.figures.to_dict(),
                "limit_cents": cut.limit.limit,
            }
            for each in self.wagers
            for cut in each.cuts
        ]
        return data_frame(rows)


def study_protection(
    game: Game,
    shoes: int = SHOES,
    seed: int = 0,
    wagers: Sequence[str] | None = None,
    decks: int | None = None,
    cut: int | None = None,
    stake: int = STAKE,
    most_loss: int = MOST_LOSS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ProtectionStudy:
    """Study what the wagers of a game can lose, all of them or those named; amounts are whole cents.

    An interrupt ends the study with ``KeyboardInterrupt``: half a study would be taken for a whole one.
    """
    book = game_of(game)
    names = [each.name for each in wagers_of(book, wagers)]
    chosen = book.usual_decks if decks is None else decks
    full = book.shoe(chosen)
    dealt = Shoes(full) if cut is None else Shoes(full, cut)
    stake = cents_above_zero(stake, "the limit of a wager")
    most_loss = cents_above_zero(most_loss, "the most the house may lose")
    shoes, seed, workers = dealing_numbers(shoes, seed, workers)
    if shoes < FEWEST_SHOES:
        raise ValueError(
            f"expected at least {FEWEST_SHOES} shoes, not {shoes}: one says nothing of how far a gain varies"
        )
    play = _played(book, shoes, seed, dealt, names, workers, progress)
    if not play.rounds:
        raise ValueError("no round can be dealt from such shoes")
    others = {
        each: _played(
            book, max(1, shoes // SHARE_FOR_OTHER_DECKS), seed, Shoes(book.shoe(each), dealt.cut), names, workers
        )
        for each in OTHER_DECKS
        if each != chosen and each in range(book.decks.fewest, book.decks.most + 1)
    }
    by_decks = [(each, odds(book, each), found) for each, found in sorted({**others, chosen: play}.items())]
    known = {position: known_cards(book, position, full, by="card", wagers=names) for position in POSITIONS}
    removal = effects_of_removal(book, full)
    full_odds = odds(book, full)
    parts = tuple(
        WagerProtection(
            odds=full_odds[name],
            play=play[name],
            cuts=_cuts(play[name], dealt.cut, most_loss),
            decks=_by_decks(name, by_decks),
            known={position: found.wagers[at] for position, found in known.items()},
            removal={card: changes[name] for card, changes in removal.items()},
            stake=stake,
        )
        for at, name in enumerate(names)
    )
    return ProtectionStudy(book, chosen, dealt.cut, seed, shoes, play.rounds, stake, most_loss, parts, known)


def _played(
    book: Rulebook,
    shoes: int,
    seed: int,
    dealt: Shoes,
    wagers: Sequence[str],
    workers: int | None,
    progress: Progress | None = None,
) -> PerfectPlayStudy:
    found = perfect_play(book, shoes, seed, dealt, workers, progress=progress, wagers=wagers)
    if found.partial:
        raise KeyboardInterrupt
    return found


def _cuts(play: PerfectWager, dealt_to: int, most_loss: int) -> tuple[CutFigures, ...]:
    """Return the figures of every depth that the shoes reach; the shoes themselves answer for the cut dealt to."""
    depths = {dealt_to: play.figures}
    depths |= {behind: play.at_cut(behind) for behind in CUTS if behind > dealt_to}
    return tuple(
        CutFigures(behind, each, limit_for(each.per_shoe, most_loss, each.per_shoe_error or 0, CONFIDENCE))
        for behind, each in depths.items()
        if each.hands
    )


def _by_decks(name: str, played: Sequence[tuple[int, Odds, PerfectPlayStudy]]) -> tuple[DecksFigures, ...]:
    return tuple(
        DecksFigures(decks, found.shoes, fresh[name].house_edge, found[name].figures) for decks, fresh, found in played
    )


def _bound(play: PerfectWager) -> float | None:
    """Return the upper bound of the gain in 100 hands; None if the shoes are too few for one.

    If no shoe gained anything the error cannot be estimated. Then the share of shoes that gain is bounded instead, as
    if each of them gained a unit; the bound stands where that keeps it below what is to be watched.
    """
    from statistics import NormalDist

    figures = play.figures
    if figures.per_100_hands_error is not None:
        return figures.per_100_hands + NormalDist().inv_cdf(CONFIDENCE) * figures.per_100_hands_error
    if figures.favourable or not figures.hands:
        return None
    share = 1 - (1 - CONFIDENCE) ** (1 / play.shoes)
    bound = 100 * share * play.shoes / figures.hands
    return bound if bound < WATCH else None


def _wager_json(each: WagerProtection) -> dict[str, object]:
    return {
        "wager": each.name,
        "verdict": each.verdict.value,
        "bound_per_100_hands": each.bound,
        **exact(house_edge=each.odds.house_edge),
        **exact(variance=each.odds.variance),
        "deviation": math.sqrt(each.odds.variance),
        "perfect_play": each.play.figures.to_dict(),
        "quantiles": [
            {"share": fraction(share), "share_rounded": float(share), "gain": each.play.quantile(float(share))}
            for share in SHARES
        ],
        "cuts": [{"behind": cut.behind, **cut.figures.to_dict(), "limit_cents": cut.limit.limit} for cut in each.cuts],
        "cut_needed": each.cut_needed,
        "decks": [
            {
                "decks": found.decks,
                "shoes": found.shoes,
                **exact(house_edge=found.house_edge),
                **found.figures.to_dict(),
            }
            for found in each.decks
        ],
        "known_cards": [
            {"position": position, **exact(value=alone.value), **exact(favourable=alone.favourable)}
            for position, alone in each.known.items()
        ],
        "removal": [{"card": str(card), **exact(change=change)} for card, change in each.removal.items()],
    }
