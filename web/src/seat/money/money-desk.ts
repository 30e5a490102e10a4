/** A form that moves money between the patron's account and their chips at the table. */
import { css, html, LitElement } from "lit";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { t } from "../../i18n/catalogue";
import { amount, parseAmount } from "../../i18n/money";

export class PuntoMoneyDesk extends LitElement {
  static override properties = { account: { type: Number }, chips: { type: Number }, wrong: { state: true } };
  declare account: number | null;
  declare chips: number;
  declare private wrong: boolean;

  static override styles = [
    common,
    css`
    form { display: grid; gap: .8rem; }
    dl { display: grid; grid-template-columns: auto 1fr; gap: .2rem 1rem; margin: 0; }
    dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; font-weight: 650; }
  `,
  ];

  constructor() {
    super();
    this.account = null;
    this.wrong = false;
    new LanguageController(this);
  }

  /** Forget what was typed before. */
  reset(): void {
    this.wrong = false;
    this.renderRoot.querySelector("form")?.reset();
  }

  override render() {
    return html`<form @submit=${(event: Event) => event.preventDefault()}>
      <h2>${t("money.title")}</h2>
      <dl><dt>${t("money.account")}</dt><dd>${this.account === null ? "–" : amount(this.account)}</dd>
        <dt>${t("money.chips")}</dt><dd>${amount(this.chips)}</dd></dl>
      <label>${t("money.amount")}<input name="amount" inputmode="decimal" autocomplete="off" value="500"
        aria-invalid=${this.wrong}
        @focus=${(event: Event) => (event.target as HTMLInputElement).select()}></label>
      <p role="alert" class="lost" ?hidden=${!this.wrong}>${t("money.no_amount")}</p>
      <div class="row"><button class="main" @click=${() => this.move("BuyIn")}>${t("money.buy_in")}</button>
        <button ?disabled=${!this.chips} @click=${() => this.move("CashOut")}>${t("money.cash_out")}</button>
        <button @click=${() => this.emit("CashOut", this.chips)}
          ?disabled=${!this.chips}>${t("money.all_out")}</button></div>
    </form>`;
  }

  private move(command: "BuyIn" | "CashOut") {
    const cents = parseAmount(this.renderRoot.querySelector("input")!.value);
    this.wrong = cents === null || cents === 0;
    if (cents) this.emit(command, cents);
  }

  private emit(command: "BuyIn" | "CashOut", cents: number) {
    this.dispatchEvent(new CustomEvent("move", { detail: { command, amount: cents } }));
  }
}
customElements.define("punto-money-desk", PuntoMoneyDesk);
