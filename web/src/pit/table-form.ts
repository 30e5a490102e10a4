/** A form that opens a table, with the game's own layouts, methods and decks to choose from. The table validates it. */
import { css, html, LitElement, nothing } from "lit";
import "../components/chip-count";
import type { Order } from "../api/connection";
import { houseSettings } from "../api/house";
import { pageConnection } from "../api/page-connection";
import type { GameShown, NewSetting, Pit, PitTable, SensitiveAct } from "../api/types";
import type { PuntoChipCount } from "../components/chip-count";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { type Key, nameOf, t } from "../i18n/catalogue";
import { amount, parseAmount } from "../i18n/money";

const NO_AMOUNT = new Error("no amount");
const SENSITIVE: SensitiveAct[] = ["correction", "removal", "void", "withdrawal"];

export class PuntoOpenTable extends LitElement {
  static override properties = {
    about: { attribute: false },
    game: { attribute: false },
    pit: { attribute: false },
    layout: { state: true },
    denominations: { state: true },
  };
  declare about: PitTable;
  declare game: GameShown;
  declare pit: Pit;
  declare private layout: string;
  declare private denominations: number[];
  private readonly status = new RequestStatus(this);

  static override styles = [
    common,
    css`
    form { display: grid; gap: 1rem; }
    .fields {
      display: grid; grid-template-columns: repeat(auto-fill, minmax(11.5rem, 1fr)); gap: .7rem .9rem;
      align-items: end;
    }
    fieldset { border: 1px solid var(--line); border-radius: 12px; padding: .7rem .9rem; margin: 0; min-width: 0; }
    legend { color: var(--gold); font-weight: 650; padding: 0 .4rem; }
    input, select { width: 100%; }
    label.check { display: flex; gap: .5rem; align-items: center; min-height: 2.6rem; color: var(--ink); }
    .second { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; align-items: center; }
    label.check input { width: 1.2rem; min-height: 1.2rem; flex: none; }
    details { margin-top: .7rem; }
    summary { cursor: pointer; margin-bottom: .5rem; }
    .limits { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .4rem 1.2rem; }
    .limits > div { display: grid; grid-template-columns: 1fr 6.5rem 6.5rem; gap: .4rem; align-items: center; }
    .limits input { text-align: right; min-height: 2.2rem; padding: .2rem .5rem; }
  `,
  ];

  constructor() {
    super();
    this.layout = "";
    this.denominations = [];
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.read();
  }

  private async read() {
    this.denominations = (await houseSettings()).denominations;
  }

  override render() {
    const { game, about } = this;
    const setting = about.suggested;
    const offered = about.management.find((each) => each.command === "OpenTable");
    if (!setting || !offered?.mine)
      return html`<p>${t("pit.shut")}
        ${offered ? t("pit.opened_by", { who: nameOf("duty", offered.role) }) : nothing}</p>`;
    return html`<form @submit=${this.submit} novalidate>
      <fieldset><legend>${t("pit.set.table")}</legend><div class="fields">${this.tableFields(setting)}</div>
        <details><summary>${t("count.opening")}</summary><punto-chip-count .denominations=${this.denominations}
          @input=${this.countFloat}></punto-chip-count></details></fieldset>
      <fieldset><legend>${t("pit.set.house")}</legend><div class="fields">${this.houseFields(setting)}</div></fieldset>
      <fieldset><legend>${t("pit.set.staff")}</legend><div class="fields">${this.staffFields(setting)}</div></fieldset>
      <fieldset><legend>${t("pit.limits_from_to")}</legend><div class="limits">${game.wagers.map(({ wager }) => {
        const limits = setting.limits[wager];
        const name = nameOf("wager", wager);
        return html`<div><span>${name}</span>
          <input name="minimum ${wager}" inputmode="decimal" aria-label=${t("pit.minimum_of", { wager: name })}
            value=${limits ? amount(limits.minimum) : ""}>
          <input name="maximum ${wager}" inputmode="decimal" aria-label=${t("pit.maximum_of", { wager: name })}
            value=${limits ? amount(limits.maximum) : ""}></div>`;
      })}</div></fieldset>
      <div class="row"><button class="main"
        ?disabled=${this.status.busy}>${t("pit.do.OpenTable")}</button>${this.status.view()}</div>
    </form>`;
  }

  private tableFields(setting: NonNullable<PitTable["suggested"]>) {
    const { game } = this;
    const layout = game.layouts.find((each) => each.layout === (this.layout || setting.layout)) ?? game.layouts[0]!;
    const [fewest, most] = layout.positions ?? [1, undefined];
    return html`
      <label>${t("pit.set.float")}<input name="float" inputmode="decimal" autocomplete="off" required
        placeholder="50,000.00"></label>
      <label>${t("pit.set.layout")}<select name="layout"
        @change=${(event: Event) => (this.layout = (event.target as HTMLSelectElement).value)}>${game.layouts.map(
          (each) => html`<option
        value=${each.layout} ?selected=${each === layout}>${nameOf("layout", each.layout)}
          (§ ${each.clause})</option>`,
        )}</select></label>
      <label>${t("pit.set.positions")}<input name="positions" type="number" min=${fewest} max=${most ?? nothing}
        .value=${String(layout.layout === setting.layout ? setting.positions : (most ?? setting.positions))}></label>
      <label>${t("pit.set.decks")}<input name="decks" type="number" min=${game.decks[0]} max=${game.decks[1]}
        value=${setting.decks}></label>
      <label>${t("pit.set.device")}<select name="device">${this.pit.devices.map(
        (each) => html`<option value=${each}
        ?selected=${each === setting.device}>${t(`pit.device.${each}` as Key)}</option>`,
      )}</select></label>
      ${
        game.methods.length
          ? html`<label>${t("pit.method")}<select
        name="method">${game.methods.map(
          (each) => html`<option value=${each.name}
        ?selected=${each.name === setting.method}>${each.name} (§ ${each.clause}${
          each.hlga_only ? ", HLGA" : ""
        }; ${nameOf("duty", each.chosen_by)})</option>`,
        )}</select></label>`
          : nothing
      }
      ${
        game.hlga
          ? html`<label>HLGA<select name="room"><option value="">${t("pit.no")}</option>${(game.rooms ?? []).map(
              (each) => html`<option value=${each} ?selected=${each === setting.room}>${each}</option>`,
            )}</select></label>`
          : nothing
      }`;
  }

  private houseFields(setting: NonNullable<PitTable["suggested"]>) {
    const seconds = (
      name: "betting_seconds" | "answer_seconds",
    ) => html`<label>${t(`pit.set.${name}`)}<input name=${name} type="number"
      min="1" value=${setting[name] ?? ""} placeholder=${t("pit.set.no_time")}></label>`;
    return html`
      ${
        this.game.differential
          ? html`<label>${t("pit.differential")}<input name="differential" inputmode="decimal" autocomplete="off"
        value=${setting.differential == null ? "" : amount(setting.differential)}
          placeholder=${t("pit.set.none")}></label>`
          : nothing
      }
      <label>${t("pit.set.stake_step")}<input name="stake_step" inputmode="decimal" autocomplete="off"
        value=${amount(setting.stake_step)}></label>
      <label>${t("pit.capacity")}<input name="area_capacity" type="number" min="1"
        value=${setting.area_capacity ?? ""} placeholder=${t("pit.set.none")}></label>
      <label>${t("pit.set.burn")}<select name="burn"><option value="">${t("pit.set.none")}</option>
        <option value="first">${t("pit.set.burn_first")}</option>${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(
          (each) => html`<option value=${each}>${each}</option>`,
        )}</select></label>
      ${seconds("betting_seconds")}${seconds("answer_seconds")}
      <label>${t("pit.set.squeeze_seconds")}<input name="squeeze_seconds" type="number" min="0" max="600" required
        value=${setting.squeeze_seconds ?? 30}></label>
      <label title=${t("pit.set.payout_cap_how")}>${t("pit.set.payout_cap")}<input name="payout_cap"
        inputmode="decimal" autocomplete="off" placeholder=${t("pit.set.none")}
        value=${setting.payout_caps?.[0] ? amount(setting.payout_caps[0].amount) : ""}></label>`;
  }

  /** Who signs on, who confirms, and what takes a second person. */
  private staffFields(setting: NonNullable<PitTable["suggested"]>) {
    const check = (
      name: string,
      isSet: boolean | undefined,
      label: string,
    ) => html`<label class="check"><input type="checkbox"
      name=${name} ?checked=${isSet}>${label}</label>`;
    return html`
      <label>${t("pit.set.confirms")}<select name="confirms">${this.pit.positions.map(
        (each) => html`<option value=${each}
        ?selected=${each === setting.confirms}>${nameOf("duty", each)}</option>`,
      )}</select></label>
      ${check("managers_interchangeable", setting.managers_interchangeable, t("pit.set.interchangeable"))}
      ${check("sign_on", setting.sign_on, t("pit.set.sign_on"))}
      ${check("reasons_required", setting.reasons_required, t("pit.set.reasons_required"))}
      <div class="second" role="group" aria-label=${t("pit.set.second_person")}>
        <span class="soft">${t("pit.set.second_person")}</span>
        ${SENSITIVE.map((each) =>
          check(`second ${each}`, setting.second_person?.includes(each), nameOf("act", each)),
        )}</div>`;
  }

  private async submit(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    let order: Order;
    try {
      order = {
        command: "OpenTable",
        table: this.about.table,
        setting: this.chosen(form),
        ...this.float(form),
      } as Order;
    } catch (error) {
      if (error !== NO_AMOUNT) throw error;
      return this.status.say(t("money.no_amount"), true);
    }
    await this.status.followCommand(pageConnection().give(order));
  }

  /** Show in the field of the float what was counted. */
  private countFloat({ target }: Event) {
    const field = this.renderRoot.querySelector<HTMLInputElement>('input[name="float"]')!;
    field.value = amount((target as PuntoChipCount).total);
  }

  /** The float as it was counted by denomination or, without that, as it was typed. */
  private float(form: FormData) {
    const { pieces, total } = this.renderRoot.querySelector<PuntoChipCount>("punto-chip-count")!;
    return pieces.length ? { float_: total, pieces } : { float_: this.cents(form, "float") };
  }

  private chosen(form: FormData): NewSetting {
    const number = (name: string) => Number(form.get(name));
    const optional = (name: string) => (form.get(name) ? number(name) : null);
    return {
      ...this.about.suggested, // what the form does not ask for stays as it was
      layout: String(form.get("layout")),
      positions: number("positions"),
      limits: Object.fromEntries(
        this.game.wagers.map(({ wager }) => [
          wager,
          { minimum: this.cents(form, `minimum ${wager}`), maximum: this.cents(form, `maximum ${wager}`) },
        ]),
      ),
      stake_step: this.cents(form, "stake_step"),
      decks: number("decks"),
      device: String(form.get("device")) as NewSetting["device"],
      method: form.has("method") ? String(form.get("method")) : null,
      hlga: Boolean(form.get("room")),
      room: form.get("room") ? String(form.get("room")) : null,
      differential: form.get("differential") ? this.cents(form, "differential") : null,
      area_capacity: optional("area_capacity"),
      confirms: String(form.get("confirms")) as NewSetting["confirms"],
      managers_interchangeable: form.has("managers_interchangeable"),
      sign_on: form.has("sign_on"),
      reasons_required: form.has("reasons_required"),
      second_person: SENSITIVE.filter((each) => form.has(`second ${each}`)),
      burn: form.get("burn") ? { cards: form.get("burn") === "first" ? null : number("burn") } : null,
      betting_seconds: optional("betting_seconds"),
      answer_seconds: optional("answer_seconds"),
      squeeze_seconds: number("squeeze_seconds"),
      payout_caps: form.get("payout_cap")
        ? [{ wagers: this.withoutCommission(), amount: this.cents(form, "payout_cap") }]
        : [],
    };
  }

  /** The wagers that a cap on payouts can be on. */
  private withoutCommission(): string[] {
    const free = this.game.wagers.filter(({ lines }) => lines.every((each) => each.commission.startsWith("0/")));
    return free.map(({ wager }) => wager);
  }

  /** Parse an amount in a field; mark the field and throw if it is none. */
  private cents(form: FormData, name: string): number {
    const found = parseAmount(String(form.get(name) ?? ""));
    const field = this.renderRoot.querySelector<HTMLInputElement>(`input[name="${name}"]`);
    field?.setAttribute("aria-invalid", String(found === null));
    if (found !== null) return found;
    field?.focus();
    throw NO_AMOUNT;
  }
}
customElements.define("punto-open-table", PuntoOpenTable);
