/** Draws the roads from the cells that the server has computed. */
import { svg, type TemplateResult } from "lit";
import type { ColourShown, MarkShown } from "../api/types";
import { t } from "../i18n/catalogue";

const ROWS = 6;
const FILL: Record<string, string> = {
  banker: "#c8322f",
  player: "#2f6fd6",
  tie: "#1c8a4e",
  red: "#c8322f",
  blue: "#2f6fd6",
};
const PAIR = { banker: "#ff8d85", player: "#7fb2ff" };

interface Placed {
  row: number;
  column: number;
}

/** Return the number of columns to skip, so that the last ones are in sight. */
function shownFrom(cells: readonly Placed[], columns: number): number {
  const widest = cells.reduce((most, each) => Math.max(most, each.column), 0);
  return Math.max(0, widest - columns + (widest >= columns ? 1 : 0));
}

function grid<C extends Placed>(
  cells: readonly C[],
  columns: number,
  label: string,
  draw: (cell: C, x: number, y: number) => TemplateResult,
): TemplateResult {
  const skip = shownFrom(cells, columns);
  const lines = `M0 0 ${Array.from({ length: ROWS + 1 }, (_, y) => `M0 ${y}H${columns}`).join("")}${Array.from(
    { length: columns + 1 },
    (_, x) => `M${x} 0V${ROWS}`,
  ).join("")}`;
  const seen = cells.filter((each) => each.column > skip);
  return svg`<svg viewBox="-.05 -.05 ${columns + 0.1} ${ROWS + 0.1}" role="img" aria-label=${label}>
    <rect width=${columns} height=${ROWS} fill="var(--paper)"/>
    <path d=${lines} stroke="#c9c6b8" stroke-width=".03"/>
    ${seen.map((each) => draw(each, each.column - skip - 0.5, each.row - 0.5))}
    ${seen.length ? newest(seen[seen.length - 1]!, skip) : ""}
  </svg>`;
}

function newest(cell: Placed, skip: number): TemplateResult {
  return svg`<rect x=${cell.column - skip - 1} y=${cell.row - 1} width="1" height="1" fill="none" stroke="#d98e00"
    stroke-width=".09"/>`;
}

function pairs(mark: MarkShown, x: number, y: number): TemplateResult {
  return svg`${
    mark.banker_pair
      ? svg`<circle cx=${x - 0.33} cy=${y - 0.33} r=".14" fill=${PAIR.banker} stroke="#fff"
    stroke-width=".04"/>`
      : ""
  }
    ${
      mark.player_pair
        ? svg`<circle cx=${x + 0.33} cy=${y + 0.33} r=".14" fill=${PAIR.player} stroke="#fff"
      stroke-width=".04"/>`
        : ""
    }`;
}

export function beadPlate(cells: readonly MarkShown[], columns: number): TemplateResult {
  return grid(
    cells,
    columns,
    t("roads.bead_plate"),
    (mark, x, y) => svg`
    <circle cx=${x} cy=${y} r=".42" fill=${FILL[mark.winner]!}/>
    <text x=${x} y=${y + 0.02} font-size=".5" font-weight="700" fill="#fff" text-anchor="middle"
      dominant-baseline="central">${letter(mark.winner)}</text>
    ${pairs(mark, x, y)}`,
  );
}

function letter(winner: string): string {
  return winner === "banker" ? t("bead.banker") : winner === "player" ? t("bead.player") : t("bead.tie");
}

export function bigRoad(cells: readonly MarkShown[], columns: number, label = t("roads.big_road")): TemplateResult {
  return grid(
    cells,
    columns,
    label,
    (mark, x, y) => svg`
    <circle cx=${x} cy=${y} r=".36" fill="none" stroke=${FILL[mark.winner]!} stroke-width=".16"/>
    ${
      mark.ties
        ? svg`<path d="M${x - 0.34} ${y + 0.34}L${x + 0.34} ${y - 0.34}" stroke=${FILL.tie!}
      stroke-width=".12"/>`
        : ""
    }
    ${
      (mark.ties ?? 0) > 1
        ? svg`<text x=${x} y=${y + 0.02} font-size=".42" font-weight="700" fill="#0b4a2a" text-anchor="middle"
      dominant-baseline="central">${mark.ties}</text>`
        : ""
    }
    ${pairs(mark, x, y)}`,
  );
}

export type DerivedShape = "ring" | "dot" | "stroke";

/** Each derived road has its own sign: rings, dots, strokes. */
export function derivedSign(shape: DerivedShape, colour: string, x: number, y: number): TemplateResult {
  const paint = FILL[colour]!;
  if (shape === "ring") return svg`<circle cx=${x} cy=${y} r=".33" fill="none" stroke=${paint} stroke-width=".16"/>`;
  if (shape === "dot") return svg`<circle cx=${x} cy=${y} r=".36" fill=${paint}/>`;
  return svg`<path d="M${x - 0.32} ${y + 0.32}L${x + 0.32} ${y - 0.32}" stroke=${paint} stroke-width=".18"
    stroke-linecap="round"/>`;
}

export function derivedRoad(
  cells: readonly ColourShown[],
  columns: number,
  shape: DerivedShape,
  label: string,
): TemplateResult {
  return grid(cells, columns, label, (cell, x, y) => derivedSign(shape, cell.colour, x, y));
}
