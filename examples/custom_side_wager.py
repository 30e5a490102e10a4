"""A custom side wager: its exact odds, and what it may pay if the house is to keep a chosen edge.

Photo Finish wins when the hands end one point apart, and pays more if all six cards were dealt. A game is a TOML text:
nothing has to be programmed, and what is computed here is what a table would settle.
"""

from fractions import Fraction

import punto

GAME = """
key = "photo-finish"
title = "Photo Finish"
decks = { min = 6, max = 8 }

[[wager]]
name = "Photo Finish"
clause = "1.1"
lines = [
  { outcome = "by one, six cards", when = { margin = 1, cards = 6 }, pays = "9 to 1", clause = "2.1" },
  { outcome = "by one", when = { margin = 1 }, pays = "3 to 1", clause = "2.2" },
]

[clauses]
"1.1" = { provision = "wager", by = "data", text = "Photo Finish wins if the totals differ by one." }
"2.1" = { provision = "settlement", by = "data", text = "It pays 9 to 1 if both hands have three cards." }
"2.2" = { provision = "settlement", by = "data", text = "Otherwise it pays 3 to 1." }
"""

WANTED_EDGE = Fraction(4, 100)


def main() -> None:
    book = punto.loads(GAME)
    for decks in (6, 8):
        found = punto.odds(book, decks)["Photo Finish"]
        print(f"{decks} decks: the house keeps {float(found.house_edge):.4%}, exactly {found.house_edge}")
        for chance in found.outcomes:
            print(f"  {chance.outcome:18} {float(chance.probability):9.4%}   pays {chance.pays}")

    # The first draft favours the patrons. The edge is linear in what a line pays: each unit less on a line gives the
    # house that line's probability.
    found = punto.odds(book, 8)["Photo Finish"]
    best = found.outcomes[0]
    spare = found.house_edge - WANTED_EDGE
    pays = best.pays + spare // best.probability
    left = found.house_edge - (pays - best.pays) * best.probability
    print(f"To keep {float(WANTED_EDGE):.0%} from 8 decks, {best.outcome!r} may pay {pays} to 1: {float(left):.4%}")


if __name__ == "__main__":
    main()
