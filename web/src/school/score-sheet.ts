/** The score sheet, to look at and to print. */
import { css, html, LitElement } from "lit";
import type { SheetShown, TallyShown } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";

export class PuntoSheet extends LitElement {
  static override properties = { sheet: { attribute: false }, titles: { attribute: false } };
  declare sheet: SheetShown;
  /** Titles of the games by their keys. */
  declare titles: Record<string, string>;

  static override styles = [
    common,
    css`
    .result { font-size: 1.3rem; } .result strong { color: var(--gold); font-size: 2rem; }
    .wide { overflow-x: auto; } th, td { white-space: nowrap; } th.num { white-space: normal; }
    td[lang] { white-space: normal; min-width: 16rem; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; }
    dt { color: var(--ink-soft); } dd { margin: 0; }
    .line { display: none; }
    @media print { :host { color: #000; } th, dt, .soft { color: #333; } .result strong { color: #000; }
      .wide { overflow: visible; } .line { display: block; } .line dd, dd.line { border-bottom: 1px solid #000; } }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  override render() {
    const { sheet } = this;
    const games = sheet.games
      .map((each) => `${this.called(each.game)}${each.version ? ` (${each.version})` : ""}`)
      .join(" · ");
    return html`<section class="stack" aria-label=${t("school.sheet")}>
      <h2>${t("school.sheet")}</h2>
      <p class="result"><strong>${sheet.total.score ?? "–"}</strong>
        ${t(sheet.passed ? "school.passed" : "school.not_passed", { mark: sheet.pass_mark })}</p>
      <dl><dt class="line">${t("school.learner")}</dt><dd class="line">&nbsp;</dd>
        <dt>${t("school.seed")}</dt><dd>${sheet.seed}</dd><dt>${t("school.rules")}</dt><dd>${games}</dd>
        <dt>${t("school.software")}</dt><dd>${sheet.software}</dd></dl>
      <div class="wide" tabindex="0" role="region" aria-label=${t("school.by_drill")}>
        <table><thead><tr><th>${t("school.game")}</th><th>${t("school.drill")}</th>${this.heads()}</tr></thead>
        <tbody>${sheet.by_drill.map(
          (row) => html`<tr><td>${this.called(row.game)}</td>
        <td>${t(`school.drill.${row.drill}`)}</td>${this.figures(row)}</tr>`,
        )}</tbody></table></div>
      <div class="wide" tabindex="0" role="region" aria-label=${t("school.by_clause")}>
        <table><thead><tr><th>${t("school.game")}</th><th>${t("school.clause")}</th>
        <th>${t("school.says")}</th>${this.heads()}</tr></thead>
        <tbody>${sheet.by_clause.map(
          (row) => html`<tr><td>${this.called(row.game)}</td><td>${row.clause ?? "–"}</td>
          <td lang=${row.text ? "en" : ""}>${row.text ?? t("school.house")}</td>${this.figures(row)}</tr>`,
        )}</tbody></table></div>
    </section>`;
  }

  private called(game: string): string {
    return nameOf("game", this.titles[game] ?? game);
  }

  private heads() {
    const heads = ["asked", "first", "mistakes", "hints", "seconds", "score"] as const;
    return heads.map((each) => html`<th class="num">${t(`school.${each}`)}</th>`);
  }

  private figures(row: TallyShown) {
    const figures = [row.asked, row.right_first_time, row.mistakes, row.hints, row.seconds, row.score ?? "–"];
    return figures.map((each) => html`<td class="num">${each}</td>`);
  }
}
customElements.define("punto-sheet", PuntoSheet);
