/** The settings of the house: a form for its managers, and who changed what before. */
import { css, html, LitElement, nothing } from "lit";
import { changeSettings, houseSettings, type Settings, settingsChanges } from "../api/house";
import type { HouseSettings, SettingsChange } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { type Key, nameOf, t } from "../i18n/catalogue";
import { amount, parseAmount, short } from "../i18n/money";
import { dateTime, keepHouseTime } from "../i18n/time";

/** One setting: how it is shown, and read from what was typed; null where that cannot be one. */
interface Field {
  name: keyof Settings;
  show: (settings: Settings) => string;
  read: (typed: string) => unknown;
  list?: string[];
  /** Whether it is on or off. */
  tick?: boolean;
}

const text = (name: keyof Settings, list?: string[]): Field => ({
  name,
  show: (settings) => String(settings[name]),
  read: (typed) => typed.trim(),
  ...(list && { list }),
});
const money = (name: keyof Settings): Field => ({
  name,
  show: (settings) => amount(settings[name] as number),
  read: parseAmount,
});
const count = (name: keyof Settings): Field => ({
  name,
  show: (settings) => String(settings[name]),
  read: (typed) => (/^\d{1,6}$/.test(typed.trim()) ? Number(typed) : null),
});
const tick = (name: keyof Settings): Field => ({
  name,
  show: (settings) => (settings[name] ? "✓" : "–"),
  read: (typed) => typed === "on",
  tick: true,
});

const FIELDS: Field[] = [
  text("property_name"),
  text("time_zone", Intl.supportedValuesOf("timeZone")),
  {
    name: "day_begins",
    show: ({ day_begins }) => `${String(day_begins).padStart(2, "0")}:00`,
    read: (typed) => (/^(\d|[01]\d|2[0-3])(:00)?$/.test(typed.trim()) ? Number.parseInt(typed, 10) : null),
  },
  { ...text("currency"), read: (typed) => typed.trim().toUpperCase() },
  {
    name: "denominations",
    show: ({ denominations }) => denominations.map((each) => short(each).replaceAll(",", "")).join(", "),
    read: (typed) => {
      const cents = typed.split(/[,，、\s]+/).flatMap((each) => (each ? [parseAmount(each)] : []));
      return cents.includes(null) ? null : cents.sort((one, other) => one! - other!);
    },
  },
  money("cash_threshold"),
  count("alert_hold_seconds"),
  count("alert_differential_percent"),
  money("alert_variance"),
  count("alert_repeats"),
  money("alert_wager"),
  money("alert_win"),
  count("alert_deviations"),
  count("training_days"),
  tick("slips_by_two"),
  tick("second_factor_required"),
  count("staff_idle_minutes"),
];

const label = (name: string) => t(`house.${name}` as Key);

export class PuntoHouseSettings extends LitElement {
  static override properties = { settings: { state: true }, changes: { state: true } };
  declare private settings: Settings | null;
  declare private changes: SettingsChange[];
  private readonly status = new RequestStatus(this);

  static override styles = [
    common,
    css`
    .stack { gap: 1rem; }
    .card { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; }
    form { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .8rem 1rem; }
    input { width: 100%; }
    label.check { display: flex; gap: .6rem; align-items: start; align-content: start; }
    label.check input { width: 1.2rem; min-height: 1.2rem; flex: none; margin-top: .15rem; }
    label.check small { display: block; }
    small { color: var(--ink-soft); }
    .row { grid-column: 1 / -1; }
    h2 { font-size: 1.05rem; color: var(--gold); margin-bottom: .4rem; }
    td { overflow-wrap: anywhere; }
  `,
  ];

  constructor() {
    super();
    this.settings = null;
    this.changes = [];
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.read();
  }

  private async read() {
    [this.settings, this.changes] = await Promise.all([houseSettings(), settingsChanges()]);
  }

  override render() {
    const { settings } = this;
    if (!settings) return html`<p class="soft">${t("seat.loading")}</p>`;
    return html`<div class="stack"><form class="card" @submit=${this.save} novalidate>
        ${FIELDS.map((each) => this.field(each, settings))}
        <div class="row"><button class="main" ?disabled=${this.status.busy}>${t("house.save")}</button>
          ${this.status.view()}</div></form>
      ${this.changes.length ? this.history() : nothing}</div>`;
  }

  private field({ name, show, list, tick }: Field, settings: Settings) {
    if (tick)
      return html`<label class="check"><input type="checkbox" name=${name} ?checked=${settings[name] === true}>
        <span>${label(name)} <small>${label(`${name}.hint`)}</small></span></label>`;
    return html`<label>${label(name)}<input name=${name} autocomplete="off" maxlength="200"
      list=${list ? `${name}-known` : nothing} .value=${show(settings)}><small>${label(`${name}.hint`)}</small>${
        list ? html`<datalist id="${name}-known">${list.map((each) => html`<option value=${each}>`)}</datalist>` : ""
      }</label>`;
  }

  private async save(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const read = FIELDS.map(({ name, read }) => [name, read(String(form.get(name)))] as const);
    const wrong = read.find(([, value]) => value === null);
    if (wrong) return this.status.say(t("house.cannot_read", { name: label(wrong[0]) }), true);
    const wanted = { ...this.settings!, ...Object.fromEntries(read) } as HouseSettings;
    const kept = await this.status.followRequest(changeSettings(wanted, this.settings!), t("house.saved"));
    if (!kept) return;
    keepHouseTime(wanted.time_zone ?? "", wanted.day_begins ?? 0);
    await this.read();
  }

  private history() {
    return html`<section class="card"><h2>${t("house.changes")}</h2><table>
      <thead><tr><th>${t("house.when")}</th><th>${t("house.who")}</th><th>${t("house.what")}</th></tr></thead>
      <tbody>${this.changes.map(
        (each) => html`<tr><td>${dateTime(each.at)}</td>
        <td>${nameOf("duty", each.name || each.position)}</td><td>${changed(each)}</td></tr>`,
      )}</tbody></table></section>`;
  }
}

/** What a change did, field by field. */
function changed({ before, after }: SettingsChange) {
  const both = FIELDS.map(({ name, show }) => [name, show(before as Settings), show(after as Settings)] as const);
  return both
    .filter(([, old, now]) => old !== now)
    .map(([name, old, now]) => html`<div>${label(name)}: ${old || "–"} → <b>${now || "–"}</b></div>`);
}
customElements.define("punto-house-settings", PuntoHouseSettings);
