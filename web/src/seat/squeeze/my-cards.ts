/** A hand that was passed to the patron, large over the dimmed felt: squeezed card by card, or left to the Dealer. */
import { css, html, LitElement, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Answer, Order } from "../../api/connection";
import type { Card } from "../../api/types";
import { back, cardSpoken, face } from "../../components/card";
import "../../components/clock";
import type { Lift } from "../../components/card-geometry";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { nameOf, t } from "../../i18n/catalogue";
import { refusalText } from "../../i18n/refusal-text";
import type { SqueezeRelay } from "../../table-view/squeeze-relay";
import type { PassedHand } from "./passed-hand";
import "./squeeze";
import type { PuntoSqueeze } from "./squeeze";

export class PuntoMyCards extends LitElement {
  static override properties = {
    passed: { attribute: false },
    seen: { attribute: false },
    known: { type: Boolean },
    deadline: { type: Number },
    seconds: { type: Number },
    total: { type: Number },
    rule: {},
    give: { attribute: false },
    squeezes: { attribute: false },
    refusal: { state: true },
    named: { state: true },
  };
  declare passed: PassedHand;
  /** The cards that the patron has looked at, in the order of their places; undefined before. */
  declare seen: readonly (Card | null)[] | undefined;
  /** Whether the shoe tells the cards: real ones are squeezed at the table, and the Dealer takes them in. */
  declare known: boolean;
  /** When the Dealer turns the cards, if there is a time. */
  declare deadline: number | null;
  declare seconds: number | null;
  /** The points of the cards of the hand that are face up. */
  declare total: number | null;
  /** Why the cards came to this patron, if a rule says so. */
  declare rule: string;
  declare give: (order: Order) => Promise<Answer>;
  declare squeezes: SqueezeRelay;
  declare private refusal: string;
  /** The cards whose index the patron has uncovered, by hand and place: only these are called by their names. */
  declare private named: ReadonlySet<string>;
  /** The faces the patron has seen, by hand and place: cards are turned before the list of those seen gets shorter. */
  private readonly faces = new Map<string, Card>();

  static override styles = [
    common,
    css`
    :host {
      position: absolute; inset: 0; z-index: 8; container-type: size; background: rgb(0 0 0 / .84);
      color-scheme: dark; color: var(--ink);
      --cards: 2; --w: min((100cqw - 1.2rem) / var(--cards) - .6rem, (100cqh - 14rem) / 1.4, 26rem);
    }
    :host([single]) { --cards: 1.35; }
    section {
      height: 100%; display: grid; grid-template: auto minmax(0, 1fr) auto auto / minmax(0, 1fr); gap: .4rem;
      justify-items: center; padding: .5rem .4rem; text-align: center;
    }
    .title { display: flex; gap: .8rem; align-items: center; min-height: 3.4rem; }
    h2 { font-size: 1.15rem; } .title .soft { font-size: .85rem; }
    .cards { display: flex; gap: .6rem; justify-content: center; align-items: start; align-self: center; }
    .place { width: var(--w); display: grid; gap: .5rem; }
    .place svg { display: block; width: 100%; }
    .place button { min-height: 2.6rem; }
    p { margin: 0; min-height: 2.6rem; display: grid; place-items: center; padding: 0 .6rem; }
    .keys { display: none; }
    @media (hover: hover) and (pointer: fine) { .keys { display: inline; } }
    .row { min-height: 2.6rem; } /* it stays when the choice is made: no card moves under a finger */
    .refused { color: var(--warn); font-weight: 650; }
    /* A phone on its side: the words stand beside the cards. */
    @container (max-height: 420px) and (min-width: 400px) {
      section {
        --w: min(30cqw, (100cqh - 4.6rem) / 1.4);
        grid-template: auto auto auto / minmax(0, 1fr) minmax(9rem, 26%); align-content: center; column-gap: .8rem;
      }
      .cards { grid-area: 1 / 1 / 4 / 2; }
      .title { grid-area: 1 / 2; gap: .4rem; min-height: 0; text-align: left; line-height: 1.2; }
      .title punto-clock { width: 2.6rem; flex: none; } h2 { font-size: 1rem; } .title .soft { font-size: .78rem; }
      p { grid-area: 2 / 2; font-size: .84rem; } .row { grid-area: 3 / 2; }
    }
    /* One of several tables: only what went wrong is said beside the cards. */
    @container (max-height: 340px) {
      p.soft, .title .soft { display: none; }
    }
  `,
  ];

  constructor() {
    super();
    this.refusal = "";
    this.named = new Set();
    this.known = true;
    this.deadline = null;
    this.seconds = null;
    this.total = null;
    this.rule = "";
    new LanguageController(this);
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const before = changed.get("passed") as PassedHand | undefined;
    if (before && before.places.join() !== this.passed.places.join()) this.refusal = "";
    this.toggleAttribute("single", this.shown.length === 1);
    const { hand, places } = this.passed;
    if (this.seen?.length !== places.length) return;
    for (const [index, place] of places.entries())
      if (this.seen[index]) this.faces.set(`${hand}-${place}`, this.seen[index]);
  }

  /** Keys belong to the cards as soon as they are there, and to the next one when one is turned. */
  protected override updated(changed: Map<PropertyKey, unknown>): void {
    const before = changed.get("passed") as PassedHand | undefined;
    if (!changed.has("passed") || before?.places.join() === this.passed.places.join()) return;
    const next = this.renderRoot.querySelector<PuntoSqueeze>("punto-squeeze");
    void next?.updateComplete.then(() => next.focus());
  }

  /** The places in view: the first two cards, then the third alone. */
  private get shown(): number[] {
    const third = this.passed.places.includes(2) && !this.passed.places.some((place) => place < 2);
    return this.passed.cards.map((_, place) => place).filter((place) => place > 1 === third);
  }

  override render() {
    const { hand, places } = this.passed;
    const title = t("squeeze.title", { hand: nameOf("winner", hand) });
    return html`<section aria-label=${title}>
      <div class="title"><div><h2>${title}${this.total === null ? "" : html` · ${this.total}`}</h2>
          <span class="soft">${this.rule}</span></div>
        ${
          this.deadline
            ? html`<punto-clock .deadline=${this.deadline} .seconds=${this.seconds}></punto-clock>`
            : nothing
        }</div>
      <div class="cards">${repeat(
        this.shown,
        (place) => `${hand}-${place}`, // each card is an element of its own: one that is turned leaves the others alone
        (place) =>
          html`<div class="place">${
            places.includes(place) ? this.down(place) : html`<div class="up">${this.other(place)}</div>`
          }</div>`,
      )}</div>
      <p class=${this.refusal ? "refused" : "soft"} role=${this.refusal ? "alert" : "status"}>${
        this.refusal || t(this.known ? "squeeze.how" : "squeeze.real_cards")
      }${this.known && !this.refusal ? html` <span class="keys">${t("squeeze.keys")}</span>` : nothing}</p>
      <div class="row">${this.seen?.length ? nothing : this.choices()}</div>
    </section>`;
  }

  /** What can be done with cards that were not looked at; real ones are looked at where they are. */
  private choices() {
    const { hand } = this.passed;
    const look = () => this.order({ command: "LookAtCards", hand });
    const decline = () => this.order({ command: "DeclineHand", hand });
    return html`${this.known ? nothing : html`<button @click=${look}>${t("squeeze.look")}</button>`}
      <button class="decline" @click=${decline}>${t("squeeze.decline")}</button>`;
  }

  /** A card that is face up, or face down before another person. */
  private other(place: number) {
    const card = this.passed.cards[place];
    return html`<div role="img" aria-label=${card ? cardSpoken(card) : t("card.down")}>${
      card ? face(card) : back()
    }</div>`;
  }

  private down(place: number) {
    if (!this.known) return this.other(place);
    const { hand } = this.passed;
    const key = `${hand}-${place}`;
    const card = this.faces.get(key) ?? null;
    const seen = () => {
      if (!this.named.has(key)) this.named = new Set([...this.named, key]);
    };
    const moved = ({ detail }: CustomEvent<Lift | null>) => this.squeezes.show(hand, place, detail);
    const expose = () => this.order({ command: "ExposeCard", hand, place });
    const fallBack = (target: EventTarget | null) => (target as PuntoSqueeze).fallBack();
    const taken = async ({ target }: Event) => {
      if (!(await this.order({ command: "LookAtCards", hand }))) fallBack(target);
    };
    const turned = async ({ target }: Event) => {
      if (!(await expose())) fallBack(target);
    };
    return html`<punto-squeeze .card=${card} number=${place + 1} @taken=${taken} @moved=${moved} @seen=${seen}
        @turned=${turned}></punto-squeeze>
      <button class="main" @click=${expose} aria-label=${
        card && this.named.has(key)
          ? t("squeeze.turn_card", { card: cardSpoken(card) })
          : t("squeeze.turn_number", { hand: nameOf("winner", hand), number: place + 1 })
      }>${t("squeeze.turn")}</button>`;
  }

  /** Give a command, and say here why it is refused; return whether it was done. */
  private async order(order: object): Promise<boolean> {
    const answer = await this.give(order as Order);
    this.refusal = answer.type === "refused" ? refusalText(answer) : "";
    return answer.type === "done";
  }
}
customElements.define("punto-my-cards", PuntoMyCards);
