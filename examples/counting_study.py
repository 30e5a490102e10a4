"""Can a wager be counted? From the exact effects of removal to a count, and from the count to its gain.

A card that leaves the shoe moves a wager's return by a small exact amount. Adding these up as cards are exposed
estimates the return before every round; a patron who wagers only when the estimate is above zero beats the house.
"""

import sys
from fractions import Fraction

import punto

GAME, WAGER, DECKS = "tiger", "Tiger Tie", 8
FINE = 10**8
"""Tags are rounded to this part of a unit of return, and exact from there on."""


def main(shoes: int) -> None:
    book = punto.load(GAME)
    edge = punto.odds(book, DECKS)[WAGER].house_edge
    effects = punto.effects_of_removal(book, DECKS)
    tags = {card: Fraction(round(changes[WAGER] * FINE), FINE) for card, changes in effects.items()}
    by_value = {card.point_value: changes[WAGER] for card, changes in effects.items()}
    print(f"{book.title}, {WAGER}: the house keeps {float(edge):.4%} of a full shoe of {DECKS} decks")
    print("effect of removing one card, by point value, in hundredths of a percent:")
    print("  " + "  ".join(f"{value}: {float(by_value[value]) * 10_000:+.2f}" for value in sorted(by_value)))

    # A card weighs DECKS times as much in the last deck as in the full shoe, and the true count divides by the decks
    # unseen. So the estimate is -edge + DECKS * true count, and is above zero from edge / DECKS on.
    found = punto.counting(book, WAGER, tags, edge / DECKS, shoes, seed=1)
    print(f"counted through {found.shoes:,} shoes, {found.rounds:,} rounds:")
    print(f"  a wager in {float(found.frequency.value):.2%} of the rounds")
    edge_then = found.return_per_unit
    print(f"  return of such a wager {float(edge_then.value):+.2%} ± {edge_then.standard_error:.2%}")
    gain, hands = found.gain_per_shoe, found.gain_per_100_hands
    print(f"  gain of a shoe {float(gain.value):+.4f} ± {gain.standard_error:.4f} units")
    print(f"  gain of 100 hands {float(hands.value):+.4f} ± {hands.standard_error:.4f} units")
    print(f"  desirability index {found.index_per_hand.value:.2f} ± {found.index_per_hand.standard_error:.2f}")
    bounds = found.shoes_to_one_deviation_bounds
    said = f"{bounds[0]:,.0f} to {bounds[1]:,.0f}" if bounds else "the gain is not distinguishable from 0"
    print(f"  shoes until 5 in 6 are ahead: {said}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
