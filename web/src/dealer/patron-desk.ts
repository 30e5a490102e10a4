/** Patrons at the table: their chips and wagers, and a form to buy in and cash out on their behalf. */
import { css, html, LitElement, nothing } from "lit";
import { findPatrons } from "../api/tables";
import type { StaffView } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { amount, parseAmount } from "../i18n/money";
import { learnNames, patronLabels, patronName } from "../steps/patron-name";

/** Letters after which registered patrons are looked up. */
const SEARCHED_FROM = 2;

type Move = "BuyIn" | "CashOut" | "PayDebt";

/** A patron buys in, cashes out or pays a debt, or a guest who has no id yet buys in. */
export type PatronOrder = { position: number | null } & (
  | { command: Move; patron: string; amount: number }
  | { guest: string; amount: number }
);

export class PuntoPatrons extends LitElement {
  static override properties = {
    view: { attribute: false },
    named: { attribute: false },
    seats: { attribute: false },
    wrong: { state: true },
    newcomer: { state: true },
    found: { state: true },
  };
  declare view: StaffView;
  /** Changes when names have been learnt. */
  declare named: number;
  /** The patron at each position, as last known. */
  declare seats: ReadonlyMap<number, string>;
  declare private wrong: boolean;
  /** A patron without chips here: a typing error would make a second person, so it is asked about once. */
  declare private newcomer: string;
  /** Ids of patrons elsewhere in the house whose names contain what is typed. */
  declare private found: string[];

  static override styles = [
    common,
    css`
    form { display: grid; gap: .7rem; margin-top: .8rem; border-top: 1px solid var(--line); padding-top: .8rem; }
    td { font-variant-numeric: tabular-nums; }
    .three { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) 5rem; gap: .6rem; }
    .three input, .three select { width: 100%; }
  `,
  ];

  constructor() {
    super();
    this.seats = new Map();
    this.wrong = false;
    this.newcomer = "";
    this.found = [];
    new LanguageController(this);
  }

  override render() {
    const { chips, owed, wagers } = this.view;
    const lies = (patron: string) =>
      wagers.filter((each) => each.patron === patron).reduce((sum, each) => sum + each.amount, 0);
    const seatsOf = (patron: string) => [...this.seats].filter(([, each]) => each === patron).map(([seat]) => seat);
    const first = (patron: string) => Math.min(...seatsOf(patron)); // without a seat they stand last
    const patrons = Object.keys(chips).sort((one, other) => first(one) - first(other) || 0);
    return html`${
      patrons.length
        ? html`<table><thead><tr><th>${t("seat.position")}</th><th>${t("dealer.patron")}</th><th
      class="num">${t("seat.chips")}</th><th
      class="num">${t("seat.on_layout")}</th></tr></thead>
      <tbody>${patrons.map(
        (each) => html`<tr data-patron=${each}><td>${seatsOf(each).join(", ")}</td><td
        title=${each}>${patronName(each)}${
          owed[each]
            ? html` <span
          class="lost">${t("dealer.owes", { amount: amount(owed[each]!) })}</span>`
            : nothing
        }</td>
        <td class="num">${amount(chips[each]!)}</td><td class="num">${amount(lies(each))}</td></tr>`,
      )}</tbody></table>`
        : html`<p class="soft">${t("dealer.no_patrons")}</p>`
    }
      <form @submit=${(event: Event) => event.preventDefault()}>
        <div class="three"><label>${t("dealer.patron")}<input name="patron" list="patrons" autocomplete="off"
          spellcheck="false" maxlength="64" @input=${this.search}></label>
          <label>${t("money.amount")}<input name="amount" inputmode="decimal" autocomplete="off"
            aria-invalid=${this.wrong}></label>
          <label>${t("seat.position")}<select name="position"><option value="">–</option>${Array.from(
            { length: this.view.setting?.positions ?? 0 },
            (_, index) => html`<option value=${index + 1}>${index + 1}</option>`,
          )}</select></label></div>
        <datalist id="patrons">${[...this.choices().keys()].map(
          (each) => html`<option value=${each}></option>`,
        )}</datalist>
        <p role="alert" class="lost" ?hidden=${!this.wrong}>${t("dealer.who_and_how_much")}</p>
        <p role="alert" ?hidden=${!this.newcomer}>${t("dealer.newcomer", { patron: this.newcomer })}</p>
        <div class="row"><button class="main" @click=${() => this.move("BuyIn")}>${t("dealer.buy_in")}</button><button
          @click=${() => this.move("CashOut")}>${t("dealer.cash_out")}</button>${
            Object.values(owed).some(Boolean)
              ? html`<button @click=${() => this.move("PayDebt")}>${t("do.PayDebt")}</button>`
              : nothing
          }</div>
      </form>`;
  }

  /** Empty the form once the command is done; after a refusal it stays as it was typed. */
  clear(): void {
    this.renderRoot.querySelector("form")!.reset();
    this.newcomer = "";
  }

  /** Everyone who can be chosen, by what is typed for them: patrons at the table, and those who were looked up. */
  private choices(): Map<string, string> {
    return patronLabels([...new Set([...Object.keys(this.view.chips), ...this.found])]);
  }

  private search = async (event: Event) => {
    const name = (event.target as HTMLInputElement).value.trim();
    if (name.length < SEARCHED_FROM || this.choices().has(name)) return;
    try {
      const found = await findPatrons(name);
      learnNames(Object.fromEntries(found.map((each) => [each.id, each.name])));
      this.found = found.map((each) => each.id);
    } catch {
      this.found = []; // the name can still be typed
    }
  };

  private move(command: Move) {
    const field = (name: string) => this.renderRoot.querySelector<HTMLInputElement>(`[name=${name}]`)!.value.trim();
    const [typed, cents] = [field("patron"), parseAmount(field("amount"))];
    const patron = this.choices().get(typed) ?? (typed in this.view.chips ? typed : undefined);
    this.wrong = !typed || !cents || (command !== "BuyIn" && !patron);
    const unknown = !this.wrong && !patron ? typed : "";
    const asked = unknown === this.newcomer;
    this.newcomer = asked ? "" : unknown;
    if (this.wrong || !asked || !cents) return;
    const position = Number(field("position")) || null;
    const who = patron ? { command, patron } : { guest: typed };
    const detail: PatronOrder = { ...who, amount: cents, position };
    this.dispatchEvent(new CustomEvent("order", { detail }));
  }
}
customElements.define("punto-patrons", PuntoPatrons);
