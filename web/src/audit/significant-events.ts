/** The significant events of the house: filtered, with the values before and after, and exported. */
import { css, html, LitElement, nothing } from "lit";
import * as auditApi from "../api/audit";
import { Refusal } from "../api/http";
import type { SignificantEvent, SignificantFound, SignificantKind, TableAudited } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, type Kind, nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { refusalText } from "../i18n/refusal-text";
import { dateAndTime, parseLocal } from "../i18n/time";

const KINDS: readonly SignificantKind[] = [
  "sign-in",
  "sign-in-refused",
  "people",
  "link",
  "duty",
  "device",
  "settings",
  "limit",
  "stop",
  "opening",
  "money",
  "large-wager",
  "large-win",
  "deviation",
  "void",
  "correction",
  "removal",
  "override",
  "shoe",
  "clock",
  "program",
  "rollback",
  "alert",
];
/** Values that are amounts, and those that are times. */
const MONEY = new Set(
  (
    "alert_variance alert_wager alert_win allowed amount apart cash_threshold counted difference expected float high " +
    "limit low maximum minimum paid returned wagered won"
  ).split(" "),
);
const TIMES = new Set(["counts_from", "expires_at", "since", "until"]);
/** Values that are names of things, by the kind of name. */
const NAMES: Record<string, Kind> = {
  duty: "duty",
  role: "duty",
  wager: "wager",
  provision: "provision",
  covered_by: "provision",
};

/** Return a value as people read it; a name may be followed by the wager it is about. */
export function valueText(name: string, value: string | number | boolean): string {
  const [what = name] = name.split(" ");
  if (typeof value === "boolean") return t(value ? "significant.yes" : "significant.no");
  if (typeof value === "number")
    return MONEY.has(what) ? amount(value) : TIMES.has(what) ? dateAndTime(value) : String(value);
  return NAMES[what] ? nameOf(NAMES[what], value) : value;
}

/** Return what a value is called. */
export function valueName(name: string): string {
  const [what = name, ...wager] = name.split(" ");
  const called = nameOf("value", what);
  return wager.length ? `${called} ${nameOf("wager", wager.join(" "))}` : called;
}

export class PuntoSignificant extends LitElement {
  static override properties = {
    tables: { attribute: false },
    events: { state: true },
    last: { state: true },
    searching: { state: true },
    refused: { state: true },
    query: { state: true },
  };
  declare tables: TableAudited[];
  declare private events: SignificantEvent[];
  /** The last answer: how far the search went. */
  declare private last: SignificantFound | null;
  declare private searching: boolean;
  declare private refused: string;
  /** What was searched last, which an export repeats. */
  declare private query: string;

  static override styles = [
    common,
    css`
    form { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .5rem; align-items: end; }
    input, select { min-height: 2.2rem; padding: .25rem .5rem; width: 100%; font-size: .88rem; }
    label { font-size: .82rem; min-width: 0; }
    button { min-height: 2.3rem; }
    .export { display: flex; flex-wrap: wrap; gap: .5rem; margin: .6rem 0 0; }
    ol { list-style: none; margin: .6rem 0 0; padding: 0; }
    li {
      display: grid; grid-template-columns: 10.5rem 9rem 8rem minmax(0, 1fr); gap: .1rem .8rem; padding: .35rem .2rem;
      border-top: 1px solid var(--line); align-items: baseline; font-size: .9rem;
    }
    .when { font-variant-numeric: tabular-nums; color: var(--ink-soft); }
    .told { overflow-wrap: anywhere; white-space: pre-line; }
    dl { display: flex; flex-wrap: wrap; gap: .1rem .9rem; margin: .1rem 0 0; font-size: .84rem; }
    dl div { display: flex; gap: .35rem; min-width: 0; }
    dt { color: var(--ink-soft); }
    dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
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
    this.query = "";
    new LanguageController(this);
  }

  override firstUpdated(): void {
    void this.search();
  }

  private async search(more: string | null = null) {
    const query = this.asked();
    if (more) query.set("before", more);
    else {
      this.events = [];
      this.query = query.toString();
    }
    this.searching = true;
    this.refused = "";
    try {
      const found = await auditApi.findSignificant(query);
      this.events = [...this.events, ...found.events];
      this.last = found;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = refusalText(error.refused);
    } finally {
      this.searching = false;
    }
  }

  private asked(): URLSearchParams {
    const query = new URLSearchParams({ language: currentLanguage() });
    for (const [name, value] of new FormData(this.renderRoot.querySelector("form")!)) {
      const text = String(value).trim();
      const said = name === "since" || name === "until" ? parseLocal(text) : text;
      if (said !== null && said !== "") query.set(name, String(said));
    }
    return query;
  }

  override render() {
    const submit = (event: Event) => {
      event.preventDefault();
      void this.search();
    };
    return html`<p class="soft">${t("significant.about")}</p><form @submit=${submit}>
        <label>${t("significant.kind")}<select name="kind"><option value="">${t("significant.every")}</option>
          ${KINDS.map((each) => html`<option value=${each}>${nameOf("significant", each)}</option>`)}</select></label>
        <label>${t("search.person")}<input name="person" maxlength="64" spellcheck="false"></label>
        <label>${t("audit.table")}<select name="table"><option value="">${t("search.everywhere")}</option>
          ${this.tables.map((each) => html`<option value=${each.table}>${each.table}</option>`)}</select></label>
        <label>${t("find.since")}<input name="since" type="datetime-local" step="1"></label>
        <label>${t("find.until")}<input name="until" type="datetime-local" step="1"></label>
        <button class="main" ?disabled=${this.searching}>${t("find.go")}</button>
      </form>
      <p class="export">${(["csv", "json"] as const).map(
        (each) => html`<a class="button" download=${`punto-significant.${each}`}
          href=${auditApi.significantFile(this.query, each)}>${t(`significant.${each}`)}</a>`,
      )}</p>
      ${this.refused ? html`<p class="lost" role="alert">${this.refused}</p>` : nothing}
      <ol aria-label=${t("significant.list")} ?hidden=${!this.events.length}>
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
    if (this.searching || !this.last) return html`<p class="soft">${t("seat.loading")}</p>`;
    const back = this.last.more && this.last.back_to ? dateAndTime(this.last.back_to) : null;
    if (back) return html`<p class="soft">${t("search.back_to", { time: back })}</p>`;
    return html`<p class="soft">${t(this.events.length ? "search.whole" : "search.none")}</p>`;
  }

  private line(each: SignificantEvent) {
    const names = [...new Set([...Object.keys(each.before), ...Object.keys(each.after)])];
    const isTable = this.tables.some((one) => one.table === each.table);
    const link = isTable && each.round ? `/audit/${encodeURIComponent(each.table!)}/${each.round}` : null;
    const where = each.table ?? nameOf("stream", each.stream === "cage" ? "cage" : "house");
    return html`<li data-event=${each.event} data-kind=${each.kind}><span class="when">${dateAndTime(each.at)}</span>
      <b>${nameOf("significant", each.kind)}</b>
      <span>${link ? html`<a href=${link}>${where} · ${t("seat.round", { round: each.round })}</a>` : where}</span>
      <div class="told"><b>${actor(each)}</b> ${each.told}${each.reason ? html` <q>${each.reason}</q>` : nothing}
        ${
          names.length
            ? html`<dl>${names.map(
                (name) => html`<div><dt>${valueName(name)}</dt><dd>${changed(name, each)}</dd></div>`,
              )}</dl>`
            : nothing
        }</div></li>`;
  }
}

function changed(name: string, { before, after }: SignificantEvent): string {
  const was = before[name];
  const is = after[name];
  if (was === undefined) return valueText(name, is!);
  return `${valueText(name, was)} → ${is === undefined ? "–" : valueText(name, is)}`;
}

/** Return who did it: a person by name, the cage, the automaton, or the house. */
function actor({ by, name, position }: SignificantEvent): string {
  if (name) return nameOf("duty", name);
  if (by === "automaton") return t("pit.automaton");
  return position === "system" || by === "cage" ? nameOf("stream", by === "cage" ? by : "house") : by;
}
customElements.define("punto-significant", PuntoSignificant);
