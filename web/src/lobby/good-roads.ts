/** Good roads: patterns in the wins of a shoe that patrons like to follow, by rules they choose. */
import type { MarkShown } from "../api/types";

/** Consecutive wins of one hand; ties between them neither count nor break them. */
export interface Run {
  winner: string;
  length: number;
}

/** Each returns how far its pattern goes at the end of the runs; 0 where it is not there. */
const PATTERNS = {
  long_banker: longRun("banker"),
  long_player: longRun("player"),
  chop: (runs: readonly Run[]) => trailing(runs, ({ length }) => length === 1),
  double: (runs: readonly Run[]) => trailing(complete(runs, 2), ({ length }) => length === 2),
  one_two: oneTwo,
  banker_repeats: repeats("banker"),
  player_repeats: repeats("player"),
};

export type GoodRoad = keyof typeof PATTERNS;

/** A rule as a patron keeps it: whether they want to be told, and from what length of the pattern on. */
export interface GoodRoadRule {
  road: GoodRoad;
  wanted: boolean;
  least: number;
}

export interface FoundRoad {
  road: GoodRoad;
  length: number;
}

export const USUAL_RULES: readonly GoodRoadRule[] = [
  { road: "long_banker", wanted: true, least: 4 },
  { road: "long_player", wanted: true, least: 4 },
  { road: "chop", wanted: true, least: 4 },
  { road: "double", wanted: true, least: 3 },
  { road: "one_two", wanted: true, least: 4 },
  { road: "banker_repeats", wanted: false, least: 3 },
  { road: "player_repeats", wanted: false, least: 3 },
];
export const FEWEST = 2;
export const MOST = 20;

/** Return the runs of a shoe from its rounds in order. */
export function runsOf(rounds: readonly Pick<MarkShown, "winner">[]): Run[] {
  const runs: Run[] = [];
  for (const { winner } of rounds) {
    const last = runs.at(-1);
    if (winner === "tie") continue;
    if (last?.winner === winner) last.length += 1;
    else runs.push({ winner, length: 1 });
  }
  return runs;
}

export function goodRoads(runs: readonly Run[], rules: readonly GoodRoadRule[]): FoundRoad[] {
  return rules
    .filter(({ wanted }) => wanted)
    .map(({ road, least }) => ({ road, least, length: PATTERNS[road](runs) }))
    .filter(({ length, least }) => length >= least)
    .map(({ road, length }) => ({ road, length }));
}

/** Keeps a patron's rules in the browser. */
export class GoodRoadBook {
  constructor(
    private readonly storage: Storage,
    private readonly key = "punto.good-roads",
  ) {}

  /** Return the rules that were kept; the usual ones for those that were not, or that make no sense. */
  read(): GoodRoadRule[] {
    const kept = parsed(this.storage.getItem(this.key));
    return USUAL_RULES.map((usual) => {
      const { wanted, least } = kept.find((each) => each?.road === usual.road) ?? usual;
      return { road: usual.road, wanted: wanted === true, least: within(Number(least)) ?? usual.least };
    });
  }

  write(rules: readonly GoodRoadRule[]): void {
    this.storage.setItem(this.key, JSON.stringify(rules));
  }
}

/** Return a length that a rule can have; undefined for anything else. */
export const within = (least: number): number | undefined =>
  Number.isInteger(least) && least >= FEWEST && least <= MOST ? least : undefined;

function parsed(text: string | null): Partial<GoodRoadRule>[] {
  try {
    const kept: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

function trailing(runs: readonly Run[], holds: (run: Run) => boolean): number {
  const broken = runs.findLastIndex((each) => !holds(each));
  return runs.length - 1 - broken;
}

/** Return the runs without the last one where it is shorter than the pattern and may still grow into it. */
const complete = (runs: readonly Run[], length: number): readonly Run[] =>
  (runs.at(-1)?.length ?? length) < length ? runs.slice(0, -1) : runs;

function longRun(winner: string) {
  return (runs: readonly Run[]): number => {
    const last = runs.at(-1);
    return last?.winner === winner ? last.length : 0;
  };
}

/** Whenever this hand wins, it wins again: count its runs of two or more. */
function repeats(winner: string) {
  return (runs: readonly Run[]): number => {
    const own = runs.filter((each) => each.winner === winner);
    const isLast = runs.at(-1)?.winner === winner;
    return trailing(isLast ? complete(own, 2) : own, ({ length }) => length >= 2);
  };
}

/** Runs of one and of two in turns; the last one may still have to grow. */
function oneTwo(runs: readonly Run[]): number {
  const last = runs.at(-1);
  const before = runs.slice(0, -1);
  if (!last || !before.length) return 0;
  let turns = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const { length } = before[at]!;
    const after = before[at + 1]?.length;
    if (length > 2 || (after !== undefined && length + after !== 3)) break;
    turns += 1;
  }
  const due = 3 - before.at(-1)!.length;
  if (!turns || last.length > due) return 0;
  return last.length === due ? turns + 1 : turns;
}
