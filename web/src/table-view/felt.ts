/** The layout seen from above: an arc of positions, each with an area for every wager of the game. */
import { css, html, LitElement, svg, type TemplateResult } from "lit";
import type { PublicView } from "../api/types";
import { chipAt } from "../components/chip";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { wagerColour } from "./wager-colours";

const WIDTH = 1000;
const CENTRE = { x: WIDTH / 2, y: -1240 };
const OUTER = 1500;
const NUMBERS = 34;
const NAMES = 18;
const HALF_ANGLE = Math.asin(475 / (OUTER + NUMBERS));

type Wager = PublicView["wagers"][number];

/** Return a point by its counter-clockwise angle from straight down and its distance from the centre. */
function point(angle: number, radius: number): [number, number] {
  return [CENTRE.x + radius * Math.sin(angle), CENTRE.y + radius * Math.cos(angle)];
}

function sector(from: number, to: number, inner: number, outer: number): string {
  const [a, b, c, d] = [point(from, inner), point(to, inner), point(to, outer), point(from, outer)];
  return `M${a}A${inner} ${inner} 0 0 0 ${b}L${c}A${outer} ${outer} 0 0 1 ${d}Z`;
}

export class PuntoFelt extends LitElement {
  static override properties = {
    wagers: { attribute: false },
    positions: { type: Number },
    laid: { attribute: false },
    picked: { attribute: false },
    keyed: { attribute: false },
    names: { attribute: false },
    input: { type: Boolean, reflect: true },
    lettering: { type: Number },
  };
  declare wagers: string[];
  declare positions: number;
  declare laid: Wager[];
  /** The area that an amount is keyed for, and wagers that are keyed and not placed yet. */
  declare picked: { position: number; wager: string } | null;
  declare keyed: Wager[];
  /** Who is at a position, for staff. */
  declare names: ReadonlyMap<number, string>;
  /** Whether areas are tapped to key wagers. */
  declare input: boolean;
  /** The largest size of a wager's name: a felt with few positions has room for more. */
  declare lettering: number;

  static override styles = [
    common,
    css`
    svg { display: block; width: 100%; }
    path.area { stroke: var(--felt-line); stroke-width: 1.1; cursor: pointer; }
    path.area:hover { stroke-width: 2.5; }
    text { pointer-events: none; text-anchor: middle; dominant-baseline: central; }
    text.name { fill: var(--ink); opacity: .7; letter-spacing: .02em; }
    .number { cursor: pointer; }
    .number circle { fill: var(--felt-deep); stroke: var(--felt-line); }
    .number text { fill: var(--ink); font-weight: 700; font-size: 17px; }
    path.area.picked { stroke: var(--gold); stroke-width: 4; }
    .keyed .stake { opacity: .6; }
    text.who { fill: var(--ink); font-size: 12px; }
    @media (max-width: 700px) { text.name { display: none; } }
  `,
  ];

  constructor() {
    super();
    this.picked = null;
    this.keyed = [];
    this.names = new Map();
    this.input = false;
    this.lettering = LARGEST;
    new LanguageController(this);
  }

  private get band(): number {
    return Math.min(30, 172 / Math.max(1, this.wagers.length));
  }

  override render() {
    const inner = OUTER - this.band * this.wagers.length;
    const top = point(HALF_ANGLE, inner)[1] - 6;
    const bottom = CENTRE.y + OUTER + NUMBERS + (this.names.size ? NAMES : 4);
    const all = Array.from({ length: this.positions }, (_, each) => each + 1);
    return html`${svg`<svg viewBox="0 ${top} ${WIDTH} ${bottom - top}" role="img"
      aria-label=${t("felt.label", { count: this.laid.length })}>
      ${all.map((position) => this.position(position))}</svg>`}`;
  }

  private position(number: number): TemplateResult {
    const step = (2 * HALF_ANGLE) / this.positions;
    const gap = step * 0.03;
    const from = -HALF_ANGLE + (number - 1) * step + gap;
    const to = from + step - 2 * gap;
    const [x, y] = point((from + to) / 2, OUTER + NUMBERS / 2 + 1);
    const name = shortened(this.names.get(number) ?? "");
    return svg`<g>
      ${this.wagers.map((wager, band) => this.area(number, wager, band, from, to))}
      <g class="number" @click=${() => this.choose(number)}><circle cx=${x} cy=${y} r="14"/>
      <text x=${x} y=${y + 1}>${number}</text></g>
      ${name ? svg`<text class="who" x=${x} y=${y + 23}>${name}</text>` : ""}
    </g>`;
  }

  /** The first wager lies nearest to the patrons, as on the printed layouts. */
  private area(position: number, wager: string, band: number, from: number, to: number): TemplateResult {
    const outer = OUTER - band * this.band;
    const inner = outer - this.band;
    const middle = (from + to) / 2;
    const [x, y] = point(middle, (inner + outer) / 2);
    const here = this.laid.filter((each) => each.position === position && each.wager === wager);
    const degrees = (-middle * 180) / Math.PI;
    const isPicked = this.picked?.position === position && this.picked.wager === wager;
    const keyed = this.keyed.filter((each) => each.position === position && each.wager === wager);
    return svg`<path class="area ${isPicked ? "picked" : ""}" d=${sector(from, to, inner, outer)}
      fill=${wagerColour(wager).felt}
      data-position=${position}
      data-wager=${wager} @click=${() => this.choose(position, wager)}/>
      ${
        here.length || keyed.length
          ? ""
          : svg`<text class="name" x=${x} y=${y}
        font-size=${fitting(nameOf("wager", wager), (to - from) * inner, this.lettering)}
        transform="rotate(${degrees} ${x} ${y})">${nameOf("wager", wager)}</text>`
      }
      ${here.map((each, index) => this.stake(each, index, here.length + keyed.length, x, y))}
      ${keyed.map(
        (each, index) =>
          svg`<g class="keyed">${this.stake(each, here.length + index, here.length + keyed.length, x, y)}</g>`,
      )}`;
  }

  private stake(laid: Wager, index: number, count: number, x: number, y: number): TemplateResult {
    const size = Math.min(13, this.band * 0.54);
    const at = chipAt(x + (index - (count - 1) / 2) * size * 2.1, y, size, laid.amount, rimOf(laid.patron));
    return svg`<g class="stake" pointer-events="none">${at}</g>`;
  }

  private choose(position: number, wager?: string) {
    this.dispatchEvent(new CustomEvent("chosen", { detail: { position, wager } }));
  }
}

const LARGEST = 11;
const LONGEST_NAME = 9;

/** Return as much of a name as fits under a position. */
const shortened = (name: string) =>
  [...name].length > LONGEST_NAME ? `${[...name].slice(0, LONGEST_NAME - 1).join("")}…` : name;

/** Return a font size at which a text fits a width. Chinese letters are square, others about half as wide. */
function fitting(words: string, width: number, largest: number): number {
  const ems = [...words].reduce((sum, each) => sum + (each > "\u2e80" ? 1 : 0.6), 0);
  return Math.min(largest, (0.94 * width) / ems);
}

const RIMS = ["#7fd1ff", "#ff9ecb", "#b6f09c", "#ffb36b", "#c9b3ff", "#8ff0e0"];

/** Return the colour that marks a patron's chips. */
function rimOf(patron: string): string {
  let number = 0;
  for (const letter of patron) number = (number * 31 + letter.charCodeAt(0)) % 997;
  return RIMS[number % RIMS.length]!;
}
customElements.define("punto-felt", PuntoFelt);
