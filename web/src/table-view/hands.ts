/** The two hands: their cards, the point totals of those exposed, and which one won. */
import { css, html, LitElement } from "lit";
import { repeat } from "lit/directives/repeat.js";
import "../components/card";
import { cardSpoken } from "../components/card";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import type { HandName, ShownRound } from "./shown-round";

export class PuntoHands extends LitElement {
  static override properties = { round: { attribute: false }, past: { type: Boolean, reflect: true } };
  declare round: ShownRound;
  /** Whether the round is over and the next one is being wagered on. */
  declare past: boolean;

  static override styles = [
    common,
    css`
    .hands { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: clamp(.5rem, 5vw, 4.5rem); }
    :host([past]) .cards { filter: brightness(.72); }
    .hand {
      display: grid; gap: .3rem; justify-items: center; padding: .3rem; border-radius: 12px;
      border: 2px solid transparent;
    }
    .hand.winner { border-color: var(--gold); background: rgb(233 196 106 / .14); }
    .name { font-weight: 800; letter-spacing: .12em; font-size: .95rem; text-transform: uppercase; }
    .player .name { color: var(--player-ink); } .banker .name { color: var(--banker-ink); }
    .total {
      display: inline-grid; place-items: center; min-width: 1.7em; height: 1.7em; margin-left: .4em; border-radius: 50%;
      color: #fff; letter-spacing: 0;
    }
    .player .total { background: var(--player); } .banker .total { background: var(--banker); }
    .cards {
      display: flex; gap: 6px; justify-content: center; min-height: calc(var(--card-width, 64px) * 1.4);
      transition: filter .4s;
    }
    @media (max-width: 480px) { .cards { gap: 3px; } .hand { padding: .2rem 0; } }
    .third { transform: rotate(90deg); margin: 0 calc(var(--card-width, 64px) * .2); }
  `,
  ];

  constructor() {
    super();
    this.past = false;
    new LanguageController(this);
  }

  override render() {
    return html`<div class="hands">${this.hand("player")}${this.hand("banker")}</div>`;
  }

  private hand(hand: HandName) {
    const { outcome, hands, round, totals } = this.round;
    const total = totals[hand];
    const name = nameOf("winner", hand);
    return html`<section class="hand ${hand} ${outcome?.winner === hand ? "winner" : ""}"
      aria-label=${t("hand.of", { hand: name })}>
      <div class="name">${name}${total === null ? "" : html`<span class="total">${total}</span>`}</div>
      <div class="cards">${repeat(
        hands[hand],
        (_, place) => `${round}-${place}`,
        (card, place) => html`
        <punto-card class=${place > 1 ? "third" : ""} .card=${card}
          label=${card ? cardSpoken(card) : t("card.down")}></punto-card>`,
      )}</div>
    </section>`;
  }
}
customElements.define("punto-hands", PuntoHands);
