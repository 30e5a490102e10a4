/** The shift report: the results of every table in a span of time, on the page and as files. */
import { css, html, LitElement, nothing } from "lit";
import { dayFile, dayReport, shiftFile, shiftReport } from "../api/pit";
import type { ByClause, Made, ShiftReport } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { currentLanguage, nameOf, t } from "../i18n/catalogue";
import { amount, signed } from "../i18n/money";
import { dateTime } from "../i18n/time";

const HOURS = 8;
const HOUR = 3_600_000;

/** Format a time for a date and time field, in the reader's time zone. */
function inField(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export class PuntoShift extends LitElement {
  static override properties = { report: { state: true } };
  declare private report: ShiftReport | null;
  private readonly status = new RequestStatus(this);
  private span: [number, number] = [0, 0];

  static override styles = [
    common,
    css`
    .stack { gap: 1rem; }
    form.row { align-items: end; }
    .card { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; }
    .scroll { overflow-x: auto; }
    tfoot td, tfoot th { font-weight: 700; border-top: 2px solid var(--gold); color: var(--ink); }
    .under { display: block; font-size: .8rem; color: var(--ink-soft); font-weight: 400; }
    tbody th { color: var(--ink); font-size: .95rem; }
    h2 { font-size: 1.05rem; color: var(--gold); margin-bottom: .4rem; }
    p { margin: .4rem 0 0; }
    a.file {
      padding: .45rem .9rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel-high);
      text-decoration: none; color: var(--ink); min-height: 2.6rem; display: inline-flex; align-items: center;
    }
    a.file:hover { border-color: var(--gold); }
    .figures { display: flex; gap: .4rem 2rem; flex-wrap: wrap; }
    .figures div { display: grid; }
    .figures span { font-size: .85rem; color: var(--ink-soft); }
    .figures strong { font-size: 1.2rem; font-variant-numeric: tabular-nums; }
    details { border-top: 1px solid var(--line); padding: .4rem 0; }
    summary { cursor: pointer; }
    summary b { color: var(--warn); }
    details td { font-size: .9rem; }
    .count { float: right; }
  `,
  ];

  constructor() {
    super();
    this.report = null;
    new LanguageController(this);
  }

  override render() {
    const now = Date.now();
    return html`<div class="stack">
      <form class="card row" @submit=${this.make}>
        <label>${t("pit.from")}<input type="datetime-local" name="from" required
          value=${inField(now - HOURS * HOUR)}></label>
        <label>${t("pit.to")}<input type="datetime-local" name="to" required value=${inField(now + 60_000)}></label>
        <button class="main" ?disabled=${this.status.busy}>${t("pit.make_report")}</button>
      </form>
      <form class="card row" @submit=${this.makeDay}>
        <label>${t("pit.gaming_day")}<input type="date" name="day" required value=${inField(now).slice(0, 10)}></label>
        <button ?disabled=${this.status.busy}>${t("pit.make_day_report")}</button></form>
      ${this.status.view()}
      ${this.report ? html`${this.files(this.report)}${this.shown(this.report)}` : nothing}</div>`;
  }

  private async make(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const [from, to] = ["from", "to"].map((name) => new Date(String(form.get(name))).getTime()) as [number, number];
    if (!(from < to)) return this.status.say(t("pit.no_span"), true);
    const report = await this.status.followRequest(shiftReport(from, to, currentLanguage()));
    if (!report) return;
    this.span = [from, to];
    this.report = report;
  }

  private async makeDay(event: SubmitEvent) {
    event.preventDefault();
    const day = String(new FormData(event.target as HTMLFormElement).get("day"));
    this.report = (await this.status.followRequest(dayReport(day, currentLanguage()))) ?? this.report;
  }

  private files({ day }: ShiftReport) {
    const path = (format: "pdf" | "json" | "csv") =>
      day ? dayFile(day, format, currentLanguage()) : shiftFile(...this.span, format, currentLanguage());
    return html`<div class="row">${(["pdf", "csv", "json"] as const).map(
      (format) => html`<a class="file" download=${`punto-${day ?? "shift"}.${format}`}
        href=${path(format)}>${format.toUpperCase()}</a>`,
    )}</div>`;
  }

  private shown(report: ShiftReport) {
    if (!report.tables.length) return html`<p class="card">${t("pit.none_open")}</p>`;
    const { total } = report;
    const big: [string, string][] = [
      [t("pit.drop"), amount(total.figures.drop)],
      [t("pit.win"), signed(total.figures.win)],
      [t("pit.hold"), total.figures.hold_percent ?? "–"],
      [t("pit.turnover"), amount(total.turnover)],
      [t("pit.rounds"), String(total.rounds)],
    ];
    return html`<section class="card figures"
      aria-label=${t("pit.all_tables")}>${big.map(
        ([name, value]) => html`<div><span>${name}</span><strong>${value}</strong></div>`,
      )}</section>
      <section class="card"><h2>${t("pit.tables")}</h2><div class="scroll"><table>
        <thead><tr><th>${t("pit.table")}</th>${(["opening", "fills", "drop", "credits"] as const).map(
          (each) => html`<th
          class="num">${t(`pit.figure.${each}`)}</th>`,
        )}<th class="num">${t("pit.closing")}</th><th class="num">${t("pit.win")}</th><th
          class="num">${t("pit.hold")}</th><th class="num">${t("pit.figure.commission")}</th>
          <th class="num">${t("pit.rounds")}</th><th
          class="num">${t("pit.turnover")}</th></tr></thead>
        <tbody>${report.tables.map(
          (each) => html`<tr data-table=${each.table}><th scope="row">${each.table}<span
          class="under">${nameOf("game", each.title)}${each.open ? ` · ${t("pit.still_open")}` : ""}</span></th>
          ${this.cells(each.made)}</tr>`,
        )}</tbody>
        <tfoot><tr><th scope="row">${t("pit.all_tables")}</th>${this.cells(total)}</tr></tfoot></table></div>
        <p class="soft">${t("pit.formula")}</p>
        <p class="soft">${t("pit.reconciled", {
          won: signed(total.won),
          claims: amount(total.claims),
          difference: signed(total.count_difference),
          win: signed(total.figures.win),
        })}</p></section>
      <section class="card"><h2>${t("pit.irregularities")}</h2>${
        report.irregularities.length
          ? report.irregularities.map((each) => this.clause(each))
          : html`<p class="soft">${t("pit.no_irregularities")}</p>`
      }</section>`;
  }

  private cells({ figures, rounds, turnover }: Made) {
    const { opening, fills, drop, credits, closing, win, hold_percent, commission } = figures;
    return html`${[opening, fills, drop, credits, closing].map((each) => html`<td class="num">${amount(each)}</td>`)}<td
      class="num ${win < 0 ? "lost" : win ? "won" : ""}">${signed(win)}</td>
      <td class="num">${hold_percent ?? "–"}</td>
      <td
      class="num">${amount(commission)}</td><td class="num">${rounds}</td><td class="num">${amount(turnover)}</td>`;
  }

  private clause(group: ByClause) {
    return html`<details><summary><b>${group.clause ? `§ ${group.clause}` : t("pit.no_clause")}</b>
      ${nameOf("game", group.title)} <span
      class="soft">${group.text}</span><span
        class="count soft">${group.irregularities.length}</span></summary>
      <div class="scroll"><table><tbody>${group.irregularities.map(
        (each) =>
          html`<tr><td>${dateTime(each.at)}</td><td>${each.table}</td><td>${
            each.round === null ? "" : t("seat.round", { round: each.round })
          }</td><td>${each.told}${each.note ? html`<span class="under">${each.note}</span>` : nothing}${
            each.reason ? html`<span class="under">${each.reason}</span>` : nothing
          }</td>
        <td>${nameOf("duty", each.name ?? each.authorised_by)}<span
          class="under">${[each.position, ...each.acting_in]
            .map((role) => nameOf("duty", role))
            .join(", ")}</span></td></tr>`,
      )}</tbody></table></div></details>`;
  }
}
customElements.define("punto-shift", PuntoShift);
