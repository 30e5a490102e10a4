/** Ratings of patrons: how long they played, what they wagered, and what the odds say they lose. */
import { css, html, LitElement, nothing } from "lit";
import { Refusal, request } from "../api/http";
import type { Rating } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { refusalText } from "../i18n/refusal-text";
import { dateTime, parseLocal } from "../i18n/time";

export class PuntoRatings extends LitElement {
  static override properties = { rated: { state: true }, query: { state: true }, refused: { state: true } };
  declare private rated: Rating[] | null;
  declare private query: string;
  declare private refused: string;

  static override styles = [
    common,
    css`
    form { display: flex; gap: .6rem; align-items: end; flex-wrap: wrap; margin-bottom: .6rem; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-size: .92rem; }
    th, td { text-align: left; padding: .3rem .5rem; border-top: 1px solid var(--line); }
    .num { text-align: right; font-variant-numeric: tabular-nums; }
  `,
  ];

  constructor() {
    super();
    this.rated = null;
    this.query = this.refused = "";
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.ask("");
  }

  private async ask(query: string) {
    this.refused = "";
    try {
      this.rated = await request<Rating[]>(`/api/ratings?${query}`);
      this.query = query;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = refusalText(error.refused);
    }
  }

  private submit(event: Event) {
    event.preventDefault();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(event.target as HTMLFormElement)) {
      const at = parseLocal(String(value));
      if (at !== null) query.set(name, String(at));
    }
    void this.ask(String(query));
  }

  override render() {
    return html`<section class="stack" aria-label=${t("pit.page.ratings")}>
      <form @submit=${this.submit}>
        <label>${t("pit.from")}<input name="from" type="datetime-local"></label>
        <label>${t("pit.to")}<input name="to" type="datetime-local"></label>
        <button class="main">${t("find.go")}</button>
        <a href="/api/ratings?${this.query}&format=csv" download>CSV</a></form>
      ${this.refused ? html`<p class="lost" role="alert">${this.refused}</p>` : nothing}
      ${this.rated?.length === 0 ? html`<p class="soft">${t("ratings.none")}</p>` : nothing}
      ${this.rated?.length ? this.table(this.rated) : nothing}</section>`;
  }

  private table(rated: readonly Rating[]) {
    const heads = ["minutes", "rounds", "average", "turnover", "theoretical", "lost"] as const;
    return html`<div class="wide"><table><thead><tr><th>${t("pit.patron")}</th><th>${t("pit.table")}</th>
      <th>${t("ratings.came")}</th>
      ${heads.map((each) => html`<th class="num">${t(`ratings.${each}`)}</th>`)}</tr></thead>
      <tbody>${rated.map(
        (each) => html`<tr><td>${each.name || each.patron}</td><td>${each.table}</td><td>${dateTime(each.first)}</td>
        <td class="num">${Math.floor(each.seconds / 60)}</td><td class="num">${each.rounds}</td>
        ${[each.average, each.turnover, each.theoretical, each.lost].map(
          (cents) => html`<td class="num">${amount(cents)}</td>`,
        )}</tr>`,
      )}</tbody></table></div>`;
  }
}
customElements.define("punto-ratings", PuntoRatings);
