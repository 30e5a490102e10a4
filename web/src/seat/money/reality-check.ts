/** A dialog that tells a patron how long they have been playing, and what it brought. */
import { css, html, LitElement, nothing } from "lit";
import type { PlayNow } from "../../api/types";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { t } from "../../i18n/catalogue";
import { signed } from "../../i18n/money";
import { duration } from "../../i18n/time";

export class PuntoRealityCheck extends LitElement {
  static override properties = { now: { attribute: false }, due: { type: Boolean }, played: { type: Number } };
  declare now: PlayNow | null;
  /** Whether the patron is to be told, and nothing of theirs is in play. */
  declare due: boolean;
  declare played: number;

  static override styles = [
    common,
    css`
    :host { display: contents; }
    dl { display: grid; grid-template-columns: 1fr auto; gap: .3rem 1rem; margin: 1rem 0; }
    dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; font-weight: 650; }
    p { margin: .6rem 0 0; font-size: 1.1rem; }
  `,
  ];

  constructor() {
    super();
    this.now = null;
    this.due = false;
    this.played = 0;
    new LanguageController(this);
  }

  private get dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector("dialog")!;
  }

  protected override updated(): void {
    if (this.due && !this.dialog.open) this.dialog.showModal();
  }

  private leave(name: "told" | "money") {
    this.dialog.close();
    if (name === "money") this.dispatchEvent(new CustomEvent("money"));
  }

  override render() {
    const { now } = this;
    const tone = (net: number) => (net < 0 ? "lost" : net > 0 ? "won" : "");
    return html`<dialog aria-labelledby="title" @close=${() => this.dispatchEvent(new CustomEvent("told"))}>
      <h2 id="title">${t("reality.title")}</h2>
      ${
        now
          ? html`<p>${t("reality.played", { time: duration(this.played) })}</p>
          <dl><dt>${t("reality.visit")}</dt><dd class=${tone(now.visit.net)}>${signed(now.visit.net)}</dd>
            <dt>${t("reality.today")}</dt><dd class=${tone(now.today.net)}>${signed(now.today.net)}</dd></dl>`
          : nothing
      }
      <div class="row">
        <button class="main" autofocus @click=${() => this.leave("told")}>${t("reality.continue")}</button>
        <a href="/history" @click=${() => this.leave("told")}>${t("history.title")}</a>
        <button @click=${() => this.leave("money")}>${t("reality.cash_out")}</button></div></dialog>`;
  }
}
customElements.define("punto-reality-check", PuntoRealityCheck);
