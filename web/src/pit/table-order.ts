/** The tables of the pit, and the order in which staff look at them. */
import type { Offered, PitTable, StaffView } from "../api/types";

export interface PitEntry {
  about: PitTable;
  view: StaffView | null;
}

/** Sort held tables first, those that wait for the reader before others; then open tables; then closed ones. */
export function sortTables(tables: Iterable<PitEntry>): PitEntry[] {
  const rank = ({ about, view }: PitEntry) =>
    view?.hold ? (about.waiting.some((each) => each.mine) ? 0 : 1) : view?.phase === "shut" ? 3 : 2;
  return [...tables].sort((one, other) => rank(one) - rank(other));
}

/** Add up the wagers on the layout, or those on one area of it. */
export const total = (wagers: StaffView["wagers"], wager?: string) =>
  wagers.filter((each) => !wager || each.wager === wager).reduce((sum, each) => sum + each.amount, 0);

/** Whose the decision is that a hold waits for: the server says who may decide, and by which clause. */
export interface Waiting {
  role: Offered["role"];
  clause: string | null;
  /** Whether the reader may decide it. */
  mine: boolean;
}

/** Return whose decision waits at a table; null if none does. */
export function waitingAt({ waiting }: PitTable): Waiting | null {
  const [first] = waiting;
  return first ? { role: first.role, clause: first.clause, mine: waiting.some((each) => each.mine) } : null;
}
