/** A patron's limits over all tables, what is used of them, and how they take a break or exclude themselves. */
import { css, html, LitElement, nothing } from "lit";
import { excludeMyself, myLimits, setMyLimit } from "../api/account";
import type { LimitShown, LimitsShown } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { t } from "../i18n/catalogue";
import { amount, parseAmount } from "../i18n/money";
import { dateTime } from "../i18n/time";

const KINDS = ["loss", "stake", "time"] as const;
const PERIODS = ["day", "week", "month"] as const;
const MINUTE = 60_000;
/** Days of a break, then of an exclusion; 0 is for good. */
const DAYS = [1, 7, 30, 42, 180, 365, 1825, 0];

const measured = (kind: LimitShown["kind"], value: number) =>
  kind === "time" ? t("overall.minutes", { minutes: Math.floor(value / MINUTE) }) : amount(Math.max(0, value));

export class PuntoHouseLimits extends LitElement {
  static override properties = { shown: { state: true }, asked: { state: true } };
  declare private shown: LimitsShown | null;
  /** The days of an exclusion that the patron has yet to confirm. */
  declare private asked: number | null;
  private readonly setting = new RequestStatus(this);
  private readonly leaving = new RequestStatus(this);

  static override styles = [
    common,
    css`
    :host { display: grid; gap: 1rem; }
    section { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: 1rem; }
    h2 { font-size: 1.05rem; margin: 0 0 .6rem; }
    form, .stack { display: grid; gap: .7rem; justify-items: start; max-width: 24rem; }
    label, input, select { width: 100%; }
    p { margin: 0; } table, .about { margin-bottom: .8rem; }
    [role=alertdialog] { border: 1px solid var(--gold); border-radius: 12px; padding: .8rem 1rem; }
  `,
  ];

  constructor() {
    super();
    this.shown = null;
    this.asked = null;
    new LanguageController(this);
  }

  protected override async firstUpdated(): Promise<void> {
    this.shown = await myLimits();
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("asked") && this.asked !== null)
      this.renderRoot.querySelector<HTMLElement>("[role=alertdialog] button:not(.main)")?.focus();
  }

  override render() {
    if (!this.shown) return nothing;
    return html`<section aria-label=${t("overall.title")}><h2>${t("overall.title")}</h2>
        <p class="soft about">${t("overall.about")}</p>${this.list(this.shown.limits)}${this.form()}</section>
      <section aria-label=${t("overall.break")}><h2>${t("overall.break")}</h2>
        ${this.exclusion(this.shown)}${this.choice()}</section>`;
  }

  private list(limits: LimitShown[]) {
    if (!limits.length) return html`<p class="about">${t("limits.none")}</p>`;
    return html`<table><thead><tr><th scope="col">${t("overall.what")}</th>
        <th scope="col" class="num">${t("overall.used")}</th>
        <th scope="col" class="num">${t("overall.limit")}</th></tr></thead>
      <tbody>${limits.map((each) => this.row(each))}</tbody></table>`;
  }

  private row({ kind, period, limit, used, eased_to, eased_from }: LimitShown) {
    const when = eased_from && dateTime(eased_from);
    const later =
      typeof eased_to === "number"
        ? t("limits.raised_from", { when, limit: measured(kind, eased_to) })
        : t("limits.lifted_from", { when });
    return html`<tr data-limit="${kind} ${period}"><td>${t(`overall.kind.${kind}`)},
        ${t(`overall.period.${period}`)}${when ? html`<br><span class="soft">${later}</span>` : nothing}</td>
      <td class="num">${measured(kind, used)}</td><td class="num">${measured(kind, limit ?? 0)}</td></tr>`;
  }

  private form() {
    return html`<form @submit=${this.set}>
      <label>${t("overall.what")}<select name="kind">${KINDS.map(
        (kind) => html`<option value=${kind}>${t(`overall.kind.${kind}`)}</option>`,
      )}</select></label>
      <label>${t("overall.over")}<select name="period">${PERIODS.map(
        (period) => html`<option value=${period}>${t(`overall.period.${period}`)}</option>`,
      )}</select></label>
      <label>${t("overall.most")}<input name="limit" inputmode="decimal" autocomplete="off"></label>
      <button class="main" ?disabled=${this.setting.busy}>${t("limits.keep")}</button>${this.setting.view()}</form>`;
  }

  private exclusion({ excluded, until }: LimitsShown) {
    if (!excluded) return html`<p class="soft about">${t("overall.break_about")}</p>`;
    return html`<p class="about" data-excluded=${excluded}>${
      until ? t("overall.excluded_until", { when: dateTime(until) }) : t("overall.excluded")
    }</p>`;
  }

  private choice() {
    if (this.asked !== null) return this.confirmation(this.asked);
    return html`<form @submit=${this.ask}><label>${t("overall.how_long")}<select name="days">${DAYS.map(
      (days) => html`<option value=${days}>${this.lasting(days)}</option>`,
    )}</select></label><button ?disabled=${this.leaving.busy}>${t("overall.stop")}</button>
      ${this.leaving.view()}</form>`;
  }

  private confirmation(days: number) {
    return html`<div class="stack" role="alertdialog" aria-labelledby="sure" aria-describedby="means">
      <strong id="sure">${t("overall.sure", { lasting: this.lasting(days) })}</strong>
      <p id="means">${t("overall.not_shortened")}</p>
      <div class="row"><button @click=${() => (this.asked = null)}>${t("overall.back")}</button>
        <button class="main" @click=${() => this.exclude(days)}>${t("overall.confirm")}</button></div></div>`;
  }

  private lasting(days: number): string {
    if (days === 1) return t("overall.period.day");
    return days ? t("overall.days", { days }) : t("overall.for_good");
  }

  private async set(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const typed = new FormData(form);
    const kind = typed.get("kind") as LimitShown["kind"];
    const text = String(typed.get("limit")).trim();
    const cents = parseAmount(text);
    if (text && cents === null) return this.setting.say(t("money.no_amount"), true);
    const limit = cents !== null && kind === "time" ? Math.floor(cents / 100) : cents;
    const asked = setMyLimit(kind, typed.get("period") as LimitShown["period"], limit);
    const shown = await this.setting.followRequest(asked, t("overall.is_set"));
    if (!shown) return;
    this.shown = shown;
    form.reset();
  }

  private ask(event: SubmitEvent) {
    event.preventDefault();
    this.asked = Number(new FormData(event.target as HTMLFormElement).get("days"));
  }

  private async exclude(days: number) {
    this.asked = null;
    this.shown = (await this.leaving.followRequest(excludeMyself(days || null))) ?? this.shown;
  }
}
customElements.define("punto-house-limits", PuntoHouseLimits);
