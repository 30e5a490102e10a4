/** The wagers that lie on a layout, and whose they are. */
import type { PublicView } from "../api/types";

export interface LaidWager {
  position: number;
  wager: string;
  amount: number;
}

/** Return one patron's wagers on the layout. */
export function wagersBy(view: PublicView, patron: string): LaidWager[] {
  return view.wagers
    .filter((each) => each.patron === patron)
    .map(({ position, wager, amount }) => ({ position, wager, amount }));
}

export const totalOf = (laid: readonly LaidWager[]) => laid.reduce((total, each) => total + each.amount, 0);
