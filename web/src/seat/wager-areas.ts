/** The patron's own position, large: an area for each wager, with its payout, house edge and limits. */
import { css, html, LitElement, nothing } from "lit";
import type { EdgeShown, Limits, WagerShown } from "../api/types";
import { chip } from "../components/chip";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { ratio, short } from "../i18n/money";
import { wagerColour } from "../table-view/wager-colours";
import type { LaidWager } from "./wager-changes";

/** Say briefly what a wager pays: each ratio once, as 12 / 20 to 1. */
function paysShortly(wager: WagerShown): string {
  const ratios = [...new Set(wager.lines.filter((line) => !line.pays.startsWith("0/")).map((line) => line.pays))].map(
    ratio,
  );
  if (ratios.every(([, below]) => below === "1")) {
    return t("pays.to", { above: ratios.map(([above]) => above).join(" / "), below: "1" });
  }
  return ratios.map(([above, below]) => t("pays.to", { above, below })).join(", ");
}

export class PuntoAreas extends LitElement {
  static override properties = {
    wagers: { attribute: false },
    edges: { attribute: false },
    limits: { attribute: false },
    laid: { attribute: false },
    others: { attribute: false },
    position: { type: Number },
    open: { type: Boolean, reflect: true },
    waiting: { attribute: false },
  };
  declare wagers: WagerShown[];
  declare edges: EdgeShown[];
  declare limits: Record<string, Limits>;
  /** Wagers at this position: the patron's own, and those of others. */
  declare laid: LaidWager[];
  declare others: LaidWager[];
  declare position: number;
  /** Whether the table takes wagers now. */
  declare open: boolean;
  /** Wagers that are sent and not answered yet. */
  declare waiting: ReadonlySet<string>;

  static override styles = [
    common,
    css`
    .areas { display: grid; gap: .4rem; }
    .wide, .side { display: grid; gap: .4rem; grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); }
    button {
      position: relative; display: grid; grid-template-columns: minmax(0, 1fr) 2.4rem; align-items: center;
      padding: .3rem .3rem .3rem .6rem; min-height: 5rem; color: #fff;
      border: 2px solid var(--line-of); background: var(--felt-of); text-align: left; line-height: 1.25;
    }
    button:disabled { opacity: 1; cursor: default; }
    :host(:not([open])) button { filter: saturate(.65) brightness(.8); }
    :host([open]) button:hover { filter: brightness(1.18); }
    button[data-over] { outline: 3px solid var(--gold); outline-offset: 1px; }
    :host([open]) .stake[data-stake] { cursor: grab; touch-action: none; }
    .text { min-width: 0; } .text > span { display: block; }
    .name { font-weight: 750; font-size: 1rem; }
    .pays { font-size: .82rem; }
    .edge, .limits { font-size: .76rem; color: #f6f1e0; }
    .wide .edge, .wide .limits { display: inline-block; margin-right: .8em; }
    .stake { width: 2.4rem; height: 2.4rem; }
    .stake svg { width: 100%; height: 100%; filter: drop-shadow(0 2px 3px rgb(0 0 0 / .5)); }
    .waiting { opacity: .5; }
    .others { position: absolute; right: .4rem; top: .1rem; font-size: .72rem; color: #f6f1e0; }
    .side .name { font-size: .94rem; }
    @media (max-width: 700px) { .side { grid-template-columns: repeat(3, minmax(0, 1fr)); }
    .name { font-size: .92rem; } }
    @media (max-width: 480px) {
      .limits { display: none !important; }
      button { min-height: 4.3rem; grid-template-columns: minmax(0, 1fr) 1.7rem; padding-left: .4rem; }
      .stake { width: 1.7rem; height: 1.7rem; }
      .edge { font-size: .66rem; white-space: nowrap; }
      .side .name { font-size: .86rem; }
    }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  override render() {
    const [main, side] = [this.wagers.slice(0, MAIN), this.wagers.slice(MAIN)];
    return html`<div class="areas" role="group" aria-label=${t("areas.label", { position: this.position })}>
      <div class="wide" .style=${`--columns:${main.length}`}>${main.map((each) => this.area(each))}</div>
      <div class="side" .style=${`--columns:${side.length}`}>${side.map((each) => this.area(each))}</div></div>`;
  }

  private area(wager: WagerShown) {
    const name = nameOf("wager", wager.wager);
    const edge = this.edges.find((each) => each.wager === wager.wager)?.percent;
    const limits = this.limits[wager.wager];
    const mine = this.laid.find((each) => each.wager === wager.wager)?.amount ?? 0;
    const others = this.others.filter((each) => each.wager === wager.wager).reduce((sum, each) => sum + each.amount, 0);
    const pays = paysShortly(wager);
    const { felt, line } = wagerColour(wager.wager);
    return html`<button .style=${`--felt-of:${felt};--line-of:${line}`} ?disabled=${!this.open}
        data-wager=${wager.wager} data-position=${this.position} aria-keyshortcuts=${mine ? "Delete" : nothing}
        @click=${() => this.emit("placed", wager.wager)}
          @keydown=${(event: KeyboardEvent) => this.keyed(event, wager.wager)}>
      ${others ? html`<span class="others">+${short(others)}</span>` : ""}
      <span class="text"><span class="name">${name}</span><span class="pays">${pays}</span>
      <span class="edge">${t("areas.edge", { edge: edge === undefined ? "–" : Number(edge).toFixed(2) })}</span>${
        limits ? html`<span class="limits">${short(limits.minimum)} – ${short(limits.maximum)}</span>` : ""
      }</span>
      ${
        mine || this.waiting.has(wager.wager)
          ? html`<span class="stake ${this.waiting.has(wager.wager) ? "waiting" : ""}"
        data-stake=${mine || nothing} data-position=${this.position}
          data-wager=${wager.wager}>${chip(mine, "#ffe08a")}</span>
        <span class="unseen">${t("areas.mine", { mine: short(mine) })}</span>`
          : ""
      }
    </button>`;
  }

  private keyed(event: KeyboardEvent, wager: string) {
    if (event.key === "Delete" || event.key === "Backspace") this.emit("taken", wager);
  }

  private emit(name: string, wager: string) {
    this.dispatchEvent(new CustomEvent(name, { detail: wager }));
  }
}

/** The first wagers of every game's file are on the outcome itself; they are drawn wider. */
const MAIN = 3;
customElements.define("punto-areas", PuntoAreas);
