"""A patron who knows the exact value of the Tie before every round, at many tables at once.

The environment tells the exact expected return of every wager from the unexposed cards. Near the end of a shoe the Tie
is sometimes worth a wager: the patron stakes a unit then, and nothing otherwise. No count can do better.
"""

import sys

import numpy as np

from punto.gym import BaccaratVector

GAME, WAGER, TABLES = "baccarat", "Tie", 12


def main(rounds: int) -> None:
    # Four decks, dealt to the end: a cutting card keeps a house from doing that, and here one sees why.
    env = BaccaratVector(TABLES, GAME, decks=4, stakes=(0, 1), cut=1, expected=True)
    at = [wager.name for wager in env.book.wagers].index(WAGER)
    _, info = env.reset(seed=1)
    played = staked = 0
    expected = gained = 0.0
    for _ in range(rounds):
        value = info["expected"][:, at]
        worth = value > 0  # not where no round follows: the value is NaN then
        actions = np.zeros((TABLES, len(env.book.wagers)), np.int64)
        actions[worth, at] = 1
        _, gains, _, _, info = env.step(actions)
        played += int(info["_outcomes"].sum())
        staked += int(worth.sum())
        expected += float(value[worth].sum())
        gained += float(gains.sum())
    print(f"{env.book.title}, {TABLES} tables, {played} rounds: a unit on {WAGER} in {staked} of them")
    print(f"expected gain {expected:+.4f} units, gained {gained:+.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 45)
