/** The steps of a round, each with the table after it: the server sends differences, which are put together here. */
import type { RoundReplayed, StaffView, StepShown } from "../api/types";
import type { Outcome, ShownRound } from "../table-view/shown-round";

export interface Step {
  step: StepShown;
  /** null where the state of the table is unknown. */
  view: StaffView | null;
}

export function stepsOf(parts: readonly RoundReplayed[]): Step[] {
  const steps: Step[] = [];
  for (const part of parts) {
    let view = part.before;
    for (const step of part.steps) {
      view = step.view && { ...(view as StaffView), ...(step.view as Partial<StaffView>) };
      steps.push({ step, view });
    }
  }
  return steps;
}

/** The cards of a step, as the hands on a table are drawn. Their totals are the server's. */
export function roundAtStep(round: number, { player, banker, winner }: StepShown): ShownRound {
  const hands = { player: player.cards, banker: banker.cards };
  const totals = { player: player.total, banker: banker.total };
  const outcome = winner ? ({ player_total: player.total, banker_total: banker.total, winner } as Outcome) : null;
  return { round, hands, totals, outcome, settled: null, winning: [], void: null };
}

/** Return the step that a key leads to; null if it is no key for that. */
export function keyTarget(key: string, at: number, count: number): number | null {
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}
