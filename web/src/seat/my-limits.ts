/** How long one has been here, how one stands, and the most one allows oneself to lose. */
import { LitElement, css, html } from "lit";
import { common } from "../elements/style";
import { amount, signed, typed } from "../words/money";
import { Reads, t } from "../words/words";
import type { SessionBook } from "./session";

export class PuntoMyLimits extends LitElement {
  static override properties = { book: { attribute: false }, total: { type: Number } };
  declare book: SessionBook;
  /** What one has at the table, chips and wagers together. */
  declare total: number;
  private timer = 0;

  static override styles = [common, css`
    dl { display: grid; grid-template-columns: auto 1fr; gap: .3rem 1rem; margin: 0; } dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; font-weight: 650; }
    form { margin-top: .5rem; }
  `];

  constructor() {
    super();
    new Reads(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  override render() {
    const { session } = this.book;
    const result = this.book.result(this.total);
    return html`<dl>
        <dt>${t("limits.since")}</dt><dd>${duration(Date.now() - session.began)}</dd>
        <dt>${t("limits.result")}</dt><dd class=${result < 0 ? "lost" : "won"}>${signed(result)}</dd>
        <dt>${t("limits.loss")}</dt><dd>${session.lossLimit === null ? t("limits.none") : amount(session.lossLimit)}</dd>
      </dl>
      <form class="stack" @submit=${this.set}>
        <label>${t("limits.set")}<input name="limit" inputmode="decimal" autocomplete="off"></label>
        <div class="row"><button>${t("limits.keep")}</button><button type="button" @click=${() => this.change(() => this.book.limitLoss(null))}>${t("limits.lift")}</button>
        <button type="button" @click=${() => this.change(() => this.book.restart(this.total))}>${t("limits.restart")}</button></div>
      </form><p class="soft">${t("limits.about")}</p>`;
  }

  private set(event: SubmitEvent) {
    event.preventDefault();
    const limit = typed(String(new FormData(event.target as HTMLFormElement).get("limit")));
    if (limit !== null) this.change(() => this.book.limitLoss(limit));
  }

  private change(work: () => void) {
    work();
    this.requestUpdate();
  }
}

function duration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((each) => String(each).padStart(2, "0")).join(":");
}
customElements.define("punto-my-limits", PuntoMyLimits);
