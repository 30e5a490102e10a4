/** Says that the page has lost its connection, until it is back. It lies over the page, so that nothing moves. */
import { css, html, LitElement, nothing } from "lit";
import { pageConnection } from "../api/page-connection";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { common } from "./style";

export class PuntoConnection extends LitElement {
  static override properties = { lost: { state: true }, uncertain: { state: true } };
  declare private lost: boolean;
  /** Whether a command was on its way: nobody knows yet whether it arrived. */
  declare private uncertain: boolean;
  private release: () => void = () => {};

  static override styles = [
    common,
    css`
    p {
      position: fixed; inset: .4rem auto auto 50%; transform: translateX(-50%); margin: 0; padding: .35em 1em;
      width: max-content; max-width: 96vw; border-radius: 99px; background: var(--notice); color: var(--notice-ink);
      border: 1px solid var(--warn); font-weight: 650; box-shadow: 0 4px 18px rgb(0 0 0 / .4);
    }
  `,
  ];

  constructor() {
    super();
    this.lost = false;
    this.uncertain = false;
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const connection = pageConnection();
    this.release = connection.subscribe(() => {
      this.lost = !connection.connected;
      this.uncertain = connection.unanswered > 0;
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.release();
  }

  override render() {
    if (!this.lost) return nothing;
    return html`<p class="away" role="alert" popover="manual">${t("connection.lost")}${
      this.uncertain ? html`<br>${t("connection.uncertain")}` : nothing
    }<span class="unseen">
      ${t("connection.back")}</span></p>`;
  }

  /** Lie over dialogs too. */
  protected override updated(): void {
    this.renderRoot.querySelector("p")?.showPopover();
  }
}
customElements.define("punto-connection", PuntoConnection);
