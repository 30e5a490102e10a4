/** A search of the whole house: by a person's name, a clause, an amount, an override or a time, at all tables. */
import { css, html, LitElement, nothing } from "lit";
import * as auditApi from "../api/audit";
import { Refusal } from "../api/http";
import type { EventFound, EventsFound, TableAudited } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, nameOf, t } from "../i18n/catalogue";
import { parseAmount } from "../i18n/money";
import { refusalText } from "../i18n/refusal-text";
import { dateAndTime, parseLocal } from "../i18n/time";

export class PuntoEventSearch extends LitElement {
  static override properties = {
    tables: { attribute: false },
    events: { state: true },
    last: { state: true },
    searching: { state: true },
    refused: { state: true },
  };
  declare tables: TableAudited[];
  declare private events: EventFound[];
  /** The last answer: how far the search went. */
  declare private last: EventsFound | null;
  declare private searching: boolean;
  declare private refused: string;

  static override styles = [
    common,
    css`
    form { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .5rem; align-items: end; }
    input, select { min-height: 2.2rem; padding: .25rem .5rem; width: 100%; font-size: .88rem; }
    input[type="checkbox"] { width: auto; min-height: 0; }
    label { font-size: .82rem; min-width: 0; }
    .tick { display: flex; gap: .4rem; align-items: center; min-height: 2.2rem; }
    button { min-height: 2.3rem; }
    ol { list-style: none; margin: .6rem 0 0; padding: 0; }
    li {
      display: grid; grid-template-columns: 10.5rem 8rem minmax(0, 1fr) auto; gap: .1rem .8rem; padding: .35rem .2rem;
      border-top: 1px solid var(--line); align-items: baseline; font-size: .9rem;
    }
    .when { font-variant-numeric: tabular-nums; color: var(--ink-soft); }
    .told { overflow-wrap: anywhere; white-space: pre-line; }
    .tag { font-size: .75rem; background: var(--notice); color: var(--warn); padding: 0 .45rem; border-radius: 99px; }
    @media (max-width: 820px) { li { grid-template-columns: minmax(0, 1fr) auto; } .told { grid-column: 1 / -1; } }
  `,
  ];

  constructor() {
    super();
    this.tables = [];
    this.events = [];
    this.last = null;
    this.searching = false;
    this.refused = "";
    new LanguageController(this);
  }

  private async search(more: string | null = null) {
    const query = this.query();
    if (more) query.set("before", more);
    else this.events = [];
    this.searching = true;
    this.refused = "";
    try {
      const found = await auditApi.findEvents(query);
      this.events = [...this.events, ...found.events];
      this.last = found;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = refusalText(error.refused);
    } finally {
      this.searching = false;
    }
  }

  private submit(event: Event) {
    event.preventDefault();
    void this.search();
  }

  private query(): URLSearchParams {
    const query = new URLSearchParams({ language: currentLanguage() });
    for (const [name, value] of new FormData(this.renderRoot.querySelector("form")!)) {
      const text = String(value).trim();
      const said =
        name === "since" || name === "until"
          ? parseLocal(text)
          : name === "least" || name === "most"
            ? parseAmount(text)
            : text;
      if (said !== null && said !== "") query.set(name, String(said));
    }
    return query;
  }

  override render() {
    return html`<form @submit=${this.submit}>
        <label>${t("search.person")}<input name="person" maxlength="64" spellcheck="false"></label>
        <label>${t("audit.table")}<select name="table"><option value="">${t("search.everywhere")}</option>
          ${this.tables.map((each) => html`<option value=${each.table}>${each.table}</option>`)}</select></label>
        <label>${t("search.clause")}<input name="clause" maxlength="20" placeholder="5.11"></label>
        <label>${t("search.least")}<input name="least" inputmode="decimal"></label>
        <label>${t("search.most")}<input name="most" inputmode="decimal"></label>
        <label>${t("find.since")}<input name="since" type="datetime-local" step="1"></label>
        <label>${t("find.until")}<input name="until" type="datetime-local" step="1"></label>
        <label class="tick"><input name="overrides" type="checkbox" value="true">${t("search.overrides")}</label>
        <button class="main" ?disabled=${this.searching}>${t("find.go")}</button>
      </form>
      ${this.refused ? html`<p class="lost" role="alert">${this.refused}</p>` : nothing}
      <ol aria-label=${t("search.list")} ?hidden=${!this.events.length}>
        ${this.events.map((each) => this.line(each))}</ol>
      <div role="status">${this.status()}</div>
      ${
        this.last?.more
          ? html`<button ?disabled=${this.searching}
        @click=${() => this.search(this.last!.more)}>${t("search.further")}</button>`
          : nothing
      }`;
  }

  private status() {
    if (this.searching) return html`<p class="soft">${t("seat.loading")}</p>`;
    if (!this.last) return html`<p class="soft">${t("search.about")}</p>`;
    const back = this.last.more && this.last.back_to ? dateAndTime(this.last.back_to) : null;
    if (back) return html`<p class="soft">${t("search.back_to", { time: back })}</p>`;
    return html`<p class="soft">${t(this.events.length ? "search.whole" : "search.none")}</p>`;
  }

  private line(each: EventFound) {
    const isTable = this.tables.some((one) => one.table === each.stream);
    const where = isTable ? each.stream : nameOf("stream", each.stream);
    const link = isTable && each.round ? `/audit/${encodeURIComponent(each.stream)}/${each.round}` : null;
    return html`<li data-event=${each.event}><span class="when">${dateAndTime(each.at)}</span>
      <span>${link ? html`<a href=${link}>${where} · ${t("seat.round", { round: each.round })}</a>` : where}</span>
      <span class="told"><b>${actor(each)}</b> ${each.told}
        ${each.clauses.length ? html`<span class="soft">§ ${each.clauses.join(", ")}</span>` : nothing}</span>
      <span>${each.override ? html`<span class="tag">${t("search.override")}</span>` : nothing}</span></li>`;
  }
}

/** Return who did it: a person by name, the cage, the automaton, or the house. */
function actor({ by, name, position }: EventFound): string {
  if (name) return nameOf("duty", name);
  if (by === "automaton") return t("pit.automaton");
  return position === "system" || by === "cage" ? nameOf("stream", by === "cage" ? by : "house") : by;
}
customElements.define("punto-event-search", PuntoEventSearch);
