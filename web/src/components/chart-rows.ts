/** The chart of third cards as people read it: equal rows together, and numbers in a row as a span. */
import type { BankerRow } from "../api/types";

export interface ChartRow {
  totals: number[];
  draws_alone: boolean;
  draws_against: number[];
}

/** Put neighbouring totals together on which Banker does the same. */
export function bankerRows(rows: readonly BankerRow[]): ChartRow[] {
  const found: ChartRow[] = [];
  for (const { total, draws_alone, draws_against } of rows) {
    const last = found.at(-1);
    const same = last && last.draws_alone === draws_alone && last.draws_against.join() === draws_against.join();
    if (same) last.totals.push(total);
    else found.push({ totals: [total], draws_alone, draws_against });
  }
  return found;
}

/** Write numbers shortly: 0–5, or 6, 7. */
export function span(numbers: readonly number[], separator: string): string {
  const first = numbers[0] ?? 0;
  const inOrder = numbers.length > 2 && numbers.every((each, index) => each === first + index);
  return inOrder ? `${first}–${numbers.at(-1)}` : numbers.join(separator);
}
