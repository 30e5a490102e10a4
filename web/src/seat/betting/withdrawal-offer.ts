/** An offer to take back wagers, with the time left to answer it. */
import { css, html, LitElement } from "lit";
import "../../components/clock";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { nameOf, t } from "../../i18n/catalogue";
import { amount } from "../../i18n/money";
import type { LaidWager } from "../../table-view/laid-wagers";

export interface Offer {
  provision: string;
  clause: string | null;
  /** Whether the wagers can only be taken back together. */
  whole: boolean;
  wagers: LaidWager[];
  deadline: number | null;
}

export class PuntoWithdrawal extends LitElement {
  static override properties = { offer: { attribute: false }, seconds: { type: Number }, chosen: { state: true } };
  declare offer: Offer;
  declare seconds: number | null;
  declare private chosen: Set<string>;

  static override styles = [
    common,
    css`
    section {
      background: var(--held); border: 2px solid var(--gold); border-radius: 14px; padding: 1rem; display: grid;
      gap: .7rem;
    }
    p { margin: 0; } #what::first-letter { text-transform: uppercase; }
    .head { display: flex; gap: 1rem; align-items: center; justify-content: space-between; }
    ul { list-style: none; padding: 0; margin: 0; display: grid; gap: .3rem; }
    ul label { display: flex; gap: .6rem; align-items: center; font-size: 1rem; color: var(--ink); }
    input { min-height: 0; width: 1.2rem; height: 1.2rem; }
  `,
  ];

  constructor() {
    super();
    this.chosen = new Set();
    new LanguageController(this);
  }

  override render() {
    const each = !this.offer.whole;
    return html`<section role="alertdialog" aria-labelledby="why" aria-describedby="what">
      <div class="head"><h2 id="why">${t("withdrawal.title")}</h2>
        ${
          this.offer.deadline
            ? html`<punto-clock .deadline=${this.offer.deadline}
          .seconds=${this.seconds}></punto-clock>`
            : ""
        }</div>
      <p id="what">${t("withdrawal.why", {
        why: nameOf("provision", this.offer.provision),
        clause: this.offer.clause ? ` (§ ${this.offer.clause})` : "",
      })} ${t("withdrawal.stand")}</p>
      <ul>${this.offer.wagers.map(
        (laid) =>
          html`<li>${
            each
              ? html`<label><input type="checkbox" .checked=${this.chosen.has(keyOf(laid))}
                @change=${() => this.toggle(laid)}>${text(laid)}</label>`
              : text(laid)
          }</li>`,
      )}</ul>
      <div class="row">
        <button class="main" @click=${() => this.answer([])}>${t("withdrawal.leave")}</button>
        <button @click=${() => this.answer(null)}>${t("withdrawal.all")}</button>
        ${
          each && this.offer.wagers.length > 1
            ? html`<button ?disabled=${!this.chosen.size}
          @click=${() =>
            this.answer(
              this.offer.wagers
                .filter((laid) => this.chosen.has(keyOf(laid)))
                .map((laid) => [laid.position, laid.wager]),
            )}>${t("withdrawal.chosen")}</button>`
            : ""
        }
      </div></section>`;
  }

  private toggle(laid: LaidWager) {
    const chosen = new Set(this.chosen);
    if (!chosen.delete(keyOf(laid))) chosen.add(keyOf(laid));
    this.chosen = chosen;
  }

  private answer(wagers: [number, string][] | null) {
    this.dispatchEvent(new CustomEvent("answered", { detail: wagers }));
  }
}

const keyOf = (laid: LaidWager) => `${laid.position} ${laid.wager}`;
const text = (laid: LaidWager) =>
  `${nameOf("wager", laid.wager)} · ${t("seat.position")} ${laid.position} · ${amount(laid.amount)}`;
customElements.define("punto-withdrawal", PuntoWithdrawal);
