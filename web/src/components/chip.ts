/** Chips: the values there are, and how each is drawn. */
import { svg, type TemplateResult } from "lit";
import { onChip } from "../i18n/money";

const COLOURS: [number, string, string][] = [
  [500_000, "#6d4c1f", "#fff"],
  [100_000, "#b3861b", "#1b1200"],
  [50_000, "#5b2d8a", "#fff"],
  [10_000, "#1d1d1f", "#fff"],
  [2_500, "#16693f", "#fff"],
  [500, "#b3261e", "#fff"],
  [0, "#e8e6df", "#111"],
];
const VALUES = [100, 500, 2_500, 10_000, 50_000, 100_000, 500_000];

/** Return the chips that are multiples of the house's stake step. */
export function chipValues(step: number): number[] {
  const fitting = VALUES.filter((each) => each % step === 0);
  return fitting.length ? fitting : [step, 5 * step, 10 * step, 50 * step];
}

/** Return the chips worth offering where no wager takes less than the least. */
export function offeredChips(step: number, least: number): number[] {
  const values = chipValues(step);
  const useful = values.filter((each) => each >= least);
  return useful.length ? useful : values.slice(-1);
}

export function chipColour(cents: number): [string, string] {
  const [, body, ink] = COLOURS.find(([from]) => cents >= from)!;
  return [body, ink];
}

/** Draw a chip around a point, as part of a larger drawing. */
export function chipAt(x: number, y: number, size: number, cents: number, rim = "#fff"): TemplateResult {
  const [body, ink] = chipColour(cents);
  const text = onChip(cents);
  const dash = (Math.PI * size * 1.7) / 12;
  return svg`<g transform="translate(${x} ${y})">
    <circle r=${size} fill=${body} stroke="#0008" stroke-width=".6"/>
    <circle r=${size * 0.85} fill="none" stroke=${rim} stroke-width=${size * 0.26} stroke-dasharray="${dash} ${dash}"/>
    <circle r=${size * 0.68} fill=${body} stroke=${ink} stroke-opacity=".35" stroke-width=${size * 0.05}/>
    <text fill=${ink} font-size=${size * (text.length > 4 ? 0.45 : text.length > 3 ? 0.52 : 0.64)} font-weight="700"
      text-anchor="middle"
      dominant-baseline="central">${text}</text>
  </g>`;
}

export function chip(cents: number, rim?: string): TemplateResult {
  return svg`<svg viewBox="-11 -11 22 22" aria-hidden="true">${chipAt(0, 0, 10, cents, rim)}</svg>`;
}
