/** An amount that counts up to what it has become. Screen readers are told only that. */
import { css, html, LitElement, nothing } from "lit";

const LASTS = 900;

const WHOLE = 100;

/** Return how far a count has come after a share of its time: fast at first, in whole amounts, exact at its end. */
export function countAt(from: number, to: number, share: number): number {
  if (share >= 1) return to;
  const at = from + (to - from) * (1 - (1 - share) ** 3);
  return Math.max(from, WHOLE * Math.floor(at / WHOLE));
}

export class PuntoCount extends LitElement {
  static override properties = {
    value: { type: Number },
    fresh: { type: Boolean },
    text: { attribute: false },
    shown: { state: true },
  };
  declare value: number;
  /** Whether it counts from nothing when it first appears. */
  declare fresh: boolean;
  /** How an amount is written. */
  declare text: (cents: number) => string;
  declare private shown: number;
  private frame = 0;

  /* What it will be keeps its room, so that nothing moves while it counts. */
  static override styles = css`
    :host { display: inline-grid; }
    span { grid-area: 1 / 1; justify-self: end; }
    .final { opacity: 0; }
  `;

  constructor() {
    super();
    this.fresh = false;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("value")) return;
    const before = (changed.get("value") as number | undefined) ?? (this.fresh ? 0 : this.value);
    cancelAnimationFrame(this.frame);
    this.shown = this.value;
    if (this.value > before && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.countFrom(before);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.frame);
    this.shown = this.value;
  }

  private countFrom(from: number) {
    const began = performance.now();
    this.shown = from;
    const step = (now: number) => {
      this.shown = countAt(from, this.value, Math.max(0, now - began) / LASTS);
      if (this.shown !== this.value) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  override render() {
    const counting = this.shown !== this.value;
    return html`<span class=${counting ? "final" : ""}>${this.text(this.value)}</span>${
      counting ? html`<span aria-hidden="true">${this.text(this.shown)}</span>` : nothing
    }`;
  }
}
customElements.define("punto-count", PuntoCount);
