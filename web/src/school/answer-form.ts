/** A question and its answers: options by tap or number key, a point total, an amount typed or laid out in chips. */
import { css, html, LitElement } from "lit";
import type { AnswerWanted } from "../api/types";
import { chip } from "../components/chip";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { amount, onChip } from "../i18n/money";
import { asTyped } from "./chip-notation";

export class PuntoAnswer extends LitElement {
  static override properties = {
    ask: { attribute: false },
    rack: { attribute: false },
    busy: { type: Boolean },
    laid: { state: true },
    text: { state: true },
  };
  declare ask: AnswerWanted;
  declare rack: number[];
  declare busy: boolean;
  declare private laid: number[];
  declare private text: string;

  static override styles = [
    common,
    css`
    :host { display: grid; gap: .6rem; }
    h2 { font-size: 1.15rem; }
    .options { display: grid; gap: .45rem; }
    .options button { text-align: left; display: flex; gap: .7rem; align-items: baseline; }
    kbd {
      font: inherit; font-size: .8rem; color: var(--gold); border: 1px solid var(--line); border-radius: 5px;
      padding: 0 .35rem;
    }
    .totals { display: grid; grid-template-columns: repeat(10, minmax(2.4rem, 1fr)); gap: .3rem; }
    .totals button { padding: .3rem; font-size: 1.1rem; font-weight: 650; }
    .chips { display: flex; flex-wrap: wrap; gap: .2rem; }
    .chips button { padding: .15rem; min-height: 0; border-radius: 50%; background: none; border-color: transparent; }
    .chips svg { width: 2.7rem; height: 2.7rem; display: block; }
    form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; } input { width: 13rem; font-size: 1.1rem; }
    @media (max-width: 560px) { .totals { grid-template-columns: repeat(5, 1fr); } }
  `,
  ];

  constructor() {
    super();
    this.busy = false;
    this.laid = [];
    this.text = "";
    new LanguageController(this);
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("ask")) {
      this.laid = [];
      this.text = "";
    }
  }

  override render() {
    const way = { choice: () => this.options(), total: () => this.totals(), amount: () => this.amount() }[
      this.ask.kind
    ];
    return html`<h2 id="asked">${this.ask.words}</h2>${way()}`;
  }

  private options() {
    return html`<div class="options" role="group" aria-labelledby="asked">${this.ask.options.map(
      ({ key, words }, at) => html`
      <button data-option=${key} ?disabled=${this.busy} @click=${() => this.emit(key)}><kbd
        aria-hidden="true">${at + 1}</kbd><span>${words}</span></button>`,
    )}</div>`;
  }

  private totals() {
    return html`<div class="totals" role="group" aria-labelledby="asked">${Array.from(
      { length: 10 },
      (_, total) => html`
      <button data-option=${total} ?disabled=${this.busy} @click=${() => this.emit(String(total))}>${total}</button>`,
    )}</div>`;
  }

  private amount() {
    const typed = (event: Event) => {
      this.text = (event.target as HTMLInputElement).value;
      this.laid = [];
    };
    return html`<div class="chips" role="group" aria-label=${t("school.rack")}>${this.rack.map(
      (value) => html`
        <button data-chip=${value} aria-label=${t("school.lay", { chip: onChip(value) })}
          @click=${() => this.lay(value)}>${chip(value)}</button>`,
    )}</div>
      <form @submit=${this.give}>
        <label>${t("school.amount")}<input name="amount" inputmode="decimal" autocomplete="off" .value=${this.text}
          @input=${typed} required></label>
        <button class="main" ?disabled=${this.busy}>${t("school.answer")}</button>
        ${
          this.laid.length
            ? html`<button type="button" @click=${() => this.lay(null)}>${t("school.clear")}</button>
          <span role="status">${t("school.laid", {
            amount: amount(this.laid.reduce((sum, each) => sum + each, 0)),
          })}</span>`
            : ""
        }
      </form>`;
  }

  private lay(value: number | null) {
    this.laid = value === null ? [] : [...this.laid, value];
    this.text = asTyped(this.laid);
  }

  private give(event: SubmitEvent) {
    event.preventDefault();
    if (this.text.trim()) this.emit(this.text);
  }

  /** Answer by a key; return whether it was an answer. */
  key(key: string): boolean {
    if (this.busy || !/^\d$/.test(key)) return false;
    if (this.ask.kind === "total") this.emit(key);
    else if (this.ask.kind === "choice" && this.ask.options[Number(key) - 1])
      this.emit(this.ask.options[Number(key) - 1]!.key);
    else return false;
    return true;
  }

  private emit(answer: string) {
    this.dispatchEvent(new CustomEvent("answered", { detail: answer }));
  }
}
customElements.define("punto-answer", PuntoAnswer);
