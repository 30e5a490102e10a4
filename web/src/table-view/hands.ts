/** The two hands: their cards, the point totals of those exposed, and which one won. */
import { css, html, LitElement, nothing, svg } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { Card } from "../api/types";
import "../components/card";
import { cardSpoken, type PuntoCard } from "../components/card";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import type { HandName, ShownRound } from "./shown-round";
import type { Lifts } from "./squeeze-relay";

/** In a narrow room the third card lies below, and its place is kept. */
const thirdBelow = css`
  .hands { gap: .3rem; } .hand { padding: calc(.2rem + 2px) 2px; grid-template-columns: minmax(0, 1fr); }
  .name { letter-spacing: .06em; }
  .cards, .player .cards { gap: 3px; grid-template: calc(var(--w) * 1.4) var(--w) / var(--w) var(--w); }
  .player .place-0 { grid-column: 1; } .player .place-1 { grid-column: 2; }
  .cards .third { grid-area: 2 / 1 / 3 / 3; justify-self: center; margin: calc(var(--w) * -.2) 0; }
  .shoe {
    width: calc(var(--card-width, 64px) * .5); inset: auto auto calc(var(--card-width, 64px) * .25) 50%;
    transform: translateX(-50%);
  }
  /* The shoe stands between the hands, the winner's frame beside it. */
  :host([shoe]) .hand.winner::before {
    --side: calc(100% + .15rem); --w: var(--card-width, 64px);
    mask: radial-gradient(circle at var(--side) calc(100% - var(--w) * .425), transparent calc(var(--w) * .37), #000 0);
  }
  :host([shoe]) .hand.banker.winner::before { --side: -.15rem; }
`;

/** Where the mouth of the shoe is, of its width. */
const MOUTH = 0.23;
/** The dealing shoe from above: a box with a lid, and the next card in its mouth. */
const SHOE = svg`<rect x="1" y="1" width="58" height="30" rx="5" fill="#16110d" stroke="#d9c58a" stroke-width="1.5"/>
  <rect x="30" y="6" width="24" height="20" rx="2.5" fill="#2b2018" stroke="#6d5a33"/>
  <path d="M6 6h18v20H6z" fill="#fdfcf7"/><path d="M8.5 8.5h13v15h-13z" fill="#8e1f2b"/>
  <path d="M1 31l6 9h14l6-9z" fill="#fdfcf7" stroke="#b9b4a4"/><path d="M6.5 33.5h15l-2.5 4h-10z" fill="#8e1f2b"/>`;

export class PuntoHands extends LitElement {
  static override properties = {
    round: { attribute: false },
    past: { type: Boolean, reflect: true },
    open: { type: Boolean, reflect: true },
    lifts: { attribute: false },
    shoe: { type: Boolean, reflect: true },
  };
  declare round: ShownRound;
  /** Whether the round is over and the next one is being wagered on. */
  declare past: boolean;
  /** Whether the next round takes wagers: the winner's frame would read as a choice then. */
  declare open: boolean;
  /** How cards are lifted that patrons squeeze. */
  declare lifts: Lifts;
  /** Whether the shoe stands there, from which the cards come. */
  declare shoe: boolean;

  static override styles = [
    common,
    css`
    .hands {
      position: relative; isolation: isolate; display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
      gap: var(--between-hands, clamp(.5rem, 5vw, 4.5rem));
    }
    :host([past]) .cards { opacity: .7; }
    .hand { position: relative; display: grid; gap: .3rem; justify-items: center; padding: calc(.3rem + 2px); }
    :host(:not([open])) .hand.winner::before {
      content: ""; position: absolute; inset: 0; z-index: -1; border: 2px solid var(--gold); border-radius: 12px;
      background: rgb(233 196 106 / .14);
    }
    /* The frame leaves out the corner where the shoe stands. */
    :host([shoe]) .banker.winner::before {
      mask: radial-gradient(3.1rem 2.3rem at calc(100% - 2.1rem) 1.3rem, transparent 98%, #000);
    }
    /* As high as a total is, so that nothing moves when one comes. */
    .name {
      display: flex; align-items: center; height: 1.7em; font-weight: 800; letter-spacing: .12em;
      font-size: var(--hand-name, .95rem); text-transform: uppercase;
    }
    .player .name { color: var(--player-ink); } .banker .name { color: var(--banker-ink); }
    .total {
      display: inline-grid; place-items: center; min-width: 1.7em; height: 1.7em; margin-left: .4em; border-radius: 50%;
      color: #fff; letter-spacing: 0; animation: told 1ms .55s backwards; /* once the cards have come and turned */
    }
    @keyframes told { from { opacity: 0; } }
    @media (prefers-reduced-motion: reduce) { .total { animation: none; } }
    .player .total { background: var(--player); } .banker .total { background: var(--banker); }
    /* Each card has its place, so that none moves when another comes; third cards lie across, on the outside. */
    .cards {
      --w: var(--card-width, 64px); display: grid; gap: 6px; justify-content: center; transition: opacity .4s;
      grid-template: calc(var(--w) * 1.4) / var(--w) var(--w) calc(var(--w) * 1.4);
    }
    .player .cards { grid-template-columns: calc(var(--w) * 1.4) var(--w) var(--w); }
    .player .place-0 { grid-column: 2; } .player .place-1 { grid-column: 3; } .player .place-2 { grid-column: 1; }
    .cards > * { grid-row: 1; }
    .third { transform: rotate(90deg); margin: 0 calc(var(--w) * .2); }
    .shoe {
      position: absolute; top: 0; right: .2em; width: 4em; font-size: var(--hand-name, .95rem); pointer-events: none;
      filter: drop-shadow(0 2px 3px rgb(0 0 0 / .5));
    }
    @media (max-width: 620px) { ${thirdBelow} }
    @container (max-width: 620px) or (max-height: 330px) { ${thirdBelow} }
  `,
  ];

  constructor() {
    super();
    this.past = false;
    this.open = false;
    this.lifts = {};
    this.shoe = false;
    new LanguageController(this);
  }

  override render() {
    return html`<div class="hands">${this.hand("player")}${this.hand("banker")}${
      this.shoe ? html`<svg class="shoe" viewBox="0 0 60 42" aria-hidden="true">${SHOE}</svg>` : nothing
    }</div>`;
  }

  /** Have cards that are new come from the mouth of the shoe; those of a round that is over lie there already. */
  protected override updated(): void {
    const cards = this.renderRoot.querySelectorAll<PuntoCard>("punto-card:not([dealt])");
    const over = this.round.outcome !== null;
    for (const card of cards) card.setAttribute("dealt", over ? "before" : "now");
    const box = cards.length && !over ? this.renderRoot.querySelector(".shoe") : null;
    if (!box) return;
    const shoe = box.getBoundingClientRect();
    const hands = this.renderRoot.querySelector(".hands")!.getBoundingClientRect();
    for (const card of cards) {
      // Where the card lies, not where it is drawn: it may be on its way already.
      const [x, y] = [card.offsetLeft + card.offsetWidth / 2, card.offsetTop + card.offsetHeight / 2];
      card.style.setProperty("--from-x", `${shoe.left + MOUTH * shoe.width - hands.left - x}px`);
      card.style.setProperty("--from-y", `${shoe.bottom - hands.top - y}px`);
    }
  }

  private hand(hand: HandName) {
    const { outcome, hands, round, totals } = this.round;
    const total = totals[hand];
    const faces = hands[hand].filter(Boolean).length;
    const name = nameOf("winner", hand);
    return html`<section class="hand ${hand} ${outcome?.winner === hand ? "winner" : ""}"
      aria-label=${t("hand.of", { hand: name })}>
      <div class="name">${name}${
        total === null ? "" : keyed(`${round}-${faces}`, html`<span class="total">${total}</span>`)
      }</div>
      ${keyed(round, html`<div class="cards">${hands[hand].map((card, place) => this.card(hand, card, place))}</div>`)}
    </section>`;
  }

  /** A card at its place. A round has its own, not the last round's turned: `repeat` would leave a marker of each. */
  private card(hand: HandName, card: Card | null, place: number) {
    return html`<punto-card class="place-${place} ${place > 1 ? "third" : ""}" .card=${card}
      .lift=${this.lifts[`${hand}-${place}`] ?? null}
      label=${card ? cardSpoken(card) : t("card.down")}></punto-card>`;
  }
}
customElements.define("punto-hands", PuntoHands);
