/** Alerts of all tables: each stays until a person acknowledges it by name. */
import { css, html, LitElement, nothing } from "lit";
import type { Order } from "../api/connection";
import { pageConnection } from "../api/page-connection";
import { acknowledge, alerts } from "../api/pit";
import { may } from "../api/session";
import type { AlertShown, Alerts } from "../api/types";
import { common } from "../components/style";
import { IntervalController } from "../controllers/interval-controller";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { type Key, nameOf, t } from "../i18n/catalogue";
import { amount, signed } from "../i18n/money";
import { toSecond } from "../i18n/time";

const READ_EVERY = 5_000;
/** Values that are amounts, with their signs where they have one. */
const MONEY = new Set(["amount", "allowed", "apart", "counted", "expected"]);
const SIGNED = new Set(["difference", "high", "low", "won"]);

export class PuntoAlerts extends LitElement {
  static override properties = { told: { state: true }, events: { type: Number } };
  declare private told: Alerts | null;
  /** How many events the tables have had: when it grows, there may be new alerts. */
  declare events: number;
  private readonly status = new RequestStatus(this);

  static override styles = [
    common,
    css`
    section { border: 1px solid var(--banker-ink); border-radius: 12px; padding: .6rem .9rem; background: var(--panel) }
    h2 { font-size: 1.05rem; color: var(--banker-ink); }
    ul { list-style: none; margin: 0; padding: 0; }
    li {
      display: grid; grid-template-columns: 5.5rem 9rem minmax(0, 1fr) auto; gap: .2rem .8rem; align-items: center;
      padding: .3rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere;
    }
    time { color: var(--ink-soft); font-variant-numeric: tabular-nums; }
    form { display: flex; gap: .4rem; }
    input { min-height: 2.2rem; width: 11rem; }
    button { min-height: 2.2rem; }
    summary { cursor: pointer; color: var(--ink-soft); }
    @media (max-width: 720px) { li { grid-template-columns: 1fr 1fr; } form { grid-column: 1 / -1; } }
  `,
  ];

  constructor() {
    super();
    this.told = null;
    this.events = 0;
    new LanguageController(this);
    new IntervalController(this, READ_EVERY, () => void this.read());
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has("events")) void this.read();
  }

  private async read(): Promise<void> {
    try {
      this.told = await alerts();
    } catch {
      // The server is away or limits the rate: the next time asks again.
    }
  }

  override render() {
    const { waiting = [], acknowledged = [] } = this.told ?? {};
    if (!waiting.length && !acknowledged.length) return nothing;
    return html`<section aria-label=${t("pit.alerts")}>
      <h2 aria-live="polite">${t("pit.alerts_waiting", { count: waiting.length })}</h2>
      <ul>${waiting.map(
        (each) => html`<li data-alert=${each.kind} data-table=${each.table}>${this.line(each)}${this.form(each)}</li>`,
      )}</ul>
      ${
        acknowledged.length
          ? html`<details><summary>${t("pit.alerts_done", { count: acknowledged.length })}</summary>
            <ul>${acknowledged.map(
              (each) =>
                html`<li>${this.line(each)}<span class="soft">${t("pit.acknowledged", {
                  who: this.name(each.acknowledged!.by),
                  time: toSecond(each.acknowledged!.at),
                })}${each.acknowledged!.note ? ` · ${each.acknowledged!.note}` : ""}</span></li>`,
            )}</ul></details>`
          : nothing
      }${this.status.view()}</section>`;
  }

  private line({ table, kind, at, values }: AlertShown) {
    const shown = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.shown(name, value)]));
    const said =
      kind === "device"
        ? `alert.device.${values.why}`
        : kind === "call" && values.note
          ? "alert.call.note"
          : `alert.${kind}`;
    return html`<time>${toSecond(at)}</time><b>${table}</b><span>${t(said as Key, shown)}</span>`;
  }

  private shown(name: string, value: string | number): string {
    if (typeof value === "number")
      return SIGNED.has(name) ? signed(value) : MONEY.has(name) ? amount(value) : String(value);
    if (name === "wager") return nameOf("wager", value);
    if (name === "provision") return nameOf("provision", value);
    return name === "patron" || name === "person" ? this.name(value) : value;
  }

  private name(person: string): string {
    const name = this.told?.names[person] ?? person;
    return name ? nameOf("duty", name) : t("dealer.name_erased");
  }

  private form(alert: AlertShown) {
    if (!may("acknowledge-alerts")) return html`<span></span>`;
    const send = async (event: SubmitEvent) => {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      const done = await this.acknowledge(alert, String(new FormData(form).get("note") ?? ""));
      if (done) form.reset();
      await this.read();
    };
    return html`<form @submit=${send}>${
      alert.kind === "call"
        ? nothing
        : html`<input name="note" autocomplete="off" maxlength="300" aria-label=${t("pit.note")}
            placeholder=${t("pit.alert_note")}>`
    }<button class="main" ?disabled=${this.status.busy}>${
      alert.kind === "call" ? t("do.AnswerCall") : t("pit.acknowledge")
    }</button></form>`;
  }

  /** Acknowledge an alert; a call is answered at its table, unless that is shut by now. */
  private async acknowledge({ table, kind, number }: AlertShown, note: string): Promise<boolean> {
    if (kind === "call") {
      const answer = await pageConnection().give({ command: "AnswerCall", table } as Order);
      if (answer.type === "done") return true;
    }
    return (await this.status.followRequest(acknowledge({ table, kind, number, note }))) !== null;
  }
}
customElements.define("punto-alerts", PuntoAlerts);
