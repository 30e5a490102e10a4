/** Which tables the lobby shows, and in which order. The order is made when it is chosen: tiles do not jump. */
import type { LobbyTable } from "../api/types";

export const SORTS = ["minimum", "free", "streak", "name"] as const;
export type Sort = (typeof SORTS)[number];

export interface Choice {
  /** The game whose tables are shown; empty for all. */
  game: string;
  /** How they are sorted; empty as the house lists them. */
  sort: Sort | "";
  goodOnly: boolean;
  freeOnly: boolean;
}

export const EVERYTHING: Choice = { game: "", sort: "", goodOnly: false, freeOnly: false };

/** The least that any wager takes; null at a table that is not open. */
export function minimumBet({ limits }: LobbyTable): number | null {
  const all = Object.values(limits).map((each) => each.minimum);
  return all.length ? Math.min(...all) : null;
}

export const seatsFree = ({ positions, patrons }: LobbyTable): number => Math.max(0, positions - patrons);

const streak = ({ roads }: LobbyTable): number => roads?.statistics.current_run?.length ?? 0;

const BY: Record<Sort, (one: LobbyTable, other: LobbyTable) => number> = {
  minimum: (one, other) => (minimumBet(one) ?? Infinity) - (minimumBet(other) ?? Infinity) || 0,
  free: (one, other) => seatsFree(other) - seatsFree(one),
  streak: (one, other) => streak(other) - streak(one),
  name: (one, other) => one.title.localeCompare(other.title) || one.table.localeCompare(other.table),
};

function fits(choice: Choice, table: LobbyTable, isGood: (table: LobbyTable) => boolean): boolean {
  return (
    (!choice.game || table.game === choice.game) &&
    (!choice.freeOnly || seatsFree(table) > 0) &&
    (!choice.goodOnly || isGood(table))
  );
}

/** Return the names of the tables that are shown, in order. */
export function ordered(
  tables: readonly LobbyTable[],
  choice: Choice,
  isGood: (table: LobbyTable) => boolean,
): string[] {
  const shown = tables.filter((each) => fits(choice, each, isGood));
  return (choice.sort ? shown.sort(BY[choice.sort]) : shown).map((each) => each.table);
}

/** Return the names after something has happened: tables that fit now come last, and none leaves or moves. */
export function extended(
  names: readonly string[],
  tables: readonly LobbyTable[],
  choice: Choice,
  isGood: (table: LobbyTable) => boolean,
): readonly string[] {
  const more = tables.filter((each) => !names.includes(each.table) && fits(choice, each, isGood));
  return more.length ? [...names, ...more.map((each) => each.table)] : names;
}
