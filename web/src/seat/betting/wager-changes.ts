/** A patron's wagers on the layout, and the commands that change them. No limit is checked here: the table answers. */

import type { Order } from "../../api/connection";
import type { LaidWager } from "../../table-view/laid-wagers";

/** A wager that is placed or, with a negative amount, taken back. */
export type Change = LaidWager;

export const takeBackChanges = (laid: readonly LaidWager[]): Change[] =>
  laid.map((each) => ({ ...each, amount: -each.amount }));

/** Commands of a patron, each for the round and window that are shown: one that comes late does nothing in the next. */
export class WagerChanges {
  private steps: Change[][] = [];
  private round = 0;
  private window: number | null = null;

  constructor(
    private readonly table: string,
    private readonly patron: string,
  ) {}

  /** Enter a round and a window; what was done in an earlier round cannot be undone. */
  inRound(round: number, window: number | null = null): void {
    if (round !== this.round) this.steps = [];
    this.round = round;
    this.window = window;
  }

  get canUndo(): boolean {
    return this.steps.length > 0;
  }

  order(change: Change): Order {
    const about = { table: this.table, patron: this.patron, in_round: this.round, in_window: this.window, ...change };
    return change.amount < 0
      ? { command: "TakeBackWager", ...about, amount: -change.amount }
      : { command: "PlaceWager", ...about };
  }

  /** Record changes that are undone together. */
  done(changes: Change[]): void {
    if (changes.length) this.steps.push(changes);
  }

  /** Return the changes that undo the last step. */
  undo(): Change[] {
    return takeBackChanges(this.steps.pop() ?? []).reverse();
  }
}

/** Return what must be added to have the same wagers as last round. */
export function missingWagers(last: readonly LaidWager[], now: readonly LaidWager[]): LaidWager[] {
  return last.flatMap((each) => {
    const there = now.find((other) => other.position === each.position && other.wager === each.wager)?.amount ?? 0;
    return each.amount > there ? [{ ...each, amount: each.amount - there }] : [];
  });
}
