/** A stack of chips as it stands on the felt, by denomination. */
import { svg, type TemplateResult } from "lit";
import { chipColour } from "./chip";

/** Return the chips that make up an amount, largest first; what no chip fits is a chip of its own. */
export function chipsOf(cents: number, values: readonly number[]): number[] {
  const chips: number[] = [];
  let left = cents;
  for (const value of [...values].sort((a, b) => b - a)) {
    for (; left >= value; left -= value) chips.push(value);
  }
  return left ? [...chips, left] : chips;
}

const HIGHEST = 9;
const STEP = 4;
const RIM_DASH = "4 3.2";

/** Draw a stack, seen from a patron's chair; of a very high one only the upper chips show. */
export function chipStack(cents: number, values: readonly number[], rim = "#fff"): TemplateResult {
  const chips = chipsOf(cents, values).slice(-HIGHEST);
  const height = 13 + STEP * chips.length;
  return svg`<svg class="pile" viewBox="-11 ${11 - height} 22 ${height}" aria-hidden="true">${chips.map(
    (value, level) => disc(value, -STEP * level, rim),
  )}</svg>`;
}

function disc(value: number, y: number, rim: string): TemplateResult {
  const [body, ink] = chipColour(value);
  return svg`<g transform="translate(0 ${y})">
    <path d="M-10 0v${STEP - 0.6}a10 6 0 0 0 20 0v${0.6 - STEP}z" fill=${body} stroke="#000a" stroke-width=".5"/>
    <path d="M-10 ${STEP / 2}a10 6 0 0 0 20 0" fill="none" stroke=${rim} stroke-width=${STEP - 1.4}
      stroke-dasharray=${RIM_DASH}/>
    <ellipse rx="10" ry="6" fill=${body} stroke="#000a" stroke-width=".5"/>
    <ellipse rx="8.4" ry="4.9" fill="none" stroke=${rim} stroke-width="2" stroke-dasharray=${RIM_DASH}/>
    <ellipse rx="6.4" ry="3.6" fill=${body} stroke=${ink} stroke-opacity=".4" stroke-width=".5"/></g>`;
}
