/** One tap to a seat with practice money, for a guest of a practice house. */
import { css, html, LitElement } from "lit";
import { Refusal } from "../api/http";
import { takePracticeSeat } from "../api/session";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, t } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";
import { common } from "./style";

export class PuntoPracticeSeat extends LitElement {
  static override properties = {
    table: {},
    leadsTo: { attribute: "leads-to" },
    label: {},
    busy: { state: true },
    refused: { state: true },
  };
  /** The table to sit down at. */
  declare table: string;
  /** The page that is opened then. */
  declare leadsTo: string;
  declare label: string;
  declare private busy: boolean;
  declare private refused: string;

  static override styles = [
    common,
    css`
    :host { display: inline-block; }
    button { width: 100%; }
    p { margin: .3rem 0 0; }
  `,
  ];

  constructor() {
    super();
    this.label = "";
    this.busy = false;
    this.refused = "";
    new LanguageController(this);
  }

  override render() {
    return html`<button class="main" ?disabled=${this.busy}
        @click=${this.sit}>${this.label || t("practice.take")}</button>
      <p role="alert" class="lost" ?hidden=${!this.refused}>${this.refused}</p>`;
  }

  private async sit() {
    this.busy = true;
    try {
      await takePracticeSeat(this.table, currentLanguage());
      location.assign(this.leadsTo);
    } catch (error) {
      this.busy = false;
      if (!(error instanceof Refusal)) throw error;
      this.refused = refusalText(error.refused);
    }
  }
}
customElements.define("punto-practice-seat", PuntoPracticeSeat);
