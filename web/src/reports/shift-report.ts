/** The shift report: the results of every table in a span of time, on the page and as files. */
import { css, html, LitElement, nothing } from "lit";
import { dayFile, daySheetOf, shiftFile, shiftSheetOf } from "../api/pit";
import type { ShiftSheet } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { t } from "../i18n/catalogue";
import { dateField, gamingDay, parseLocal } from "../i18n/time";
import { shiftSheet } from "./shift-sheet";

const HOURS = 8;
const HOUR = 3_600_000;

export class PuntoShift extends LitElement {
  static override properties = { sheet: { state: true } };
  declare private sheet: ShiftSheet | null;
  private readonly status = new RequestStatus(this);
  /** What is shown: a gaming day, or a span of time. */
  private shown: string | [number, number] = "";

  static override styles = [
    common,
    css`
    .stack { gap: 1rem; grid-template-columns: minmax(0, 1fr); }
    form.row { align-items: end; }
    .card { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; }
    .scroll { overflow-x: auto; }
    tfoot td, tfoot th { font-weight: 700; border-top: 2px solid var(--gold); color: var(--ink); }
    .under { display: block; font-size: .8rem; color: var(--ink-soft); font-weight: 400; }
    tbody th { color: var(--ink); font-size: .95rem; white-space: nowrap; }
    h2 { font-size: 1.05rem; color: var(--gold); margin-bottom: .4rem; }
    h3 { font-size: .95rem; margin: .8rem 0 .2rem; }
    table.sum { width: auto; }
    table[data-openings] { font-size: .85rem; }
    .scroll th[scope="row"] { white-space: nowrap; }
    @media (max-width: 1150px) { .scroll table { font-size: .82rem; } .scroll :is(td, th) { padding-inline: .3rem; } }
    td.when { white-space: nowrap; }
    .warn { color: var(--warn); }
    p { margin: .4rem 0 0; }
    a.file {
      padding: .45rem .9rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel-high);
      text-decoration: none; color: var(--ink); min-height: 2.6rem; display: inline-flex; align-items: center;
    }
    a.file:hover { border-color: var(--gold); }
    details { border-top: 1px solid var(--line); padding: .4rem 0; }
    summary { cursor: pointer; }
    summary b { color: var(--warn); }
    details td { font-size: .9rem; }
    .count { float: right; }
  `,
  ];

  constructor() {
    super();
    this.sheet = null;
    new LanguageController(this, () => this.shown && this.show(this.shown));
  }

  override render() {
    const now = Date.now();
    return html`<div class="stack">
      <form class="card row" @submit=${this.make}>
        <label>${t("pit.from")}<input type="datetime-local" name="from" required
          value=${dateField(now - HOURS * HOUR)}></label>
        <label>${t("pit.to")}<input type="datetime-local" name="to" required value=${dateField(now + 60_000)}></label>
        <button class="main" ?disabled=${this.status.busy}>${t("pit.make_report")}</button>
      </form>
      <form class="card row" @submit=${this.makeDay}>
        <label>${t("pit.gaming_day")}<input type="date" name="day" required value=${gamingDay(now)}></label>
        <button ?disabled=${this.status.busy}>${t("pit.make_day_report")}</button></form>
      ${this.status.view()}
      ${this.sheet ? html`${this.files()}${shiftSheet(this.sheet)}` : nothing}</div>`;
  }

  private async make(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const [from, to] = ["from", "to"].map((name) => parseLocal(String(form.get(name))));
    if (from == null || to == null || from >= to) return this.status.say(t("pit.no_span"), true);
    await this.show([from, to]);
  }

  private async makeDay(event: SubmitEvent) {
    event.preventDefault();
    await this.show(String(new FormData(event.target as HTMLFormElement).get("day")));
  }

  private async show(wanted: string | [number, number]) {
    const request = typeof wanted === "string" ? daySheetOf(wanted) : shiftSheetOf(...wanted);
    const sheet = await this.status.followRequest(request);
    if (sheet) [this.shown, this.sheet] = [wanted, sheet];
  }

  private files() {
    const { shown } = this;
    const path = (format: "pdf" | "json" | "csv") =>
      typeof shown === "string" ? dayFile(shown, format) : shiftFile(...shown, format);
    return html`<div class="row">${(["pdf", "csv", "json"] as const).map(
      (format) => html`<a class="file" download=${`punto-${typeof shown === "string" ? shown : "shift"}.${format}`}
        href=${path(format)}>${format.toUpperCase()}</a>`,
    )}</div>`;
  }
}
customElements.define("punto-shift", PuntoShift);
