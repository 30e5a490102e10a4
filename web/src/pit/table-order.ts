/** The tables of the pit as they are known here, and the order in which one looks at them. */
import type { PitTable, StaffView } from "../api/types";

export interface AtTable {
  about: PitTable;
  view: StaffView | null;
}

/** Held tables first, among them those that wait for oneself; then open ones; then those that are shut. */
export function inOrder(tables: Iterable<AtTable>): AtTable[] {
  const rank = ({ about, view }: AtTable) =>
    view?.hold ? (about.waiting.some((each) => each.mine) ? 0 : 1) : view?.phase === "shut" ? 3 : 2;
  return [...tables].sort((one, other) => rank(one) - rank(other));
}

/** What lies on the layout, or on one wager of it. */
export const total = (wagers: StaffView["wagers"], wager?: string) =>
  wagers.filter((each) => !wager || each.wager === wager).reduce((sum, each) => sum + each.amount, 0);
