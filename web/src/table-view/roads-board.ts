/** All roads of a shoe together, with ask roads and statistics. */
import { css, html, LitElement, svg } from "lit";
import type { DrawnRoads, RoadsShown } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { beadPlate, bigRoad, type DerivedShape, derivedRoad, derivedSign } from "./road-drawing";

export const DERIVED = [
  ["big_eye_boy", "ring"],
  ["small_road", "dot"],
  ["cockroach_pig", "stroke"],
] as const;

export class PuntoRoads extends LitElement {
  static override properties = { roads: { attribute: false }, wide: { type: Boolean, reflect: true } };
  declare roads: RoadsShown | null;
  /** For the display: more columns, larger text. */
  declare wide: boolean;

  static override styles = [
    common,
    css`
    .board { display: grid; gap: .45rem; }
    svg { display: block; width: 100%; border-radius: 4px; }
    figure { margin: 0; min-width: 0; }
    figcaption {
      font-size: .78rem; color: var(--ink-soft); margin-bottom: .15rem; white-space: nowrap; letter-spacing: -.01em;
    }
    .derived { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .45rem; }
    dl { display: flex; flex-wrap: wrap; gap: .3rem .5rem; margin: 0; font-size: .88rem; }
    dl div { display: flex; gap: .35rem; background: var(--felt-deep); border-radius: 6px; padding: .15rem .5rem; }
    dt { color: var(--ink-soft); } dd { margin: 0; font-weight: 700; font-variant-numeric: tabular-nums; }
    .banker dt { color: var(--banker-ink); } .player dt { color: var(--player-ink); } .tie dt { color: var(--tie-ink); }
    .asks { display: flex; gap: .5rem; flex-wrap: wrap; }
    .ask {
      display: flex; align-items: center; gap: .4rem; font-size: .85rem; padding: .15rem .5rem; border-radius: 6px;
      background: var(--paper); color: #222; font-weight: 600;
    }
    .ask svg { width: 1.1rem; height: 1.1rem; }
    .ask.banker { color: #a51714; } .ask.player { color: #1a4fa8; }
    :host([wide]) dl { font-size: 1.05em; gap: .25em .35em; }
    :host([wide]) dl div { padding: .1em .35em; gap: .3em; }
    :host([wide]) figcaption { font-size: .72em; line-height: 1.1; }
    :host([wide]) .ask { font-size: 1em; } :host([wide]) .ask svg { width: 1.2em; height: 1.2em; }
    :host([wide]) .board { gap: .2em; } :host([wide]) .derived { gap: .4em; }
    .middle { display: grid; gap: .45rem; }
    :host([wide]) .middle { grid-template-columns: 1fr 1fr; gap: .6em; align-items: center; }
    :host([wide]) .board > figure { order: -1; }
    :host([wide]) .counts { display: grid; gap: .4em; }
    .counts { display: contents; }
    @media (max-width: 700px) { :host([wide]) .middle { grid-template-columns: minmax(0, 1fr); }
    :host([wide]) dl { font-size: .95rem; } }
  `,
  ];

  constructor() {
    super();
    this.roads = null;
    this.wide = false;
    new LanguageController(this);
  }

  override render() {
    if (!this.roads) return html`<p class="soft">${t("roads.none")}</p>`;
    const drawn = this.roads.roads;
    return html`<div class="board">
      <div class="middle">
        <figure><figcaption>${t("roads.bead_plate")}</figcaption>
        ${beadPlate(drawn.bead_plate, this.wide ? 14 : 18)}</figure>
        ${this.wide ? this.counts(drawn) : ""}
      </div>
      <figure><figcaption>${t("roads.big_road")}</figcaption>${bigRoad(drawn.big_road, this.wide ? 26 : 24)}</figure>
      <div class="derived">${DERIVED.map(
        ([road, shape]) => html`<figure><figcaption>${t(`roads.${road}`)}</figcaption>
        ${derivedRoad(drawn[road].cells, this.wide ? 16 : 12, shape, t(`roads.${road}`))}</figure>`,
      )}</div>
      ${this.wide ? "" : this.counts(drawn)}
    </div>`;
  }

  private counts(drawn: DrawnRoads) {
    return html`<div class="counts">
    <div class="asks">${this.ask("banker", drawn)}${this.ask("player", drawn)}</div>${this.statistics()}</div>`;
  }

  /** What the next round would add to each derived road. */
  private ask(winner: "banker" | "player", drawn: DrawnRoads) {
    return html`<span class="ask ${winner}">${t(`roads.ask_${winner}`)}
      ${DERIVED.map(([road, shape]) => this.answer(shape, drawn[road].ask[winner]))}</span>`;
  }

  private answer(shape: DerivedShape, colour: string | null) {
    return svg`<svg viewBox="0 0 1 1" role="img"
      aria-label=${colour ? t(colour === "red" ? "roads.red" : "roads.blue") : t("roads.nothing")}>
      ${
        colour
          ? derivedSign(shape, colour, 0.5, 0.5)
          : svg`<path d="M.3 .5H.7" stroke="#999"
        stroke-width=".1"/>`
      }</svg>`;
  }

  private statistics() {
    const counts = this.roads!.roads.statistics;
    const run = counts.current_run;
    return html`<dl>
      <div><dt>${t("statistics.rounds")}</dt><dd>${counts.rounds}</dd></div>
      <div class="banker"><dt>${nameOf("winner", "banker")}</dt><dd>${counts.banker}</dd></div>
      <div class="player"><dt>${nameOf("winner", "player")}</dt><dd>${counts.player}</dd></div>
      <div class="tie"><dt>${nameOf("winner", "tie")}</dt><dd>${counts.tie}</dd></div>
      <div class="banker"><dt>${t("statistics.banker_pair")}</dt><dd>${counts.banker_pair}</dd></div>
      <div class="player"><dt>${t("statistics.player_pair")}</dt><dd>${counts.player_pair}</dd></div>
      <div><dt>${t("statistics.natural")}</dt><dd>${counts.natural}</dd></div>
      ${
        run
          ? html`<div><dt>${t("statistics.run")}</dt><dd>${nameOf("winner", run.winner)} ${run.length}</dd>
      </div>`
          : ""
      }
    </dl>`;
  }
}
customElements.define("punto-roads", PuntoRoads);
