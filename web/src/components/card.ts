/** A card on the table: its back or its face, and the turn from one to the other. */
import { css, html, LitElement, nothing, svg, type TemplateResult } from "lit";
import type { Card } from "../api/types";
import { t } from "../i18n/catalogue";
import { type Fold, foldOf, type Lift } from "./card-geometry";

const SIGN: Record<string, string> = { s: "♠", h: "♥", c: "♣", d: "♦" };
const LEFT = 31,
  MIDDLE = 50,
  RIGHT = 69;
/** Places of the pips on a card of each rank, as on a printed one. */
const PIPS: Record<string, [number, number][]> = {
  A: [[MIDDLE, 70]],
  "2": [
    [MIDDLE, 28],
    [MIDDLE, 112],
  ],
  "3": [
    [MIDDLE, 28],
    [MIDDLE, 70],
    [MIDDLE, 112],
  ],
  "4": [
    [LEFT, 28],
    [RIGHT, 28],
    [LEFT, 112],
    [RIGHT, 112],
  ],
  "5": [
    [LEFT, 28],
    [RIGHT, 28],
    [MIDDLE, 70],
    [LEFT, 112],
    [RIGHT, 112],
  ],
  "6": [
    [LEFT, 28],
    [RIGHT, 28],
    [LEFT, 70],
    [RIGHT, 70],
    [LEFT, 112],
    [RIGHT, 112],
  ],
  "7": [
    [LEFT, 28],
    [RIGHT, 28],
    [MIDDLE, 49],
    [LEFT, 70],
    [RIGHT, 70],
    [LEFT, 112],
    [RIGHT, 112],
  ],
  "8": [
    [LEFT, 28],
    [RIGHT, 28],
    [MIDDLE, 49],
    [LEFT, 70],
    [RIGHT, 70],
    [MIDDLE, 91],
    [LEFT, 112],
    [RIGHT, 112],
  ],
  "9": [
    [LEFT, 26],
    [RIGHT, 26],
    [LEFT, 55],
    [RIGHT, 55],
    [MIDDLE, 70],
    [LEFT, 85],
    [RIGHT, 85],
    [LEFT, 114],
    [RIGHT, 114],
  ],
  T: [
    [LEFT, 26],
    [RIGHT, 26],
    [MIDDLE, 40],
    [LEFT, 55],
    [RIGHT, 55],
    [LEFT, 85],
    [RIGHT, 85],
    [MIDDLE, 100],
    [LEFT, 114],
    [RIGHT, 114],
  ],
};

export const rankShown = (rank: string) => (rank === "T" ? "10" : rank);
export const suitShown = (suit: string) => SIGN[suit] ?? suit;
export const cardText = ([rank, suit]: Card) => `${rankShown(rank)}${suitShown(suit)}`;
export const cardSpoken = ([rank, suit]: Card) => t("card.spoken", { rank: rankShown(rank), suit: t(`suit.${suit}`) });

/** Draw a face, 100 by 140. Without corners it is what a patron sees while squeezing: a thumb covers the index. */
export function face(card: Card, corners = true): TemplateResult {
  const [rank, suit] = card;
  const colour = suit === "h" || suit === "d" ? "#c4161c" : "#161616";
  const corner = svg`<text x="11" y="19" font-size=${rank === "T" ? 14.5 : 17} font-weight="700"
    letter-spacing=${rank === "T" ? -1 : 0}
    text-anchor="middle">${rankShown(rank)}</text>
    <text x="11" y="34" font-size="15" text-anchor="middle">${SIGN[suit]}</text>`;
  return svg`<svg viewBox="0 0 100 140" part="face" aria-hidden="true">
    <rect x=".75" y=".75" width="98.5" height="138.5" rx="8" fill="#fdfcf7" stroke="#b9b4a4" stroke-width="1.5"/>
    <g fill=${colour} font-family="Georgia, 'Noto Serif', 'DejaVu Serif', serif">
      ${corners ? svg`${corner}<g transform="rotate(180 50 70)">${corner}</g>` : nothing}
      ${PIPS[rank] ? pips(rank, suit) : court(rank, suit, colour)}
    </g>
  </svg>`;
}

function pips(rank: string, suit: string): TemplateResult[] {
  const size = rank === "A" ? 54 : 24;
  return PIPS[rank]!.map(
    ([x, y]) => svg`<text x=${x} y=${y} font-size=${size} text-anchor="middle"
    dominant-baseline="central" transform=${y > 72 ? `rotate(180 ${x} ${y})` : "rotate(0)"}>${SIGN[suit]}</text>`,
  );
}

/** Draw a court card: a framed letter, twice, as it reads from both ends. */
function court(rank: string, suit: string, colour: string): TemplateResult {
  const half = svg`<text x="50" y="58" font-size="44" font-weight="700" text-anchor="middle">${rank}</text>
    <text x="30" y="38" font-size="17" text-anchor="middle">${SIGN[suit]}</text>`;
  return svg`<rect x="22" y="18" width="56" height="104" rx="3" fill="#f3e7c3" stroke=${colour} stroke-width="1.5"/>
    <path d="M22 82 L78 58" stroke=${colour} stroke-width="1.5"/>
    ${half}<g transform="rotate(180 50 70)">${half}</g>`;
}

export function back(): TemplateResult {
  return svg`<svg viewBox="0 0 100 140" part="back" aria-hidden="true">
    <rect x=".75" y=".75" width="98.5" height="138.5" rx="8" fill="#fdfcf7" stroke="#b9b4a4" stroke-width="1.5"/>
    <rect x="7" y="7" width="86" height="126" rx="4" fill="#8e1f2b"/>
    <g fill="none" stroke="#e7bf7a" stroke-width="1.2">
      ${[0, 1, 2, 3].map(
        (ring) => svg`<rect x=${12 + 9 * ring} y=${12 + 13 * ring} width=${76 - 18 * ring}
        height=${116 - 26 * ring} rx="3"/>`,
      )}
      <circle cx="50" cy="70" r="7" fill="#e7bf7a"/>
    </g>
  </svg>`;
}

/** Draw a card that lies face down and is lifted: its back, and what is seen of `under` where it is folded over. */
export function lifted(fold: Fold, under: TemplateResult): TemplateResult {
  return svg`<svg viewBox="0 0 100 140" class="lifted" aria-hidden="true">
    <defs><clipPath id="flat"><polygon points=${fold.flat.join(" ")}/></clipPath>
      <clipPath id="lifted"><polygon points=${fold.lifted.join(" ")}/></clipPath></defs>
    <g clip-path="url(#flat)">${back()}</g>
    <g transform="matrix(${fold.matrix.join(" ")})"><g clip-path="url(#lifted)">${under}</g></g>
  </svg>`;
}

/** Draw the underside of a card that is not this page's to see. */
export function blank(): TemplateResult {
  return svg`<svg viewBox="0 0 100 140" part="blank" aria-hidden="true">
    <rect x=".75" y=".75" width="98.5" height="138.5" rx="8" fill="#fdfcf7" stroke="#b9b4a4" stroke-width="1.5"/>
    <rect x="7" y="7" width="86" height="126" rx="4" fill="#ece7d8"/></svg>`;
}

export class PuntoCard extends LitElement {
  static override properties = { card: { attribute: false }, label: {}, lift: { attribute: false } };
  /** The card; null if it lies face down. */
  declare card: Card | null;
  declare label: string;
  /** How it is lifted by the patron who squeezes it; null if it lies flat. */
  declare lift: Lift | null;

  static override styles = css`
    :host {
      display: inline-block; width: var(--card-width, 64px); aspect-ratio: 100 / 140; perspective: 600px;
      animation: dealt .45s cubic-bezier(.2,.8,.3,1) backwards;
    }
    .turn {
      position: relative; width: 100%; height: 100%; transform-style: preserve-3d; transition: transform .5s;
      transform: rotateY(180deg);
    }
    .turn.up { transform: none; }
    .side {
      position: absolute; inset: 0; backface-visibility: hidden; border-radius: 8% / 5.7%;
      box-shadow: 0 3px 5px rgb(0 0 0 / .45);
    }
    .side.down { transform: rotateY(180deg); }
    svg { display: block; width: 100%; height: 100%; overflow: visible; }
    @keyframes dealt {
      from { transform: translate(var(--from-x, 60vw), var(--from-y, -40vh)) rotate(40deg) scale(.4); opacity: 0; }
    }
    :host([dealt="before"]) { animation: none; }
    @media (prefers-reduced-motion: reduce) { :host { animation: none; } .turn { transition: none; } }
  `;

  constructor() {
    super();
    this.card = null;
    this.label = "";
    this.lift = null;
  }

  override render() {
    const up = this.card !== null;
    const fold = up || !this.lift ? null : foldOf(this.lift);
    return html`<div class="turn ${up ? "up" : ""}" role="img" aria-label=${this.label}>
      <div class="side">${this.card ? face(this.card) : nothing}</div>
      <div class="side down">${fold ? lifted(fold, blank()) : back()}</div>
    </div>`;
  }
}
customElements.define("punto-card", PuntoCard);
