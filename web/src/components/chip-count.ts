/** Chips counted by denomination: a field for each of the house's denominations, and what they come to. */
import { css, html, LitElement } from "lit";
import type { Piece } from "../api/cage";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { amount, parseAmount, short } from "../i18n/money";
import { common } from "./style";

/** Change that comes in no chip, such as commission, is counted in cents. */
const COIN = 1;

/** Return an amount in as few chips of these denominations as will do, the rest in coins. */
export function inChips(cents: number, denominations: number[]): Piece[] {
  const pieces: Piece[] = [];
  let left = cents;
  for (const value of [...new Set([...denominations].reverse()).add(COIN)]) {
    const number = Math.floor(left / value);
    if (number) pieces.push({ value, number });
    left -= number * value;
  }
  return pieces;
}

export class PuntoChipCount extends LitElement {
  static override properties = { denominations: { attribute: false }, numbers: { state: true } };
  declare denominations: number[];
  declare private numbers: ReadonlyMap<number, number>;

  static override styles = [
    common,
    css`
    .chips { display: grid; grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); gap: .5rem; }
    input { width: 100%; text-align: right; font-variant-numeric: tabular-nums; }
    p { margin: .5rem 0 0; }
    strong { font-variant-numeric: tabular-nums; }
  `,
  ];

  constructor() {
    super();
    this.denominations = [];
    this.numbers = new Map();
    new LanguageController(this);
  }

  /** What was counted, the largest chips first, coins by the cent; what there is none of is left out. */
  get pieces(): Piece[] {
    return [...new Set([...this.denominations].reverse()).add(COIN)]
      .map((value) => ({ value, number: this.numbers.get(value) ?? 0 }))
      .filter(({ number }) => number > 0);
  }

  get total(): number {
    return this.pieces.reduce((sum, { value, number }) => sum + value * number, 0);
  }

  clear(): void {
    this.numbers = new Map();
  }

  override render() {
    return html`<div class="chips">${[...this.denominations].reverse().map(
      (value) => html`<label>${short(value)}<input type="number" min="0" step="1" inputmode="numeric"
        data-value=${value} aria-label=${t("count.number_of", { value: short(value) })}
        .value=${String(this.numbers.get(value) ?? "")} @input=${(event: Event) => this.count(value, event)}></label>`,
    )}<label>${t("count.coins")}<input inputmode="decimal" autocomplete="off" data-value=${COIN}
        .value=${this.numbers.get(COIN) ? amount(this.numbers.get(COIN)!) : ""}
        @change=${this.countCoins}></label>
      </div><p>${t("count.total")} <strong>${amount(this.total)}</strong></p>`;
  }

  private count(value: number, event: Event) {
    const typed = Number.parseInt((event.target as HTMLInputElement).value, 10);
    this.note(value, Number.isSafeInteger(typed) && typed > 0 ? typed : 0);
  }

  private countCoins(event: Event) {
    this.note(COIN, parseAmount((event.target as HTMLInputElement).value) ?? 0);
  }

  private note(value: number, number: number) {
    this.numbers = new Map(this.numbers).set(value, number);
  }
}
customElements.define("punto-chip-count", PuntoChipCount);
