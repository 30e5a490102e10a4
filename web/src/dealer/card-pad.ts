/** A pad of thirteen ranks by four suits on which a card is keyed. */
import { css, html, LitElement } from "lit";
import type { Card } from "../api/types";
import { cardSpoken, rankShown, suitShown } from "../components/card";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { RANKS, SUITS } from "../steps/card-keys";

export class PuntoCardPad extends LitElement {
  static override properties = { card: { attribute: false }, rank: {} };
  /** The card that is keyed, and the rank of one that is half keyed. */
  declare card: Card | null;
  declare rank: string | null;

  static override styles = [
    common,
    css`
    .pad { display: grid; grid-template-columns: repeat(13, minmax(0, 1fr)); gap: 3px; }
    button {
      min-height: 2.3rem; padding: 0; font-size: 1.02rem; font-weight: 700; background: #f6f2e6; color: #15181a;
      border: 2px solid transparent; border-radius: 6px;
    }
    button.red { color: #b4141b; }
    button.half { background: #ffe7a8; }
    button[aria-pressed="true"] { background: #e9c46a; border-color: #fff; }
    @media (max-width: 560px) {
      .pad { gap: 2px; }
      button { font-size: 1rem; min-height: 3rem; line-height: 1.1; }
      span { display: block; }
    }
  `,
  ];

  constructor() {
    super();
    this.card = null;
    this.rank = null;
    new LanguageController(this);
  }

  override render() {
    const keys = SUITS.flatMap((suit) => RANKS.map((rank) => this.key([rank, suit] as Card)));
    return html`<div class="pad" role="group" aria-label=${t("dealer.pad")}>${keys}</div>`;
  }

  private key(card: Card) {
    const chosen = this.card?.[0] === card[0] && this.card[1] === card[1];
    const classes = `${card[1] === "h" || card[1] === "d" ? "red" : ""} ${this.rank === card[0] ? "half" : ""}`;
    return html`<button class=${classes} aria-pressed=${chosen} aria-label=${cardSpoken(card)}
      title=${`${rankShown(card[0])}${card[1]}`}
      @click=${() =>
        this.dispatchEvent(
          new CustomEvent("keyed", { detail: card }),
        )}><span>${rankShown(card[0])}</span><span>${suitShown(card[1])}</span></button>`;
  }
}
customElements.define("punto-card-pad", PuntoCardPad);
