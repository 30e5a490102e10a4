/** The seats around the table: where the patron sits, who has bets where, and moving to another one on purpose. */
import { css, html, LitElement } from "lit";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { PopoverController } from "../../controllers/popover-controller";
import { t } from "../../i18n/catalogue";

export class PuntoSeatChoice extends LitElement {
  private readonly over = new PopoverController(this);
  static override properties = {
    seats: { type: Number },
    chosen: { type: Number },
    taken: { attribute: false },
  };
  declare seats: number;
  declare chosen: number;
  /** The seats at which others have bets. */
  declare taken: ReadonlySet<number>;

  static override styles = [
    common,
    css`
    :host { display: inline-block; position: relative; }
    button.own { min-height: 2rem; padding: .1rem .6rem; white-space: nowrap; }
    .choice {
      position: absolute; z-index: 8; top: calc(100% + .4rem); left: 0; padding: .7rem; display: grid; gap: .5rem;
      background: var(--panel); border: 1px solid var(--line); border-radius: 14px; width: max-content;
      max-width: min(22rem, 90vw); box-shadow: 0 6px 24px rgb(0 0 0 / .6);
    }
    @media (max-width: 620px) { .choice { left: auto; right: 0; } }
    .seats { display: flex; flex-wrap: wrap; gap: .35rem; }
    .seats button {
      width: 2.7rem; min-height: 2.7rem; padding: 0; border-radius: 50%; font-weight: 700; position: relative;
    }
    .seats button[aria-pressed="true"] { background: var(--gold); color: var(--on-gold); }
    .taken::after {
      content: ""; position: absolute; right: .1rem; top: .1rem; width: .6rem; height: .6rem; border-radius: 50%;
      background: var(--player-ink);
    }
  `,
  ];

  constructor() {
    super();
    this.taken = new Set();
    new LanguageController(this);
  }

  override render() {
    const all = Array.from({ length: this.seats }, (_, each) => each + 1);
    return html`<button class="own" aria-expanded=${this.over.opened}
        @click=${this.over.toggle}>${t("seat.position")} ${this.chosen}</button>
      ${
        this.over.opened
          ? html`<div class="choice" role="group" aria-label=${t("seat.move")}>
        <span class="soft">${t("seat.move")}</span>
        <div class="seats">${all.map(
          (seat) => html`<button class=${this.taken.has(seat) ? "taken" : ""} aria-pressed=${seat === this.chosen}
            aria-label=${t("seat.move_to", { seat })} @click=${() => this.move(seat)}>${seat}</button>`,
        )}</div></div>`
          : ""
      }`;
  }

  private move(seat: number) {
    this.over.close();
    this.dispatchEvent(new CustomEvent("moved", { detail: seat }));
  }
}
customElements.define("punto-seat-choice", PuntoSeatChoice);
