/** Where a patron sits who has chosen no seat and not bet yet. */
import type { LaidWager } from "../../table-view/laid-wagers";

/** Return the seat they are at, or the first free one as soon as others bet there: 0 stands for none so far. */
export function firstSeat(seats: number, at: number, others: readonly LaidWager[]): number {
  const taken = new Set(others.map((each) => each.position));
  if (at && !taken.has(at)) return at;
  const free = Array.from({ length: seats }, (_, each) => each + 1).find((each) => !taken.has(each));
  return free ?? (at || 1);
}
