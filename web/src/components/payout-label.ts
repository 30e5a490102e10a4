/** What a wager pays, and when: read from the game's file, so that no label promises a ratio at the wrong time. */
import type { WagerShown } from "../api/types";
import { nameOf, t } from "../i18n/catalogue";
import { paysText } from "../i18n/pays-text";

export interface PayoutLine {
  pays: string;
  /** When it pays that; empty where there is nothing to tell apart. */
  when: string;
}

type Line = WagerShown["lines"][number];

const isPush = (line: Line) => line.pays.startsWith("0/");

/** Return each line of a wager that a patron needs to tell apart. That a tie is a push goes without saying. */
export function payoutLines(wager: WagerShown): PayoutLine[] {
  const lines = wager.lines.filter((line) => !(isPush(line) && line.outcome === "tie"));
  return lines.map((line) => ({
    pays: isPush(line) ? nameOf("outcome", line.outcome) : paysText(line.pays),
    when: lines.length > 1 && !isPush(line) ? nameOf("outcome", line.outcome) : "",
  }));
}

/** Return one line for a small area: the ratio or, of several, the best, called so. */
export function bestPayout(wager: WagerShown): string {
  const ratios = [...new Set(wager.lines.filter((line) => !isPush(line)).map((line) => line.pays))];
  const best = ratios.reduce((a, b) => (worth(b) > worth(a) ? b : a));
  return ratios.length > 1 ? t("pays.up_to", { pays: paysText(best) }) : paysText(best);
}

function worth(pays: string): number {
  const [above, below] = pays.split("/").map(Number) as [number, number];
  return above / below;
}
