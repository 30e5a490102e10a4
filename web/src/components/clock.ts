/** A clock that counts down by the server's time: to a deadline, after which a call is due, or to the next round. */
import { css, html, LitElement, svg } from "lit";
import { pageConnection } from "../api/page-connection";
import { IntervalController } from "../controllers/interval-controller";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";

const ROUND = 2 * Math.PI * 20;

export class PuntoClock extends LitElement {
  static override properties = { deadline: { type: Number }, seconds: { type: Number }, next: { type: Boolean } };
  declare deadline: number | null;
  /** The length of the whole period, for the ring. */
  declare seconds: number | null;
  /** Whether it counts to the next round: then no call is due at its end. */
  declare next: boolean;

  static override styles = css`
    :host { display: inline-block; width: 3.4rem; height: 3.4rem; }
    svg { width: 100%; height: 100%; }
    circle { fill: none; stroke-width: 4; }
    .all { stroke: var(--shade); }
    .left { stroke: var(--tie-ink); transform: rotate(-90deg); transform-origin: 24px 24px; }
    .soon .left { stroke: var(--banker-ink); }
    text {
      fill: var(--ink); font-size: 17px; font-weight: 700; text-anchor: middle; dominant-baseline: central;
      font-variant-numeric: tabular-nums;
    }
  `;

  constructor() {
    super();
    this.deadline = null;
    this.seconds = null;
    this.next = false;
    new LanguageController(this);
    new IntervalController(this, 250);
  }

  override render() {
    if (!this.deadline) return html``;
    const left = Math.max(0, this.deadline - pageConnection().now()) / 1000;
    const share = this.seconds ? Math.min(1, left / this.seconds) : 1;
    const shown = Math.ceil(left);
    if (this.next && !shown) return html``;
    const label = shown ? t(this.next ? "clock.next" : "clock.left", { seconds: shown }) : t("clock.over");
    return html`<div role="timer" aria-label=${label} title=${label} class=${left < 5 && !this.next ? "soon" : ""}>
      ${svg`<svg viewBox="0 0 48 48" aria-hidden="true"><circle class="all" cx="24" cy="24" r="20"/>
      <circle class="left" cx="24" cy="24" r="20" stroke-dasharray="${ROUND * share} ${ROUND}"/>
      <text x="24" y="25">${shown || "!"}</text></svg>`}</div>`;
  }
}
customElements.define("punto-clock", PuntoClock);
