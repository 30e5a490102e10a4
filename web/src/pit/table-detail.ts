/** One table, whole: play, money, setting, people, and what happened there last. */
import { html, LitElement, nothing } from "lit";
import "../components/tabs";
import "./hold-decision";
import "./table-form";
import type { Order } from "../api/connection";
import { pageConnection } from "../api/page-connection";
import { automate, eventsTold } from "../api/pit";
import { may } from "../api/session";
import { readyShoe } from "../api/shoes";
import type { EventTold, GameShown, Offered, PersonShown, Pit, PitTable, StaffView } from "../api/types";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { currentLanguage, type Key, nameOf, t } from "../i18n/catalogue";
import { amount, parseAmount, short, signed } from "../i18n/money";
import { disabledReason } from "../i18n/refusal-text";
import { dateTime } from "../i18n/time";
import { detailStyle } from "./table-detail-style";
import { total } from "./table-order";

const TABS = ["play", "money", "setting", "people", "events"] as const;
const FIGURES = ["opening", "fills", "credits", "drop", "taken_away", "closing", "commission"] as const;

export class PuntoDetail extends LitElement {
  static override properties = {
    about: { attribute: false },
    view: { attribute: false },
    game: { attribute: false },
    pit: { attribute: false },
    staff: { attribute: false },
    names: { attribute: false },
    tab: { state: true },
    events: { state: true },
  };
  static override styles = detailStyle;
  declare about: PitTable;
  declare view: StaffView;
  declare game: GameShown;
  declare pit: Pit;
  declare staff: PersonShown[];
  /** How people are called, as far as whoever looks may know. */
  declare names: ReadonlyMap<string, string>;
  declare private tab: string;
  declare private events: EventTold[];
  private readonly said = new RequestStatus(this);
  private toldOf = "";

  constructor() {
    super();
    this.tab = "play";
    this.events = [];
    new LanguageController(this);
  }

  override updated() {
    const wanted = `${this.about.table} ${this.about.number} ${currentLanguage()}`;
    if (this.tab !== "events" || wanted === this.toldOf) return;
    this.toldOf = wanted;
    void eventsTold(this.about.table, currentLanguage()).then((events) => (this.events = events));
  }

  override render() {
    if (!this.view.setting)
      return html`<div class="stack">${this.automation()}<punto-open-table .about=${this.about} .game=${this.game}
      .pit=${this.pit}></punto-open-table></div>`;
    const tabs = TABS.map((key) => ({ key, name: t(`pit.tab.${key}`) }));
    return html`<punto-tabs .tabs=${tabs} .shown=${this.tab} label=${t("seat.table", { table: this.about.table })} @shown=${this.turn}>
      <div class="panel">${this.panel()}${this.said.shown()}</div></punto-tabs>`;
  }

  private panel() {
    switch (this.tab) {
      case "money":
        return this.money();
      case "setting":
        return this.setting();
      case "people":
        return this.people();
      case "events":
        return this.happened();
      default:
        return this.play();
    }
  }

  private turn(event: CustomEvent<string>) {
    this.tab = event.detail;
    this.said.say("");
  }

  private name(id: string): string {
    return nameOf("duty", this.names.get(id) ?? id);
  }

  // --- commands -----------------------------------------------------------------------------------------------------

  private offered(command: string): Offered[] {
    return this.about.management.filter((each) => each.command === command);
  }

  private give(command: string, values: object = {}): Promise<boolean> {
    return this.said.given(
      pageConnection().give({ command, ...values, table: this.about.table } as Order),
      t("pit.done"),
    );
  }

  /** A button for a command, if it is mine to give; it says why not, if it would be refused now. */
  private button(offered: Offered | undefined, label: string, give: () => unknown, main = false) {
    if (!offered?.mine) return nothing;
    const why = offered.refused ? disabledReason(offered.refused) : "";
    return html`<button class=${main ? "main" : ""} title=${why} ?disabled=${Boolean(why) || this.said.busy} @click=${give}>${label}</button>`;
  }

  /** Commands that take an amount, each with its own field. */
  private withAmount(command: "Fill" | "Credit" | "CloseTable", field: "amount" | "counted") {
    const [offered] = this.offered(command);
    if (!offered?.mine) return nothing;
    const why =
      offered.refused && !["not-enough-float"].includes(offered.refused.code) ? disabledReason(offered.refused) : "";
    const send = async (event: SubmitEvent) => {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      const cents = parseAmount(String(new FormData(form).get(field)));
      if (cents === null) return this.said.say(t("money.no_amount"), true);
      if (await this.give(command, { [field]: cents })) form.reset();
    };
    return html`<form class="row" @submit=${send}><label>${t(`pit.ask.${command}`)}<input name=${field} inputmode="decimal" autocomplete="off" required></label>
      <button title=${why} ?disabled=${Boolean(why) || this.said.busy}>${t(`pit.do.${command}`)}</button>${
        why ? html`<span class="soft">${why}</span>` : nothing
      }</form>`;
  }

  // --- what is shown ------------------------------------------------------------------------------------------------

  private play() {
    const { view, about } = this;
    return html`
      ${view.hold ? html`<punto-decision .about=${about} .view=${view} .clauses=${this.game.clauses}></punto-decision>` : nothing}
      ${about.differential ? this.differential(about.differential) : nothing}
      <h3>${t("pit.on_layout", { amount: amount(total(view.wagers)) })}</h3>
      ${
        view.wagers.length
          ? html`<table><thead><tr><th>${t("seat.position")}</th><th>${t("odds.wager")}</th><th>${t("pit.patron")}</th><th
        class="num">${t("money.amount")}</th></tr></thead>
        <tbody>${[...view.wagers]
          .sort((one, other) => one.position - other.position)
          .map(
            (each) =>
              html`<tr><td>${each.position}</td><td>${nameOf("wager", each.wager)}</td><td>${this.name(each.patron)}</td><td
          class="num">${amount(each.amount)}</td></tr>`,
          )}</tbody></table>`
          : html`<p class="soft">${t("pit.nothing_laid")}</p>`
      }`;
  }

  private differential({ higher, lower, difference, allowed, excess }: NonNullable<PitTable["differential"]>) {
    const side = (wager: string) => {
      const on = this.view.wagers.filter((each) => each.wager === wager);
      return html`<div class="hand ${wager}"><h4>${nameOf("wager", wager)}</h4><strong>${amount(total(on))}</strong>
        ${on.length ? html`<ul>${on.map((each) => html`<li>${this.name(each.patron)} <span>${amount(each.amount)}</span></li>`)}</ul>` : nothing}</div>`;
    };
    return html`<h3>${t("pit.differential")}</h3><div class="hands">${side(higher)}${side(lower)}
      <div class="hand ${excess ? "over" : ""}"><h4>${t("pit.difference")}</h4><strong>${amount(difference)}</strong>
        <p class="soft">${allowed === null ? t("pit.no_differential") : t("pit.allowed", { allowed: amount(allowed) })}</p>${
          excess ? html`<p class="lost">${t("pit.excess", { excess: amount(excess) })}</p>` : nothing
        }</div></div>`;
  }

  private money() {
    const { money } = this.about;
    if (!money) return nothing;
    return html`<div class="columns"><dl>${FIGURES.map((each) => html`<dt>${t(`pit.figure.${each}`)}</dt><dd>${amount(money[each])}</dd>`)}
        <dt class="sum">${t("pit.win")}</dt><dd class="sum ${money.win < 0 ? "lost" : "won"}">${signed(money.win)}</dd>
        <dt>${t("pit.hold")}</dt><dd>${money.hold_percent ?? "–"}${money.hold ? html` <span class="soft">${money.hold}</span>` : nothing}</dd>
        <dt>${t("pit.rounds")}</dt><dd>${this.about.rounds}</dd></dl>
      <div class="stack">${this.withAmount("Fill", "amount")}${this.withAmount("Credit", "amount")}${this.withAmount("CloseTable", "counted")}</div></div>
      <p class="soft">${t("pit.formula")}</p>`;
  }

  private setting() {
    const setting = this.view.setting!;
    const facts: [string, string][] = [
      [t("pit.set.layout"), `${setting.layout}, ${t("pit.positions", { positions: setting.positions })}`],
      [t("pit.set.decks"), String(setting.decks)],
      [t("pit.set.device"), t(`pit.device.${setting.device}` as Key)],
      [t("pit.method"), setting.method ?? "–"],
      ["HLGA", setting.hlga ? t("pit.yes") : t("pit.no")],
      [t("pit.differential"), setting.differential == null ? t("pit.set.none") : amount(setting.differential)],
      [t("pit.set.stake_step"), amount(setting.stake_step)],
      [t("pit.capacity"), String(setting.area_capacity ?? "")],
      [t("pit.set.confirms"), nameOf("duty", setting.confirms ?? "")],
      [
        t("pit.set.betting_seconds"),
        setting.betting_seconds == null ? t("pit.set.no_time") : String(setting.betting_seconds),
      ],
      [
        t("pit.set.answer_seconds"),
        setting.answer_seconds == null ? t("pit.set.no_time") : String(setting.answer_seconds),
      ],
    ];
    return html`<div class="columns"><dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      <div class="stack">${this.limits(setting.limits)}
        <div class="row">${this.offered("ChangeMethod").map((each) =>
          this.button(each, t("pit.do.ChangeMethod", { method: String(each.values.method) }), () =>
            this.give("ChangeMethod", each.values),
          ),
        )}</div>
        <div class="row">${this.offered("RestrictArea").map((each) =>
          this.button(each, t("pit.do.RestrictArea", { capacity: String(each.values.capacity) }), () =>
            this.give("RestrictArea", each.values),
          ),
        )}</div>
        ${this.shoe()}${this.automation()}</div></div>`;
  }

  private limits(limits: NonNullable<StaffView["setting"]>["limits"]) {
    const [offered] = this.offered("ChangeLimits");
    const why = offered?.refused ? disabledReason(offered.refused) : "";
    const field = (wager: string, which: "minimum" | "maximum") => {
      const cents = limits[wager]![which];
      return offered?.mine
        ? html`<input name="${which} ${wager}" inputmode="decimal"
        aria-label=${t(`pit.${which}_of`, { wager: nameOf("wager", wager) })} value=${amount(cents)} data-known=${cents}>`
        : short(cents);
    };
    return html`<form @submit=${this.changeLimits}><table class="limits"><thead><tr><th>${t("odds.wager")}</th><th
      class="num">${t("pit.minimum")}</th><th class="num">${t("pit.maximum")}</th></tr></thead>
      <tbody>${Object.keys(limits).map(
        (wager) => html`<tr><td>${nameOf("wager", wager)}</td><td
        class="num">${field(wager, "minimum")}</td><td class="num">${field(wager, "maximum")}</td></tr>`,
      )}</tbody></table>
      ${
        offered?.mine
          ? html`<div class="row"><button ?disabled=${Boolean(why) || this.said.busy}
        title=${why}>${t("pit.do.ChangeLimits")}</button>${why ? html`<span class="soft">${why}</span>` : nothing}</div>`
          : nothing
      }</form>`;
  }

  private changeLimits = async (event: SubmitEvent) => {
    event.preventDefault();
    const limits: Record<string, { minimum: number; maximum: number }> = {};
    for (const row of (event.target as HTMLFormElement).querySelectorAll("tbody tr")) {
      const fields = [...row.querySelectorAll("input")];
      const [minimum, maximum] = fields.map((each) => parseAmount(each.value));
      if (minimum == null || maximum == null) return this.said.say(t("money.no_amount"), true);
      if (fields.some((each) => parseAmount(each.value) !== Number(each.dataset.known)))
        limits[fields[0]!.name.replace("minimum ", "")] = { minimum, maximum };
    }
    if (Object.keys(limits).length) await this.give("ChangeLimits", { limits });
    else this.said.say(t("pit.no_change"));
  };

  private shoe() {
    const [load] = this.offered("LoadShoe"),
      [end] = this.offered("EndShoe"),
      [replace] = this.offered("ReplaceCards");
    return html`<div class="row"><span>${this.view.shoe ? t("pit.shoe_is", { shoe: this.view.shoe }) : t("pit.no_shoe")}</span>
      ${this.view.shoe ? this.button(end, t("pit.do.EndShoe"), () => this.give("EndShoe")) : this.button(load, t("pit.do.LoadShoe"), () => this.load(), true)}
      ${replace?.refused ? nothing : this.button(replace, t("pit.do.ReplaceCards"), () => this.give("ReplaceCards"))}</div>`;
  }

  private async load() {
    const sealed = this.view.setting?.device === "sealed";
    const shoe = sealed
      ? await this.said.asked(readyShoe(this.about.table))
      : `${this.about.table} ${this.about.number}`;
    if (shoe) await this.give("LoadShoe", { shoe });
  }

  private automation() {
    if (!may("create-tables")) return nothing;
    const set = async (step: string, on: boolean) => {
      const steps = on ? [...this.about.automatic, step] : this.about.automatic.filter((each) => each !== step);
      await this.said.asked(automate(this.about.table, steps), t("pit.done"));
      this.dispatchEvent(new CustomEvent("stale")); // no event at the table tells of it
    };
    return html`<fieldset class="steps"><legend>${t("pit.automatic")}</legend>${this.pit.steps.map(
      (step) => html`<label
      class="check"><input type="checkbox" .checked=${this.about.automatic.includes(step)}
      @change=${(event: Event) => set(step, (event.target as HTMLInputElement).checked)}>${t(`pit.step.${step}` as Key)}</label>`,
    )}</fieldset>`;
  }

  private people() {
    const { view } = this;
    const patrons = [...new Set([...Object.keys(view.chips), ...Object.keys(view.owed)])].filter(
      (each) => view.chips[each] || view.owed[each],
    );
    return html`<div class="columns"><div><h3>${t("pit.patrons")}</h3>
        ${
          patrons.length
            ? html`<table><thead><tr><th>${t("pit.patron")}</th><th class="num">${t("seat.chips")}</th><th
          class="num">${t("seat.on_layout")}</th><th class="num">${t("pit.owes")}</th></tr></thead>
          <tbody>${patrons.map(
            (each) => html`<tr><td>${this.name(each)}</td><td class="num">${amount(view.chips[each] ?? 0)}</td><td
            class="num">${amount(total(view.wagers.filter((laid) => laid.patron === each)))}</td><td
            class="num ${view.owed[each] ? "lost" : ""}">${view.owed[each] ? amount(view.owed[each]) : "–"}</td></tr>`,
          )}</tbody></table>`
            : html`<p class="soft">${t("pit.no_patrons")}</p>`
        }</div>
      <div><h3>${t("pit.acting")}</h3>${this.acting()}</div></div>`;
  }

  private acting() {
    const ends = this.offered("EndActing"),
      roles = this.offered("AppointActing").filter((each) => each.mine);
    const appoint = async (event: SubmitEvent) => {
      event.preventDefault();
      const form = new FormData(event.target as HTMLFormElement);
      const until = form.get("until") ? new Date(String(form.get("until"))).getTime() : null;
      await this.give("AppointActing", { person: form.get("person"), role: form.get("role"), until });
    };
    return html`${
      this.view.acting.length
        ? html`<ul
      class="acting">${this.view.acting.map(
        (each) =>
          html`<li>${t("pit.acts_as", { who: this.name(each.person), role: nameOf("duty", each.role) })}${
            each.until ? ` · ${t("pit.until", { time: dateTime(each.until) })}` : ""
          }
          ${this.button(
            ends.find(({ values }) => values.person === each.person && values.role === each.role),
            t("pit.do.EndActing"),
            () => this.give("EndActing", { person: each.person, role: each.role }),
          )}</li>`,
      )}</ul>`
        : html`<p class="soft">${t("pit.nobody_acts")}</p>`
    }
      ${
        roles.length
          ? html`<form class="stack" @submit=${appoint}><label>${t("pit.person")}<select
        name="person">${this.staff
          .filter((each) => each.active !== false)
          .map(
            (each) => html`<option
        value=${each.id}>${nameOf("duty", each.name)}</option>`,
          )}</select></label>
        <label>${t("pit.position")}<select name="role">${roles.map(
          (each) => html`<option
          value=${String(each.values.role)}>${nameOf("duty", String(each.values.role))}</option>`,
        )}</select></label>
        <label>${t("pit.until_when")}<input type="datetime-local" name="until"></label><div class="row"><button
          ?disabled=${this.said.busy}>${t("pit.do.AppointActing")}</button></div></form>`
          : nothing
      }`;
  }

  private happened() {
    return html`<ol class="events">${this.events.map(
      (each) =>
        html`<li><time>${dateTime(each.at)}</time><span>${
          each.position === "patron" ? nothing : html`<b>${this.who(each)}</b> `
        }${each.told}${
          each.clauses.length ? html` <span class="soft">§ ${each.clauses.join(", ")}</span>` : nothing
        }</span></li>`,
    )}</ol>`;
  }

  private who({ by, name, position }: EventTold): string {
    return name
      ? `${nameOf("duty", name)}${name === position ? "" : `, ${nameOf("duty", position)}`}`
      : by === "automaton"
        ? t("pit.automaton")
        : nameOf("duty", position);
  }
}
customElements.define("punto-pit-detail", PuntoDetail);
