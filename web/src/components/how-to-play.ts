/** How a game is played, on one screen: the idea, the chart of third cards, and what each bet pays. */
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { EdgeShown, GameShown, ThirdCardChart, WagerShown } from "../api/types";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, type Key, nameOf, t } from "../i18n/catalogue";
import { bankerRows, span } from "./chart-rows";
import { payoutLines } from "./payout-label";
import { clauseWords } from "./rulebook";
import { common } from "./style";

/** The sentences, each with the provisions it restates: a game without one of them does not have the sentence. */
const IDEAS: readonly [Key, readonly string[]][] = [
  ["how.aim", ["winning-hand", "tie-pushes"]],
  ["how.count", ["point-value", "point-total"]],
  ["how.deal", ["table-of-play"]],
];

/** Provisions of the bets that the idea of the game explains. */
const MAIN = new Set(["winning-hand", "tie-wager", "tie-pushes"]);

export class PuntoHowToPlay extends LitElement {
  static override properties = {
    game: { attribute: false },
    edges: { attribute: false },
    decks: { type: Number },
    clauses: { state: true },
  };
  declare game: GameShown;
  declare edges: EdgeShown[];
  declare decks: number;
  /** Whether every clause is shown instead. */
  declare private clauses: boolean;

  static override styles = [
    common,
    css`
    :host { container-type: inline-size; }
    .how { display: grid; gap: .6rem 1.6rem; grid-template-columns: minmax(0, 1fr); }
    h2 { font-size: 1rem; margin-bottom: .25rem; }
    p { margin: 0 0 .35rem; font-size: .86rem; line-height: 1.32; }
    th, td { padding: .16rem .3rem; font-size: .86rem; }
    .chart td, .chart th { text-align: center; padding: .16rem 0; font-size: .78rem; }
    .chart th[rowspan] { max-width: 4.2em; white-space: normal; }
    td.draw { background: var(--gold); color: var(--on-gold); font-weight: 750; }
    td.stand { color: var(--ink-soft); }
    .chart tbody td { border: 1px solid var(--line); }
    .bets td:first-child:not(.meaning) { font-weight: 650; }
    .meant td { border-bottom: 0; }
    .meaning { padding-top: 0; font-size: .78rem; color: var(--ink-soft); }
    .meaning summary { list-style: none; } .meaning details { text-align: left; }
    .line { display: flex; gap: .1rem .5rem; justify-content: space-between; flex-wrap: wrap; }
    .line + .line { margin-top: .05rem; }
    .line span:first-child { white-space: nowrap; }
    summary { cursor: pointer; } details { text-align: right; }
    .exact { overflow-wrap: anywhere; white-space: normal; font-size: .76rem; color: var(--ink-soft); }
    .clause { min-height: 0; padding: 0 .3rem; font-size: .76rem; white-space: nowrap; }
    .ways { display: flex; gap: .5rem; flex-wrap: wrap; align-items: baseline; }
    .ways button { min-height: 2rem; padding: .2rem .7rem; }
    @container (min-width: 46rem) {
      .how { grid-template-columns: minmax(0, 9fr) minmax(0, 11fr); }
      .bets { grid-column: 2; grid-row: 1 / 4; }
      .chart td, .chart th { padding: .22rem .2rem; font-size: .95rem; }
      .chart th[rowspan] { max-width: none; }
      .bets td, .bets th { padding: .22rem .35rem; }
      p { font-size: .98rem; }
      /* All of it fits one screen: what a side bet is about opens where it is long. */
      .meaning summary {
        display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
      }
      .meaning [open] summary { -webkit-line-clamp: none; }
    }
  `,
  ];

  constructor() {
    super();
    this.edges = [];
    this.decks = 0;
    this.clauses = false;
    new LanguageController(this);
  }

  override render() {
    const toggle = html`<div class="ways"><button @click=${this.toggle}>${t(
      this.clauses ? "how.title" : "how.clauses",
    )}</button></div>`;
    if (this.clauses) return html`${toggle}<punto-rules .game=${this.game}></punto-rules>`;
    return html`<div class="how">
      <section>${IDEAS.map(([key, provisions]) => this.idea(key, provisions))}</section>
      ${this.game.chart ? this.chart(this.game.chart) : nothing}
      <section class="bets">${this.bets()}</section>
      ${toggle}
    </div>`;
  }

  /** Every clause is a step forward, so that the browser's Back leads here again and not off the page. */
  private toggle() {
    if (this.clauses) return history.back();
    history.pushState({ ...history.state, clauses: true }, "");
    this.clauses = true;
  }

  private readonly returned = () => {
    this.clauses = Boolean(history.state?.clauses);
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.returned();
    window.addEventListener("popstate", this.returned);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("popstate", this.returned);
  }

  private idea(key: Key, provisions: readonly string[]): TemplateResult | typeof nothing {
    const clauses = this.game.clauses.filter((each) => provisions.includes(each.provision));
    if (!provisions.every((each) => clauses.some(({ provision }) => provision === each))) return nothing;
    const naturals = (this.game.chart?.naturals ?? []).join(t("how.or"));
    return html`<p>${t(key, { naturals })} ${clauses.map(({ clause }) => this.clause(clause))}</p>`;
  }

  private chart(chart: ThirdCardChart): TemplateResult {
    const thirds = Array.from({ length: 10 }, (_, value) => value);
    const cell = (draws: boolean) =>
      html`<td class=${draws ? "draw" : "stand"}><span aria-label=${t(draws ? "how.draws" : "how.stands")}>${t(
        draws ? "how.draw" : "how.stand",
      )}</span></td>`;
    const listed = (numbers: readonly number[]) => span(numbers, t("list.separator"));
    return html`<section><h2>${t("how.third")} ${chart.clause ? this.clause(chart.clause) : nothing}</h2>
      <p>${t("how.player", { draws: listed(chart.player_draws), stands: listed(chart.player_stands) })}</p>
      <table class="chart"><thead>
        <tr><th rowspan="2" scope="col">${t("how.banker_has")}</th>
          <th rowspan="2" scope="col">${t("how.player_stood")}</th>
          <th colspan="10" scope="colgroup">${t("how.player_third")}</th></tr>
        <tr>${thirds.map((value) => html`<th scope="col">${value}</th>`)}</tr></thead>
        <tbody>${bankerRows(chart.banker).map(
          (row) =>
            html`<tr><th scope="row">${listed(row.totals)}</th>${cell(row.draws_alone)}${thirds.map((value) =>
              cell(row.draws_against.includes(value)),
            )}</tr>`,
        )}</tbody></table>
      <p class="soft">${t("how.legend", { draw: t("how.draw"), stand: t("how.stand") })}</p></section>`;
  }

  private bets(): TemplateResult {
    return html`<table><thead><tr><th scope="col">${t("odds.wager")}</th><th scope="col">${t("odds.pays")}</th><th
        class="num" scope="col">${t("odds.edge")}</th></tr></thead>
      <tbody>${this.game.wagers.map((wager, index) => {
        const edge = this.edges.find((each) => each.wager === wager.wager);
        const meaning = this.meaning(wager, index);
        return html`<tr class=${meaning ? "meant" : ""}>
          <td>${nameOf("wager", wager.wager)} ${this.clause(wager.clause)}</td>
          <td>${payoutLines(wager).map(
            ({ pays, when }) => html`<div class="line"><span>${pays}</span><span class="soft">${when}</span></div>`,
          )}</td>
          <td class="num">${
            edge
              ? html`<details><summary>${edge.rounded}%</summary><span
                  class="exact">${t("odds.exact")} ${edge.house_edge}</span></details>`
              : "–"
          }</td></tr>${meaning}`;
      })}</tbody></table>
      ${this.decks ? html`<p class="soft">${t("how.edge", { decks: this.decks })}</p>` : nothing}`;
  }

  /** What a side bet is about, as its clause and the parts of that say; once for two that share it. */
  private meaning({ clause }: WagerShown, index: number): TemplateResult | "" {
    const found = this.game.clauses.filter((each) => each.clause === clause || each.clause.startsWith(`${clause}.`));
    if (!found[0] || MAIN.has(found[0].provision) || this.game.wagers[index + 1]?.clause === clause) return "";
    const words = found.map((each) => html`${clauseWords(each.words[currentLanguage()])} `);
    return html`<tr><td colspan="3" class="meaning"><details><summary>${words}</summary></details></td></tr>`;
  }

  private clause(clause: string): TemplateResult {
    const show = () => this.dispatchEvent(new CustomEvent("clause", { detail: clause, bubbles: true, composed: true }));
    return html`<button class="clause" aria-label=${t("clause.open", { clause })} @click=${show}>§ ${clause}</button>`;
  }
}
customElements.define("punto-how-to-play", PuntoHowToPlay);
