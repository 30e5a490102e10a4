/** One card that a patron squeezes: lifted by a corner or a side, with a finger, a mouse or the arrow keys. */
import { css, html, LitElement, svg } from "lit";
import type { Card } from "../../api/types";
import { back, blank, face, lifted } from "../../components/card";
import {
  fallen,
  foldOf,
  HEIGHT,
  type Hold,
  holdOf,
  type Lift,
  liftBy,
  liftByKeys,
  type Point,
  WIDTH,
} from "../../components/card-geometry";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { t } from "../../i18n/catalogue";

/** The share of a card that is lifted when it turns over. */
const TURNED_AT = 0.43;
/** The share up to which its corners stay covered, as by a thumb. */
const COVERED_UNTIL = 0.37;
/** How far an arrow key moves the point that is held, on a card 100 wide. */
const KEY_STEP = 8;
const ARROWS: Record<string, Point> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -KEY_STEP],
  ArrowDown: [0, KEY_STEP],
};

interface Grip {
  pointer: number;
  held: Hold;
  from: Point;
}

/**
 * A card face down that can be lifted.
 *
 * It says with `taken` that its face is wanted, with `moved` how it lies now, with `seen` that its index is no longer
 * covered, and with `turned` that it is turned over.
 */
export class PuntoSqueeze extends LitElement {
  static override properties = {
    card: { attribute: false },
    number: { type: Number },
    lift: { state: true },
    turned: { state: true },
  };
  /** The card; null until the patron has looked at it. */
  declare card: Card | null;
  /** Which card of the hand it is, from 1 on. */
  declare number: number;
  declare private lift: Lift | null;
  declare private turned: boolean;
  private grip: Grip | null = null;
  private keyed: Point = [0, 0];

  static override styles = [
    common,
    css`
    .card { border-radius: 6%; touch-action: none; cursor: grab; user-select: none; }
    .card:active { cursor: grabbing; }
    .card > svg {
      display: block; width: 100%; overflow: visible; filter: drop-shadow(0 6px 10px rgb(0 0 0 / .5));
    }
  `,
  ];

  constructor() {
    super();
    this.card = null;
    this.number = 1;
    this.lift = null;
    this.turned = false;
    new LanguageController(this);
  }

  override render() {
    const share = Math.round(100 * this.share);
    return html`<div class="card" role="slider" tabindex="0" aria-label=${t("squeeze.card", { number: this.number })}
      aria-valuemin="0" aria-valuemax="100" aria-valuenow=${share}
      aria-valuetext=${t("squeeze.lifted", { share })} aria-describedby="keys" @keydown=${this.pressKey}
      @pointerdown=${this.begin} @pointermove=${this.drag} @pointerup=${this.end} @pointercancel=${this.end}
      >${this.drawn()}<span id="keys" class="unseen">${t("squeeze.keys")}</span></div>`;
  }

  private drawn() {
    const fold = this.lift && foldOf(this.lift);
    if (this.turned && this.card) return svg`<svg viewBox="0 0 100 140">${face(this.card)}</svg>`;
    if (!fold) return svg`<svg viewBox="0 0 100 140">${back()}</svg>`;
    return lifted(fold, this.card ? face(this.card, fold.share > COVERED_UNTIL) : blank());
  }

  private get share(): number {
    return (this.lift && foldOf(this.lift)?.share) || 0;
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>(".card")?.focus();
  }

  /** Lie flat again: the table did not take the turn. */
  fallBack(): void {
    this.turned = false;
    this.keyed = [0, 0];
    this.grip = null;
    this.fall();
  }

  // --- by finger or mouse ------------------------------------------------------------------------------------------

  private at(event: PointerEvent): Point {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return [((event.clientX - box.left) * WIDTH) / box.width, ((event.clientY - box.top) * HEIGHT) / box.height];
  }

  private begin(event: PointerEvent) {
    if (this.grip || this.turned) return; // a second finger on the same card changes nothing
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    const from = this.at(event);
    this.grip = { pointer: event.pointerId, held: holdOf(from), from };
    this.take();
  }

  private drag(event: PointerEvent) {
    if (this.grip?.pointer !== event.pointerId) return;
    const [x, y] = this.at(event);
    this.move(liftBy(this.grip.held, [x - this.grip.from[0], y - this.grip.from[1]]));
  }

  private end(event: PointerEvent) {
    if (this.grip?.pointer !== event.pointerId) return;
    this.grip = null;
    if (!this.turned) this.fall();
  }

  // --- by keys -----------------------------------------------------------------------------------------------------

  private pressKey(event: KeyboardEvent) {
    const arrow = ARROWS[event.key];
    if (!arrow && !["Enter", " ", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation(); // the seat has keys of its own
    if (this.turned) return;
    if (arrow) {
      this.keyed = [this.keyed[0] + arrow[0], this.keyed[1] + arrow[1]];
      this.take();
      this.move(liftByKeys(this.keyed));
    } else if (event.key === "Escape") this.fallBack();
    else this.turn();
  }

  // --- what comes of it --------------------------------------------------------------------------------------------

  private take() {
    if (!this.card) this.dispatchEvent(new CustomEvent("taken"));
  }

  private move(lift: Lift | null) {
    if (this.turned) return;
    this.lift = lift;
    this.dispatchEvent(new CustomEvent("moved", { detail: lift }));
    if (this.card && this.share > COVERED_UNTIL) this.dispatchEvent(new CustomEvent("seen"));
    if (this.share > TURNED_AT) this.turn();
  }

  private turn() {
    this.turned = true;
    this.dispatchEvent(new CustomEvent("turned"));
  }

  /** Let the card fall back to the table, unless it is taken hold of meanwhile. */
  private fall() {
    if (this.grip || this.turned || !this.lift) return;
    this.keyed = [0, 0];
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.move(still ? null : fallen(this.lift));
    requestAnimationFrame(() => this.fall());
  }
}
customElements.define("punto-squeeze", PuntoSqueeze);
