"""Can a wager be counted? From the exact effects of removal to a count, and from the count to its gain.

A card that leaves the shoe moves a wager's return by a small exact amount. Adding these up as cards are exposed
estimates the return before every round; a patron who wagers only when the estimate is above zero beats the house.
"""

import sys

import punto

GAME, WAGER, DECKS = "tiger", "Tiger Tie", 8
FINE = 10**8
"""Tags are whole numbers: this many make a whole unit of return."""


def main(shoes: int) -> None:
    book = punto.load(GAME)
    edge = punto.odds(book, DECKS)[WAGER].house_edge
    effects = punto.effects_of_removal(book, DECKS)
    tags = {card: round(changes[WAGER] * FINE) for card, changes in effects.items()}
    by_value = {card.point_value: changes[WAGER] for card, changes in effects.items()}
    print(f"{book.title}, {WAGER}: the house keeps {float(edge):.4%} of a full shoe of {DECKS} decks")
    print("effect of removing one card, by point value, in hundredths of a percent:")
    print("  " + "  ".join(f"{value}: {float(by_value[value]) * 10_000:+.2f}" for value in sorted(by_value)))

    # A card weighs DECKS times as much in the last deck as in the full shoe, and the true count divides by the decks
    # that are left. So the estimate is -edge + DECKS * true count, and is above zero from edge / DECKS on.
    found = punto.counting(book, WAGER, tags, edge / DECKS, shoes, seed=1, scale=FINE)
    print(f"counted through {found.shoes:,} shoes, {found.rounds:,} rounds:")
    print(f"  a wager in {float(found.frequency):.2%} of the rounds")
    print(f"  return of such a wager {float(found.return_per_wager):+.2%} ± {found.standard_error:.2%}")
    print(f"  gain of a shoe {float(found.gain_per_shoe):+.4f} units, deviation {found.deviation_per_shoe:.2f}")
    patience = found.shoes_to_one_deviation
    print(f"  shoes until 5 in 6 are ahead: {f'{patience:,.0f}' if patience else 'never'}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
