/** How often in a row the same hand has won. */
import type { RoadsShown } from "../api/types";

export interface Streak {
  winner: string;
  length: number;
}

/** Shorter ones are no streak yet. */
const SHORTEST = 3;

export function streakOf(roads: RoadsShown | null): Streak | null {
  const run = roads?.roads.statistics?.current_run;
  return run && run.length >= SHORTEST ? run : null;
}
