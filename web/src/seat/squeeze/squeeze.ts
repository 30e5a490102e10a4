/** Cards passed to the patron, who looks at them, lifts a corner or a side slowly, and turns them over. */
import { css, html, LitElement, nothing, svg } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Answer, Order } from "../../api/connection";
import type { Card } from "../../api/types";
import { back, cardSpoken, face } from "../../components/card";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { nameOf, t } from "../../i18n/catalogue";
import type { HandName } from "../../table-view/shown-round";
import { foldTo, holdAt, type Point } from "./card-geometry";

const TURNED_AT = 0.55;
/** The share of a card up to which its corners stay covered, as by a thumb. */
const COVERED_UNTIL = 0.4;

/** One card whose corners and sides can be lifted. */
export class PuntoSqueeze extends LitElement {
  static override properties = { card: { attribute: false }, corner: { state: true }, to: { state: true } };
  declare card: Card;
  declare private corner: Point;
  declare private to: Point | null;

  static override styles = [
    common,
    css`
    svg {
      width: min(15rem, 42cqw - 2rem, (100cqh - 11rem) / 1.4); min-width: 6rem; display: block;
      overflow: visible; touch-action: none; cursor: grab;
      filter: drop-shadow(0 6px 10px rgb(0 0 0 / .5));
    }
    input { width: 100%; margin-top: .4rem; min-height: 1.6rem; padding: 0; accent-color: var(--gold); }
  `,
  ];

  constructor() {
    super();
    this.corner = [100, 140];
    this.to = null;
    new LanguageController(this);
  }

  override render() {
    const fold = this.to && foldTo(this.corner, this.to);
    const flat = fold ? fold.flat.join(" ") : "0,0 100,0 100,140 0,140";
    return html`${svg`<svg viewBox="0 0 100 140" role="img" aria-label=${t("card.down")}
        @pointerdown=${this.begin} @pointermove=${this.drag} @pointerup=${this.end} @pointercancel=${this.end}>
        <defs><clipPath id="flat"><polygon points=${flat}/></clipPath>
        ${fold ? svg`<clipPath id="lifted"><polygon points=${fold.lifted.join(" ")}/></clipPath>` : nothing}</defs>
        <g clip-path="url(#flat)">${back()}</g>
        ${
          fold
            ? svg`<g transform="matrix(${fold.matrix.join(" ")})"><g
          clip-path="url(#lifted)">${face(this.card, fold.share > COVERED_UNTIL)}</g></g>`
            : nothing
        }
      </svg>`}
      <input type="range" min="0" max="100" value="0" aria-label=${t("squeeze.lift")} @input=${this.lift}>`;
  }

  private place(event: PointerEvent): Point {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return [((event.clientX - box.left) * 100) / box.width, ((event.clientY - box.top) * 140) / box.height];
  }

  private begin(event: PointerEvent) {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.corner = holdAt(this.place(event));
    this.to = this.place(event);
  }

  private drag(event: PointerEvent) {
    if (this.to && event.buttons) this.to = this.place(event);
    this.turnIfFar();
  }

  private end() {
    if (!this.turned) this.to = null;
  }

  private turned = false;

  private turnIfFar() {
    const fold = this.to && foldTo(this.corner, this.to);
    if (fold && fold.share > TURNED_AT && !this.turned) this.turn();
  }

  /** Lie flat again: the table did not take the turn. */
  fallBack(): void {
    this.turned = false;
    this.to = null;
  }

  private turn() {
    this.turned = true;
    this.dispatchEvent(new CustomEvent("turned"));
  }

  /** Lift the corner by a slider, for people without a pointer. */
  private lift(event: Event) {
    const share = Number((event.target as HTMLInputElement).value) / 100;
    this.corner = [100, 140];
    this.to = share ? [100 - 130 * share, 140 - 182 * share] : null;
    this.turnIfFar();
  }
}
customElements.define("punto-squeeze", PuntoSqueeze);

/** A hand that was passed to the patron. */
export class PuntoMyCards extends LitElement {
  static override properties = {
    hand: {},
    places: { attribute: false },
    seen: { attribute: false },
    give: { attribute: false },
  };
  declare hand: HandName;
  declare give: (order: Order) => Promise<Answer>;
  /** Places of the cards that lie face down. */
  declare places: number[];
  /** The cards that the patron has looked at, in the same order; null where no device reads cards, undefined before. */
  declare seen: (Card | null)[] | undefined;

  static override styles = [
    common,
    css`
    section {
      background: var(--felt-deep); border: 2px solid var(--gold); border-radius: 14px; padding: .8rem; display: grid;
      gap: .6rem; justify-items: center;
    }
    .cards { display: flex; gap: clamp(.6rem, 3vw, 1.2rem); justify-content: center; }
    .cards > div { display: grid; gap: .4rem; justify-items: center; }
    .down svg { width: min(9rem, 42cqw - 2rem, (100cqh - 9rem) / 1.4); min-width: 5rem; }
    h2 { font-size: 1.05rem; } p { margin: 0; }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  override render() {
    const looked = Boolean(this.seen?.length);
    return html`<section aria-label=${t("squeeze.title", { hand: nameOf("winner", this.hand) })}>
      <h2>${t("squeeze.title", { hand: nameOf("winner", this.hand) })}</h2>
      <div class="cards">${repeat(
        this.places,
        (place) => place, // each card is an element of its own: one that is turned leaves, the others stay as they are
        (place, index) => this.card(place, this.seen?.[index]),
      )}</div>
      ${
        looked
          ? html`<p class="soft">${this.seen!.some(Boolean) ? t("squeeze.how") : t("squeeze.real_cards")}</p>`
          : html`<div class="row">
        <button class="main"
          @click=${() => this.order({ command: "LookAtCards", hand: this.hand })}>${t("squeeze.look")}</button>
        <button @click=${() =>
          this.order({ command: "DeclineHand", hand: this.hand })}>${t("squeeze.decline")}</button></div>`
      }
    </section>`;
  }

  private card(place: number, card: Card | null | undefined) {
    if (!card) return html`<div class="down" role="img" aria-label=${t("card.down")}>${back()}</div>`;
    const expose = () => this.order({ command: "ExposeCard", hand: this.hand, place });
    const turned = async ({ target }: Event) => {
      if ((await expose()).type === "refused") (target as PuntoSqueeze).fallBack();
    };
    return html`<div><punto-squeeze .card=${card} @turned=${turned}></punto-squeeze>
      <button @click=${expose}
        aria-label=${t("squeeze.turn_card", { card: cardSpoken(card) })}>${t("squeeze.turn")}</button></div>`;
  }

  private order(order: object): Promise<Answer> {
    return this.give(order as Order);
  }
}
customElements.define("punto-my-cards", PuntoMyCards);
