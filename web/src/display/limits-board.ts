/** The bets of a table for a whole room: what each pays and when, how much it takes, and its house edge. */
import { css, html, LitElement } from "lit";
import type { EdgeShown, GameShown, Limits, WagerShown } from "../api/types";
import { payoutLines } from "../components/payout-label";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { short } from "../i18n/money";

const SMALLEST = 50;

export class PuntoLimitsBoard extends LitElement {
  static override properties = {
    game: { attribute: false },
    edges: { attribute: false },
    limits: { attribute: false },
  };
  declare game: GameShown;
  declare edges: EdgeShown[];
  declare limits: Record<string, Limits>;

  static override styles = [
    common,
    css`
    :host { height: 100%; overflow: hidden; }
    /* Reduced motion gives everything a short transition, and letters are measured at once. */
    table, table * { transition-property: none; }
    table { line-height: 1.3; }
    th { padding: 0 .3em; font-size: .75em; white-space: nowrap; }
    td { padding: .08em .3em; }
    .name { font-weight: 650; } .pays { white-space: nowrap; } .edge { font-size: .8em; }
    .several td { border-bottom: 0; padding-bottom: 0; } .lines td { padding-top: 0; line-height: 1.2; }
    .lines span { display: inline-block; margin-right: 1em; font-size: .8em; }
    .lines b { white-space: nowrap; font-weight: 650; }
    tbody tr:last-child td { border-bottom: 0; }
  `,
  ];

  private readonly resized = new ResizeObserver(() => this.fit());

  constructor() {
    super();
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
  }

  protected override updated(): void {
    this.fit();
  }

  /** Make letters smaller where there are more bets than the room takes. */
  private fit(): void {
    const table = this.renderRoot.querySelector("table")!;
    for (let share = 100; share >= SMALLEST; share -= 5) {
      table.style.fontSize = `${share}%`;
      if (table.scrollHeight <= this.clientHeight && table.scrollWidth <= this.clientWidth) return;
    }
  }

  override render() {
    return html`<table>
      <thead><tr><th>${t("odds.wager")}</th><th>${t("odds.pays")}</th><th class="num">${t("odds.limits")}</th><th
        class="num">${t("odds.edge")}</th></tr></thead>
      <tbody>${this.game.wagers.map((wager) => this.rows(wager))}</tbody></table>`;
  }

  /** A bet that pays in several ways says so below its name. */
  private rows(wager: WagerShown) {
    const lines = payoutLines(wager);
    const name = nameOf("wager", wager.wager);
    const figures = html`<td class="num">${this.range(wager.wager)}</td>
      <td class="num edge">${this.edge(wager.wager)}</td>`;
    if (lines.length === 1) {
      return html`<tr><td class="name">${name}</td><td class="pays">${lines[0]!.pays}</td>${figures}</tr>`;
    }
    return html`<tr class="several"><td class="name" colspan="2">${name}</td>${figures}</tr>
      <tr class="lines"><td colspan="4">${lines.map(
        ({ pays, when }) => html`<span><b>${pays}</b> ${when}</span> `,
      )}</td></tr>`;
  }

  private range(wager: string): string {
    const limits = this.limits[wager];
    return limits ? `${short(limits.minimum)} – ${short(limits.maximum)}` : "–";
  }

  private edge(wager: string): string {
    const edge = this.edges.find((each) => each.wager === wager);
    return edge ? `${edge.rounded}%` : "–";
  }
}
customElements.define("punto-limits-board", PuntoLimitsBoard);
